"""Seeks: whoever accepts one has a duel with its player, and nobody else has."""

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import strategies as st

from bot.duels.challenges import Challenge
from bot.duels.model import (
    BusySeekerError,
    DuelView,
    Ending,
    Friendly,
    NoSuchSeekError,
    NotChallengerError,
    NumberRefusedError,
    OpenSeekError,
    OwnBlockError,
    OwnSeekError,
    State,
    TooManyDuelsError,
    TooManyDuelsOfPairError,
)
from bot.duels.position import DuelOptions
from bot.duels.seeking import SeekView
from bot.games.model import Channel
from bot.moderation.game import SERVER, USER
from bot.moderation.model import KeptOutError
from bot.people.model import JustDeletedError
from bot.refused import NotWantedError, Refused
from bot.services import Services, open_services
from tests.support.clock import FakeClock
from tests.support.databases import NewDatabase
from tests.support.duels import (
    ANN,
    BEN,
    CAT,
    CHANNEL,
    CLASSIC,
    DAN,
    EQUAL,
    GUILD,
    SECRETS,
    playing,
)
from tests.support.effort import examples
from tests.support.sql import sql

pytestmark = pytest.mark.usefixtures("keys_watched")

HERE = Channel(GUILD, CHANNEL)
THERE = Channel(GUILD, CHANNEL + 1)
DAY = timedelta(hours=24)


async def seek(
    services: Services, player: int = ANN, place: Channel = HERE, options: DuelOptions = EQUAL
) -> SeekView:
    view = await services.duels.seeking.seek(player, place, options, SECRETS[player])
    await services.duels.seeking.shown(view, 1000 + view.seek.id)
    return view


async def take(
    services: Services, seek_id: int, player: int = BEN, place: Channel = HERE
) -> DuelView:
    return await services.duels.seeking.take(player, seek_id, place, SECRETS[player])


def stored(folder: Path) -> list[tuple[int, int | None]]:
    return sql(folder, "SELECT player_id, message_id FROM duel_seeks ORDER BY id")


async def test_the_duel_of_whoever_accepts_has_both_numbers_and_the_card_as_its_board(
    services: Services, tmp_path: Path
) -> None:
    await services.standings.members.seen(ANN, "Ann", "a", guild_id=GUILD, guild_name="Annie")
    view = await seek(services)
    shown = await services.duels.seeking.open_in(HERE)
    assert shown is not None
    assert (shown.seek.id, shown.is_open, shown.name) == (view.seek.id, True, "Annie")
    asked = await services.duels.seeking.prepare_take(BEN, view.seek.id, HERE)
    assert (asked.friendly, asked.stake is None) == (None, False)
    with pytest.raises(NumberRefusedError):
        await services.duels.seeking.take(BEN, view.seek.id, HERE, "0012")
    duel = (await take(services, view.seek.id)).duel
    assert (duel.state, duel.rated, duel.challenger_id) == (State.PLAYING, True, ANN)
    assert {seat.player_id: seat.secret for seat in duel.seats} == {
        player: SECRETS[player] for player in (ANN, BEN)
    }
    assert all(duel.commitment_of(seat) for seat in (0, 1))
    assert (duel.guild_id, duel.channel_id) == (GUILD, CHANNEL)
    assert duel.message_id == 1000 + view.seek.id
    assert duel.stale_at is not None
    assert stored(tmp_path) == []
    assert await services.duels.seeking.open_in(HERE) is None
    with pytest.raises(NoSuchSeekError):
        await take(services, view.seek.id, CAT)


@pytest.mark.parametrize(
    ("options", "why"), [(CLASSIC, Friendly.CHOSEN), (DuelOptions(friendly=True), Friendly.CHOSEN)]
)
async def test_a_friendly_card_is_a_friendly_duel(
    services: Services, options: DuelOptions, why: Friendly, tmp_path: Path
) -> None:
    view = await seek(services, options=options)
    assert view.seek.friendly
    assert (await services.duels.seeking.prepare_take(BEN, view.seek.id, HERE)).friendly is why
    duel = (await take(services, view.seek.id)).duel
    assert (duel.rated, duel.mode) == (False, options.mode)
    assert sql(tmp_path, "SELECT player_id, games FROM free_games") == [(BEN, 1)]


