"""What must not change unnoticed, as text: all that golden files know of where things are.

What moves, or is called otherwise, is changed here; the golden files stay as they are.
"""

import inspect
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from enum import Enum
from itertools import product
from typing import Any, Final, cast

from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import String

import bot.app
import engine
from bot.config import Settings, SettingsError, read_settings
from bot.db.tables import metadata
from bot.db.tables.kinds import Word
from bot.duels.model import Ending as DuelEnding
from bot.duels.model import State
from bot.hosting.figures import Figures
from bot.leaderboards.boards import BoardGame, Period, slot_of
from bot.mastermind.model import Ending, Kind
from bot.people.model import Asking
from bot.text.pictures import tile_art
from bot.text.tiles import Palette
from cogs.ui.routes import HANDLERS, Handler
from engine import BullsAndCows, Focdle, Mastermind, Mode, Outcome, Strength, solvers

_APP: Final = bot.app  # with it, all that has a route is there
_DAY: Final = date(2026, 11, 20)
_TOKEN: Final = {"DISCORD_TOKEN": "a-token"}
# Columns whose texts are random, or are what somebody has typed or is called.
_OWN: Final = {
    *("avatar", "code", "digest", "holder", "id", "name", "pending", "process", "remaining"),
    *("salt", "secret"),
}
# Columns with words of an enumeration, or of a few that stand in the code.
_WORDS: Final[Mapping[str, Iterable[str] | type[Enum]]] = {
    "duels.ending": DuelEnding,
    "duels.mode": Mode,
    "duels.state": State,
    "duels.strength": Strength,
    "emojis.name": (*tile_art.tile_names(), *tile_art.peg_names()),
    "facts.name": (
        "application",
        "deletion {number}",
        "digest_key",
        "puzzle_key",
        "synced_commands",
    ),
    "leases.name": (
        "backup",
        "commands",
        "standings",
        "tiles",
        "unseen people",
    ),
    "masterminds.ending": Ending,
    "masterminds.kind": Kind,
    "plays.outcome": Outcome,
    "post_plans.problem": ("forbidden", "gone", "off"),
    "posts.kind": ("daily",),
    "posts.outcome": ("refused", "sent", "unsure"),
    "preferences.asks": Asking,
    "preferences.palette": Palette,
    "reminders.outcome": ("refused", "sent"),
    "zones.subject": ("guild", "player"),
}


def routes() -> str:
    """Each route: by what it is used, its ids as a pattern, who may, and what comes with them."""
    return "\n".join(sorted({_route(handler) for handler in HANDLERS}))


def _route(handler: Handler) -> str:
    """One, without what its arguments are called here."""
    pattern = re.sub(r"\?P<\w+>", "", handler.route.pattern.pattern).replace("\\", "")
    fields = [f"{name}={kind.pattern}" for name, kind in sorted(handler.fields.items())]
    most = [f"at most {handler.most}"] if handler.most > 1 else []
    who = f"by {handler.by.name.lower()}"
    return "  ".join([f"{handler.means.value:6}", pattern, who, *fields, *most])


class _Asked(dict[str, str | None]):
    """An environment that knows which variables were asked for."""

    def __init__(self, values: Mapping[str, str]) -> None:
        super().__init__(values)
        self.names: set[str] = set()

    def get(self, name: str, default: Any = None) -> Any:
        self.names.add(name)
        return super().get(name, default)


def settings() -> str:
    """Each variable that is read, with its default; then what some values are taken for."""
    asked = _Asked(_TOKEN)
    defaults = _values(read_settings(asked))
    assert defaults.keys() <= asked.names
    names = [f"{name} {defaults.get(name, '')}".rstrip() for name in sorted(asked.names)]
    return "\n".join([*names, "", *map(_taken, _SAMPLES)])


