"""What the shared parts of the bot must know of a feature, as values and plain functions."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Protocol, TypeAlias

from sqlalchemy import Column, ColumnElement, Select, Table

from bot.db.database import Transaction
from bot.games.model import Finished, GameName, Source
from bot.refused import Refused, Sentences
from bot.text.tiles import Pegs, Tiles

Row: TypeAlias = dict[str, Any]
"""A row by its columns' names, and under further names the rows that belong to it.

Discord's ids are strings: as numbers, most readers of JSON would round them.
"""

WITHHELD: Final = "withheld"
"""Where a row of an export lists its hidden fields, which stay as null."""


def withhold(row: Row, names: Iterable[str]) -> None:
    """Hide fields of a row in an export."""
    hidden = [name for name in names if row[name] is not None]
    for name in hidden:
        row[name] = None
    if hidden:
        row[WITHHELD] = sorted({*row.get(WITHHELD, []), *hidden})


@dataclass(frozen=True, slots=True)
class Part:
    """Rows that belong to a section's rows: their column `key` equals the column `above` there."""

    name: str
    key: Column[int]
    above: str = "id"


@dataclass(frozen=True, slots=True)
class Section:
    """A table's rows about a player, as an export has them.

    Attributes:
        by: the columns that may name the player.
        where: the condition on the player's rows, where these columns do not say it.
        parts: rows of other tables that belong to these; only games have any.
        id: the column with the ids of games, by which they are read.
        goes_on: of games of several, the condition of those that go on: they stay in their server
            when its data are deleted.
        redact: hides what the player may not know in a row; it gets the player's id as a string,
            and the time.
    """

    name: str
    table: Table
    by: tuple[str, ...] = ("player_id",)
    where: Callable[[int], ColumnElement[bool]] | None = None
    parts: tuple[Part, ...] = ()
    id: str = "id"
    goes_on: ColumnElement[bool] | None = None
    redact: Callable[[Row, str, datetime], None] | None = None


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic of `/help`.

    Attributes:
        title: at most 100 characters.
        text: writes it, in blocks: with tiles as emojis or None for squares, and with pegs.
    """

    name: str
    title: str
    text: Callable[[Tiles | None, Pegs], list[str]]


class FinishedGame(Protocol):
    """A player's finished game, as a list has it; `kind` tells how to open its board."""

    @property
    def id(self) -> int: ...
    @property
    def finished_at(self) -> datetime: ...
    @property
    def kind(self) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenGames:
    """A player's unfinished games, as *My games* lists them.

    Attributes:
        noun: the class of these games.
        find: reads a player's games.
        line: describes a game from a player's point of view.
        post: the address of the post at which a game is played; None if it has private boards.
        on_page: names a game that the web page shows; None where it shows none of them.
    """

    noun: type[Any]
    find: Callable[[Transaction, int, datetime], Sequence[Any]]
    line: Callable[[Any, int], str]
    post: Callable[[Any], str] | None = None
    on_page: Callable[[Any], GameName | None] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedGames:
    """A player's finished games, as *My games* lists them and the coach looks at them.

    Attributes:
        source: how these games are named, and stored.
        title: what the coach calls them; empty for FoCdle, each of which has a name.
        noun: the class of these games, made by `stored` of what `rows` selects.
        ended: queries of id and end of a player's games; none selects a game of another's.
        rows: selects a player's games with these ids.
        line: describes a game from a player's point of view.
        review: finds a game whose guesses a player may have reviewed.
        play: reads a player's own FoCdle, for lessons; None for other games.
    """

    source: Source
    noun: Any
    ended: Callable[[int], Sequence[Select[*tuple[Any, ...]]]]
    rows: Callable[[int, Collection[int]], Select[*tuple[Any, ...]]]
    line: Callable[[Any, int], str]
    review: Callable[[Transaction, int, GameName, datetime], Finished]
    title: str = ""
    play: Callable[[Transaction, int, GameName, datetime], Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What statistics count of a feature, besides its games' own sections.

    Attributes:
        noun: the class of the counts.
        count: counts for a player.
        section: writes the section on these counts; empty if there are none.
    """

    noun: type[Any]
    count: Callable[[Transaction, int], Any]
    section: Callable[[Any], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """A game, as the shared parts of the bot see it.

    Attributes:
        sentences: the sentences of its refusals that its pages write.
        gone: its refusals of games that are no longer there, or somebody else's.
        sections: its sections of an export.
        leave: ends what goes on for a player whose data are being deleted; may return log lines.
        erase: deletes what is only the player's; then a stand-in takes their place in the rest.
        show_anew: queues public messages that name a player for an edit.
        drop_ended: deletes some games in nobody's record, at most so many, and returns how many:
            those that ended by that time and were never played, and those of deleted players.
        tally: what statistics count of it.
        topics: its topics of `/help`.
        commands: what its commands do, in the first topic of `/help`.
        together: what `/play` says of it among the games with others; empty if it is not there.
    """

    sentences: Sentences = field(default_factory=dict[Any, Any])
    gone: tuple[type[Refused], ...] = ()
    sections: tuple[Section, ...] = ()
    leave: Callable[[Transaction, int, datetime], Iterable[str] | None] | None = None
    erase: Callable[[Transaction, int], None] | None = None
    show_anew: Callable[[Transaction, int, datetime], None] | None = None
    drop_ended: Callable[[Transaction, datetime, int], int] | None = None
    unfinished: OpenGames | None = None
    finished: EndedGames | None = None
    tally: Tally | None = None
    topics: tuple[Topic, ...] = ()
    commands: tuple[str, ...] = ()
    together: str = ""
