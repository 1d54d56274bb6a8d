"""Clicks on duels count once and only where they may, however the bot ends among them."""

import asyncio
import random
import re
import signal
from typing import Any, Final

import pytest

from tests.process.duelling import GUILD, Club, ids, text
from tests.process.host import Host, Run
from tests.process.loopback import Loopback
from tests.support import duel_oracle as oracle
from tests.support.databases import used
from tests.support.duel_oracle import Stored
from tests.support.sessions import Answer
from tests.support.sql import insert, named
from tests.support.waiting import until

ANN, BEN = 1001, 1002
STRANGERS: Final = (1003, 1004, 1005)
NUMBERS: Final = {ANN: "0123", BEN: "4567"}
CODES: Final = [code for n in range(8000, 10_000) if len(set(code := str(n))) == 4]
# Two guesses each; who is told that the bot is busy tries again.
MOST_ROUNDS: Final = 6
AT_ONCE: Final = 200
# On a busy machine all may be answered before the first answers are heard.
_EDITED, _TOLD = 7, 4

Guess = tuple[int, str]


def all_stored(host: Host) -> list[Stored]:
    return [*oracle.read(host.folder).values()]


def stored(host: Host) -> Stored:
    """The only duel there is."""
    (duel,) = all_stored(host)
    return duel


def moves(duel: Stored) -> list[Guess]:
    return [(duel.players[move.seat] or 0, move.code) for move in duel.moves]


async def begin(club: Club) -> dict[str, Any]:
    """A duel in which both have set their numbers; its board."""
    board = await club.challenge(ANN, BEN, NUMBERS[ANN])
    await club.accept(BEN, board, NUMBERS[BEN])
    return board


Clicks = list[tuple[Guess | None, asyncio.Future[Answer]]]


async def kill_at_a_move(run: Run, clicks: Clicks, host: Host) -> None:
    """End the bot with the first answer after which a move is stored; most are still to come."""

    def heard(_: asyncio.Future[Answer]) -> None:
        if not killed and stored(host).moves:
            killed.append(run)
            run.signal(signal.SIGKILL)

    killed: list[Run] = []
    for _, answer in clicks:
        answer.add_done_callback(heard)
    assert await run.status() == -signal.SIGKILL


async def until_boards_are_shown(host: Host) -> None:
    """Wait for what a busy bot leaves to the duels' clock: seconds if any, mostly none."""
    await until(lambda: not host.query("SELECT id FROM duels WHERE stale_at IS NOT NULL"))


async def click_fifty_times(
    club: Club, board: dict[str, Any], codes: list[str], dice: random.Random
) -> Clicks:
    """Guesses, each sent twice, and all kinds of presses, in any order and all at once."""
    guesses = [(who, code) for code in codes for who in (ANN, BEN) for _ in range(2)]
    guesses += [(who, NUMBERS[other]) for who in STRANGERS for other in (ANN, BEN)]
    presses = [(who, act) for who in STRANGERS for act in ("guess", "offer", "page", "ask")]
    presses += [(who, act) for who in (ANN, BEN) for act in ("page", "guess")]
    clicks: list[tuple[int, str, str]] = [
        *((who, "", code) for who, code in guesses),
        *((who, act, "") for who, act in presses),
    ]
    assert len(clicks) == 50
    dice.shuffle(clicks)
    return [
        (
            (who, code) if code else None,
            await (
                club.type_in(who, board, "guess", code) if code else club.click(who, board, act)
            ),
        )
        for who, act, code in clicks
    ]


def judge(clicked: Clicks, before: Stored, after: Stored) -> int:
    """Whether what was acknowledged was played, and what was refused was not; how many moves."""
    old, new = moves(before), moves(after)
    played = new[len(old) :]
    assert new[: len(old)] == old
    assert len({*new}) == len(new)
    assert [move.seat for move in after.moves] == [n % 2 for n in range(len(new))]
    answers: dict[Guess, set[int]] = {}
    for guess, answer in clicked:
        if guess is not None:
            types = answers.setdefault(guess, set())
            types.add(answer.result().type if answer.done() else 0)
    assert {*played} <= answers.keys()
    assert {who for who, _ in played} <= {ANN, BEN}
    for guess, types in answers.items():
        if _EDITED in types:
            assert guess in played
        if types == {_TOLD}:
            assert guess not in played
    return len(played)


