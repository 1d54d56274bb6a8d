"""The language in which work is done, wherever that is."""

import pickle
from datetime import date
from functools import partial
from pathlib import Path

import pytest

from bot.text.language import (
    gettext,
    in_language,
    in_this_language,
    number,
    short_date,
    speak,
    spoken,
)
from tests.support.catalogues import german

DAY = date(2026, 12, 4)


def test_work_in_another_process_uses_the_language_of_its_request() -> None:
    speak("en-GB")
    sent = pickle.dumps(in_this_language(short_date, DAY))
    speak("en-US")
    assert short_date(DAY) == "Dec 4"
    assert pickle.loads(sent)() == "4 Dec"  # noqa: S301 - it was written above
    assert short_date(DAY) == "Dec 4"


@pytest.mark.parametrize(
    ("catalogue", "asked", "own"),
    [
        ("zh_CN", "zh-CN", "zh-CN"),  # which the library calls zh_Hans_CN
        ("pt_BR", "pt-PT", "pt-BR"),
        ("es", "es-419", "es"),
        ("es", "en-GB", "en-US"),
        ("es", "xx-es", "en-US"),
    ],
)
def test_a_locale_is_answered_in_the_catalogue_of_its_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, catalogue: str, asked: str, own: str
) -> None:
    with german(tmp_path, monkeypatch, {"Guess": "?"}, catalogue):
        assert in_language(asked, spoken) == own
        assert in_language(asked, gettext, "Guess") == ("Guess" if own == "en-US" else "?")


def test_a_pickled_language_contains_only_its_name() -> None:
    work = partial(number, 1234.5, 1)
    assert work() == "1,234.5"  # for which the language was looked up
    assert len(pickle.dumps(in_this_language(work))) < len(pickle.dumps(work)) + 250
