"""Every catalogue there is: whole, and with what code and Discord count on."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from gettext import c2py
from operator import attrgetter
from string import Formatter
from typing import Any, Final

import pytest
from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from bot.text.language import CATALOGUES, DOMAIN, ngettext, speak
from tests.support.messages import LIMIT
from tools.messages import extracted, template

LOCALES: Final = sorted(path.name for path in CATALOGUES.iterdir())
MARKUP: Final = re.compile(r"(?m)`[^`]*`|\*\*|\|\||\n|^(?:#+|-#|-|>) |^ | $|[\u2190-\u2bff🀀-🫿]")
COUNTED: Final = range(1000)  # after a million, some languages have "de" before a noun

each_locale = pytest.mark.parametrize("locale", LOCALES)


@cache
def catalogue(locale: str) -> Catalog:
    with (CATALOGUES / locale / "LC_MESSAGES" / f"{DOMAIN}.po").open("rb") as file:
        return read_po(file)


def texts(given: Any) -> tuple[str, ...]:
    """A message or its translation: one text, or one for each form."""
    return (given,) if isinstance(given, str) else tuple(given)


def form_of(locale: str, number: int) -> int:
    """Which form a number takes, as the catalogue says it."""
    form: int = c2py(catalogue(locale).plural_expr)(number)
    return form


def translated(locale: str) -> Iterator[tuple[str, str]]:
    """Each text in a language, after the English that it stands for."""
    singular = form_of(locale, 1)
    for one in filter(attrgetter("id"), catalogue(locale)):
        for form, text in enumerate(texts(one.string)):
            yield texts(one.id)[0 if form == singular else -1], text


def facts(text: str) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(text) if field is not None}


@each_locale
def test_everything_is_translated_and_nothing_is_guessed(locale: str) -> None:
    """A changed sentence: `python3 tasks.py messages`, then its translation into each catalogue."""
    there = {(one.id, one.context) for one in catalogue(locale)}
    assert there ^ {(one.id, one.context) for one in template()} == set()
    assert [english for english, text in translated(locale) if not text] == []
    assert [one.id for one in catalogue(locale) if one.fuzzy] == []


@each_locale
def test_a_translation_inserts_what_its_english_does(locale: str) -> None:
    """The form for 1 may say it in a word."""
    plurals = {texts(one.id)[0]: texts(one.id)[-1] for one in template()}
    assert [
        (english, text)
        for english, text in translated(locale)
        if facts(text) not in (facts(english), facts(plurals.get(english, english)))
    ] == []


@each_locale
def test_a_translation_has_the_marks_of_its_english(locale: str) -> None:
    """Commands, bold, small and hidden print, bullets, pictographs, what joins it to the next."""
    assert [
        (english, text)
        for english, text in translated(locale)
        if Counter(MARKUP.findall(english)) != Counter(MARKUP.findall(text))
    ] == []


@each_locale
def test_counted_sentences_have_the_plural_forms_of_their_language(locale: str) -> None:
    """As many as gettext has for it; none serves two forms that CLDR tells apart."""
    written = catalogue(locale)
    assert written.plural_forms == Catalog(locale).plural_forms
    cldr = Locale.parse(locale).plural_form
    assert len({(form_of(locale, n), cldr(n)) for n in COUNTED}) == written.num_plurals
    assert {len(texts(one.string)) for one in written if one.pluralizable} == {written.num_plurals}


@each_locale
def test_translations_keep_the_limits_stated_in_their_comments(locale: str) -> None:
    limits = {
        one.text: int(limit[1]) for one in extracted() if (limit := LIMIT.search(one.comment))
    }
    assert [
        (english, text)
        for english, text in translated(locale)
        if len(text) > limits.get(english, len(text))
    ] == []


@each_locale
async def test_a_checkout_speaks_each_language(locale: str) -> None:
    speak(locale.replace("_", "-"))
    one = next(one for one in catalogue(locale) if one.pluralizable)
    singular, plural = texts(one.id)
    assert ngettext(singular, plural, 1) == texts(one.string)[form_of(locale, 1)]
