"""Leaderboards and statistics at their largest, with whatever people call themselves."""

import io
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date, timedelta
from unicodedata import east_asian_width

import pytest
from discord import ui
from PIL import Image, ImageColor

from bot.effects import DateEffect
from bot.games.model import SharedDailies
from bot.leaderboards.boards import (
    Board,
    BoardGame,
    DuelFigures,
    Figures,
    FocdleFigures,
    MastermindFigures,
    Period,
    StreakFigures,
)
from bot.leaderboards.game import Absence, LeaderboardPage, Row, Waiting
from bot.leaderboards.words import board_texts
from bot.mastermind.model import SettingRecord
from bot.ratings.model import HeadToHead, Rating, RatingChange
from bot.statistics.game import MOST_TOLD
from bot.statistics.model import CalendarDay, Chart, FocdleRecord, Stats, StreakRecord
from bot.statistics.pictures import draw_stats
from bot.statistics.words import charts_of, stats_blocks
from bot.streaks.model import StreakChange
from bot.text.markup import clip, player_name, visible
from bot.text.pictures import drawing
from cogs.leaderboards import leaderboard_page
from cogs.statistics import Drawn, stats_page
from engine import Mastermind, Strength
from tests.support.ids import ids_on
from tests.support.plays import NOON, assert_fits

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
) -> LeaderboardPage:
    """A page of a board of ten thousand, all of one name; perhaps with a viewer on another page."""
    shown = figures or LARGEST[board.game]
    return LeaderboardPage(
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
    change: StreakChange | None = None,
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
        change=StreakChange(TODAY, DateEffect.SOLVED_EARNED, 9_998, 9_999, 2),
    )


ANN = player_name("Ann", 7)
NAMES = {
    "longest": "W" * 32,
    "markdown": "**_~~||`x`||~~_**",
    "mention": "<@1> @everyone @here",
    "link": "[free](https://x.yz)",
    "right to left": "שלום לכולם כאן עכשיו",
    "arabic": "محمد بن سعيد العالي",
    "override": "\u202eevil\u202d",
    "family": "👨‍👩‍👧‍👦" * 10,
    "flags": "🇩🇪" * 16,
    "wide": "漢字" * 16,
    "piled up": "Z" + "\u0335" * 100,
    "lines": "a\n\n\nb\r\u2028c",
    "blank": "\u3164\u200d",
    "empty": "",
}
BOARDS = [
    Board(BoardGame.FOCDLE, Period.MONTH, previous=True, guild_id=LONGEST_ID),
    Board(BoardGame.FOCDLE, Period.DAY, guild_id=LONGEST_ID),
    Board(BoardGame.STREAK, guild_id=LONGEST_ID),
    Board(BoardGame.MASTERMIND, Period.MONTH, previous=True, guild_id=LONGEST_ID),
    Board(BoardGame.DUELS, Period.ALL, guild_id=LONGEST_ID),
]
SMALLEST: dict[BoardGame, Figures] = {
    BoardGame.FOCDLE: FocdleFigures(1, 1, 1, 1),
    BoardGame.STREAK: StreakFigures(1, 1),
    BoardGame.MASTERMIND: MastermindFigures(5, 5, 5),
    BoardGame.DUELS: DuelFigures(9, 5, 3),
}
# A phone of 360 px leaves about thirty narrow letters beside the picture and in the frame.
PHONE = 32


def shown(line: str) -> str:
    """A line without its markup."""
    return re.sub(r"\\(.)|[`*\u2068\u2069]", r"\1", line)


def columns(text: str) -> int:
    """How much room a text takes, a letter with its marks as one."""
    text = re.sub("\u200d.", "", text)
    return sum(1 + (east_asian_width(c) in "WF") for c in text if c.isprintable())


@pytest.mark.parametrize("name", NAMES.values(), ids=list(NAMES))
@pytest.mark.parametrize("in_public", [True, False])
def test_the_largest_leaderboard_is_within_discords_limits(name: str, *, in_public: bool) -> None:
    for board in BOARDS:
        for absence in (None, *Absence):
            page = a_page(board, name, own=absence is None, absence=absence)
            view = leaderboard_page(page, LONGEST_ID, in_public=in_public)
            assert_fits(view)
            ids = ids_on(view)
            assert len(set(ids)) == len(ids) >= 4


