"""What goes wrong around a game: strangers, restarts, double clicks, what is lost or broken."""

import logging
from pathlib import Path

import pytest
from simcord import ResponseMessage

from cogs.hosting import HeartbeatCog
from cogs.ui.pages import button
from tests.support.databases import Databases
from tests.support.loose import post
from tests.support.screen import custom_ids, seen, text
from tests.support.sql import sql
from tests.support.table import SECRET, Table


def the_play_of(board: ResponseMessage) -> int:
    """The id of the play that a board's buttons carry."""
    return int(custom_ids(board)[0].rpartition(":")[2])


async def test_a_page_that_only_reads_does_not_wait_for_a_locked_database(
    table: Table, databases: Databases, tmp_path: Path
) -> None:
    board = await table.focdle(table.ann, guess="12+34-5=41")
    await table.ann.slash(table.channel, "stats")  # the first time, her streak is written down
    with databases.held(tmp_path):
        assert (await table.ann.click(board, label="Guess")).modal is not None
        assert "5 guesses left." in text(await table.focdle(table.ann))
        for command in ("stats", "leaderboard", "preferences", "play"):
            answer = seen(await table.ann.slash(table.channel, command))
            assert "busy" not in text(answer), command
    assert "4 guesses left." in text(await table.guess(table.ann, board, "98-76+5=27"))


async def test_a_guess_form_survives_a_restart(table: Table) -> None:
    board = await table.focdle(table.ann)
    form = await table.form(table.ann, board)
    await table.restart()
    board = seen(await table.ann.submit_modal(form, {"guess": "12+34-5=41"}))
    assert "5 guesses left." in text(board)


async def test_the_same_guess_twice_at_the_same_instant_spends_one_turn(table: Table) -> None:
    first, second = await table.focdle(table.ann), await table.focdle(table.ann)
    forms = [await table.form(table.ann, board) for board in (first, second)]
    await table.at_once([table.ann.submit_modal(f, {"guess": "12+34-5=41"}) for f in forms])
    refusals = [
        board for board in (first, second) if "You played `12+34-5=41` as guess 1." in text(board)
    ]
    assert len(refusals) == 1
    assert "5 guesses left." in text(await table.focdle(table.ann))


async def test_opening_the_daily_twice_at_the_same_instant_gives_one_board(table: Table) -> None:
    results = await table.at_once([table.ann.slash(table.channel, "focdle") for _ in range(2)])
    plays = {custom_ids(seen(result))[0] for result in results}
    assert len(plays) == 1


async def test_a_form_of_a_private_board_never_replaces_a_public_message(table: Table) -> None:
    play = the_play_of(await table.focdle(table.ann))
    message = await post(table.world, button(f"fd:guess:{play}", "Guess"))
    board = seen(
        await table.ann.submit_modal(
            await table.ann.click(message, label="Guess"), {"guess": "12+34-5=41"}
        )
    )
    assert board.ephemeral
    assert board.id != message.id
    assert "5 guesses left." in text(board)


async def test_buttons_of_a_deleted_game_say_that_it_is_gone(table: Table) -> None:
    message = await post(
        table.world, button("fd:guess:999", "Guess"), button("fd:share:999", "Share")
    )
    for label in ("Guess", "Share"):
        answer = seen(await table.ann.click(message, label=label))
        assert answer.ephemeral
        assert text(answer) == "That game is gone. Open today's puzzle instead."


async def test_a_guess_on_a_dismissed_board_is_stored_and_shown(table: Table) -> None:
    board = await table.focdle(table.ann)
    form = await table.form(table.ann, board)
    submission = table.ann.submit_modal(form, {"guess": "12+34-5=41"})
    result, _ = await table.at_once([submission, table.dismiss(board)])
    assert "5 guesses left." in text(seen(result))
    assert "5 guesses left." in text(await table.focdle(table.ann))


async def test_a_board_opened_before_midnight_belongs_to_its_date(table: Table) -> None:
    board = await table.focdle(table.ann, guess="12+34-5=41")
    table.clock.advance(hours=13)
    board = await table.guess(table.ann, board, "98-76+5=27")
    assert "FoCdle #324" in text(board)
    assert "from the archive" in text(board)
    assert "4 guesses left." in text(board)
    today = await table.focdle(table.ann)
    assert "FoCdle #325" in text(today)
    assert "from the archive" not in text(today)


