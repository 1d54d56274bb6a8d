"""The end of a FoCdle says one or two things of praise, then what counts."""

from dataclasses import replace
from datetime import date
from itertools import combinations

import pytest

from bot.model.dailies import Comparison
from bot.model.hints import Hint, HintKind
from bot.model.streaks import Reason, Streak
from bot.presentation.base import counts
from bot.presentation.focdle.endings import ended
from bot.presentation.focdle.streaks import goal_line, news_line
from bot.services.focdle.feats import Aim, Ending, Fate, Feat, Goal, News, Rank
from bot.services.focdle.model import Play
from cogs.focdle.page import focdle_page
from engine import Focdle, replay
from tests.support.plays import TILES, a_play, a_streak, size

DAY = date(2026, 11, 20)
_PAR_EXPLAINED = "-# Par 3.6: the guesses that the bot's solver takes on average"
FULL = Ending(
    tuple(Feat)[:2],
    9999,
    2.25,
    Rank(99_999, 99_999),
    News(Fate.ENDED, 9999, DAY, 2),
    Goal(Aim.RECORD, 7, 9999),
)


def solved(turns: int, *feats: Feat, hints: int = 0, length: int = 10) -> Play:
    """A daily that was solved on its date, with so many hints."""
    before = a_play(length, turns - 1, on_date=True)
    guesses = [*(turn.guess for turn in before.game.turns), before.game.secret]
    return replace(
        before,
        game=replay(before.rules, before.game.secret, guesses),
        hints=tuple(Hint(turn + 1, HintKind.COUNT, "9") for turn in range(hints)),
        ending=Ending(feats, 30, 0.7),
        streak=Streak(),
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
        (5, 3, "There it is!"),
        (6, 1, "Phew, with the last guess!"),
    ],
)
def test_each_number_of_guesses_has_its_word_and_a_hint_counts_as_one(
    turns: int, hints: int, word: str
) -> None:
    headline, result = praise(solved(turns, hints=hints))
    points = max(7 - turns - hints, 1)
    how = f"Solved in {turns} of 6" if turns > 1 else "Solved with the first guess"
    assert headline == f"### {word}"
    assert result == f"{how} · {points} point{'s' * (points > 1)}"


@pytest.mark.parametrize(
    ("feats", "headline", "second"),
    [
        ((Feat.LUCK,), "What are the odds? 1 in 1,805,274.", None),
        (
            (Feat.LUCK, Feat.FIRST),
            "What are the odds? 1 in 1,805,274.",
            "And your first daily win.",
        ),
        (
            (Feat.FIRST, Feat.FIRST_HERE),
            "Your first daily win!",
            "The first here to solve it today.",
        ),
        ((Feat.MILESTONE, Feat.FREEZE), "30 days in a row!", "❄️ You earned a freeze: it saves "),
        ((Feat.RECORD, Feat.BEST), "30 days: your longest streak!", "Your fewest guesses so far."),
        ((Feat.BEST, Feat.BELOW_PAR), "Your best yet!", "0.7 guesses better than the bot."),
        ((Feat.BEST, Feat.FAR_BELOW_PAR), "Your best yet!", "0.7 guesses better than the bot!"),
        ((Feat.BELOW_PAR,), "Got it!", "0.7 guesses better than the bot."),
        ((Feat.FIRST_HERE, Feat.BELOW_PAR), "Got it!", "The first here to solve it today."),
        ((Feat.BEST, Feat.LAST_GUESS), "Your best yet!", None),
    ],
)
def test_the_most_remarkable_is_the_headline_and_one_more_thing_follows(
    feats: tuple[Feat, ...], headline: str, second: str | None
) -> None:
    first, _result, *rest = praise(solved(5, *feats))
    assert first == f"### {headline}"
    assert len(rest) == (second is not None)
    assert all(line.startswith(second or "") for line in rest)


def test_below_par_a_hint_is_said_to_count() -> None:
    assert (
        praise(solved(2, Feat.BELOW_PAR, hints=1))[2]
        == "0.7 guesses better than the bot, hints counted."
    )
    assert (
        praise(solved(2, Feat.FAR_BELOW_PAR, hints=1))[2]
        == "0.7 guesses better than the bot, hints counted!"
    )


def test_the_last_guess_is_told_once() -> None:
    assert len(praise(solved(6, Feat.LAST_GUESS))) == 2
    assert praise(solved(6, Feat.FREEZE, Feat.LAST_GUESS))[2].startswith("❄️")