@pytest.mark.parametrize("name", [NAMES["longest"], NAMES["wide"], NAMES["markdown"]])
@pytest.mark.parametrize("game", BoardGame, ids=str)
def test_rows_of_a_leaderboard_fit_a_phone(name: str, game: BoardGame) -> None:
    board = Board.of(game, Period.MONTH, guild_id=1)
    page = replace(a_page(board, name, own=True), compares=True)
    page = replace(page, rows=(replace(page.rows[0], figures=SMALLEST[game]), *page.rows[1:]))
    lines = board_texts(page).rows.splitlines()
    assert len([line for line in lines if line.startswith("-# ")]) == 11
    for line in lines:
        small = line.startswith("-# ")
        assert columns(shown(line.removeprefix("-# "))) <= PHONE * (5 / 4 if small else 1), line


def moved(board: Board, *ranks: tuple[int, int | None], number: int = 0) -> list[str]:
    """What rows with ranks, and with ranks before, say of them."""
    page = a_page(board)
    rows = [replace(page.rows[0], rank=rank, before=before) for rank, before in ranks]
    page = replace(page, rows=tuple(rows), number=number, compares=True)
    lines = [shown(line) for line in board_texts(page).rows.splitlines()]
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines[::2]]


def test_rows_of_a_leaderboard_show_how_many_ranks_a_player_has_moved() -> None:
    board = Board.of(BoardGame.MASTERMIND, Period.WEEK, guild_id=1)
    assert moved(board, (1, 4), (2, 2), (3, 1), (4, None)) == [
        *("1 Ann · up 3", "2 Ann", "3 Ann · down 2", "4 Ann"),
    ]
    page = replace(a_page(board), compares=True)
    assert "compared" not in board_texts(page).footer
    page = replace(page, own=replace(page.rows[0], rank=12, before=1))
    assert board_texts(page).footer.endswith(" · compared with last week")


def test_only_leaderboards_of_points_have_medals_and_for_at_most_three_players() -> None:
    points = Board.of(BoardGame.FOCDLE, Period.WEEK, guild_id=1)
    assert moved(points, (1, 1), (1, 1), (1, 1), (4, 4)) == ["🥇 Ann", "🥇 Ann", "🥇 Ann", "4 Ann"]
    assert moved(points, *[(1, 1)] * 4) == ["1 Ann"] * 4
    assert moved(points, (2, 2), number=1) == ["2 Ann"]
    none = replace(a_page(points), rows=(replace(a_page(points).rows[0], figures=FocdleFigures()),))
    assert "🥇" not in board_texts(none).rows
    for game in set(BoardGame) - {BoardGame.FOCDLE}:
        assert moved(Board.of(game, Period.MONTH, guild_id=1), (1, 1)) == ["1 Ann"]


def test_rows_of_new_players_have_no_rank_and_are_marked() -> None:
    page = a_page(Board.of(BoardGame.DUELS, Period.MONTH, guild_id=1))
    ranked, other = page.rows[:2]
    new = replace(other, rank=0, figures=DuelFigures(1512, 3, is_new=1), before=None)
    page = replace(page, rows=(replace(ranked, rank=1), new), compares=True)
    lines = [shown(line) for line in board_texts(page).rows.splitlines()]
    told = "-# Rated duels on 5 days against 3 players earn a rank."
    assert lines[2:] == ["– Ann", "-# 1512 · 3 rated duels", told]
    assert told not in board_texts(replace(page, rows=(replace(ranked, rank=1),))).rows
    page = replace(page, rows=(ranked,), own=new)
    lines = [shown(line) for line in board_texts(page).rows.splitlines()]
    assert lines[2:4] == ["⋯", "– Ann\u00a0◂\u00a0you"]


def test_a_nearly_ranked_player_is_told_what_is_missing() -> None:
    board = Board.of(BoardGame.MASTERMIND, Period.WEEK, guild_id=1)
    page = replace(a_page(board), waiting=(Waiting(8, "Ben", 1), Waiting(9, "Cleo", 2)))
    last = shown(board_texts(page).rows.splitlines()[-1])
    assert last == "-# Not ranked yet: Ben needs 1 game more · Cleo needs 2 games more"


def test_figures_of_a_row_are_explained_in_words() -> None:
    board = Board.of(BoardGame.FOCDLE, Period.ALL, guild_id=1)
    small = a_page(board, figures=FocdleFigures(31, 6, 17, 7))
    rows = board_texts(small).rows.splitlines()
    assert rows[1] == "-# 31 points · 6 solved · 17 guesses"


