"""Whatever happens to a card, in the end one shows everybody who is in it."""

import asyncio
import tempfile
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

from hypothesis import HealthCheck, example, given
from hypothesis import strategies as st

from bot.clock import PuzzleName
from bot.posts.cards import BETWEEN_EDITS
from tests.support.clock import FakeClock
from tests.support.databases import NewDatabase
from tests.support.effort import examples
from tests.support.sql import sql
from tests.support.town import Town, open_town
from tests.support.wall import KilledError, Wall, carry_out, rounds

HERE, CHANNEL, LAST = 100, 7, 4
TODAY = PuzzleName(324, 10)

Doing = tuple[str, int]
doings = st.one_of(
    st.tuples(st.just("enter"), st.integers(0, LAST)),
    st.tuples(st.sampled_from(["hide", "leave"]), st.integers(0, LAST)),
    st.tuples(st.just("wait"), st.sampled_from([1, 4, 61, 200, 3700])),
    st.tuples(st.sampled_from(["work", "claimed", "done", "close", "dark", "open"])),
).map(lambda doing: (doing[0], doing[1] if len(doing) > 1 else 0))


async def do(town: Town, wall: Wall, what: str, which: int) -> None:
    """Let one thing happen."""
    services = town.services
    match what:
        case "enter":
            await services.entries.enter(which, TODAY, HERE, CHANNEL)
        case "hide":
            await services.preferences.set_hidden(which, on=True)
        case "leave":
            await services.standings.members.gone(HERE, which)
        case "wait":
            town.clock.advance(seconds=which)
        case "close" | "dark" | "open":
            wall.is_closed, wall.is_dark = what == "close", what == "dark"
        case _:
            killed = "" if what == "work" else what
            for card_id in await services.cards.due():
                with suppress(KilledError):
                    await carry_out(services.cards, wall, card_id, killed=killed)
    assert len(wall.shown) <= 1


async def live(folder: Path, url: str, history: list[Doing]) -> None:
    clock = FakeClock()
    wall = Wall(clock)
    async with open_town(folder, url, clock) as town:
        for what, which in history:
            await do(town, wall, what, which)
        await do(town, wall, "open", 0)
        await rounds(town.services.cards, wall, clock, 200, every=6)
        await do(town, wall, "enter", LAST + 1)
        await rounds(town.services.cards, wall, clock, 200, every=6)
        (content,) = wall.shown.values()
        stored = {player for (player,) in sql(folder, "SELECT player_id FROM card_rows")}
        assert {row.player_id for row in content.rows} == stored
        edits = len(wall.edits)
        await rounds(town.services.cards, wall, clock, 4000, every=500)
        (later,) = wall.shown.values()
    # Nothing changes any more, but that its date may end meanwhile.
    assert len(wall.edits) == edits + (later.is_closed and not content.is_closed)
    assert all(later - earlier >= BETWEEN_EDITS for earlier, later in pairwise(wall.edits))


async def play(folder: Path, url: str) -> None:
    async with open_town(folder, url, FakeClock()) as town:
        for player in range(LAST + 2):
            await town.join(player, HERE)
            await town.play(player, HERE)


@examples(1, 150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(history=[("enter", 0), ("done", 0), ("hide", 0), ("enter", 1)])
@example(history=[("enter", 0), ("claimed", 0), ("wait", 61), ("close", 0), ("work", 0)])
@example(history=[("wait", 7300)] * 6)
@example(history=[("enter", 0), ("work", 0), ("dark", 0), ("enter", 1), ("work", 0), ("wait", 4)])
@given(history=st.lists(doings, max_size=20))
def test_any_history_of_shares_ends_with_one_card_that_shows_all_its_players(
    new_database: NewDatabase, history: list[Doing]
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        url = new_database(folder)
        asyncio.run(play(folder, url))
        asyncio.run(live(folder, url, history))
