"""The board on which the bot breaks a player's code, and the player answers."""

from bot.games.model.reasons import Contradiction
from bot.mastermind.model.game import Ending, MastermindGame
from bot.mastermind.pages.rows import all_rows, palette, revealed, row, title, turn_row, turn_rows
from bot.text import counts
from bot.text.language import gettext as _
from bot.text.language import ngettext, number
from bot.text.markup import small
from bot.text.pegs import Pegs, blacks_in_words, whites_in_words
from bot.text.text_board import Mood, TextBoard
from engine import Score, Turn

_REPAIR = "✏️"


def defend_board(game: MastermindGame, pegs: Pegs, *, asking: bool = True) -> TextBoard:
    """The private board of the player whose code is broken.

    Args:
        game: the game.
        pegs: how pegs are shown.
        asking: whether the bot's guess can be answered on it.
    """
    heading = title(_("Mastermind: the bot breaks your code"), game.rules)
    if game.ending is not None:
        rows = "\n".join(all_rows(game, pegs))
        mood = Mood.SOLVED if game.ending is Ending.LOST else Mood.LOST  # as its player sees it
        return TextBoard.of(mood, heading, rows, defend_end(game, pegs))
    if game.contradiction is not None:
        return TextBoard.of(Mood.PLAYING, heading, *_contradiction(game, game.contradiction, pegs))
    rows = all_rows(game, pegs)
    if game.guess is not None:
        rows.append(row(len(rows) + 1, game.guess, pegs, after="❔"))
    return TextBoard.of(
        Mood.PLAYING,
        heading,
        "" if game.turns else _task(game, pegs),
        "\n".join(rows),
        f"{_ask(game.blacks) if asking else ''}\n{small(possible(game.remaining))}".strip(),
    )


def possible(count: int | None) -> str:
    """How many codes are still possible."""
    return ngettext(
        "Only one code is still possible.", "{count} codes are still possible.", count or 0
    ).format(count=number(count or 0))


def defend_end(game: MastermindGame, pegs: Pegs) -> str:
    """How the bot fared."""
    sentences = {
        Ending.SOLVED: ngettext(
            "**The bot found your code with its first guess.**",
            "**The bot found your code in {turns} guesses.**",
            len(game.turns),
        ),
        Ending.LOST: _("**Your code has held: the bot is out of guesses.**"),
        Ending.SURRENDERED: _("**You ended this game.**"),
        Ending.REPLACED: _(
            "**You entered your code instead.** The bot breaks it in a game of its own: `/games` "
            "has it."
        ),
        Ending.AT_STAKE: _("**Ended by your rated duel.**"),
        Ending.CLOSED: _("**Closed**, because it was left alone for a week."),
    }
    sentence = sentences[game.ending or Ending.SURRENDERED].format(turns=len(game.turns))
    return f"{sentence} {revealed(game, pegs)}".strip()


def correction(game: MastermindGame, index: int, blacks: int | None, pegs: Pegs) -> TextBoard:
    """The question how a guess should have been answered.

    Args:
        game: the game.
        index: which guess, 0 for the first.
        blacks: the blacks, once they are given.
        pegs: how pegs are shown.
    """
    heading = title(_("Mastermind: correct an answer"), game.rules)
    was = _("was answered:")
    turn = game.turns[index]
    line = row(index + 1, turn.guess, pegs, after=f"{was} {pegs.key(turn.feedback)}")
    dropped = _("The guesses after it are dropped.")
    is_last = index + 1 == len(game.turns)
    others = _compared(game, index, pegs)
    return TextBoard.of(
        Mood.PLAYING, heading, line, others, "" if is_last else dropped, _ask(blacks)
    )


def still_unfit(game: MastermindGame, index: int) -> str:
    """What is said of an answer that was corrected, while still no code fits; else nothing."""
    if game.contradiction is None or index >= len(game.turns):
        return ""
    blacks, whites = game.turns[index].feedback
    return _("**Guess {number} is now {blacks}, {whites}, and still no code fits.**").format(
        number=index + 1, blacks=blacks_in_words(blacks), whites=whites_in_words(whites)
    )


def turn_choice(index: int, turn: Turn[Score]) -> str:
    """A guess in a list; at most 100 characters."""
    return _("Guess {number}: {code}").format(number=index + 1, code=" ".join(turn.guess))


def answer_in_words(score: Score) -> str:
    """An answer in a list; at most 100 characters."""
    return _("You answered {blacks} black, {whites} white.").format(
        blacks=score.bulls, whites=score.cows
    )


def repair_in_words(score: Score) -> str:
    """An answer in a list which alone can be what is wrong; at most 100 characters."""
    return f"{_REPAIR} {answer_in_words(score)} {_('Changing this one makes it fit.')}"


def _task(game: MastermindGame, pegs: Pegs) -> str:
    sentence = _("**Think of a code** of {pegs}, and write it down.\n{colours}")
    return sentence.format(pegs=counts.pegs(game.rules.pegs), colours=palette(game.rules, pegs))


def _compared(game: MastermindGame, index: int, pegs: Pegs) -> str:
    """The other answers that contradict each other, beside one that may be the wrong one."""
    turns = game.contradiction.turns if game.contradiction else ()
    others = [(n, game.turns[n]) for n in turns if n != index]
    return f"{_('Compare it with:')}\n{turn_rows(others, pegs)}" if others else ""


def _ask(blacks: int | None) -> str:
    if blacks is None:
        return _("**How many black pegs?** Right colour, right place.")
    return _("{blacks}. **And how many white?** Right colour, wrong place.").format(
        blacks=blacks_in_words(blacks)
    )


def _contradiction(
    game: MastermindGame, contradiction: Contradiction, pegs: Pegs
) -> tuple[str, ...]:
    found = ngettext(
        "⚠️ **No code fits this answer:**",
        "⚠️ **No code fits these {count} answers together:**",
        len(contradiction.turns),
    ).format(count=len(contradiction.turns))
    rows = "\n".join(
        turn_row(index, game.turns[index], pegs, _REPAIR if index in contradiction.repairs else "")
        for index in contradiction.turns
    )
    others = [(n, turn) for n, turn in enumerate(game.turns) if n not in contradiction.turns]
    rest = f"{_('Your other answers:')}\n{turn_rows(others, pegs)}" if others else ""
    return f"{found}\n{rows}", _advice(contradiction), rest


def _advice(contradiction: Contradiction) -> str:
    """What to do about it."""
    if not contradiction.repairs:
        return _("At least one is wrong, and another answer too. Choose one to correct.")
    return ngettext(
        "Check the answer at {pencil} first: one mistake could only be there.",
        "Check the answers at {pencil} first: one mistake could only be there.",
        sum(index in contradiction.turns for index in contradiction.repairs),
    ).format(pencil=_REPAIR)
