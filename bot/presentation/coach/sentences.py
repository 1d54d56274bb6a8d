"""What the coach says about a guess: one sentence, never the same twice in a game.

The sentences speak of the guess and not of who made it, so they fit a player, an opponent and
the bot alike.
"""

from collections.abc import Sequence, Set
from typing import Final, Protocol

from bot.presentation.base import counts
from bot.presentation.base.language import N_, number
from bot.presentation.base.language import gettext as _
from bot.presentation.coach.worth import GOOD_GRADES, why_better
from bot.services.coach.insights import CONTRADICTIONS, REASONS, Insight, Observation
from bot.services.coach.model import CoachTurn


class Spelling(Protocol):
    """How a game's symbols and codes are written."""

    def symbol(self, symbol: str) -> str:
        """One symbol."""
        ...

    def code(self, code: str) -> str:
        """A code."""
        ...


def sentences(
    turns: Sequence[CoachTurn], spelling: Spelling, seed: int, blamed: Set[int] = frozenset()
) -> list[str]:
    """A sentence for each guess of a game; empty where all that fits has been said.

    A good guess is not reproached, and of one that is blamed it is said why.

    Args:
        turns: the guesses.
        spelling: how the game is written.
        seed: which of several ways to say something comes first.
        blamed: the guesses that are marked as bad, without the reason beside them.
    """
    said: set[str] = set()
    told: set[Observation] = set()
    spoken: list[str] = []
    for index, turn in enumerate(turns):
        fitting = [
            one
            for one in turn.observations
            if turn.grade not in GOOD_GRADES or one.kind not in REASONS
        ]
        found = _freshest_first(fitting, told)
        if index in blamed:  # what could not be right is told so each time
            found.sort(key=lambda one: one.kind not in CONTRADICTIONS)
        sentence, kind = _sentence(found, spelling, seed + index, said, told)
        if index in blamed and kind not in REASONS:
            reason = why_better(turn, spelling.code(turn.choice))
            sentence = reason if kind in _FIGURES else " ".join(filter(None, (sentence, reason)))
        spoken.append(sentence)
    return spoken


_FIGURES: Final = frozenset({Insight.STEADY, Insight.BIG_CUT, Insight.HALVES, None})
"""What repeats in words how much was left."""


def every_way(observation: Observation) -> tuple[str, ...]:
    """All ways to say something, not yet filled in."""
    if observation.kind is Insight.CLUE_USE and observation.count > 1:
        return _CLUE_USE_COPIES
    if observation.kind is Insight.NEAR_MISS and not observation.count:
        return _NONE_IN_PLACE
    if observation.kind is Insight.REPEATS and observation.count == _TWICE:
        return _REPEATS_ONE
    if observation.kind is Insight.STEADY and observation.count == observation.total:
        return () if observation.total == 1 else _ALL_STAYED
    return _SENTENCES[observation.kind]


def _freshest_first(
    observations: Sequence[Observation], told: Set[Observation]
) -> list[Observation]:
    """Put facts told of an earlier guess after fresh ones, but before dull ones."""
    return sorted(observations, key=lambda one: (one.kind is Insight.STEADY, one in told))


def _sentence(
    observations: Sequence[Observation],
    spelling: Spelling,
    seed: int,
    said: set[str],
    told: set[Observation],
) -> tuple[str, Insight | None]:
    """What is said, and of which kind it is."""
    ways: list[tuple[str, str, Observation]] = []
    for observation in observations:
        facts = _facts(observation, spelling)
        rotated = _rotated(every_way(observation), seed)
        ways += [(way, _(way).format(**facts), observation) for way in rotated]
    # Other words are better than the same words about other numbers.
    fresh = [found for found in ways if found[0] not in said]
    fresh += [found for found in ways if found[1] not in said]
    if not fresh:
        return "", None
    way, sentence, observation = fresh[0]
    said.update((way, sentence))
    told.add(observation)
    return sentence, observation.kind


def _rotated(ways: tuple[str, ...], seed: int) -> tuple[str, ...]:
    first = seed % len(ways) if ways else 0
    return ways[first:] + ways[:first]


def _facts(observation: Observation, spelling: Spelling) -> dict[str, object]:
    """What the ways to say something leave places for."""
    return {
        "turn": observation.turn + 1,
        "symbol": spelling.symbol(observation.symbol) if observation.symbol else "",
        "place": observation.place + 1,
        "count": number(observation.count),
        "total": number(observation.total),
        "answers": counts.answers(observation.count),
        "places": counts.places(observation.count),
        "times": counts.times(observation.count),
        "code": spelling.code(observation.code) if observation.code else "",
    }


