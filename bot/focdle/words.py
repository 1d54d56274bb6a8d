"""The FoCdle board in words and tiles, refusals and help."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from bot.feature import Topic
from bot.focdle import model
from bot.focdle.ending_words import (
    Next,
    ended,
    following,
    grace_line,
    guidance,
    level_name,
    name,
    summary,
)
from bot.focdle.model import EXAMPLES, Play
from bot.games.model import GameName, Source, shown_by
from bot.games.words import (
    BULB,
    HINT_BUTTON,
    POINT_BUTTON,
    SIGNS,
    guesses_left,
    shown_row,
    taken,
    unspent,
)
from bot.refused import Mistakes, Sentences, mistake, written
from bot.text import counts
from bot.text.language import N_, _, medium_date, ngettext, say
from bot.text.markup import bullets, code, heading, small
from bot.text.pictures.boards import Flame
from bot.text.tiles import SQUARES, Mood, Palette, Pegs, Tiles, TileState, row, samples
from engine import (
    SYMBOLS,
    Clue,
    ContradictionError,
    FalseEquationError,
    GameOverError,
    Mark,
    Marks,
    NoSuchLengthError,
    Outcome,
    Problem,
    RepeatedGuessError,
    Turn,
    best_marks,
    is_same_symbols,
    mark,
)
from engine.focdle import LONGEST, SHORTEST
from engine.levels import Level

DIGITS: Final = "0123456789"
LONGEST_DESCRIPTION: Final = 1024
# Within a frame, a line of a phone 360 pixels wide has 235. An emoji is 1.375 times as wide as its
# type is high: 22 pixels.
WIDEST_ROW: Final = 10
"""The most tiles on one line of a phone, with some pixels to spare."""

#: The label of the field for a guess at FoCdle; at most 45 characters.
_FORM_LABEL: Final = N_("Your equation: {symbols}")
#: The description of that field; at most 100 characters.
FORM_DESCRIPTION: Final = N_("Three numbers from 1 to 99, two of + - * %, then = and a result.")
#: What the three kinds of tiles mean, in one line below a board.
LEGEND: Final = N_("{correct} in place, {present} elsewhere, {absent} out")


@dataclass(frozen=True, slots=True)
class FocdleTexts:
    """The texts of a board, top to bottom; the page leaves out empty ones."""

    mood: Mood
    title: str
    rows: str
    keyboard: str
    status: str


def board(play: Play, tiles: Tiles | None = None, *, drawn: bool = False) -> FocdleTexts:
    """The private board of a play; `drawn` says that a picture shows the rows."""
    game = play.game
    moods = {None: Mood.PLAYING, Outcome.SOLVED: Mood.SOLVED, Outcome.LOST: Mood.LOST}
    return FocdleTexts(
        mood=moods[game.outcome],
        title=f"{heading(name(play, is_markup=True))}\n{small(_subtitle(play))}",
        rows="" if drawn else _all_rows(play, tiles),
        keyboard="" if game.outcome else _keyboard(play, tiles),
        status=_status(play, tiles, drawn=drawn),
    )


def is_drawn(play: Play, tiles: Tiles | None = None) -> bool:
    """True if a picture shows the rows of a board.

    A game of more than ten symbols always has one, as its tiles would wrap on a phone. Wherever
    there are tiles, a finished one has one: it is larger.
    """
    is_over = play.game.outcome is not None
    return (tiles is not None and is_over) or play.rules.length > WIDEST_ROW


def is_untouched(play: Play) -> bool:
    return not play.game.turns and not play.hints


def picture_description(play: Play) -> str:
    """The alternative text of a board's picture; at most 1,024 characters."""
    if not play.game.turns:
        return _("An empty board")
    lines = [
        " · ".join(filter(None, (row_data(turn)["spoken"], row_data(turn)["remark"])))
        for turn in play.game.turns
    ]
    if play.game.outcome is None:
        words = _("hint: {symbol} in place {place}")
        shown = shown_by(play.hints)
        lines += [words.format(symbol=each.symbol, place=each.place + 1) for each in shown]
    if flame(play) is not None and play.ending.streak is not None:
        lines.insert(0, summary(play.ending.streak).replace("**", ""))
    return "\n".join(lines)[:LONGEST_DESCRIPTION]


