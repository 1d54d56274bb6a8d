"""The coach's page: what it says, and that it fits."""

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any, cast

import pytest
from discord.ui import LayoutView, TextDisplay

from bot.coach.analysis import examine
from bot.coach.model import (
    BAD_GRADES,
    PRAISES,
    REASONS,
    Analysis,
    CoachTurn,
    Insight,
    Observation,
    Review,
)
from bot.coach.review_words import TURNS_ON_A_PAGE, coach_page, details, remarks, verdict_line
from bot.coach.reviews import shown_grades
from bot.coach.words import GRADE_NAMES, every_way, sentences, spelling_of
from bot.games.model import GameName, Hint, Record, Role, Source
from bot.text.tiles import PLAIN, Palette, row
from cogs.coach import coach_view, details_view
from engine import BullsAndCows, Focdle, Mark, Mastermind, Rules, Turn
from engine.deductions import Case, Fault
from engine.skill import Grade, Loss
from engine.solvers import codebreaker
from tests.support.effort import either
from tests.support.mastermind_boards import PEGS
from tests.support.messages import words
from tests.support.plays import TILES, size

SOURCES = {Focdle: Source.PLAY, Mastermind: Source.MASTERMIND, BullsAndCows: Source.DUEL}
NOTHING = Loss(Fraction(), Fraction(), is_exact=True)
DULL = {Insight.HALVES, Insight.STEADY}
MOST_WORDS = 120
LONGEST = {
    Focdle(15): 6,
    Mastermind(pegs=6, colours=10, max_guesses=13): 13,
    BullsAndCows(either(4, 6)): 30,
}


def words_on(view: LayoutView) -> int:
    """How many words are read on a page, emojis, names and codes aside."""
    texts = "\n".join(
        item.content for item in view.walk_children() if isinstance(item, TextDisplay)
    )
    return words(re.sub(r"<[^>]*>|`[^`]*`", "", texts))


@cache
def an_analysis(rules: Rules[Any], turns: int, seed: int) -> Analysis:
    """A game of drawn guesses, as the coach has looked at it: at the same ones, once."""
    rng = random.Random(seed)
    drawn = list(dict.fromkeys(rules.draw(rng) for _ in range(2 * turns + 2)))
    secret, guesses = drawn[0], drawn[1 : turns + 1]
    made = tuple(Turn(g, rules.feedback(g, secret)) for g in guesses)
    return examine(Record(rules, rules.encode(), secret, made))


def a_review(rules: Rules[Any], turns: int, seed: int = 1, **fields: Any) -> Review:
    """A game of drawn guesses, as seen by those who made them."""
    source = SOURCES[cast("type[Focdle]", type(rules))]
    values: dict[str, Any] = {
        "game": GameName(source, 7, 0),
        "role": Role.OWN,
        "breaker_id": 2**63,
        "analysis": an_analysis(rules, turns, seed),
    }
    return Review(**(values | fields))


def games() -> Iterator[tuple[Rules[Any], int, int]]:
    for seed in range(either(2, 6)):
        yield Focdle(8), 6, seed
        yield Mastermind(), 12, seed
        yield BullsAndCows(3), 20, seed


@pytest.mark.long
@pytest.mark.parametrize(("rules", "turns", "seed"), list(games()), ids=str)
def test_the_coach_repeats_no_sentence_within_a_game(
    rules: Rules[Any], turns: int, seed: int
) -> None:
    review = a_review(rules, turns, seed)
    marks, spelling = shown_grades(review), spelling_of(review, PLAIN)
    said = sentences(review.analysis.turns, marks, spelling, seed)
    assert said == sentences(review.analysis.turns, marks, spelling, seed)
    # Of what is bad it is said why, if need be in the same words.
    spoken = [sentence for sentence in said if sentence and "would have left" not in sentence]
    assert len(set(spoken)) == len(spoken)


def one_turn(loss: Loss, grade: Grade, **fields: Any) -> Review:
    """A duel of one guess that lost this."""
    review = a_review(BullsAndCows(), 1)
    values: dict[str, Any] = {"choice": "0123", "after": 1300, "best": 890, "is_possible": False}
    turn = replace(review.analysis.turns[0], loss=loss, grade=grade, **(values | fields))
    analysis: Analysis = replace(review.analysis, turns=(turn,))
    return replace(review, analysis=analysis)


def a_turn(*observations: Observation) -> CoachTurn:
    return CoachTurn("1+1+1=3", (2,) * 7, 9, 3, "1+1+2=4", NOTHING, Grade.PLAIN, 2, observations)


