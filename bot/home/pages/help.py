"""How to play, with worked examples."""

from enum import Enum
from functools import cache
from importlib.resources import files
from typing import Final

from bot.coach.pages.help import hints_help
from bot.duels.pages.help import duel_help, duel_rules_help, ratings_help
from bot.duels.pages.rounds import DuelTiles
from bot.home.pages.seals import fairness_help
from bot.leaderboards.pages.help import standings_help
from bot.mastermind.pages.help import mastermind_help, mastermind_rules_help
from bot.text.language import N_, say
from bot.text.language import gettext as _
from bot.text.markup import bullets, code, heading
from bot.text.pegs import PLAIN, Pegs
from bot.text.tiles import Palette, Tiles, row, samples
from engine import mark

_HIDDEN: Final = "25+4*12=73"
_GUESSES: Final = ("48-25+7=30", "25+4*12=73")


class Topic(Enum):
    """What can be asked about."""

    COMMANDS = "commands"
    FOCDLE = "focdle"
    FOCDLE_RULES = "focdle-rules"
    STREAKS = "streaks"
    STANDINGS = "standings"
    MASTERMIND = "mastermind"
    MASTERMIND_RULES = "mastermind-rules"
    DUELS = "duels"
    DUEL_RULES = "duel-rules"
    RATINGS = "ratings"
    HINTS = "hints"
    FAIRNESS = "fairness"


FORMER_TOPICS: Final = {
    "all": Topic.COMMANDS,
    "hard": Topic.FOCDLE_RULES,
    "members": Topic.STANDINGS,
    "coach": Topic.HINTS,
}
"""Topics of earlier versions, and where what they said is now."""

# The topics of `/help` as choices in a list; at most 100 characters each.
TOPIC_NAMES: Final = {
    Topic.COMMANDS: N_("What this bot does"),
    Topic.FOCDLE: N_("How FoCdle is played"),
    Topic.FOCDLE_RULES: N_("FoCdle: good to know"),
    Topic.STREAKS: N_("Points and streaks"),
    Topic.STANDINGS: N_("Leaderboards"),
    Topic.MASTERMIND: N_("How Mastermind is played"),
    Topic.MASTERMIND_RULES: N_("Mastermind: good to know"),
    Topic.DUELS: N_("How duels are played"),
    Topic.DUEL_RULES: N_("Duels: good to know"),
    Topic.RATINGS: N_("Duels: ratings and ranks"),
    Topic.HINTS: N_("Par and hints"),
    Topic.FAIRNESS: N_("Fairness"),
}

#: Hands out the exact rules of everything, as a file.
RULES_BUTTON: Final = N_("All the rules")
#: Above the file with them.
RULES_NOTE: Final = N_("All the rules in one file: points, streaks, ranks, limits.")
RULES_FILE: Final = "focdle-rules.txt"
#: Instead of the file, where the bot may not attach any.
NO_RULES_HERE: Final = N_("Files may not be sent here. Ask me in a direct message: `/help`.")


@cache
def exact_rules() -> str:
    """The paper with all rules, in Markdown that reads as plain text."""
    return (files("bot.home.pages") / "data" / "rules.txt").read_text(encoding="utf-8")


def help_text(topic: Topic, tiles: Tiles | None = None, pegs: Pegs = PLAIN) -> list[str]:
    """A topic's text, in blocks.

    Args:
        topic: what is explained.
        tiles: those that boards have, if Discord has them.
        pegs: likewise.
    """
    pages = {
        Topic.COMMANDS: _commands,
        Topic.FOCDLE_RULES: _focdle_rules,
        Topic.FOCDLE: lambda: _focdle(tiles),
        Topic.STREAKS: _streaks,
        Topic.STANDINGS: standings_help,
        Topic.MASTERMIND: mastermind_help,
        Topic.MASTERMIND_RULES: mastermind_rules_help,
        Topic.DUELS: lambda: duel_help(DuelTiles.of(tiles, pegs)),
        Topic.DUEL_RULES: duel_rules_help,
        Topic.RATINGS: ratings_help,
        Topic.HINTS: hints_help,
        Topic.FAIRNESS: fairness_help,
    }
    return pages[topic]()


def _commands() -> list[str]:
    games = (
        _("`/focdle`: Wordle with an equation. Only you see your board."),
        _("`/practice`: as many more as you like."),
        _("`/mastermind play`: break a code of coloured pegs."),
        _("`/duel`: find a member's number before yours is found."),
        _("`/leaderboard`, `/stats`: who leads, and how you do."),
    )
    rest = _("`/play` has all of it, and what is new for you.")
    return [heading(_("A new FoCdle every day")), bullets(games), rest]


def _streaks() -> list[str]:
    rules = (
        _("A **streak** is the days in a row on which you solved the puzzle."),
        _("Solve it by midnight, by the server's clock. Begun before, you have until 0:30."),
        _("Seven days without hints earn a freeze, which saves a day; you hold two at most."),
        _("A day missed or lost uses a freeze. Without one, the streak ends."),
        _("Days on which the bot was down are left out. Practice and old puzzles never count."),
    )
    example = _(
        "For example: seven days solved, and you have a freeze. Skip the eighth: it is used, and "
        "the streak stays 7. Solve the ninth: 8."
    )
    return [
        heading(say(TOPIC_NAMES[Topic.STREAKS])),
        _("First guess: 6 points; sixth: 1. Each hint costs a point, down to none."),
        bullets(rules),
        example,
    ]


def _focdle(tiles: Tiles | None) -> list[str]:
    return [
        heading(_("How FoCdle is played")),
        _rules(tiles),
        _worked_example(tiles),
        _("`%` is the remainder: `17%5` is 2. `*` and `%` come before `+` and `-`."),
    ]


def _focdle_rules() -> list[str]:
    lines = (
        _("There is no division. `25+4*12` is 73."),
        _("Order counts: `12*4+25=73` is not `4*12+25=73`."),
        _("No number starts with a zero."),
        _("A false equation is a guess, too, to learn more. The bot asks first."),
        _(
            "**Hard mode**, in `/preferences`: every guess is true and fits all clues. Shared "
            "results get a `*`."
        ),
        _("`/focdle puzzle:` opens an earlier one: `12`, `#12/9` (of 9 symbols), `2026-01-12`."),
    )
    return [heading(say(TOPIC_NAMES[Topic.FOCDLE_RULES])), bullets(lines)]


def _rules(tiles: Tiles | None) -> str:
    return _(
        "Find the hidden equation in six guesses: three numbers from 1 to 99, two of `+ - * %`, "
        "`=` and a result of at least 1. Every guess is marked:\n"
        "{correct} right place\n"
        "{present} in it, but elsewhere\n"
        "{absent} not in it (or not once more)"
    ).format(**samples(tiles))


def _worked_example(tiles: Tiles | None) -> str:
    rows = "\n".join(_marked(guess, tiles) for guess in _GUESSES)
    explanation = _("`=` is in place, `2 3 4 5 7 +` belong elsewhere, `0 8 -` are out.")
    return f"{rows}\n{explanation}"


def _marked(guess: str, tiles: Tiles | None) -> str:
    """A guess as a board shows it."""
    marks = mark(guess, _HIDDEN)
    if tiles is None:
        return f"{row(marks)} {code(guess)}"
    return tiles.row(guess, marks, Palette.STANDARD)
