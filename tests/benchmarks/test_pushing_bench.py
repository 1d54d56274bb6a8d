"""Who pushes gets nothing for it: a day of the month in which people cheat."""

from pathlib import Path

from benchmarks.cheating import alone
from benchmarks.cheating.__main__ import TRICKS, live
from benchmarks.cheating.month import Verdict


async def test_a_player_who_parks_games_or_has_the_bot_solve_them_gains_nothing(
    tmp_path: Path,
) -> None:
    tricks = (alone.parks_bad_games, alone.has_the_bot_solve_beside, alone.calls_everybody)
    parked, solved, called = await live(tmp_path, 1, tricks, members=2)
    assert parked.trick == "ranked games parked: 2, never counted: 0"
    assert parked.gain == "13.00 guesses, no rank"
    assert (solved.gain, called.gain) == ("0 let in", "10 made, 5 pinged")
    assert {found.verdict for found in (parked, solved, called)} == {Verdict.NOTHING}


def test_the_simulated_month_tries_every_trick_of_a_single_player() -> None:
    assert {alone.begins_without_end, alone.parks_bad_games} <= {*TRICKS}
    assert {alone.has_the_bot_solve_beside, alone.calls_everybody} <= {*TRICKS}
