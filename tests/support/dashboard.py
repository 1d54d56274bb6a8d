"""The dashboard that hosts can load into Grafana: what it asks Prometheus for."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

_FILE: Final = Path(__file__).parents[2] / "docs" / "grafana.json"
_VARIABLES: Final = {"$__rate_interval": "1m", "$instance": ".*"}
_OF_HISTOGRAMS: Final = re.compile(r"_(bucket|count|sum)$")


def panels() -> list[dict[str, Any]]:
    """All panels, and rows of them."""
    found: list[dict[str, Any]] = json.loads(_FILE.read_text())["panels"]
    return found


def queries() -> Iterator[tuple[str, str]]:
    """Each query as Grafana would send it, with the title of its panel."""
    for panel in panels():
        for target in panel.get("targets", ()):
            query: str = target["expr"]
            for name, value in _VARIABLES.items():
                query = query.replace(name, value)
            assert "$" not in query
            yield panel["title"], query


def figures() -> set[str]:
    """The figures that it shows."""
    named = {name for _, query in queries() for name in re.findall(r"(\w+)\{", query)}
    return {_OF_HISTOGRAMS.sub("", name) for name in named}
