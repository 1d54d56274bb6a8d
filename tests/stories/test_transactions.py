"""A click is one transaction, and a guess two statements in it."""

from tests.support.duel_stories import form
from tests.support.screen import seen
from tests.support.sql import statements
from tests.support.table import SECRET, Table


async def test_opening_a_form_takes_one_transaction_as_does_a_guess_or_a_common_command(
    table: Table,
) -> None:
    ann = table.ann
    board = await table.focdle(ann)
    with statements() as asked:
        opened = await form(ann, board)
    assert [len(transaction) for transaction in asked] == [1]
    with statements() as asked:
        board = seen(await ann.submit_modal(opened, {"guess": "12+34*2=80"}))
    (one,) = asked
    assert [statement.split()[0] for statement in one] == ["SELECT", "INSERT"]
    opened = await form(ann, board)
    with statements() as asked:
        await ann.submit_modal(opened, {"guess": SECRET})
    assert len(asked) == 1
    for command in ("play", "stats"):
        with statements() as asked:
            await ann.slash(table.channel, command)
        assert len(asked) == 1, command
