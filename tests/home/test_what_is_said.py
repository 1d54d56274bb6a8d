"""Whatever is said of a finished game agrees with what is stored: ends, lists, `/stats`, years."""

import asyncio
import re
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable
from itertools import count
from pathlib import Path
from typing import Any, Final

from hypothesis import HealthCheck, example, given
from hypothesis import strategies as st

from bot.duels.round_words import result, revealed
from bot.equations.game import OPEN_FOR
from bot.focdle.model import Play
from bot.focdle.words import board
from bot.games.model import Channel
from bot.home.lists import finished_line
from bot.home.words import card
from bot.leaderboards.boards import Board, BoardGame, FocdleFigures, MastermindFigures
from bot.mastermind.board_words import challenge_board, play_board, shared_board
from bot.statistics.words import stats_blocks
from bot.text.language import number
from bot.text.tiles import PLAIN
from engine import Focdle
from tests.support.clock import FakeClock
from tests.support.databases import NewDatabase
from tests.support.duels import ANN, BEN, SECRETS, wrong
from tests.support.effort import examples
from tests.support.masterminds import challenge
from tests.support.sql import named, sql
from tests.support.town import Town, open_town, wrong_guesses

HERE: Final = 100
_CHANNELS: Final = count(1)
_ARCHIVE: Final = "SELECT coalesce(min(number), 301) - 1 FROM puzzles WHERE number < 301"

guesses, hints = st.integers(1, 6), st.sampled_from([0, 0, 1, 2])
ends = st.one_of(
    st.tuples(
        st.sampled_from(["in time", "in time", "late", "archive", "practice"]), guesses, hints
    ),
    st.tuples(st.just("hard"), st.integers(1, 2), st.sampled_from(["in time", "archive"])),
    st.tuples(st.just("lost"), st.sampled_from(["in time", "late", "archive", "practice"])),
    st.tuples(st.just("given up"), st.booleans()),
    st.tuples(st.just("set"), st.integers(0, 7)),
    st.tuples(st.just("mastermind"), st.integers(1, 12), hints, st.booleans()),
    st.tuples(st.just("duel"), st.booleans(), st.integers(0, 3)),
    st.tuples(st.just("found"), st.integers(1, 3), st.booleans()),
    st.tuples(st.just("challenge"), st.integers(1, 3), st.booleans()),
    st.tuples(st.just("race"), st.integers(0, 6), st.integers(0, 6)),
    st.tuples(st.just("wait"), st.integers(1, 3)),
)


def plain(text: str) -> str:
    return text.replace("**", "").translate({0x2068: None, 0x2069: None})


def number_in(pattern: str, text: str) -> int | None:
    found = re.search(pattern, text)
    return None if found is None else int(found[1])


async def daily(
    town: Town, when: str, made: int, shown: int = 0, *, solved: bool = True
) -> Play | None:
    """Finish one of Ann's FoCdles; None if today's is over already."""
    services = town.services
    if when == "practice":
        play = await services.practice.open(ANN, HERE, 10)
    else:
        ((old,),) = sql(town.folder, _ARCHIVE)
        play = await town.open(ANN, HERE, str(old) if when == "archive" else None)
    if play.game.outcome is not None:
        return None
    if when == "late":
        town.clock.advance(days=1)
    return await town.finish(play, made, solved=solved, shown=0 if made == 1 else shown)


async def end_of_play(town: Town, how: str, *more: Any) -> None:
    match how, more:
        case "hard", (made, when):
            await town.services.preferences.set_hard_mode(ANN, on=True)
            play = await daily(town, when, made)
            await town.services.preferences.set_hard_mode(ANN, on=False)
        case "lost", (when,):
            play = await daily(town, when, 6, solved=False)
        case "given up", (begun,):
            play = await town.services.practice.open(ANN, HERE, 10)
            if begun:
                (guess,) = wrong_guesses(play.rules, play.game.secret, 0, 1)
                await town.services.daily.guess(ANN, play.id, guess, as_probe=True)
            play = await town.services.practice.give_up(ANN, play.id)
        case "set", (made,):
            play = await set_equation(town, made)
        case _:
            play = await daily(town, how, *more)
    if play is not None:
        check_play(town, play)
        check_play(town, await town.services.daily.view(ANN, play.id))