async def test_the_third_duel_of_two_players_in_a_week_is_told_to_be_friendly(
    services: Services,
) -> None:
    for _ in range(2):
        game = await playing(services)
        await services.duels.playing.guess(
            game.seats[game.duel.to_move or 0].player_id or 0, game.duel.id, "9876"
        )
        await services.duels.playing.resign(BEN, game.duel.id)
    view = await seek(services)
    asked = await services.duels.seeking.prepare_take(BEN, view.seek.id, HERE)
    assert (asked.friendly, asked.stake) == (Friendly.OFTEN, None)
    assert not (await take(services, view.seek.id)).duel.rated


async def fill_up(services: Services, player: int, count: int, *, others: int = 0) -> None:
    for number in range(count):
        other = others or 700 + number
        challenge = Challenge(player, other, 1, 2)
        await services.duels.inviting.challenge(challenge, EQUAL, "0123")


REFUSALS: Final[dict[type[Refused], Callable[[Services], Awaitable[object]]]] = {
    NotWantedError: lambda s: s.blocking.block(ANN, BEN),
    OwnBlockError: lambda s: s.blocking.block(BEN, ANN),
    KeptOutError: lambda s: s.privacy.keeping_out.keep_out(USER, BEN),
    JustDeletedError: lambda s: _delete(s, BEN),
    TooManyDuelsError: lambda s: fill_up(s, BEN, 10),
    TooManyDuelsOfPairError: lambda s: fill_up(s, BEN, 3, others=ANN),
    BusySeekerError: lambda s: fill_up(s, ANN, 10),
}
"""What keeps Ben from accepting Ann's card, by what he is told then."""


async def _delete(services: Services, player: int) -> None:
    await services.standings.members.seen(player, "P", guild_id=GUILD, guild_name="P")
    await services.privacy.players.delete(player, "DELETE")


@pytest.mark.parametrize("reason", REFUSALS, ids=lambda reason: reason.__name__)
async def test_what_stands_against_a_duel_is_asked_when_the_card_is_accepted(
    services: Services, reason: type[Refused], tmp_path: Path
) -> None:
    view = await seek(services)
    await services.duels.seeking.prepare_take(BEN, view.seek.id, HERE)
    await REFUSALS[reason](services)
    before = sql(tmp_path, "SELECT count(*) FROM duels")
    for attempt in (
        services.duels.seeking.prepare_take(BEN, view.seek.id, HERE),
        take(services, view.seek.id),
    ):
        with pytest.raises(Refused) as refused:
            await attempt
        assert type(refused.value) is reason
    assert sql(tmp_path, "SELECT count(*) FROM duels") == before
    assert stored(tmp_path) == [(ANN, 1000 + view.seek.id)]
    await services.blocking.unblock(ANN, CAT)
    if reason is not BusySeekerError:
        await take(services, view.seek.id, CAT)


async def test_players_and_servers_kept_out_have_no_duels_by_cards(services: Services) -> None:
    view = await seek(services)
    await services.privacy.keeping_out.keep_out(USER, ANN)
    with pytest.raises(NotWantedError):
        await take(services, view.seek.id)
    other = Channel(GUILD + 1, CHANNEL)
    view = await seek(services, CAT, other)
    await services.privacy.keeping_out.keep_out(SERVER, other.guild_id)
    with pytest.raises((KeptOutError, NoSuchSeekError)):
        await take(services, view.seek.id, place=other)