def test_whatever_comes_together_there_are_two_things_of_praise_at_most() -> None:
    for pair in combinations(Feat, 2):
        headline, _result, *rest = praise(solved(6, *pair))
        assert len(rest) <= 1
        assert all("{" not in line and line for line in (headline, *rest))
        assert len(headline) <= 42


def test_a_week_is_called_so() -> None:
    play = solved(3, Feat.MILESTONE)
    assert praise(replace(play, ending=Ending((Feat.MILESTONE,), 7)))[0] == "### A week in a row!"


@pytest.mark.parametrize("length", [7, 10, 15])
def test_the_odds_are_those_of_the_length(length: int) -> None:
    play = solved(1, Feat.LUCK, length=length)
    assert f"1 in {play.rules.secrets:,}." in ended(play)


@pytest.mark.parametrize(
    ("secret", "guesses", "headline", "had"),
    [
        ("1+2+3=6", ["1+2+5=8"], "So close!", "You had 5 of 7 in place."),
        ("1+2+3=6", ["1+5+2=8"], "Not this time", "You had 4 of 7 in place."),
        ("1+2+3=6", ["1+2+5=8", "7*8%6=2"], "So close!", "You had 5 of 7 in place."),
        ("1+2+3=6", ["1+3+2=6"], "So close!", "You had all the symbols, in another order."),
        ("12+34-5=41", ["98%76%89=7"], "Not this time", "This one hid well."),
    ],
)
def test_a_loss_says_what_was_found_and_is_close_only_if_it_was(
    secret: str, guesses: list[str], headline: str, had: str
) -> None:
    rules = Focdle(len(secret), len(guesses))
    play = replace(a_play(len(secret), 0), rules=rules, game=replay(rules, secret, guesses))
    assert praise(replace(play, puzzle=None)) == [
        f"### {headline}",
        had,
        f"`{secret}` was the equation.",
    ]


def test_a_practice_tells_neither_streak_nor_par_nor_puzzles() -> None:
    play = replace(solved(3), puzzle=None, on_date=False, streak=None)
    assert ended(play).splitlines()[:2] == ["### Brilliant!", "Solved in 3 of 6"]
    assert all("Seal" in line for line in ended(play).splitlines()[2:])


@pytest.mark.parametrize(
    ("comparison", "on_date", "line"),
    [
        (Comparison(3.64, None), True, "Par 3.6 (the bot's average)"),
        (
            Comparison(3.64, 4.25, 5),
            True,
            "Par 3.6 (the bot's average) · average of 5 here 4.2, a miss counts 7",
        ),
        (Comparison(3.64, 4.25, 4), True, "Par 3.6 (the bot's average)"),
        (Comparison(None, None), True, "Par follows"),
        (Comparison(None, 4.25, 8), True, "Par follows · average of 8 here 4.2, a miss counts 7"),
        (
            Comparison(3.64, 4.25, 8),
            False,
            "Par 3.6 (the bot's average) · average of 8 here 4.2, a miss counts 7",
        ),
    ],
)
def test_par_is_told_or_follows_and_a_mean_is_one_of_five(
    comparison: Comparison, on_date: bool, line: str
) -> None:
    play = replace(solved(3), comparison=comparison, on_date=on_date)
    assert f"-# {line}" in ended(play).splitlines()


def test_the_first_win_has_a_few_lines_and_says_what_par_is() -> None:
    first = solved(3, Feat.FIRST, Feat.BELOW_PAR)
    goal = Goal(Aim.FREEZE, 6, 7)
    first = replace(first, ending=replace(first.ending, goal=goal, rank=Rank(1, 2)))
    small = [line for line in ended(first).splitlines() if line.startswith("-#")]
    assert [line.partition("<t:")[0] for line in small[:2]] == [
        "-# 1st of 2 here today",
        "-# Next puzzle ",
    ]
    first = replace(first, comparison=Comparison(3.64, 4.25, 8))
    assert ended(first).splitlines()[2] == "Better than par: the bot's solver takes 3.6 on average."
    assert "Par 3.6" not in ended(first)
    first = replace(first, ending=Ending((Feat.FIRST,)))
    assert _PAR_EXPLAINED in ended(first).splitlines()


@pytest.mark.parametrize("is_learning", [True, False])
def test_who_is_new_and_loses_is_told_what_par_is(*, is_learning: bool) -> None:
    known = Comparison(3.64, None)
    rules = Focdle(7, 1)
    game = replay(rules, "1+2+3=6", ["1+2+5=8"])
    play = replace(a_play(7, 0, on_date=True), rules=rules, game=game, comparison=known)
    play = replace(play, is_learning=is_learning)
    par = _PAR_EXPLAINED if is_learning else "-# Par 3.6 (the bot's average)"
    assert par in ended(play).splitlines()