async def set_equation(town: Town, made: int) -> Play:
    """Ann plays an equation of Ben's, not to its end for 7 guesses, and never for 0."""
    place, equation = Channel(HERE, next(_CHANNELS)), next(_EQUATIONS)
    town.clock.advance(hours=1)  # he posts not too often
    post = await town.services.equations.set(BEN, place, equation)
    play = await town.services.equations.play(ANN, post.equation.puzzle_id, place)
    if 0 < made < 7:
        return await town.finish(play, made)
    for guess in wrong_guesses(play.rules, play.game.secret, 0, min(made, 2)):
        await town.services.daily.guess(ANN, play.id, guess, as_probe=True)
    town.clock.advance(seconds=OPEN_FOR.total_seconds())
    return await town.services.daily.view(ANN, play.id)


_EQUATIONS: Final = (f"{a}+{b}-1={a + b - 1}" for a in range(41, 59) for b in range(10, 41))


def check_play(town: Town, play: Play) -> None:
    """What the board of a play says of it, beside its rows and those of the plays before it."""
    solved = {
        row["id"]: row
        for row in named(
            town.folder,
            "SELECT plays.id, on_date, hard, plays.finished_at FROM plays"
            f" WHERE player_id = {ANN} AND outcome = 'solved'",
        )
    }
    read = f"SELECT count(*) FROM {{}} WHERE play_id = {play.id}"
    ((made,),), ((taken,),) = (
        sql(town.folder, read.format(table)) for table in ("guesses", "hints")
    )
    ((number, on_date),) = sql(
        town.folder,
        "SELECT number, on_date FROM plays JOIN puzzles ON puzzles.id = puzzle_id"
        f" WHERE plays.id = {play.id}",
    )
    shown = board(play)
    title, said = shown.title, plain(shown.status)
    own = solved.get(play.id)
    before = [row for row in solved.values() if own and row["id"] < play.id]
    once = 1 if "Solved on the first guess" in said else None
    assert (once or number_in(r"Solved in (\d) of 6", said)) == (made if own else None)
    points = max(7 - made - taken, 0) if own and on_date else 0
    assert (number_in(r"(?<!\d)(\d) points?(?! streak)", said) or 0) == points
    assert number_in(r"with (\d) hints?", title) == (taken or None)
    assert ("hard mode" in title) == play.rules.hard
    is_late = number is not None and not on_date
    assert (
        ("from the archive" in title)
        == ("You played late, so it doesn't count." in said)
        == is_late
    )
    first = own is not None and not any(row["on_date"] >= bool(on_date) for row in before)
    assert ("our first daily win" in said) == (first and bool(on_date))
    assert ("our first win" in said) == (first and not on_date)
    if "irst in hard mode" in said:
        assert play.rules.hard
        assert not any(row["hard"] for row in before)
    assert ("odds? 1 in" in said) == (made == 1 and own is not None and number is not None)
    ((streak,),) = sql(town.folder, "SELECT coalesce(max(length), 0) FROM streaks")
    told = number_in(r"Streak: (\d+) days?", said)
    assert told in ({streak or None, None} if on_date else {None})
    in_a_row = {"Seven days in a row": 7, "A month on fire": 30, "A hundred days": 100}
    for words, days in in_a_row.items():
        assert words not in said or (own and on_date and streak == days)
    if own is None:
        assert f"{play.game.secret} was the equation" in said.replace("`", "")


async def mastermind(town: Town, made: int, shown: int, solved: bool) -> None:
    board_of_all = Board(BoardGame.MASTERMIND, guild_id=HERE)

    async def total() -> int:
        page = await town.page(board_of_all, ANN)
        found = page.own_figures if page.own is None else page.own.figures  # none, or too few games
        return found.guesses if isinstance(found, MastermindFigures) else 0

    before = await total()
    await town.mastermind(ANN, made, solved=solved, shown=shown)
    ((game_id,),) = sql(town.folder, "SELECT max(id) FROM masterminds")
    game = await town.services.mastermind.solo.view(ANN, game_id)
    said = plain("\n".join(play_board(game, PLAIN).texts))
    shared = plain("\n".join(shared_board(game, PLAIN).texts))
    counted = await total() - before
    once = 1 if "on the first guess" in said else None
    assert (once or number_in(r"Solved in (\d+) of 12", said)) == (made if solved else None)
    for text in (said, shared):
        assert number_in(r"counts as (\d+)", text) == (counted if solved and shown else None)
        assert number_in(r"with (\d) hints?", text) == (shown or None)
    assert not solved or shown or counted == made


