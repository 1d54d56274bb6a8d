"""What becomes of answers that do not arrive: guesses stay, and each is a line in the log.

A traceback would say that the bot is to blame.
"""

import asyncio
import resource
import signal

import pytest

from tests.process.host import Host
from tests.process.loopback import Loopback, Mishap
from tests.process.players import Player, stored_turns
from tests.support.sessions import Answer


@pytest.mark.long(only=True)
async def test_a_guess_is_stored_even_when_its_answer_does_not_arrive(
    host: Host, discord: Loopback
) -> None:
    players = {mishap: Player(number) for number, mishap in enumerate(Mishap, start=1)}
    run = host.fork()
    session = await discord.next_session()
    answers: dict[Mishap, asyncio.Future[Answer]] = {}
    for tries, (mishap, player) in zip((2, 2, 1), players.items(), strict=True):
        before = discord.asked("POST", "/callback")
        discord.mishaps = [mishap]
        answers[mishap] = await player.type_guess(session)
        await discord.until_asked("POST", "/callback", before + tries)
        await host.until_logged(f"play {player.number} of")
    # Whoever waits for an answer is told, if that can be, what has become of the guess.
    told = answers[Mishap.LOST].result().text
    assert "Your guess is kept" in told
    assert "`/play`" in told
    assert players[Mishap.SHOWN].hear(answers[Mishap.SHOWN].result())
    assert not answers[Mishap.TOO_LATE].done()
    run.signal(signal.SIGTERM)
    assert await run.status() == 0
    assert stored_turns(host) == {p.number: [(0, p.guesses[0])] for p in players.values()}
    assert "Traceback" not in host.log
    for number in (10062, 40060):
        assert host.log.count(f"error code: {number}") == 1


@pytest.mark.sqlite  # a server's disk is not the bot's
async def test_a_full_disk_is_told_to_the_player_and_logged_without_a_traceback(
    host: Host, discord: Loopback
) -> None:
    player = Player(1)
    run = host.fork()
    session = await discord.next_session()
    assert player.hear(await player.guess(session))
    size = max(path.stat().st_size for path in host.folder.iterdir())
    resource.prlimit(run.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
    answer = await player.guess(session)
    assert not player.hear(answer)
    assert "can't save anything" in answer.text
    assert "Everything saved so far is safe" in answer.text
    # With room again, the game goes on where it was.
    resource.prlimit(
        run.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    )
    assert player.hear(await player.guess(session))
    assert stored_turns(host) == {1: list(enumerate(player.guesses[:2]))}
    assert "Traceback" not in host.log
    assert "the database cannot be used" in host.log


@pytest.mark.long(only=True)
async def test_a_signal_to_stop_amid_many_guesses_causes_no_traceback(
    host: Host, discord: Loopback
) -> None:
    players = [Player(number) for number in range(1, 31)]
    discord.seconds_to_arrive = 0.8  # longer than there is for last answers
    run = host.fork()
    session = await discord.next_session()
    for player in players:
        await player.type_guess(session)
    await session.until_heard()
    run.signal(signal.SIGTERM)
    assert await run.status() == 0
    assert "Traceback" not in host.log
    for player in players:
        assert player.may_have_left(stored_turns(host).get(player.number, []))
