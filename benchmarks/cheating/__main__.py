"""Results of cheating: `python -m benchmarks.cheating`.

The program plays a month of one server through the real services, on a real database, with a clock
that jumps from act to act. Some members are honest; each of the others cheats in one way. A table
compares the cheats' results with those of honest members. Some cheats must gain nothing; others
cannot be prevented, and `/help` has to say so. The exit status is 0 if both hold.
"""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Callable, Coroutine, Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from benchmarks.cheating import alone, with_others
from benchmarks.cheating.month import (
    FIRST,
    HOME,
    HOME_ZONE,
    MEMBERS,
    Finding,
    Month,
    Person,
    at,
    crowd,
    lives,
)
from benchmarks.common import aligned
from bot.services import open_services
from tests.support.clock import FakeClock

DAYS: Final = 30

_EVERY: Final = timedelta(hours=3)
Trick = Callable[[Month, Sequence[Person]], Coroutine[Any, Any, Finding]]
"""What somebody tries in a month with these honest members."""

TRICKS: Final[tuple[Trick, ...]] = (
    alone.closed_boards,
    alone.solves_further_west,
    alone.moves_a_server_west,
    alone.reopens_by_choosing,
    alone.skips_dates,
    alone.skips_dates_by_travelling,
    alone.has_losses_excused,
    alone.lets_the_bot_guess,
    alone.lets_the_bot_go_on,
    with_others.beats_alts_that_resign,
    with_others.beats_alts_that_delete,
    with_others.beats_alts_that_begin_anew,
    with_others.hears_from_the_east,
    with_others.asks_a_second_account,
    with_others.lets_an_alt_ask_the_bot,
    alone.parks_bad_games,
    alone.has_the_bot_solve_beside,
    alone.calls_everybody,
    alone.begins_without_end,
    with_others.beats_new_accounts,
    with_others.beats_twelve_accounts,
    with_others.is_given_duels,
    with_others.plays_in_five_servers,
    with_others.three_friends,
    with_others.a_club_night,
    with_others.a_newcomer,
)


async def live(
    folder: Path, days: int, tricks: Sequence[Trick] = TRICKS, *, members: int = MEMBERS
) -> list[Finding]:
    """Play `days` of honest members and cheats; return the findings."""
    clock = FakeClock(at(FIRST - timedelta(days=1), 12))
    url = f"sqlite:///{folder}/month.db"
    async with open_services(url, clock, puzzle_key="a key for cheats", par_runs=0) as services:
        await services.settings.change(HOME, zone=HOME_ZONE)
        month = Month(services, clock, days)
        people = crowd(month, members)
        everything: list[Coroutine[Any, Any, Finding | None]] = [
            *(trick(month, people) for trick in tricks),
            *lives(month, people),
            _keep_up(month),
        ]
        return [found for found in await month.live(everything) if found is not None]


async def _keep_up(month: Month) -> None:
    """Run the upkeep, as a timer does."""
    while month.now < month.end:
        while await month.services.upkeep.settle():
            pass
        await month.until(month.now + _EVERY)


def table(findings: Sequence[Finding]) -> str:
    head = ("what is tried", "what it gets", "honest members", "verdict")
    return aligned([head, *((f.trick, f.gain, f.honest, f.verdict.value) for f in findings)])


def quotations(findings: Sequence[Finding]) -> Iterator[str]:
    """List the cheats that stay possible, with the rules' words on each."""
    for found in findings:
        if found.said:
            yield f"- {found.trick}: {found.gain}; “{found.said}”"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; return 0 if no forbidden cheat gains, and the rules mention the others."""
    parser = argparse.ArgumentParser(prog=f"python -m {__package__}")
    parser.add_argument("--days", type=int, default=DAYS, help="how long the month is")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        findings = asyncio.run(live(Path(folder), options.days))
    sys.stdout.write("\n".join([table(findings), *quotations(findings), ""]))
    return int(not all(found.verdict.is_as_promised for found in findings))


if __name__ == "__main__":
    sys.exit(main())
