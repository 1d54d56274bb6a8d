"""What a player has seen acknowledged is never lost, however the bot ends."""

import asyncio
import random
import signal
from typing import Final

import pytest

from tests.process.host import Host
from tests.process.loopback import Loopback
from tests.process.players import Player, playing, stored_turns
from tests.support.databases import used
from tests.support.effort import either

_ROUNDS: Final = either(4, 40)
_PLAYERS: Final = 4
_MOST_ACKNOWLEDGED: Final = 12
_MOST_SECONDS: Final = 0.01


@pytest.mark.long
async def test_every_acknowledged_guess_outlives_every_kill(host: Host, discord: Loopback):
    dice = random.Random(2026)
    everybody: list[Player] = []
    for number in range(1, _ROUNDS + 1):
        players = [Player(1000 * number + seat) for seat in range(_PLAYERS)]
        everybody += players
        run = host.fork()
        async with playing(players, await discord.next_session()) as until_acknowledged:
            await until_acknowledged(dice.randint(1, _MOST_ACKNOWLEDGED))
            await asyncio.sleep(dice.uniform(0, _MOST_SECONDS))
            assert not all(player.is_done for player in players)
            run.signal(signal.SIGKILL)
            assert await run.status() == -signal.SIGKILL

    stored = stored_turns(host)
    assert stored.keys() <= {player.number for player in everybody}
    for player in everybody:
        turns = stored.get(player.number, [])
        assert player.may_have_left(turns), (player.guesses, player.acknowledged, turns)
    assert used().are_whole(host.folder)
    assert sum(player.acknowledged for player in everybody) >= 5 * _ROUNDS
