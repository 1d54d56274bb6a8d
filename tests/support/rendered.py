"""What is sent to Discord, in few and readable lines."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, cast

_STILL: Final[Mapping[str, Any]] = {
    "tts": False,
    "attachments": [],
    "allowed_mentions": {"parse": []},
    "flags": 1 << 15,
}
_USUAL: Final[Mapping[str, Any]] = {
    "disabled": False,
    "divider": False,
    "max_values": 1,
    "min_values": 1,
    "required": True,
    "spacing": 1,
    "spoiler": False,
    "style": 2,
}
_EPHEMERAL: Final = 1 << 6
_TEXT, _BUTTON, _ROW = 10, 2, 1
_KINDS: Final = {
    _ROW: "row",
    3: "list",
    4: "field",
    5: "list of users",
    6: "list of roles",
    8: "list of channels",
    9: "beside",
    11: "thumbnail",
    12: "pictures",
    13: "file",
    14: "space",
    17: "frame",
    18: "label",
    21: "choice",
    22: "choices",
    23: "tick",
}
_ANSWERS: Final = {
    4: "answer",
    5: "answer later",
    6: "change later",
    7: "change",
    8: "proposals",
    9: "form",
}


def request(method: str, path: str, body: Any, known: set[str]) -> Iterator[str]:
    """A request, line by line.

    Args:
        method: of HTTP.
        path: where to.
        body: what is sent.
        known: what lists offer that were told before; those of this are added.
    """
    is_plain = not isinstance(body, dict)
    data: dict[str, Any] = {"body": body} if is_plain else {**body}
    kind = None
    if path.endswith("/callback"):
        kind, data = data["type"], cast("dict[str, Any]", {**(data.get("data") or {})})
    flags = int(data.get("flags") or 0)
    if flags & _EPHEMERAL:
        data["flags"] = flags - _EPHEMERAL
    path = re.sub(r"/(webhooks|interactions)/[^/]+/[^/]+", r"/\1", path)
    title = f"{method} {path}" if kind is None else _ANSWERS[kind]
    yield title + (" to them only" if flags & _EPHEMERAL else "")
    parts: list[dict[str, Any]] = data.pop("components", None) or []
    if text := data.pop("content", None):
        yield from _indented(text, 1)
    if rest := _rest(data, _STILL):
        yield f"  {rest}"
    for part in parts:
        yield from _part(part, 1, known)


def _part(part: Mapping[str, Any], depth: int, known: set[str]) -> Iterator[str]:
    """A component, line by line."""
    rest = dict(part)
    kind, own_id = rest.pop("type"), rest.pop("custom_id", "")
    if (drawn := rest.get("id", 0)) > 1000:  # random, so that nothing is chosen in a list
        own_id, rest["id"] = own_id.replace(str(drawn), "<id>"), "drawn"
    within: list[dict[str, Any]] = rest.pop("components", [])
    within = [*within, *(rest.pop(name) for name in ("component", "accessory") if name in rest)]
    options: list[dict[str, Any]] = rest.pop("options", [])
    title = f"{_KINDS.get(kind, f'part {kind}')} {own_id}".rstrip()
    if kind == _BUTTON:
        title = f"[{rest.pop('label', '')}] {own_id}".rstrip()
    if kind == _TEXT:
        title = ""
        yield from _indented(rest.pop("content"), depth)
    if line := f"{title} {_rest(rest, _USUAL)}".strip():
        yield from _indented(line, depth)
    if options:
        yield from _indented(_options(options, known), depth + 1)
    for each in within:
        yield from _part(each, depth + (kind != _ROW), known)


def _options(options: Iterable[Mapping[str, Any]], known: set[str]) -> str:
    """What a list offers; all of it only once."""
    told: list[str] = []
    for option in options:
        rest = {n: v for n, v in option.items() if n not in {"label", "value", "default"}}
        told.append(f"- {option['label']} = {option['value']} {_rest(rest, {})}".rstrip())
    shown, is_known = "\n".join(told), "\n".join(told) in known
    known.add(shown)
    chosen = ", ".join(option["value"] for option in options if option.get("default"))
    lines = [f"- the same {len(told)}" if is_known else shown]
    return "\n".join([*lines, f"chosen: {chosen}"] if chosen else lines)


def _indented(text: str, depth: int) -> Iterator[str]:
    for line in text.split("\n"):
        yield "  " * depth + line


def _rest(facts: Mapping[str, Any], usual: Mapping[str, Any]) -> str:
    """What else there is, but for what is always there."""
    kept = {name: value for name, value in facts.items() if value is not None}
    kept = {name: value for name, value in kept.items() if usual.get(name) != value}
    return json.dumps(kept, ensure_ascii=False, sort_keys=True) if kept else ""
