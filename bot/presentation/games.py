"""Lists of games: what is unfinished, what the archive holds."""

from typing import Final

from bot.model.dailies import day_of
from bot.presentation import counts
from bot.presentation.duel_rows import options as duel_options
from bot.presentation.language import gettext as _
from bot.presentation.language import medium_date, ngettext
from bot.presentation.markup import heading, mention, small
from bot.presentation.mastermind_rows import setting
from bot.services.daily import ArchiveEntry
from bot.services.duels.game import DuelGame
from bot.services.duels.states import State
from bot.services.finished import FinishedMastermind
from bot.services.mastermind.game import Kind, MastermindGame, Stage
from bot.services.practice import Unfinished
from engine import Mode

PAGE: Final = 10
"""Games on a page of the list."""


def games_title() -> str:
    """Above the list of unfinished games."""
    return heading(_("Your unfinished games"))


def no_games() -> str:
    """Instead of an empty list."""
    return _(
        "None. Type `/focdle` for today's puzzle, `/practice` for another one, "
        "`/mastermind play`, or `/duel`."
    )


def finished_button() -> str:
    """Shows the finished games instead; at most 80 characters."""
    return _("Finished")


def unfinished_button() -> str:
    """Shows the unfinished games instead; at most 80 characters."""
    return _("Unfinished")


def page_line(page: int, pages: int) -> str:
    """Under a list that has more pages than one; the first is 0."""
    return small(_("Page {page} of {pages}").format(page=page + 1, pages=pages))


def newer_button() -> str:
    """Turns to the page before."""
    return _("◀ Newer")


def older_button() -> str:
    """Turns to the page after."""
    return _("Older ▶")


def game_line(game: Unfinished) -> str:
    """One unfinished game."""
    name = focdle_name(game.number)
    turns = ngettext("{turns} guess made", "{turns} guesses made", game.turns)
    details = f"{counts.symbols(game.length)} · {turns.format(turns=game.turns)}"
    return f"**{name}**\n{small(details)}"


def focdle_name(number: int | None) -> str:
    """What a FoCdle is called in a list; without a number it is a practice."""
    if number is None:
        return _("FoCdle practice")
    return _("FoCdle #{number}, {day}").format(number=number, day=medium_date(day_of(number)))


def mastermind_line(game: MastermindGame, player_id: int) -> str:
    """One open game of Mastermind, as its player calls it."""
    name = mastermind_name(game, player_id)
    turns = ngettext("{turns} guess made", "{turns} guesses made", len(game.turns))
    progress = turns.format(turns=len(game.turns))
    if game.stage is Stage.INVITED:
        progress = _("not accepted yet")
    return f"**{name}**\n{small(f'{setting(game.rules)} · {progress}')}"


def mastermind_name(game: MastermindGame | FinishedMastermind, player_id: int) -> str:
    """What one of its players calls a game of Mastermind."""
    names = {
        Kind.PLAY: _("Mastermind"),
        Kind.DEFEND: _("Mastermind: the bot breaks your code"),
        Kind.WATCH: _("Mastermind: watch the bot"),
        Kind.CHALLENGE: _("Mastermind: your challenge to {player}"),
    }
    if game.sealed:
        names[Kind.DEFEND] = _("Mastermind: the bot breaks your sealed code")
    other = game.codebreaker_id
    if game.owner_id != player_id:
        names[Kind.CHALLENGE] = _("Mastermind: {player}'s challenge to you")
        other = game.owner_id
    return names[game.kind].format(player=mention(other or 0))


def duel_line(game: DuelGame, player_id: int) -> str:
    """One open duel, as one of its players calls it."""
    seat = game.seat_of(player_id) or 0
    name = duel_name(game.seats[1 - seat].player_id)
    return f"**{name}**\n{small(f'{duel_options(game)} · {_duel_progress(game, seat)}')}"


def duel_name(opponent_id: int | None) -> str:
    """What one of its players calls a duel; without an opponent it is with the bot."""
    if opponent_id is None:
        return _("Duel with the bot")
    return _("Duel with {player}").format(player=mention(opponent_id))


def _duel_progress(game: DuelGame, seat: int) -> str:
    own = game.seats[seat]
    if game.state is State.INVITED:
        return _("not accepted yet") if seat == game.challenger else _("answer the challenge")
    if game.state is State.SETTING:
        return _("waiting for your opponent") if own.is_ready else _("set your number")
    if game.mode is Mode.RACE and own.started_at is None:
        return _("start when you are ready")
    if game.draw_offered_by == 1 - seat:
        return _("**a draw is offered to you**")
    is_waiting = own.is_done or game.to_move == 1 - seat
    return _("waiting for your opponent") if is_waiting else _("**your turn**")


def archive_choice(entry: ArchiveEntry) -> str:
    """One puzzle in the list that opens while its number is typed; at most 100 characters."""
    states = {
        "solved": _("✅ solved"),
        "lost": _("❌ not solved"),
        "open": _("… under way"),
        "new": _("new"),
    }
    return _("#{number} · {day} · {symbols} · {state}").format(
        number=entry.puzzle.number,
        day=medium_date(entry.day),
        symbols=counts.symbols(entry.puzzle.length),
        state=states[entry.state],
    )
