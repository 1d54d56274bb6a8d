"""Replays through Discord: alone, for everybody, and who turns whose."""

from pathlib import Path

from simcord import ResponseMessage

from tests.support import duel_stories
from tests.support.forging import forge_click
from tests.support.mastermind_stories import fix_secret, opened, press, typed
from tests.support.overwrites import overwrite
from tests.support.screen import NOT_YOURS, buttons, custom_ids, seen, text
from tests.support.table import SECRET, Table

FIRST = "12+34-5=41"


async def won_mastermind(table: Table, folder: Path) -> ResponseMessage:
    """A game of three guesses, the last of which is right."""
    board = await opened(table, table.ann, "play")
    fix_secret(folder, "RGBY")
    for code in ("RROO", "OOYY", "RGBY"):
        board = await typed(table.ann, board, code)
    return board


async def replayed(table: Table, board: ResponseMessage) -> ResponseMessage:
    """The replay as the coach's page opens it."""
    page = await press(table.ann, board, "Coach")
    replay = await press(table.ann, page, "Replay")
    assert replay.id == page.id
    return replay


class TestAlone:
    async def test_a_replay_shows_a_mastermind_guess_by_guess(
        self, table: Table, tmp_path: Path
    ) -> None:
        page = await replayed(table, await won_mastermind(table, tmp_path))
        assert page.ephemeral
        assert "Replay · Mastermind" in text(page)
        assert "before the first guess" in text(page)
        assert "RROO" not in text(page)
        assert buttons(page) == ["Back", "Next", "To the end", "Coach", "Show it here"]
        page = await press(table.ann, page, "Next")
        assert "guess 1 of 3" in text(page)
        assert "1,296 possible → " in text(page)
        assert "RGBY" not in text(page)
        await table.restart()
        page = await press(table.ann, page, "To the end")
        assert "RGBY" in text(page)
        assert buttons(page) == ["Back", "From the start", "Coach", "Show it here"]
        page = await press(table.ann, page, "Back")
        assert "RGBY" not in text(page)
        assert "Coach · Mastermind" in text(await press(table.ann, page, "Coach"))

    async def test_old_replay_buttons_of_focdle_open_the_coach(self, table: Table) -> None:
        board = await table.focdle(table.ann, guess=FIRST)
        await table.guess(table.ann, board, SECRET)
        for former in (
            "replay:open:play:1:m",
            "replay:turn:{ann}:play:1:m:3",
            "replay:show:play:1:0",
        ):
            custom_id = former.format(ann=table.ann.id)
            page = seen(await forge_click(table.ann, table.channel, custom_id))
            assert page.ephemeral
            assert "Coach · FoCdle #324" in text(page)
            theirs = seen(await forge_click(table.ben, table.channel, custom_id))
            assert "That board is somebody else's." in text(theirs)

    async def test_the_replay_of_a_lost_mastermind_ends_with_the_code(
        self, table: Table, tmp_path: Path
    ) -> None:
        board = await opened(table, table.ann, "play", guesses=10)
        fix_secret(tmp_path, "RGBY")
        for code in (
            "RROO",
            "OOYY",
            "YYGG",
            "GGBB",
            "BBPP",
            "PPRR",
            "ROYG",
            "OYGB",
            "YGBP",
            "GBPR",
        ):
            board = await typed(table.ann, board, code)
        page = await replayed(table, board)
        assert "did not find" not in text(page)
        page = await press(table.ann, page, "To the end")
        assert f"<@{table.ann.id}> did not find 🔴🟢🔵🟡 `RGBY`." in text(page)

    async def test_a_replay_shows_a_duel_round_by_round(self, table: Table) -> None:
        board = await duel_stories.playing(table)
        first, second = duel_stories.to_move(table, board)
        board = await duel_stories.typed(first, board, duel_stories.WRONG[0])
        board = await duel_stories.typed(second, board, duel_stories.WRONG[1])
        board = await duel_stories.typed(first, board, duel_stories.number_of(table, second))
        board = await duel_stories.typed(second, board, duel_stories.WRONG[2])
        page = await press(second, board, "Coach")
        page = await press(second, page, "Replay")
        assert f"<@{first.id}> and <@{second.id}> · before the first guess" in text(page)
        for shown in (duel_stories.WRONG[0], duel_stories.WRONG[1]):
            assert shown not in text(page)
            page = await press(second, page, "Next")
            assert "round 1" in text(page)
            assert shown in text(page)
        # Of one side's guesses the coach has something to say: of those it was asked about.
        assert f"<@{second.id}> · **1" in text(page)
        page = await press(second, page, "To the end")
        assert f"<@{second.id}> did not find `" in text(page)
        assert "Show it here" in buttons(page)  # in the server where they have played


