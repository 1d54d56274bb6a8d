"""How hard a FoCdle is: told at its end, in the archive, and chosen for a practice."""

from pathlib import Path

from tests.support.screen import buttons, seen, text
from tests.support.sql import sql
from tests.support.table import SECRET, Table

HARD, EASY = 410, 330


async def test_only_the_board_of_a_finished_game_names_the_level_of_its_equation(
    table: Table, tmp_path: Path
) -> None:
    running = await table.focdle(table.ann)
    sql(tmp_path, f"update puzzles set difficulty = {HARD}")
    running = await table.guess(table.ann, running, "12+34-5=41")
    assert "a hard one" not in text(running)
    won = await table.guess(table.ann, running, SECRET)
    assert "Solved in 2 of 6 · 5 points · a hard one\n" in text(won)
    for n in range(10, 15):
        await table.focdle(table.ben, guess=f"{n}+34-5={n + 29}")
    lost = await table.focdle(table.ben, guess="15+34-5=44")
    assert f"`{SECRET}` was the equation, a hard one." in text(lost)


async def test_the_next_practice_has_the_level_and_the_length_of_the_last(
    table: Table, tmp_path: Path
) -> None:
    async def practise() -> str:
        board = seen(await table.ann.slash(table.channel, "practice", level="easy", length=7))
        return text(board)

    first = seen(await table.ann.slash(table.channel, "practice", level="easy", length=7))
    assert "FoCdle practice\n-# 7 symbols · an easy one" in text(first)
    await table.restart()
    assert "an easy one" in await practise()  # the same one goes on
    ((secret,),) = sql(tmp_path, "select secret from puzzles")
    won = await table.guess(table.ann, first, secret)
    assert text(won).count("an easy one") == 1
    assert buttons(won)[0] == "Today's puzzle"
    more = seen(await table.ann.click(won, label="More"))
    second = seen(await table.ann.click(more, label="Next one"))
    assert "7 symbols · an easy one" in text(second)

    await table.focdle(table.ann, guess=SECRET)
    second = await table.guess(table.ann, second, "1+2+3=6")
    more = seen(await table.ann.click(second, label="More"))
    asked = seen(await table.ann.click(more, label="Give up"))
    lost = seen(await table.ann.click(asked, label="Yes, give up"))
    assert text(lost).count("an easy one") == 1
    third = seen(await table.ann.click(lost, label="Practice"))
    assert "7 symbols · an easy one" in text(third)


async def test_a_practice_without_a_chosen_level_names_no_level(table: Table) -> None:
    board = seen(await table.ann.slash(table.channel, "practice"))
    assert "FoCdle practice\n-# 10 symbols\n" in text(board)
