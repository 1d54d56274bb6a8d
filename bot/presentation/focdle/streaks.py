"""Streaks in words: what they are, and what every date did to them."""

from itertools import takewhile
from typing import Final

from bot.model.streaks import SOLVES, Change, Reason, Streak
from bot.presentation.base import counts
from bot.presentation.base.language import N_, short_date
from bot.presentation.base.language import gettext as _
from bot.presentation.base.markup import code, mention
from bot.services.focdle.model import Play
from bot.services.focdle.restoring import LONGEST_REASON
from engine import Outcome

# More would bury the board; they are all kept.
_MOST_CHANGES: Final = 3


def streak_lines(play: Play) -> list[str]:
    """The streak under a finished daily, and what changed it since the date before."""
    streak = play.streak
    if streak is None or play.puzzle is None or not play.on_date:
        return []
    lines = [_summary(streak), *(change_line(change) for change in _news(streak))]
    if play.game.outcome is not Outcome.SOLVED and play.is_today:
        lines += _warning(play, streak)
    return lines


def _summary(streak: Streak) -> str:
    length = _("No streak at the moment")
    if streak.length:
        length = _("🔥 Streak: **{days}**").format(days=counts.days(streak.length))
    parts = [length]
    if streak.best > streak.length:
        parts.append(_("best {best}").format(best=streak.best))
    if streak.freezes:
        parts.append(f"❄️ {counts.freezes(streak.freezes)}")
    if streak.is_restored:
        parts.append(f"↺ {_('restored')}")
    return " · ".join(parts)


def _news(streak: Streak) -> list[Change]:
    """The last changes: the newest, and those before it back to the solve before."""
    if not streak.changes:
        return []
    *earlier, newest = streak.changes
    missed = takewhile(lambda c: c.reason not in SOLVES, reversed(earlier))
    return [*reversed(list(missed)), newest][-_MOST_CHANGES:]


def change_line(change: Change) -> str:
    """What one date did, and why."""
    if change.restored is not None:
        return _(
            "{day}: the streak was restored by {player}: {reason} Other servers' boards count it "
            "from then on."
        ).format(
            day=short_date(change.day),
            player=mention(change.restored.by),
            reason=code(change.restored.reason, longest=LONGEST_REASON),
        )
    return _(_REASONS[change.reason]).format(
        day=short_date(change.day),
        before=change.before,
        after=change.after,
        freezes=change.freezes,
    )


def _warning(play: Play, streak: Streak) -> list[str]:
    if not streak.length or play.puzzle is None:
        return []
    if any(change.day == play.puzzle.day for change in streak.changes):  # at another length
        return []
    if streak.freezes:
        return [_("Today is not solved. When it ends, a freeze keeps your streak.")]
    return [_("Today is not solved. Your streak ends with it, unless you solve another length.")]


_REASONS: Final = {
    Reason.SOLVED: N_("{day}: solved, {before} → {after}."),
    Reason.SOLVED_EARNED: N_(
        "{day}: solved, {before} → {after}. Every seventh day earns a freeze; {freezes} held."
    ),
    Reason.FROZEN_UNPLAYED: N_("{day}: not played. A freeze kept the streak at {after}."),
    Reason.FROZEN_UNFINISHED: N_("{day}: not finished. A freeze kept the streak at {after}."),
    Reason.FROZEN_LOST: N_("{day}: not solved. A freeze kept the streak at {after}."),
    Reason.ENDED_UNPLAYED: N_("{day}: not played, and no freeze: the streak of {before} ended."),
    Reason.ENDED_UNFINISHED: N_(
        "{day}: not finished, and no freeze: the streak of {before} ended."
    ),
    Reason.ENDED_LOST: N_("{day}: not solved, and no freeze: the streak of {before} ended."),
    Reason.KEPT_ASSISTED: N_(
        "{day}: solved with hints. That keeps the streak at {after}, but does not lengthen it."
    ),
    Reason.BEGUN_ASSISTED: N_(
        "{day}: solved with hints. That begins a streak of 1, but brings no freeze closer."
    ),
    Reason.EXCUSED_OUTAGE: N_("{day}: the bot was down. The date is left out of the streak."),
    Reason.EXCUSED_ZONE: N_(
        "{day}: skipped by a change of time zone. The date is left out of the streak."
    ),
    Reason.RESTORED: N_("{day}: left out of the streak, which a server's manager has restored."),
}
