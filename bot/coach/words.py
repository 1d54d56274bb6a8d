"""The coach's sentences about guesses, and how each game writes its codes and turns."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from bot.clock import PuzzleName
from bot.coach.model import (
    BAD_GRADES,
    CONTRADICTIONS,
    PRAISES,
    REASONS,
    CoachTurn,
    Insight,
    Observation,
    Review,
)
from bot.duels.round_words import DuelTiles
from bot.features import FINISHED
from bot.focdle.ending_words import focdle_name, puzzle_name
from bot.focdle.words import WIDEST_ROW
from bot.games.model import Source
from bot.text import counts
from bot.text.language import N_, _, ngettext, number, say
from bot.text.markup import code, small
from bot.text.tiles import Palette, Pegs, Tiles, colour_name, row
from engine import Focdle, Mark, Mastermind, Score, Turn, decode
from engine.deductions import Fault
from engine.skill import Grade

# Names of grades, one word each: a phone's line has no room for more.
GRADE_NAMES: Final = {
    Grade.BRILLIANT: N_("brilliant"),
    Grade.GOOD: N_("good"),
    Grade.PLAIN: N_("fine"),
    Grade.DOUBTFUL: N_("slip"),
    Grade.BAD: N_("mistake"),
    Grade.BLUNDER: N_("big mistake"),
}
#: Instead of a bad grade's name, for a guess that could have been right.
FAIR_TRY: Final = N_("fair try")
#: Instead of "fine", for the guess that was right.
FOUND: Final = N_("found")
GOOD_GRADES: Final = frozenset({Grade.BRILLIANT, Grade.GOOD})


def number_and_grade(place: int, grade: Grade, *, is_possible: bool, is_right: bool) -> str:
    """The number of a guess in bold, and the name of its grade: bold if good."""
    if is_possible and grade in BAD_GRADES:
        words = say(FAIR_TRY)
    else:
        words = say(FOUND if is_right and grade is Grade.PLAIN else GRADE_NAMES[grade])
    return f"**{place} · {words}**" if grade in GOOD_GRADES else f"**{place}** · {words}"


def why_better(turn: CoachTurn, choice: str) -> str:
    """The reason why the solver's choice was better.

    `choice` is the solver's guess in words; empty if it is not to be given away. If that guess is a
    false equation, a note says that such guesses are allowed, to learn more.
    """
    #: Where the better guess is not told: the subject, as {choice}, of a sentence.
    better = choice or _("A better guess")
    words = _("{choice} would have left {best}, not {left}.")
    if turn.is_last or not turn.best:
        words = _("{choice} could have been right.")
    sentence = words.format(choice=better, left=number(turn.after), best=number(turn.best or 0))
    line = probes_line([turn.choice]) if choice and "=" in turn.choice else ""
    return "\n".join(filter(None, (sentence, line)))


def probes_line(equations: Iterable[str]) -> str:
    """The note that a false equation may be guessed to learn more; empty if all are true."""
    if all(Focdle(len(guess)).equation(guess).is_true for guess in equations):
        return ""
    return small(_("A false equation can reveal more."))


class GameSpelling:
    """How equations and turns of FoCdle are written; the other games' spellings derive from it.

    Without tiles, the marks are a line of squares above the symbols.
    """

    def __init__(self, tiles: Tiles | None = None, palette: Palette = Palette.STANDARD) -> None:
        self._tiles = tiles
        self._palette = palette

    def symbol(self, symbol: str) -> str:
        """A symbol in code style, where Discord does not interpret it."""
        return code(symbol)

    def code(self, code: str) -> str:
        return self.symbol(code)

    def things(self) -> str:
        """The plural noun for candidates."""
        #: What may be the answer, as {things}; in other games it is "numbers" or "codes".
        return _("equations")

    def turn(self, guess: str, feedback: Iterable[int]) -> str:
        marks = tuple(Mark(mark) for mark in feedback)
        if self._tiles is not None and len(guess) <= WIDEST_ROW:
            return self._tiles.row(guess, marks, self._palette)
        # At full size, the squares would wrap.
        squares = small(row(marks)) if len(guess) > WIDEST_ROW else row(marks)
        return f"{squares}\n{self.code(guess)}"


class _DigitSpelling(GameSpelling):
    def __init__(self, tiles: DuelTiles | None) -> None:
        super().__init__()
        self._tiles = tiles

    def things(self) -> str:
        return _("numbers")

    def turn(self, guess: str, feedback: Iterable[int]) -> str:
        score = Score(*feedback)
        if self._tiles is not None:
            return self._tiles.turn(Turn(guess, score))
        words = ", ".join(
            (
                ngettext("{count} bull", "{count} bulls", score.bulls).format(count=score.bulls),
                ngettext("{count} cow", "{count} cows", score.cows).format(count=score.cows),
            )
        )
        return f"{self.code(guess)} · {words}"


class _PegSpelling(GameSpelling):
    def __init__(self, pegs: Pegs) -> None:
        super().__init__()
        self._pegs = pegs

    def symbol(self, symbol: str) -> str:
        return f"{self._pegs.peg(symbol)} {colour_name(symbol)}"

    def code(self, code: str) -> str:
        return self._pegs.lettered_row(code)

    def things(self) -> str:
        return _("codes")

    def turn(self, guess: str, feedback: Iterable[int]) -> str:
        return f"{self._pegs.lettered_row(guess)} {self._pegs.key(Score(*feedback))}"


def spelling_of(review: Review, pegs: Pegs, tiles: Tiles | None = None) -> GameSpelling:
    rules = decode(review.analysis.rules)
    if isinstance(rules, Focdle):
        return GameSpelling(tiles, Palette(review.palette))
    if isinstance(rules, Mastermind):
        return _PegSpelling(pegs)
    return _DigitSpelling(DuelTiles.of(tiles, pegs))


def game_name(
    source: Source, puzzle: PuzzleName | None = None, *, setter: str | None = None
) -> str:
    if puzzle is not None:
        return puzzle_name(puzzle.number)
    if source is Source.PLAY:
        return focdle_name(None, setter)
    return say(FINISHED[source].title)


# The coach says a sentence at most about each guess, and never the same twice in a game. The
# sentences are about the guess, not about its author, so that they fit a player, an opponent and
# the bot.


def sentences(
    turns: Sequence[CoachTurn],
    grades: Sequence[Grade],
    spelling: GameSpelling,
    seed: int,
    sought: Collection[int] = (),
) -> list[str]:
    """Choose a sentence for each guess of a game; empty where there is nothing new to say.

    Sentences agree with the grades: each bad guess is explained, and only good ones may be praised.
    One without a grade is neither blamed nor praised. `seed` chooses among wordings. `sought` are
    the indices of guesses to which the better one is not given away: their player may seek it.
    """
    said: set[str] = set()
    told: set[Observation] = set()
    spoken: list[str] = []
    for index, (turn, grade) in enumerate(zip(turns, grades, strict=True)):
        # Facts told of an earlier guess come last.
        found = sorted(_fitting(turn, grade), key=lambda one: one in told)
        if index in sought:
            found = [one for one in found if one.code != turn.choice]
        if grade in BAD_GRADES:  # of a bad guess, contradictions come first, each time
            found.sort(key=lambda one: one.kind not in CONTRADICTIONS)
        sentence = _sentence(found, spelling, seed + index, said, told)
        if grade in BAD_GRADES and not sentence:
            choice = "" if index in sought else spelling.code(turn.choice)
            sentence = why_better(turn, choice)
        spoken.append(sentence)
    return spoken


def _fitting(turn: CoachTurn, grade: Grade) -> Iterator[Observation]:
    """The observations that agree with a grade.

    With a bad grade, only what blames the guess; with others, nothing that blames it. With PLAIN,
    nothing that praises it either.
    """
    for one in turn.observations:
        is_blame, is_praise = one.kind in REASONS, one.kind in PRAISES
        if is_blame if grade in BAD_GRADES else not is_blame and (grade or not is_praise):
            yield one


def every_way(observation: Observation) -> tuple[str, ...]:
    """All wordings of an observation, as templates; none for kinds of which the coach is silent."""
    if observation.kind is Insight.CLUE_USE and observation.count > 1:
        return _CLUE_USE_COPIES
    if observation.kind is Insight.NEAR_MISS and not observation.count:
        return _NONE_IN_PLACE
    return _SENTENCES.get(observation.kind, ())


def _sentence(
    observations: Sequence[Observation],
    spelling: GameSpelling,
    seed: int,
    said: set[str],
    told: set[Observation],
) -> str:
    """Choose a sentence that is not in `said`; empty if all are.

    Add the chosen sentence to `said`, and its observation to `told`.
    """
    ways: list[tuple[str, str, Observation]] = []
    for observation in observations:
        facts = _facts(observation, spelling)
        reason = tuple(_reason(observation, spelling))
        wordings = every_way(observation)
        first = seed % len(wordings) if wordings else 0
        ways += [
            (way, " ".join((_(way).format(**facts), *reason)), observation)
            for way in (*wordings[first:], *wordings[:first])
        ]
    # Other words are better than the same words about other numbers.
    fresh = [found for found in ways if found[0] not in said]
    fresh += [found for found in ways if found[1] not in said]
    if not fresh:
        return ""
    way, sentence, observation = fresh[0]
    said.update((way, sentence))
    told.add(observation)
    return sentence


def _reason(observation: Observation, spelling: GameSpelling) -> Iterator[str]:
    """Yield a sentence for each clue that proves an observation, and one for its case.

    Two clues that are whole scores of guesses have one sentence together.
    """
    because = observation.because
    if len(because) > 1 and all(one.kind is Insight.CLUE_SCORE for one in because):
        first, second = (one.turn + 1 for one in because)
        yield _("Guesses {first} and {second} prove it.").format(first=first, second=second)
        return
    for one in because:
        words = every_way(one)[0]
        if one.kind is Insight.CLUE_USE:
            words = _COPIES_FOUND if one.count > 1 else _FOUND
        yield _(words).format(**_facts(one, spelling))
    if case := observation.case:
        words = _CASES[case.fault] if case.form else _NO_ROOM
        many = case.fault in {Fault.ROOM, Fault.ENDS}
        value = spelling.symbol(", ".join(case.value) if many else case.value)
        form, left = (spelling.symbol(text) if text else "" for text in (case.form, case.left))
        yield _(words).format(form=form, left=left, value=value)


def _facts(observation: Observation, spelling: GameSpelling) -> dict[str, object]:
    return {
        "turn": observation.turn + 1,
        "symbol": spelling.symbol(observation.symbol) if observation.symbol else "",
        "place": observation.place + 1,
        "count": number(observation.count),
        "total": number(observation.total),
        "places": counts.places(observation.count),
        "times": counts.times(observation.count),
        "code": spelling.code(observation.code) if observation.code else "",
        "things": spelling.things(),
    }


#: The reason of a deduction.
_FOUND: Final = N_("Guess {turn} had found {symbol}.")
#: The reason of a deduction; {times} is 2 times, 3 times and so on.
_COPIES_FOUND: Final = N_("Guess {turn} had found {symbol} {times}.")
#: The reason of a deduction; {value} is an operator.
_NO_ROOM: Final = N_("Otherwise, {value} wouldn't fit anywhere.")
# The reason of a deduction: {form} is an equation with gaps, such as 4_%57+_=_.
_CASES: Final = {
    Fault.NONE: N_("The clues left only {form}."),
    Fault.ROOM: N_("{form} would leave no room for {value}."),
    Fault.IS: N_("The alternative is {form}, but {left} is {value}."),
    Fault.BARRED: N_("The alternative is {form}, but {value} is ruled out."),
    Fault.OVER: N_("The alternative is {form}, but even {left} is over {value}."),
    Fault.UNDER: N_("The alternative is {form}, but even {left} is under {value}."),
    Fault.ENDS: N_("The alternative is {form}, but its left side ends in {value}."),
}
_NONE_IN_PLACE: Final = (
    N_("All the right pieces, and not one in its place."),
    N_("Everything belongs, but elsewhere."),
)
_CLUE_USE_COPIES: Final = (
    N_("Guess {turn} called for {symbol} {times}: this guess had fewer."),
    N_("Guess {turn} had called for {symbol} {times}."),
)
_SENTENCES: Final[dict[Insight, tuple[str, ...]]] = {
    Insight.FIRST_TRY: (
        N_("Right on the first try, out of {total}. Frame it."),
        N_("One of {total}, on the very first try."),
    ),
    Insight.ONLY_LEFT: (
        N_("Only this one was left: a safe finish."),
        N_("The clues had left exactly one, and this was it."),
    ),
    Insight.COIN_WON: (
        N_("One of the last two, and the right one."),
        N_("Two were left, and this was the right one."),
    ),
    Insight.HIT: (
        N_("{total} were possible, and this was the one."),
        N_("One in {total}: that took nerve."),
    ),
    Insight.LAST_CHANCE: (
        N_("One of {total}, found with the very last guess."),
        N_("{total} were still possible, and the last guess was right."),
    ),
    Insight.TWIN: (
        N_("So close: the answer's own numbers, in another order."),
        N_("A twin of the answer: only the exact order wins."),
    ),
    Insight.NEAR_MISS: (
        N_("All the right pieces, {count} of {total} in place."),
        N_("Only the order was off: {count} of {total} in place."),
    ),
    Insight.LAST_WASTED: (
        N_("The last guess couldn't win, but {code} could."),
        N_("This couldn't win, but {code} could."),
    ),
    Insight.LAST_SHOT: (
        N_("One of {total} {things} still possible."),
        N_("This was the last guess, and {total} {things} were still possible."),
    ),
    Insight.ONLY_MISSED: (
        N_("Only {code} was possible."),
        N_("The clues had settled it: {code}."),
    ),
    Insight.COIN_LOST: (
        N_("Two were left, and it was the other one."),
        N_("One of the last two, but the other one was right."),
    ),
    Insight.PAIR_UNUSED: (
        N_("Two were left, and {code} was one of them."),
        N_("With two left, guess one of them: {code}, say."),
    ),
    Insight.UNTRUE: (
        N_("It fits all the clues, but it's false."),
        N_("A false equation can't win, even if it fits."),
    ),
    Insight.WASTED: (
        N_("All {total} would have given the same marks."),
        N_("It couldn't tell the {total} apart."),
    ),
    Insight.OLD_TWIN: (
        N_("Much like {code} in guess {turn}: it revealed little new."),
        N_("The same numbers as {code} in guess {turn}: little to learn."),
    ),
    Insight.DEAD_SYMBOL: (
        N_("Guess {turn} had ruled out {symbol}."),
        N_("{symbol} was out after guess {turn}, so it wasted a place."),
    ),
    Insight.DEAD_DEDUCED: (
        N_("The clues left no room for {symbol}."),
        N_("None of the remaining {things} had {symbol}."),
    ),
    Insight.CLUE_KEEP: (
        N_("Guess {turn} had found {symbol} in place {place}."),
        N_("After guess {turn}, place {place} had to be {symbol}."),
    ),
    Insight.CLUE_MOVE: (
        N_("Guess {turn} had shown that {symbol} wasn't in place {place}."),
        N_("Guess {turn} had already ruled out {symbol} in place {place}."),
    ),
    Insight.CLUE_USE: (
        N_("Guess {turn} had found {symbol}, but this guess left it out."),
        N_("{symbol}, known since guess {turn}, was missing."),
    ),
    Insight.CLUE_DROP: (
        N_("Guess {turn} allowed {symbol} only {times}."),
        N_("It used {symbol} more than {times}: guess {turn} had ruled that out."),
    ),
    Insight.CLUE_SCORE: (
        N_("Guess {turn} had ruled this out."),
        N_("After guess {turn}, this couldn't win."),
    ),
    Insight.CLUE_SHOWN: (
        N_("A hint had shown {symbol} in place {place}."),
        N_("Place {place} was {symbol}, as a hint had shown."),
    ),
    Insight.FORCED_PLACE: (
        N_("By then, place {place} had to be {symbol}."),
        N_("All remaining {things} had {symbol} in place {place}."),
    ),
    Insight.FORCED_SYMBOL: (
        N_("By then, the answer had to contain {symbol}."),
        N_("All remaining {things} had {symbol}, but this guess didn't."),
    ),
    Insight.KNOWN_AGAIN: (
        N_("It spent {places} on what was already known. New symbols reveal more."),
        N_("You already knew {places} of {total}: use those to test something new."),
    ),
    Insight.SAFE_PROBE: (
        N_("It told all {total} apart: a sure win next."),
        N_("Whatever the answer, just one would be left."),
    ),
    Insight.PURE_PROBE: (
        N_("It couldn't win, but it revealed more than any that could."),
        N_("A pure probe: it couldn't win, but revealed more."),
    ),
    Insight.BOLD: (
        N_("A one-in-{total} shot. {code} would have revealed more."),
        N_("Brave: one in {total}. {code} was the careful choice."),
    ),
    Insight.LEFT_ONE: (
        N_("From {total} {things} to one: the rest was easy."),
        N_("It left just one of {total} {things}."),
    ),
    Insight.OPENING: (
        N_("A strong opening, as good as any."),
        N_("An opening like the coach's own."),
    ),
    Insight.REPEATS: (
        N_("{symbol} repeats here. Early on, variety reveals more."),
        N_("Early on, a new symbol reveals more than another {symbol} does."),
    ),
    Insight.PERFECT: (
        N_("Exactly the coach's choice."),
        N_("The coach would have played the same."),
    ),
    Insight.AS_GOOD: (
        N_("As good as the coach's {code}."),
        N_("The coach found no better guess."),
    ),
    Insight.BIG_CUT: (
        N_("From {total} {things} to {count}."),
        N_("It cut {total} {things} to {count}."),
    ),
}
"""Two wordings each; obvious facts have none."""
