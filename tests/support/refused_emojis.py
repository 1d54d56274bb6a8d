"""Discord refuses messages whose buttons have emojis that are gone."""

from simcord import Env

_INVALID_FORM = 50035


def refuse_emojis(env: Env, method: str = "POST", path: str = "/interactions/*/*/callback") -> None:
    """Let Discord refuse the next message of a kind."""
    message = "Invalid Form Body\nIn components.0.components.2.emoji.id: Invalid emoji"
    env.inject_error(method, path, status=400, code=_INVALID_FORM, message=message)
