"""Lists of finished games: every end in words, and no list too large for Discord."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from bot.duels.model import Ending as DuelEnding
from bot.duels.model import FinishedDuel, Result
from bot.feature import FinishedGame
from bot.features import FEATURES, IN_HELP, IN_PLAY
from bot.focdle.model import FinishedPlay
from bot.home.game import FinishedPage
from bot.home.lists import finished_line
from bot.mastermind.model import Ending, FinishedMastermind, Kind
from bot.races.model import FinishedRace
from cogs.home.games import finished_page, games_page
from engine import BullsAndCows, Focdle, Mastermind, Mode, Strength
from tests.support.ids import ids_on
from tests.support.plays import assert_fits, size

ANN, BEN = 7, 8
AT = datetime(2026, 11, 20, 12, tzinfo=UTC)
WHEN = f"<t:{int(AT.timestamp())}:R>"
ARCHIVED = ("archive", "hard mode", "2 hints")
ONE_PLAYER = (Ending.SOLVED, Ending.LOST, Ending.SURRENDERED, Ending.CLOSED)
OF_CHALLENGES = (Ending.SOLVED, Ending.LOST, Ending.RESIGNED, Ending.LAPSED)


def a_play(number: int | None = 324, guesses: int = 4, **changed: Any) -> FinishedPlay:
    fields: dict[str, Any] = {"is_solved": True, "on_date": number is not None, "hints": 0}
    fields |= {"rules": Focdle(10)} | changed
    return FinishedPlay(id=1, finished_at=AT, number=number, guesses=guesses, **fields)


def a_code(
    kind: Kind, ending: Ending, owner: int = ANN, breaker: int | None = None, **changed: Any
) -> FinishedMastermind:
    fields: dict[str, Any] = {"rules": Mastermind(), "sealed": False, "guesses": 5, "hints": 0}
    fields |= changed
    return FinishedMastermind(
        id=1,
        finished_at=AT,
        kind=kind,
        owner_id=owner,
        codebreaker_id=breaker,
        ending=ending,
        **fields,
    )


def a_duel(
    result: Result, ending: DuelEnding, opponent: int | None = BEN, guesses: int = 5
) -> FinishedDuel:
    return FinishedDuel(
        id=1,
        finished_at=AT,
        rules=BullsAndCows(),
        mode=Mode.EQUAL_TURNS,
        strength=Strength.SHARP if opponent is None else None,
        opponent_id=opponent,
        ending=ending,
        result=result,
        guesses=guesses,
    )


def a_race(place: int | None) -> FinishedRace:
    return FinishedRace(1, AT, BullsAndCows(max_guesses=12), place, players=3, guesses=5)


@pytest.mark.parametrize(
    ("game", "title", "details"),
    [
        (
            a_play(),
            "✅ **FoCdle #324, Nov 20, 2026**",
            f"-# solved in 4 of 6 · {WHEN} · 10 symbols",
        ),
        (
            a_play(300, 1, on_date=False, rules=Focdle(9, hard=True), hints=2),
            "✅ **FoCdle #300, Oct 27, 2026**",
            " · ".join(("-# solved at once", WHEN, "9 symbols", *ARCHIVED)),
        ),
        (
            a_play(None, 6, is_solved=False, hints=1),
            "❌ **FoCdle practice**",
            f"-# not solved · {WHEN} · 10 symbols · 1 hint",
        ),
        (
            a_code(Kind.PLAY, Ending.SOLVED, breaker=ANN, hints=1),
            "✅ **Mastermind**",
            f"-# solved in 5 of 12 · {WHEN} · 4 pegs · 6 colours · with repeats · 1 hint",
        ),
        (
            a_code(Kind.DEFEND, Ending.SOLVED),
            "🤖 **Mastermind: the bot breaks your code**",
            f"-# I broke it in 5 of 12 · {WHEN} · 4 pegs · 6 colours · with repeats",
        ),
        (
            a_code(Kind.CHALLENGE, Ending.SOLVED, breaker=BEN, guesses=1),
            "❌ **Mastermind: your challenge to <@8>**",
            f"-# broken at once · {WHEN} · 4 pegs · 6 colours · with repeats",
        ),
        (
            a_duel(Result.WON, DuelEnding.SOLVED),
            "🏆 **Duel with <@8>**",
            f"-# won in 5 guesses · {WHEN} · 4 digits, all different",
        ),
        (
            a_duel(Result.LOST, DuelEnding.SOLVED, None, 1),
            "❌ **Duel with me**",
            f"-# lost to a first guess · {WHEN} · 4 digits, all different · sharp bot",
        ),
        (
            a_race(2),
            "✅ **Race: Bulls and Cows**",
            f"-# place 2 of 3 · {WHEN} · 5 guesses · 4 digits, all different",
        ),
    ],
    ids=["daily", "archive", "practice", "solo", "defence", "challenge", "won", "lost", "race"],
)
def test_a_line_of_a_list_shows_the_game_its_result_and_its_time(
    game: FinishedGame, title: str, details: str
) -> None:
    assert finished_line(game, ANN) == f"{title}\n{details}"


def every_end() -> Sequence[FinishedGame]:
    """All ends that games can have, each as Ann may meet it."""
    solo = [a_code(Kind.PLAY, ending, breaker=ANN) for ending in ONE_PLAYER]
    alone = [a_code(Kind.DEFEND, ending) for ending in ONE_PLAYER]
    alone.append(a_code(Kind.DEFEND, Ending.AT_STAKE))
    sealed = [a_code(Kind.DEFEND, ending, sealed=True) for ending in ONE_PLAYER]
    made = [a_code(Kind.CHALLENGE, ending, ANN, BEN) for ending in OF_CHALLENGES]
    broken = [a_code(Kind.CHALLENGE, ending, BEN, ANN) for ending in OF_CHALLENGES]
    decided = [
        a_duel(result, ending)
        for result in (Result.WON, Result.LOST)
        for ending in (DuelEnding.SOLVED, DuelEnding.RESIGNED, DuelEnding.TIMED_OUT)
    ]
    draws = (
        DuelEnding.BOTH_SOLVED,
        DuelEnding.OUT_OF_GUESSES,
        DuelEnding.TIMED_OUT,
        DuelEnding.DRAW_ACCEPTED,
    )
    drawn = [a_duel(Result.DRAWN, ending) for ending in draws]
    focdles = [a_play(), a_play(is_solved=False)]
    races = [a_race(place) for place in (1, 2, None)]
    return [*races, *focdles, *solo, *alone, *sealed, *made, *broken, *decided, *drawn]


def test_every_ending_has_its_own_words_in_lists() -> None:
    lines = [finished_line(game, ANN) for game in every_end()]
    assert len(set(lines)) == len(lines)
    assert not any("{" in line for line in lines)


@pytest.mark.parametrize(
    ("game", "sign"),
    [
        (a_code(Kind.PLAY, Ending.SURRENDERED, breaker=ANN), "❌"),
        (a_code(Kind.PLAY, Ending.CLOSED, breaker=ANN), "▫️"),
        (a_code(Kind.DEFEND, Ending.LOST), "✅"),
        (a_code(Kind.DEFEND, Ending.SURRENDERED), "▫️"),
        (a_code(Kind.DEFEND, Ending.AT_STAKE), "▫️"),
        (a_code(Kind.DEFEND, Ending.SOLVED), "🤖"),
        (a_code(Kind.CHALLENGE, Ending.LOST, ANN, BEN), "✅"),
        (a_code(Kind.CHALLENGE, Ending.LOST, BEN, ANN), "❌"),
        (a_code(Kind.CHALLENGE, Ending.SOLVED, BEN, ANN), "✅"),
        (a_duel(Result.DRAWN, DuelEnding.BOTH_SOLVED), "🤝"),
        (a_race(1), "🏆"),
        (a_race(None), "❌"),
    ],
    ids=[
        *("given up", "left alone", "held", "ended", "at stake", "broken by the bot"),
        *("own code held", "not broken", "broken", "draw", "first", "not found"),
    ],
)
def test_a_line_of_a_list_begins_with_the_result_from_the_readers_side(
    game: FinishedGame, sign: str
) -> None:
    assert finished_line(game, ANN).split()[0] == sign


def largest() -> FinishedMastermind:
    rules = Mastermind(pegs=6, colours=10, repeats=True, max_guesses=13)
    ending = Ending.LAPSED
    return a_code(Kind.CHALLENGE, ending, 2**63, 2**63 + 1, rules=rules, guesses=13, hints=13)


def test_the_largest_list_of_games_is_within_discords_limits() -> None:
    game = largest()
    page = finished_page(FinishedPage(2**63, 4, 999, (game,) * 10))
    assert_fits(page)
    assert len(ids_on(page)) == 13


def test_a_list_without_games_has_few_components() -> None:
    for page, most in ((finished_page(FinishedPage(ANN, 0, 1, ())), 6), (games_page([], ANN), 15)):
        assert size(page.to_components())[1] <= most


def test_each_order_has_every_game_once() -> None:
    for order in (IN_PLAY, IN_HELP):
        assert len(order) == len(FEATURES)
        assert all(feature in order for feature in FEATURES)
