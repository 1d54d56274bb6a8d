"""The rows of a leaderboard in words: rank, name, how far it has moved, figures."""

from collections.abc import Sequence
from typing import Final

from bot.leaderboards.game.scores import (
    DuelFigures,
    Figures,
    FocdleFigures,
    MastermindFigures,
    StreakFigures,
)
from bot.leaderboards.model.keys import Period
from bot.leaderboards.model.page import Page, Row
from bot.ratings.model.ratings import FEWEST_DATES, FEWEST_OPPONENTS
from bot.text import counts
from bot.text.language import N_, ngettext, number, say
from bot.text.language import gettext as _
from bot.text.markup import small
from bot.text.names import player_name

# A phone has room for a rank, such a name and its marks.
_NAME: Final = 16
# And for so many of the smaller letters below it.
_MOST_LETTERS: Final = 36
_MOST_WITH_A_MEDAL: Final = 3
GAP: Final = " · "
"""Between two things that a line says."""
_TOGETHER: Final = "\u00a0"
_RESTORED: Final = "↺"
_NO_RANK: Final = "▫️"
#: Above those who are on the board of duels and have no rank yet.
_SETTLING: Final = N_("**Not ranked yet**")
_MEDALS: Final = {1: "🥇", 2: "🥈", 3: "🥉"}


def board_rows(page: Page, public_for: int | None) -> str:
    """The rows, two lines each; the viewer's own stands out, and is always there."""
    rows, own = list(page.rows), page.own
    is_elsewhere = own is not None and own not in rows
    shown = [*rows, own] if own is not None and is_elsewhere else rows
    lines: list[str] = []
    is_below = False
    for row in shown:
        lines += ["⋯"] if row not in rows else []
        if not row.rank and not is_below:
            lines.append(say(_SETTLING))
            is_below = True
        lines.append(_row(page, row, public_for))
    return "\n".join([*lines, *map(small, [*_waiting(page), *_legend(shown)])])


def _row(page: Page, row: Row, public_for: int | None) -> str:
    """A rank, a name, and how far the row has moved; below them the figures in words."""
    is_own = row == page.own
    restored = _RESTORED if _restored(row) else ""
    marks = [restored, _own_mark(public_for) if is_own else "", _movement(page, row)]
    marks = [mark for mark in marks if mark]
    name = player_name(row.name, row.player_id, _NAME)
    place = _medal(page, row) or (f"`{row.rank}`" if row.rank else _NO_RANK)
    # A phone that breaks the line after all keeps the marks with the name.
    first = " ".join([place, _TOGETHER.join([f"**{name}**" if is_own else name, *marks])])
    figures = list(_figures(row.figures, page.board.period))
    while len(GAP.join(figures)) > _MOST_LETTERS:
        figures.pop()
    return f"{first}\n{small(GAP.join(figures))}"


def _own_mark(public_for: int | None) -> str:
    """What marks the row of who asked: others read it, too, where it is public."""
    return "◂" if public_for is not None else "◂" + _TOGETHER + _("you")


def _movement(page: Page, row: Row) -> str:
    """How many ranks a row is above or below the one that its player had in the period before."""
    if not page.compares or not row.rank:
        return ""
    by = 0 if row.before is None else row.before - row.rank
    if not by:
        return ""
    return f"▲{number(by)}" if by > 0 else f"▼{number(-by)}"


def _medal(page: Page, row: Row) -> str:
    """The medal of a row: for points alone, if it has any, and where three share it at most."""
    figures = row.figures
    if not isinstance(figures, FocdleFigures) or not figures.points or page.number:
        return ""
    shared = sum(other.rank == row.rank for other in page.rows)
    return _MEDALS.get(row.rank, "") if 0 < shared <= _MOST_WITH_A_MEDAL else ""


def _waiting(page: Page) -> list[str]:
    """Who is not ranked yet, and what each of them misses."""
    if not page.waiting:
        return []
    words = _("{player} needs {missing} more")
    parts = [
        words.format(
            player=player_name(one.name, one.player_id, _NAME), missing=counts.games(one.missing)
        )
        for one in page.waiting
    ]
    return [_("Not ranked yet: {players}").format(players=GAP.join(parts))]


def _legend(rows: Sequence[Row]) -> list[str]:
    """What the mark of restored streaks means, if a row has it."""
    words = {
        1: _("{mark} restored"),
        2: _("{mark} since it was restored elsewhere"),
        3: _("{mark} restored, or since it was restored elsewhere"),
    }
    kinds = sum({_restored(row) for row in rows})
    return [words[kinds].format(mark=_RESTORED)] if kinds else []


def _restored(row: Row) -> int:
    return row.figures.restored if isinstance(row.figures, StreakFigures) else 0


def _figures(figures: Figures, period: Period) -> list[str]:
    """What a row is ranked by, the weightiest first, in words."""
    match figures:
        case FocdleFigures():
            solved = _("{n} solved").format(n=number(figures.solved))
            return [
                counts.points(figures.points),
                *([] if period is Period.DAY else [solved]),
                counts.guesses(figures.guesses),
            ]
        case StreakFigures():
            best = _("best {n}").format(n=number(figures.best))
            alone = counts.without_hints(figures.length - figures.assisted)
            return [counts.days(figures.length), *([alone] if figures.assisted else []), best]
        case MastermindFigures():
            mean = _("{mean} guesses a game").format(mean=number(figures.mean, 1))
            return [mean, counts.games(figures.games)]
        case DuelFigures(is_settling=True):
            return [str(figures.floor), _lacks(figures)]
        case DuelFigures():
            return [str(figures.rating), counts.rated_duels(figures.games)]


def _lacks(figures: DuelFigures) -> str:
    """What a rank takes next."""
    dates, opponents = FEWEST_DATES - figures.dates, FEWEST_OPPONENTS - figures.opponents
    if dates > 0:
        return ngettext("duel {n} more day", "duel {n} more days", dates).format(n=dates)
    if opponents > 0:
        return ngettext("duel {n} more member", "duel {n} more members", opponents).format(
            n=opponents
        )
    return _("duel some more")