async def test_a_board_that_still_counts_after_midnight_is_not_called_one_from_the_archive(
    table: Table,
) -> None:
    table.clock.advance(hours=11)
    board = await table.focdle(table.ann, guess="12+34-5=41")
    table.clock.advance(hours=1, minutes=29)
    board = await table.guess(table.ann, board, "98-76+5=27")
    assert "Nov 20, 2026 · 10 symbols\n" in text(board)
    assert "Yesterday's puzzle. It stops counting" in text(board)
    board = await table.guess(table.ann, board, SECRET)
    assert "4 points" in text(board)


async def test_a_daily_finished_on_its_date_still_shows_its_points_on_a_later_date(
    table: Table,
) -> None:
    await table.focdle(table.ann, guess=SECRET)
    table.clock.advance(days=1)
    board = await table.focdle(table.ann, puzzle="324")
    assert "Nov 20, 2026 · 10 symbols\n" in text(board)
    assert "6 points" in text(board)


@pytest.mark.usefixtures("breaking")
async def test_an_unexpected_error_shows_a_reference_that_is_in_the_log(
    table: Table, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    board = await table.focdle(table.ann)
    form = await table.form(table.ann, board)
    sql(tmp_path, "ALTER TABLE guesses RENAME TO lost")
    answers = [
        seen(await table.ann.submit_modal(form, {"guess": "12+34-5=41"})),
        seen(await table.ann.click(board, label="Guess")),
        seen(await table.ann.slash(table.channel, "focdle")),
    ]
    errors = [r.getMessage() for r in caplog.records if r.levelno == logging.ERROR]
    for answer in answers:
        assert answer.ephemeral
        assert "Something broke. Your game is safe" in text(answer)
        reference = text(answer).split("`")[1]
        assert any(reference in line for line in errors)
    # The command tree hands its errors to SimCord as well, which would fail the test.
    assert len(table.env.errors) == 1
    sql(tmp_path, "ALTER TABLE lost RENAME TO guesses")
    assert "Find the hidden equation: " in text(await table.focdle(table.ann))


async def test_commands_are_registered_only_after_a_change(table: Table) -> None:
    def syncs() -> int:
        return sum(r.method == "PUT" for r in table.env.http_requests)

    assert syncs() == 1
    await table.restart()
    assert syncs() == 1
    table.env.backend.commands.clear()
    await table.restart()
    assert syncs() == 2


def heartbeat(table: Table) -> HeartbeatCog:
    return table.cog(HeartbeatCog)


async def test_a_busy_database_does_not_stop_the_heartbeat(
    table: Table, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    await table.restart()
    cog = heartbeat(table)
    sql(tmp_path, "ALTER TABLE pulses RENAME TO lost")
    await table.env.advance_time(60)
    assert "heartbeat: failed this time" in caplog.text
    assert cog.beat.is_running()
    sql(tmp_path, "ALTER TABLE lost RENAME TO pulses")
    table.clock.advance(minutes=1)
    await table.env.advance_time(60)
    ((value,),) = sql(tmp_path, "SELECT DISTINCT beat_at FROM pulses")
    assert value == f"{table.clock.now():%Y-%m-%d %H:%M:%S.%f}"


async def test_a_second_process_on_the_same_database_is_reported_once(
    table: Table, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    cog = heartbeat(table)
    for _ in range(3):
        sql(tmp_path, "UPDATE pulses SET process = 'another one'")
        await cog.beat()
    told = [record for record in caplog.records if record.name == "cogs.hosting"]
    assert [(record.levelname, record.message) for record in told] == [
        ("WARNING", "Another process answers from this database. Stop one of them.")
    ]


CONTACT = "<https://example.org/bot>"


@pytest.mark.usefixtures("breaking")
async def test_the_hosts_contact_is_shown_where_players_need_it(
    table: Table, tmp_path: Path
) -> None:
    line = f"-# Reach the people who run this bot: {CONTACT}"
    for command in ("help", "privacy"):
        assert "Reach the people" not in text(await asked(table, command))
    await table.restart(contact=CONTACT)
    for command in ("help", "privacy"):
        assert line in text(await asked(table, command)).splitlines()
    board = await table.focdle(table.ann)
    sql(tmp_path, "ALTER TABLE guesses RENAME TO lost")
    broken = seen(await table.ann.click(board, label="Guess"))
    assert text(broken).splitlines()[-1] == line


async def asked(table: Table, command: str) -> ResponseMessage:
    return seen(await table.ann.slash(table.channel, command))
