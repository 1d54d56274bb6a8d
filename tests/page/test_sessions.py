"""Tickets are earned, looked at, spent once; sessions end by themselves."""

import asyncio
import re
from pathlib import Path

import pytest

from bot.games.model import Channel, GameName, Source
from bot.page.model import MOST, WRITING, Came, TicketGoneError
from bot.services import Services, open_services
from tests.support.clock import FakeClock
from tests.support.sql import sql

pytestmark = pytest.mark.usefixtures("keys_watched")

ANN, BEN, HERE = 11, 22, Channel(33, 3)
BOARD = GameName(Source.PLAY, 7)


async def test_a_ticket_opens_one_session_however_often_it_is_looked_at(services: Services) -> None:
    sessions = services.sessions
    token = await sessions.earn(ANN, HERE, BOARD)
    looks = [await sessions.look(token) for _ in range(3)]
    ticket = looks[-1]
    assert (ticket.player_id, ticket.channel, ticket.place) == (ANN, HERE, "play-7")
    entered = await asyncio.gather(
        *(sessions.enter(token) for _ in range(5)), return_exceptions=True
    )
    (kept,) = [each for each in entered if isinstance(each, str)]
    assert sum(isinstance(each, TicketGoneError) for each in entered) == 4
    found = await sessions.find(kept)
    assert found is not None
    assert (found.player_id, found.channel) == (ANN, HERE)


async def test_a_ticket_lasts_ten_minutes_and_a_session_half_a_day(
    services: Services, clock: FakeClock
) -> None:
    sessions = services.sessions
    late = await sessions.earn(ANN, None, BOARD)
    kept = await sessions.enter(await sessions.earn(ANN, None, BOARD))
    clock.advance(minutes=10)
    for refused in (sessions.look, sessions.enter):
        with pytest.raises(TicketGoneError):
            await refused(late)
    clock.advance(hours=11, minutes=49)
    assert await sessions.find(kept)  # which does not prolong it
    clock.advance(minutes=1)
    assert await sessions.find(kept) is None


@pytest.mark.parametrize("forged", ["", "x", "0" * 64, "é" * 64, "0" * 9999, "0" * 63 + "\n"])
async def test_forged_tickets_and_sessions_are_refused(services: Services, forged: str) -> None:
    with pytest.raises(TicketGoneError):
        await services.sessions.look(forged)
    with pytest.raises(TicketGoneError):
        await services.sessions.enter(forged)
    assert await services.sessions.find(forged) is None


async def test_a_token_names_its_player_until_anything_in_it_is_changed(
    services: Services,
) -> None:
    sessions = services.sessions
    token = await sessions.earn(ANN, HERE, BOARD)
    assert await sessions.whose(token) == ANN
    for place, symbol in enumerate(token):
        forged = token[:place] + "10"[symbol == "1"] + token[place + 1 :]
        assert await sessions.whose(forged) is None
    await sessions.enter(token)
    assert await sessions.whose(token) == ANN


async def test_tickets_and_sessions_cannot_be_used_in_place_of_each_other(
    services: Services,
) -> None:
    sessions = services.sessions
    token = await sessions.earn(ANN, None, BOARD)
    assert await sessions.find(token) is None
    kept = await sessions.enter(token)
    with pytest.raises(TicketGoneError):
        await sessions.enter(kept)


async def test_a_players_sixth_session_ends_only_the_oldest_of_that_player(
    services: Services, clock: FakeClock
) -> None:
    sessions = services.sessions
    bens = await sessions.enter(await sessions.earn(BEN, None, BOARD))
    kept: list[str] = []
    for _ in range(MOST + 1):
        clock.advance(seconds=1)
        kept.append(await sessions.enter(await sessions.earn(ANN, None, BOARD)))
    found = [await sessions.find(each) is not None for each in (bens, *kept)]
    assert found == [True, False, *[True] * MOST]


