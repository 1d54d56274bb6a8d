"""Simulated players: their acts, their boards, and checks of the answers."""

import asyncio
import json
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from typing import Final

from benchmarks.load import empty_bot
from tests.support.payloads import (
    COMMAND,
    FORM,
    PRESS,
    Payload,
    command,
    custom_ids,
    form,
    in_server,
    interaction,
    pick,
    press,
    usable,
)
from tests.support.sessions import Answer, Sent, Session

_UPDATE: Final = 7
_LENGTH: Final = 10
_TRIES: Final = 10
_BETWEEN_TRIES_SECONDS: Final = 1.0
_GUESS: Final = "fd:guess:"
_MENDS: Final = ("fd:edit:", "fd:probe:")
_MORE, _ASK, _GIVE_UP, _COACH = "fd:more:", "fd:ask:", "fd:end:", "coach:see:"
_KEYPAD: Final = "fd:keypad:"
_LINK: Final = re.compile(r"https?://[^\"]+/#[\w-]+\.[a-z]+-\d+")
_PERIOD: Final = "lb:period:"


class Act(StrEnum):
    GUESS = "guess"
    """Sends a guess in a form that is open."""
    FORM = "form"
    """Opens that form."""
    LEADERBOARD = "leaderboard"
    LIST = "list"
    """Chooses another period in the list of a leaderboard."""
    PLAY = "play"
    STATS = "stats"
    COACH = "coach"


MIX: Final[Mapping[Act, int]] = {
    Act.GUESS: 40,
    Act.FORM: 25,
    Act.LEADERBOARD: 8,
    Act.LIST: 5,
    Act.PLAY: 10,
    Act.STATS: 10,
    Act.COACH: 2,
}
"""What players do in a mixed crowd, of a hundred acts."""


class UnansweredError(Exception):
    """A preparation failed before the measurement."""


class Player(ABC):
    """A player in a server with a private board, guessing codes from an index of their own."""

    def __init__(self, number: int, guild_id: int, session: Session, codes: Sequence[str]) -> None:
        self._place = in_server(number, guild_id)
        self._session = session
        self._codes = codes
        self._guesses = number
        self._board: Payload = {}
        self._form = ""

    async def get_ready(self, act: Act) -> None:
        """Prepare an act; again, if the bot is busy."""
        for _ in range(_TRIES - 1):
            with suppress(UnansweredError):
                await self._prepare(act)
                return
            await asyncio.sleep(_BETWEEN_TRIES_SECONDS)
        await self._prepare(act)

    @abstractmethod
    async def _prepare(self, act: Act) -> None:
        pass

    @abstractmethod
    async def do(self, act: Act) -> Sent: ...

    @abstractmethod
    def hear(self, act: Act, answer: Answer) -> bool:
        """Take the answer in; return true if it is the requested one."""

    async def _type(self, name: str, **options: str | int) -> Sent:
        return await self._send(COMMAND, command(name, options))

    async def _open_form(self, prefix: str) -> str:
        opened = await _answer(await self._press(prefix, self._board))
        if "custom_id" not in opened.data:
            raise UnansweredError(prefix)
        found: str = opened.data["custom_id"]
        return found

    async def _press(self, prefix: str, board: Payload) -> Sent:
        """Press a board's button whose id begins so."""
        return await self._send(PRESS, press(_find(prefix, board)["custom_id"]), board)

    async def _submit(self) -> Sent:
        """Send the form with the next guess."""
        self._guesses += 1
        guess = self._codes[self._guesses % len(self._codes)]
        return await self._send(FORM, form(self._form, "guess", guess), self._board)

    async def _send(self, kind: int, data: Payload, board: Payload | None = None) -> Sent:
        return await self._session.send(interaction(kind, data, self._place, board))