async def duel(town: Town, ann_wins: bool, rounds: int) -> None:
    winner, loser = (ANN, BEN) if ann_wins else (BEN, ANN)
    await town.duel(winner, loser, rounds)
    ((duel_id,),) = sql(town.folder, "SELECT max(id) FROM duels")
    notebook = await town.services.duels.games.notebook(ANN, duel_id)
    assert f"<@{winner}> wins: <@{loser}> resigned." in plain(result(notebook.view))


async def found(town: Town, rounds: int, is_drawn: bool) -> None:
    """Ann finds Ben's number in so many guesses; in a draw he finds hers."""
    duel_id = await town.begin_duel(ANN, BEN)
    playing = town.services.duels.playing
    view = (await town.services.duels.games.notebook(ANN, duel_id)).view
    while view.duel.ending is None:
        mover, other = view.seats[view.duel.to_move or 0], view.seats[1 - (view.duel.to_move or 0)]
        is_last = len(mover.turns) == rounds - 1 and (mover.player_id == ANN or is_drawn)
        text = SECRETS[other.player_id or 0] if is_last else wrong(len(mover.turns))
        view = await playing.guess(mover.player_id or 0, duel_id, text)
    words = "in {} guesses" if rounds > 1 else "on the very first guess"
    ends = f"🏆 <@{ANN}> wins", "🤝 A draw: both found it"
    said = plain(result(view)).replace(",", "")
    assert said.startswith(f"{ends[is_drawn]} {words.format(rounds)}")
    for player in (ANN, BEN):
        own = rf"<@{player}>'s (number )?was `{SECRETS[player]}`"
        assert re.search(own, plain(revealed(view)))


async def challenged(town: Town, made: int, is_broken: bool) -> None:
    """Ann breaks a code of Ben's with so many guesses, or resigns after them."""
    town.clock.advance(hours=1)
    challenges = town.services.mastermind.challenges
    game = await challenge(town.services, by=BEN, to=ANN)
    for code in ("RRRR", "OOOO", "PPPP")[: made - is_broken]:
        game = await challenges.guess(ANN, game.id, code)
    end = challenges.guess(ANN, game.id, "RGBY") if is_broken else challenges.resign(ANN, game.id)
    said = plain("\n".join(challenge_board(await end, PLAIN).texts))
    assert (number_in(r"code in (\d+) of 12", said) or 1) == (made if is_broken else 1)
    assert ("code on the first guess" in said) == (is_broken and made == 1)
    assert ("code held" in said) == (not is_broken)


async def race(town: Town, anns: int, bens: int) -> None:
    """A race in which both make so many guesses, the last of which is right; 0 for none."""
    races, place = town.services.races, Channel(HERE, next(_CHANNELS))
    town.clock.advance(hours=1)
    view = await races.open(ANN, place, Focdle())
    await races.join(BEN, view.race.id, place)
    await races.start(ANN, view.race.id, place)
    for player, made in ((ANN, anns), (BEN, bens)):
        wrong = wrong_guesses(Focdle(), view.race.secret, 0, made)
        for guess in [*wrong[1:], view.race.secret][: made or 0]:
            await races.guess(player, view.race.id, place, guess, as_probe=True)
    town.clock.advance(minutes=10)
    await races.look(view.race.id, place)


async def wait(town: Town, days: int) -> None:
    town.clock.advance(days=days)
    await town.settle()


DOINGS: Final[dict[str, Callable[..., Awaitable[None]]]] = {
    "mastermind": mastermind,
    "duel": duel,
    "found": found,
    "challenge": challenged,
    "race": race,
    "wait": wait,
}

_PLAYS: Final = (
    "SELECT plays.id, number, length, closes_at, hard, outcome, on_date,"
    " (SELECT count(*) FROM guesses WHERE play_id = plays.id) AS made,"
    " (SELECT count(*) FROM hints WHERE play_id = plays.id) AS hints"
    f" FROM plays JOIN puzzles ON puzzles.id = puzzle_id WHERE player_id = {ANN}"
    " AND finished_at IS NOT NULL"
)
_CODES: Final = (
    "SELECT ending, (SELECT count(*) FROM mastermind_turns WHERE game_id = masterminds.id) AS made,"
    " (SELECT count(*) FROM hints WHERE mastermind_id = masterminds.id) AS hints"
    f" FROM masterminds WHERE codebreaker_id = {ANN} AND finished_at IS NOT NULL"
)
_RACES: Final = (
    "SELECT place, (SELECT count(*) FROM race_guesses WHERE race_id = race_seats.race_id"
    " AND race_guesses.seat = race_seats.seat) AS made,"
    " (SELECT count(DISTINCT seat) FROM race_guesses WHERE race_id = race_seats.race_id) AS players"
    f" FROM race_seats WHERE player_id = {ANN}"
)


