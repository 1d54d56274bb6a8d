"""The life of a running message: what is to be done next, and when to look for it."""

from dataclasses import replace
from datetime import datetime, timedelta
from enum import Enum
from typing import Final

from bot.games.game.send_once import LEASE, NONCE_LASTS
from bot.posts.model.running import RunningMessage

BETWEEN_EDITS: Final = timedelta(seconds=5)
"""How far apart edits in a channel are: changes in between are collected."""

KEPT: Final = timedelta(days=7)
"""How long after it has closed a message can lose who hides, deletes their data or goes."""


class Step(Enum):
    """What is to be done at Discord."""

    POST = "post"
    """Send the message, with its nonce."""
    LOOK = "look"
    """Look whether it is there already."""
    EDIT = "edit"
    """Let the message show what it is to show."""
    DELETE = "delete"
    """Delete a message that nobody is in any more."""


def changed(message: RunningMessage, now: datetime) -> RunningMessage:
    """A message that is to be drawn anew."""
    return rested(replace(message, version=message.version + 1), now)


def closed(message: RunningMessage, now: datetime) -> RunningMessage:
    """A message whose date has ended: it is drawn as such."""
    return replace(message, closed_at=now, version=message.version + 1)


def begun(message: RunningMessage, step: Step, now: datetime) -> RunningMessage:
    """A message at which somebody is from now on."""
    if step is Step.POST:
        message = replace(message, claimed_at=message.claimed_at or now)
    if step in {Step.POST, Step.EDIT}:
        message = replace(message, drawn_at=now)
    return rested(replace(message, tried_at=now), now)


def is_over(message: RunningMessage, now: datetime, *, is_empty: bool) -> bool:
    """Whether a message can be forgotten: nothing of it is at Discord, or it has long closed."""
    if message.deleted_at is not None:
        return message.closed_at is not None
    if message.closed_at is not None and now >= message.closed_at + KEPT:
        return True
    return is_empty and message.message_id is None and message.claimed_at is None


def next_step(message: RunningMessage, now: datetime, *, is_empty: bool) -> Step | None:
    """What is to be done about a message that nobody is at and that is not over; None for nothing.

    Args:
        message: the message.
        now: the present instant.
        is_empty: whether nobody is in it.
    """
    if message.deleted_at is not None:
        return None
    if message.message_id is None:
        claimed_at = message.claimed_at
        is_remembered = claimed_at is None or now <= claimed_at + NONCE_LASTS
        return Step.POST if is_remembered and not is_empty else Step.LOOK
    if is_empty:
        return Step.DELETE
    return Step.EDIT if message.shown < message.version else None


def rested(message: RunningMessage, now: datetime) -> RunningMessage:
    """A message that is looked at when there is something to do next."""
    return replace(message, look_at=_next_look(message, now))


def _next_look(message: RunningMessage, now: datetime) -> datetime:
    if message.tried_at is not None:
        return message.tried_at + LEASE
    if message.deleted_at is None:
        if message.message_id is None:
            return now
        if message.shown < message.version:
            return now if message.drawn_at is None else max(now, message.drawn_at + BETWEEN_EDITS)
    return message.closes_at if message.closed_at is None else message.closed_at + KEPT
