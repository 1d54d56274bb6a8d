"""The benchmark of the coach measures what it says."""

import pytest

from benchmarks.coach import measure, table
from bot.services import Services

pytestmark = pytest.mark.long(only=True)


async def test_the_benchmark_times_guesses_while_the_coach_reviews_games(
    services: Services,
) -> None:
    rows = [await measure(services, coaches, 4, lengths=(7,)) for coaches in (0, 2)]
    assert [row.coaches for row in rows] == [0, 2]
    assert [len(row.guesses) for row in rows] == [4, 4]
    assert min(rows[1].guesses) > 0
    assert rows[0].waits == []
    lines = table(rows).splitlines()
    assert [line.count("|") for line in lines] == [9] * 4