@pytest.mark.parametrize("name", NAMES.values(), ids=list(NAMES))
def test_names_of_players_have_no_effect_as_discord_markup(name: str) -> None:
    line = player_name(name, 7)
    if not visible(name):
        assert line == "<@7>"
        return
    inside = line.removeprefix("\u2068").removesuffix("\u2069")
    assert not re.search(r"(?<!\\)[*_~|`<>@\[\]():#]", inside)
    assert not re.search("[\u202a-\u202e\u2066-\u2069\n\r\u2028]", inside)
    assert columns(shown(inside)) <= 21 + inside.count("\u0335")


def test_combining_marks_in_a_name_are_limited() -> None:
    assert visible(NAMES["piled up"]) == "Z" + "\u0335" * 3


def test_a_leaderboard_has_page_buttons_only_when_it_has_several_pages() -> None:
    board = Board.of(BoardGame.STREAK, guild_id=1)
    for number, disabled in ((0, [True, False]), (999, [False, True]), (4, [False, False])):
        page = replace(a_page(board), number=number)
        view = leaderboard_page(page, 7, in_public=True)
        items = [item for item in view.walk_children() if isinstance(item, ui.Button)]
        turning = [item for item in items if (item.custom_id or "").startswith("lb:page:")]
        assert [item.disabled for item in turning[:2]] == disabled


def test_a_long_name_is_cut_between_characters() -> None:
    assert clip("👨‍👩‍👧‍👦" * 3, 5) == "👨‍👩‍👧‍👦" * 2 + "…"
    assert clip("🇩🇪🇫🇷🇮🇹", 5) == "🇩🇪🇫🇷…"
    assert clip("👍🏽" * 3, 4) == "👍🏽…"
    assert clip("e\u0301" * 4, 3) == "e\u0301" * 2 + "…"
    assert clip("漢字漢字", 8) == "漢字漢字"
    assert clip("漢字漢字", 7) == "漢字漢…"
    assert clip("Ann Example", 5) == "Ann…"


def test_every_reason_for_a_players_absence_has_its_own_words() -> None:
    said: set[str] = set()
    for game in BoardGame:
        board = Board.of(game, Period.ALL, guild_id=1)
        texts = [
            board_texts(a_page(board, absence=absence)).own
            for absence in (Absence.HIDDEN, Absence.TAKEN_OFF, Absence.NOT_PLAYED)
        ]
        assert all(texts)
        assert len(set(texts)) == 3
        said.add(texts[-1])
        public = board_texts(a_page(board, absence=Absence.NOT_PLAYED), public_for=7)
        assert not public.own
    assert len(said) == len(BoardGame)


def test_a_player_with_too_few_games_is_told_how_many_are_missing() -> None:
    board = Board.of(BoardGame.MASTERMIND, Period.ALL, guild_id=1)
    page = a_page(board, absence=Absence.TOO_FEW, figures=MastermindFigures(3, 2, 20))
    words = "You need 5 games, but have 3."
    assert words in board_texts(page).own


@pytest.mark.parametrize("dates", [4, 5])
def test_statistics_say_whether_a_rating_is_new_and_no_more(dates: int) -> None:
    rating = Rating(1512.4, 50, 9, dates, opponents=3)
    for own in (True, False):
        shown = "\n".join(stats_blocks(replace(some_stats(duels=1), rating=rating), own=own))
        assert shown.endswith(f" lost · rating 1512{' · no rank yet' if dates < 5 else ''}")


def test_statistics_have_a_line_for_the_duels_with_each_bot() -> None:
    duels = ((Strength.CASUAL, HeadToHead(3, 0, 1)), (Strength.SHARP, HeadToHead(1, 1, 1)))
    stats = replace(some_stats(duels=1), bot_duels=duels)
    shown = "\n".join(stats_blocks(stats, own=True)).splitlines()
    assert "Duels, casual bot: 3 won · 1 lost" in shown
    assert "Duels, sharp bot: 1 won · 1 drawn · 1 lost" in shown


@pytest.mark.parametrize(
    ("record", "words"),
    [
        (HeadToHead(4, 0, 2), f"You lead {ANN} 4 – 2"),
        (HeadToHead(1, 3, 1), f"You and {ANN}: 1 – 1 · 3 draws"),
        (HeadToHead(0, 1, 2), f"{ANN} leads you 2 – 0 · 1 draw"),
    ],
)
def test_statistics_of_another_player_say_who_leads_in_duels(
    record: HeadToHead, words: str
) -> None:
    stats = replace(some_stats(duels=1), name="Ann", viewers_duels=record)
    assert words in "\n".join(stats_blocks(stats, own=False)).splitlines()


