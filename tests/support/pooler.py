"""A pooler in transaction mode: all who connect to it share one connection to a server in turn."""

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

_GONE = (asyncio.IncompleteReadError, ConnectionError)


@asynccontextmanager
async def pooled(server: Path, folder: Path) -> AsyncGenerator[None]:
    """A pooler before the server whose socket is in one folder; its own is in the other."""
    reader, writer = await asyncio.open_unix_connection(str(server / ".s.PGSQL.5432"))
    pooler = _Pooler(reader, writer)
    serving = await asyncio.start_unix_server(pooler.serve, str(folder / ".s.PGSQL.5432"))
    yield
    await pooler.all_gone()
    serving.close()
    writer.close()
    await writer.wait_closed()


class _Pooler:
    def __init__(self, reader: StreamReader, writer: StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._turn = asyncio.Lock()
        self._welcome = b""
        self._serving: list[asyncio.Task[None] | None] = []

    async def all_gone(self) -> None:
        """Wait until everybody has hung up."""
        await asyncio.gather(*filter(None, self._serving))

    async def serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        """Let somebody in as whoever was the first, and then have the server between two turns."""
        self._serving.append(asyncio.current_task())
        with suppress(*_GONE):
            first = await reader.readexactly(4)
            first += await reader.readexactly(int.from_bytes(first) - 4)
            async with self._turn:
                if not self._welcome:
                    self._writer.write(first)
                    self._welcome = await self._answer()
            writer.write(self._welcome)
            while True:
                message = await _message(reader)
                if message[:1] == b"X":  # which ends the connection
                    break
                async with self._turn:
                    await self._transaction(message, reader, writer)
        writer.close()
        with suppress(*_GONE):
            await writer.wait_closed()

    async def _transaction(
        self, message: bytes, reader: StreamReader, writer: StreamWriter
    ) -> None:
        self._writer.write(message)
        back = asyncio.create_task(self._carry_back(writer))
        while True:
            there = asyncio.create_task(_message(reader))
            await asyncio.wait({back, there}, return_when=asyncio.FIRST_COMPLETED)
            if not there.done():
                there.cancel()
                await asyncio.wait({there})
                return
            if back.done():
                back = asyncio.create_task(self._carry_back(writer))
            self._writer.write(there.result())

    async def _carry_back(self, writer: StreamWriter) -> None:
        """Hand out answers until the server is idle, and that outside of a transaction."""
        message = b""
        while message[:1] + message[-1:] != b"ZI":
            message = await _message(self._reader)
            writer.write(message)

    async def _answer(self) -> bytes:
        """All until the server is ready for the next query."""
        found = b""
        while True:
            message = await _message(self._reader)
            found += message
            if message[:1] == b"Z":
                return found


async def _message(reader: StreamReader) -> bytes:
    head = await reader.readexactly(5)
    return head + await reader.readexactly(int.from_bytes(head[1:]) - 4)
