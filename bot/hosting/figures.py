"""Metrics for Prometheus; the only module that uses its library.

Labels are few: a kind, a reason, a route and its status, a shard's number, a lane of the coach's.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Info,
    PlatformCollector,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.metrics_core import GaugeMetricFamily

from bot.gauges import Gauges
from bot.version import version

CONTENT_TYPE: Final = CONTENT_TYPE_PLAIN_0_0_4
"""The content type of the metrics; every version of Prometheus reads it."""

_PREFIX: Final = "focdle"
_KIND: Final = ["kind"]
# In seconds. Discord gives up after three; hundredths go unnoticed.
_ANSWERS: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0)
_TRANSACTIONS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 2.0)
_DELAYS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0)
_REQUESTS: Final = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
_SHARD: Final = "shard"
# Gauges: their help text, and their label.
_LEVELS: Final = {
    "ready": ("Whether nothing was missing when these figures were told", ""),
    "shard_heard": ("Whether a shard was heard within the minute", _SHARD),
    "shard_latency_seconds": ("How long Discord took for a shard's last heartbeat", _SHARD),
    "coach_queue": ("What the coach has yet to work out", "lane"),
    "chart_queue": ("Drawings that are waited for", ""),
    "posts_late": ("Daily posts that are late by a minute or more", ""),
    "database_bytes": ("How large the database is", ""),
    "last_backup_timestamp_seconds": ("When the newest backup was made", ""),
}

Level = float | Mapping[str, float] | None
"""A value, or one for each value of its label; None if unknown."""


class Figures(Gauges):
    """Metrics in a registry of their own.

    `levels` maps the gauges' names to their present values. A gauge whose value is unknown is not
    exposed.
    """

    def __init__(self) -> None:
        disable_created_metrics()  # doubles the series
        self.levels: Mapping[str, Level] = {"ready": 0}
        self._registry = registry = CollectorRegistry()
        counter = partial(Counter, namespace=_PREFIX, registry=registry)
        histogram = partial(Histogram, namespace=_PREFIX, registry=registry)
        said = "From an interaction's arrival to its first answer"
        self._acknowledged = histogram("acknowledgement_seconds", said, _KIND, buckets=_ANSWERS)
        said = "Interactions without a first answer within three seconds"
        self._unanswered = counter("unanswered", said, _KIND)
        self._refusals = counter("refusals", "What players are told is not done", ["reason"])
        self._breakdowns = counter("breakdowns", "What failed for players by a fault of the bot")
        said = "From asking for a transaction until it has begun"
        self._waits = histogram("transaction_wait_seconds", said, _KIND, buckets=_TRANSACTIONS)
        said = "From a transaction's beginning to its end"
        self._lengths = histogram("transaction_seconds", said, _KIND, buckets=_TRANSACTIONS)
        said = "Transactions that the database kept from being done"
        self._failures = counter("transaction_failures", said, ["kind", "reason"])
        said = "How long Discord takes for a request"
        by = ["route", "status"]
        self._requests = histogram("discord_request_seconds", said, by, buckets=_REQUESTS)
        said = "How much later than it was due the event loop goes on"
        self._delays = histogram("loop_delay_seconds", said, buckets=_DELAYS)
        said = "Answers of the page's server, by the first digit of their status"
        self._served = counter("page_requests", said, ["status"])
        said = "WebSockets of the page that are open"
        self._sockets = Gauge("page_sockets", said, namespace=_PREFIX, registry=registry)
        self._sign_ins = counter("page_sign_ins", "New sessions of the page")
        registry.register(self)
        Info("build", "What runs", namespace=_PREFIX, registry=registry).info(
            {"version": version()}
        )
        ProcessCollector(registry=registry)
        PlatformCollector(registry=registry)

    def acknowledged(self, kind: str, seconds: float) -> None:
        self._acknowledged.labels(kind).observe(seconds)

    def left_unanswered(self, kind: str) -> None:
        self._unanswered.labels(kind).inc()

    def refused(self, reason: type[Exception]) -> None:
        self._refusals.labels(reason.__name__).inc()

    def broke_down(self) -> None:
        self._breakdowns.inc()

    def carried_out(self, kind: str, waited: float, took: float | None) -> None:
        self._waits.labels(kind).observe(waited)
        if took is not None:
            self._lengths.labels(kind).observe(took)

    def failed(self, kind: str, reason: type[Exception]) -> None:
        self._failures.labels(kind, reason.__name__).inc()

    def requested(self, route: str, status: str, seconds: float) -> None:
        self._requests.labels(route, status).observe(seconds)

    def served(self, status: int) -> None:
        self._served.labels(f"{status // 100}xx").inc()

    def listens(self, change: int) -> None:
        self._sockets.inc(change)

    def signed_in(self) -> None:
        self._sign_ins.inc()

    def delayed(self, seconds: float) -> None:
        self._delays.observe(seconds)

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the gauges; Prometheus's library calls this."""
        for name, (said, label) in _LEVELS.items():
            labels = [label] if label else []
            family = GaugeMetricFamily(f"{_PREFIX}_{name}", said, labels=labels)
            level = self.levels.get(name)
            values = level if isinstance(level, Mapping) else {"": level}
            for of, value in values.items():
                if value is not None:
                    family.add_metric([of] if label else [], value)
            yield family

    def expose(self) -> bytes:
        """Format all metrics as the text that Prometheus reads."""
        return generate_latest(self._registry)
