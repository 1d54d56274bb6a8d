"""Statements that are compiled once, and from then on executed by the driver alone.

SQLAlchemy makes a key of a statement each time, looks up by it what it has compiled, and sets up
whatever an execution may need: for a statement of ours that is several times what SQLite takes.
So what it has compiled is kept beside the statement, as long as that lives. It pays for those that
are built once, at the head of a module; others live for one execution, and are compiled as ever.
"""

from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVarTuple, cast
from weakref import WeakKeyDictionary

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    CursorResult,
    Dialect,
    Executable,
    SelectBase,
    UpdateBase,
)
from sqlalchemy.engine import IteratorResult
from sqlalchemy.engine.interfaces import BindTyping
from sqlalchemy.engine.result import SimpleResultMetaData
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.types import TypeEngine

Ts = TypeVarTuple("Ts")
Parameters = Mapping[str, Any] | Sequence[Mapping[str, Any]] | None

_LONG: Final = 20
"""A longer list in a statement is left to SQLAlchemy: each length has a text of its own."""

_Process = Callable[[Any], Any] | None
_Column = tuple[str, ColumnElement[Any], TypeEngine[Any]]


class Rows(IteratorResult[*Ts]):
    """What comes of a prepared statement.

    Args:
        shape: what its columns are called.
        rows: as their types give them.
        rowcount: how many rows were changed.
    """

    def __init__(
        self, shape: SimpleResultMetaData, rows: Iterator[tuple[Any, ...]], rowcount: int
    ) -> None:
        super().__init__(shape, rows)
        self.rowcount = rowcount


@dataclass(frozen=True, slots=True)
class _Value:
    """What the driver is given at a place.

    Attributes:
        name: of the parameter; None for a value that never changes.
        place: which of a list's values it is; None for the parameter itself.
        fixed: the value that never changes.
        process: makes it what the driver takes.
    """

    name: str | None
    place: int | None = None
    fixed: Any = None
    process: _Process = None

    def of(self, parameters: Mapping[str, Any]) -> Any:
        """The value among parameters, as the driver takes it."""
        if self.name is None:
            return self.fixed
        found = parameters[self.name]
        if self.place is not None:
            found = found[self.place]
        return found if self.process is None else self.process(found)


class Prepared:
    """A statement as a dialect writes it, for parameters of certain names, and lists of one length.

    Args:
        compiled: the statement.
        columns: what its rows have; nothing where it gives none.
        sample: parameters of these names.
    """

    def __init__(
        self, compiled: SQLCompiler, columns: Sequence[_Column], sample: Mapping[str, Any]
    ) -> None:
        self._dialect: Final = compiled.dialect
        self._sql = str(compiled)
        order = compiled.positiontup
        lists: dict[str, tuple[str, int]] = {}
        if compiled.post_compile_params:
            state = compiled.construct_expanded_state(dict(sample))
            self._sql, order = state.statement, state.positiontup
            for name, parts in state.parameter_expansion.items():
                lists |= {part: (name, place) for place, part in enumerate(parts)}
        self._values: Final = [
            self._value(compiled.binds[name], place, sample)
            for name, place in (lists.get(name, (name, None)) for name in order or ())
        ]
        self._columns: Final = columns
        self._shape: Final = SimpleResultMetaData(
            [name for name, _, _ in columns], [(column,) for _, column, _ in columns]
        )
        self._processes: list[tuple[int, Callable[[Any], Any]]] | None = None

    def bind(self, parameters: Parameters) -> list[list[Any]]:
        """The values of each execution, as the driver takes them.

        Raises:
            KeyError, TypeError, ValueError: the parameters are not what it takes.
        """
        return [*map(self._bound, _several(parameters) or [_one(parameters)])]

    def execute(
        self, connection: Connection, values: Sequence[list[Any]], *, is_many: bool
    ) -> "Rows[*tuple[Any, ...]]":
        """Execute it; all of its rows.

        Args:
            connection: where.
            values: from `bind`.
            is_many: whether it is executed for each of several.

        Raises:
            DBAPIError: as SQLAlchemy raises it.
        """
        cursor = connection.connection.cursor()
        try:
            if is_many:
                cursor.executemany(self._sql, values)
            else:
                cursor.execute(self._sql, values[0])
            rows: list[Any] = list(cursor.fetchall()) if self._columns else []
        except self._dialect.loaded_dbapi.Error as error:
            raise self._told(error, is_many=is_many) from error
        finally:
            cursor.close()
        if self._processes is None:
            self._processes = self._processed_by(cursor.description)
        return Rows(self._shape, iter(self._read(rows)), cursor.rowcount)

    def _value(
        self, bind: BindParameter[Any], place: int | None, sample: Mapping[str, Any]
    ) -> _Value:
        process: _Process = bind.type.dialect_impl(self._dialect).bind_processor(self._dialect)
        if bind.key in sample:
            return _Value(bind.key, place, process=process)
        value: Any = bind.effective_value
        if place is not None:
            value = value[place]
        return _Value(None, fixed=value if process is None else process(value))

    def _bound(self, parameters: Mapping[str, Any]) -> list[Any]:
        """Parameters in the driver's order, as it takes them."""
        return [value.of(parameters) for value in self._values]

    def _processed_by(self, description: Any) -> list[tuple[int, Callable[[Any], Any]]]:
        """Which columns of a row are not yet what they should be, and what makes them so."""
        if not self._columns:
            return []
        found = (
            (place, kind.dialect_impl(self._dialect).result_processor(self._dialect, code[1]))
            for place, ((_, _, kind), code) in enumerate(
                zip(self._columns, description, strict=True)
            )
        )
        return [(place, process) for place, process in found if process is not None]

    def _read(self, rows: list[Any]) -> list[tuple[Any, ...]]:
        if not self._processes:
            return rows
        found: list[tuple[Any, ...]] = []
        for row in rows:
            read = list(row)
            for place, process in self._processes:
                read[place] = process(read[place])
            found.append(tuple(read))
        return found

    def _told(self, error: Exception, *, is_many: bool) -> BaseException:
        """An error of the driver's as SQLAlchemy tells it, without the parameters."""
        return DBAPIError.instance(
            self._sql,
            None,
            error,
            self._dialect.loaded_dbapi.Error,
            hide_parameters=True,
            dialect=self._dialect,
            ismulti=is_many,
        )


