"""What is drawn and computed beside the bot is called by its name, which leads to what is meant."""

from collections.abc import Callable
from inspect import unwrap
from typing import Final, ParamSpec, TypeVar

from bot.coach.analysis import examine, hundredths, weigh_guesses
from bot.coach.difficulties import HUNDREDTHS
from bot.coach.game import WEIGH
from bot.coach.reviews import EXAMINE
from bot.duels.board_words import DRAW_FINAL
from bot.duels.defending import HUNT, HUNT_BLINDLY
from bot.duels.final_picture import draw_final
from bot.duels.moves import DEDUCTIONS, IS_OPTIMAL, NEXT_GUESS
from bot.duels.solving import deductions, hunt, hunt_blindly, is_optimal, next_guess
from bot.mastermind.defending import COUNT, EXPLAIN, PLAY_ON, THINK
from bot.mastermind.solving import count, explain, play_on, think
from bot.pool.worker import Named
from bot.statistics.pictures import draw_stats, draw_year
from bot.statistics.words import DRAW_STATS, DRAW_YEAR

P = ParamSpec("P")
T = TypeVar("T")


def is_named(name: Named[P, T], function: Callable[P, T]) -> bool:
    """Whether a name leads to a function; type checkers find it if they are of different types."""
    return unwrap(name.found()) is function  # what the coach finds is remembered in tests


FOUND: Final = {
    DRAW_FINAL: is_named(DRAW_FINAL, draw_final),
    DRAW_STATS: is_named(DRAW_STATS, draw_stats),
    DRAW_YEAR: is_named(DRAW_YEAR, draw_year),
    EXAMINE: is_named(EXAMINE, examine),
    HUNDREDTHS: is_named(HUNDREDTHS, hundredths),
    HUNT: is_named(HUNT, hunt),
    HUNT_BLINDLY: is_named(HUNT_BLINDLY, hunt_blindly),
    IS_OPTIMAL: is_named(IS_OPTIMAL, is_optimal),
    NEXT_GUESS: is_named(NEXT_GUESS, next_guess),
    DEDUCTIONS: is_named(DEDUCTIONS, deductions),
    COUNT: is_named(COUNT, count),
    EXPLAIN: is_named(EXPLAIN, explain),
    PLAY_ON: is_named(PLAY_ON, play_on),
    THINK: is_named(THINK, think),
    WEIGH: is_named(WEIGH, weigh_guesses),
}


def test_names_of_functions_for_workers_lead_to_those_functions() -> None:
    assert [name for name, is_found in FOUND.items() if not is_found] == []
