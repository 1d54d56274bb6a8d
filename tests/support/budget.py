"""The budget: how much a screen in play and a page may say and offer."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from tests.support.messages import words

_IN_PLAY: Final = re.compile(
    r"(?:fd:(?:guess|edit|share)|bc:[dw]|eq:(?:play|more)|hint):"
    r"|mm:(?:[pcd]:(?:put|type|accept|again|blacks|whites|fix)|s:step):"
    r"|du:(?:guess|accept|secret|rematch):|ra:(?:join|play|put|type|again):|coach:find:"
)
_PRIVACY: Final = re.compile(r"priv:|set:")  # what is deleted is told whole
# Mastermind's colours and answers to the bot's guesses, and to proposals, are in rows of their own.
_KEYS: Final = re.compile(r":(?:put|blacks|whites|fix|accept|decline|agree|refuse):|bc:[dw]:")
_UNCOUNTED: Final = re.compile(r"`[^`]*`|<[^>]*>|\*\*\d[^*]*\*\*")
_SCREEN, _PAGE = 40, 120
_FACE: Final = 4
_ORDER: Final = (("Guess", "Edit"), ("Hint", "How to play"), ("More",))
_BUTTON, _LISTS = 2, {3, 5, 6, 7, 8}


def excess(parts: Sequence[dict[str, Any]], *, more: bool = False) -> Iterator[str]:
    """What of a message is too much, or out of order; `more` after *More* was pressed."""
    ids = [part["custom_id"] for part in parts if "custom_id" in part]
    text = "\n".join(part["content"] for part in parts if part.get("content"))
    # Words without names, numbers, times and what stands in code style.
    count = words(_UNCOUNTED.sub("", text))
    if not any(map(_IN_PLAY.match, ids)):
        if count > _PAGE and not any(map(_PRIVACY.match, ids)):
            yield f"{count} words of {_PAGE}"
        return
    if count > _SCREEN:
        yield f"{count} words of {_SCREEN}"
    face = _face(parts)
    if len(face) > _FACE and not more:
        yield f"more than {_FACE} buttons: {face}"
    if sum(part["type"] in _LISTS for part in parts) > 1:
        yield "more than a list"
    places = [face.index(label) for way in _ORDER for label in way if label in face]
    if places != sorted(places) or "More" in face[:-1]:
        yield f"out of order: {face}"


def _face(parts: Sequence[dict[str, Any]]) -> list[str]:
    """The labels of its buttons, but for keys and links."""
    return [
        part["label"]
        for part in parts
        if part["type"] == _BUTTON and not _KEYS.search(part.get("custom_id", ":put:"))
    ]
