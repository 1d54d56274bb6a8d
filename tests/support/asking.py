"""Asks a bot how it is, as programs that look after it do."""

import re
import socket
from typing import Any

import aiohttp

from tests.support.waiting import until_so


def free_port() -> int:
    """A port of this machine's at which nobody listens now."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


class Asker:
    """Asks at a port of this machine's.

    Args:
        port: which one.
    """

    def __init__(self, port: int) -> None:
        self.port = port

    async def ask(self, path: str) -> tuple[int, str]:
        """The status and the text of an answer; 0 for none."""
        url = f"http://127.0.0.1:{self.port}{path}"
        try:
            async with aiohttp.ClientSession() as session, session.get(url) as answer:
                return answer.status, await answer.text()
        except aiohttp.ClientConnectionError:
            return 0, ""

    async def missing(self) -> list[str] | None:
        """What is missing before the bot is ready; None while nobody answers."""
        url = f"http://127.0.0.1:{self.port}/readyz"
        try:
            async with aiohttp.ClientSession() as session, session.get(url) as answer:
                said: dict[str, Any] = await answer.json()
        except aiohttp.ClientConnectionError:
            return None
        assert said["ready"] is (answer.status == 200)
        assert (answer.status == 503) is bool(said["missing"])
        missing: list[str] = said["missing"]
        return missing

    async def until_missing(self, *what: str) -> None:
        """Wait until exactly this is missing."""

        async def is_so() -> bool:
            return await self.missing() == [*what]

        await until_so(is_so)

    async def figures(self) -> dict[str, float]:
        """All figures, by name and labels."""
        status, text = await self.ask("/metrics")
        assert status == 200
        return read(text)


def read(text: str) -> dict[str, float]:
    """The figures in an exposition, by name and labels."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


def names(text: str) -> set[str]:
    """What figures in an exposition are called, whatever their labels."""
    return {re.split(r"[{ ]", line)[0] for line in text.splitlines() if line[:1] not in {"#", ""}}


def labels(text: str) -> set[str]:
    """All values of labels in an exposition."""
    return {*re.findall(r'="([^"]*)"', text)}