async def test_a_card_is_its_channels_and_its_players_own(services: Services) -> None:
    view = await seek(services)
    seeking = services.duels.seeking
    for player, place, refusal in (
        (ANN, HERE, OwnSeekError),
        (BEN, THERE, NoSuchSeekError),
        (BEN, Channel(GUILD + 1, CHANNEL), NoSuchSeekError),
    ):
        with pytest.raises(refusal):
            await take(services, view.seek.id, player, place)
    with pytest.raises(NotChallengerError):
        await seeking.withdraw(BEN, view.seek.id)
    for player, place, refusal in ((ANN, THERE, OwnSeekError), (BEN, HERE, OpenSeekError)):
        with pytest.raises(refusal):
            await seeking.prepare(player, place)
        with pytest.raises(refusal):
            await seek(services, player, place)


async def test_of_many_who_accept_at_once_in_two_processes_one_has_the_duel(
    services: Services, clock: FakeClock, database_url: str, tmp_path: Path
) -> None:
    view = await seek(services)
    async with open_services(database_url, clock) as other:
        takers = ((services, BEN), (other, CAT), (services, DAN), (other, BEN))
        answers = await asyncio.gather(
            *(take(one, view.seek.id, player) for one, player in takers), return_exceptions=True
        )
    won = [answer for answer in answers if isinstance(answer, DuelView)]
    assert [type(answer) for answer in answers if answer not in won] == [NoSuchSeekError] * 3
    kept = {secret for (secret,) in sql(tmp_path, "SELECT secret FROM duel_seats")}
    assert kept == {seat.secret for seat in won[0].duel.seats}


async def test_of_many_who_ask_at_once_in_two_processes_one_has_the_channel(
    services: Services, clock: FakeClock, database_url: str, tmp_path: Path
) -> None:
    async with open_services(database_url, clock) as other:
        asking = ((services, ANN), (other, BEN), (other, ANN), (services, CAT))
        answers = await asyncio.gather(
            *(seek(one, player) for one, player in asking), return_exceptions=True
        )
        await asyncio.gather(
            *(seek(one, DAN, place) for one, place in ((services, THERE), (other, HERE))),
            return_exceptions=True,
        )
    assert sum(isinstance(answer, SeekView) for answer in answers) == 1
    assert len(stored(tmp_path)) == 2


@pytest.mark.parametrize("who", [ANN, BEN])
async def test_a_deletion_amid_an_acceptance_leaves_no_card_and_no_duel_that_goes_on(
    services: Services, clock: FakeClock, database_url: str, tmp_path: Path, who: int
) -> None:
    await services.standings.members.seen(who, "P", guild_id=GUILD, guild_name="P")
    view = await seek(services)
    async with open_services(database_url, clock) as other:
        answers = await asyncio.gather(
            take(services, view.seek.id),
            other.privacy.players.delete(who, "DELETE"),
            return_exceptions=True,
        )
    taken = isinstance(answers[0], DuelView)
    assert taken or isinstance(answers[0], NoSuchSeekError | JustDeletedError)
    assert sql(tmp_path, "SELECT ending FROM duels") == [(Ending.RESIGNED.value,)] * taken
    if who == ANN or taken:
        left = sql(tmp_path, "SELECT player_id > 0, secret FROM duel_seeks")
        assert left in ([], [(0, "")])
        with pytest.raises(NoSuchSeekError):
            await take(services, view.seek.id, CAT)
    else:
        assert (await take(services, view.seek.id, CAT)).duel.accepted_at == clock.now()


async def test_whoever_deletes_their_data_leaves_a_card_to_be_edited_away_without_a_number(
    services: Services, tmp_path: Path
) -> None:
    view = await seek(services)
    await services.privacy.players.delete(ANN, "DELETE")
    ((player, secret),) = sql(tmp_path, "SELECT player_id, secret FROM duel_seeks")
    assert player < 0
    assert secret == ""
    assert await services.duels.seeking.due() == [view.seek.id]
    claimed = await services.duels.seeking.claim(view.seek.id)
    assert claimed is not None
    assert not claimed.is_open
    await services.duels.seeking.drop(claimed.seek)
    assert stored(tmp_path) == []


