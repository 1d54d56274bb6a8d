"""How to play, with worked examples."""

from enum import Enum
from typing import Final

from bot.presentation.base import counts
from bot.presentation.base.commitments import fairness_help
from bot.presentation.base.language import N_, say
from bot.presentation.base.language import gettext as _
from bot.presentation.base.markup import bullets, code, heading, small
from bot.presentation.base.tiles import Palette, Tiles, row, samples
from bot.presentation.coach.help import hints_help
from bot.presentation.duels.help import duel_help, duel_rules_help, ratings_help
from bot.presentation.mastermind.help import mastermind_help, mastermind_rules_help
from bot.presentation.standings.help import members_help, standings_help
from bot.services.base.free_games import MOST_A_DAY
from bot.services.focdle.streaks import SKIP_REST
from engine import mark

_HIDDEN: Final = "25+4*12=73"
_GUESSES: Final = ("13+12-8=17", "72+31%6=73", "21+20*4=55", "25+4*12=73")


class Topic(Enum):
    """What can be asked about."""

    COMMANDS = "commands"
    ALL_COMMANDS = "all"
    FOCDLE = "focdle"
    FOCDLE_RULES = "focdle-rules"
    HARD_MODE = "hard"
    STREAKS = "streaks"
    STANDINGS = "standings"
    MEMBERS = "members"
    MASTERMIND = "mastermind"
    MASTERMIND_RULES = "mastermind-rules"
    DUELS = "duels"
    DUEL_RULES = "duel-rules"
    RATINGS = "ratings"
    HINTS = "hints"
    FAIRNESS = "fairness"


# The topics of `/help` as choices in a list; at most 100 characters each.
TOPIC_NAMES: Final = {
    Topic.COMMANDS: N_("What this bot does"),
    Topic.ALL_COMMANDS: N_("All commands"),
    Topic.FOCDLE: N_("How FoCdle is played"),
    Topic.FOCDLE_RULES: N_("FoCdle: all the rules"),
    Topic.HARD_MODE: N_("Hard mode"),
    Topic.STREAKS: N_("Points and streaks"),
    Topic.STANDINGS: N_("Leaderboards and statistics"),
    Topic.MEMBERS: N_("Who is on leaderboards"),
    Topic.MASTERMIND: N_("How Mastermind is played"),
    Topic.MASTERMIND_RULES: N_("Mastermind: all the rules"),
    Topic.DUELS: N_("How Bulls and Cows duels are played"),
    Topic.DUEL_RULES: N_("Duels: all the rules"),
    Topic.RATINGS: N_("Duels: challenges and ratings"),
    Topic.HINTS: N_("Par and hints"),
    Topic.FAIRNESS: N_("Fairness: how to check that no secret was changed"),
}


def help_text(topic: Topic, tiles: Tiles | None = None) -> list[str]:
    """A topic's text, in blocks; with the tiles that boards have, if Discord has them."""
    pages = {
        Topic.COMMANDS: _commands,
        Topic.ALL_COMMANDS: _all_commands,
        Topic.FOCDLE_RULES: _focdle_rules,
        Topic.FOCDLE: lambda: _focdle(tiles),
        Topic.HARD_MODE: lambda: _hard_mode(tiles),
        Topic.STREAKS: _streaks,
        Topic.STANDINGS: standings_help,
        Topic.MEMBERS: members_help,
        Topic.MASTERMIND: mastermind_help,
        Topic.MASTERMIND_RULES: mastermind_rules_help,
        Topic.DUELS: duel_help,
        Topic.DUEL_RULES: duel_rules_help,
        Topic.RATINGS: ratings_help,
        Topic.HINTS: hints_help,
        Topic.FAIRNESS: fairness_help,
    }
    return pages[topic]()


def _commands() -> list[str]:
    return [
        heading(_("A new FoCdle every day")),
        bullets(
            (
                _(
                    "`/focdle` is Wordle with an equation: the same puzzle for everybody. Only you "
                    "see your board."
                ),
                _("`/mastermind play`: break the bot's code of coloured pegs."),
                _("`/duel`: find a member's number, or the bot's, before yours is found."),
            )
        ),
        _("`/play` says what is new for you; its buttons are below."),
        small(_("How to play, and all commands: in the list.")),
    ]


def _all_commands() -> list[str]:
    public = _(
        "What everybody is to see, such as a shared result, a challenge or a leaderboard, the bot "
        "posts for you only where you may write yourself."
    )
    pace = _(
        "Click as fast as you like while you play. Whoever asks for ten charts or many pages at "
        "once is told to wait a few seconds, so that the bot stays quick for everybody. Of games "
        "that count for nothing you can begin {games} a day, which ends at midnight UTC."
    ).format(games=MOST_A_DAY)
    return [
        heading(say(TOPIC_NAMES[Topic.ALL_COMMANDS])),
        f"**{_('Play')}**\n{bullets(_games())}",
        f"**{_('Look back')}**\n{bullets(_results())}",
        f"**{_('Have it your way')}**\n{bullets(_choices())}",
        f"{small(public)}\n{small(pace)}",
    ]


def _games() -> tuple[str, ...]:
    return (
        _("`/play` says what is new for you, and has a button for every game."),
        _(
            "`/focdle` opens today's puzzle; only you can see your board. "
            "`/focdle guess:12+34-5=41` plays a guess at once."
        ),
        _(
            "`/focdle puzzle:12` opens puzzle 12, `puzzle:2026-01-12` that day's, "
            "`puzzle:#12/9` the one with 9 symbols."
        ),
        _(
            "`/practice` is free play with 7 to 15 symbols, nothing at stake. "
            "`/practice watch:True` shows how the bot breaks an equation."
        ),
        _(
            "`/mastermind play` hides a code of coloured pegs from you. `/mastermind defend` turns "
            "the tables, `/mastermind challenge` sets a code for a member, `/mastermind watch` "
            "shows how the bot breaks one."
        ),
        _(
            "`/duel` challenges a member to find your number before you find theirs; without an "
            "opponent you play the bot. With `/duel defend:True` it hunts for a number of yours."
        ),
    )


