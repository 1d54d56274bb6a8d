"""Findings: what a cheat has in the server at the end, beside what honest members have there."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from benchmarks.cheating.month import HOME, Month, Person
from bot.presentation.help import exact_rules
from bot.services.standings.keys import Board, BoardGame
from bot.services.standings.model import Page
from bot.services.standings.scores import (
    DuelFigures,
    Figures,
    FocdleFigures,
    MastermindFigures,
    StreakFigures,
)


class Verdict(Enum):
    NOTHING = "gets nothing"
    SOMETHING = "GETS SOMETHING"
    SAID = "possible, and said"
    UNSAID = "possible, NOT SAID"
    HONEST = "honest"

    @property
    def is_as_promised(self) -> bool:
        return self in {Verdict.NOTHING, Verdict.SAID, Verdict.HONEST}


@dataclass(frozen=True, slots=True)
class Finding:
    """What was done, what it came to, what honest members have of that, and the rules' words."""

    trick: str
    gain: str
    honest: str
    verdict: Verdict
    said: str = ""


def forbidden(trick: str, gain: str, honest: str, *, gets: bool) -> Finding:
    """What must get nothing."""
    return Finding(trick, gain, honest, Verdict.SOMETHING if gets else Verdict.NOTHING)


def possible(trick: str, gain: str, honest: str, said: str) -> Finding:
    """What nobody can prevent, so that the rules have to say it, in these words."""
    verdict = Verdict.SAID if said in exact_rules() else Verdict.UNSAID
    return Finding(trick, gain, honest, verdict, said)


def innocent(who: str, gain: str) -> Finding:
    """What honest players have whom a rule against cheats could hit."""
    return Finding(who, gain, "", Verdict.HONEST)


async def standing(
    month: Month, game: BoardGame, person: Person, guild_id: int | None = HOME
) -> Page:
    """A leaderboard of all time, of a server or everywhere, with what somebody has there."""
    board = Board.of(game, guild_id=guild_id)
    # Of all periods a streak has one.
    return await month.services.standings.boards.page(board, person.id)


async def is_ranked(month: Month, person: Person, guild_id: int | None = HOME) -> bool:
    own = (await standing(month, BoardGame.DUELS, person, guild_id)).own
    return own is not None and own.rank > 0


async def placed(month: Month, game: BoardGame, person: Person, guild_id: int | None = HOME) -> str:
    """What somebody has on a leaderboard, and their rank there, if any."""
    page = await standing(month, game, person, guild_id)
    figures = page.own.figures if page.own else page.own_figures
    if figures is None:
        return "no rank"
    rank = f"rank {page.own.rank}" if page.own and page.own.rank else "no rank"
    return f"{_said(figures)}, {rank}"


async def honest(
    month: Month, game: BoardGame, people: Sequence[Person], guild_id: int | None = HOME
) -> str:
    """What honest members have on a leaderboard: the best of them, and the median one."""
    pages = [await standing(month, game, person, guild_id) for person in people]
    found = [page.own.figures for page in pages if page.own and page.own.rank]
    if not found:
        return "nobody ranked"
    best_first = sorted(found, key=lambda figures: figures.sort_key or 0)
    return f"best {_said(best_first[0])}, median {_said(best_first[len(found) // 2])}"


def _said(figures: Figures) -> str:
    match figures:
        case FocdleFigures():
            return f"{figures.points} points"
        case StreakFigures():
            return f"{figures.length} days"
        case MastermindFigures():
            return f"{figures.mean:.2f} guesses"
        case DuelFigures():
            return f"{figures.rating} after {figures.games}"
