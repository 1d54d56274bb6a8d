import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from statistics import fmean

import pytest

from benchmarks.solvers.measures import (
    Situation,
    by_turns,
    chance,
    consistent_game,
    games,
    walk,
)
from benchmarks.solvers.openings import mean_after
from benchmarks.solvers.people import beginner, breaker, forgetful, scores
from benchmarks.solvers.report import (
    Bound,
    Figure,
    Findings,
    Result,
    Rule,
    Verdict,
    Watch,
    count_guesses,
    lost_share,
    now,
    summary,
    table,
)
from benchmarks.solvers.rows import exhaustive, rows, rows_of
from engine import (
    BullsAndCows,
    EngineError,
    Focdle,
    Mastermind,
    Score,
    Turn,
    is_consistent,
    measure,
)
from engine.choice import Strength
from engine.skill import BEST_SKILL
from engine.solvers import Allowed, Goal, codebreaker, openings
from engine.solvers.codebreaker import space_of
from engine.solvers.space import Symbols
from engine.solvers.tree_files import Header
from tools.verify_tree import verify

pytestmark = pytest.mark.long(only=True)

ROOT = Path(__file__).parents[2]


def watch() -> Watch:
    return Watch("test", now())


@pytest.mark.parametrize(
    ("bound", "figures", "kept"),
    [
        (Bound(Figure.MEAN, 3.2), {Figure.MEAN: 3.2}, True),
        (Bound(Figure.MEAN, 3.2), {Figure.MEAN: 3.21}, False),
        (Bound(Figure.MEAN, 3.2), {Figure.MEAN: 3.25, Figure.ERROR: 0.03}, True),
        (Bound(Figure.MEAN, 3.2), {Figure.MEAN: 3.25, Figure.ERROR: 0.02}, False),
        (Bound(Figure.MOST, 5), {Figure.MOST: 6, Figure.MEAN: 3.0, Figure.ERROR: 9.0}, False),
        (Bound(Figure.TOTAL, 5625, Rule.EXACTLY), {Figure.TOTAL: 5625}, True),
        (Bound(Figure.TOTAL, 5625, Rule.EXACTLY), {Figure.TOTAL: 5624}, False),
        (Bound(Figure.TOTAL, 5625), {}, False),
        (
            Bound(Figure.MEAN, 12.4, Rule.ABOUT, 0.03),
            {Figure.MEAN: 12.54, Figure.ERROR: 0.04},
            True,
        ),
        (
            Bound(Figure.MEAN, 12.4, Rule.ABOUT, 0.03),
            {Figure.MEAN: 12.24, Figure.ERROR: 0.04},
            False,
        ),
    ],
)
def test_a_bound_tells_whether_measured_figures_keep_it(
    bound: Bound, figures: dict[Figure, float], kept: bool
):
    assert bound.is_kept(figures) is kept


def test_a_standard_error_is_given_only_for_samples_and_a_total_only_for_all_games():
    tally = Counter({3: 2, 4: 2})
    drawn = count_guesses(tally, {}, exhaustive=False)
    assert drawn.figures == {
        Figure.MEAN: 3.5,
        Figure.MOST: 4,
        Figure.COUNT: 4,
        Figure.ERROR: pytest.approx(0.5773503 / 2),
    }
    every = count_guesses(tally, {}, exhaustive=True)
    assert every.figures[Figure.TOTAL] == 14
    assert Figure.ERROR not in every.figures
    assert Findings.from_json(drawn.to_json()) == drawn


def test_the_share_of_lost_games_counts_those_that_take_more_guesses_than_a_player_has():
    assert lost_share(Counter({3: 2, 6: 1, 7: 4, 8: 1}), 6) == 62.5


def test_the_median_and_the_worst_time_leave_out_the_first_two_measurements():
    def answer(question: str) -> str:
        return question

    stopwatch = watch()
    for question in "cow":
        assert stopwatch.ask(answer, question) == question
    costs = stopwatch.costs()
    assert costs[Figure.MEDIAN] == costs[Figure.WORST]  # there is one time
    assert 0 < costs[Figure.FIRST] <= costs[Figure.SECOND]
    assert 10 < costs[Figure.MEMORY] < 2_000
    hundred = summary([thousandth / 1000 for thousandth in range(1, 101)])
    assert hundred == {Figure.MEDIAN: 50, Figure.P99: 99, Figure.WORST: 100}
    assert summary([]) == {}


@pytest.mark.parametrize("rules", [Mastermind(pegs=4, colours=3), BullsAndCows(2)])
def test_walking_a_tree_gives_the_same_counts_as_playing_every_secret(
    rules: Mastermind | BullsAndCows,
):
    breaker, space = codebreaker(rules), space_of(rules)
    played = measure(rules, breaker).distribution
    assert walk(space, by_turns(rules, breaker), watch())[0] == played

    def decide(situation: Situation) -> Symbols:
        if not situation.turns:
            return space.opening(Allowed.ANY, Goal.MEAN)
        return space.choose(situation.columns, Allowed.ANY, Goal.MEAN, len(situation.turns))

    assert walk(space, decide, watch(), plain=2)[0] == walk(space, decide, watch())[0]


