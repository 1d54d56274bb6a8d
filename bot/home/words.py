"""`/play`, `/help`, *Is it fair?* and preferences in words."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import Enum
from functools import cache
from importlib.resources import files
from typing import Final

from bot.clock import day_of
from bot.duels.model import DuelView
from bot.duels.round_words import list_name, progress
from bot.feature import Topic
from bot.features import IN_HELP
from bot.focdle.game import DaySeals
from bot.focdle.words import HARD_BUTTONS
from bot.games.model import SEAL_DIGITS
from bot.games.words import guesses_left
from bot.home.game import Agenda, Secret, Verified
from bot.home.preferences import Preferences
from bot.mastermind.model import MastermindGame
from bot.mastermind.words import listed
from bot.people.model import Asking, Blocked
from bot.posts.words import NOT_ARRIVED
from bot.text import counts
from bot.text.labels import zone_text
from bot.text.language import N_, _, long_date, medium_date, ngettext, number, say
from bot.text.markup import bullets, code, exact_time, heading, mention, relative_time, small
from bot.text.tiles import PLAIN, Mood, Palette, Pegs, Tiles, TileState, row
from engine import Outcome

#: Declines a rematch, for now; at most 80 characters.
NOT_NOW_BUTTON: Final = N_("Not now")
#: Takes no challenges any more from the player who made one; at most 80 characters.
NO_MORE_BUTTON: Final = N_("No more from them")
#: Opens the page about who may challenge the player.
CHALLENGES_BUTTON: Final = N_("Who can challenge me")
#: Lets a member challenge the player again.
UNBLOCK_BUTTON: Final = N_("Unblock")
#: What the list of members who may be blocked says before one is chosen; at most 150 characters.
BLOCK_PLACEHOLDER: Final = N_("Block a member")
#: Back to the preferences that few change.
PREFERENCES_BUTTON: Final = N_("◀ More preferences")


def declined(challenger_id: int) -> str:
    """Tell a player that a challenge is declined, above the button that blocks the challenger."""
    words = _("Declined. {player} can't ask again for an hour.")
    return words.format(player=mention(challenger_id))


def no_more_from(player_id: int) -> str:
    return _("{player} can't challenge you any more. You can undo that in `/preferences`.").format(
        player=mention(player_id)
    )


# Who may challenge the player: one line of the preferences, and a page of its own.


def challenges(preferences: Preferences) -> str:
    meaning = _("For duels, rematches and Mastermind.")
    return f"{_from_whom(preferences)}\n{small(meaning)}"


def _from_whom(preferences: Preferences) -> str:
    if preferences.no_challenges:
        return _("**Challenges: from nobody**")
    if preferences.blocked:
        return ngettext(
            "**Challenges: from everybody but {n} player**",
            "**Challenges: from everybody but {n} players**",
            preferences.blocked,
        ).format(n=preferences.blocked)
    return _("**Challenges: from everybody**")


def challenges_title() -> str:
    remark = _("Nobody else sees this choice.")
    return f"{heading(_('Who can challenge you'))}\n{small(remark)}"


def no_challenges(preferences: Preferences) -> tuple[str, str]:
    """Write whether the player takes challenges, and label the button that changes it."""
    change, meaning = _("Take no challenges"), _("In channels you both see.")
    if preferences.no_challenges:
        change, meaning = _("Take challenges again"), _("You can still challenge others.")
    return f"{_from_whom(preferences)}\n{small(meaning)}", change


def blocked_heading(blocked: Sequence[Blocked]) -> str:
    state = _("**Blocked**") if blocked else _("**Blocked: nobody**")
    meaning = _("They're only told that you aren't taking challenges.")
    return f"{state}\n{small(meaning)}"


def blocked_line(one: Blocked) -> str:
    return _("{player}, since {when}").format(
        player=mention(one.player_id), when=f"<t:{int(one.since.timestamp())}:d>"
    )


def blocked_rest(count: int) -> str:
    return small(_("And {n} more.").format(n=count))


#: Back to the first of them.
ALL_BUTTON: Final = N_("◀ All preferences")
#: What the list says of the guesses before which the player is asked; at most 150 characters.
ASKING_PLACEHOLDER: Final = N_("Warn me about …")
#: The options of that list; at most 100 characters.
ASKING: Final[Mapping[Asking, str]] = {
    Asking.FALSE: N_("False equations, like 2+2=5"),
    Asking.IMPOSSIBLE: N_("False equations and impossible guesses"),
    Asking.NOTHING: N_("Nothing"),
}


def title() -> str:
    return f"{heading(_('Your preferences'))}\n{small(_('In every server.'))}"


def more_title() -> str:
    return heading(_("More preferences"))


# Each choice, and the label of the button that changes it.


def hard_mode(preferences: Preferences) -> tuple[str, str]:
    state, change = _("**Hard mode: off**"), say(HARD_BUTTONS[True])
    if preferences.hard_mode:
        state, change = _("**Hard mode: on**"), say(HARD_BUTTONS[False])
    meaning = _("Every guess must be a true equation that fits all the clues.")
    return f"{state}\n{small(meaning)}", change


def tiles(preferences: Preferences, emojis: Tiles | None) -> tuple[str, str]:
    state, change = _("**Shapes on tiles: off**"), _("Turn on shapes")
    if preferences.palette == "shapes":
        state, change = _("**Shapes on tiles: on**"), _("Turn off shapes")
    meaning = small(_("Tell marks apart without colour."))
    if emojis is None:
        return f"{state}\n{meaning}", change
    kinds = (
        ("1", TileState.CORRECT, _("in place")),
        ("2", TileState.PRESENT, _("elsewhere")),
        ("3", TileState.ABSENT, _("not in it")),
    )
    palette = Palette(preferences.palette)
    legend = " · ".join(
        f"{emojis.symbol(symbol, state, palette)} {words}" for symbol, state, words in kinds
    )
    return f"{state}\n{meaning}\n{legend}", change


def reminders(preferences: Preferences) -> tuple[str, str]:
    state, change = _("**Reminders: off**"), _("Turn on reminders")
    if preferences.reminders:
        state, change = _("**Reminders: on**"), _("Turn off reminders")
    meaning = _("Two hours before your streak ends.")
    if preferences.reminders_refused:
        meaning = say(NOT_ARRIVED)
    return f"{state}\n{small(meaning)}", change


def hidden(preferences: Preferences) -> tuple[str, str]:
    if preferences.hidden:
        state, change = _("**Leaderboards: hidden**"), _("Show me again")
        meaning = _("Nobody else sees your results or statistics.")
    else:
        state, change = _("**Leaderboards: visible**"), _("Hide me")
        meaning = _("Your servers see your results and statistics.")
    return f"{state}\n{small(meaning)}", change


def asking() -> str:
    return _("**Warn me about**")


def zone(preferences: Preferences, now: datetime) -> str:
    meaning = _("For direct messages, and servers I'm not in.")
    return zone_text(preferences.zone, preferences.next_zone, meaning, now)


def always(preferences: Preferences, guild_id: int | None) -> str:
    """Say in which channel of this server the player always shares dailies.

    If there is none, say in how many servers they always do.
    """
    channel_id = dict(preferences.always).get(guild_id or 0)
    if channel_id is not None:
        return say(N_("**Always share in {channel}**"), channel=f"<#{channel_id}>")
    servers = len(preferences.always)
    state = ngettext("**Always share in {n} server**", "**Always share in {n} servers**", servers)
    return state.format(n=number(servers))


#: Ends *Always share here*; at most 80 characters.
ALWAYS_OFF_BUTTON: Final = N_("Turn off")
#: Ends the player's sessions in browsers; at most 80 characters.
SIGN_OUT_BUTTON: Final = N_("Sign out everywhere")


def keypad(browsers: int) -> str:
    """Say in how many browsers a player is signed in to the web page; 0 after signing them out."""
    if not browsers:
        return _("**Keypad: signed out everywhere**")
    state = ngettext(
        "**Keypad: open in {n} browser**", "**Keypad: open in {n} browsers**", browsers
    )
    return state.format(n=number(browsers))


_LONGEST: Final = 200
#: Shows a game's seals in full, and at the end how to check them.
VERIFY_BUTTON: Final = N_("Is it fair?")
#: Explains how to check that no secret was changed.
FAIRNESS_BUTTON: Final = N_("Fairness")
#: Shows the seals of today's puzzles and tomorrow's.
SEALS_BUTTON: Final = N_("Today's and tomorrow's seals")
#: Above the whole seals of a game that goes on.
_NOTE_TITLE: Final = N_("The seal of this game")
#: Between.
_NOTE: Final = N_("It proves the secret can't change. Copy it, and compare it at the end.")
#: Above the check of a finished game.
_CHECK_TITLE: Final = N_("It was fixed before your first guess.")
#: Below it.
_CHECK: Final = N_("If you copied the seal then, compare it with this one.")


def verification(verified: Verified) -> list[str]:
    """Write the page of *Is it fair?*, in blocks: seals, and after the game how to check them."""
    if not verified.is_open:
        seals = [f"{_whose(found)}{_line(found.commitment.seal)}" for found in verified.secrets]
        return [heading(say(_NOTE_TITLE)), say(_NOTE), *seals]
    blocks = [f"{heading(say(_CHECK_TITLE))}\n{say(_CHECK)}"]
    for found in verified.secrets:
        lines = (
            _("**The seal**, since {when}:").format(when=exact_time(verified.since)),
            _line(found.commitment.seal),
            _("**It seals this line**, with a salt that nobody knew:"),
            _line(found.commitment.text or ""),
        )
        blocks.append(_whose(found) + "\n".join(lines))
    return blocks


def fairness_help(*_look: object) -> list[str]:
    idea = _(
        "Every secret is fixed before your first guess. A **seal** 🔏 proves it: its {digits} "
        "fit no other secret."
    ).format(digits=counts.digits(SEAL_DIGITS))
    sure = _(
        "Don't trust me? Before you guess, press *More*, then **Is it fair?**, and copy the seal. "
        "If it's the same at the end, nothing was changed."
    )
    return [idea, sure]


def seals_page(days: Sequence[DaySeals]) -> list[str]:
    """Write the page with the seals of today's dailies and tomorrow's, in blocks."""
    blocks = [heading(say(SEALS_BUTTON))]
    for day in days:
        lines = [f"**#{day.number}** · {long_date(day_of(day.number))}"]
        lines += [small(f"{length} {code(found.seal)}") for length, found in day.seals.items()]
        blocks.append("\n".join(lines))
    return blocks


def _whose(secret: Secret) -> str:
    """Write a line about who fixed a secret of a duel; empty for a game with one secret."""
    if secret.setter is None:
        return ""
    words = _("**{player}'s seal**")
    if secret.setter.player_id is None:
        words = _("**The bot's seal**")
    return f"{words.format(player=mention(secret.setter.player_id or 0))}\n"


def _line(text: str) -> str:
    """Format a text for copying, as inline code: a phone wraps that, but cuts off a code block."""
    return code(text, longest=_LONGEST)


class Door(Enum):
    """A button of the card of `/play`."""

    TODAY = "today"
    TOGETHER = "together"
    PRACTICE = "practice"
    MASTERMIND = "mastermind"
    DUEL = "duel"
    GAMES = "games"
    STATS = "stats"
    HELP = "help"


DOORS: Final = {
    Door.TODAY: N_("Today"),
    Door.TOGETHER: N_("Together"),
    Door.PRACTICE: N_("Practice"),
    Door.MASTERMIND: N_("Mastermind"),
    Door.DUEL: N_("Duel"),
    Door.GAMES: N_("My games"),
    Door.STATS: N_("Stats"),
    Door.HELP: N_("Help"),
}

MOST_RUNNING: Final = 3
"""How many running games the card shows at most."""

#: Leads back to the card; at most 80 characters.
BACK_BUTTON: Final = N_("◀ Back")
#: What there is of Mastermind, above a button for each.
_MASTERMIND: Final = N_(
    "Four coloured pegs, twelve guesses.\n**Play**: you break my code.\n**Defend**: I break yours."
)
#: You break the bot's code; at most 80 characters.
PLAY_BUTTON: Final = N_("Play")
#: The bot breaks yours; at most 80 characters.
DEFEND_BUTTON: Final = N_("Defend")
#: Where a member can be challenged; at most 150 characters.
OPPONENT_PLACEHOLDER: Final = N_("Challenge a member")
#: How duels go, above whom to play.
_DUEL: Final = N_("You each hide a number, and hunt for the other's.")
#: Where the channel can be asked.
_WITH_CHANNEL: Final = N_(
    "**Anybody here?** Set your number, and I'll ask this channel for an opponent."
)
#: Where no members can be challenged.
_WITHOUT_MEMBERS: Final = N_("Here you play me. Challenge members in a server.")
#: Above the buttons of the bots.
BOTS: Final = N_(
    "**Bots**: Casual is easy, Sharp is average, and Perfect is hard. **Defend**: I "
    "guess your number."
)
#: Plays the bot at its weakest; at most 80 characters.
CASUAL_BUTTON: Final = N_("Casual")
#: Plays the bot as it usually is; at most 80 characters.
SHARP_BUTTON: Final = N_("Sharp")
#: Plays the bot at its strongest; at most 80 characters.
PERFECT_BUTTON: Final = N_("Perfect")

#: The bot breaks a number of the player's; at most 80 characters.
HUNT_BUTTON: Final = N_("Defend a number")


def mastermind() -> str:
    return f"{heading(say(DOORS[Door.MASTERMIND]))}\n{say(_MASTERMIND)}"


def duel(*, has_members: bool, may_ask: bool) -> str:
    lines = [heading(say(DOORS[Door.DUEL])), say(_DUEL)]
    if may_ask:
        lines.append(say(_WITH_CHANNEL))
    elif not has_members:
        lines.append(say(_WITHOUT_MEMBERS))
    return "\n".join(lines)


def together() -> str:
    """Write what stands above the buttons of games with others."""
    lines = (say(feature.together) for feature in IN_HELP if feature.together)
    return "\n".join([heading(say(DOORS[Door.TOGETHER])), *lines])


def first_door(agenda: Agenda, *, in_server: bool) -> Door | None:
    """Choose the button of what to do next; None if a running game waits for the player."""
    if agenda.waiting:
        return None
    if not agenda.is_today_over:
        return Door.TODAY
    return Door.TOGETHER if in_server else Door.PRACTICE


def running_line(game: DuelView | MastermindGame, player_id: int) -> str:
    """Describe a running game from the player's point of view, beside the button that opens it."""
    if not isinstance(game, DuelView):
        return listed(game, player_id)
    seat = game.duel.seat_of(player_id) or 0
    parts = [progress(game, seat)]
    if game.deadline_at is not None:
        parts.append(_("time runs out {when}").format(when=relative_time(game.deadline_at)))
    return f"**{list_name(game.seats[1 - seat].player_id)}**\n{small(' · '.join(parts))}"