def test_par_does_not_follow_for_what_came_late() -> None:
    play = replace(solved(3), comparison=Comparison(None, None), on_date=False)
    assert "Par" not in ended(play)
    assert "-# Played after its day: no points, no streak." in ended(play)


@pytest.mark.parametrize(("is_today", "when"), [(True, "today"), (False, "that day")])
def test_a_rank_is_of_its_day(*, is_today: bool, when: str) -> None:
    play = replace(solved(3), is_today=is_today, ending=Ending(rank=Rank(3, 1200)))
    assert f"-# 3rd of 1,200 here {when}\n" in ended(play)


def test_ranks_are_written_as_they_are_said() -> None:
    ranks = [1, 2, 3, 4, 10, 11, 12, 13, 14, 21, 22, 23, 101, 111, 112, 1002]
    assert " ".join(map(counts.ordinal, ranks)) == (
        "1st 2nd 3rd 4th 10th 11th 12th 13th 14th 21st 22nd 23rd 101st 111th 112th 1,002nd"
    )


@pytest.mark.parametrize(
    ("news", "line"),
    [
        (News(Fate.ENDED, 12, DAY), "Your streak of 12 days ended on Nov 20."),
        (News(Fate.SAVED, 8, DAY, 1), "A freeze kept your streak alive."),
        (News(Fate.SAVED, 8, DAY, 2), "2 freezes kept your streak alive."),
        (News(Fate.RESTORED, 8, DAY), "Your streak was restored: `/stats` says by whom and why."),
        (News(Fate.KEPT, 1, DAY), "Solved with hints: your streak stays at 1 day."),
        (News(Fate.BEGUN, 1, DAY), "Solved with hints: a streak begins."),
        (News(Fate.SAFE, 8, DAY), "A freeze keeps your streak of 8 days."),
        (
            News(Fate.AT_RISK, 8, DAY),
            "Your streak of 8 days ends today, unless you solve another length.",
        ),
        (News(Fate.NONE, 0, DAY), "A streak can begin tomorrow."),
    ],
)
def test_what_became_of_a_streak_is_said_in_a_sentence(news: News, line: str) -> None:
    assert news_line(news) == line
    assert f"-# {line}\n" in ended(replace(solved(3), ending=Ending(news=news)))


@pytest.mark.parametrize(
    ("goal", "line"),
    [
        (Goal(Aim.FREEZE, 1, 7), "1 more day for a freeze, which saves a missed day"),
        (Goal(Aim.FREEZE, 6, 7), "6 more days for a freeze, which saves a missed day"),
        (Goal(Aim.RECORD, 1, 9), "1 more day for a record"),
        (Goal(Aim.RECORD, 2, 9), "2 more days for a record"),
        (Goal(Aim.MILESTONE, 1, 30), "1 more day to a streak of 30"),
        (Goal(Aim.MILESTONE, 7, 100), "7 more days to a streak of 100"),
    ],
)
def test_the_next_goal_is_told(goal: Goal, line: str) -> None:
    assert goal_line(goal) == line
    assert f"-# {line}\n" in ended(replace(solved(3), ending=Ending(goal=goal)))


@pytest.mark.parametrize("is_restored", [False, True])
def test_a_streak_has_its_freezes_and_mark(*, is_restored: bool) -> None:
    reason = Reason.RESTORED if is_restored else Reason.EXCUSED_OUTAGE
    streak = replace(a_streak(), length=5, freezes=1)
    streak = replace(streak, changes=(replace(streak.changes[0], reason=reason),))
    mark = " · ↺ restored" * is_restored
    assert f"-# 🔥 Streak: **5 days** · ❄️ 1 freeze{mark}\n" in ended(
        replace(solved(3), streak=streak)
    )


@pytest.mark.parametrize("length", [7, 10, 15])
async def test_the_longest_ending_fits_a_message(length: int) -> None:
    for play in (solved(6, hints=4, length=length), a_play(length, 6, on_date=True)):
        full = replace(
            play,
            ending=replace(FULL, feats=FULL.feats if play.points else ()),
            streak=a_streak(),
            comparison=Comparison(3.6, 4.2, 99_999),
            closed_in=(7, 8),
        )
        characters, components = size(focdle_page(full, TILES).to_components())
        assert characters <= 3600
        assert components <= 38