async def test_only_the_legal_moves_of_fifty_simultaneous_clicks_count(
    host: Host, discord: Loopback
):
    dice = random.Random(2026)
    discord.guilds = [GUILD]
    run = host.fork()
    club = Club(discord, await discord.next_session())
    board = await begin(club)
    after = stored(host)
    assert (after.state, after.moves) == ("playing", ())

    clicked = await click_fifty_times(club, board, CODES[:7], dice)
    await kill_at_a_move(run, clicked, host)
    before, after = after, stored(host)
    judge(clicked, before, after)
    run = host.fork()
    club = Club(discord, await discord.next_session())
    assert stored(host) == after

    clicked = await click_fifty_times(club, board, CODES[-14:-7], dice)
    await asyncio.wait([answer for _, answer in clicked])
    before, after = after, stored(host)
    assert judge(clicked, before, after) >= 1  # all others may have asked before it was played
    assert not after.is_over

    for wrong in CODES[-7:]:
        if not after.is_over:
            who = after.players[len(after.moves) % 2]
            number = NUMBERS[BEN] if who == ANN else wrong
            await club.submit(who or 0, board, "guess", number)
            after = stored(host)
    await until_boards_are_shown(host)
    ann = after.players.index(ANN)
    assert (after.ending, after.winner) == ("solved", ann)
    assert f"<@{ANN}> wins" in text(board)
    assert all(f"hid {number}" in str(board) for number in NUMBERS.values())  # by its picture
    assert [i.split(":")[1] for i in ids(board)][:1] == ["rematch"]
    changes = host.query("SELECT player_id, games FROM rating_changes ORDER BY player_id")
    assert changes == [(ANN, 1), (BEN, 1)]
    assert used().are_whole(host.folder)
    # By itself: ids of Discord's, which are logged, may have any digits within.
    assert not {*NUMBERS.values(), *CODES} & set(re.findall(r"\d+", host.log))


def copy_duel(host: Host, discord: Loopback, copies: int) -> None:
    """Let as many pairs have begun a duel like the only one, each with a board of its own."""
    (duel,) = named(host.folder, "SELECT * FROM duels")
    seats = named(host.folder, "SELECT * FROM duel_seats ORDER BY seat")
    for number in range(2, copies + 2):
        message_id = 10**18 + number
        discord.keep(discord.messages[0] | {"id": str(message_id)})
        players = {ANN: 2000 + number, BEN: 3000 + number}
        copied = {"id": number, "message_id": message_id}
        challenger = players[duel["challenger_id"]]
        insert(host.folder, "duels", duel | copied | {"challenger_id": challenger})
        for seat in seats:
            own = {"duel_id": number, "player_id": players[seat["player_id"]]}
            insert(host.folder, "duel_seats", seat | own)


async def let_all_guess(
    club: Club, host: Host, boards: dict[int, dict[str, Any]], answers: int = 0
) -> None:
    """A guess in every duel that goes on: who is first is right, the other wrong.

    Ends when so many are answered, or with 0 when all are.
    """
    heard, gate = asyncio.Semaphore(0), asyncio.Semaphore(20)

    async def guess(duel: Stored) -> None:
        seat = len(duel.moves) % 2
        who, code = duel.players[seat] or 0, CODES[0] if seat else duel.secrets[1] or ""
        async with gate:
            await (await club.form(who, boards[duel.id], duel.id, "guess", code))
        heard.release()

    guesses = [asyncio.create_task(guess(d)) for d in all_stored(host) if not d.is_over]
    try:
        for _ in range(answers or len(guesses)):
            await heard.acquire()
    finally:
        for task in guesses:
            task.cancel()
        await asyncio.gather(*guesses, return_exceptions=True)


@pytest.mark.long(only=True)
async def test_many_simultaneous_duels_all_finish_though_the_bot_restarts_meanwhile(
    host: Host, discord: Loopback
):
    discord.guilds = [GUILD]
    run = host.fork()
    club = Club(discord, await discord.next_session())
    await begin(club)
    copy_duel(host, discord, AT_ONCE - 1)
    messages = {int(message["id"]): message for message in discord.messages}
    boards = {id_: messages[m] for id_, m in host.query("SELECT id, message_id FROM duels")}
    assert len(boards) == AT_ONCE

    await let_all_guess(club, host, boards, answers=2 * AT_ONCE // 5)
    await run.kill()
    moved = sum(bool(duel.moves) for duel in all_stored(host))
    assert 0 < moved < AT_ONCE
    host.fork()
    club = Club(discord, await discord.next_session())
    for _ in range(MOST_ROUNDS):
        await let_all_guess(club, host, boards)
    await until_boards_are_shown(host)
    for duel in all_stored(host):
        assert (duel.ending, duel.winner, len(duel.moves)) == ("solved", 0, 2)
        assert f"<@{duel.players[0]}> wins" in text(boards[duel.id])
    changes = host.query("SELECT duel_id FROM rating_changes GROUP BY duel_id HAVING count(*) = 2")
    assert len(changes) == AT_ONCE
    assert host.query("SELECT count(*), min(games), max(games) FROM ratings") == [
        (2 * AT_ONCE, 1, 1)
    ]