def card_mood(agenda: Agenda) -> Mood:
    if agenda.play is None or agenda.play.game.outcome is None:
        return Mood.PLAYING
    return Mood.SOLVED if agenda.play.game.outcome is Outcome.SOLVED else Mood.LOST


def card(agenda: Agenda, tiles: Tiles | None = None) -> list[str]:
    """Write the card's texts below the running games: today's daily, then the streak.

    `tiles` are emojis; without them, squares are drawn.
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
        return _("Each day, find a hidden equation in six guesses. Only you can see them.")
    if play is None or (play.game.outcome is None and not play.game.turns):
        return _("{day} · {symbols}").format(
            day=medium_date(agenda.puzzle.day), symbols=counts.symbols(agenda.puzzle.length)
        )
    if play.game.outcome is None:
        marks = play.game.turns[-1].feedback
        last = row(marks) if tiles is None else tiles.marks(marks)
        return f"{last}\n{guesses_left(play.game.guesses_left)}"
    following = _("The next one comes {when}.").format(when=relative_time(agenda.next_puzzle_at))
    if play.game.outcome is not Outcome.SOLVED:
        return following
    made = len(play.game.turns)
    words = ngettext("On the **first guess**!", "In **{guesses} of {most}**.", made)
    return f"{words.format(guesses=made, most=play.rules.max_guesses)} {following}"


def _streak(agenda: Agenda) -> str:
    """Write the streak's length, and if today can still lengthen it; empty without a streak."""
    length = agenda.streak.length
    if not length:
        return ""
    words = _("🔥 **{days}** in a row.")
    if not agenda.is_today_counted and not agenda.is_today_over:
        words = _("🔥 **{days}** in a row: make it {next} today.")
    return words.format(days=counts.days(length), next=number(length + 1))


