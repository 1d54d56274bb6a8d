"""The language in which work is done, wherever that is."""

import pickle
from datetime import date
from functools import partial

from bot.text.language import in_this_language, number, short_date, speak

DAY = date(2026, 12, 4)


def test_work_in_another_process_uses_the_language_of_its_request() -> None:
    speak("en-GB")
    sent = pickle.dumps(in_this_language(short_date, DAY))
    speak("en-US")
    assert short_date(DAY) == "Dec 4"
    assert pickle.loads(sent)() == "4 Dec"  # noqa: S301 - it was written above
    assert short_date(DAY) == "Dec 4"


def test_a_pickled_language_contains_only_its_name() -> None:
    work = partial(number, 1234.5, 1)
    assert work() == "1,234.5"  # for which the language was looked up
    assert len(pickle.dumps(in_this_language(work))) < len(pickle.dumps(work)) + 250
