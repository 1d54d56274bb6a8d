"""What is counted takes the form that its number asks for: no "1 days" in any language."""

import re
from collections.abc import Iterator
from functools import cache

import pytest

from bot.text import counts
from tools.messages import extracted

NO_COUNTS = {
    "mean": "a mean: 3.25 guesses",
    "bits": "how many bits, to one decimal",
    "challenger": "somebody, who challenges",
    "maker": "somebody, who challenges",
}
"""Placeholders that are followed by a plural, and why they are not counted with it."""


def messages() -> tuple[tuple[str, str | tuple[str, ...]], ...]:
    """All messages, with where they are; those with a plural as pairs."""
    return tuple((f"{one.file}:{one.line}", one.text) for one in extracted())


@cache
def nouns() -> frozenset[str]:
    """The plurals of all that is counted anywhere: the last word of "{n} rated duels"."""
    pairs = (message for _, message in messages() if isinstance(message, tuple))
    counted = (re.fullmatch(r"\{\w+\} ([a-z ]+)", pair[1]) for pair in pairs)
    words = {match[1].split()[-1] for match in counted if match is not None}
    return frozenset(word for word in words if word.endswith("s"))


def uncounted(text: str) -> Iterator[str]:
    """The placeholders in a message without a plural that are followed by a counted noun."""
    either = "|".join(sorted(nouns()))
    for match in re.finditer(rf"\{{(\w+)\}}\**(?: [a-z]+)? ({either})\b", text):
        if match[1] not in NO_COUNTS:
            yield match[0]


def test_every_counted_sentence_has_a_plural() -> None:
    singles = [(place, text) for place, text in messages() if isinstance(text, str)]
    assert len(singles) > 500
    assert [(place, found) for place, text in singles for found in uncounted(text)] == []


@pytest.mark.parametrize(
    "text",
    [
        "A streak of {length} days",
        "**{length} days**",
        "**{points}** points",
        "after {games} rated duels against",
        "{own} more points",
    ],
)
def test_the_check_finds_a_counted_sentence_without_a_plural(text: str) -> None:
    assert len(list(uncounted(text))) == 1


def test_a_count_of_one_uses_the_singular() -> None:
    assert [counts.days(n) for n in (0, 1, 2)] == ["0 days", "1 day", "2 days"]
    assert [counts.guesses(n) for n in (1, 1000)] == ["1 guess", "1,000 guesses"]