def test_statistics_of_another_player_compare_dailies_that_both_have_played() -> None:
    stats = replace(some_stats(focdle=a_record(1, 0)), viewers_dailies=SharedDailies(18, 11, 4))
    words = "Of 18 puzzles in common, you were ahead in 61% and they in 22%"
    assert words in "\n".join(stats_blocks(stats, own=False)).splitlines()


def test_an_empty_leaderboard_does_not_add_that_its_reader_has_not_played() -> None:
    board = Board.of(BoardGame.FOCDLE, Period.DAY, guild_id=1)
    texts = board_texts(a_page(board, rows=0, absence=Absence.NOT_PLAYED))
    assert (texts.own, texts.footer) == ("", "")


# Statistics.


@pytest.mark.parametrize("own", [True, False])
def test_the_largest_statistics_are_within_discords_limits(*, own: bool) -> None:
    drawn = Drawn(Chart.RATING, draw_stats(everything(), Chart.RATING))
    for name in NAMES.values():
        view = stats_page(everything(name), drawn, own=own, offer=2**63 - 1)
        assert_fits(view)
        assert len(view.files) == 1
        assert all(0 < len(file.description or "") <= 1024 for file in view.files)
    assert "and 5 more settings" in "\n".join(stats_blocks(everything(), own=own))


def test_statistics_offer_a_chart_only_if_the_player_has_its_figures() -> None:
    day = {TODAY: CalendarDay(4, solved=True)}
    assert charts_of(some_stats()) == []
    for stats, name in (
        (some_stats(focdle=a_record(1, 0)), "guesses.png"),
        (some_stats(hard=a_record(1, 0)), "guesses.png"),
        (some_stats(calendar=day), "calendar.png"),
        (some_stats(duels=1), "rating.png"),
    ):
        (chart,) = charts_of(stats)
        assert draw_stats(stats, chart).name == name


def test_pictures_of_statistics_are_wider_than_high_and_have_their_own_background() -> None:
    assert charts_of(everything()) == [*Chart]
    for drawn in (draw_stats(everything(), chart) for chart in Chart):
        with Image.open(io.BytesIO(drawn.png)) as picture:
            assert picture.width == 800 > picture.height
            corners = [picture.convert("RGBA").getpixel(at) for at in ((0, 0), (799, 1))]
            assert corners == [(*ImageColor.getrgb(drawing.GROUND), 255)] * 2


def cells(drawn: bytes, colour: str) -> int:
    """How many pixels have a colour."""
    with Image.open(io.BytesIO(drawn)) as picture:
        counts = picture.convert("RGB").getcolors(2**20) or []
    return {pixel: count for count, pixel in counts}.get(ImageColor.getrgb(colour), 0)


def test_the_calendar_of_statistics_has_a_cell_for_each_date() -> None:
    solved, lost = CalendarDay(6, solved=True), CalendarDay(0, solved=False)
    days = [MONDAY + timedelta(days=n) for n in range(4)]
    one, three, missed = (
        draw_stats(some_stats(calendar=calendar), Chart.CALENDAR)
        for calendar in (
            {days[0]: solved},
            dict.fromkeys(days[:3], solved),
            {days[0]: solved, days[1]: lost, days[2]: lost},
        )
    )
    # Beside the calendar, the key has one cell of either kind.
    brightest = "#e3f2fb"
    assert cells(three.png, brightest) == pytest.approx(2 * cells(one.png, brightest), rel=0.1)
    assert cells(missed.png, drawing.VERMILION) > 2 * cells(one.png, drawing.VERMILION)


def test_two_threads_may_draw_charts_at_once() -> None:
    stats = everything()
    with ThreadPoolExecutor(2) as pool:
        drawn = list(pool.map(draw_stats, [stats] * 3, [Chart.GUESSES] * 3))
    assert all(pictures == drawn[0] for pictures in drawn)


def luminance(colour: str) -> float:
    """As the Web Content Accessibility Guidelines define it."""
    parts = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (value / 255 for value in ImageColor.getrgb(colour))
    ]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


@pytest.mark.parametrize(
    ("colour", "least"),
    [
        (drawing.INK, 7),
        (drawing.FAINT, 7),
        (drawing.BLUE, 3),
        (drawing.ORANGE, 3),
        (drawing.VERMILION, 3),
    ],
)
def test_colours_of_charts_contrast_with_the_background(colour: str, least: float) -> None:
    ratio = (luminance(colour) + 0.05) / (luminance(drawing.GROUND) + 0.05)
    assert ratio >= least
