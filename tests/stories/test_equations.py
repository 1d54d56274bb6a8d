"""A member sets an equation, and the channel has six guesses at it."""

import pytest

from cogs.equations import CLOSE, MORE, PLAY, VERIFY, update_post
from cogs.ui.pages import button
from tests.support.calls import called
from tests.support.loose import post
from tests.support.meetings import EQUATION, cleo, more, play, publish, set_one
from tests.support.screen import buttons, custom_ids, reach, seen, text
from tests.support.table import SECRET, StillBot, Table

POST = ["Play", "More"]


async def test_a_set_equation_survives_a_restart_at_every_step(table: Table) -> None:
    asked = await table.ann.slash(table.channel, "equation")
    assert asked.modal is not None
    assert asked.modal["title"] == "Set an equation"
    asked_for = asked.modal["components"][-1]
    assert asked_for["description"].startswith("A true equation of 7 to 15 symbols")
    assert asked_for["component"]["max_length"] == 45
    await table.restart()
    board = seen(await table.ann.submit_modal(asked, {"equation": "12 + 34 − 5"}))
    assert not board.ephemeral
    assert "set an equation" in text(board)
    assert "10 symbols · closes <t:" in text(board)
    assert buttons(board) == POST
    assert EQUATION not in str(board.components)

    await table.restart()
    own = await play(table.ben, board)
    assert own.ephemeral
    assert "### \u2068Ann\u2069's FoCdle" in text(own)
    await table.restart()
    own = await table.guess(table.ben, own, "12+34-6=40")
    own = await table.guess(table.ben, own, EQUATION)
    assert "Solved in 2 of 6" in text(own)
    assert "Share" not in buttons(own)
    await publish(table)
    assert "2/6" in str(board.components)
    assert EQUATION not in str(board.components)

    table.clock.advance(hours=24)
    await publish(table)
    assert f"It was `{EQUATION}`." in text(board)
    assert "closed" in text(board)
    assert buttons(board) == ["Set one yourself", "More"]


async def test_the_coach_knows_whose_equation_it_was(table: Table) -> None:
    own = await table.guess(table.ben, await play(table.ben, await set_one(table)), EQUATION)
    early = seen(await table.ben.click(own, label="Coach"))
    told = "The coach waits until you've finished puzzle 324 (10 symbols), or its day is over."
    assert text(early) == told
    await table.focdle(table.ben, guess=SECRET)
    page = seen(await table.ben.click(own, label="Coach"))
    assert "Coach · \u2068Ann\u2069's FoCdle" in text(page)
    assert buttons(own)[0] == "Today's puzzle"
    assert buttons(seen(await table.ben.click(own, label="More")))[0] == "Practice"


async def test_a_setter_cannot_play_their_own_equation(table: Table) -> None:
    board = await set_one(table)
    assert text(await play(table.ann, board)) == (
        "You know this one! See how the others are doing."
    )


async def test_a_double_click_opens_one_board(table: Table) -> None:
    board = await set_one(table)
    clicks = [table.ben.click(board, label="Play") for _ in range(2)]
    first, second = [seen(result) for result in await table.at_once(clicks)]
    assert custom_ids(first) == custom_ids(second)


async def test_a_set_equation_has_no_hints_and_no_giving_up(table: Table) -> None:
    own = await play(table.ben, await set_one(table))
    own = await table.guess(table.ben, own, "12+34-6=40")
    own = await table.more(table.ben, own)
    assert not {"Hint", "Give up", "Watch the bot"} & set(buttons(own))


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("12+34-5=42", "`12+34-5` is 41, not 42."),
        ("1+1=2", "`1+1=2` has 5 symbols. Use 7 to 15."),
        ("99*99*99=970299+1", "has 17 symbols. Use 7 to 15."),
        ("", "Type an equation such as"),
        ("12+34-5=y", "`y` in place 9 isn't allowed"),
        ("12/4+5+1=9", "there's no division"),
    ],
)
async def test_a_refused_equation_can_be_entered_again(
    table: Table, typed: str, answer: str
) -> None:
    refused = await set_one(table, typed)
    assert refused.ephemeral
    assert answer in text(refused)
    again = await table.ann.click(refused, label="Enter it again")
    board = seen(await table.ann.submit_modal(again, {"equation": EQUATION}))
    assert buttons(board) == POST


async def test_todays_answer_is_refused_as_an_equation_only_from_players_who_have_finished_it(
    table: Table,
) -> None:
    own = await table.focdle(table.ann)
    await table.guess(table.ann, own, SECRET)
    refused = await set_one(table, SECRET)
    assert refused.ephemeral
    assert text(refused) == "That's puzzle 324, and others are still playing it. Set another."
    assert buttons(await set_one(table, SECRET, by=table.ben)) == POST


async def test_a_member_has_at_most_one_open_equation_and_a_channel_at_most_three(
    table: Table,
) -> None:
    first = await set_one(table)
    assert (
        text(await set_one(table))
        == "An equation of yours is still open here. Close it on its post first."
    )
    await set_one(table, by=table.ben)
    await set_one(table, by=cleo(table))
    dan = table.ann.guild.add_member(table.env.create_user("dan"))
    full = await set_one(table, by=dan)
    assert "3 equations are open here." in text(full)
    table.clock.advance(hours=3)
    assert buttons(await set_one(table, by=dan)) == POST
    await publish(table)
    assert "closed" in text(first)


