"""The end of a FoCdle says one or two things of praise, then what counts."""

import re
from dataclasses import replace
from datetime import date
from itertools import combinations

import pytest

from bot.focdle.ending_words import ended, goal_line, news_line
from bot.focdle.model import Aim, Feat, News, Play, PlayEnding, StreakFate, StreakGoal
from bot.focdle.words import picture_description
from bot.games.model import Hint
from bot.streaks.model import Streak
from bot.text import counts
from cogs.focdle.page import focdle_page
from engine import Focdle, replay
from tests.support.effort import either
from tests.support.messages import words
from tests.support.plays import TILES, a_play, a_streak, assert_fits, with_ending

DAY = date(2026, 11, 20)
FULL = PlayEnding(
    tuple(Feat)[:2],
    9999,
    News(StreakFate.ENDED, 9999, DAY, 2),
    StreakGoal(Aim.MILESTONE, 7, 9999),
)


def solved(turns: int, *feats: Feat, hints: int = 0, length: int = 10) -> Play:
    """A daily that was solved on its date, with so many hints."""
    before = a_play(length, turns - 1, on_date=True)
    guesses = [*(turn.guess for turn in before.game.turns), before.game.secret]
    return replace(
        before,
        game=replay(before.rules, before.game.secret, guesses),
        hints=tuple(Hint(turn + 1, turn, "9") for turn in range(hints)),
        ending=PlayEnding(feats, 30, streak=Streak()),
    )


def praise(play: Play) -> list[str]:
    """All lines above the small print."""
    return [line for line in ended(play).splitlines() if not line.startswith("-#")]


@pytest.mark.parametrize(
    ("turns", "hints", "word"),
    [
        (2, 0, "Astonishing!"),
        (3, 0, "Brilliant!"),
        (4, 0, "Well done!"),
        (5, 0, "Got it!"),
        (6, 0, "Phew, with the last guess!"),
        (1, 1, "Astonishing!"),
        (3, 2, "Got it!"),
        (4, 2, "There it is!"),
        (5, 2, "There it is!"),
        (6, 1, "Phew, with the last guess!"),
    ],
)
def test_each_number_of_guesses_has_its_word_and_a_hint_counts_as_a_guess(
    turns: int, hints: int, word: str
) -> None:
    headline, result = praise(solved(turns, hints=hints))
    points = 7 - turns - hints
    how = f"Solved in {turns} of 6" if turns > 1 else "Solved on the first guess"
    assert headline == f"### {word}"
    earned = f" · {points} point{'s' * (points > 1)}" if points else ""
    assert result == how + earned


@pytest.mark.parametrize(
    ("feats", "headline", "second"),
    [
        ((), "Got it!", None),
        ((Feat.AT_ONCE,), "What are the odds? 1 in 1,805,274.", None),
        (
            (Feat.AT_ONCE, Feat.FIRST),
            "What are the odds? 1 in 1,805,274.",
            "And your first daily win.",
        ),
        ((Feat.AT_ONCE, Feat.MILESTONE), "What are the odds? 1 in 1,805,274.", "And 30 days in a"),
        ((Feat.MILESTONE,), "A month on fire!", None),
        ((Feat.MILESTONE, Feat.FIRST_HARD), "A month on fire!", "And your first in hard mode."),
        ((Feat.FIRST_HARD,), "Your first in hard mode!", None),
        ((Feat.FIRST, Feat.FIRST_HARD), "Your first daily win!", "And your first in hard mode."),
    ],
)
def test_an_ending_has_the_most_remarkable_feat_as_headline_and_at_most_one_other(
    feats: tuple[Feat, ...], headline: str, second: str | None
) -> None:
    first, _result, *rest = praise(solved(5, *feats))
    assert first == f"### {headline}"
    assert len(rest) == (second is not None)
    assert all(line.startswith(second or "") for line in rest)


def test_an_ending_praises_at_most_two_feats() -> None:
    for pair in combinations(Feat, 2):
        headline, _result, *rest = praise(solved(6, *pair))
        assert len(rest) <= 1
        assert all("{" not in line and line for line in (headline, *rest))
        assert len(headline) <= 42


@pytest.mark.parametrize(
    ("days", "words"),
    [
        (7, "Seven days in a row!"),
        (30, "A month on fire!"),
        (100, "A hundred days in a row!"),
    ],
)
def test_a_milestone_of_a_streak_has_its_own_words(days: int, words: str) -> None:
    play = replace(solved(3), ending=PlayEnding((Feat.MILESTONE,), days))
    assert praise(play)[0] == f"### {words}"


@pytest.mark.parametrize("length", [7, 10, 15])
def test_the_odds_of_a_lucky_first_guess_are_those_of_the_length(length: int) -> None:
    play = solved(1, Feat.AT_ONCE, length=length)
    assert f"1 in {play.rules.size:,}." in ended(play)


