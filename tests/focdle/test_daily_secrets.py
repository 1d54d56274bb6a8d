"""The secrets of days to come are frozen."""

from collections import Counter
from collections.abc import Callable

import pytest

from bot.clock import PuzzleName
from bot.focdle.plays import WeakKeyError, derive_secret
from bot.games.model import KeyedIntegers
from bot.services import open_services
from engine import BullsAndCows, Mastermind
from tests.support.clock import FakeClock
from tests.support.table import KEY

GOLDEN = {
    (1, 10): "28+3-20=11",
    (2, 10): "39%79*1=39",
    (323, 9): "17%41%6=5",
    (324, 9): "89*85%6=5",
    (324, 10): "66%65%72=1",
    (324, 11): "76+95*6=646",
    (324, 12): "74%29*43=688",
    (324, 13): "17+71*26=1863",
    (366, 10): "52*24%29=1",
    (700, 12): "76+88-63=101",
}


@pytest.mark.parametrize(("puzzle", "secret"), GOLDEN.items())
def test_known_dailies_have_their_recorded_secrets(puzzle: tuple[int, int], secret: str) -> None:
    assert derive_secret(KEY, PuzzleName(*puzzle)) == secret


def test_another_puzzle_key_gives_other_secrets() -> None:
    assert derive_secret("another key entirely", PuzzleName(324, 10)) != GOLDEN[324, 10]


def test_keyed_integers_are_uniformly_distributed() -> None:
    integers = KeyedIntegers(KEY, "a label")
    counts = Counter(integers.randrange(7) for _ in range(7000))
    assert sorted(counts) == list(range(7))
    chi_square = sum((count - 1000) ** 2 / 1000 for count in counts.values())
    assert chi_square < 22.5  # 6 degrees of freedom, one in a thousand


OTHER_DRAWS: dict[str, Callable[[KeyedIntegers], object]] = {
    "from 1": lambda rng: rng.randrange(1, 7),
    "fraction": lambda rng: rng.random(),
    "choice": lambda rng: rng.choice("0123456789"),
    "sample": lambda rng: BullsAndCows(4).draw(rng),
    "code": lambda rng: Mastermind().draw(rng),
}


@pytest.mark.parametrize("draw", OTHER_DRAWS)
def test_keyed_integers_refuse_draws_that_would_not_depend_on_their_key(draw: str) -> None:
    with pytest.raises(NotImplementedError):
        OTHER_DRAWS[draw](KeyedIntegers(KEY, "a label"))


async def test_a_generated_puzzle_key_gives_the_same_secrets_after_a_restart(
    database_url: str, clock: FakeClock
) -> None:
    secrets: list[str] = []
    for player in (1, 2):
        async with open_services(database_url, clock) as services:
            play = await services.daily.open(player, None, puzzle=str(player))
            secrets.append(play.game.secret)
    async with open_services(database_url, clock) as services:
        assert (await services.daily.open(3, None, puzzle="1")).game.secret == secrets[0]
        assert (await services.daily.open(3, None, puzzle="2")).game.secret == secrets[1]


async def test_a_new_puzzle_key_does_not_change_opened_puzzles(
    database_url: str, clock: FakeClock
) -> None:
    async with open_services(database_url, clock, puzzle_key=KEY) as services:
        before = await services.daily.open(1, None)
    async with open_services(database_url, clock, puzzle_key="quite another key") as services:
        after = await services.daily.open(2, None)
        tomorrow = derive_secret("quite another key", PuzzleName(325, 10))
        clock.advance(days=1)
        assert (await services.daily.open(2, None)).game.secret == tomorrow
    assert after.game.secret == before.game.secret


@pytest.mark.parametrize("key", ["0123456789abcde", "abcde" * 10, "k"])
async def test_a_weak_puzzle_key_is_refused_unless_a_daily_was_opened_before(
    database_url: str, clock: FakeClock, key: str
) -> None:
    with pytest.raises(WeakKeyError):
        async with open_services(database_url, clock, puzzle_key=key):
            pass
    async with open_services(database_url, clock, puzzle_key="abcdef" + "a" * 10) as services:
        assert not services.has_weak_key
        await services.practice.open(1, None)
    with pytest.raises(WeakKeyError):
        async with open_services(database_url, clock, puzzle_key=key):
            pass
    async with open_services(database_url, clock) as services:
        assert not services.has_weak_key
        await services.daily.open(1, None)
    async with open_services(database_url, clock, puzzle_key=key) as services:
        assert services.has_weak_key
        assert (await services.daily.open(2, None, puzzle="1")).game.secret == derive_secret(
            key, PuzzleName(1, 10)
        )
