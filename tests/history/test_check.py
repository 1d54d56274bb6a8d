"""The check finds every fault that it is there for, and none where all is well."""

import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from sqlalchemy import insert
from sqlalchemy.exc import IntegrityError

from bot.db import keys
from bot.db.database import Database
from bot.db.tables.bookkeeping import facts
from tests.history.check import faults_of_guesses, faults_of_logs, faults_of_posts
from tests.history.record import Act, Outcome, Post

GAME, ANN = "duel:1", 1001
PLAYED, REFUSED, UNKNOWN = Outcome


def act(code: str, began: float, outcome: Outcome = PLAYED) -> Act:
    return Act(GAME, ANN, code, began, began + 1, outcome)


def told(acts: Sequence[Act], *codes: str) -> list[str]:
    """What is wrong if these count."""
    stored: Mapping[tuple[str, int], Sequence[str]] = {(GAME, ANN): codes}
    return [fault.removeprefix(f"{(GAME, ANN)}: ") for fault in faults_of_guesses(acts, stored)]


def test_the_check_accepts_an_unanswered_action_as_either_done_or_not_done() -> None:
    acts = [act("1234", 0), act("5678", 0.5, UNKNOWN), act("5678", 4, REFUSED), act("9012", 6)]
    assert not told(acts, "1234", "9012")
    assert not told(acts, "1234", "5678", "9012")
    assert not told(acts, "5678", "1234", "9012")


@pytest.mark.parametrize(
    ("codes", "fault"),
    [
        ((), "1234 was shown and is lost"),
        (("1234", "1234"), "a guess counts twice: ('1234', '1234')"),
        (("1234", "0987"), "nobody has sent 0987"),
        (("1234", "5678"), "5678 was refused, and counts"),
        (("9012", "1234"), "9012 stands before 1234, which was shown before it was sent"),
    ],
)
def test_the_check_finds_rows_that_differ_from_the_answers_to_players(
    codes: tuple[str, ...], fault: str
) -> None:
    acts = [act("1234", 0), act("5678", 2, REFUSED), act("9012", 4, UNKNOWN)]
    assert told(acts, *codes) == [fault]


def test_the_check_finds_a_second_post_of_a_date() -> None:
    posts = [Post(7, "2026-11-20", 1), Post(7, "2026-11-21", 2), Post(8, "2026-11-20", 3)]
    assert not [*faults_of_posts(posts)]
    found = [*faults_of_posts([*posts, Post(7, "2026-11-20", 4)])]
    assert found == ["channel 7 has 2 posts of 2026-11-20"]


async def test_the_check_finds_in_the_log_of_a_process_that_a_row_was_written_twice(
    tmp_path: Path, database_url: str
) -> None:
    database = await Database.open(database_url)
    log = tmp_path / "log-1"
    for value in ("x", "y"):
        add = insert(facts).values(name="name", value=value)
        try:
            await database.write(lambda tx, add=add: tx.execute(add), keys.trial("name"))
        except IntegrityError:
            log.write_text(traceback.format_exc())
    await database.close()
    assert [*faults_of_logs(tmp_path)] == ["log-1: sqlalchemy.exc.IntegrityError, 1 times"]