def test_walking_a_tree_fails_if_the_player_makes_no_progress():
    rules = Mastermind(pegs=2, colours=2)

    def stubborn(_: object) -> Symbols:
        return (0, 0)

    with pytest.raises(EngineError):
        walk(space_of(rules), stubborn, watch())


def test_every_guess_of_a_consistent_game_agrees_with_all_earlier_answers():
    rules, rng = Focdle(7), Random(3)
    for _ in range(5):
        turns = consistent_game(rules, rules.draw(rng), rng)
        assert rules.solved(turns[-1].feedback)
        for index, turn in enumerate(turns):
            assert is_consistent(rules, turn.guess, turns[:index])


def test_rows_of_results_have_unique_names_that_do_not_depend_on_the_measured_guesser():
    ours = {row.name: row for row in rows()}
    assert len(ours) == len([*rows()])
    theirs = [*rows_of(codebreaker, "mine:make")]
    assert {row.name for row in theirs} < ours.keys()
    assert not any(row.bounds for row in theirs)
    # Of a whole tree it is not said what a guess may cost.
    assert exhaustive(10).bounds == ours["focdle 10 any"].bounds[:2]


def test_another_guesser_is_measured_on_the_same_secrets_as_ours():
    rules, asked = BullsAndCows(3), Counter[int]()

    class Mine:
        def __init__(self, rules: BullsAndCows) -> None:
            self.breaker = codebreaker(rules)

        def next_guess(self, turns: Sequence[Turn[Score]], /) -> str:
            asked[len(turns)] += 1
            return self.breaker.next_guess(turns)

    found = games(rules, Mine, 20, watch())
    assert found.distribution == games(rules, codebreaker, 20, watch()).distribution
    assert asked[0] == 20
    assert asked.total() == found.figures[Figure.MEAN] * 20
    assert found.tree is None


def test_the_table_of_results_is_markdown():
    drawn = count_guesses(
        Counter({3: 2, 4: 1}),
        {Figure.MEDIAN: 0.5, Figure.P99: 40.0, Figure.WORST: 41.2, Figure.MEMORY: 89.4},
        exhaustive=False,
    )
    every = count_guesses(Counter({1: 1, 2: 1199}), {Figure.FIRST: 0.25}, exhaustive=True)
    results = [
        Result("a", "drawn", "3.1", (Bound(Figure.MEAN, 3.2), Bound(Figure.MOST, 3)), drawn),
        Result("b", "every", "", (Bound(Figure.TOTAL, 2399, Rule.EXACTLY),), every),
        Result("c", "free", "", (), Findings({Figure.FIRST: 1.0})),
        Result("d", "broken", "", (Bound(Figure.MEAN, 3.0),), None),
    ]
    assert [result.verdict for result in results] == [
        Verdict.MISSED,
        Verdict.PASSED,
        Verdict.UNBOUND,
        Verdict.FAILED,
    ]
    head, _, *lines = [
        [cell.strip() for cell in line.split("|")[1:-1]] for line in table(results).splitlines()
    ]
    found = [dict(zip(head, line, strict=True)) for line in lines]
    shown = ("mean", "distribution", "bound", "worst ms", "first s", "verdict")
    assert [[each[name] for name in shown] for each in found] == [
        ["3.333 ± 0.333", "3:2 4:1", "mean <= 3.2, max <= 3", "41", "", "MISS"],
        ["1.9992 exhaustive", "1:1 2:1199", "total 2,399 = 2,399", "", "0.25", "pass"],
        ["", "", "", "", "1.00", "-"],
        ["", "", "mean <= 3", "", "", "error"],
    ]


def bench(*options: str | Path, path: Path = ROOT) -> list[str]:
    """The lines of the table, as measured in this folder."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.solvers", *options],
        cwd=path,
        capture_output=True,
        text=True,
        check=True,
        env={"PATH": os.defpath, "PYTHONPATH": str(ROOT)},
    )
    return done.stdout.splitlines()


def test_a_run_measures_each_row_in_its_own_process():
    header, rule, row = bench("--quick", "--only", "bulls 3")
    assert len(header) == len(rule) == len(row)
    assert "| total 3,575 = 3,575 | pass " in row


def test_the_benchmark_gives_the_documented_results_for_the_example_guesser(
    tmp_path: Path,
):
    paper, engines = (
        (ROOT / path).read_text(encoding="utf-8") for path in ("docs/ENGINE.md", "engine/README.md")
    )
    program = engines.partition('```python\n"""mine.py')[2].partition("```")[0]
    (tmp_path / "mine.py").write_text(f'''"""{program}''', encoding="utf-8")
    options = ["--with", "mine:First", "--only", "bulls 3"]
    *_, row = bench(*options, "--trees", tmp_path, path=tmp_path)
    tree = json.loads((tmp_path / "bulls-3.json").read_text(encoding="utf-8"))
    assert f"bulls-3.json: {verify(tree)}\n" in paper
    assert f"{tree['total'] / 720:.4f} exhaustive" in row
    schema = json.loads((ROOT / "docs" / "tree.schema.json").read_text(encoding="utf-8"))
    assert tree.keys() == schema["properties"].keys()
    *_, drawn = bench(*options, "--games", "10", path=tmp_path)
    assert "exhaustive" not in drawn


