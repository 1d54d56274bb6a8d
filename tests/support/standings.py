"""Pages of leaderboards and statistics made up for looking at them, without a database."""

from datetime import date, timedelta

from bot.effects import DateEffect
from bot.leaderboards.game import Absence, Page, Row
from bot.leaderboards.scores import (
    Board,
    BoardGame,
    DuelFigures,
    Figures,
    FocdleFigures,
    MastermindFigures,
    Period,
    StreakFigures,
)
from bot.mastermind.model import SettingRecord
from bot.ratings.model import HeadToHead, Rating, RatingChange
from bot.statistics.game import MOST_TOLD
from bot.statistics.model import CalendarDay, FocdleRecord, Stats, StreakRecord
from bot.streaks.model import Change
from engine import Mastermind
from tests.support.plays import NOON

LONGEST_ID = 2**62
LARGEST: dict[BoardGame, Figures] = {
    BoardGame.FOCDLE: FocdleFigures(60_000, 10_000, 60_000, 10_000),
    BoardGame.STREAK: StreakFigures(10_000, 10_000),
    BoardGame.MASTERMIND: MastermindFigures(100_000, 100_000, 1_200_000),
    BoardGame.DUELS: DuelFigures(3_456, 100_000),
}
TODAY = date(2026, 11, 20)
MONDAY = date(2026, 5, 25)
NOTHING = FocdleRecord(0, dict.fromkeys(range(1, 7), 0))
START = Rating(1500, 55)


def a_page(
    board: Board,
    name: str = "Ann",
    *,
    rows: int = 10,
    own: bool = False,
    absence: Absence | None = None,
    figures: Figures | None = None,
) -> Page:
    """A page of a board of ten thousand, all of one name; perhaps with a viewer on another page."""
    shown = figures or LARGEST[board.game]
    return Page(
        board=board,
        days=None if board.period is Period.ALL else (TODAY, TODAY + timedelta(days=30)),
        number=4 if rows else 0,
        pages=1000 if rows else 1,
        total=10_000 if rows else 0,
        rows=tuple(Row(9_991 + n, LONGEST_ID + n, name, shown) for n in range(rows)),
        own=Row(3, 7, name, shown) if own else None,
        own_page=0 if own else None,
        absence=absence,
        own_figures=figures,
    )


def a_record(scale: int, lost: int) -> FocdleRecord:
    """So many plays with as many guesses as that, times a scale."""
    solved = {guesses: guesses * scale for guesses in range(1, 7)}
    return FocdleRecord(21 * scale + lost, solved)


def a_history(duels: int) -> tuple[RatingChange, ...]:
    """Ratings that rise and become surer."""
    ratings = [Rating(1500 + 10 * n, 500 * 0.9**n, n) for n in range(duels + 1)]
    return tuple(RatingChange(n, 7, 8, ratings[n], ratings[n + 1], NOON) for n in range(duels))


def some_stats(
    *,
    name: str = "Ann",
    focdle: FocdleRecord = NOTHING,
    hard: FocdleRecord = NOTHING,
    calendar: dict[date, CalendarDay] | None = None,
    duels: int = 0,
    settings: int = 0,
    change: Change | None = None,
) -> Stats:
    """Statistics with only what is given."""
    history = a_history(duels)
    return Stats(
        player_id=LONGEST_ID,
        name=name,
        is_hidden=False,
        focdle=focdle,
        hard=hard,
        archive=hard,
        points=4 * focdle.solved,
        streak=StreakRecord(
            9_999 if change else 0,
            10_000 if change else 0,
            2,
            (change,) * MOST_TOLD if change else (),
            change is not None,
        ),
        rating=history[-1].after if history else START,
        rating_history=history,
        duels=HeadToHead(duels, duels, duels),
        mastermind=tuple(
            SettingRecord(
                Mastermind(pegs=6, colours=10 - n, repeats=True, max_guesses=13),
                10_000,
                9_999,
                12.34,
                13,
            )
            for n in range(settings)
        ),
        calendar=calendar or {},
        calendar_days=(MONDAY, TODAY),
        assisted=hard,
    )


def everything(name: str = "Ann") -> Stats:
    """Statistics with as much to say and to draw as there can be."""
    days = (TODAY - MONDAY).days + 1
    return some_stats(
        name=name,
        focdle=a_record(1_000, 6_000),
        hard=a_record(1_000, 5_000),
        calendar={MONDAY + timedelta(days=n): CalendarDay(n % 7, bool(n % 7)) for n in range(days)},
        duels=400,
        settings=6,
        change=Change(TODAY, DateEffect.SOLVED_EARNED, 9_998, 9_999, 2),
    )
