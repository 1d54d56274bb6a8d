"""The month in which people cheat, in short: who gets nothing, and what is said of the rest."""

from pathlib import Path

import pytest

from benchmarks.cheating import with_others
from benchmarks.cheating.__main__ import live, table
from benchmarks.cheating.alone import reopens_by_choosing, solves_further_west
from benchmarks.cheating.month import Verdict, forbidden, possible

pytestmark = pytest.mark.long(only=True)


async def test_the_benchmark_tells_what_each_trick_gains_in_a_simulated_day(tmp_path: Path) -> None:
    tricks = (solves_further_west, reopens_by_choosing, with_others.asks_a_second_account)
    west, chooser, second = await live(tmp_path, 1, tricks, members=2)
    assert (west.gain, west.verdict) == ("no rank", Verdict.NOTHING)
    assert west.trick == "own zone UTC-12, known answers ten hours after home: 1"
    assert chooser.trick == "own server's zone chosen again and again, ended dates solved: 1"
    assert (chooser.gain, chooser.verdict) == ("0 counted; no rank", Verdict.NOTHING)
    assert (second.gain, second.verdict) == ("6 points, rank 1", Verdict.SAID)
    lines = table([west, chooser, second]).splitlines()
    assert {(line.count("|"), len(line)) for line in lines} == {(5, len(lines[0]))}


def test_a_promise_is_broken_if_a_forbidden_trick_gains_or_if_no_text_admits_a_possible_one() -> (
    None
):
    got = forbidden("a trick", "all", "some", gets=True).verdict
    unsaid = possible("a trick", "all", "some", "nobody says this").verdict
    assert not got.is_as_promised
    assert not unsaid.is_as_promised
