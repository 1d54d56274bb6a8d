"""What others will see is done on the page only by those who may write there now."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from bot.duels.challenges import Challenge
from bot.duels.position import DuelOptions
from bot.mastermind.challenges import Invitation
from bot.mastermind.game import Setting
from bot.outages import ShardRange
from bot.page.model import Came
from bot.services import open_services
from engine import Focdle
from tests.support.clock import FakeClock
from tests.support.sql import sql
from tests.support.unhurried import AMPLE_SECONDS
from tests.web.conftest import ANN, BEN, CHANNEL, GUILD, HERE, Bot, Host

pytestmark = pytest.mark.usefixtures("keys_watched")

NUMBER = {"text": "9876"}
TABLES = ("races", "race_seats", "duels", "duel_seats", "duel_seeks", "masterminds")


async def join(host: Host) -> str:
    view = await host.services.races.open(ANN, HERE, Focdle(10))
    return f"race-{view.race.id}/join"


async def start(host: Host) -> str:
    view = await host.services.races.open(BEN, HERE, Focdle(10))
    await host.services.races.join(ANN, view.race.id, HERE)
    return f"race-{view.race.id}/start"


async def challenge(host: Host, by: int = ANN, to: int = BEN, channel: int = CHANNEL) -> str:
    asked = Challenge(by, to, GUILD, channel)
    view = await host.services.duels.inviting.challenge(asked, DuelOptions(), "0123")
    return f"duel-{view.duel.id}/secret"


async def rematch(host: Host) -> str:
    duels, asked = host.services.duels, Challenge(ANN, BEN, GUILD, CHANNEL)
    duel = (await duels.inviting.challenge(asked, DuelOptions(), "0123")).duel
    await duels.inviting.accept(BEN, duel.id, duel.terms, "4567")
    await duels.playing.call_off(BEN, duel.id)
    return f"duel-{duel.id}/rematch"


async def mastermind(host: Host) -> str:
    invitation = Invitation(ANN, BEN, GUILD, CHANNEL)
    view = await host.services.mastermind.challenges.invite(invitation, Setting(), "RGBY")
    return f"mastermind-{view.game.id}/accept"


async def seek(host: Host) -> str:
    seeking = host.services.duels.seeking
    view = await seeking.seek(ANN, HERE, DuelOptions(friendly=True), "0123")
    await seeking.shown(view, 2_001)
    return f"seek-{view.seek.id}/accept"


async def open_race(_: Host) -> str:
    return "race"


async def again(host: Host) -> str:
    view = await host.services.races.open(ANN, HERE, Focdle(10))
    await host.services.races.call_off(ANN, view.race.id, is_manager=False)
    return f"race-{view.race.id}/again"


async def ask(_: Host) -> str:
    return "seek-0/friendly"


Make = Callable[[Host], Awaitable[str]]
MAKES = (join, start, open_race, again, challenge, rematch, mastermind, seek, ask)


async def given(host: Host, path: str) -> dict[str, object]:
    """What the page of Ben sends."""
    if path == "race":
        return {"game": "focdle"}
    async with host.player(BEN) as ben:
        at = (await ben.get(path.partition("/")[0])).data.get("version", 0)
    is_typed = path.startswith(("duel", "seek"))
    return {"at": at, **(NUMBER if is_typed else {})}


def stored(tmp_path: Path) -> list[Any]:
    return [sorted(sql(tmp_path, f"SELECT * FROM {table}"), key=str) for table in TABLES]


@pytest.mark.parametrize("make", MAKES)
async def test_whoever_may_not_write_there_is_told_so_and_changes_nothing(
    host: Host, tmp_path: Path, make: Make
) -> None:
    path = await make(host)
    body, before = await given(host, path), stored(tmp_path)
    async with host.player(BEN) as ben:
        for came, status, said in (
            (Came.REFUSED, 422, "You can't write there."),
            (Came.ABSENT, 422, "You can't write there."),
            (None, 503, "Discord isn't answering."),
        ):
            host.bot.says[BEN] = came
            host.services.posting.patience = AMPLE_SECONDS if came else 0.1
            answer = await ben.post(path, body)
            assert (answer.status, answer.data["said"]) == (status, [said])
            assert stored(tmp_path) == before
        host.bot.says[BEN] = Came.SENT
        await host.bot.round()  # it is back
        host.services.posting.patience = AMPLE_SECONDS
        assert (await ben.post(path, body)).status == 200
    assert stored(tmp_path) != before


@pytest.mark.parametrize("make", [rematch, seek])
async def test_whoever_has_left_the_server_is_challenged_by_nobody(
    host: Host, tmp_path: Path, make: Make
) -> None:
    path = await make(host)
    body, before = await given(host, path), stored(tmp_path)
    async with host.player(BEN) as ben:
        host.bot.says[ANN] = Came.ABSENT
        answer = await ben.post(path, body)
        assert (answer.status, answer.data["said"]) == (422, ["<@11> isn't in this server."])
        assert stored(tmp_path) == before
        host.bot.says[ANN] = Came.REFUSED  # and may read
        assert (await ben.post(path, body)).status == 200


async def test_a_game_is_joined_where_it_is_and_not_where_the_page_was_opened(host: Host) -> None:
    path = await challenge(host, channel=CHANNEL + 1)
    body = await given(host, path)
    host.bot.says[BEN] = Came.REFUSED
    async with host.player(BEN, None) as ben:
        assert (await ben.post(path, body)).status == 422
    assert host.bot.asked == [(BEN, CHANNEL + 1)]


async def test_nobody_is_asked_about_for_games_with_the_bot_and_rematches_that_are_asked_for(
    host: Host,
) -> None:
    path = await rematch(host)
    asked = await host.services.duels.inviting.rematch(ANN, 1, "0123")
    again = await host.services.duels.inviting.challenge(Challenge(BEN, None), DuelOptions())
    await host.services.duels.playing.call_off(BEN, again.duel.id)
    async with host.player(BEN) as ben:
        offered = await ben.post(path, await given(host, path))
        assert offered.data["place"] == f"duel-{asked.duel.id}"
        alone = f"duel-{again.duel.id}/rematch"
        at = (await ben.get(f"duel-{again.duel.id}")).data["version"]
        assert (await ben.post(alone, {"at": at})).status == 200
    assert host.bot.asked == []


async def test_an_answer_holds_for_half_a_minute(host: Host, clock: FakeClock) -> None:
    path = await start(host)
    place = path.partition("/")[0]
    async with host.player(BEN) as ben:
        assert (await ben.post(f"{place}/join", {"at": 0})).status == 200
        host.bot.says[BEN] = Came.REFUSED
        clock.advance(seconds=29)
        assert (await ben.post(f"{place}/join", {"at": 0})).status == 200
        assert host.bot.asked == [(BEN, CHANNEL)]
        clock.advance(seconds=1)
        assert (await ben.post(path, {"at": 0})).status == 422
        assert host.bot.asked == [(BEN, CHANNEL)] * 2


async def test_of_a_double_click_discord_is_asked_once(host: Host) -> None:
    path = await join(host)
    async with host.player(BEN) as ben:
        answers = await asyncio.gather(*(ben.post(path, {"at": 0}) for _ in range(3)))
        assert {answer.status for answer in answers} == {200}
    assert host.bot.asked == [(BEN, CHANNEL)]


@pytest.mark.usefixtures("postgres_server")
@pytest.mark.parametrize("databases", ["postgres"], indirect=True)
async def test_the_process_with_the_servers_shard_is_asked_by_the_page_of_another(
    host: Host, clock: FakeClock, database_url: str
) -> None:
    path, bots = await join(host), list[Bot]()
    host.bot.says[BEN] = None
    async with AsyncExitStack() as stack:
        for shard in range(2):
            opening = open_services(database_url, clock, shards=ShardRange(shard, shard, 2))
            services = await stack.enter_async_context(opening)
            bots.append(Bot(services))
            await services.watch(bots[-1].heard)
            stack.push_async_callback(bots[-1].end)
        async with host.player(BEN) as ben:
            assert (await ben.post(path, {"at": 0})).status == 200
    assert [bot.asked for bot in bots] == [[(BEN, CHANNEL)], []]
