"""The board of a game in which the bot breaks a number."""

from collections.abc import Collection, Sequence
from typing import Final

from bot.duels.defending import NumberGame
from bot.duels.round_words import (
    DuelTiles,
    block,
    column,
    digits,
    legend,
    numbered,
    score_in_letters,
    written_turn,
)
from bot.games.model import Contradiction
from bot.games.words import DROPPED, REPAIR, advice
from bot.text import counts
from bot.text.language import N_, _, ngettext, number, say
from bot.text.markup import code, heading, small
from bot.text.tiles import Mood, TextBoard

# Buttons of a game in which the bot breaks a player's number; at most 80 characters each.
HUNT_BUTTONS: Final = {
    "back": N_("Change bulls"),
    "choose": N_("Correct an answer"),
    "again": N_("Play again"),
    "seal": N_("Enter my number instead"),
    "another": N_("Enter another number"),
    "retry": N_("Enter the number again"),
    "step": N_("Next"),
    "all": N_("All"),
    "draw": N_("Let it pick a number"),
    "redraw": N_("Let it pick another"),
}
#: The title of the form for a number that the bot is not to look at; at most 45 characters.
FORM_TITLE: Final = N_("Your number")
#: Above the field of that form.
FORM_TEXT: Final = N_("The bot uses your number only to score its guesses.")


def number_board(game: NumberGame, tiles: DuelTiles | None, *, asking: bool = True) -> TextBoard:
    words = _("Bulls and Cows: the bot guesses your number")
    if game.is_drawn:
        words = _("Bulls and Cows: the bot guesses a random number")
    elif game.number is not None:
        words = _("Bulls and Cows: the bot guesses your sealed number")
    title = f"{heading(words)}\n{small(digits(game.rules))}"
    turns, contradiction = game.hunt.turns, game.hunt.contradiction
    # the guess that waits for its answer stands below those that have theirs
    rows = column(turns, tiles, asked=None if game.number is not None else game.hunt.guess)
    if game.is_found:
        return TextBoard.of(Mood.LOST, title, rows, _end(game))
    if contradiction is not None:
        return TextBoard.of(Mood.PLAYING, title, _conflict(game, contradiction, tiles))
    possible = _possible(game.remaining)
    if game.number is not None:
        if not turns:
            possible = _(
                "🔒 The sealed number is one of {count}. Press **Next** for each guess."
            ).format(count=number(game.rules.size))
        return TextBoard.of(Mood.PLAYING, title, rows, possible, legend(tiles, *turns))
    task = _("**Think of a number** and write it down. Its first digit can be 0.")
    ask = _ask(game) if asking else ""
    return TextBoard.of(
        Mood.PLAYING,
        title,
        "" if turns else task,
        rows,
        f"{ask}\n{small(possible)}".strip(),
    )


def correction(game: NumberGame, seen: NumberGame, index: int, tiles: DuelTiles | None) -> str:
    """The text above the choice of another answer to the guess `index`.

    `game` lacks the answers from that guess on; `seen` has them all.
    """
    turn = seen.hunt.turns[index]
    lines = [
        _("You answered {answer} to **guess {number}**, {guess}.").format(
            number=index + 1, guess=code(turn.guess), answer=score_in_letters(turn.feedback)
        )
    ]
    wrong = seen.hunt.contradiction
    others = [n for n in wrong.turns if n != index] if wrong is not None else []
    if others:
        lines.append(f"{_('Compare it with:')}\n{_lines(seen, others, tiles)}")
    if len(seen.hunt.turns) > len(game.hunt.turns) + 1:
        lines.append(say(DROPPED))
    return "\n".join(lines)


def answer_choice(game: NumberGame, index: int) -> tuple[str, str]:
    """The label and description of a guess in the list of answers that can be corrected."""
    turn = game.hunt.turns[index]
    label = _("Guess {number}: {guess}").format(number=index + 1, guess=turn.guess)
    words = _("You answered {answer}.").format(answer=score_in_letters(turn.feedback))
    wrong = game.hunt.contradiction
    if wrong is not None and index in wrong.repairs:
        words = f"{REPAIR} {words} {_('Changing this one makes everything fit.')}"
    return label, words


def _lines(
    game: NumberGame,
    indices: Sequence[int],
    tiles: DuelTiles | None,
    marked: Collection[int] = (),
) -> str:
    """The guesses at `indices` with their answers; those in `marked` get a pencil."""
    turns = game.hunt.turns
    marks = dict.fromkeys(marked, f" {REPAIR}")
    if tiles is None:
        return block(f"{written_turn(turns, n)}{marks.get(n, '')}" for n in indices)
    return "\n".join(f"{numbered(turns, n, tiles)}{marks.get(n, '')}" for n in indices)


def _ask(game: NumberGame) -> str:
    if game.bulls is None:
        return _("**How many bulls?** Count the right digits in the right place.")
    bulls = ngettext("{n} bull", "{n} bulls", game.bulls).format(n=game.bulls)
    return _("{bulls}. **And how many cows?** Right digits in the wrong place.").format(bulls=bulls)


def _possible(count: int) -> str:
    return ngettext(
        "Only one number is still possible.", "{count} numbers are still possible.", count
    ).format(count=number(count))


def _end(game: NumberGame) -> str:
    guesses = len(game.hunt.turns)
    sentence = ngettext(
        "**The bot found your number on its first guess.**",
        "**The bot found your number in {n}.**",
        guesses,
    )
    if game.is_drawn:
        sentence = _("**The bot found the number in {n}.**")
    sentence = sentence.format(n=counts.of_guesses(guesses))
    left = " → ".join(number(count) for count in (game.rules.size, *game.hunt.left))
    return f"{sentence}\n{small(_('Numbers possible: {left}').format(left=left))}"


def _conflict(game: NumberGame, contradiction: Contradiction, tiles: DuelTiles | None) -> str:
    wrong = contradiction.turns
    found = ngettext(
        "⚠️ **No number fits this answer:**",
        "⚠️ **No number fits these {count} answers together:**",
        len(wrong),
    ).format(count=len(wrong))
    rows = _lines(game, wrong, tiles, contradiction.suspects)
    others = [index for index in range(len(game.hunt.turns)) if index not in wrong]
    rest = f"{_('Your other answers:')}\n{_lines(game, others, tiles)}" if others else ""
    return "\n".join(filter(None, (f"{found}\n{rows}", advice(contradiction), rest)))