async def test_tickets_and_sessions_are_stored_as_digests_and_deleted_when_they_end(
    services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    sessions = services.sessions
    token = await sessions.earn(ANN, None, BOARD)
    kept = await sessions.enter(await sessions.earn(ANN, None, BOARD))
    stored = sql(tmp_path, "SELECT digest FROM web_tickets UNION SELECT digest FROM web_sessions")
    assert len(stored) == 2
    for (digest,) in stored:
        assert re.fullmatch("[0-9a-f]{64}", digest)
        assert digest not in {token, kept}
    clock.advance(hours=12)
    await services.privacy.servers.sweep(None)
    assert not sql(tmp_path, "SELECT * FROM web_tickets")
    assert not sql(tmp_path, "SELECT * FROM web_sessions")


async def test_deleting_a_players_data_ends_all_sessions_and_tickets_of_that_player(
    services: Services,
) -> None:
    sessions = services.sessions
    token = await sessions.earn(ANN, None, BOARD)
    kept = await sessions.enter(await sessions.earn(ANN, None, BOARD))
    bens = await sessions.enter(await sessions.earn(BEN, None, BOARD))
    await services.privacy.players.delete(ANN, "DELETE")
    assert await sessions.find(kept) is None
    with pytest.raises(TicketGoneError):
        await sessions.enter(token)
    assert await sessions.find(bens)


async def test_signing_out_everywhere_ends_the_sessions_and_tickets_only_of_that_player(
    services: Services, clock: FakeClock
) -> None:
    sessions = services.sessions
    kept = [await sessions.enter(await sessions.earn(ANN, None, BOARD)) for _ in range(2)]
    bens = await sessions.enter(await sessions.earn(BEN, None, BOARD))
    token = await sessions.earn(ANN, None, BOARD)
    assert await sessions.count(ANN) == 2
    await sessions.sign_out(ANN)
    assert [await sessions.find(each) for each in kept] == [None, None]
    with pytest.raises(TicketGoneError):
        await sessions.enter(token)
    assert (await sessions.count(ANN), await sessions.count(BEN)) == (0, 1)
    assert await sessions.find(bens)
    clock.advance(hours=12)
    assert await sessions.count(BEN) == 0


async def test_whether_somebody_may_write_is_asked_for_half_a_minute_and_then_anew(
    services: Services, clock: FakeClock
) -> None:
    posting = services.posting
    await posting.ask(ANN, HERE, WRITING)
    (due,) = await posting.due()
    clock.advance(seconds=30)
    assert await posting.due() == []
    assert await posting.claim(due) is None
    assert await posting.find(ANN, HERE, WRITING) == "late"
    await posting.ask(ANN, HERE, WRITING)
    assert await posting.due() == [due]
    post = await posting.claim(due)
    assert post is not None
    await posting.came(post, Came.SENT)
    assert await posting.wait(ANN, HERE, WRITING) == "sent"


async def test_whoever_waits_for_what_comes_of_a_post_hears_of_it(services: Services) -> None:
    posting = services.posting
    await services.watch(posting.changed)
    await posting.ask(ANN, HERE, BOARD)
    waiting = [asyncio.create_task(posting.wait(ANN, HERE, BOARD)) for _ in range(2)]
    post = await posting.claim((ANN, str(BOARD), HERE.channel_id))
    assert post is not None
    await posting.came(post, Came.REFUSED)
    assert await asyncio.gather(*waiting) == ["refused", "refused"]


async def test_a_post_is_claimed_by_one_process_and_again_only_while_its_nonce_lasts(
    services: Services, clock: FakeClock, database_url: str
) -> None:
    async with open_services(database_url, clock) as other:
        both = [services.posting, other.posting]
        await asyncio.gather(*(posting.ask(ANN, HERE, BOARD) for posting in both * 2))
        (due,) = await other.posting.due()
        claims = await asyncio.gather(*(posting.claim(due) for posting in both * 2))
        (first,) = [claim for claim in claims if claim is not None]
        assert await services.posting.due() == []
        clock.advance(minutes=1)
        second = await other.posting.claim(due)
        assert second is not None
        await services.posting.came(first, Came.REFUSED)  # it was too slow
        assert await services.posting.find(ANN, HERE, BOARD) == "waits"
        clock.advance(minutes=1)
        assert await services.posting.due() == []
        assert await services.posting.claim(due) is None
        await other.posting.came(second, Came.SENT)
        assert await services.posting.find(ANN, HERE, BOARD) == "sent"
        clock.advance(minutes=8)
        await services.privacy.servers.sweep(None)
        assert await services.posting.find(ANN, HERE, BOARD) == ""
