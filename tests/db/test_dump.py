"""PostgreSQL is backed up, and put back, by the commands that the paper types."""

import asyncio
import re
import subprocess
from pathlib import Path
from typing import Final

import pytest

from bot.services import open_services
from tests.support.clock import FakeClock
from tests.support.databases import Databases
from tests.support.needed import needed
from tests.support.sql import sql

pytestmark = pytest.mark.long(only=True)

PAPER: Final = Path(__file__).parents[2] / "docs" / "hosting" / "container.md"
KEY: Final = "0123456789abcdef"


def options(program: str) -> list[str]:
    """What the paper has behind a program, but for where the database is."""
    (typed,) = re.findall(rf"{program} (--.*?)(?: focdle)? [<>]", PAPER.read_text())
    own = ("--username", "--dbname")
    return [each for each in typed.split() if not each.startswith(own)]


def played_by(url: str, player: int) -> None:
    async def play() -> None:
        async with open_services(url, FakeClock(), puzzle_key=KEY) as services:
            await services.daily.open(player, None, guess="12+34-5=41")

    asyncio.run(play())


@pytest.mark.parametrize("databases", ["postgres"], indirect=True)
def test_a_dump_is_put_back_over_what_was_played_since(
    databases: Databases, tmp_path: Path
) -> None:
    url = databases.new(tmp_path)
    address = url.replace("+psycopg", "")
    played_by(url, 5)
    dump = [needed("pg_dump"), *options("pg_dump"), address]
    kept = subprocess.run(dump, capture_output=True, check=True).stdout
    played_by(url, 6)
    restore = [needed("pg_restore"), *options("pg_restore"), f"--dbname={address}"]
    subprocess.run(restore, input=kept, check=True)
    played_by(url, 7)
    assert sql(tmp_path, "SELECT player_id FROM plays ORDER BY player_id") == [(5,), (7,)]