def _several(parameters: Parameters) -> Sequence[Mapping[str, Any]] | None:
    """For each of which a statement is executed, one at least; None for once."""
    return None if not parameters or isinstance(parameters, Mapping) else parameters


def _one(parameters: Parameters) -> Mapping[str, Any]:
    return parameters if isinstance(parameters, Mapping) else {}


_kept: Final[MutableMapping[Executable, dict[tuple[object, ...], Prepared | None]]] = (
    WeakKeyDictionary()
)
"""By statement, and by dialect and parameters; None where SQLAlchemy has to do more than that."""


def execute(
    connection: Connection, statement: Executable, parameters: Parameters
) -> "CursorResult[*tuple[Any, ...]] | Rows[*tuple[Any, ...]]":
    """Execute a statement; one that is met again is prepared."""
    known = _kept.get(statement)
    if known is None:
        if isinstance(statement, SelectBase | UpdateBase):
            _kept[statement] = {}
        return connection.execute(statement, parameters)
    several = _several(parameters)
    is_many, sample = several is not None, _one(parameters) if several is None else several[0]
    key = (connection.dialect, is_many, *_form(sample))
    if key not in known:
        known[key] = prepare(statement, connection.dialect, sample, is_many=is_many)
    prepared = known[key]
    if prepared is None:
        return connection.execute(statement, parameters)
    try:
        values = prepared.bind(parameters)
    except (KeyError, TypeError, ValueError):  # SQLAlchemy says what is wrong with them
        return connection.execute(statement, parameters)
    return prepared.execute(connection, values, is_many=is_many)


def prepare(
    statement: Executable, dialect: Dialect, sample: Mapping[str, Any], *, is_many: bool
) -> Prepared | None:
    """A statement, compiled; None for one of which SQLAlchemy makes another text each time.

    Args:
        statement: it.
        dialect: what it is written in.
        sample: parameters; others must have the same names, and lists the same lengths.
        is_many: whether it is executed for each of several at once.
    """
    if not isinstance(statement, SelectBase | UpdateBase):
        return None
    compiled = statement.compile(dialect=dialect, column_keys=list(sample), for_executemany=is_many)
    binds = compiled.bind_names
    if not _is_fixed(compiled) or any(bind.required and bind.key not in sample for bind in binds):
        return None
    columns = [
        (str(name), column, column.type) for name, column in statement.exported_columns.items()
    ]
    has_lists = bool(compiled.post_compile_params)
    is_long = any(count > _LONG for count in _form(sample) if isinstance(count, int))
    if (is_many and (columns or has_lists)) or is_long:
        return None
    return Prepared(compiled, columns, sample)


def _form(sample: Mapping[str, Any]) -> Iterator[str | int]:
    """What must be alike in parameters with which the same text is executed."""
    for name, value in sample.items():
        yield name
        if isinstance(value, list):
            yield len(cast("list[Any]", value))


def _is_fixed(compiled: SQLCompiler) -> bool:
    """Whether a text and values in their order are all that is executed, but for lists."""
    return (
        bool(compiled.positional)
        and compiled.dialect.bind_typing is not BindTyping.SETINPUTSIZES
        and not compiled.literal_execute_params
        and not compiled.escaped_bind_names
        and not (compiled.isinsert and compiled.insert_prefetch)
        and not (compiled.isupdate and compiled.update_prefetch)
    )
