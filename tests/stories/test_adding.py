"""*Add to your server*: a link for those who meet the bot, where Discord lets others add it."""

from pathlib import Path
from typing import Any

import pytest
from simcord import MemberActor, ResponseMessage, UserHandle

from cogs.ui.help import PERMISSIONS
from tests.support.duel_stories import challenge
from tests.support.mastermind_stories import fix_secret
from tests.support.screen import parts, seen
from tests.support.simcord_gaps import let_know, open_group
from tests.support.table import SECRET, Table

ADD = "Add to your server"
PATH = "oauth2/applications/@me"
SERVERS: dict[str, Any] = {"integration_types_config": {"0": {}, "1": {}}}


@pytest.fixture
async def public(table: Table, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A table of which everybody may add the bot elsewhere."""
    let_know(monkeypatch, **SERVERS)
    await table.restart()
    return table


def links(message: ResponseMessage) -> list[str]:
    return [part["url"] for part in parts(message) if part.get("label") == ADD]


async def set_equation(table: Table) -> ResponseMessage:
    form = await table.ann.slash(table.channel, "equation")
    return seen(await table.ann.submit_modal(form, {"equation": "12+34-5=41"}))


async def given_up(
    who: MemberActor | UserHandle, board: ResponseMessage, folder: Path
) -> ResponseMessage:
    """A Mastermind, given up after a guess."""
    fix_secret(folder, "RGBY")
    form = await who.click(board, label="Guess")
    board = seen(await who.submit_modal(form, {"code": "RROO"}))
    for label in ("More", "Give up", "Yes, give up"):
        board = seen(await who.click(board, label=label))
    return board


async def test_help_leads_to_discords_page_that_adds_the_bot(public: Table) -> None:
    (link,) = links(seen(await public.ann.slash(public.channel, "help")))
    bot = public.bot
    assert link == (
        f"https://discord.com/oauth2/authorize?client_id={bot.application_id}"
        f"&scope=bot+applications.commands&permissions={PERMISSIONS.value}"
    )
    assert links(seen(await public.ann.slash(public.channel, "help", topic="duels"))) == []


async def test_the_more_button_of_boards_and_posts_leads_to_the_link_that_adds_the_bot(
    public: Table,
) -> None:
    board = await public.focdle(public.ann, guess="12+34-5=41")
    assert links(board) == []
    assert len(links(await public.more(public.ann, board))) == 1
    code = seen(await public.ann.slash(public.channel, "mastermind play"))
    assert len(links(await public.more(public.ann, code))) == 1
    post = await set_equation(public)
    race = seen(await public.ann.slash(public.channel, "race"))
    duel = await challenge(public)
    for message in (post, race, duel):
        assert links(message) == []
        assert len(links(await public.more(public.ben, message))) == 1


async def test_a_shared_result_has_a_link_that_adds_the_bot_where_the_bot_is_no_member(
    public: Table, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ann, *_ = open_group(public.env, monkeypatch, public.world.members)
    board = seen(await ann.slash("focdle", guess=SECRET))
    assert len(links(seen(await ann.click(board, label="Share")))) == 1
    board = await given_up(ann, seen(await ann.slash("mastermind play")), tmp_path)
    assert len(links(seen(await ann.click(board, label="Share")))) == 1


async def test_a_shared_result_has_no_link_that_adds_the_bot_in_a_server_with_the_bot(
    public: Table, tmp_path: Path
) -> None:
    board = seen(await public.ann.slash(public.channel, "mastermind play"))
    board = await given_up(public.ann, board, tmp_path)
    shared = seen(await public.ann.click(board, label="Share"))
    assert not shared.ephemeral
    assert links(shared) == []


@pytest.mark.parametrize(
    "facts",
    [
        SERVERS | {"bot_public": False},
        SERVERS | {"bot_require_code_grant": True},
        {"integration_types_config": {"1": {}}},
        {},
    ],
)
async def test_the_link_that_adds_the_bot_is_hidden_where_others_cannot_add_the_bot(
    table: Table, monkeypatch: pytest.MonkeyPatch, facts: dict[str, Any]
) -> None:
    let_know(monkeypatch, **facts)
    await table.restart()
    assert links(seen(await table.ann.slash(table.channel, "help"))) == []


async def test_the_bot_asks_discord_only_at_login_whether_others_can_add_the_bot(
    public: Table,
) -> None:
    def asked() -> int:
        return sum(each.path.endswith(PATH) for each in public.env.http_requests)

    before = asked()
    for _ in range(3):
        await public.ann.slash(public.channel, "help")
    assert asked() == before
