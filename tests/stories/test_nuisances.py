"""What somebody may try with races and set equations: to win without playing, or to annoy."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from simcord import MemberActor

from bot.focdle.model import EXAMPLES
from bot.games.model import Channel, Source
from cogs.coach import FIND
from cogs.equations import FORM
from cogs.focdle.page import GIVE_UP, HARD, HINT, LENGTH
from cogs.focdle.sharing import SHARE
from cogs.races import JOIN
from cogs.ui.pages import button
from tests.support.calls import called
from tests.support.forging import forge_click, forge_form
from tests.support.loose import post
from tests.support.mastermind_stories import fix_secret, opened, typed
from tests.support.meetings import (
    EQUATION,
    Track,
    cleo,
    guess,
    play,
    set_one,
    text,
)
from tests.support.screen import buttons, seen
from tests.support.sql import sql
from tests.support.table import SECRET, Table

MISS = "12+34-6=40"
LOUD = "@everyone **[win](http://x.y)**"


@pytest.fixture
def track(table: Table, tmp_path: Path) -> Track:
    return Track(table, tmp_path)


def here(table: Table) -> Channel:
    return Channel(table.ann.guild.id, table.channel.id)


def named(table: Table, name: str, number: int = 1) -> MemberActor:
    """A member of this name."""
    return table.ann.guild.add_member(table.env.create_user(f"other{number}", global_name=name))


async def test_a_forged_button_gives_no_advantage_at_a_set_equation(
    table: Table, tmp_path: Path
) -> None:
    board = await set_one(table)
    await table.guess(table.ben, await play(table.ben, board), MISS)
    ids = [
        HINT(game=1, turns=1, taken=0),
        GIVE_UP(play=1),
        HARD(on=True, play=1),
        SHARE(play=1),
        FIND(source=Source.PLAY, game=1, turn=1),
    ]
    for custom_id in ids:
        shown = seen(await forge_click(table.ben, table.channel, custom_id))
        assert shown.ephemeral
        assert EQUATION not in str(shown.components), custom_id
    await forge_click(table.ben, table.channel, LENGTH(play=1), "7")
    assert sql(tmp_path, "SELECT * FROM hints") == []
    assert sql(tmp_path, "SELECT outcome, hard FROM plays WHERE id = 1") == [(None, 0)]
    assert "5 guesses left." in text(await play(table.ben, board))


async def test_deleting_ones_data_gives_no_second_try_in_a_race(track: Track) -> None:
    table = track.table
    _, bens, _ = await track.begin(table.ben, cleo(table))
    await guess(table.ben, bens, MISS)
    await table.services.privacy.players.delete(table.ben.id, "delete")
    loose = await post(table.world, button(JOIN(race=1), "Join"))
    assert "has begun" in text(seen(await table.ben.click(loose, label="Join")))
    assert "not in this race" in text(await track.press(table.ben, "Play"))


async def test_an_eleventh_post_within_the_hour_is_refused_and_a_share_gives_the_text(
    table: Table, tmp_path: Path
) -> None:
    """Whatever they are: here five races, five equations, then a share."""
    board = seen(await table.ann.slash(table.channel, "practice"))
    secret = str(sql(tmp_path, "SELECT secret FROM puzzles")[0][0])
    board = await table.guess(table.ann, board, secret)
    rooms = [table.ann.guild.create_text_channel(f"room{n}") for n in range(6)]
    for room in rooms[:5]:
        assert buttons(seen(await table.ann.slash(room, "race")))[0] == "Join"
        form = await table.ann.slash(room, "equation")
        shown = seen(await table.ann.submit_modal(form, {"equation": EQUATION}))
        assert buttons(shown) == ["Play", "More"]
    again_at = int((table.clock.now() + timedelta(hours=1)).timestamp())
    told = f"You've made 10 posts here in an hour. You can post again <t:{again_at}:R>."
    assert text(seen(await table.ann.slash(rooms[5], "race"))) == told
    assert text(seen(await table.ann.slash(rooms[5], "equation"))) == told
    shared = seen(await table.ann.click(board, label="Share"))
    assert shared.ephemeral
    assert text(shared).startswith(f"{told}\nTo paste anywhere:\n```\n")
    game = await opened(table, table.ann, "play")
    fix_secret(tmp_path, "RGBY")
    game = await typed(table.ann, await typed(table.ann, game, "RRBB"), "RGBY")
    shared = seen(await table.ann.click(game, label="Share"))
    rows = "🔴🔴🔵🔵 2 black\n🔴🟢🔵🟡 4 black"
    assert text(shared) == f"{told}\nTo paste anywhere:\n```\nMastermind 2/12\n{rows}\n```"


async def test_names_have_no_effect_as_markup_and_ping_nobody(track: Track) -> None:
    table = track.table
    loud, other = named(table, LOUD), named(table, "<@&1> `x`\n# y", 2)
    board = await set_one(table, by=loud)
    await track.open(loud)
    await track.press(other, "Join")
    await track.press(loud, "Start")
    await track.publish()
    for message in (board, track.post):
        shown = text(message)
        assert "\\@everyone \\*\\*\\[" in shown
        assert LOUD not in shown
        assert "# y" not in shown.replace("\\# y", "")
    sent = [r.json for r in table.env.http_requests if r.method in {"POST", "PATCH"} and r.json]
    allowed = [body.get("data", body).get("allowed_mentions") for body in sent]
    assert not any(each and (each.get("parse") or each.get("users")) for each in allowed)


async def test_a_forged_form_does_not_ping_a_member_who_takes_no_challenges(table: Table) -> None:
    await table.services.preferences.set_no_challenges(table.ben.id, on=True)
    form = FORM(invited=table.ben.id)
    refused = seen(await forge_form(table.ann, table.channel, form, {"equation": EQUATION}))
    assert "taking challenges" in text(refused)
    assert called(table, table.ben) == 0


async def test_a_dailys_answer_may_be_set_as_an_equation_after_its_date_has_ended_everywhere(
    table: Table,
) -> None:
    await table.guess(table.ann, await table.focdle(table.ann), SECRET)
    table.clock.set(datetime(2026, 11, 21, 11, 59, tzinfo=UTC))
    assert "others are still playing it" in text(await set_one(table, SECRET))
    table.clock.advance(minutes=1)
    assert buttons(await set_one(table, SECRET)) == ["Play", "More"]


async def test_an_example_shown_on_boards_cannot_be_set_for_a_channel(table: Table) -> None:
    refused = [await set_one(table, example) for example in EXAMPLES.values()]
    assert {text(each) for each in refused} == {
        "Every board shows that as an example. Set another."
    }
    again = await table.ann.click(refused[-1], label="Enter it again")
    board = seen(await table.ann.submit_modal(again, {"equation": EQUATION}))
    assert buttons(board) == ["Play", "More"]
