"""The dashboard shows what there is, all of it."""

import re

from bot.hosting.figures import Figures
from tests.support.asking import names
from tests.support.dashboard import figures, panels, queries


def test_the_dashboard_uses_every_figure_and_no_unknown_one() -> None:
    text = Figures().expose().decode()
    told = {*re.findall(r"^# TYPE (\w+) ", text, re.MULTILINE)}
    assert figures() <= told
    assert {name for name in told if name.startswith("focdle_")} <= figures()


def test_an_unknown_figure_is_left_out_of_the_metrics() -> None:
    figures = Figures()
    backup = "focdle_last_backup_timestamp_seconds"
    assert "focdle_ready 0.0\n" in figures.expose().decode()
    assert not {backup, "focdle_database_bytes"} & names(figures.expose().decode())
    figures.levels = {"ready": True, "last_backup_timestamp_seconds": 1_795_600_000.0}
    told = figures.expose().decode()
    assert f"{backup} 1.7956e+09\n" in told
    assert "focdle_ready 1.0\n" in told


def test_each_panel_of_the_dashboard_has_a_description_and_its_own_place() -> None:
    places: set[tuple[int, int]] = set()
    for panel in panels():
        assert panel["type"] == "row" or (panel["description"] and panel["targets"])
        at = panel["gridPos"]
        cells = {(at["x"] + x, at["y"] + y) for x in range(at["w"]) for y in range(at["h"])}
        assert not cells & places, panel["title"]
        assert max(x for x, _ in cells) < 24
        places |= cells
    assert len({panel["id"] for panel in panels()}) == len(panels())


def test_each_query_of_the_dashboard_can_be_limited_to_some_processes() -> None:
    assert [query for _, query in queries() if 'instance=~".*"' not in query] == []
