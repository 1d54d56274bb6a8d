"""Figures of several processes as one text, each with the range whose they are."""

from collections.abc import Iterable, Mapping
from typing import Final

from prometheus_client import CollectorRegistry, Gauge, Metric, ProcessCollector, generate_latest
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.registry import Collector

from bot.health.figures import PREFIX

_RANGE: Final = "range"
_SUPERVISOR: Final = "supervisor"


class RangeFigures:
    """What a supervisor counts: which of its processes answer, and what it takes by itself."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._answers = Gauge(
            "range_answers",
            "Whether the process of a range has told its figures in time",
            [_RANGE],
            namespace=PREFIX,
            registry=self._registry,
        )
        ProcessCollector(registry=self._registry)

    def expose(self, texts: Mapping[str, str | None]) -> bytes:
        """All figures as one text, those of processes with their range as a label.

        Args:
            texts: what the process of each range has told; None for one that does not answer.
        """
        for name, text in texts.items():
            self._answers.labels(name).set(text is not None)
        own = generate_latest(self._registry).decode()
        told = {name: text for name, text in texts.items() if text is not None}
        return generate_latest(_Together({_SUPERVISOR: own, **told}))


class _Together(Collector):
    """Figures of several processes, each with a label that says whose it is."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts

    def collect(self) -> Iterable[Metric]:
        """Each figure once, of all processes."""
        found: dict[str, Metric] = {}
        for name, text in self._texts.items():
            for part in text_string_to_metric_families(text):
                whole = found.setdefault(
                    part.name, Metric(part.name, part.documentation, part.type)
                )
                for sample in part.samples:
                    labels = {_RANGE: name, **sample.labels}
                    whole.samples.append(sample._replace(labels=labels))
        return found.values()