PAPER = (ROOT / "docs/ENGINE.md").read_text(encoding="utf-8")
DATA = ROOT / "engine/solvers/data"
TREES = [
    Header.read(file.read_text(encoding="ascii").partition("\n")[0])
    for file in sorted(DATA.iterdir())
    if file.name != "openings.txt"
]
CLAIMS = [
    [cell.strip() for cell in line.split("|")[1:-1]]
    for line in PAPER.partition("| best published |\n")[2].partition("\n\n")[0].splitlines()[1:]
]


def first_number(text: str) -> float:
    return float(text.partition(" ")[0].rstrip(",").replace(",", ""))


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim[0])
def test_a_figure_of_the_paper_keeps_its_bound_and_is_at_or_beyond_what_is_published(
    claim: list[str],
):
    name, said, most, secrets, published = claim
    (row,) = [row for row in rows() if row.name == name]
    count, longest = int(secrets.replace(",", "")), int(most)
    figures: dict[Figure, float] = {Figure.MEAN: first_number(said), Figure.MOST: longest}
    if match := re.fullmatch(r"[\d.]+ \(([\d,]+)\)", said):
        figures[Figure.TOTAL] = int(match[1].replace(",", ""))
        assert said.startswith(f"{figures[Figure.TOTAL] / count:.4f} ")
        trees = {(tree.total, tree.codes, tree.most) for tree in TREES}
        assert " hard" in name or (figures[Figure.TOTAL], count, longest) in trees
    else:
        figures[Figure.ERROR] = float(said.rpartition("± ")[2])
    own = {Figure.MEAN, Figure.MOST, Figure.TOTAL}
    assert all(bound.is_kept(figures) for bound in row.bounds if bound.figure in own)
    assert published == row.published
    if published:
        theirs = first_number(published)
        ours = figures.get(Figure.TOTAL, figures[Figure.MEAN] - 2 * figures.get(Figure.ERROR, 0))
        assert ours <= theirs
        if name.endswith("worst"):
            assert f", max {longest}" in published


def test_the_paper_names_the_totals_of_further_trees_and_how_many_ship():
    totals = {(tree.game, tree.goal): tree.total for tree in TREES}
    with_repeats, without = PAPER.partition("More totals: ")[2].split("; without repeats ")
    for text, repeats in ((with_repeats, "r"), (without, "")):
        told = re.findall(r"(\dx\d+) ([\d,]+\d)", text)
        assert len(told) > 5
        for game, total in told:
            key = f"mastermind:{game}{repeats}"
            least = totals.get((key, "both"), totals.get((key, "mean")))
            assert least == int(total.replace(",", "")), game
    size = sum(file.stat().st_size for file in DATA.iterdir())
    assert f"{len(TREES)} trees and the openings of FoCdle, {size / 1000:.0f} kB in all" in PAPER
    every = re.search(
        r"takes \*\*([\d.]+)\*\* guesses and never more than five: two for\s"
        r"([\d,]+) secrets, three for ([\d,]+), four for ([\d,]+), five for ([\d,]+)\.",
        PAPER,
    )
    assert every
    tally = [int(number.replace(",", "")) for number in every.groups()[1:]]
    assert sum(tally) == Focdle(10).size
    total = sum(guesses * times for guesses, times in enumerate(tally, 2))
    assert f"{total / Focdle(10).size:.4f}" == every[1]


@pytest.mark.parametrize("kind", Allowed)
def test_each_opening_takes_within_half_a_percent_of_the_guesses_of_the_first(kind: Allowed):
    first, *others = (mean_after(each, kind, 4_518)[0] for each in openings(Focdle(7), kind))
    assert max(others) <= 1.005 * first
    if kind is Allowed.HARD:
        assert f"| focdle 7 hard | {first:.4f} (" in PAPER
    few, error = mean_after(openings(Focdle(7), kind)[0], kind, 100)
    assert abs(few - first) < 4 * error


def test_every_run_draws_the_same_secrets():
    assert chance("a").random() == chance("a").random() != chance("b").random()


def test_a_weaker_player_gets_a_lower_skill_from_the_coach() -> None:
    people = [breaker(Strength.PERFECT), breaker(Strength.SHARP), forgetful]
    found = [scores(Mastermind(), person, 12) for person in people]
    means = [fmean(each.skills) for each in found]
    assert means == sorted(means, reverse=True)
    assert found[0].skills == [BEST_SKILL] * 12
    assert len(found[1].guesses) == 12
    (game,) = scores(Focdle(7), beginner, 1).skills
    assert 0 <= game <= BEST_SKILL