def flame(play: Play) -> Flame | None:
    """The streak that the picture of a finished daily shows.

    None if the play is not on date, or if there is no streak.
    """
    if play.ending.streak is None or not (play.on_date and play.ending.streak.length):
        return None
    return Flame(play.ending.streak.length, play.ending.streak.freezes)


def form_title(play: Play) -> str:
    """The title of the guess form; at most 45 characters."""
    return _("{name} · guess {turn} of {guesses}").format(
        name=name(play),
        turn=len(play.game.turns) + 1,
        guesses=play.rules.max_guesses,
    )


def form_label(length: int) -> str:
    """The label of the guess form's field; at most 45 characters."""
    return say(_FORM_LABEL, symbols=counts.symbols(length))


def most_typed(length: int) -> int:
    """How many characters a field for an equation takes: spaces and words are read, too."""
    return 3 * length


def form_reminder(play: Play, tiles: Tiles | None = None) -> str:
    """The guesses, hints and keyboard so far, for the form that covers the board.

    Empty before the first guess.
    """
    if not play.game.turns:
        return ""
    rows = filter(None, (_rows(play, tiles), _hint_row(play, tiles), _keyboard(play, tiles)))
    return "\n".join(rows)


def _subtitle(play: Play) -> str:
    parts = [counts.symbols(play.rules.length)]
    if play.puzzle is not None:
        parts.insert(0, medium_date(play.puzzle.day))
        if not play.counts:
            parts.append(_("doesn't count"))
        elif not (play.on_date or play.is_on_date(play.seen_at)):
            parts.append(_("from the archive"))
    if play.is_practice and play.level is not None:
        parts.append(level_name(play.level))
    if play.rules.hard:
        parts.append(_("hard mode"))
    if play.hints:
        parts.append(taken(play.hints))
    return " · ".join(parts)


def _rows(play: Play, tiles: Tiles | None) -> str:
    return "\n".join(_row(turn, play.choices.palette, tiles) for turn in play.game.turns)


def _row(turn: Turn[Marks], palette: str, tiles: Tiles | None) -> str:
    line = f"{row(turn.feedback)} {code(turn.guess)}"
    if tiles is not None and len(turn.guess) <= WIDEST_ROW:
        line = tiles.row(turn.guess, turn.feedback, Palette(palette))
    return f"{line}{counts.ALIKE}" if is_same_symbols(turn.feedback) else line


def _all_rows(play: Play, tiles: Tiles | None) -> str:
    shown, empty = _hint_row(play, tiles), list[str]()
    if tiles is not None and play.game.outcome is None:
        empty = [tiles.blank * play.rules.length] * play.game.guesses_left
    following = [shown, *empty[1:]] if shown else empty
    return "\n".join([_rows(play, tiles), *following]).strip()


def _hint_row(play: Play, tiles: Tiles | None) -> str:
    """The row of the next guess, with the symbols that hints have shown.

    Empty without hints, and when the play is over.
    """
    shown = shown_by(play.hints)
    if not shown or play.game.outcome is not None:
        return ""
    if tiles is None or play.rules.length > WIDEST_ROW:
        return f"{BULB} {shown_row(shown, play.rules.length)}"
    cells, palette = [tiles.blank] * play.rules.length, Palette(play.choices.palette)
    for each in shown:
        cells[each.place] = tiles.symbol(each.symbol, TileState.CORRECT, palette)
    return "".join(cells)


def _keyboard(play: Play, tiles: Tiles | None) -> str:
    shown = {each.symbol: Mark.CORRECT for each in shown_by(play.hints)}
    best = best_marks(play.game.turns) | shown
    if tiles is None:
        return _keyboard_in_words(best)
    palette = Palette(play.choices.palette)
    states = {symbol: TileState.of(best.get(symbol)) for symbol in SYMBOLS}
    return "\n".join(
        "".join(tiles.symbol(symbol, states[symbol], palette) for symbol in line)
        for line in (DIGITS, SYMBOLS[len(DIGITS) :])
    )


