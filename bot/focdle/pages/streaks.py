"""Streaks in words: what they are, and what every date did to them."""

from typing import Final

from bot.focdle.model.feats import Aim, Fate, Goal, News
from bot.streaks.model.streaks import Change, Reason, Streak
from bot.text import counts
from bot.text.language import N_, ngettext, number, short_date
from bot.text.language import gettext as _
from bot.text.markup import code, mention

_LONGEST_REASON: Final = 200


def summary(streak: Streak) -> str:
    """The streak that is held, and its freezes; empty where none is."""
    if not streak.length:
        return ""
    parts = [_("🔥 Streak: **{days}**").format(days=counts.days(streak.length))]
    if streak.assisted:
        parts.append(counts.without_hints(streak.length - streak.assisted))
    if streak.freezes:
        parts.append(f"❄️ {counts.freezes(streak.freezes)}")
    if streak.is_restored:
        parts.append(f"↺ {_('restored')}")
    return " · ".join(parts)


def news_line(news: News) -> str:
    """What a player must know of their streak now, in one sentence."""
    days = counts.days(news.length)
    sentences = {
        Fate.ENDED: _("Your streak of {days} ended on {day}."),
        Fate.SAVED: ngettext(
            "A freeze kept your streak alive.",
            "{freezes} freezes kept your streak alive.",
            news.freezes,
        ),
        Fate.RESTORED: _("Your streak was restored."),
        Fate.KEPT: _("Solved with hints: your streak stays at {days}."),
        Fate.BEGUN: _("Solved with hints: a streak begins."),
        Fate.SAFE: _("A freeze keeps your streak of {days}."),
        Fate.AT_RISK: _("Your streak of {days} ends today, unless you solve another length."),
        Fate.NONE: _("A streak can begin tomorrow."),
    }
    return sentences[news.fate].format(
        days=days, day=short_date(news.day), freezes=number(news.freezes)
    )


def goal_line(goal: Goal) -> str:
    """What the streak comes to soon."""
    words = {
        Aim.FREEZE: ngettext(
            "1 more day without hints to a freeze",
            "{days} more days without hints to a freeze",
            goal.days,
        ),
        Aim.RECORD: ngettext("1 more day to a record", "{days} more days to a record", goal.days),
        Aim.MILESTONE: ngettext(
            "1 more day to a streak of {length}",
            "{days} more days to a streak of {length}",
            goal.days,
        ),
    }
    return words[goal.aim].format(days=number(goal.days), length=number(goal.length))


def change_line(change: Change) -> str:
    """What one date did, and why."""
    if change.restored is not None:
        return _(
            "{day}: the streak was restored by {player}: {reason} Other servers' boards count it "
            "from then on."
        ).format(
            day=short_date(change.day),
            player=mention(change.restored.by),
            reason=code(change.restored.reason, longest=_LONGEST_REASON),
        )
    return _(_REASONS[change.reason]).format(
        day=short_date(change.day),
        before=change.before,
        after=change.after,
    )


_REASONS: Final = {
    Reason.SOLVED: N_("{day}: solved, {before} → {after}"),
    Reason.SOLVED_EARNED: N_("{day}: solved, {before} → {after}, and a freeze earned"),
    Reason.FROZEN_UNPLAYED: N_("{day}: not played; a freeze kept it at {after}"),
    Reason.FROZEN_UNFINISHED: N_("{day}: not finished; a freeze kept it at {after}"),
    Reason.FROZEN_LOST: N_("{day}: not solved; a freeze kept it at {after}"),
    Reason.ENDED_UNPLAYED: N_("{day}: not played; the streak of {before} ended"),
    Reason.ENDED_UNFINISHED: N_("{day}: not finished; the streak of {before} ended"),
    Reason.ENDED_LOST: N_("{day}: not solved; the streak of {before} ended"),
    Reason.SOLVED_ASSISTED: N_("{day}: solved with hints, {before} → {after}"),
    Reason.KEPT_ASSISTED: N_("{day}: solved with hints; it stays {after}"),
    Reason.BEGUN_ASSISTED: N_("{day}: solved with hints; a streak begins"),
    Reason.EXCUSED_OUTAGE: N_("{day}: left out; the bot was down"),
    Reason.EXCUSED_ZONE: N_("{day}: left out; the time zone changed"),
    Reason.RESTORED: N_("{day}: left out; the streak was restored"),
}
