"""The language of the current interaction: English where it has no catalogue.

A constant text is marked with `N_` and translated by `say`. The comment `#:` above it is for
translators: `python3 tasks.py messages` writes it above the message in each catalogue.
"""

from collections.abc import Callable, Iterable
from contextvars import ContextVar
from datetime import date
from functools import cache, lru_cache, partial
from io import BytesIO
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
from babel.lists import format_list
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal
from babel.support import NullTranslations, Translations

P = ParamSpec("P")
T = TypeVar("T")

CATALOGUES: Final = Path(__file__).parent / "locales"
DOMAIN: Final = "bot"  # how catalogues' files are called
DEFAULT_LOCALE: Final = Locale("en", "US")
ENGLISH: Final = "en-US"

_locale: ContextVar[Locale] = ContextVar("locale", default=DEFAULT_LOCALE)


def N_(message: str) -> str:  # noqa: N802 - translators' tools look for this name
    """Mark a message for translation; `say` translates it."""
    return message


def is_day_first(tag: str) -> bool:
    """Return true if a Discord locale writes the day before the month; false if it is unknown."""
    try:
        pattern = str(get_date_format("short", Locale.parse(tag, sep="-")).pattern)
    except (ValueError, UnknownLocaleError):
        return False
    return pattern.index("d") < pattern.index("M")


def speak(tag: str) -> None:
    """Set the language of the current task.

    `tag` is a Discord locale such as ``en-GB``; one without a catalogue means English.
    """
    _locale.set(_spoken(tag) or DEFAULT_LOCALE)


def _spoken(tag: str) -> Locale | None:
    try:
        locale = Locale.parse(tag, sep="-")
    except (ValueError, UnknownLocaleError):
        return None
    is_english = locale.language == DEFAULT_LOCALE.language
    return locale if is_english or isinstance(_catalogue(locale), Translations) else None


def is_spoken(tag: str) -> bool:
    """Return true for English, and for a Discord locale with a catalogue: es-419 has that of es."""
    return _spoken(tag) is not None


def offered() -> tuple[str, ...]:
    """List the languages to choose from, as Discord names them: English, and each catalogue's."""
    return _offered(CATALOGUES)


@cache
def _offered(folder: Path) -> tuple[str, ...]:
    found = {path.parents[1].name for path in folder.glob(f"*/LC_MESSAGES/{DOMAIN}.[mp]o")}
    return (ENGLISH, *(name.replace("_", "-") for name in sorted(found)))


def offered_for(tag: str) -> str:
    """Return the one of the `offered` languages in which a Discord locale is answered."""
    kinds = {tag, tag.partition("-")[0]}
    return next((each for each in offered() if each in kinds), ENGLISH)


def language_name(tag: str) -> str:
    """Name the language in which a Discord locale is answered, in itself."""
    tag = offered_for(tag)
    locale = Locale.parse(tag, sep="-")
    name = str(locale.language_name if tag == ENGLISH else locale.display_name)
    return name[:1].upper() + name[1:]


def in_this_language(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Callable[[], T]:
    """Bind a call to the current language, so that another process can make it.

    Only the language's name is sent, since its data take 150 kB.
    """
    return partial(_speaking, str(_locale.get()), partial(work, *args, **kwargs))


def _speaking(tag: str, work: Callable[[], T]) -> T:
    before = _locale.set(Locale.parse(tag))
    try:
        return work()
    finally:
        _locale.reset(before)


def gettext(message: str) -> str:
    return _catalogue(_locale.get()).gettext(message)


def say(message: str, /, **facts: object) -> str:
    """Translate a constant text, and insert the facts."""
    return gettext(message).format(**facts)


def ngettext(singular: str, plural: str, count: int) -> str:
    """Translate a text with a number, in the plural form for `count`."""
    return _catalogue(_locale.get()).ngettext(singular, plural, count)


def pgettext(context: str, message: str) -> str:
    """Translate a text that has another meaning elsewhere; the context tells translators which."""
    return str(_catalogue(_locale.get()).pgettext(context, message))


def npgettext(context: str, singular: str, plural: str, count: int) -> str:
    """Translate a text with a number that takes another form elsewhere, as after a preposition."""
    return _catalogue(_locale.get()).npgettext(context, singular, plural, count)


def listing(items: Iterable[str], *, either: bool = False) -> str:
    """List things within a sentence: the last one after "and", or after "or"."""
    return format_list([*items], "or" if either else "standard", _locale.get())


def ordinal_form(n: int) -> str:
    """The form of a rank, as CLDR calls it: "one" for 1st and 21st in English."""
    return _locale.get().ordinal_form(n)


def long_date(day: date) -> str:
    return format_date(day, format="full", locale=_locale.get())


def short_date(day: date) -> str:
    return format_skeleton("MMMd", day, locale=_locale.get())


def medium_date(day: date) -> str:
    return format_date(day, format="medium", locale=_locale.get())


def date_range(first: date, last: date) -> str:
    return format_interval(first, last, "yMMMd", locale=_locale.get())


def weekday(day: int, *, short: bool = False) -> str:
    """Name a weekday, from 1 for Monday to 7 for Sunday."""
    width = "abbreviated" if short else "wide"
    return get_day_names(width, context="stand-alone", locale=_locale.get())[day - 1]


def month_name(month: int) -> str:
    """Abbreviate a month, 1 to 12."""
    return get_month_names("abbreviated", "stand-alone", _locale.get())[month]


def month_and_year(day: date) -> str:
    return format_skeleton("yMMMM", day, locale=_locale.get())


def number(value: float, digits: int = 0) -> str:
    """Format a number with `digits` digits after the point."""
    pattern = "#,##0" + ("." + "0" * digits if digits else "")
    return format_decimal(value, format=pattern, locale=_locale.get())


@lru_cache(64)
def _catalogue(locale: Locale) -> NullTranslations:
    found = Translations.load(CATALOGUES, [locale], DOMAIN)
    # A checkout has none that is compiled, and so none that is stale.
    for name in () if isinstance(found, Translations) else (str(locale), locale.language):
        source = CATALOGUES / name / "LC_MESSAGES" / f"{DOMAIN}.po"
        if source.exists():
            return _compiled(source)
    return found


def _compiled(source: Path) -> Translations:
    compiled = BytesIO()
    with source.open("rb") as file:
        write_mo(compiled, read_po(file))
    compiled.seek(0)
    return Translations(compiled, DOMAIN)