async def test_one_process_at_a_time_edits_a_card_and_gives_up_what_it_cannot_reach(
    services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    view, seeking = await seek(services), services.duels.seeking
    clock.advance(hours=23, minutes=59, seconds=59)
    assert await seeking.due() == []
    assert await seeking.claim(view.seek.id) is None
    clock.advance(seconds=1)
    for later in (1, 60, 1):  # whoever has the claim is killed, or cannot reach the card
        assert await seeking.due() == [view.seek.id]
        claimed = await seeking.claim(view.seek.id)
        assert claimed is not None
        assert await seeking.due() == []
        assert await seeking.claim(view.seek.id) is None
        await seeking.unreachable(claimed)
        clock.advance(minutes=later)
    assert stored(tmp_path) == []


@dataclass
class Rules:
    """What players read of seeks: an oracle of which are open, and of who may do what."""

    cards: dict[int, tuple[int, Channel, datetime]] = field(default_factory=dict)

    def open(self, now: datetime) -> dict[int, tuple[int, Channel, datetime]]:
        return {number: card for number, card in self.cards.items() if now < card[2]}

    def may(self, now: datetime, what: str, who: int, number: int, place: Channel) -> bool:
        cards = self.open(now)
        if what == "seek":
            return all(who != owner and place != where for owner, where, _ in cards.values())
        owner, where, _ = cards.get(number, (None, None, None))
        return owner == who if what == "withdraw" else owner not in {None, who} and where == place


acts = st.tuples(
    st.sampled_from(["seek", "take", "withdraw"]),
    st.sampled_from([ANN, BEN, CAT]),
    st.integers(1, 4),
    st.sampled_from([HERE, THERE]),
    st.sampled_from([0, 0, 600, 1439, 1440]),
)
"""What is done, by whom, to which seek, in which channel, and how many minutes later."""


async def do(services: Services, what: str, who: int, number: int, place: Channel) -> int:
    """Do something; the number of the seek that it was about."""
    if what == "seek":
        return (await seek(services, who, place)).seek.id
    if what == "withdraw":
        await services.duels.seeking.withdraw(who, number)
        return number
    game = await take(services, number, who, place)
    await services.duels.playing.call_off(who, game.duel.id)
    return number


async def tidy(services: Services, still_open: set[int]) -> None:
    """Edit away what is over, as the clock has it."""
    for number in await services.duels.seeking.due():
        assert number not in still_open
        view = await services.duels.seeking.claim(number)
        assert view is not None
        await services.duels.seeking.drop(view.seek)


@examples(12, 300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(history=[("seek", ANN, 1, HERE, 1440), ("take", BEN, 1, HERE, 0)], tidies=False)
@given(history=st.lists(acts, max_size=14), tidies=st.booleans())
def test_whatever_players_do_a_channel_and_a_player_have_one_open_card(
    new_database: NewDatabase,
    history: list[tuple[str, int, int, Channel, int]],
    *,
    tidies: bool,
) -> None:
    async def live(url: str) -> None:
        clock, rules = FakeClock(), Rules()
        async with open_services(url, clock) as services:
            for what, who, number, place, minutes in history:
                may = rules.may(clock.now(), what, who, number, place)
                try:
                    done = await do(services, what, who, number, place)
                except Refused:
                    assert not may
                else:
                    assert may
                    rules.cards.pop(done, None)
                    if what == "seek":
                        rules.cards[done] = who, place, clock.now() + DAY
                clock.advance(minutes=minutes)
                cards = rules.open(clock.now())
                if tidies:
                    await tidy(services, set(cards))
                for channel in (HERE, THERE):
                    found = await services.duels.seeking.open_in(channel)
                    shown = [] if found is None else [found.seek.id]
                    assert shown == [n for n, card in cards.items() if card[1] == channel]

    with tempfile.TemporaryDirectory() as name:
        asyncio.run(live(new_database(Path(name))))
