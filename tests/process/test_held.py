"""Another program holds the database: every click is answered in time, and none counts twice."""

import asyncio
from typing import Final

import pytest

from tests.process.host import Host
from tests.process.launch import PATIENCE
from tests.process.loopback import Loopback
from tests.process.players import Player, stored_turns
from tests.support.databases import used
from tests.support.sessions import Answer

_CROWDS: Final = 8
# Longer than a busy machine takes to show what needs no wait.
_BUSY_AFTER_SECONDS: Final = "20"
_CROWD: Final = 5
_LOOKS: Final = "leaderboard", "stats", "preferences", "help", "play"


@pytest.mark.long(only=True)
async def test_every_click_is_answered_while_another_program_locks_the_database(
    host: Host, discord: Loopback
) -> None:
    host.environment[PATIENCE] = _BUSY_AFTER_SECONDS
    begun, new = ([Player(first + n) for n in range(_CROWD * _CROWDS)] for first in (1, 1001))
    host.fork()
    session = await discord.next_session()
    for player in begun:
        assert player.hear(await player.guess(session))
    guesses: list[asyncio.Future[Answer]] = []
    looks: list[asyncio.Future[Answer]] = []
    with used().held(host.folder):
        for crowd in range(_CROWDS):
            players = [*begun, *new][crowd::_CROWDS]
            guesses += [await player.type_guess(session) for player in players]
            looks += [await session.type_command(2001 + crowd, name) for name in _LOOKS]
        answers = await asyncio.gather(*guesses, *looks)
    # Whoever only looks is shown what they asked for, though the bot has never met them.
    assert [answer for answer in answers if "busy" in answer.text] == answers[: len(guesses)]
    # Nothing was kept of what was refused, and what is sent again counts once.
    assert stored_turns(host) == {p.number: [(0, p.guesses[0])] for p in begun}
    for player in (*begun, *new):
        assert player.hear(await player.guess(session))
    turns = {p.number: list(enumerate(p.guesses[: p.acknowledged])) for p in (*begun, *new)}
    assert stored_turns(host) == turns
    assert "Traceback" not in host.log
