"""Launches of an Activity by a click, which SimCord does not answer."""

from typing import Any, Final

import pytest
from simcord.backend.errors import BackendError
from simcord.http import router
from simcord.http.router import RequestContext

LAUNCH: Final = 12
"""The kind of answer."""
_CALLBACK: Final = ["interactions", "{interaction_id}", "{token}", "callback"]


def let_launch(monkeypatch: pytest.MonkeyPatch, refused: int = 0) -> list[str]:
    """Launch an Activity whenever the bot asks for it, or refuse with Discord's code for that.

    Returns:
        the ids of what was launched.
    """
    launched: list[str] = []
    routes = router._ROUTES["POST"]  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    (others,) = [handler for template, handler in routes if template == _CALLBACK]

    def answer(ctx: RequestContext) -> Any:
        if ctx.body()["type"] != LAUNCH:
            return others(ctx)
        if refused:
            raise BackendError(400, refused, "no")
        record = ctx.backend.interactions[ctx.int_arg("interaction_id")]
        record.pong()
        launched.append(f"i-{record.id}-gc-{record.channel_id}")
        about = {"id": str(record.id), "type": record.type, "activity_instance_id": launched[-1]}
        return {"interaction": about, "resource": {"type": LAUNCH}}

    ours = [(path, answer if path == _CALLBACK else handler) for path, handler in routes]
    monkeypatch.setitem(router._ROUTES, "POST", ours)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    return launched
