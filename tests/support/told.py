"""Gauges that remember what they were told."""

from bot.gauges import Gauges


class Told(Gauges):
    """Remembers everything.

    Attributes:
        answers: kinds of interactions that had a first answer.
        unanswered: kinds of those that had none in time.
        refusals: names of reasons.
        breakdowns: how many times something was wrong with the bot.
        transactions: their kinds, how long they waited and took.
        failures: kinds of transactions, and names of reasons.
        requests: routes and statuses.
    """

    def __init__(self) -> None:
        self.answers: list[str] = []
        self.unanswered: list[str] = []
        self.refusals: list[str] = []
        self.breakdowns = 0
        self.transactions: list[tuple[str, float, float | None]] = []
        self.failures: list[tuple[str, str]] = []
        self.requests: list[tuple[str, str]] = []

    def acknowledged(self, kind: str, seconds: float) -> None:
        assert seconds >= 0
        self.answers.append(kind)

    def left_unanswered(self, kind: str) -> None:
        self.unanswered.append(kind)

    def refused(self, reason: type[Exception]) -> None:
        self.refusals.append(reason.__name__)

    def broke_down(self) -> None:
        self.breakdowns += 1

    def carried_out(self, kind: str, waited: float, took: float | None) -> None:
        self.transactions.append((kind, waited, took))

    def failed(self, kind: str, reason: type[Exception]) -> None:
        self.failures.append((kind, reason.__name__))

    def requested(self, route: str, status: str, seconds: float) -> None:
        assert seconds >= 0
        self.requests.append((route, status))