_TWICE: Final = 2
_NONE_IN_PLACE: Final = (
    N_("All the right pieces, and not one of them in its place."),
    N_("Everything in it belongs, but all of it elsewhere."),
)
_REPEATS_ONE: Final = (
    N_("{symbol} stands here twice; more variety tells more at the start."),
    N_("A first guess does best with variety; here {symbol} is used twice."),
)
_CLUE_USE_COPIES: Final = (
    N_("Guess {turn} had shown that {symbol} is in it {times}; here it stands less often."),
    N_("{symbol} had to be in it {times} since guess {turn}."),
)
_ALL_STAYED: Final = (
    N_("All {total} stayed possible."),
    N_("No step closer this time: still {total}."),
    N_("{total} before, {total} after."),
)
_SENTENCES: Final[dict[Insight, tuple[str, ...]]] = {
    Insight.FIRST_TRY: (
        N_("Right at the first try, one chance in {total}. Frame it."),
        N_("One chance in {total}, at the very first try. Nobody can plan that; enjoy it."),
    ),
    Insight.ONLY_LEFT: (
        N_("The clues had left exactly one, and this is it."),
        N_("Everything else was ruled out by now: a safe finish."),
        N_("Only this one was left, and it was found."),
    ),
    Insight.COIN_WON: (
        N_("Two were left, and this was the right one."),
        N_("A coin flip between two, and it fell well."),
    ),
    Insight.LUCKY_HIT: (
        N_("One of {total} that were still possible, and it was the one."),
        N_("{total} were possible. Picking this one took nerve, or a good nose."),
    ),
    Insight.LAST_CHANCE: (
        N_("Found with the very last guess, one chance in {total}."),
        N_("It could not have been closer: one chance in {total}, and the last guess did it."),
    ),
    Insight.TWIN: (
        N_("A twin of the answer: the same numbers and signs in another order. So near."),
        N_("The answer's own numbers, arranged another way. Only the exact order wins."),
    ),
    Insight.NEAR_MISS: (
        N_("Everything in it belongs, {count} of {total} in place. Only the order was missing."),
        N_("All the right pieces; {count} of {total} lay where they should."),
        N_("All of it is in the answer, {count} of {total} in place."),
    ),
    Insight.LAST_WASTED: (
        N_("The last guess wins only if it is still possible; {code} would have been."),
        N_("{total} were still possible at the end, {code} for one. This was not among them."),
    ),
    Insight.LAST_SHOT: (
        N_("The last chance, one in {total}; no guess had a better one."),
        N_("One chance in {total} was all that the last guess had, and this one took it."),
    ),
    Insight.ONLY_MISSED: (
        N_("By now only {code} was possible; the clues were all there."),
        N_("The clues had settled it: {code}."),
        N_("One was left, and it waited to be written down: {code}."),
    ),
    Insight.COIN_LOST: (
        N_("Two were left, and it was the other one. Well played all the same."),
        N_("A coin flip between two, and it fell on the other side."),
    ),
    Insight.PAIR_UNUSED: (
        N_("Two were left. One of them, {code}, would have had an even chance."),
        N_("With two left, guessing either is best: {code}, say."),
    ),
    Insight.UNTRUE: (
        N_("It agrees with every clue but does not add up, so it could only probe."),
        N_("A false equation that fits all clues: it asks, but cannot win."),
    ),
    Insight.WASTED: (
        N_("All {total} would have answered the same, so there was nothing to learn here."),
        N_("No answer could have told the {total} apart. Something new asks more."),
    ),
    Insight.OLD_TWIN: (
        N_("This is {code} of guess {turn} in another order, so most of it was known."),
        N_("The numbers of guess {turn} once more; {code} had asked that already."),
    ),
    Insight.DEAD_SYMBOL: (
        N_("Guess {turn} had ruled out {symbol}, so it had nothing new to tell."),
        N_("{symbol} was out since guess {turn}: a place given away."),
        N_("{symbol} once more: guess {turn} had already said no."),
        N_("No {symbol}, said guess {turn}; here it takes a place all the same."),
    ),
    Insight.DEAD_DEDUCED: (
        N_("Taken together, the clues left no room for {symbol}."),
        N_("Nothing that was possible had {symbol} any more, which is hard to see."),
        N_("{symbol} was in none of those left, though no clue said so alone."),
    ),
    Insight.CLUE_KEEP: (
        N_("Guess {turn} had found {symbol} in place {place}; here that place was free again."),
        N_("Place {place} belonged to {symbol} since guess {turn}."),
        N_("{symbol} was settled in place {place} by guess {turn}, and left it here."),
    ),
    Insight.CLUE_MOVE: (
        N_("Guess {turn} had shown that {symbol} is not in place {place}."),
        N_("{symbol} stands in place {place} again, where guess {turn} had said no."),
    ),
    Insight.CLUE_USE: (
        N_("Guess {turn} had found {symbol}, and this leaves it out."),
        N_("{symbol} was known to be in it since guess {turn}; here it is missing."),
    ),
    Insight.CLUE_DROP: (
        N_(
            "Guess {turn} had shown that {symbol} is in it only {times}; here it stands more often."
        ),
        N_("{symbol} more often than the {times} that guess {turn} allowed."),
    ),
    Insight.CLUE_SCORE: (
        N_("It does not fit what guess {turn} was told, so it could not win."),
        N_("Were this the answer, guess {turn} would have scored otherwise."),
        N_("Guess {turn} had already ruled this out: it could ask, but not win."),
        N_("Held against guess {turn}, this was impossible already."),
    ),
    Insight.FORCED_PLACE: (
        N_("Place {place} had to be {symbol}: all that was possible had it there."),
        N_("All that were left had {symbol} in place {place}. Worth a look before guessing."),
    ),
    Insight.FORCED_SYMBOL: (
        N_("All that were left had {symbol} somewhere; this leaves it out."),
        N_("{symbol} had to be in it by now, and is missing here."),
    ),
    Insight.KNOWN_AGAIN: (
        N_("{places} of {total} were known, and it could not win: they were free to ask."),
        N_("It repeats {places} that were known, where new ones would have told more."),
    ),
    Insight.SAFE_PROBE: (
        N_("It told all {total} apart, so the next guess could be sure. Beautiful."),
        N_("Whatever the answer, one of the {total} would be left. That is how to end a game."),
    ),
    Insight.PURE_PROBE: (
        N_("It could not win and was worth it: {answers} to tell {total} apart."),
        N_("A true probe: {total} possible, {answers} to sort them by."),
        N_("It could not win, but told more: {answers} were possible, for {total}."),
    ),
    Insight.BOLD: (
        N_("Straight for it, one chance in {total}. {code} could not win, but told more."),
        N_("Brave: one of {total} was right. {code} was the careful way."),
    ),
    Insight.HALVES: (
        N_("Yes or no, about even: {count} of {total} stayed."),
        N_("A question that halves: {total} became {count}."),
    ),
    Insight.RARE: (
        N_("A rare answer: only {count} of {total} stayed. Luck was kind."),
        N_("Mostly, more than {count} of {total} would have stayed. A good day."),
        N_("Fortune helped here: {total} shrank to {count}."),
    ),
    Insight.COMMON: (
        N_("The commonest answer of all, so {count} of {total} stayed. Nothing to blame."),
        N_("Unlucky: no other answer would have left more than {count}."),
        N_("The answer that leaves most: {count} of {total}. It happens."),
    ),
    Insight.UNLUCKY: (
        N_("Hard luck with the answer: mostly, fewer than {count} would have stayed."),
        N_("Unlucky: {count} of {total} stayed, where mostly it is fewer."),
    ),
    Insight.LEFT_ONE: (
        N_("From {total} to one: the rest is writing it down."),
        N_("And then there was one, of {total}."),
    ),
    Insight.OPENING: (
        N_("A strong opening, about as good as they get: {count} of {total} stayed."),
        N_("A first guess like the solver's own: from {total} to {count}."),
    ),
    Insight.REPEATS: (
        N_("{symbol} stands here {times}; more variety tells more at the start."),
        N_("A first guess does best with variety; here {symbol} takes {places}."),
    ),
    Insight.PERFECT: (
        N_("Exactly the solver's choice."),
        N_("The solver would have played the very same."),
        N_("Spot on: the solver has no better idea."),
        N_("Here the solver nods."),
    ),
    Insight.AS_GOOD: (
        N_("As good as the solver's {code}."),
        N_("The solver would have played {code}; this costs no more."),
        N_("The solver knows no better guess."),
    ),
    Insight.BIG_CUT: (
        N_("From {total} to {count} at one stroke."),
        N_("Of {total}, just {count} stayed."),
        N_("{total} went in, {count} came out."),
    ),
    Insight.WEAK: (
        N_("There was much more to learn with {code}."),
        N_("{code} would have asked a better question."),
        N_("{code} could have told more than twice as much."),
    ),
    Insight.STEADY: (
        N_("{count} of {total} stayed."),
        N_("That brought {total} down to {count}."),
        N_("Step by step: {total}, now {count}."),
        N_("{count} left of {total}."),
        N_("It kept {count} of {total}."),
        N_("Some ground gained: {count} where {total} had been."),
    ),
}
