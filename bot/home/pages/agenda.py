"""The card of `/play`: what is new for a player, and the names of its buttons."""

from enum import Enum
from typing import Final

from bot.duels.model.duel import DuelGame
from bot.focdle.model.play import Play
from bot.home.game.agenda import Agenda
from bot.home.pages.games import duel_name, duel_progress, mastermind_line
from bot.mastermind.model.game import MastermindGame
from bot.text import counts
from bot.text.language import N_, long_date, ngettext, number, say
from bot.text.language import gettext as _
from bot.text.markup import heading, relative_time, small
from bot.text.text_board import Mood
from bot.text.tiles import Tiles, row
from engine import Outcome


class Door(Enum):
    """Where a button of the card leads."""

    TODAY = "today"
    PRACTICE = "practice"
    MASTERMIND = "mastermind"
    DUEL = "duel"
    GAMES = "games"
    STATS = "stats"
    HELP = "help"


# What the buttons say; at most 80 characters each.
DOORS: Final = {
    Door.TODAY: N_("Today"),
    Door.PRACTICE: N_("Practice"),
    Door.MASTERMIND: N_("Mastermind"),
    Door.DUEL: N_("Duel"),
    Door.GAMES: N_("My games"),
    Door.STATS: N_("Stats"),
    Door.HELP: N_("Help"),
}

MOST_RUNNING: Final = 3
"""How many games that go on are on the card."""

#: Leads back to the card; at most 80 characters.
BACK_BUTTON: Final = N_("◀ Back")
#: What there is of Mastermind, above a button for each.
_MASTERMIND: Final = N_(
    "Four coloured pegs, twelve guesses.\n"
    "**Play**: you break my code.\n"
    "**Defend**: I break yours.\n"
    "**Watch**: I break one."
)
#: You break the bot's code; at most 80 characters.
PLAY_BUTTON: Final = N_("Play")
#: The bot breaks yours; at most 80 characters.
DEFEND_BUTTON: Final = N_("Defend")
#: The bot breaks its own; at most 80 characters.
WATCH_BUTTON: Final = N_("Watch")
#: Where a member can be challenged; at most 150 characters.
OPPONENT_PLACEHOLDER: Final = N_("Challenge a member")
#: How duels go, above whom to play.
_DUEL: Final = N_(
    "Each sets a number, and hunts for the other's.\n"
    "**Casual** forgets, **sharp** does not, **perfect** wastes nothing. **Defend** a number, and "
    "only I guess."
)
#: Where members can be challenged.
_WITH_MEMBERS: Final = N_("Challenge a member, or play me.")
#: Where they cannot.
_WITHOUT_MEMBERS: Final = N_("Here you play me. Challenge members in a server.")
#: Plays the bot at its weakest; at most 80 characters.
CASUAL_BUTTON: Final = N_("Casual bot")
#: Plays the bot as it usually is; at most 80 characters.
SHARP_BUTTON: Final = N_("Sharp bot")
#: Plays the bot at its strongest; at most 80 characters.
PERFECT_BUTTON: Final = N_("Perfect bot")

#: The bot breaks a number of the player's; at most 80 characters.
HUNT_BUTTON: Final = N_("Defend a number")


def mastermind() -> str:
    """Above the ways to play Mastermind."""
    return f"{heading(say(DOORS[Door.MASTERMIND]))}\n{say(_MASTERMIND)}"


def duel(*, has_members: bool) -> str:
    """Above whom to play a duel with."""
    who = say(_WITH_MEMBERS if has_members else _WITHOUT_MEMBERS)
    return f"{heading(say(DOORS[Door.DUEL]))}\n{say(_DUEL)}\n{who}"


def first_door(agenda: Agenda) -> Door | None:
    """What to do first; None where a game above the doors waits."""
    if agenda.waiting:
        return None
    return Door.PRACTICE if agenda.is_today_over else Door.TODAY


def running_line(game: DuelGame | MastermindGame, player_id: int) -> str:
    """A game that goes on, beside the button that opens it."""
    if not isinstance(game, DuelGame):
        return mastermind_line(game, player_id)
    seat = game.seat_of(player_id) or 0
    parts = [duel_progress(game, seat)]
    if game.deadline_at is not None:
        parts.append(_("time runs out {when}").format(when=relative_time(game.deadline_at)))
    return f"**{duel_name(game.seats[1 - seat].player_id)}**\n{small(' · '.join(parts))}"


def card_mood(agenda: Agenda) -> Mood:
    """What the card's frame says: how today's puzzle stands."""
    if agenda.play is None or agenda.play.game.outcome is None:
        return Mood.PLAYING
    return Mood.SOLVED if agenda.play.game.outcome is Outcome.SOLVED else Mood.LOST


def card(agenda: Agenda, tiles: Tiles | None = None) -> list[str]:
    """The card's texts below the games that go on: today's puzzle, then the streak.

    Args:
        agenda: what there is to do.
        tiles: the emojis to draw with; squares without them.
    """
    return [f"{heading(_title(agenda))}\n{_today(agenda, tiles)}", _streak(agenda)]


def _title(agenda: Agenda) -> str:
    if agenda.is_new:
        return _("Welcome! Today's puzzle is waiting")
    titles = {
        None: _("FoCdle #{number} is waiting"),
        Outcome.SOLVED: _("FoCdle #{number} is solved"),
        Outcome.LOST: _("FoCdle #{number} got away"),
    }
    title = titles[None if agenda.play is None else agenda.play.game.outcome]
    if agenda.play is not None and agenda.play.game.outcome is None and agenda.play.game.turns:
        title = _("FoCdle #{number} is under way")
    return title.format(number=agenda.puzzle.number)


def _today(agenda: Agenda, tiles: Tiles | None) -> str:
    play = agenda.play
    if not agenda.knows_focdle:
        return _("FoCdle is Wordle with an equation. Six guesses, and only you see them.")
    if play is None or (play.game.outcome is None and not play.game.turns):
        return _("{day} · {symbols}").format(
            day=long_date(agenda.puzzle.day), symbols=counts.symbols(agenda.puzzle.length)
        )
    if play.game.outcome is None:
        left = ngettext("**Last guess.**", "{left} guesses left.", play.game.guesses_left)
        marks = play.game.turns[-1].feedback
        last = row(marks) if tiles is None else tiles.marks(marks)
        return f"{last}\n{left.format(left=number(play.game.guesses_left))}"
    following = _("The next comes {when}.").format(when=relative_time(agenda.next_puzzle_at))
    return " ".join(filter(None, (_solved(play), following)))


def _solved(play: Play) -> str:
    if play.game.outcome is not Outcome.SOLVED:
        return ""
    made = len(play.game.turns)
    words = ngettext("With the **first guess**!", "In **{guesses} of {most}**.", made)
    return words.format(guesses=made, most=play.rules.max_guesses)


def _streak(agenda: Agenda) -> str:
    """How long the streak is, and whether today can still lengthen it."""
    length = agenda.streak.length
    if not length:
        return ""
    words = _("🔥 **{days}** in a row").format(days=counts.days(length))
    if not agenda.is_today_counted and not agenda.is_today_over:
        return _("{streak}: make it {next} today.").format(streak=words, next=number(length + 1))
    return f"{words}."


def waiting(agenda: Agenda) -> str:
    """In how many games somebody waits for the player; empty where nobody does."""
    games = agenda.waiting
    if not games:
        return ""
    return ngettext("⚔️ Your turn in **{n} game**.", "⚔️ Your turn in **{n} games**.", games).format(
        n=number(games)
    )