def _keyboard_in_words(best: Mapping[str, Mark]) -> str:
    groups: tuple[tuple[Mark | None, str], ...] = (
        (Mark.CORRECT, _("in place")),
        (Mark.PRESENT, _("elsewhere")),
        (Mark.ABSENT, _("not in it")),
        (None, _("untried")),
    )
    lines: list[str] = []
    for group, label in groups:
        symbols = [symbol for symbol in SYMBOLS if best.get(symbol) is group]
        if symbols:
            square = "▫️" if group is None else SQUARES[group]
            lines.append(f"{square} {code(' '.join(symbols))} {label}")
    return "\n".join(lines)


def _spoken(marks: Marks) -> str:
    words = {
        Mark.CORRECT: _("in place"),
        Mark.PRESENT: _("elsewhere"),
        Mark.ABSENT: _("out"),
    }
    return ", ".join(words[mark] for mark in marks)


def _status(play: Play, tiles: Tiles | None, *, drawn: bool) -> str:
    if play.game.outcome is not None:
        return ended(play, drawn=drawn)
    turns, example = len(play.game.turns), EXAMPLES[play.rules.length]
    if not turns:
        line = _(
            "Find the hidden equation: three numbers, two operators and a result, as in {example}."
        ).format(example=code(example))
    else:
        line = guesses_left(play.game.guesses_left)
    if play.is_warm_up:
        line = guidance(play, example) or line
    lines = [line, grace_line(play)]
    if any(is_same_symbols(turn.feedback) for turn in play.game.turns):
        lines.append(small(f"{counts.ALIKE} {_('same symbols, different order')}"))
    if play.is_learning and turns and tiles is not None:  # without them, words tell
        lines.append(small(say(LEGEND, **samples(tiles, Palette(play.choices.palette)))))
    if play.is_learning and turns in (0, 1):
        lines.append(small(_("`%` is the remainder: `17%5` is 2.")))
    return "\n".join(filter(None, lines))


# The levels of a practice that a player may choose.
LEVELS: Final = {
    Level.EASY: N_("Easy"),
    Level.MEDIUM: N_("Medium"),
    Level.HARD: N_("Hard"),
    Level.VERY_HARD: N_("Very hard"),
}
#: Opens the form for a guess.
GUESS_BUTTON: Final = N_("Guess")
#: Gives a link to the same board in a browser, with keys.
KEYPAD_BUTTON: Final = N_("Keypad")
#: Above the button with that link.
KEYPAD_NOTE: Final = N_("Keep this link to yourself.")
#: The button with that link.
OPEN_KEYPAD_BUTTON: Final = N_("Open in browser")
#: Above a button that opens the same board within Discord, where a click must not do so at once.
LAUNCH_NOTE: Final = N_("One more press:")
#: That button.
LAUNCH_BUTTON: Final = N_("Open keypad")
#: Asks whether to give up a practice.
GIVE_UP_BUTTON: Final = N_("Give up")
#: Gives up a practice, once asked.
YES_GIVE_UP_BUTTON: Final = N_("Yes, give up")
#: Goes on with a practice after all.
KEEP_BUTTON: Final = N_("Keep playing")
#: Asked before a practice is given up.
GIVE_UP_QUESTION: Final = N_("**Give up?** You'll see the equation.")
#: Plays a guess after all that cannot be the answer.
ANYWAY_BUTTON: Final = N_("Play it anyway")
# Buttons that switch hard mode, before the first guess of a game.
HARD_BUTTONS: Final = {True: N_("Turn on hard mode"), False: N_("Turn off hard mode")}
# Said once hard mode is switched there.
HARD_NOTES: Final = {
    True: N_("Hard mode is on for every game from now on."),
    False: N_("Hard mode is off."),
}
#: Shows who leads today, beside a board that is over; at most 80 characters.
LEADERS_BUTTON: Final = N_("Today's board")
#: Opens a game just for fun.
PRACTICE_BUTTON: Final = N_("Practice")
#: Offered to those who are new: opens a short game just for fun.
WARM_UP_BUTTON: Final = N_("Warm up")
#: Opens the presser's own board of a puzzle.
PLAY_BUTTON: Final = N_("Play #{number}")
#: The puzzle of a date, where a text could mean a date or a number: "September 12 · #255".
OF_DATE_BUTTON: Final = N_("{day} · #{number}")
#: The puzzle of a number and a length, in the same place: "#12 · 9 symbols".
OF_NUMBER_BUTTON: Final = N_("#{number} · {symbols}")
#: Opens another practice of the same length.
NEXT_BUTTON: Final = N_("Next one")
#: Opens the day's puzzle, from the end of another one.
TODAY_BUTTON: Final = N_("Today's puzzle")


