"""*Post it here every morning?*: a manager is asked once, and either answer settles it."""

import pytest
from simcord import MemberActor, ResponseMessage

from tests.support.screen import buttons, seen, text
from tests.support.table import SECRET, Table

QUESTION = "Post each new puzzle here, every morning?"


async def asked(table: Table, who: MemberActor, **options: str) -> list[ResponseMessage]:
    """What follows a board by which a daily ends."""
    return (await who.slash(table.channel, "focdle", **options)).followups


@pytest.mark.parametrize("answer", ["Yes", "No"])
async def test_daily_posts_are_offered_once_after_a_managers_first_game(
    table: Table, answer: str
) -> None:
    table.let_manage(table.ann)
    assert not await asked(table, table.ann, guess="12+34-5=41")
    (question,) = await asked(table, table.ann, guess=SECRET)
    assert question.ephemeral
    assert (text(question), buttons(question)) == (QUESTION, ["Yes", "No"])
    await table.restart()
    settled = seen(await table.ann.click(question, label=answer))
    assert settled.id == question.id
    told = {"Yes": "Every morning, here. `/settings` changes it."}
    assert text(settled) == told.get(answer, "All right. You can turn it on in `/settings`.")
    assert buttons(settled) == []
    chosen = (await table.services.settings.view(table.ann.guild.id)).channel_id
    assert chosen == (table.channel.id if answer == "Yes" else None)
    assert not await asked(table, table.ann)
    table.let_manage(table.ben)
    assert not await asked(table, table.ben, guess=SECRET)


async def test_only_a_manager_is_offered_daily_posts_and_only_after_the_first_game(
    table: Table,
) -> None:
    assert not await asked(table, table.ann, guess=SECRET)
    play = await table.services.daily.open(table.ann.id, table.ann.guild.id, puzzle="300")
    table.let_manage(table.ann)
    assert not await asked(table, table.ann, puzzle="300", guess=play.game.secret)


async def test_a_manager_is_offered_no_daily_posts_where_a_channel_is_set(table: Table) -> None:
    await table.services.settings.change(table.ann.guild.id, channel_id=table.channel.id)
    table.let_manage(table.ann)
    assert not await asked(table, table.ann, guess=SECRET)


async def test_a_member_who_is_no_longer_a_manager_cannot_accept_the_offer(table: Table) -> None:
    role = table.let_manage(table.ann)
    (question,) = await asked(table, table.ann, guess=SECRET)
    table.env.backend.remove_member_role(table.ann.guild.id, table.ann.id, role.id)
    await table.ann.click(question, label="Yes")
    assert (await table.services.settings.view(table.ann.guild.id)).channel_id is None
