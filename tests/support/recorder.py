"""Records what the stories send to Discord, to show that a reshaped bot says the same.

``pytest tests/stories --record FOLDER`` writes a file for each test: every request, its payload
with ids, times, salts and tokens masked, in alphabetical order. Secrets are drawn alike each time,
so that ``diff -r`` of two folders shows what has changed.
"""

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from simcord.http import router

_MASKS: Final = (
    (re.compile(r"\b\d{15,20}\b"), "<id>"),
    (re.compile(r"[0-9a-f]{32,}|\b[0-9a-f]{8,}\b"), "<hex>"),
    (re.compile(r"<t:\d+"), "<t:<time>"),
    (re.compile(r"\d{4}-\d\d-\d\dT[\d:.+]+"), "<time>"),
    (re.compile(r"(/(?:webhooks|interactions)/[^/]+/)[^/]+"), r"\1<token>"),
)


class Recorder:
    """A plugin that keeps what each test sends.

    Args:
        folder: where a file is written for each test.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._sent: list[str] = []

    @pytest.fixture(autouse=True)
    def recorded(self, request: pytest.FixtureRequest) -> Iterator[None]:
        """Write down what one test sends, with what is sent while its table is laid."""
        self._sent.clear()
        dice = random.Random(request.node.name)
        random.__dict__["_urandom"] = dice.randbytes  # what secrets and system dice draw from
        yield
        module, _, name = request.node.nodeid.rpartition("/")[2].partition("::")
        file = self._folder / module / (re.sub(r"[^\w\[\]-]+", "_", name)[:120] + ".txt")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join(sorted(self._sent)) + "\n", encoding="utf-8")

    def listen(self) -> None:
        """Hear every request from now on; SimCord sends them all one way."""
        dispatch = router.dispatch

        def heard(backend: Any, method: str, path: str, **details: Any) -> Any:
            body = json.dumps(details.get("json"), sort_keys=True, ensure_ascii=False)
            files = len(details.get("files") or ())
            self._sent.append(_masked(f"{method} {path} {body} with {files} files"))
            return dispatch(backend, method, path, **details)

        router.dispatch = heard


def _masked(text: str) -> str:
    for pattern, mask in _MASKS:
        text = pattern.sub(mask, text)
    return text