def play_data(play: Play) -> dict[str, object]:
    """A play as data for the web page; until the end it tells only marks and hints of the secret.

    `said` is in Markdown; `actions` are the possible next steps, labelled for this play.
    """
    turns, outcome = play.game.turns, play.game.outcome
    # The page has keys: it needs no sentence about the button that opens a form.
    told = play if turns else replace(play, is_new=False)
    shown = {each.place: each.symbol for each in shown_by(play.hints)} if outcome is None else {}
    best = best_marks(turns) | dict.fromkeys(shown.values(), Mark.CORRECT)
    return {
        "place": str(GameName(Source.PLAY, play.id)),
        "version": play.version,
        "title": name(play),
        "about": _subtitle(play),
        "length": play.rules.length,
        "most": play.rules.max_guesses,
        "rows": [row_data(turn) for turn in turns],
        "shown": shown,
        "keys": {symbol: SIGNS[mark] for symbol, mark in best.items()},
        "state": "open" if outcome is None else outcome.value,
        "until": play.due_at and play.due_at.isoformat(),
        "said": _status(told, None, drawn=False).splitlines(),
        "legend": play.is_learning and outcome is None and bool(turns),
        "actions": list(_actions(play)),
    }


def row_data(turn: Turn[Marks]) -> dict[str, str]:
    is_close = is_same_symbols(turn.feedback)
    return {
        "symbols": turn.guess,
        "marks": "".join(SIGNS[mark] for mark in turn.feedback),
        "spoken": _("{guess}: {marks}").format(guess=turn.guess, marks=_spoken(turn.feedback)),
        "remark": _("same symbols, different order") if is_close else "",
    }


def _actions(play: Play) -> Iterator[dict[str, object]]:
    if play.game.outcome is not None:
        yield from _actions_after(play)
        return
    yield {"act": "guess"}
    if play.next_hint is not None:
        yield {"act": "hint", "label": hint_button(play)}
    if not play.game.turns:
        on = not play.rules.hard
        yield {"act": "hard", "label": say(HARD_BUTTONS[on]), "on": on}
        if play.is_practice:
            lengths = range(SHORTEST, LONGEST + 1)
            yield {"act": "length", "choices": {of: counts.symbols(of) for of in lengths}}
    elif play.is_practice:
        yield {
            "act": "give_up",
            "label": say(GIVE_UP_BUTTON),
            "ask": say(GIVE_UP_QUESTION),
            "yes": say(YES_GIVE_UP_BUTTON),
        }


def _actions_after(play: Play) -> Iterator[dict[str, object]]:
    length = play.rules.length
    match following(play):
        case Next.TODAY:
            yield {"act": "today", "label": say(TODAY_BUTTON)}
            if play.is_practice:
                yield _practice(play, NEXT_BUTTON, length)
        case Next.TRY:
            yield _practice(play, PRACTICE_BUTTON, play.ending.try_length or length)
        case Next.ANOTHER:
            yield _practice(play, NEXT_BUTTON if play.is_practice else PRACTICE_BUTTON, length)
        case None:
            pass
    if play.game.turns:
        yield {"act": "verdict"}
    if following(play) is None:
        yield _practice(play, PRACTICE_BUTTON, length)
    if not play.game.is_given_up and not play.is_set:
        yield {"act": "share"}