class TestForEverybody:
    async def test_only_the_poster_turns_a_public_replay_and_other_members_get_private_copies(
        self, table: Table, tmp_path: Path
    ) -> None:
        page = await replayed(table, await won_mastermind(table, tmp_path))
        public = await press(table.ann, page, "Show it here")
        assert not public.ephemeral
        assert public.id != page.id
        assert buttons(public) == ["Back", "Next", "To the end"]
        public = await press(table.ann, public, "Next")
        assert not public.ephemeral
        assert "guess 1 of 3" in text(public)
        bens = await press(table.ben, public, "To the end")
        assert bens.ephemeral
        assert bens.id != public.id
        assert "guess 3 of 3" in text(bens)
        assert buttons(bens) == ["Back", "From the start"]
        back = await press(table.ben, bens, "Back")
        assert (back.id, back.ephemeral) == (bens.id, True)
        shown = await press(table.ann, public, "Next")
        assert (shown.id, shown.ephemeral) == (public.id, False)
        assert "guess 2 of 3" in text(shown)

    async def test_only_the_owner_of_a_private_replay_turns_the_pages(
        self, table: Table, tmp_path: Path
    ) -> None:
        page = await replayed(table, await won_mastermind(table, tmp_path))
        turns = [each for each in custom_ids(page) if ":turn:" in each]
        for turn in [each for each in turns if each.startswith("replay:")]:
            assert text(seen(await forge_click(table.ben, table.channel, turn))) == NOT_YOURS
        public = await press(table.ann, page, "Show it here")
        assert "guess 1 of 3" in text(await press(table.ben, public, "Next"))
        (turn,) = [each for each in custom_ids(public) if each.endswith(":1")]
        elsewhere = table.world.channels[1]
        assert text(seen(await forge_click(table.ben, elsewhere, turn))) == NOT_YOURS

    async def test_a_public_replay_that_is_deleted_at_the_click_goes_on_in_private(
        self, table: Table, tmp_path: Path
    ) -> None:
        page = await replayed(table, await won_mastermind(table, tmp_path))
        public = await press(table.ann, page, "Show it here")
        table.env.inject_error("POST", "/interactions/*/callback", status=404, code=10008)
        copy = await press(table.ann, public, "Next")
        assert copy.ephemeral
        assert "guess 1 of 3" in text(copy)

    async def test_a_double_click_posts_a_replay_once(self, table: Table, tmp_path: Path) -> None:
        page = await replayed(table, await won_mastermind(table, tmp_path))
        results = await table.at_once(
            [table.ann.click(page, label="Show it here") for _ in range(2)]
        )
        answers = [result.response for result in results]
        assert sorted(answer.ephemeral for answer in answers) == [False, True]
        again = await press(table.ann, page, "Show it here")
        assert "You shared this here already." in text(again)

    async def test_a_replay_is_not_posted_for_a_member_without_permission_to_write(
        self, table: Table, tmp_path: Path
    ) -> None:
        page = await replayed(table, await won_mastermind(table, tmp_path))
        overwrite(table, table.channel, table.ann, send_messages=False)
        refused = await press(table.ann, page, "Show it here")
        assert refused.ephemeral
        assert "To share it, type `/play` in <#" in text(refused)

    async def test_a_replay_of_a_deleted_game_cannot_be_turned(
        self, table: Table, tmp_path: Path
    ) -> None:
        page = await replayed(table, await won_mastermind(table, tmp_path))
        public = await press(table.ann, page, "Show it here")
        await table.services.privacy.players.delete(table.ann.id, "delete")
        for who in (table.ann, table.ben):
            refused = await press(who, public, "Next")
            assert refused.ephemeral
            assert "That game is gone." in text(refused)
