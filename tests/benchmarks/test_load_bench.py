"""The benchmark of crowds, in small: it plays with both bots, and notices what is not answered."""

from itertools import product

import pytest

from benchmarks.load import crowd as crowds
from benchmarks.load import race as races
from benchmarks.load.__main__ import main
from benchmarks.load.crowd import crowd
from benchmarks.load.players import Act
from benchmarks.load.report import EMPTY, REAL, Load, Played, Took, Waits, found_in, tables

pytestmark = pytest.mark.long(only=True)

# On a busy machine nobody is to give up.
FOR_EVER = "60"


def rows(text: str) -> list[dict[str, str]]:
    """The rows of all tables, their cells by the heads of columns."""
    found: list[dict[str, str]] = []
    for table in text.split("\n\n"):
        cells = [
            [cell.strip() for cell in line.strip("|").split("|")]
            for line in table.splitlines()
            if line.startswith("|")
        ]
        found += [dict(zip(cells[0], row, strict=True)) for row in cells[2:]]
    return found


def test_every_click_of_simulated_crowds_is_answered_by_the_real_bot_and_by_an_empty_one(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # What comes of it matters here, not how long it took: those with work may be looked at soon.
    monkeypatch.setattr(crowds, "_LOOK_SECONDS", 0.05)
    assert main(["--players=12", "--rounds=1", "--seconds=0.1", "--patience", FOR_EVER]) == 0
    found = rows(capsys.readouterr().out)
    each = [row for row in found if "processor ms an act" in row]
    loads = [f"12 players, {what}, {when}" for what in ("guesses", "mixed") for when in WHEN]
    assert [(row["load"], row["bot"]) for row in each] == [
        (load, bot) for load in loads for bot in (REAL, EMPTY)
    ]
    for row in each:
        assert [row[head] for head in ("missed 3 s", "busy", "wrong")] == ["0 of 12"] * 3
        assert float(row["processor ms an act"]) > 0
    kinds = {(row["act"], row["bot"]) for row in found if "act" in row}
    assert kinds == {*product(Act, (REAL, EMPTY))}
    ratios = [row for row in found if "rounds that count" in row]
    assert [row["load"] for row in ratios] == loads


WHEN = ("120 a second", "at once")


async def test_the_benchmark_notices_a_click_that_a_bot_does_not_answer() -> None:
    async with crowd("tests.benchmarks.lazy_bot", 4, patience=1) as players:
        took = await players.play(Load(4, is_mixed=False, seconds=0))
    waits = took.waits[Act.GUESS]
    assert (waits.missed, waits.busy, waits.wrong, waits.done) == (1, 1, 1, 1)


def played(seconds: float, *, share: float) -> Played:
    waits = Waits([seconds, 2 * seconds])
    return Played(1, 100, [Took({Act.GUESS: waits}, 2 * seconds, 10, 0.1, share)])


def test_a_round_in_which_the_simulated_discord_was_too_busy_is_left_out_of_the_ratios() -> None:
    load = Load(2, is_mixed=False, seconds=0)
    bots = {
        REAL: [played(0.006, share=0.1), played(0.009, share=0.1), played(0.9, share=0.8)],
        EMPTY: [played(0.002, share=0.1), played(0.001, share=0.7), played(0.1, share=0.1)],
    }
    (found,) = found_in([load], bots)
    assert found.ratios(lambda each: each.processor) == [pytest.approx(3), pytest.approx(9)]
    text = tables([found], [bots])
    ratio, real, empty, *_ = rows(text)
    assert (ratio["processor"], ratio["rounds that count"]) == ("6.0 (3.0-9.0)", "2 of 3")
    assert real["p99 ms"] == "15.0"
    assert real["stand-in, % of a core"] == "10 10 80 (void)"
    assert empty["stand-in, % of a core"] == "10 70 10"


def test_a_benchmarked_race_answers_every_click_and_shows_no_row_of_guesses_early(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(races, "MOST_SECONDS", float(FOR_EVER))  # on a busy machine
    monkeypatch.setattr(races, "PATIENCE_SECONDS", float(FOR_EVER))
    monkeypatch.setattr(races, "_GUESS_SECONDS", 6.0)
    assert main(["--race=4"]) == 0
    told = capsys.readouterr().out
    acts = {row["act"]: row["acts"] for row in rows(told)}
    assert acts == {
        "open": "1",
        "join": "3",
        "start": "1",
        "board": "3",
        "guess": "48",
        "more": "3",
    }
    assert "0 show a row early, the last one those of 4;" in told
