"""The coach's page: what it says, that it fits, and the picture."""

import io
import math
import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any, cast

import pytest
from PIL import Image

from bot.model.dailies import Field, PuzzleName
from bot.model.games import GameName, Source
from bot.model.hints import Hint, HintKind
from bot.presentation.base.pegs import PLAIN
from bot.presentation.base.tiles import Palette, row
from bot.presentation.coach.chart import chart_of
from bot.presentation.coach.chart_picture import draw_chart
from bot.presentation.coach.page import TURNS_ON_A_PAGE, CoachPage, coach_page
from bot.presentation.coach.sentences import every_way, sentences
from bot.presentation.coach.spelling import spelling_of
from bot.services.coach.analysing import examine
from bot.services.coach.insights import Insight, Observation
from bot.services.coach.model import Analysis, CoachTurn, Record, Review, Role, Step
from cogs.coach.page import Look, coach_view
from engine import BullsAndCows, Code, Focdle, Mark, Mastermind, Rules, Turn
from engine.skill import Grade, Loss
from engine.solvers import codebreaker
from tests.support.effort import either
from tests.support.mastermind_boards import PEGS
from tests.support.plays import TILES, size

SOURCES = {Focdle: Source.PLAY, Mastermind: Source.MASTERMIND, BullsAndCows: Source.DUEL}
NOTHING = Loss(Fraction(), Fraction(), is_exact=True)
LONGEST = {Focdle(15): 6, Mastermind(10, 6, max_guesses=13): 13, BullsAndCows(6): 30}


@cache
def an_analysis(rules: Rules[Any], turns: int, seed: int) -> Analysis:
    """A game of drawn guesses, as the coach has looked at it: at the same ones, once."""
    rng = random.Random(seed)
    drawn = list(dict.fromkeys(rules.draw(rng) for _ in range(2 * turns + 2)))
    secret, guesses = drawn[0], drawn[1 : turns + 1]
    made = tuple(Turn(Code(g), rules.feedback(g, secret)) for g in guesses)
    return examine(Record(rules, "", secret, made))


def a_review(rules: Rules[Any], turns: int, seed: int = 1, **fields: Any) -> Review:
    """A game of drawn guesses, as seen by who made them."""
    source = SOURCES[cast("type[Focdle]", type(rules))]
    values: dict[str, Any] = {
        "game": GameName(source, 7, 0),
        "role": Role.OWN,
        "breaker_id": 2**63,
        "analysis": an_analysis(rules, turns, seed),
    }
    return Review(**(values | fields))


def games() -> Iterator[tuple[Rules[Any], int, int]]:
    for seed in range(6):
        yield Focdle(8), 6, seed
        yield Mastermind(), 12, seed
        yield BullsAndCows(3), 20, seed


@pytest.mark.parametrize(("rules", "turns", "seed"), list(games()), ids=str)
def test_nothing_is_said_twice_in_a_game(rules: Rules[Any], turns: int, seed: int) -> None:
    review = a_review(rules, turns, seed)
    spelling = spelling_of(review, PLAIN)
    said = sentences(review.analysis.turns, spelling, seed)
    assert said == sentences(review.analysis.turns, spelling, seed)
    spoken = [sentence for sentence in said if sentence]
    assert len(set(spoken)) == len(spoken)
    # Even the same words about other numbers are a last resort.
    assert len(spoken) >= min(turns, 12)
    plain = [re.sub(r"[\d,]+|`[^`]*`", "", sentence) for sentence in said[:6]]
    assert len(set(plain)) == len(plain)


def one_turn(loss: Loss, grade: Grade, **fields: Any) -> Review:
    """A duel of one guess that lost this."""
    review = a_review(BullsAndCows(), 1)
    values: dict[str, Any] = {"choice": "0123", "promised": 2.0, "choice_promised": 2.5}
    turn = replace(review.analysis.turns[0], loss=loss, grade=grade, **(values | fields))
    analysis: Analysis = replace(review.analysis, turns=(turn,))
    return replace(review, analysis=analysis)


