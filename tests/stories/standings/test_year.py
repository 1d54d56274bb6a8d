"""*My year 2026*, below one's own statistics: a picture of the year, for nobody else."""

from datetime import UTC, datetime

from simcord import ResponseMessage

from cogs.ui.pages import button
from tests.support.loose import post
from tests.support.screen import buttons, seen, text
from tests.support.table import Table


async def solve(table: Table, moment: str, player: int) -> None:
    table.clock.set(datetime.fromisoformat(moment).replace(tzinfo=UTC))
    play = await table.services.daily.open(player, table.ann.guild.id)
    await table.services.daily.guess(player, play.id, play.game.secret)


def pictures(shown: ResponseMessage) -> list[str]:
    return [str(file.description) for file in shown.attachments]


async def test_a_yearly_review_is_shown_only_to_its_player(table: Table) -> None:
    assert "My year 2026" not in buttons(seen(await table.ann.slash(table.channel, "stats")))
    for day in ("29", "30", "31"):
        await solve(table, f"2026-12-{day}T12:00", table.ann.id)
    stats = seen(await table.ann.slash(table.channel, "stats"))
    assert buttons(stats)[2:] == ["Show the channel", "My year 2026", "What counts"]
    shown = seen(await table.ann.click(stats, label="My year 2026"))
    assert shown.ephemeral
    assert shown.id != stats.id
    assert "### Your 2026" in text(shown)
    assert "so far" not in text(shown)  # it is the last day
    (alt,) = pictures(shown)
    assert "days solved: 3/3, fewest guesses: 1, best streak: 3" in alt
    assert buttons(shown) == ["Today's puzzle", "Stats"]
    assert "### Your statistics" in text(seen(await table.ann.click(shown, label="Stats")))
    # In the next year there is nothing yet, and the last one is a button away.
    await table.restart()
    table.clock.set(datetime(2027, 1, 2, 12, tzinfo=UTC))
    empty = seen(
        await table.ann.click(
            seen(await table.ann.slash(table.channel, "stats")), label="My year 2027"
        )
    )
    assert "Nothing here yet" in text(empty)
    assert pictures(empty) == []
    again = seen(await table.ann.click(empty, label="My year 2026"))
    assert pictures(again) == [alt]
    # Others' statistics have no such button, and whoever presses one gets their own year.
    await solve(table, "2027-01-02T12:00", table.ben.id)
    others = seen(await table.ann.slash(table.channel, "stats", member=table.ben.user))
    assert not [label for label in buttons(others) if "20" in label]
    loose = await post(table.world, button("stats:year:2026", "My year 2026"))
    his = seen(await table.ben.click(loose, label="My year 2026"))
    assert his.ephemeral
    assert pictures(his) == []
    assert "A quiet year" in text(his) or "Nothing here yet" in text(his)
