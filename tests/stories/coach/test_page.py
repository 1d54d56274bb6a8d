"""The coach and hints through Discord, as members use them."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from simcord import ResponseMessage

from bot.presentation.coach.sentences import every_way
from bot.services.base.errors import WorkshopFullError
from bot.services.coach import analysing
from bot.services.coach.insights import Insight, Observation
from bot.services.coach.model import Analysis
from cogs.coach import page as coach
from tests.support import duel_stories
from tests.support.mastermind_stories import fix_secret, opened, press, typed
from tests.support.screen import buttons, custom_ids, parts, seen, text
from tests.support.sql import sql
from tests.support.table import SECRET, Table

MORE = ("Replay", "Details")
FIND = "Find a better guess"
FIRST, SECOND = "12+34-5=41", "65%43-21=1"


async def solved(table: Table) -> ResponseMessage:
    board = await table.focdle(table.ann, guess=FIRST)
    board = await table.guess(table.ann, board, SECOND)
    return await table.guess(table.ann, board, SECRET)


def pictures(page: ResponseMessage) -> list[str]:
    """What is told of the pictures to who cannot see them."""
    return [item["description"] for part in parts(page) for item in part.get("items", [])]


def not_at_once() -> Callable[..., Awaitable[bool]]:
    """Every page takes longer than who pressed should wait without a word."""
    is_done_within = vars(coach)["_is_done_within"]
    asked: list[float] = []

    async def is_done(work: object, seconds: float) -> bool:
        asked.append(seconds)
        return len(asked) > 1 and await is_done_within(work, seconds)

    return is_done


def refuse(_record: object) -> Analysis:
    raise WorkshopFullError


class TestCoach:
    async def test_a_finished_daily_is_looked_at_guess_by_guess(self, table: Table) -> None:
        board = await solved(table)
        page = await press(table.ann, board, "Coach")
        assert page.ephemeral
        assert page.id != board.id
        assert "Coach · FoCdle #324" in text(page)
        assert "**2** ?? blunder\n" in text(page)
        assert pictures(page) == []
        assert buttons(page) == [FIND, "Details"]
        assert SECRET not in "".join(custom_ids(page))

    async def test_its_figures_are_behind_details(self, table: Table) -> None:
        page = await press(table.ann, await solved(table), "Coach")
        found = await press(table.ann, page, "Details")
        assert found.id == page.id
        assert "**1** · 1,805,274 → 834 · " in text(found)
        assert "`57%3+41=26` → " in text(found)
        assert pictures(found)[0].startswith(
            "How many were still possible after each guess.\nyou: "
        )
        assert buttons(found) == ["Back"]
        await table.restart()
        back = await press(table.ann, found, "Back")
        assert (back.id, text(back), pictures(back)) == (page.id, text(page), [])

    async def test_a_second_look_survives_a_restart(self, table: Table) -> None:
        board = await solved(table)
        first = text(await press(table.ann, board, "Coach"))
        await table.restart()
        assert text(await press(table.ann, board, "Coach")) == first

    async def test_who_has_to_wait_is_told_so_until_the_page_is_there(
        self, table: Table, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        board = await solved(table)
        monkeypatch.setattr(coach, "_is_done_within", not_at_once())
        page = await press(table.ann, board, "Coach")
        assert page.ephemeral
        assert "Coach · FoCdle #324" in text(page)
        sent = [str(request.json) for request in table.env.http_requests if request.json]
        told = [body for body in sent if "The coach is looking at this game" in body]
        assert len(told) == 1

    async def test_what_fails_after_that_takes_the_progress_line_away(
        self, table: Table, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        board = await solved(table)
        monkeypatch.setattr(coach, "_is_done_within", not_at_once())
        monkeypatch.setattr(analysing, "examine", refuse)
        result = await table.ann.click(board, label="Coach")
        assert result.response is None  # it was there, and is gone
        (refused,) = result.followups
        assert "Many charts are being drawn." in text(refused)

    async def test_who_has_waited_as_long_as_discord_lets_us_may_come_back(
        self, table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        board = await solved(table)
        monkeypatch.setattr(coach, "_is_done_within", not_at_once())
        monkeypatch.setattr(coach, "_LAST_WORD_SECONDS", 0.0)
        page = await press(table.ann, board, "Coach")
        assert page.ephemeral
        assert text(page).startswith("Many games are before this one")
        assert buttons(page) == ["Coach"]
        again = await press(table.ann, page, "Coach")
        assert (again.id, text(again)) == (page.id, text(page))
        monkeypatch.undo()
        found = await press(table.ann, again, "Coach")
        assert found.id == page.id
        assert "Coach · FoCdle #324" in text(found)
        assert [record for record in caplog.records if record.exc_info] == []

    async def test_a_challenge_is_looked_at_by_both_players_and_nobody_else(
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
        assert text(bens).startswith("### Coach · Mastermind\n**")
        assert f"-# <@{table.ben.id}>'s guesses" in text(anns)
        cleos = await press(table.world.members[2], board, "Coach")
        assert text(cleos).startswith(f"This game is for <@{table.ann.id}> and <@{table.ben.id}>.")

    async def test_a_game_that_goes_on_again_is_not_looked_at(
        self, table: Table, tmp_path: Path
    ) -> None:
        board = await solved(table)
        sql(tmp_path, "update plays set finished_at = null, outcome = null, on_date = false")
        refused = await press(table.ann, board, "Coach")
        assert "The coach speaks when the game is over." in text(refused)

    async def test_a_deleted_game_is_no_longer_stored(self, table: Table, tmp_path: Path) -> None:
        board = await solved(table)
        sql(tmp_path, "delete from guesses")
        sql(tmp_path, "delete from plays")
        refused = await press(table.ann, board, "Coach")
        assert "That game is gone." in text(refused)

    async def test_a_long_mastermind_has_pages(self, table: Table, tmp_path: Path) -> None:
        board = await opened(table, table.ann, "play")
        fix_secret(tmp_path, "RGBY")
        for code in ("RROO", "OOYY", "YYGG", "GGBB", "BBPP", "PPRR", "RGBP"):
            board = await typed(table.ann, board, code)
        board = await typed(table.ann, board, "RGBY")
        page = await press(table.ann, board, "Coach")
        assert "**6** ?? blunder\n" in text(page)
        assert "**7" not in text(page)
        assert buttons(page) == ["Later guesses", *MORE]
        later = await press(table.ann, page, "Later guesses")
        assert later.id == page.id
        assert "**7 " in text(later)
        assert buttons(later) == ["Earlier guesses", *MORE]
        assert text(await press(table.ann, later, "Earlier guesses")) == text(page)

    async def test_games_of_the_bot_are_looked_at_without_grades(self, table: Table) -> None:
        board = await opened(table, table.ann, "watch")
        board = await press(table.ann, board, "All")
        page = await press(table.ann, board, "Coach")
        assert "-# The bot's guesses" in text(page)
        assert "blunder" not in text(page)

    async def test_both_sides_of_a_duel(self, table: Table) -> None:
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
        assert buttons(page) == ["The other side", *MORE]
        other = await press(second, page, "The other side")
        assert other.id == page.id
        assert f"<@{first.id}>'s guesses" in text(other)
        assert buttons(other) == ["Your guesses", *MORE]
        assert text(await press(second, other, "Your guesses")) == own
        watching = await press(table.world.members[2], board, "Coach")
        assert text(watching).startswith("This game is for ")


class TestHints:
    async def test_the_price_is_told_before_a_hint_is_taken(self, table: Table) -> None:
        board = await table.focdle(table.ann, guess=FIRST)
        question = await press(table.ann, board, "Hint")
        assert question.ephemeral
        assert question.id == board.id
        assert "A hint costs a point: 4 instead of 5, if your" in text(question)
        assert "your streak stays, and today adds no day to it" in text(question)
        assert buttons(question) == ["How many are left?", "Suggest a guess", "Back"]
        assert "834" not in text(question)
        back = await press(table.ann, question, "Back")
        assert buttons(back)[:2] == ["Guess", "Hint"]
        assert "hint" not in text(back)

    async def test_hints_are_told_in_place_and_stay_on_the_board(self, table: Table) -> None:
        board = await table.focdle(table.ann, guess=FIRST)
        page = await press(table.ann, board, "Hint")
        counted = await press(table.ann, page, "How many are left?")
        assert counted.id == page.id
        assert "💡 **834** are still possible." in text(counted)
        assert buttons(counted)[:2] == ["Guess", "Hint"]
        asked = await press(table.ann, counted, "Hint")
        assert buttons(asked) == ["Suggest a guess", "Back"]
        told = await press(table.ann, asked, "Suggest a guess")
        assert "💡 One of the best guesses: `" in text(told)
        assert buttons(told)[:3] == ["Guess", "Play it", "Hint"]
        asked = await press(table.ann, told, "Hint")
        assert "No more hints before your next guess." in text(asked)
        assert buttons(asked) == ["Back"]
        told = await press(table.ann, asked, "Back")
        suggested = text(told).partition("One of the best guesses: `")[2].split("`")[0]
        later = await table.focdle(table.ann)
        assert "with 2 hints" in text(later)
        await table.restart()
        played = await press(table.ann, told, "Play it")
        assert played.id == told.id
        assert f"`{suggested}`" in text(played)
        assert "with 2 hints" in text(played)
        again = await press(table.ann, later, "Play it")
        assert f"You played `{suggested}` as guess 2." in text(again)
        assert "4 guesses left" in text(again)
        board = await table.focdle(table.ann)
        assert "834" not in text(board)
        board = await table.guess(table.ann, board, SECRET)
        assert "Solved in 3 of 6 · 2 points" in text(board)
        shared = await press(table.ann, board, "Share")
        assert "FoCdle #324 3/6 · 2 hints" in text(shared)

    async def test_a_double_click_is_charged_once(self, table: Table) -> None:
        board = await table.focdle(table.ann, guess=FIRST)
        page = await press(table.ann, board, "Hint")
        label = "How many are left?"
        await table.at_once([table.ann.click(page, label=label) for _ in range(2)])
        assert "with 1 hint" in text(await table.focdle(table.ann))

    async def test_a_hint_of_a_finished_game_is_refused(self, table: Table) -> None:
        board = await table.focdle(table.ann, guess=FIRST)
        other = await table.focdle(table.ann)
        page = await press(table.ann, board, "Hint")
        await table.focdle(table.ann, guess=SECRET)
        late = await press(table.ann, page, "Suggest a guess")
        assert "This game is over. **Coach** tells" in text(late)
        late = await press(table.ann, other, "Hint")
        assert "This game is over. **Coach** tells" in text(late)

    async def test_a_question_from_before_a_restart_is_answered_for_now(self, table: Table) -> None:
        board = await table.focdle(table.ann, guess=FIRST)
        asked = await press(table.ann, board, "Hint")
        await table.restart()
        await table.focdle(table.ann, guess=SECOND)
        again = await press(table.ann, asked, "How many are left?")
        assert "are still possible" not in text(again)  # that count was of another position
        assert "A hint costs a point: 3 instead of 4, if your" in text(again)
        told = await press(table.ann, again, "How many are left?")
        assert "💡 " in text(told)
        assert "with 1 hint" in text(await table.focdle(table.ann))

    async def test_when_all_are_taken_that_is_said(self, table: Table) -> None:
        board = await table.focdle(table.ann, guess=FIRST)
        page = await press(table.ann, board, "Hint")
        board = await press(table.ann, page, "Suggest a guess")
        for guess in (SECOND, "98-76+5=27", ""):
            page = await press(table.ann, board, "Hint")
            board = await press(table.ann, page, "How many are left?")
            if guess:
                board = await table.guess(table.ann, board, guess)
        page = await press(table.ann, board, "Hint")
        assert "These were all the hints of this game." in text(page)
        assert buttons(page) == ["Back"]

    async def test_mastermind_has_hints_against_the_bot_only(
        self, table: Table, tmp_path: Path
    ) -> None:
        board = await opened(table, table.ann, "play")
        fix_secret(tmp_path, "RGBY")
        board = await typed(table.ann, board, "RROO")
        page = await press(table.ann, board, "Hint")
        assert "On the leaderboard a hint counts as a guess" in text(page)
        told = await press(table.ann, page, "How many are left?")
        assert "are still possible" in text(told)
        board = await typed(table.ann, board, "RGBY")
        assert "Hints: 1. The code was" in text(board)

    async def test_where_no_board_counts_a_hint_costs_nothing(self, table: Table) -> None:
        board = await opened(table, table.ann, "play", guesses=8)
        page = await press(table.ann, board, "Hint")
        assert "There are no points to lose here" in text(page)

    async def test_a_suggestion_that_was_followed_is_marked_and_not_praised(
        self, table: Table, tmp_path: Path
    ) -> None:
        board = await opened(table, table.ann, "play")
        fix_secret(tmp_path, "RGBY")
        board = await typed(table.ann, board, "RROO")
        page = await press(table.ann, board, "Hint")
        told = await press(table.ann, page, "Suggest a guess")
        ((suggested,),) = sql(tmp_path, "SELECT answer FROM hints")
        board = await press(table.ann, told, "Play it")
        assert board.id == told.id
        assert suggested != "RGBY"
        board = await typed(table.ann, board, "RGBY")
        page = await press(table.ann, board, "Coach")
        assert text(page).count("· 💡 suggested") == 1
        for praise in every_way(Observation(Insight.PERFECT)):
            assert praise not in text(page)