def points(row: dict[str, Any]) -> int:
    is_solved = row["outcome"] == "solved" and row["on_date"]
    return max(7 - row["made"] - row["hints"], 0) if is_solved else 0


async def check_statistics(town: Town) -> None:
    rows, codes = named(town.folder, _PLAYS), named(town.folder, _CODES)
    dailies = [row for row in rows if row["number"] is not None]
    stats = await town.services.statistics.of(ANN, viewer_id=ANN)
    said = plain("\n".join(stats_blocks(stats, own=True)))
    on_date = [row for row in dailies if row["on_date"]]
    assert (number_in(r"FoCdle: (\d+) point", said) or 0) == sum(map(points, on_date))
    kinds = {
        "": [row for row in on_date if not row["hints"] and not row["hard"]],
        "Hard mode": [row for row in on_date if not row["hints"] and row["hard"]],
        "With hints": [row for row in on_date if row["hints"]],
        "Archive": [row for row in dailies if not row["on_date"]],
    }
    for name, own in kinds.items():
        solved = [row["made"] for row in own if row["outcome"] == "solved"]
        line = f"{name}: {len(solved)} of {len(own)} solved"
        if not name:
            line = rf"points? · {len(solved)} of {len(own)} solved"
        if solved:
            line += f", {number(sum(solved) / len(solved), 1)} on average"
        assert bool(re.search(line, said)) == bool(own), (line, said)
    solved = [min(row["made"] + row["hints"], 13) for row in codes if row["ending"] == "solved"]
    if solved:
        mean = f"{number(sum(solved) / len(solved), 1)} on average · best {min(solved)}"
        assert f"{len(solved)} solved · {mean}" in said
    sets = [row for row in rows if row["closes_at"] is not None]
    raced = [row for row in named(town.folder, _RACES) if row["made"]]
    for own, wins in (
        (sets, sum(row["outcome"] == "solved" for row in sets)),
        (raced, sum(row["place"] == 1 for row in raced)),
    ):
        assert not own or f"{wins} of {len(own)} {'solved' if own is sets else 'won'}" in said
    ((won, drawn, lost),) = sql(
        town.folder,
        "SELECT count(*) FILTER (WHERE winner = seat), count(*) FILTER (WHERE winner IS NULL),"
        " count(*) FILTER (WHERE winner <> seat)"
        f" FROM duel_seats JOIN duels ON duels.id = duel_id WHERE player_id = {ANN}",
    )
    ended = [f"{n} {how}" for n, how in ((won, "won"), (drawn, "drawn"), (lost, "lost")) if n]
    assert " · ".join(ended) in said
    ((length, best),) = sql(
        town.folder, f"SELECT length, best FROM streaks WHERE player_id = {ANN}"
    ) or [(0, 0)]
    assert number_in(r"Streak: (\d+) day", said) == (length or None)
    assert number_in(r"treak.*best (\d+)", said) == (best or None)
    await check_boards(town, on_date)
    await check_year(town, on_date, codes)


async def check_boards(town: Town, on_date: list[dict[str, Any]]) -> None:
    own = (await town.page(Board(BoardGame.FOCDLE, guild_id=HERE), ANN)).own
    figures = FocdleFigures() if own is None else own.figures
    assert isinstance(figures, FocdleFigures)
    assert figures.points == sum(map(points, on_date))
    assert figures.solved == sum(row["outcome"] == "solved" for row in on_date)


async def check_year(
    town: Town, on_date: list[dict[str, Any]], codes: list[dict[str, Any]]
) -> None:
    year = await town.services.years.of(ANN, 2026)
    solved = [row for row in on_date if row["outcome"] == "solved"]
    assert (len(year.calendar), year.solved) == (len(on_date), len(solved))
    assert year.best == min((row["made"] for row in solved if not row["hints"]), default=None)
    broken = sum(row["ending"] == "solved" for row in codes)
    assert year.masterminds == (sum(row["made"] > 0 for row in codes), broken)