@pytest.mark.parametrize(
    ("secret", "guesses", "headline", "had"),
    [
        ("1+2+3=6", ["1+2+5=8"], "So close!", "You had 5 of 7 in place."),
        ("1+2+3=6", ["1+5+2=8"], "Not this time", "You had 4 of 7 in place."),
        ("1+2+3=6", ["1+3+2=6"], "So close!", "Right symbols, wrong order."),
        ("12+34-5=41", ["98%76%89=7"], "Not this time", "This one hid well."),
    ],
)
def test_a_loss_says_what_was_found_and_is_called_close_only_if_much_was_found(
    secret: str, guesses: list[str], headline: str, had: str
) -> None:
    rules = Focdle(len(secret), len(guesses))
    play = replace(a_play(len(secret), 0), rules=rules, game=replay(rules, secret, guesses))
    assert praise(replace(play, puzzle=None)) == [
        f"### {headline}",
        f"{had} `{secret}` was the equation.",
    ]


def test_the_ending_of_a_practice_mentions_neither_streak_nor_number() -> None:
    play = replace(with_ending(solved(3), streak=None), puzzle=None, on_date=False)
    assert ended(play).splitlines() == ["### Brilliant!", "Solved in 3 of 6"]


def test_the_streak_is_written_where_no_picture_shows_it() -> None:
    play = with_ending(solved(3), streak=replace(a_streak(), length=5, freezes=1))
    assert "🔥" in ended(play)
    assert "🔥" not in ended(play, drawn=True)
    assert picture_description(play).startswith("🔥 Streak: 5 days · ❄️ 1 freeze")


@pytest.mark.long
def test_an_ending_has_at_most_forty_words() -> None:
    endings = [PlayEnding(pair, 30) for pair in combinations(Feat, 2)][:: either(5, 1)]
    for ending in endings:
        full = replace(FULL, feats=ending.feats, days=30)
        for fate in StreakFate:
            news = News(fate, 9, DAY, 2)
            play = a_play(10, 6, on_date=True)
            if fate not in {StreakFate.SAFE, StreakFate.AT_RISK}:
                play = solved(6)
            streak = play.ending.streak
            full = replace(full, news=news, streak=streak)
            told = ended(replace(play, ending=full), drawn=True)
            assert words(_said(told)) <= 40, told


def _said(told: str) -> str:
    """An ending without its seal, names and times."""
    lines = [line for line in told.splitlines() if "Seal" not in line]
    return re.sub("\u2068.*?\u2069|<t:.*?>", "", "\n".join(lines))


def test_ranks_are_written_as_ordinal_numbers() -> None:
    ranks = [1, 2, 3, 4, 10, 11, 12, 13, 14, 21, 22, 23, 101, 111, 112, 1002]
    assert " ".join(map(counts.ordinal, ranks)) == (
        "1st 2nd 3rd 4th 10th 11th 12th 13th 14th 21st 22nd 23rd 101st 111th 112th 1,002nd"
    )


@pytest.mark.parametrize(
    ("news", "line"),
    [
        (News(StreakFate.ENDED, 12, DAY), "Your streak of 12 days ended on Nov 20."),
        (News(StreakFate.SAVED, 8, DAY, 1), "A freeze kept your streak alive."),
        (News(StreakFate.SAVED, 8, DAY, 2), "2 freezes kept your streak alive."),
        (News(StreakFate.SAFE, 8, DAY), "A freeze keeps your streak of 8 days."),
        (
            News(StreakFate.AT_RISK, 8, DAY),
            "Your streak of 8 days ends today, unless you solve a puzzle of another length.",
        ),
    ],
)
def test_news_of_a_streak_is_one_sentence(news: News, line: str) -> None:
    assert news_line(news) == line
    assert f"-# {line}\n" in ended(replace(solved(3), ending=PlayEnding(news=news)))


@pytest.mark.parametrize(
    ("goal", "line"),
    [
        (StreakGoal(Aim.FREEZE, 1, 7), "1 more day without hints earns a freeze"),
        (StreakGoal(Aim.FREEZE, 6, 7), "6 more days without hints earn a freeze"),
        (StreakGoal(Aim.MILESTONE, 1, 30), "1 more day to a streak of 30"),
        (StreakGoal(Aim.MILESTONE, 7, 100), "7 more days to a streak of 100"),
    ],
)
def test_an_ending_tells_the_next_goal_of_a_streak(goal: StreakGoal, line: str) -> None:
    assert goal_line(goal) == line
    assert f"-# {line}\n" in ended(
        replace(solved(3), ending=PlayEnding(goal=goal, streak=Streak()))
    )


def test_a_streak_is_shown_with_its_freezes() -> None:
    streak = replace(a_streak(), length=5, freezes=1)
    assert "-# 🔥 Streak: **5 days** · ❄️ 1 freeze\n" in ended(with_ending(solved(3), streak=streak))


@pytest.mark.parametrize("length", [7, 10, 15])
async def test_the_longest_ending_fits_a_message(length: int) -> None:
    for play in (solved(6, hints=4, length=length), a_play(length, 6, on_date=True)):
        feats = FULL.feats if play.points else ()
        came = replace(FULL, feats=feats, streak=a_streak(), closed_in=(7, 8))
        full = replace(play, ending=came)
        assert_fits(focdle_page(full, TILES))