def waiting(agenda: Agenda) -> str:
    """Say in how many games it is the player's turn; empty if in none."""
    games = agenda.waiting
    if not games:
        return ""
    return ngettext("⚔️ Your turn in **{n} game**.", "⚔️ Your turn in **{n} games**.", games).format(
        n=number(games)
    )


#: Leads to Discord's page that adds the bot to a server; at most 80 characters.
ADD_BUTTON: Final = N_("Add to your server")
#: Hands out the exact rules of everything, as a file.
RULES_BUTTON: Final = N_("All the rules")
#: Above the file with them.
RULES_NOTE: Final = N_("All the rules in one file: points, streaks, ranks, limits.")
RULES_FILE: Final = "focdle-rules.txt"
#: Instead of the file, where the bot may not attach any.
NO_RULES_HERE: Final = N_("I can't send files here. Send me `/help` in a direct message.")


@cache
def exact_rules() -> str:
    """Read the file with all rules, in Markdown that reads as plain text."""
    return (files("bot.home") / "data" / "rules.txt").read_text(encoding="utf-8")


def _what_it_does(*_look: object) -> list[str]:
    games = [say(line) for feature in IN_HELP for line in feature.commands]
    games.append(_("`/leaderboard`, `/stats`: who leads, and how you're doing."))
    return [bullets(games), _("`/play`: every game, and what's new for you.")]


COMMANDS: Final = Topic("commands", N_("What this bot does"), _what_it_does)
FAIRNESS: Final = Topic("fairness", N_("Fairness"), fairness_help)
TOPICS: Final = (
    COMMANDS,
    *(topic for feature in IN_HELP for topic in feature.topics),
    FAIRNESS,
)


def help_text(topic: Topic, tiles: Tiles | None = None, pegs: Pegs = PLAIN) -> list[str]:
    """Write a topic's text, in blocks.

    `tiles` are emojis; without them, squares are drawn. `pegs` are emojis or Unicode characters.
    """
    title = say(topic.title)
    if topic is COMMANDS:
        title = _("A new FoCdle every day")
    return [heading(title), *topic.text(tiles, pegs)]