def _values(read: Settings) -> dict[str, str]:
    """What was read, by the names that hosts know."""
    found = {
        "AVATARS": read.avatars,
        "BACKUPS": read.backups,
        "CONTACT": read.contact,
        "DATABASE_URL": read.database_url,
        "DISCORD_CLIENT_SECRET": read.client_secret or None,
        "FORGET_AFTER": read.forget_after,
        "HEALTH_ADDRESS": read.health and f"{read.health.host} {read.health.port}",
        "LOG_FORMAT": "json" if read.logs.is_json else "text",
        "LOG_LEVEL": read.logs.level,
        "PUZZLE_KEY": read.puzzle_key,
        "WEB_ADDRESS": read.web and f"{read.web.address.host} {read.web.address.port}",
        "WEB_URL": read.web and read.web.url,
        "WORKERS": read.workers,
    }
    return {name: str(value) for name, value in found.items()}


_POSTGRES: Final = "postgresql://ann@host/games"
_SAMPLES: Final = (
    *(("AVATARS", value) for value in ("on", "off", "yes")),
    *(("BACKUPS", value) for value in ("off", "/data/backups")),
    ("CONTACT", "ann@example.org"),
    ("DATABASE_URL", "sqlite:////data/games.db"),
    ("DATABASE_URL", "sqlite://"),
    ("DATABASE_URL", _POSTGRES),
    ("DATABASE_URL", "postgres://ann@host/games"),
    ("DATABASE_URL", "mysql://ann@host/games"),
    ("DISCORD_CLIENT_SECRET", "secret"),
    *(("FORGET_AFTER", value) for value in ("400d", "90 days", "89", "400 weeks")),
    *(("HEALTH_ADDRESS", value) for value in ("9109", "0.0.0.0:9109", "[::1]:9109", "here")),
    *(("LOG_FORMAT", value) for value in ("text", "json", "xml")),
    *(("LOG_LEVEL", value) for value in ("debug", "loud")),
    ("PUZZLE_KEY", "0123456789abcdef"),
    ("WEB_ADDRESS", "8080"),
    *(("WORKERS", value) for value in ("0", "1", "2", "3")),
)


def _taken(sample: tuple[str, str]) -> str:
    """A setting as a host may write it, and what that is to the bot."""
    name, value = sample
    try:
        read = _values(read_settings({**_TOKEN, name: value}))[name]
    except SettingsError as error:
        read = f"refused for {error.name}"
    return f"{name}={value} -> {read}"


def metrics() -> str:
    """Each of our figures with its kind, its labels and its buckets."""
    figures = Figures()
    figures.acknowledged("", 1)
    figures.left_unanswered("")
    figures.refused(ValueError)
    figures.broke_down()
    figures.carried_out("", 1, 1)
    figures.failed("", ValueError)
    figures.requested("", "", 1)
    figures.delayed(1)
    figures.served(200)
    figures.listens(1)
    figures.signed_in()
    figures.levels = {
        **dict.fromkeys(("ready", "chart_queue", "posts_late", "database_bytes"), 1),
        "last_backup_timestamp_seconds": 1,
        "coach_queue": {"": 1},
        "shard_heard": {"0": 1},
        "shard_latency_seconds": {"0": 1},
    }
    return "\n".join(["of a process:", *_figures(figures.expose().decode())])


def _figures(text: str) -> Iterator[str]:
    for figure in sorted(text_string_to_metric_families(text), key=lambda each: each.name):
        if figure.name.startswith("focdle"):
            labels, buckets = set[str](), list[str]()
            for sample in figure.samples:
                labels |= sample.labels.keys()
                buckets += filter(None, [sample.labels.get("le")])
            listed = ", ".join(sorted(labels - {"le"}))
            yield " ".join([f"{figure.type:9} {figure.name} {{{listed}}}", *buckets])


