"""The coach and hints through Discord, as members use them."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from simcord import ResponseMessage

from bot.coach import analysis
from bot.coach.model import Analysis
from bot.refused import PoolFullError
from cogs import coach
from tests.support import duel_stories
from tests.support.mastermind_stories import fix_secret, opened, press, typed
from tests.support.screen import buttons, custom_ids, parts, seen, text
from tests.support.table import SECRET, Table

FIND = "Find a better guess"
FIRST, SECOND = "12+34-5=41", "65%43-21=1"


async def solved(table: Table) -> ResponseMessage:
    board = await table.focdle(table.ann, guess=FIRST)
    board = await table.guess(table.ann, board, SECOND)
    return await table.guess(table.ann, board, SECRET)


def pictures(page: ResponseMessage) -> list[str]:
    """What is told of the pictures to those who cannot see them."""
    return [item["description"] for part in parts(page) for item in part.get("items", [])]


def not_at_once() -> Callable[..., Awaitable[bool]]:
    """Every page takes longer than those who pressed should wait without a word."""
    is_done_within = vars(coach)["is_done_within"]
    asked: list[float] = []

    async def is_done(work: object, seconds: float) -> bool:
        asked.append(seconds)
        return len(asked) > 1 and await is_done_within(work, seconds)

    return is_done


def refuse(_record: object) -> Analysis:
    raise PoolFullError


class TestCoach:
    async def test_the_coach_reviews_a_finished_daily_guess_by_guess(self, table: Table) -> None:
        board = await solved(table)
        page = await press(table.ann, board, "Coach")
        assert page.ephemeral
        assert page.id != board.id
        assert "Coach · FoCdle #324" in text(page)
        assert "**2** · slip\n" in text(page)
        assert pictures(page) == []
        assert buttons(page) == [FIND, "Details"]
        assert SECRET not in "".join(custom_ids(page))

    async def test_the_figures_of_a_review_are_behind_the_details_button(
        self, table: Table
    ) -> None:
        page = await press(table.ann, await solved(table), "Coach")
        found = await press(table.ann, page, "Details")
        assert found.id == page.id
        assert "\n0  1,805,274\n1        834   992\n2         15     3\n" in text(found)
        assert pictures(found) == []
        assert buttons(found) == ["Back"]
        await table.restart()
        back = await press(table.ann, found, "Back")
        assert (back.id, text(back)) == (page.id, text(page))

    async def test_a_player_who_has_to_wait_reads_that_the_coach_is_looking_at_the_game(
        self, table: Table, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        board = await solved(table)
        monkeypatch.setattr(coach, "is_done_within", not_at_once())
        page = await press(table.ann, board, "Coach")
        assert page.ephemeral
        assert "Coach · FoCdle #324" in text(page)
        sent = [str(request.json) for request in table.env.http_requests if request.json]
        told = [body for body in sent if "The coach is looking at this game" in body]
        assert len(told) == 1

    async def test_a_failure_while_a_player_waits_removes_the_progress_line(
        self, table: Table, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        board = await solved(table)
        monkeypatch.setattr(coach, "is_done_within", not_at_once())
        monkeypatch.setattr(analysis, "examine", refuse)
        result = await table.ann.click(board, label="Coach")
        assert result.response is None  # it was there, and is gone
        (refused,) = result.followups
        assert "There's a queue." in text(refused)

    async def test_a_player_who_waits_too_long_for_the_coach_gets_a_button_to_ask_again(
        self, table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        board = await solved(table)
        monkeypatch.setattr(coach, "is_done_within", not_at_once())
        monkeypatch.setattr(coach, "_LAST_WORD_SECONDS", 0.0)
        page = await press(table.ann, board, "Coach")
        assert page.ephemeral
        assert text(page).startswith("Many games are ahead of yours")
        assert buttons(page) == ["Coach"]
        again = await press(table.ann, page, "Coach")
        assert (again.id, text(again)) == (page.id, text(page))
        monkeypatch.undo()
        found = await press(table.ann, again, "Coach")
        assert found.id == page.id
        assert "Coach · FoCdle #324" in text(found)
        assert [record for record in caplog.records if record.exc_info] == []

    async def test_only_the_two_players_may_see_the_review_of_a_challenge(
        self, table: Table
    ) -> None:
        form = await table.ann.slash(table.channel, "mastermind challenge", member=table.ben)
        board = seen(await table.ann.submit_modal(form, {"code": "RRGB"}))
        board = await press(table.ben, board, "Accept")
        for code in ("RROO", "RRGB"):
            assert "Hint" not in buttons(board)
            board = await typed(table.ben, board, code)
        assert not board.ephemeral
        bens, anns = [await press(who, board, "Coach") for who in (table.ben, table.ann)]
        assert bens.ephemeral
        assert text(bens).startswith("### Coach · Mastermind\n")
        assert f"-# <@{table.ben.id}>'s guesses" in text(anns)
        cleos = await press(table.world.members[2], board, "Coach")
        assert text(cleos).startswith(f"This game is for <@{table.ann.id}> and <@{table.ben.id}>.")

    async def test_the_review_of_a_long_mastermind_has_pages(
        self, table: Table, tmp_path: Path
    ) -> None:
        board = await opened(table, table.ann, "play")
        fix_secret(tmp_path, "RGBY")
        for code in ("RROO", "OOYY", "YYGG", "GGBB", "BBPP", "PPRR", "RGBP"):
            board = await typed(table.ann, board, code)
        board = await typed(table.ann, board, "RGBY")
        page = await press(table.ann, board, "Coach")
        assert "**6** · mistake\n" in text(page)
        assert "**7" not in text(page)
        assert buttons(page) == ["Later guesses", "Details"]
        later = await press(table.ann, page, "Later guesses")
        assert later.id == page.id
        assert "**7 " in text(later)
        assert buttons(later) == ["Earlier guesses", "Details"]
        assert text(await press(table.ann, later, "Earlier guesses")) == text(page)

    async def test_the_review_of_a_game_in_which_the_bot_guessed_has_no_grades(
        self, table: Table
    ) -> None:
        board = await opened(table, table.ann, "defend")
        board = await typed(table.ann, board, "RGBY", "Enter my code instead")
        board = await press(table.ann, board, "All")
        page = await press(table.ann, board, "Coach")
        assert "-# The bot's guesses" in text(page)
        assert "blunder" not in text(page)

    async def test_the_coach_reviews_both_sides_of_a_duel(self, table: Table) -> None:
        board = await duel_stories.playing(table)
        first, second = duel_stories.to_move(table, board)
        board = await duel_stories.typed(first, board, duel_stories.WRONG[0])
        board = await duel_stories.typed(second, board, duel_stories.WRONG[1])
        board = await duel_stories.typed(first, board, duel_stories.number_of(table, second))
        assert "Coach" not in buttons(board)
        board = await duel_stories.typed(second, board, duel_stories.WRONG[2])
        page = await press(second, board, "Coach")
        own = text(page)
        assert "'s guesses" not in own
        assert buttons(page) == ["The other side", "Details"]
        other = await press(second, page, "The other side")
        assert other.id == page.id
        assert f"<@{first.id}>'s guesses" in text(other)
        assert buttons(other) == ["Your guesses", "Details"]
        assert text(await press(second, other, "Your guesses")) == own
        watching = await press(table.world.members[2], board, "Coach")
        assert text(watching).startswith("This game is for ")


class TestHints:
    async def test_a_hint_shows_a_symbol_in_its_place(self, table: Table) -> None:
        board = await table.focdle(table.ann, guess=FIRST)
        assert buttons(board)[:2] == ["Guess", "Hint: −1 point"]
        asked = await press(table.ann, board, "Hint: −1 point")
        assert "💡" not in text(asked)
        shown = await press(table.ann, asked, "Hint: −1 point")
        assert (shown.ephemeral, shown.id) == (True, board.id)
        assert "💡 `6·········`" in text(shown)
        await table.restart()
        shown = await press(table.ann, shown, "Hint: −1 point")
        assert "💡 `66········`" in text(shown)
        assert not any("Hint" in label for label in buttons(shown))
        later = await table.focdle(table.ann)
        assert "💡 `66········`" in text(later)
        assert "with 2 hints" in text(later)
        board = await table.guess(table.ann, later, SECRET)
        assert "Solved in 2 of 6 · 3 points" in text(board)
        assert "💡" not in text(board)
        shared = await press(table.ann, board, "Share")
        assert "FoCdle #324 2/6 · 2 hints\n" in text(shared)

    async def test_a_hint_clicked_twice_and_again_on_an_outdated_board_is_given_once(
        self, table: Table
    ) -> None:
        board = await table.focdle(table.ann, guess=FIRST)
        stale, label = await table.focdle(table.ann), "Hint: −1 point"
        board = await press(table.ann, board, label)
        await table.at_once([table.ann.click(board, label=label) for _ in range(2)])
        await press(table.ann, stale, label)
        assert "with 1 hint" in text(await table.focdle(table.ann))

    async def test_mastermind_has_hints_only_against_the_bot(
        self, table: Table, tmp_path: Path
    ) -> None:
        board = await opened(table, table.ann, "play")
        fix_secret(tmp_path, "RGBY")
        assert not any("Hint" in label for label in buttons(board))
        board = await typed(table.ann, board, "RROO")
        asked = await press(table.ann, board, "Hint: counts as a guess")
        shown = await press(table.ann, asked, "Hint: counts as a guess")
        assert "💡\u2002🔴▫️▫️▫️" in text(shown)
        board = await typed(table.ann, shown, "RGBY")
        assert "12 guesses · with 1 hint" in text(board)
