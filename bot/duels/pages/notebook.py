"""A player's own page of a duel: everything that the player knows, for the player alone."""

from dataclasses import replace

from bot.duels.model.duel import Notebook
from bot.duels.model.transitions import State
from bot.duels.pages.board import duel_board, offer_line, race_line, turn_status
from bot.duels.pages.rounds import DuelTiles, Rounds, column, columns, legend
from bot.duels.pages.rows import as_invited, options, seals, title
from bot.text.language import gettext as _
from bot.text.language import ngettext, number
from bot.text.markup import heading, relative_time, small
from bot.text.text_board import Mood, TextBoard
from engine import Mode, Strength


def notebook_board(notebook: Notebook, look: DuelTiles | None = None) -> TextBoard:
    """The page, at whatever stage the duel is.

    Args:
        notebook: what the player knows.
        look: the emojis to draw rounds with; letters without them.
    """
    game = notebook.game
    look = look and look.shorter()
    if game.state in {State.INVITED, State.STARTING}:
        return duel_board(game)
    if game.state is State.SETTING:
        texts = (_title(notebook), _setting(notebook), _own(notebook))
        board = TextBoard.of(Mood.WAITING, *texts)
        return replace(board, foot=seals(game))
    if game.state is State.OVER:
        board = duel_board(game, look)
        texts = (*board.texts, _about_bot(notebook))
        return replace(TextBoard.of(_mood(notebook), *texts), foot=board.foot)
    if game.mode is Mode.RACE:
        texts = [_race(notebook), offer_line(game), column(notebook.turns, look)]
    else:
        texts = [turn_status(game), offer_line(game), columns(Rounds.of(game), look)]
    board = TextBoard.of(
        Mood.PLAYING,
        _title(notebook),
        # First what only this page has; below it is the board that everybody sees.
        "\n".join(filter(None, (_possible(notebook), _own(notebook)))),
        *texts,
        "\n".join(filter(None, (_legend(notebook, look), _about_bot(notebook)))),
    )
    return replace(board, foot=seals(game))


def _title(notebook: Notebook) -> str:
    """The page's heading; one beside a public board says so."""
    game = notebook.game
    if game.is_against_bot:
        return title(game)
    words = _("Your side of the race") if game.mode is Mode.RACE else _("Your notebook")
    return f"{heading(words)}\n{small(options(game))}"


def _legend(notebook: Notebook, look: DuelTiles | None) -> str:
    others = (turn for seat in notebook.game.seats for turn in seat.turns)
    return legend(look, *notebook.turns, *others)


def _setting(notebook: Notebook) -> str:
    game = notebook.game
    if not game.is_against_bot:
        return "\n".join(duel_board(game).texts[1:])
    words = _("The bot has hidden a number. **Hide yours**: it can't peek.")
    due = game.seats[notebook.seat].deadline_at
    if due is not None:
        words += " " + _("Time runs out {when}.").format(when=relative_time(due))
    aim = small(_("Then guess in turn: bulls are in place, cows elsewhere."))
    return "\n".join((words, aim))


def _race(notebook: Notebook) -> str:
    game = notebook.game
    seat = game.seats[notebook.seat]
    others = [race_line(game, other) for other in as_invited(game) if other is not seat]
    return "\n".join((_own_race(notebook), *others))


def _own_race(notebook: Notebook) -> str:
    game = notebook.game
    seat = game.seats[notebook.seat]
    when = "" if seat.deadline_at is None else relative_time(seat.deadline_at)
    if seat.started_at is None:
        return _(
            "**Press Start when you are ready**; time runs out {when}. Then each guess has its own "
            "clock."
        ).format(when=when)
    if seat.is_done:
        return ngettext(
            "**You have finished**, in {guesses} guess. Now wait for the other.",
            "**You have finished**, in {guesses} guesses. Now wait for the other.",
            seat.guesses,
        ).format(guesses=seat.guesses)
    return _(
        "**Find the number in as few guesses as you can.** The time for this guess runs out {when}."
    ).format(when=when)


def _possible(notebook: Notebook) -> str:
    """What is known of the number that this player looks for."""
    if not notebook.turns or notebook.game.seats[notebook.seat].is_done:
        return ""
    words = ngettext(
        "📓 Only one number is still possible.",
        "📓 {count} numbers are still possible.",
        notebook.remaining,
    ).format(count=number(notebook.remaining))
    absent = " ".join(notebook.absent)
    ruled_out = _("Ruled out: **{digits}**").format(digits=absent) if absent else ""
    return f"{words} {ruled_out}".strip()


def _own(notebook: Notebook) -> str:
    if notebook.own is None:
        return ""
    return _("Your own number: ||{number}||").format(number=notebook.own)


def _about_bot(notebook: Notebook) -> str:
    if notebook.game.strength is not Strength.PERFECT:
        return ""
    if notebook.is_bot_proven:
        return small(_("The bot plays perfectly: nobody needs fewer guesses on average."))
    return small(_("No way of guessing is proven best here; the bot plays the best one known."))


def _mood(notebook: Notebook) -> Mood:
    return Mood.SOLVED if notebook.game.winner == notebook.seat else Mood.LOST


def guess_reminder(notebook: Notebook) -> str:
    """The own guesses so far, to be read while a form covers them; empty at first."""
    lines = [column(notebook.turns), _possible(notebook)]
    return "\n".join(filter(None, lines))