def stored() -> str:
    """Texts in the database: the words of columns, and how slots and rules are written."""
    lines = [f"{column}: {' | '.join(words)}" for column, words in sorted(_words().items())]
    slots = [slot_of(game, period, _DAY) for game, period in product(BoardGame, Period)]
    rules = [
        Focdle(10),
        Mastermind(pegs=6, colours=4),
        BullsAndCows(4),
        BullsAndCows(5, repeats=True),
    ]
    return "\n".join([*lines, "", *sorted(slots), "", *(each.encode() for each in rules)])


def texts(ask: Callable[[str], Sequence[tuple[Any, ...]]]) -> list[str]:
    """The texts that are in a database's rows, by column; but for those that differ each time.

    Args:
        ask: runs one statement on it.
    """
    found: list[str] = []
    for table in metadata.sorted_tables:
        for column in table.c:
            is_own = column.name in _OWN and str(column) not in _WORDS
            if isinstance(column.type, String | Word) and not is_own:
                rows = ask(f"SELECT DISTINCT {column.name} FROM {table.name}")
                shown = sorted({_shape(value) for (value,) in rows if value is not None})
                found += [f"{column}: {' | '.join(shown)}"] if shown else []
    return found


def strange(told: Iterable[str]) -> list[str]:
    """Of texts in the rows of columns for words: those that are none of the column's words."""
    found: list[str] = []
    words = _words()
    for column, _, listed in (each.partition(": ") for each in told):
        patterns = [re.sub(r"\\{\w+\\}", ".+", re.escape(word)) for word in words.get(column, ())]
        known = re.compile("|".join(patterns) or ".*", re.DOTALL)
        found += [f"{column}: {each}" for each in listed.split(" | ") if not known.fullmatch(each)]
    return found


def _words() -> dict[str, list[str]]:
    """The words that columns have."""
    columns = [column for table in metadata.tables.values() for column in table.c]
    enums = {str(each): each.type.kind for each in columns if isinstance(each.type, Word)}
    given: dict[str, Iterable[str] | type[Enum]] = {**_WORDS, **enums}
    return {column: sorted({*map(_word, words)}) for column, words in given.items()}


def _word(word: str | Enum) -> str:
    return str(word.value if isinstance(word, Enum) else word)


def _shape(value: str) -> str:
    """A text; of JSON only its keys."""
    if not value.startswith(("{", "[{")):
        return value
    return " ".join(sorted(_keys(json.loads(value), "")))


def _keys(value: Any, path: str) -> set[str]:
    """The ways to all values in JSON."""
    within: list[tuple[str, Any]] = []
    if isinstance(value, dict):
        named = cast("dict[str, Any]", value)
        within = [(f"{path}.{name}", each) for name, each in named.items()]
    elif isinstance(value, list):
        within = [(f"{path}[]", each) for each in cast("list[Any]", value)]
    return {key for way, each in within for key in _keys(each, way)} or {path}


def engine_names() -> str:
    """What programs import: each name with its parameters, and what a class has besides."""
    lines: list[str] = []
    for module in (engine, solvers):
        for name in module.__all__:
            value: Any = getattr(module, name)
            whole = f"{module.__name__}.{name}"
            if not isinstance(value, type) or not value.__module__.startswith("engine"):
                lines.append(whole + _parameters(value))
                continue
            members: Iterable[str] = getattr(value, "__members__", ())
            lines.append(" ".join([whole, *members]) if members else whole + _parameters(value))
            lines += [
                f"{whole}.{each}{_parameters(getattr(value, each))}"
                for each in sorted(vars(value))
                if not each.startswith("_") and each not in members
            ]
    return "\n".join(lines)


def _parameters(value: Any) -> str:
    """A callable's parameters without types, which each Python writes its own way."""
    is_made = isinstance(value, type) and inspect.isfunction(value.__init__)
    if not is_made and not inspect.isroutine(value):
        return ""
    found = inspect.signature(value).parameters.values()
    said = [f"{each.name}=" if each.default is not each.empty else each.name for each in found]
    return f"({', '.join(said)})"