async def test_only_the_setter_and_managers_close_an_equation(table: Table) -> None:
    board = await set_one(table)
    assert "Close" not in buttons(await more(table.ben, board))
    forged = await post(table.world, button(CLOSE(equation=1), "Close"))
    stranger = seen(await table.ben.click(forged, label="Close"))
    assert text(stranger) == "Only managers and the member who set it can close it."
    table.let_manage(cleo(table))
    await reach(cleo(table), await more(cleo(table), board), "Close")
    assert f"It was `{EQUATION}`." in text(board)


async def test_a_player_who_guesses_after_an_equation_has_closed_is_told_that_time_is_up(
    table: Table,
) -> None:
    board = await set_one(table)
    own = await play(table.ben, board)
    own = await table.guess(table.ben, own, "12+34-6=40")
    form = await table.form(table.ben, own)
    await reach(table.ann, await more(table.ann, board), "Close")
    late = seen(await table.ben.submit_modal(form, {"guess": EQUATION}))
    assert "This puzzle is finished." in text(late)
    assert "Time's up" in text(late)
    assert "Nobody finished it." in text(board)


async def test_a_board_whose_equation_closed_in_the_middle_is_reviewed_if_it_has_a_guess(
    table: Table,
) -> None:
    post_of_ann = await set_one(table)
    begun, untouched = [await play(who, post_of_ann) for who in (table.ben, cleo(table))]
    begun = await table.guess(table.ben, begun, "12+34-6=40")
    table.clock.advance(hours=24)
    over = seen(await table.ben.click(begun, label="Guess"))
    assert "Time's up" in text(over)
    review = seen(await table.ben.click(over, label="Coach"))
    assert "12+34-6=40" in text(review)
    assert "Coach" not in buttons(seen(await cleo(table).click(untouched, label="Guess")))


async def test_buttons_of_a_missing_equation_say_that_it_is_gone(table: Table) -> None:
    await set_one(table)
    items = [
        button(route(equation=number), f"{n} {number}")
        for number in (7, 2**40)
        for n, route in enumerate((PLAY, MORE, CLOSE, VERIFY))
    ]
    loose = await post(table.world, *items)
    for number in (7, 2**40):
        for n in range(4):
            answer = seen(await table.ben.click(loose, label=f"{n} {number}"))
            assert text(answer) == "That equation is gone. Set one yourself!"


async def test_a_deleted_post_closes_its_equation(table: Table) -> None:
    board = await set_one(table)
    await table.dismiss(board)
    assert buttons(await set_one(table)) == POST


async def test_a_post_that_cannot_be_edited_now_tells_its_setter_of_no_error(table: Table) -> None:
    board = await set_one(table)
    path = f"/channels/*/messages/{board.id}"
    table.env.inject_error("PATCH", path, status=503, times=None)
    opened = await more(table.ann, board)
    closed = await table.ann.click(opened, label="Close")
    assert "Close" not in buttons(seen(closed))
    assert closed.followups == []
    table.env.backend.faults.clear()
    table.clock.advance(minutes=1)
    await publish(table)
    assert f"It was `{EQUATION}`." in text(board)


async def test_a_post_that_is_due_before_its_servers_shard_is_ready_is_edited_a_minute_later(
    table: Table,
) -> None:
    board = await set_one(table)
    table.clock.advance(days=3)
    starting = StillBot(table.services, upload_tiles=False)
    await update_post(starting, table.services, 1)
    table.clock.advance(minutes=1)
    await publish(table)
    assert "closed" in text(board)


async def test_hidden_players_are_called_somebody_on_the_post(table: Table) -> None:
    await table.services.preferences.set_hidden(table.ann.id, on=True)
    await table.services.preferences.set_hidden(table.ben.id, on=True)
    board = await set_one(table)
    assert "Somebody set an equation" in text(board)
    own = await play(table.ben, board)
    assert "A member's FoCdle" in text(own)
    await table.guess(table.ben, own, EQUATION)
    await publish(table)
    assert "Somebody" in str(board.components)
    assert "Ben" not in str(board.components)


async def test_a_manager_can_turn_set_equations_off(table: Table) -> None:
    table.let_manage(table.ann)
    settings = seen(await table.ann.slash(table.channel, "settings"))
    (switch,) = [each for each in custom_ids(settings) if each == "set:equations:off"]
    await table.ann.click(settings, custom_id=switch)
    assert "off here" in text(await set_one(table, by=table.ben))


async def test_post_and_board_of_an_equation_show_one_seal_that_is_opened_at_the_end(
    table: Table,
) -> None:
    board = await set_one(table)
    before = seen(await table.ben.click(await more(table.ben, board), label="Is it fair?"))
    own = await table.guess(table.ben, await play(table.ben, board), "12+34-6=40")
    on_board = await reach(table.ben, own, "Is it fair?")
    assert text(before) == text(on_board)
    await reach(table.ann, await more(table.ann, board), "Close")
    after = seen(await table.ben.click(await more(table.ben, board), label="Is it fair?"))
    assert EQUATION in text(after)


async def test_statistics_count_equations_set_and_solved(table: Table) -> None:
    board = await set_one(table)
    await table.guess(table.ben, await play(table.ben, board), EQUATION)
    mine = seen(await table.ann.slash(table.channel, "stats"))
    assert "**Members' equations**: 1 set" in text(mine)
    theirs = seen(await table.ben.slash(table.channel, "stats"))
    assert "**Members' equations**: 1 of 1 solved" in text(theirs)


async def test_an_invited_member_is_pinged_once(table: Table) -> None:
    board = await set_one(table, member=table.ben)
    assert f"For {table.ben.mention}, and everybody here." in text(board)
    assert called(table, table.ben) == 1
    await table.guess(table.ben, await play(table.ben, board), EQUATION)
    await publish(table)
    assert called(table, table.ben) == 1
