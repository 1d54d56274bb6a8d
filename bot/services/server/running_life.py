"""The life of a running message: what is to be done next, and when to look for it."""

from dataclasses import replace
from datetime import datetime, timedelta
from enum import Enum
from typing import Final

from bot.model.running import RunningMessage
from bot.services.base.send_once import LEASE, NONCE_LASTS

BETWEEN_EDITS: Final = timedelta(seconds=5)
"""How far apart edits in a channel are: changes in between are collected."""

RENEWED_AFTER: Final = timedelta(hours=2)
"""A message that is older is posted anew with the next share, where people look."""

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
    """Delete an outdated copy, or a message that nobody is in any more."""


def entered(message: RunningMessage, now: datetime) -> RunningMessage:
    """A message into which somebody has come; an old one is to be posted anew."""
    message = replace(message, version=message.version + 1, is_wanted=True)
    if message.message_id is None or message.posted_at is None or message.outdated_id is not None:
        return rested(message, now)
    if now >= message.posted_at + RENEWED_AFTER:
        message = replace(message, outdated_id=message.message_id, message_id=None)
    return rested(message, now)


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


def next_step(message: RunningMessage, now: datetime, *, is_empty: bool) -> Step | None:
    """What is to be done about a message that nobody is at; None for nothing.

    Args:
        message: the message.
        now: the present instant.
        is_empty: whether nobody is in it.
    """
    if message.message_id is None:
        claimed_at = message.claimed_at
        if not message.is_wanted or (is_empty and claimed_at is None):
            return None
        is_remembered = claimed_at is None or now <= claimed_at + NONCE_LASTS
        return Step.POST if is_remembered and not is_empty else Step.LOOK
    if is_empty:
        return Step.DELETE
    if message.shown < message.version:
        return Step.EDIT
    return Step.DELETE if message.outdated_id is not None else None


def rested(message: RunningMessage, now: datetime) -> RunningMessage:
    """A message that is looked at when there is something to do next."""
    return replace(message, look_at=_next_look(message, now))


def _next_look(message: RunningMessage, now: datetime) -> datetime:
    if message.tried_at is not None:
        return message.tried_at + LEASE
    soon = now if message.drawn_at is None else max(now, message.drawn_at + BETWEEN_EDITS)
    if message.message_id is None:
        if message.is_wanted:
            return soon
    elif message.shown < message.version:
        return soon
    elif message.outdated_id is not None:
        return now
    return message.closes_at if message.closed_at is None else message.closed_at + KEPT