class RealPlayer(Player):
    """A player of the real bot: of the daily, and then of practices."""

    def __init__(self, number: int, guild_id: int, session: Session, codes: Sequence[str]) -> None:
        super().__init__(number, guild_id, session, codes)
        self._has_played_today = False
        self._finished: Payload = {}
        self._leaderboard: Payload = {}

    async def _prepare(self, act: Act) -> None:
        """Open a running board with its form, a finished one for the coach, or a leaderboard."""
        if act in {Act.GUESS, Act.FORM} and not self._form:
            await self._open_board()
        if act is Act.COACH and not self._finished:
            await self._finish_one()
        if act is Act.LIST and not self._leaderboard:
            shown = (await _answer(await self._type(Act.LEADERBOARD))).message
            _find(_PERIOD, shown)
            self._leaderboard = shown

    async def _open_board(self) -> None:
        if self._has_played_today:
            opened = await _answer(await self._type("practice", length=_LENGTH))
        else:
            opened = await _answer(await self._type("focdle"))
        self._board = opened.message
        self._form = await self._open_form(_GUESS)
        self._has_played_today = True

    async def link(self) -> str:
        """Press *Keypad* under the open board, and return the link to the page."""
        shown = await _answer(await self._press(_KEYPAD, self._board))
        found = _LINK.search(json.dumps(shown.message))
        if found is None:
            raise UnansweredError(_KEYPAD)
        return found[0]

    async def _finish_one(self) -> None:
        self._has_played_today = True
        self._form = ""
        await self._open_board()
        self.hear(Act.GUESS, await _answer(await self._submit()))
        unfolded = await _answer(await self._press(_MORE, self._board))
        asked = await _answer(await self._press(_ASK, unfolded.message))
        finished = (await _answer(await self._press(_GIVE_UP, asked.message))).message
        self._form = ""
        _find(_COACH, finished)
        self._finished = finished

    async def do(self, act: Act) -> Sent:
        if act is Act.GUESS:
            return await self._submit()
        if act is Act.FORM:
            return await self._press(_GUESS, self._board)
        if act is Act.COACH:
            return await self._press(_COACH, self._finished)
        if act is Act.LIST:
            periods = _find(_PERIOD, self._leaderboard)
            chosen = pick(periods, periods["options"][0]["value"])
            return await self._send(PRESS, chosen, self._leaderboard)
        return await self._type(act)

    def hear(self, act: Act, answer: Answer) -> bool:
        """Return true if the guess was played, or the answer is the requested page."""
        ids = [*custom_ids(answer.data)]
        if act is Act.GUESS:
            if answer.type != _UPDATE or any(i.startswith(_MENDS) for i in ids):
                return False
            self._board = answer.message
            if not any(i.startswith(_GUESS) for i in ids):  # the game has ended
                self._form = ""
        return act is Act.COACH or any(i.startswith(_LEADS_ON[act]) for i in ids)


class EmptyPlayer(Player):
    """A player of the empty bot, which has one command and one board."""

    async def _prepare(self, act: Act) -> None:
        """Open a board and its form; the library takes each form once."""
        if not self._board:
            self._board = (await _answer(await self._type(empty_bot.COMMAND))).message
        if act is Act.GUESS:
            self._form = await self._open_form(empty_bot.GUESS)

    async def do(self, act: Act) -> Sent:
        if act is Act.GUESS:
            return await self._submit()
        if act is Act.FORM:
            return await self._press(empty_bot.GUESS, self._board)
        return await self._type(empty_bot.COMMAND)

    def hear(self, act: Act, answer: Answer) -> bool:
        """Return true if the answer is the form or the board."""
        wanted = "guess" if act is Act.FORM else empty_bot.GUESS
        return any(i.startswith(wanted) for i in custom_ids(answer.data))


_LEADS_ON: Final[Mapping[Act, str]] = {
    Act.GUESS: "fd:",
    Act.FORM: "guess",
    Act.LEADERBOARD: "lb:",
    Act.LIST: "lb:",
    Act.PLAY: "play:",
    Act.STATS: "help:",
}
"""How an id begins that must be in the answer."""


def _find(prefix: str, board: Payload) -> Payload:
    """Find a board's button or list whose id begins so."""
    found = next((part for part in usable(board) if part["custom_id"].startswith(prefix)), None)
    if found is None:
        raise UnansweredError(prefix)
    return found


async def _answer(sent: Sent) -> Answer:
    try:
        return await sent.within()
    except TimeoutError as error:
        raise UnansweredError from error