def _practice(play: Play, label: str, length: int) -> dict[str, object]:
    action: dict[str, object] = {"act": "practice", "label": say(label), "length": length}
    if level := play.next_level(length):
        action["level"] = level.value
    return action


def length_button(length: int) -> str:
    return _("Try {symbols}").format(symbols=counts.symbols(length))


def length_example(length: int) -> str:
    """An example of a length in a list; at most 100 characters."""
    return _("such as {example}").format(example=EXAMPLES[length])


def hint_button(play: Play) -> str:
    return say(POINT_BUTTON if play.is_hint_priced else HINT_BUTTON)


def guess_refused(error: model.GuessRefusedError) -> str:
    cause, rules = error.cause, error.play.rules
    if isinstance(cause, GameOverError):
        return _("This puzzle is finished.")
    if isinstance(cause, FalseEquationError):
        fact, rule = false_equation(cause), _("In hard mode, every guess must be a true equation.")
    elif isinstance(cause, ContradictionError):
        cannot = _("{guess} can't win.").format(guess=code(cause.guess))
        fact, rule = (
            f"{cannot} {ignored_clue(cause)}",
            _("In hard mode, every guess must fit all the clues."),
        )
    else:
        return unspent(mistake(error, MISTAKES, example=code(EXAMPLES[rules.length])))
    if rules.hard:
        return unspent(f"{fact} {rule}")
    return f"{fact} {_('Spend a guess on it anyway?')}"


def false_equation(error: FalseEquationError) -> str:
    """A sentence that tells the true value of a false equation."""
    left, _equals, _result = error.guess.partition("=")
    return say(N_("{left} is {value}, not {result}."), left=code(left), **written(error))


def ignored_clue(error: ContradictionError) -> str:
    facts = {"turn": str(error.turn + 1), "position": str(error.position + 1)}
    return _clue(error).format(**written(error) | facts)


def _clue(error: ContradictionError) -> str:
    match error.clue:
        case Clue.KEEP:
            return _("Guess {turn} found {symbol} in place {position}: keep it there.")
        case Clue.MOVE:
            return _("Guess {turn} says {symbol} isn't in place {position}.")
        case Clue.USE:
            return ngettext(
                "Guess {turn} found {symbol}: use it.",
                "Guess {turn} found {copies} of {symbol}: use as many.",
                error.copies,
            )
        case Clue.DROP if error.copies:
            return ngettext(
                "Guess {turn} says there's only one {symbol}.",
                "Guess {turn} says there are only {copies} of {symbol}.",
                error.copies,
            )
        case Clue.DROP:
            return _("Guess {turn} says there's no {symbol}.")
        case _:  # what a hint showed: marks have no counts
            return _("A hint showed {symbol} in place {position}.")


MISTAKES: Final[Mistakes] = {
    RepeatedGuessError: N_("You played {guess} as guess {turn}."),
    Problem.TOO_SHORT: lambda difference: ngettext(
        "{text} has {found} of {wanted} symbols. Add one.",
        "{text} has {found} of {wanted} symbols. Add {difference} more, as in {example}.",
        difference,
    ),
    Problem.TOO_LONG: lambda difference: ngettext(
        "{text} has {found} symbols, not {wanted}. Take one out.",
        "{text} has {found} symbols, not {wanted}. Take {difference} out.",
        difference,
    ),
    Problem.EMPTY: N_("Type an equation such as {example}."),
    Problem.UNKNOWN_SYMBOL: N_(
        "{text}: {symbol} in place {position} isn't allowed. Use `0`–`9`, `+ - * %` and `=`."
    ),
    Problem.DIVISION: N_(
        "{text}: there's no division ({symbol} in place {position}). `%` is the remainder."
    ),
    Problem.POWER: N_("{text}: there are no powers ({symbol} in place {position})."),
    Problem.NO_EQUALS: N_("{text} has no `=`. Put it after the third number."),
    Problem.SECOND_EQUALS: N_("{text} has a second `=` in place {position}."),
    Problem.TOO_FEW_OPERATORS: N_("{text} needs three numbers before the `=`, as in {example}."),
    Problem.TOO_MANY_OPERATORS: N_("{text} has {found} operators, but needs {wanted}."),
    Problem.OPERATOR_AFTER_EQUALS: N_(
        "{text}: only the result goes after the `=`, not {symbol} (place {position})."
    ),
    Problem.MISSING_VALUE: N_("{text}: a number is missing before {symbol} in place {position}."),
    Problem.LEADING_ZERO: N_("{text}: numbers can't start with 0 ({symbol} in place {position})."),
    Problem.ZERO_VALUE: N_(
        "{text}: {symbol} in place {position} is too small. Numbers go from 1 to 99."
    ),
    Problem.VALUE_TOO_LARGE: N_(
        "{text}: {symbol} in place {position} is too large. Numbers go from 1 to 99."
    ),
    Problem.ZERO_RESULT: N_("{text}: the result must be at least 1."),
    Problem.RESULT_BELOW_ONE: N_("{text} is {symbol}, but the result must be at least 1."),
    Problem.OTHER_LENGTH: N_("{symbol} has {symbols}, not {wanted}."),
}