def mark_for(kind: Insight) -> Grade:
    """A mark that agrees with what is observed."""
    if kind in REASONS:
        return Grade.BAD
    return Grade.GOOD if kind in PRAISES else Grade.PLAIN


@pytest.mark.parametrize("kind", [kind for kind in Insight if kind not in DULL])
def test_every_observation_is_worded_in_two_ways(kind: Insight) -> None:
    said = Observation(kind, 1, "7", 2, 14, 1805274, "1+1+2=4")
    assert len(every_way(said)) == 2
    review = replace(a_review(Focdle(7), 1), breaker_id=1)
    spelling = spelling_of(review, PLAIN)
    turns, marks = [a_turn(said)] * 2, [mark_for(kind)] * 2
    found = sentences(turns, marks, spelling, seed=0)
    assert len(set(found)) == len(found)
    for sentence in found:
        assert not re.search(r"[{}]|``|  |!", sentence)
        assert 10 <= len(sentence) <= 90
        assert sentence[-1] in ".`"
        assert sentence[0] == "`" or not sentence[0].islower()
    one = [a_turn(said)], marks[:1], spelling
    assert sentences(*one, 0) != sentences(*one, 1)


def test_no_sentence_of_the_coach_serves_two_observations() -> None:
    ways = [way for kind in Insight for way in every_way(Observation(kind, count=1, total=2))]
    ways += every_way(Observation(Insight.CLUE_USE, count=2))
    ways += every_way(Observation(Insight.NEAR_MISS, count=0))
    assert len(set(ways)) == len(ways)
    assert [way for way in ways if re.search(r"\b(un)?luck|\bodds\b|\bchance", way)] == []


BY_TWO_CLUES = (
    Observation(Insight.CLUE_KEEP, 0, "5", 2, 1),
    Observation(Insight.DEAD_SYMBOL, 1, "7"),
)
BY_TWO_ANSWERS = (Observation(Insight.CLUE_SCORE, 0), Observation(Insight.CLUE_SCORE, 2))
BY_COPIES = (Observation(Insight.CLUE_USE, 1, "5", count=2),)
BY_A_COPY_AND_A_HINT = (
    Observation(Insight.CLUE_USE, 1, "5", count=1),
    Observation(Insight.CLUE_SHOWN, 0, "7", 3),
)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (Observation(Insight.DEAD_SYMBOL, 0, "7"), "Guess 1 had ruled out `7`"),
        (Observation(Insight.FORCED_PLACE, 0, "=", 7), "By then, place 8 had to be `=`"),
        (
            Observation(Insight.FORCED_PLACE, 0, "=", 7, because=BY_TWO_CLUES),
            "had to be `=`. Guess 1 had found `5` in place 3. Guess 2 had ruled out `7`.",
        ),
        (
            Observation(Insight.FORCED_SYMBOL, 0, "=", because=BY_TWO_ANSWERS),
            "the answer had to contain `=`. Guesses 1 and 3 prove it.",
        ),
        (
            Observation(Insight.DEAD_DEDUCED, 0, "7", because=BY_COPIES),
            "left no room for `7`. Guess 2 had found `5` 2 times.",
        ),
        (
            Observation(Insight.FORCED_SYMBOL, 0, "=", because=BY_A_COPY_AND_A_HINT),
            "had to contain `=`. Guess 2 had found `5`. A hint had shown `7` in place 4.",
        ),
        (
            Observation(Insight.FORCED_PLACE, 0, "7", case=Case(Fault.NONE, "7%3+_=_")),
            "place 1 had to be `7`. The clues left only `7%3+_=_`.",
        ),
        (
            Observation(
                Insight.DEAD_DEDUCED, 0, "9", case=Case(Fault.OVER, "9_+4_=9_", "90+41", "99")
            ),
            "no room for `9`. The alternative is `9_+4_=9_`, but even `90+41` is over `99`.",
        ),
        (
            Observation(
                Insight.DEAD_DEDUCED, 0, "9", case=Case(Fault.ENDS, "9_+_2=9_", value="37")
            ),
            "The alternative is `9_+_2=9_`, but its left side ends in `3, 7`.",
        ),
        (
            Observation(Insight.FORCED_PLACE, 0, "+", 1, case=Case(Fault.ROOM, value="%")),
            "Otherwise, `%` wouldn't fit anywhere.",
        ),
        (Observation(Insight.CLUE_SHOWN, 0, "5", 2), "A hint had shown `5` in place 3."),
        (Observation(Insight.ONLY_MISSED, code="1+1+1=3"), "Only `1+1+1=3` was possible"),
        (Observation(Insight.HIT, total=1234), "1,234 were possible"),
    ],
    ids=lambda value: str(getattr(value, "kind", "")),
)
def test_a_sentence_of_the_coach_names_the_symbol_place_or_guess_that_it_is_about(
    said: Observation, words: str
) -> None:
    spelling = spelling_of(a_review(Focdle(7), 1), PLAIN)
    assert words in sentences([a_turn(said)], [mark_for(said.kind)], spelling, 0)[0]