async def check_lists(town: Town) -> None:
    """Each finished game has its line, and all lines together say what all rows do."""
    first = await town.services.finished.page(ANN)
    games = list(first.games)
    for page in range(1, first.pages):
        games += (await town.services.finished.page(ANN, page)).games
    lines = Counter(
        re.sub(r" · <t:\d+:R>.*", "", line)
        for game in games
        for line in [finished_line(game, ANN).splitlines()[1].removeprefix("-# ")]
    )
    expected = Counter[str]()
    for row in named(town.folder, _PLAYS):
        words = "solved at once" if row["made"] == 1 else f"solved in {row['made']} of 6"
        unsolved = "given up" if row["made"] < 6 else "not solved"
        expected[words if row["outcome"] == "solved" else unsolved] += 1
    for row in named(town.folder, _CODES):
        words = "solved at once" if row["made"] == 1 else f"solved in {row['made']} of 12"
        ends = {"solved": words, "surrendered": "given up", "resigned": "you resigned"}
        expected[ends[row["ending"]]] += 1
    for row in named(town.folder, _RACES):
        words = f"place {row['place']} of {row['players']}"
        expected[words if row["place"] else "not solved"] += bool(row["made"])
    for ending, won, made in sql(
        town.folder,
        "SELECT ending, winner = seat, (SELECT count(*) FROM duel_moves"
        " WHERE duel_moves.duel_id = duels.id AND duel_moves.seat = duel_seats.seat)"
        " FROM duel_seats JOIN duels ON duels.id = duel_id"
        f" WHERE player_id = {ANN}",
    ):
        if ending == "resigned":
            expected["won: they resigned" if won else "lost: you resigned"] += 1
        elif ending == "both_solved":
            expected[f"drawn: both in {made}"] += 1
        else:
            expected["won at once" if made == 1 else f"won in {made} guesses"] += 1
    assert lines == +expected


async def check_card(town: Town) -> None:
    """The card of `/play`: today's puzzle, and what it did or can do to the streak."""
    agenda = await town.services.agendas.of(ANN, HERE)
    said = plain("\n".join(card(agenda)))
    today = f"{_PLAYS} AND number = {agenda.puzzle.number} AND length = {agenda.puzzle.length}"
    own = [row for row in named(town.folder, today) if row["outcome"] == "solved"]
    once = 1 if "On the first guess" in said else None
    made = once or number_in(r"In (\d) of 6", said)
    assert made == (own[0]["made"] if own else None)
    ((length,),) = sql(town.folder, "SELECT coalesce(max(length), 0) FROM streaks")
    assert number_in(r"(\d+) days? in a row", said) == (length or None)
    assert number_in(r"make it (\d+) today", said) in {None, length + 1}
    assert "make it" not in said or not named(town.folder, today)


async def live(folder: Path, url: str, doings: list[tuple[Any, ...]]) -> None:
    async with open_town(folder, url, FakeClock()) as town:
        sql(folder, "DELETE FROM pulses")  # as if the bot were there all the time
        for player in (ANN, BEN):
            await town.join(player, HERE)
        for what, *more in doings:
            if what in DOINGS:
                await DOINGS[what](town, *more)
            else:
                await end_of_play(town, what, *more)
            town.clock.advance(minutes=1)
        await town.settle()
        await check_statistics(town)
        await check_lists(town)
        await check_card(town)


@examples(1, 500, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(ends, min_size=3, max_size=14))
@example([("archive", 2, 0), ("in time", 3, 0), ("wait", 1), ("in time", 6, 2), ("lost", "late")])
@example([("practice", 1, 0), ("set", 1), ("in time", 1, 0), ("set", 7), ("given up", True)])
@example([("late", 3, 0), ("mastermind", 2, 2, True), ("mastermind", 12, 2, True)])
@example([("mastermind", 1, 0, False), ("race", 2, 3), ("race", 3, 0), ("duel", False, 2)])
@example([("hard", 2, "in time"), ("hard", 1, "archive"), ("race", 0, 1), ("duel", True, 0)])
@example([("found", 2, False), ("found", 1, True), ("challenge", 2, True), ("challenge", 1, False)])
@example([("mastermind", 1, 0, False)] * 4 + [("mastermind", 1, 1, True)])
@example([doing for _ in range(7) for doing in (("in time", 4, 0), ("wait", 1))])
def test_what_is_said_of_a_finished_game_agrees_with_what_is_stored(
    new_database: NewDatabase, doings: list[tuple[Any, ...]]
) -> None:
    with tempfile.TemporaryDirectory() as name:
        asyncio.run(live(Path(name), new_database(Path(name)), doings))