def detailed(review: Review) -> CoachPage:
    """The first page with all figures."""
    return coach_page(review, PLAIN, is_detailed=True)


def a_turn(*observations: Observation) -> CoachTurn:
    return CoachTurn(
        "1+1+1=3", (2,) * 7, 9, 3, 1.0, "1+1+2=4", 2.0, NOTHING, Grade.PLAIN, 50, observations
    )


@pytest.mark.parametrize("kind", Insight)
def test_every_observation_is_worded_in_more_ways_than_one(kind: Insight) -> None:
    said = Observation(kind, 1, "7", 2, 14, 1805274, "1+1+2=4")
    assert len(every_way(said)) >= 2
    review = replace(a_review(Focdle(7), 1), breaker_id=1)
    spelling = spelling_of(review, PLAIN)
    turns = [a_turn(said)] * len(every_way(said))
    found = sentences(turns, spelling, seed=0)
    assert len(set(found)) == len(found)
    for sentence in found:
        assert not re.search(r"[{}]|``|  |!", sentence)
        assert 10 <= len(sentence) <= 110
        assert sentence[-1] in ".`"
        assert sentence[0] == "`" or not sentence[0].islower()
    assert sentences([a_turn(said)], spelling, 0) != sentences([a_turn(said)], spelling, 1)


def test_no_way_to_say_something_serves_two_observations() -> None:
    ways = [way for kind in Insight for way in every_way(Observation(kind, count=1, total=2))]
    ways += every_way(Observation(Insight.CLUE_USE, count=2))
    ways += every_way(Observation(Insight.NEAR_MISS, count=0))
    ways += every_way(Observation(Insight.REPEATS, count=2))
    ways += every_way(Observation(Insight.STEADY, count=2, total=2))
    assert len(set(ways)) == len(ways)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (Observation(Insight.DEAD_SYMBOL, 0, "7"), "Guess 1 had ruled out `7`"),
        (Observation(Insight.FORCED_PLACE, 0, "=", 7), "Place 8 had to be `=`"),
        (Observation(Insight.ONLY_MISSED, code="1+1+1=3"), "only `1+1+1=3` was possible"),
        (Observation(Insight.LUCKY_HIT, total=1234), "One of 1,234 "),
    ],
    ids=lambda value: str(getattr(value, "kind", "")),
)
def test_what_it_is_about_is_named(said: Observation, words: str) -> None:
    spelling = spelling_of(a_review(Focdle(7), 1), PLAIN)
    assert words in sentences([a_turn(said)], spelling, 0)[0]


@pytest.mark.parametrize(
    ("kind", "count", "words"),
    [
        (Insight.NEAR_MISS, 0, ("not one of them in its place", "all of it elsewhere")),
        (Insight.NEAR_MISS, 2, ("2 of 4",)),
        (Insight.REPEATS, 2, ("`7` stands here twice", "`7` is used twice")),
        (Insight.REPEATS, 3, ("`7` stands here 3 times", "`7` takes 3 places")),
    ],
    ids=str,
)
def test_counts_are_worded_as_people_would(
    kind: Insight, count: int, words: tuple[str, ...]
) -> None:
    spelling = spelling_of(a_review(BullsAndCows(), 1), PLAIN)
    told = Observation(kind, symbol="7", count=count, total=4)
    for seed in range(3):
        (said,) = sentences([a_turn(told)], spelling, seed)
        assert any(word in said for word in words)
        assert "again" not in said


def test_what_was_told_gives_way_to_what_was_not() -> None:
    dead, missed = (
        Observation(Insight.DEAD_SYMBOL, 0, "7"),
        Observation(Insight.ONLY_MISSED, code="1"),
    )
    steady = Observation(Insight.STEADY, count=1, total=2)
    spelling = spelling_of(a_review(Focdle(7), 1), PLAIN)
    said = sentences([a_turn(missed), a_turn(missed, dead), a_turn(missed, steady)], spelling, 0)
    assert "`1`" in said[0]
    assert "`7`" in said[1]
    assert "`1`" in said[2]  # once more rather than what says nothing