def test_a_near_miss_says_how_many_symbols_were_in_place_or_that_none_was() -> None:
    spelling = spelling_of(a_review(BullsAndCows(), 1), PLAIN)
    for count, ways in ((0, ("not one in its place", "but elsewhere")), (2, ("2 of 4",))):
        told = a_turn(Observation(Insight.NEAR_MISS, count=count, total=4))
        for seed in range(3):
            (said,) = sentences([told], [Grade.PLAIN], spelling, seed)
            assert any(way in said for way in ways)


def test_the_coach_tells_a_new_fact_before_a_repeated_one() -> None:
    dead, missed = (
        Observation(Insight.DEAD_SYMBOL, 0, "7"),
        Observation(Insight.ONLY_MISSED, code="1"),
    )
    spelling = spelling_of(a_review(Focdle(7), 1), PLAIN)
    turns = [a_turn(missed), a_turn(missed, dead), a_turn(missed)]
    said = sentences(turns, [Grade.BAD] * 3, spelling, 0)
    assert "`1`" in said[0]
    assert "`7`" in said[1]
    assert "`1`" in said[2]  # once more rather than nothing


def test_the_coach_names_pegs_by_colour() -> None:
    spelling = spelling_of(a_review(Mastermind(), 1), PLAIN)
    told = a_turn(Observation(Insight.DEAD_SYMBOL, 0, "R"))
    (said,) = sentences([told], [Grade.BAD], spelling, 0)
    assert said.startswith("Guess 1 had ruled out 🔴 red")


