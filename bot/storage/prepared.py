"""Statements that are compiled once, and from then on executed by the driver alone.

SQLAlchemy makes a key of a statement each time, looks up by it what it has compiled, and sets up
whatever an execution may need: for a statement of ours that is several times what SQLite takes.
So what it has compiled is kept beside the statement, as long as that lives. It pays for those that
are built once, at the head of a module; others live for one execution, and are compiled as ever.
"""

from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from typing import Any, Final, TypeVarTuple
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


class Prepared:
    """A statement as a dialect writes it, for parameters of certain names.

    Args:
        compiled: the statement.
        columns: what its rows have; nothing where it gives none.
        names: of the parameters.
    """

    def __init__(
        self, compiled: SQLCompiler, columns: Sequence[_Column], names: frozenset[str]
    ) -> None:
        self._dialect: Final = compiled.dialect
        self._sql: Final = str(compiled)
        binds = [compiled.binds[name] for name in compiled.positiontup or ()]
        self._values: Final = [self._value(bind, names) for bind in binds]
        self._columns: Final = columns
        self._shape: Final = SimpleResultMetaData(
            [name for name, _, _ in columns], [(column,) for _, column, _ in columns]
        )
        self._processes: list[tuple[int, Callable[[Any], Any]]] | None = None

    def execute(self, connection: Connection, parameters: Parameters) -> "Rows[*tuple[Any, ...]]":
        """Execute it; all of its rows.

        Raises:
            DBAPIError: as SQLAlchemy raises it.
            KeyError, TypeError, ValueError: the parameters are not what it takes.
        """
        several = _several(parameters)
        values = [*map(self._bound, several or [_one(parameters)])]
        cursor = connection.connection.cursor()
        try:
            if several is None:
                cursor.execute(self._sql, values[0])
            else:
                cursor.executemany(self._sql, values)
            rows: list[Any] = list(cursor.fetchall()) if self._columns else []
        except self._dialect.loaded_dbapi.Error as error:
            raise self._told(error, is_many=several is not None) from error
        finally:
            cursor.close()
        if self._processes is None:
            self._processes = self._processed_by(cursor.description)
        return Rows(self._shape, iter(self._read(rows)), cursor.rowcount)

    def _value(self, bind: BindParameter[Any], names: frozenset[str]) -> tuple[str, Any, _Process]:
        """The name of a parameter, or none and what it always is; what makes it the driver's."""
        process: _Process = bind.type.dialect_impl(self._dialect).bind_processor(self._dialect)
        if bind.key in names:
            return bind.key, None, process
        value = bind.effective_value
        return "", value if process is None else process(value), None

    def _bound(self, parameters: Mapping[str, Any]) -> list[Any]:
        """Parameters in the driver's order, as it takes them."""
        return [
            (parameters[name] if process is None else process(parameters[name])) if name else value
            for name, value, process in self._values
        ]

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
    names = (*(_one(parameters) if several is None else several[0]),)
    key = (connection.dialect, several is not None, names)
    if key not in known:
        known[key] = prepare(statement, connection.dialect, names, is_many=several is not None)
    prepared = known[key]
    if prepared is not None:
        try:
            return prepared.execute(connection, parameters)
        except (KeyError, TypeError, ValueError):
            pass  # SQLAlchemy says what is wrong with the parameters
    return connection.execute(statement, parameters)


def prepare(
    statement: Executable, dialect: Dialect, names: Sequence[str], *, is_many: bool
) -> Prepared | None:
    """A statement, compiled; None for one of which SQLAlchemy makes another text each time."""
    if not isinstance(statement, SelectBase | UpdateBase):
        return None
    compiled = statement.compile(dialect=dialect, column_keys=list(names), for_executemany=is_many)
    if not _is_fixed(compiled):
        return None
    if any(bind.required and bind.key not in names for bind in compiled.bind_names):
        return None
    columns = [
        (str(name), column, column.type) for name, column in statement.exported_columns.items()
    ]
    if is_many and columns:
        return None
    return Prepared(compiled, columns, frozenset(names))


def _is_fixed(compiled: SQLCompiler) -> bool:
    """Whether a text and values in their order are all that is executed."""
    return (
        bool(compiled.positional)
        and compiled.dialect.bind_typing is not BindTyping.SETINPUTSIZES
        and not compiled.post_compile_params
        and not compiled.literal_execute_params
        and not compiled.escaped_bind_names
        and not (compiled.isinsert and compiled.insert_prefetch)
        and not (compiled.isupdate and compiled.update_prefetch)
    )