def test_pegs_are_named_in_colours() -> None:
    spelling = spelling_of(a_review(Mastermind(), 1), PLAIN)
    (said,) = sentences([a_turn(Observation(Insight.DEAD_SYMBOL, 0, "R"))], spelling, 0)
    assert said.startswith("Guess 1 had ruled out 🔴 red")


@pytest.mark.long
@pytest.mark.parametrize(("rules", "turns"), list(LONGEST.items()), ids=str)
def test_every_page_of_the_longest_game_fits(rules: Rules[Any], turns: int) -> None:
    review = a_review(
        rules,
        turns,
        role=Role.OTHER,
        other_seat=1,
        par=12.5,
        field=Field(99999, 12.5, 50, tuple(range(9999, 9986, -1))),
        hints=(Hint(1, HintKind.COUNT, "9"),) * 4,
    )
    # A page that has just begun, one that is full, and the longest game.
    begun_and_full = {1, TURNS_ON_A_PAGE, TURNS_ON_A_PAGE + 1, turns - 1, turns}
    for made in either(sorted(begun_and_full & {*range(turns + 1)}), range(1, turns + 1)):
        analysis = replace(review.analysis, turns=review.analysis.turns[:made])
        shorter = replace(review, analysis=analysis)
        pages = coach_page(shorter, PEGS).pages
        assert pages == -(-made // TURNS_ON_A_PAGE)
        shown: list[str] = []
        for number, is_detailed in product(range(pages), (False, True)):
            view = coach_view(shorter, Look(number, is_detailed), PEGS, TILES)
            characters, components = size(view.to_components())
            assert characters <= 3900
            assert components <= 38
            shown += coach_page(shorter, PEGS, number, TILES).turns
        assert len(shown) == 2 * made


def test_an_equations_marks_are_in_the_boards_tiles() -> None:
    review = a_review(Focdle(), 1)
    (turn,) = review.analysis.turns
    marks = tuple(Mark(mark) for mark in turn.feedback)
    for palette in Palette:
        tiles = TILES.row(turn.guess, marks, palette)
        seen = replace(review, palette=palette.value)
        assert f"{tiles}\n" in coach_page(seen, PLAIN, 0, TILES).turns[0]
    assert f"{row(marks)}\n`{turn.guess}`\n" in coach_page(review, PLAIN).turns[0]


def test_pages_that_there_are_not_are_the_first_and_the_last() -> None:
    review = a_review(BullsAndCows(), 13)
    assert coach_page(review, PLAIN, 99) == coach_page(review, PLAIN, 2)
    assert coach_page(review, PLAIN, -1) == coach_page(review, PLAIN, 0)


class TestWords:
    def test_a_daily_is_compared_with_par_and_with_others(self) -> None:
        review = a_review(Focdle(7), 3, puzzle=PuzzleName(324, 7), par=3.6)
        review = replace(review, field=Field(5, 4.25, 4, (9.0, 1.0)))
        page = coach_page(review, PLAIN)
        assert "Coach · FoCdle #324" in page.title
        assert (
            "par 3.6 (the bot's average) · you did not find it · average of 5 here 4.2, a miss "
            "counts 7" in page.verdict
        )
        few = replace(review, field=Field(4, 4.25, 3, (9.0, 1.0)))
        assert "average) · you did not find it\n" in coach_page(few, PLAIN).verdict
        solved = replace(review.analysis, is_solved=True)
        assert "average) · you 3 ·" in coach_page(replace(review, analysis=solved), PLAIN).verdict

    def test_without_anything_to_compare_nothing_is_compared(self) -> None:
        review = a_review(Focdle(7), 2)
        assert "you" not in coach_page(review, PLAIN).verdict
        assert "par" not in detailed(review).verdict
        solved = replace(review.analysis, is_solved=True)
        hinted = replace(review, analysis=solved, hints=(Hint(1, HintKind.COUNT, "9"),))
        assert " · 2 guesses · 1 hint\n" in coach_page(hinted, PLAIN).verdict

    def test_what_both_scales_are_is_told_beside_them(self) -> None:
        page = detailed(a_review(Focdle(7), 2))
        assert page.verdict.splitlines()[1].startswith("Skill **")
        first, last = page.scales.splitlines()
        assert first.startswith("-# Skill 99 is the solver's play")
        assert re.fullmatch(r"-# From 4,518 possible to \d+\.", last)
        assert coach_page(a_review(Focdle(7), 2), PLAIN).scales == ""

    def test_the_solver_is_not_praised_for_playing_like_the_solver(self) -> None:
        rules = Mastermind()
        secret, turns = Code("RGBY"), list[Turn[Any]]()
        breaker = codebreaker(rules)
        while not turns or turns[-1].guess != secret:
            guess = breaker.next_guess(turns)
            turns.append(Turn(guess, rules.feedback(guess, secret)))
        analysis = examine(Record(rules, "", secret, tuple(turns)))
        review = replace(a_review(rules, 1), analysis=analysis)
        mine = "\n".join(coach_page(review, PLAIN).turns)
        bots = "\n".join(coach_page(replace(review, role=Role.BOT), PLAIN).turns)
        assert "solver" in mine
        assert "solver" not in bots
        # In a duel it need not be the solver that plays.
        duel = replace(review, role=Role.BOT, game=GameName(Source.DUEL, 7, 0))
        assert "solver" in "\n".join(coach_page(duel, PLAIN).turns)
        told = tuple(Hint(i, HintKind.SUGGESTION, turn.guess) for i, turn in enumerate(turns))
        followed = "\n".join(coach_page(replace(review, hints=told), PLAIN).turns)
        assert "solver" not in followed
        assert followed.count("💡 suggested") == len(turns)

    @pytest.mark.parametrize(("length", "is_small"), [(10, False), (11, True), (15, True)])
    def test_marks_that_would_wrap_on_a_phone_are_small(self, length: int, is_small: bool) -> None:
        (turn,) = coach_page(a_review(Focdle(length), 1), PLAIN).turns
        assert any(
            re.fullmatch(rf"-# [🟩🟡⬜]{{{length}}}", line) for line in turn.splitlines()
        ) is (is_small)

    def test_the_bot_is_not_graded(self) -> None:
        page = coach_page(a_review(Mastermind(), 3, role=Role.BOT, breaker_id=None), PLAIN)
        text = "\n".join((page.title, page.verdict, *page.turns, page.line))
        assert "The bot's guesses" in text
        assert "kill" not in text
        assert page.line == ""

    def test_others_are_named(self) -> None:
        page = coach_page(a_review(Mastermind(), 3, role=Role.OTHER, breaker_id=42), PLAIN)
        assert "<@42>'s guesses" in page.title

    def test_the_solvers_line_ends_with_the_answer(self) -> None:
        review = a_review(BullsAndCows(), 2)
        assert review.analysis.secret is not None
        page = coach_page(review, PLAIN)
        count = len(review.analysis.line)
        assert f"with the same answer to find: {count} guesses" in page.line
        assert page.line.endswith(f"`{review.analysis.secret}` is it")

    def test_a_solver_that_probes_is_explained(self) -> None:
        review = a_review(Focdle(7), 2)
        last = review.analysis.line[-1]
        for guess, is_told in (("1+1+1=9", True), ("1+1+1=3", False)):
            line = (replace(last, guess=guess, after=5), last)
            analysis: Analysis = replace(review.analysis, line=line)
            page = coach_page(replace(review, analysis=analysis), PLAIN)
            assert page.line.endswith(
                "-# False equations are probes, which you may play, too."
            ) is (is_told)

    @pytest.mark.parametrize(
        ("lost", "is_exact", "told"),
        [
            ("0", True, "."),
            ("0", False, "."),
            ("1/3", True, "; the solver's `0123`, about 890: 0.3 guesses fewer on average."),
            ("1/3", False, "; the solver's `0123`, about 890: ≈0.3 guesses fewer on average."),
            ("1/99", False, "; the solver's `0123`, about 890: it hardly matters on average."),
            ("1", True, "; the solver's `0123`, about 890: one guess fewer on average."),
        ],
    )
    def test_only_a_better_guess_is_held_against_one(
        self, lost: str, is_exact: bool, told: str
    ) -> None:
        loss = Loss(Fraction(lost), Fraction(1, 5), is_exact)
        page = detailed(one_turn(loss, Grade.PLAIN, promised=2.0))
        assert page.turns[0].splitlines()[2] == (
            f"-# Such a guess usually leaves about 1,300{told}"
        )

    def test_a_mark_stands_beside_its_guess_and_nowhere_else(self) -> None:
        review = one_turn(Loss(Fraction(1, 2), Fraction(1, 5), is_exact=True), Grade.BAD)
        assert coach_page(review, PLAIN).turns[0].startswith("**1** ? mistake · ")
        assert "Skill" not in coach_page(review, PLAIN).verdict  # of so few guesses of a duel
        longer = replace(review.analysis, turns=review.analysis.turns * 3)
        longer = coach_page(replace(review, analysis=longer), PLAIN)
        assert "Skill **28**" in longer.verdict
        bots = coach_page(replace(review, role=Role.BOT), PLAIN)
        assert bots.turns[0].startswith("**1** ")
        guess = review.analysis.turns[0].guess
        told = replace(review, hints=(Hint(0, HintKind.SUGGESTION, guess),))
        assert coach_page(told, PLAIN).turns[0].startswith("**1** ")
        for grade in Grade:
            marked = coach_page(one_turn(NOTHING, grade), PLAIN).turns[0]
            is_good = grade in {Grade.GOOD, Grade.BRILLIANT}
            assert bool(re.match(r"\*\*1 \S+ \w+\*\* ", marked)) == is_good
            assert not grade or re.match(rf"\W*1\W+{re.escape(grade)} [a-z]+\W", marked)

    @pytest.mark.parametrize(
        ("observation", "told"),
        [
            (Insight.STEADY, "^`0123` was better: it usually leaves about 890, this one 1,300\\.$"),
            (Insight.RARE, r"stayed\. .+ `0123` was better: it usually leaves about 890"),
            (Insight.WEAK, "`7777`"),
        ],
    )
    @pytest.mark.parametrize("grade", [Grade.DOUBTFUL, Grade.BAD, Grade.BLUNDER])
    def test_a_bad_mark_has_its_reason_beside_it(
        self, grade: Grade, observation: Insight, told: str
    ) -> None:
        said = Observation(observation, count=14, total=1000, code="7777")
        loss = Loss(Fraction(1, 2), Fraction(1, 5), is_exact=True)
        review = one_turn(loss, grade, observations=(said,))
        review = replace(review, game=replace(review.game, id=0))
        sentence = coach_page(review, PLAIN).turns[0].splitlines()[-1]
        assert re.search(told, sentence)
        assert ("was better" in sentence) == (observation is not Insight.WEAK)
        bots = coach_page(replace(review, role=Role.BOT), PLAIN).turns[0]
        assert "was better" not in bots

    @pytest.mark.parametrize("grade", [Grade.GOOD, Grade.BRILLIANT])
    @pytest.mark.parametrize("reproach", [Insight.BOLD, Insight.CLUE_SCORE, Insight.FORCED_PLACE])
    def test_a_good_mark_has_no_reproach_beside_it(self, grade: Grade, reproach: Insight) -> None:
        said = Observation(reproach, 0, "7", 0, 14, 1000, "7777")
        steady = Observation(Insight.STEADY, count=14, total=1000)
        review = one_turn(NOTHING, grade, observations=(said, steady))
        sentence = coach_page(review, PLAIN).turns[0].splitlines()[-1]
        assert sentence in {way.format(count=14, total="1,000") for way in every_way(steady)}
        assert "7777" not in sentence

    @pytest.mark.parametrize(
        ("longer", "luck", "told"),
        [
            (2, 62, "🎉 Faster than the solver, by 2 guesses! Luck helped."),
            (1, 40, "🎉 Faster than the solver, by 1 guess!"),
            (0, 62, "As many as here."),
        ],
    )
    def test_whoever_is_as_fast_as_the_solver_is_told_so(
        self, longer: int, luck: int, told: str
    ) -> None:
        review = a_review(BullsAndCows(), 2)
        line = (*review.analysis.line,) * 3
        turns = tuple(replace(turn, luck=luck) for turn in review.analysis.turns)
        analysis: Analysis = replace(
            review.analysis, is_solved=True, turns=turns, line=line[: 2 + longer]
        )
        assert told in coach_page(replace(review, analysis=analysis), PLAIN).line
        lost: Analysis = replace(analysis, is_solved=False)
        assert told not in coach_page(replace(review, analysis=lost), PLAIN).line

    def test_what_is_usually_left_is_between_the_least_and_the_most(self) -> None:
        rules, guess = Mastermind(), Code("RGGG")
        left = Counter(rules.feedback(guess, code) for code in rules.codes())
        usual = math.prod(size ** (size / 1296) for size in left.values())
        review = a_review(rules, 1)
        made = (Turn(guess, rules.feedback(guess, Code("BBBB"))),)
        analysis = examine(Record(rules, "", Code("BBBB"), made))
        (turn,) = detailed(replace(review, analysis=analysis)).turns
        assert f"usually leaves about {round(usual, -1):.0f}; " in turn

    @pytest.mark.parametrize(
        ("before", "promised", "words"), [(3, 0.9183, "1.6"), (3, math.log2(3), "1"), (19, 0, "19")]
    )
    def test_few_are_told_in_tenths(self, before: int, promised: float, words: str) -> None:
        review = a_review(BullsAndCows(), 1)
        (turn,) = review.analysis.turns
        turn = replace(turn, before=before, loss=NOTHING, promised=promised)
        analysis: Analysis = replace(review.analysis, turns=(turn,))
        page = detailed(replace(review, analysis=analysis))
        assert f" about {words}." in page.turns[0]

    def test_where_nobody_told_the_answer_there_is_no_line(self) -> None:
        review = a_review(Mastermind(), 2)
        analysis: Analysis = replace(review.analysis, secret=None, line=())
        assert coach_page(replace(review, analysis=analysis), PLAIN).line == ""


class TestPicture:
    def test_it_shows_the_player_the_solver_and_the_server(self) -> None:
        review = a_review(Focdle(7), 3, field=Field(4, 4.0, 3, (100.4, 10.0, 1.0)))
        chart = chart_of(review)
        after = [turn.after for turn in review.analysis.turns]
        assert [series.name for series in chart.series] == ["you", "the solver", "3 others here"]
        assert chart.series[0].left == (4518, *after)
        assert chart.series[2].left == (4518, 100.4, 10.0, 1.0)
        assert "3 others here: 4,518 → 100 → 10 → 1" in chart.description

    def test_only_who_is_there_is_drawn(self) -> None:
        assert len(chart_of(a_review(Focdle(7), 3)).series) == 2
        assert len(chart_of(a_review(Mastermind(), 3, role=Role.BOT)).series) == 1

    @pytest.mark.parametrize(("rules", "turns"), list(LONGEST.items()), ids=str)
    def test_it_is_a_picture_with_a_description(self, rules: Rules[Any], turns: int) -> None:
        chart = chart_of(a_review(rules, turns))
        assert len(chart.description) <= 1024
        with Image.open(io.BytesIO(draw_chart(chart))) as picture:
            assert picture.size == (900, 550)
            # A ground of its own: it looks alike on dark and light.
            assert picture.convert("RGBA").getpixel((2, 2)) == (0x23, 0x24, 0x28, 255)
            colours = {pixel for _, pixel in picture.convert("RGB").getcolors(1 << 20) or []}
        assert {(0xE6, 0x9F, 0), (0x56, 0xB4, 0xE9)} <= colours


def test_a_lost_last_chance_is_told_in_the_verdict_and_blamed_only_if_it_could_not_win() -> None:
    rules, secret = BullsAndCows(4), Code("3156")
    pages: dict[str, CoachPage] = {}
    for guess in ("3157", "5678"):
        turns = tuple(
            Turn(g, rules.feedback(g, secret)) for g in map(Code, ("3120", "3451", guess))
        )
        analysis = examine(Record(rules, "", secret, turns, most=len(turns)))
        review = Review(GameName(Source.DUEL, 3, 0), Role.OWN, 7, analysis)
        pages[guess] = coach_page(review, PLAIN)
    fair, wasted = pages.values()
    assert " The last chance was one in 5, and it fell elsewhere." in fair.verdict
    assert "🔑 **Guess 2 helped most.**" in fair.verdict
    said = every_way(Observation(Insight.LAST_SHOT))
    assert fair.turns[2].splitlines()[-1] in {way.format(total=5) for way in said}
    assert " The last guess could not win." in wasted.verdict
    lines = wasted.verdict.splitlines()
    assert lines[2].startswith("🔑 **Guess 3 decided it.** It was the last chance, and `315")
    assert wasted.turns[2].startswith("**3** ? mistake · 5 possible")


@pytest.mark.parametrize(
    ("left", "words"), [(1, "`4567` is it"), (360, "`4567` is it: one chance in 360")]
)
def test_a_lucky_hit_of_the_solvers_is_called_one(left: int, words: str) -> None:
    review = one_turn(NOTHING, Grade.PLAIN)
    line = (Step("0123", left), Step("4567", 1))
    found = replace(review, analysis=replace(review.analysis, line=line))
    assert coach_page(found, PLAIN).line.splitlines()[-1] == f"-# {words}"


def test_details_of_an_answer_call_it_a_gamble_where_another_guess_was_surer() -> None:
    review = one_turn(Loss(Fraction(1, 5), Fraction(1, 5), is_exact=True), Grade.PLAIN)
    won = replace(review, analysis=replace(review.analysis, is_solved=True))
    (told,) = detailed(won).turns
    words = "A gamble that paid: the solver's `0123` is surer, 0.2 guesses fewer on average."
    assert f"-# {words}" in told.splitlines()


@pytest.mark.parametrize("grade", [Grade.DOUBTFUL, Grade.BLUNDER])
def test_what_contradicts_a_clue_and_is_blamed_is_told_so_each_time(grade: Grade) -> None:
    review = one_turn(Loss(Fraction(2, 5), Fraction(1, 5), is_exact=True), grade)
    clue = Observation(Insight.CLUE_SCORE, turn=0, code="0123")
    weak = Observation(Insight.WEAK, code="4567")
    first, second = (
        replace(review.analysis.turns[0], guess=guess, observations=seen)
        for guess, seen in (("8901", (clue,)), ("8902", (weak, clue)))
    )
    said = sentences((first, second), spelling_of(review, PLAIN), 0, {0, 1})
    ways = [way.format(turn=1, code="0123") for way in every_way(clue)]
    assert said[0] in ways
    assert said[1] in ways
    assert said[0] != said[1]