@pytest.mark.long
@pytest.mark.parametrize(("rules", "turns"), [*LONGEST.items()][either(-1, 0) :], ids=str)
def test_every_page_about_the_longest_game_fits_a_message(rules: Rules[Any], turns: int) -> None:
    review = a_review(
        rules,
        turns,
        role=Role.OTHER,
        other_seat=1,
        hints=(Hint(1, 0, "9"), Hint(1, 1, "9")),
    )
    review = replace(review, analysis=replace(review.analysis, hinted=(9999, 9999)))
    # A page that has just begun, one that is full, and the longest game.
    begun_and_full = {1, TURNS_ON_A_PAGE, TURNS_ON_A_PAGE + 1, turns - 1, turns}
    for made in either(sorted(begun_and_full & {*range(turns + 1)}), range(1, turns + 1)):
        analysis = replace(review.analysis, turns=review.analysis.turns[:made])
        shorter = replace(review, analysis=analysis)
        pages = coach_page(shorter, PEGS).pages
        assert pages == -(-made // TURNS_ON_A_PAGE)
        shown: list[str] = []
        views = [coach_view(shorter, number, PEGS, TILES) for number in range(pages)]
        for view in (*views, details_view(shorter)):
            characters, components = size(view.to_components())
            assert characters <= 3900
            assert components <= 38
            assert words_on(view) <= MOST_WORDS
        for number in range(pages):
            shown += coach_page(shorter, PEGS, number, TILES).turns
        assert len(shown) == made


def test_the_coach_shows_marks_of_an_equation_as_board_tiles() -> None:
    review = a_review(Focdle(), 1)
    (turn,) = review.analysis.turns
    marks = tuple(Mark(mark) for mark in turn.feedback)
    for palette in Palette:
        tiles = TILES.row(turn.guess, marks, palette)
        seen = replace(review, palette=palette.value)
        assert f"{tiles}\n" in coach_page(seen, PLAIN, 0, TILES).turns[0]
    assert f"{row(marks)}\n`{turn.guess}`\n" in coach_page(review, PLAIN).turns[0]


@pytest.mark.parametrize("rules", [Focdle(8), Mastermind(), BullsAndCows()], ids=str)
def test_the_web_page_says_of_each_guess_what_the_coach_says_in_discord(rules: Rules[Any]) -> None:
    review = a_review(rules, TURNS_ON_A_PAGE)
    for turn, remark in zip(coach_page(review, PLAIN).turns, remarks(review), strict=True):
        assert remark.rpartition(" · ")[2] in turn


def test_a_page_number_out_of_range_shows_the_first_or_last_page() -> None:
    review = a_review(BullsAndCows(), 13)
    assert coach_page(review, PLAIN, 99) == coach_page(review, PLAIN, 2)
    assert coach_page(review, PLAIN, -1) == coach_page(review, PLAIN, 0)


class TestWords:
    @pytest.mark.parametrize("grade", Grade)
    @pytest.mark.parametrize("kind", Insight)
    def test_a_guess_is_blamed_in_words_if_its_grade_is_bad_and_praised_only_if_it_is_good(
        self, grade: Grade, kind: Insight
    ) -> None:
        seen = Observation(kind, 0, "7", 0, 14, 1000, "7777")
        review = one_turn(NOTHING, grade, observations=(seen,))
        above, _, *said = coach_page(review, PLAIN).turns[0].splitlines()
        said = [one for one in said if not one.startswith("Still possible")]
        is_good = grade in {Grade.GOOD, Grade.BRILLIANT}
        assert re.fullmatch(rf"\W*1 ?\W+{GRADE_NAMES[grade]}\W*", above)
        assert above.endswith("**") == is_good
        is_blamed = bool(said) and (kind in REASONS or "would have left" in said[0])
        assert is_blamed == (grade in BAD_GRADES)
        is_praised = bool(said) and kind in PRAISES and not is_blamed
        assert is_praised <= is_good
        assert len(said) <= 1

    def test_a_guess_with_a_bad_grade_always_has_a_reason_beside_it(self) -> None:
        loss = Loss(Fraction(2, 5), Fraction(1, 5), is_exact=True)
        review = one_turn(loss, Grade.BLUNDER)
        clue = Observation(Insight.CLUE_SCORE, turn=0, code="0123")
        again, halves = Observation(Insight.KNOWN_AGAIN, count=2), Observation(Insight.HALVES)
        turns = [
            replace(review.analysis.turns[0], observations=seen)
            for seen in ((clue,), (again, clue), (clue,), (halves,))
        ]
        first, second, third, last = sentences(
            turns, [Grade.BLUNDER] * 4, spelling_of(review, PLAIN), 0
        )
        assert {first, second} == {way.format(turn=1) for way in every_way(clue)}
        assert third == last == "`0123` would have left 890, not 1,300."

    def test_a_guess_that_could_have_been_right_is_called_no_mistake(self) -> None:
        loss = Loss(Fraction(2, 5), Fraction(1, 5), is_exact=True)
        named = [
            coach_page(one_turn(loss, grade, is_possible=True), PLAIN).turns[0].splitlines()[0]
            for grade in (Grade.BLUNDER, Grade.PLAIN)
        ]
        assert named == ["**1** · fair try", "**1** · fine"]

    def test_a_guess_that_was_right_is_called_found_unless_it_deserves_more(self) -> None:
        loss = Loss(Fraction(0), Fraction(0), is_exact=True)
        reviews = [one_turn(loss, grade) for grade in (Grade.PLAIN, Grade.BRILLIANT)]
        won = [replace(each, analysis=replace(each.analysis, is_solved=True)) for each in reviews]
        named = [coach_page(each, PLAIN).turns[0].splitlines()[0] for each in won]
        assert named == ["**1** · found", "**1 · brilliant**"]

    def test_a_sentence_about_a_grade_leaves_out_figures_that_do_not_explain_it(self) -> None:
        loss = Loss(Fraction(2, 5), Fraction(1, 5), is_exact=True)
        for other in ({"is_last": True}, {"best": 0}):  # it could have won
            review = one_turn(loss, Grade.BAD, observations=(), **other)
            assert coach_page(review, PLAIN).turns[0].endswith("`0123` could have been right.")

    def test_the_coach_does_not_praise_a_guess_that_the_solver_made(self) -> None:
        rules = Mastermind()
        secret, turns = "RGBY", list[Turn[Any]]()
        breaker = codebreaker(rules)
        while not turns or turns[-1].guess != secret:
            guess = breaker.next_guess(turns)
            turns.append(Turn(guess, rules.feedback(guess, secret)))
        analysis = examine(Record(rules, rules.encode(), secret, tuple(turns)))
        review = replace(a_review(rules, 1), analysis=analysis)
        assert "coach" in "\n".join(coach_page(review, PLAIN).turns)
        assert "· good" in "\n".join(coach_page(review, PLAIN).turns)
        bots = "\n".join(coach_page(replace(review, role=Role.BOT), PLAIN).turns)
        assert "coach" not in bots
        assert "good" not in bots

    @pytest.mark.parametrize(("length", "is_small"), [(10, False), (11, True), (15, True)])
    def test_a_long_row_of_marks_is_drawn_small_for_phones(
        self, length: int, is_small: bool
    ) -> None:
        (turn,) = coach_page(a_review(Focdle(length), 1), PLAIN).turns
        assert any(
            re.fullmatch(rf"-# [🟩🟡⬜]{{{length}}}", line) for line in turn.splitlines()
        ) is (is_small)

    def test_a_page_names_the_guesser_unless_the_guesser_reads_it(self) -> None:
        assert coach_page(a_review(Mastermind(), 1), PLAIN).title == "### Coach · Mastermind"
        bots = coach_page(a_review(Mastermind(), 3, role=Role.BOT, breaker_id=None), PLAIN)
        assert bots.title.endswith("-# The bot's guesses")
        assert bots.verdict == "**The bot took 3 guesses.**"
        others = coach_page(a_review(Mastermind(), 3, role=Role.OTHER, breaker_id=42), PLAIN)
        assert others.title.endswith("-# <@42>'s guesses")

    def test_only_the_first_page_has_the_verdict_and_no_page_has_figures_beside_guesses(
        self,
    ) -> None:
        review = a_review(BullsAndCows(), 13)
        verdicts = [coach_page(review, PLAIN, page).verdict for page in range(3)]
        assert verdicts[0].startswith("**")
        assert verdicts[1:] == ["", ""]
        for page in range(3):
            found = coach_page(review, PLAIN, page)
            assert not re.search(r"[Ll]uck \*|[Ss]kill|possible →", "\n".join(found.turns))


class TestDetails:
    def test_a_table_says_how_many_were_possible_after_each_guess_the_best_one_and_each_hint(
        self,
    ) -> None:
        rules, secret = Focdle(7), "1+2*3=7"
        made = tuple(Turn(g, rules.feedback(g, secret)) for g in ("2*3+4=8", secret))
        hints = (Hint(1, 0, "1"), Hint(1, 1, "+"))
        analysis = examine(Record(rules, rules.encode(), secret, made, hints=hints))
        review = Review(GameName(Source.PLAY, 7, 0), Role.OWN, 7, analysis, hints=hints)
        found = details(review)
        (first, last), (one, two) = analysis.turns, analysis.hinted
        assert found.title == "### Coach · FoCdle practice"
        assert found.text.splitlines() == [
            "**How many equations were still possible**",
            "```",
            "        you  best",
            "   0  4,518",
            f"   1  {first.after:>5}  {first.best:>4}",
            f"hint  {one:>5}",
            f"hint  {two:>5}",
            f"   2  {last.after:>5}  {last.best:>4}",
            "```",
            "-# *Best* means best on average. Luck can beat it.",
        ]
        assert first.after > one >= two == last.before

    def test_nothing_is_compared_with_the_best_guess_beside_the_bots_or_without_the_secret(
        self,
    ) -> None:
        review = a_review(Mastermind(), 3)
        untold = tuple(replace(turn, best=None) for turn in review.analysis.turns)
        analysis: Analysis = replace(review.analysis, secret=None, turns=untold)
        for other in (replace(review, role=Role.BOT), replace(review, analysis=analysis)):
            text = details(other).text
            assert text.startswith("**How many codes were still possible**")
            assert "best" not in text.lower()

    @pytest.mark.parametrize(("longer", "is_faster"), [(1, True), (0, False)])
    def test_a_winner_with_fewer_guesses_than_the_solver_reads_that_they_were_faster(
        self, longer: int, *, is_faster: bool
    ) -> None:
        review = a_review(BullsAndCows(), 2)
        analysis: Analysis = replace(review.analysis, is_solved=True, solvers=2 + longer)
        told = "🎉 **Faster than the coach!**"
        assert (verdict_line(replace(review, analysis=analysis)) == told) == is_faster
        lost: Analysis = replace(analysis, is_solved=False)
        assert verdict_line(replace(review, analysis=lost)) != told
