"""The month in which people cheat, in short: who gets nothing, and what is said of the rest."""

from pathlib import Path

from bot.bench.cheating.__main__ import lines, live
from bot.bench.cheating.alone import solves_further_west
from bot.bench.cheating.findings import Verdict, forbidden, possible
from bot.bench.cheating.with_others import asks_a_second_account


async def test_a_day_of_cheats_and_honest_members(tmp_path: Path) -> None:
    tricks = (solves_further_west, asks_a_second_account)
    west, second = await live(tmp_path, 1, tricks, members=2)
    assert (west.gain, west.verdict) == ("no rank", Verdict.NOTHING)
    assert west.trick == "own zone UTC-12, known answers ten hours after home: 1"
    assert (second.gain, second.verdict) == ("6 points, rank 1", Verdict.SAID)
    header, rule, *body = lines([west, second])
    assert {line.count("|") for line in (header, rule, *body)} == {5}
    assert len({len(line) for line in (header, rule, *body)}) == 1


def test_what_is_got_or_not_said_is_not_as_promised() -> None:
    got = forbidden("a trick", "all", "some", gets=True).verdict
    unsaid = possible("a trick", "all", "some", "nobody says this").verdict
    assert not got.is_as_promised
    assert not unsaid.is_as_promised