def _no_such_length(error: NoSuchLengthError) -> str:
    message = N_("FoCdles have {shortest} to {symbols}, not {length}.")
    return say(message, symbols=counts.symbols(error.longest), **written(error))


SENTENCES: Final[Sentences] = {
    model.GuessRefusedError: guess_refused,
    NoSuchLengthError: _no_such_length,
}


HIDDEN: Final = "25+4*12=73"
GUESSES: Final = ("48-25+7=30", "25+4*12=73")


def _help(tiles: Tiles | None, _pegs: Pegs) -> list[str]:
    rules = _(
        "Find a hidden equation like `12+34-5=41` in six guesses. It has three numbers "
        "up to 99, and two of `+ - * %`. Every guess is marked:\n{correct} right "
        "place\n{present} wrong place\n{absent} not in it, or one too many"
    ).format(**samples(tiles))
    example: list[str] = []
    for guess in GUESSES:
        marks = mark(guess, HIDDEN)
        if tiles is None:
            example.append(f"{row(marks)} {code(guess)}")
        else:
            example.append(tiles.row(guess, marks, Palette.STANDARD))
    example.append(_("`=` is in place, `2 3 4 5 7 +` belong elsewhere, and `0 8 -` are out."))
    return [
        rules,
        "\n".join(example),
        _("`%` is the remainder: `17%5` is 2. `*` and `%` come before `+` and `-`."),
    ]


def _rules_help(*_look: object) -> list[str]:
    lines = (
        _("Order counts: `12*4+25=73` isn't `4*12+25=73`."),
        _("You can guess a false equation. The bot asks first."),
        _(
            "**Hard mode**, in `/preferences`: every guess must be a true equation that fits "
            "all the clues. Shared results get a `*`."
        ),
        _(
            "**Hints**: you get two a game, each a symbol in its place. Hints cost a "
            "point in the day's puzzle, or a guess in Mastermind. Hard mode and "
            "duels have no hints."
        ),
        _("`/focdle puzzle:` opens an earlier one by number (`12`) or date (`2026-01-12`)."),
    )
    return [bullets(lines)]


def _streaks_help(*_look: object) -> list[str]:
    rules = (
        _("Your **streak** is how many days in a row you've solved the puzzle."),
        _("Solve it by midnight, server time. If you began earlier, you have until 00:30."),
        _("Seven days without hints earn a freeze. You can hold two."),
        _("A day missed or lost uses a freeze, or ends the streak."),
        _("Practice and old puzzles never count."),
    )
    return [_("Solved in one guess: 6 points; in six: 1. A hint costs a point."), bullets(rules)]


HELP_TOPIC: Final = Topic("focdle", N_("How FoCdle is played"), _help)
RULES_TOPIC: Final = Topic("focdle-rules", N_("FoCdle: good to know"), _rules_help)
STREAKS_TOPIC: Final = Topic("streaks", N_("Points and streaks"), _streaks_help)
#: What the commands do, in the help.
COMMANDS: Final = (
    N_("`/focdle`: find the day's equation in six guesses. Only you can see your board."),
    N_("`/practice`: as many more as you like."),
)
