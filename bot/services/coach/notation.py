"""Analyses as text, as they are stored."""

import json
from dataclasses import asdict
from typing import Any, Final

from bot.services.coach.insights import Insight, Observation
from bot.services.coach.model import Analysis, CoachTurn, Step

VERSION: Final = 2
"""The version of the coach; analyses of earlier versions are worked out again."""


def write(analysis: Analysis) -> str:
    """An analysis as JSON."""
    facts = asdict(analysis)
    for turn in facts["turns"]:
        turn["observations"] = [_without_defaults(seen) for seen in turn["observations"]]
    return json.dumps(facts, separators=(",", ":"))


def read(text: str) -> Analysis:
    """What `write` wrote."""
    facts: dict[str, Any] = json.loads(text)
    turns = tuple(_turn(turn) for turn in facts.pop("turns"))
    line = tuple(Step(**step) for step in facts.pop("line"))
    return Analysis(**facts, turns=turns, line=line)


def _turn(facts: dict[str, Any]) -> CoachTurn:
    seen = tuple(
        Observation(Insight(fields.pop("kind")), **fields) for fields in facts.pop("observations")
    )
    feedback = tuple(facts.pop("feedback"))
    return CoachTurn(**facts, feedback=feedback, observations=seen)


def _without_defaults(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value}
