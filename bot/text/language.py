"""The language in which the current interaction is answered: English until catalogues come.

A text that stands for itself is a constant in `N_`, and is spoken by `say`. The comment `#:` above
it is for translators: `pybabel extract -c : --strip-comments bot cogs` takes it along.
"""

from collections.abc import Callable
from contextvars import ContextVar
from datetime import date
from functools import cache, partial
from pathlib import Path
from typing import Final, ParamSpec, TypeVar

from babel import Locale, UnknownLocaleError
from babel.dates import (
    format_date,
    format_interval,
    format_skeleton,
    get_date_format,
    get_day_names,
    get_month_names,
)
from babel.numbers import format_decimal
from babel.support import NullTranslations, Translations

P = ParamSpec("P")
T = TypeVar("T")

CATALOGUES: Final = Path(__file__).parent / "catalogues"
DEFAULT_LOCALE: Final = Locale("en", "US")

_locale: ContextVar[Locale] = ContextVar("locale", default=DEFAULT_LOCALE)


def N_(message: str) -> str:  # noqa: N802 - translators' tools look for this name
    """A message as it is written; `say` tells it in a language."""
    return message


def is_day_first(tag: str) -> bool:
    """Whether the day stands before the month in the short dates of a Discord locale."""
    try:
        pattern = str(get_date_format("short", Locale.parse(tag, sep="-")).pattern)
    except (ValueError, UnknownLocaleError):
        return False
    return pattern.index("d") < pattern.index("M")


def speak(tag: str) -> None:
    """Answer in this language from here on, in the current task.

    Args:
        tag: a Discord locale such as ``en-GB``; those without a catalogue mean English.
    """
    try:
        locale = Locale.parse(tag, sep="-")
    except (ValueError, UnknownLocaleError):
        locale = DEFAULT_LOCALE
    is_spoken = locale.language == DEFAULT_LOCALE.language or _has_catalogue(locale)
    _locale.set(locale if is_spoken else DEFAULT_LOCALE)


def in_this_language(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Callable[[], T]:
    """Some work as it can be sent to another process, to be done in the current language.

    The language is sent by its name: with all that is known of it, it takes 150 kB.
    """
    return partial(_speaking, str(_locale.get()), partial(work, *args, **kwargs))


def _speaking(tag: str, work: Callable[[], T]) -> T:
    before = _locale.set(Locale.parse(tag))
    try:
        return work()
    finally:
        _locale.reset(before)


def gettext(message: str) -> str:
    """A message in the current language."""
    return _catalogue(_locale.get()).gettext(message)


def say(message: str, /, **facts: object) -> str:
    """A named message in the current language, with the facts in their places."""
    return gettext(message).format(**facts)


def ngettext(singular: str, plural: str, count: int) -> str:
    """A message that depends on a number, in the current language."""
    return _catalogue(_locale.get()).ngettext(singular, plural, count)


def long_date(day: date) -> str:
    """A date as the current language writes it, with the day of the week."""
    return format_date(day, format="full", locale=_locale.get())


def short_date(day: date) -> str:
    """A date as the current language writes it, in short and without the year."""
    return format_skeleton("MMMd", day, locale=_locale.get())


def medium_date(day: date) -> str:
    """A date as the current language writes it, in short."""
    return format_date(day, format="medium", locale=_locale.get())


def date_range(first: date, last: date) -> str:
    """All dates from the first to the last, as the current language writes them."""
    return format_interval(first, last, "yMMMd", locale=_locale.get())


def weekday(day: int, *, short: bool = False) -> str:
    """A day of the week as the current language calls it, 1 for Monday to 7."""
    width = "abbreviated" if short else "wide"
    return get_day_names(width, context="stand-alone", locale=_locale.get())[day - 1]


def month_name(month: int) -> str:
    """The name of a month, 1 to 12, in short."""
    return get_month_names("abbreviated", "stand-alone", _locale.get())[month]


def weekday_name(weekday: int) -> str:
    """The name of a day of the week, 0 for Monday, in short."""
    return get_day_names("abbreviated", "stand-alone", _locale.get())[weekday]


def number(value: float, digits: int = 0) -> str:
    """A number as the current language writes it, with so many digits after the point."""
    pattern = "#,##0" + ("." + "0" * digits if digits else "")
    return format_decimal(value, format=pattern, locale=_locale.get())


def _has_catalogue(locale: Locale) -> bool:
    return isinstance(_catalogue(locale), Translations)


@cache
def _catalogue(locale: Locale) -> NullTranslations:
    return Translations.load(CATALOGUES, [locale])