def _results() -> tuple[str, ...]:
    return (
        _("`/games` lists what you have not finished, and what is over, to look at again."),
        _("`/leaderboard` shows who leads, here and everywhere."),
        _("`/stats` shows what came of your games."),
    )


def _choices() -> tuple[str, ...]:
    return (
        _(
            "`/preferences` has hard mode, tiles for the colour-blind, your time zone, who may see "
            "you on boards, and who may challenge you."
        ),
        _("`/privacy` shows what is stored about you, exports it and deletes it."),
        _(
            "`/settings` is for managers of a server: the daily post and its channel, finishers' "
            "threads, the time zone, the length of the puzzle."
        ),
    )


def _hard_mode(tiles: Tiles | None) -> list[str]:
    return [
        heading(say(TOPIC_NAMES[Topic.HARD_MODE])),
        _(
            "Switch it on in `/preferences`, before your first guess. Then every guess must be a "
            "true equation that agrees with all clues so far, copies counted."
        ),
        _(
            "An example: {guess} was your first guess. Then the second has `+` third and `=` "
            "eighth; it has `1`, `2`, `3` and `7`, but none of them where they were; it has only "
            "one `1`; and it has no `8` and no `-`. {wrong} is refused: its `7` is last again."
        ).format(guess=_marked(_GUESSES[0], tiles), wrong=code("20+2+15=37")),
        _("A refused guess costs nothing. Shared results in hard mode have a `*`."),
    ]


def _streaks() -> list[str]:
    rules = (
        _(
            "A date counts when you solve one of its puzzles while that date is today in the "
            "server where you opened it; in direct messages, in your own time zone."
        ),
        _("A puzzle opened before midnight may be finished until half past twelve at night."),
        _("At whatever lengths you play, a date counts once."),
        _(
            "Every seventh day of a streak earns a freeze; you hold two at most. A date you did "
            "not solve uses one up. Without one, the streak ends."
        ),
        _(
            "When the bot was down for over an hour of a date, or for over five minutes of its "
            "last two hours, the date is left out; breaks of less than a minute do not count."
        ),
        _(
            "A date that a change of time zone skips is left out, too: one in {days}, if you "
            "have not opened it, and if you had last played there when the change was chosen. Your "
            "time zone and a server's can change once in a week. A server's can be corrected once "
            "within two days; that leaves no date out, and repeats none."
        ).format(days=counts.days(SKIP_REST.days)),
        _("Earlier puzzles and practice never count."),
        _(
            "Nobody can prevent that somebody knows a day's answer already: from a second account, "
            "or from further east, where the day begins earlier."
        ),
    )
    example = _(
        "An example: you solve seven days, and earn a freeze. On the eighth you do not play: the "
        "freeze is gone, the streak stays 7. On the ninth you solve: 8. On the tenth you run out "
        "of guesses and hold no freeze: the streak ends."
    )
    return [
        heading(say(TOPIC_NAMES[Topic.STREAKS])),
        _("A puzzle solved on its date is worth 7 points less one for each guess: 6 to 1."),
        _(
            "With hints, a solve is worth a point less for each, though never less than 1. It "
            "begins a streak or keeps it; it does not lengthen one, nor bring a freeze closer."
        ),
        bullets(rules),
        example,
    ]


def _focdle(tiles: Tiles | None) -> list[str]:
    title = heading(_("How FoCdle is played"))
    more = small(_("More: *{topic}* in the list below."))
    return [
        title,
        _rules(tiles),
        _worked_example(tiles),
        _("No clock runs: the day's puzzle is open until midnight."),
        more.format(topic=say(TOPIC_NAMES[Topic.FOCDLE_RULES])),
    ]


def _focdle_rules() -> list[str]:
    return [heading(say(TOPIC_NAMES[Topic.FOCDLE_RULES])), _details()]


def _rules(tiles: Tiles | None) -> str:
    return _(
        "Find the hidden equation in six guesses: three numbers from 1 to 99, two of `+ - * %`, "
        "`=` and the result. Every guess is marked:\n"
        "{correct} right place\n"
        "{present} in it, but elsewhere\n"
        "{absent} not in it (or not once more)"
    ).format(**samples(tiles))


def _worked_example(tiles: Tiles | None) -> str:
    rows = "\n".join(_marked(guess, tiles) for guess in _GUESSES)
    explanation = _(
        "The first guess told that `+` and `=` are in place, that `1 2 3 7` belong elsewhere, and "
        "that there is only one `1`, no `8` and no `-`."
    )
    return f"{rows}\n{explanation}"


def _marked(guess: str, tiles: Tiles | None) -> str:
    """A guess as a board shows it."""
    marks = mark(guess, _HIDDEN)
    if tiles is None:
        return f"{row(marks)} {code(guess)}"
    return tiles.row(guess, marks, Palette.STANDARD)


def _details() -> str:
    lines = (
        _("`%` is the remainder: `17%5` is 2. There is no division."),
        _("`*` and `%` come before `+` and `-`: `25+4*12` is 73."),
        _("Order counts: `12*4+25=73` is not `4*12+25=73`."),
        _(
            "A guess must look like an equation, but need not be true: a false one can probe for "
            "symbols, as the third one in the example does. You are asked first, so that a slip "
            "costs nothing."
        ),
        _("No number starts with a zero, and the result is at least 1."),
    )
    return bullets(lines)
