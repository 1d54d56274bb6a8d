"""Help and the rules: their budget of words, and that the paper says what the code does."""

from pathlib import Path
from typing import Final

import pytest

from bot.duels.game import MOST_RATED
from bot.duels.model import RATED_WITHIN
from bot.feature import Topic
from bot.games.game import MOST_A_DAY
from bot.games.model import MOST_HINTS, SEAL_DIGITS
from bot.home.words import TOPICS, exact_rules, help_text
from bot.leaderboards.boards import FEWEST_MASTERMINDS, UNSOLVED_GUESSES
from bot.mastermind.game import SOLO_PATIENCE
from bot.people.game import AFTER_DELETION
from bot.people.model import MOST_POSTED
from bot.ratings.game import OF_AGE
from bot.ratings.model import FEWEST_DATES, FEWEST_OPPONENTS
from bot.streaks.model import SKIP_REST
from tests.support.messages import words

ROOT: Final = Path(__file__).parents[2]
NUMBERS: Final = {
    "two": 2,
    "three": 3,
    "five": 5,
    "ten": 10,
    "once": 1,
    "a week": 7,
    "seven days": 7,
    "30 days": 30,
}


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.name)
def test_each_page_of_help_is_short(topic: Topic) -> None:
    assert words("\n".join(help_text(topic))) <= 80


def test_all_pages_of_help_together_are_short() -> None:
    assert sum(words("\n".join(help_text(topic))) for topic in TOPICS) <= 770


def test_the_rules_in_the_help_are_the_rules_document() -> None:
    assert words(exact_rules()) <= 1300
    assert (ROOT / "docs" / "RULES.md").read_text(encoding="utf-8") == exact_rules()


@pytest.mark.parametrize(
    ("says", "number"),
    [
        ("just for fun are limited to {} a day (UTC)", MOST_A_DAY),
        ("survives, at most once in {} days", SKIP_REST.days),
        ("these players accept in {}", RATED_WITHIN.days),
        ("of the first {} that these players", MOST_RATED),
        ("older than {}, and it is one", OF_AGE.days),
        ("idle for {} after its last guess", SOLO_PATIENCE.days),
        ("it counts as {} guesses", UNSOLVED_GUESSES),
        ("After {} ranked games, Mastermind", FEWEST_MASTERMINDS),
        ("rated duels on {} days (UTC)", FEWEST_DATES),
        ("(UTC) against {} opponents", FEWEST_OPPONENTS),
        ("For {} after deleting your data", AFTER_DELETION.days),
        ("A member can make {} posts an hour", MOST_POSTED),
        ("Mastermind and dailies allow {} hints, after your first", MOST_HINTS),
        ("the first {} digits of the SHA-256", SEAL_DIGITS),
    ],
)
def test_the_rules_document_has_the_numbers_that_the_code_uses(says: str, number: int) -> None:
    paper = " ".join(exact_rules().split())
    spelled = [word for word, worth in NUMBERS.items() if worth == number]
    assert any(says.format(each) in paper for each in (str(number), *spelled))
