"""The language of the current interaction: English where it has no catalogue.

A constant text is marked with `N_` and translated by `say`. The comment `#:` above it is for
translators: `python3 tasks.py messages` writes it above the message in each catalogue.
"""

from collections.abc import Callable, Iterable, Mapping
from contextvars import ContextVar
from datetime import date
from functools import cache, lru_cache, partial
from io import BytesIO
from pathlib import Path
from typing import Final, NamedTuple, ParamSpec, TypeVar

from babel import Locale
from babel.dates import (
    format_date,
    format_interval,
    format_skeleton,
    get_date_format,
    get_day_names,
    get_month_names,
)
from babel.lists import format_list
from babel.localedata import locale_identifiers
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal
from babel.support import NullTranslations, Translations

P = ParamSpec("P")
T = TypeVar("T")

CATALOGUES: Final = Path(__file__).parent / "locales"
DOMAIN: Final = "bot"  # how catalogues' files are called
ENGLISH: Final = "en-US"


class Speech(NamedTuple):
    """A language that is spoken.

    Attributes:
        tag: the locale that was asked for, as Discord or a browser names it.
        own: which of the `offered` languages that is answered in.
    """

    tag: str
    own: str
    locale: Locale
    catalogue: NullTranslations


_AMERICAN: Final = Speech(ENGLISH, ENGLISH, Locale("en", "US"), NullTranslations())
_speech: ContextVar[Speech] = ContextVar("speech", default=_AMERICAN)


def N_(message: str) -> str:  # noqa: N802 - translators' tools look for this name
    """Mark a message for translation; `say` translates it."""
    return message


def speak(tag: str) -> None:
    """Set the language of the current task.

    `tag` is a Discord locale such as ``en-GB``; one without a catalogue means English.
    """
    _speech.set(_speech_of(tag))


def spoken() -> str:
    """Return which of the `offered` languages the current task speaks."""
    return _speech.get().own


@lru_cache(64)
def _speech_of(tag: str) -> Speech:
    own = offered_for(tag)
    exact = tag if is_spoken(tag) and is_known(tag) else own
    return Speech(tag, own, Locale.parse(exact, sep="-"), _catalogues(CATALOGUES)[own])


@cache
def _catalogues(folder: Path) -> Mapping[str, NullTranslations]:
    """Read all catalogues, by Discord's names of their languages; that of English is empty.

    A checkout has none that is compiled, and so none that is stale.
    """
    found = {ENGLISH: _AMERICAN.catalogue}
    files = sorted(folder.glob(f"*/LC_MESSAGES/{DOMAIN}.[mp]o"), reverse=True)  # .mo after .po
    for name, file in sorted({file.parts[-3]: file for file in files}.items()):
        with file.open("rb") as source:
            compiled = source
            if file.suffix == ".po":
                compiled = BytesIO()
                write_mo(compiled, read_po(source))
                compiled.seek(0)
            found[name.replace("_", "-")] = Translations(compiled, DOMAIN)
    return found


def offered() -> tuple[str, ...]:
    """List the languages to choose from, as Discord names them: English, and each catalogue's.

    The first call reads the catalogues, for a tenth of a second: `open_services` makes it.
    """
    return tuple(_catalogues(CATALOGUES))


def offered_for(tag: str) -> str:
    """Return which of the `offered` languages a locale is answered in: pt-PT in pt-BR."""
    same = [each for each in offered() if _language_in(each) == _language_in(tag)]
    return tag if tag in same else next(iter(same), ENGLISH)


def is_spoken(tag: str) -> bool:
    """Return true for English, and for a locale with a catalogue."""
    return _language_in(tag) == _language_in(offered_for(tag))


def _language_in(tag: str) -> str:
    return tag.partition("-")[0]


def is_known(tag: str) -> bool:
    """Return true if there are dates and numbers for a locale; a stranger's name of one is not."""
    return tag.replace("-", "_") in locale_identifiers()


def is_day_first() -> bool:
    """Return true if the day is before the month in the locale asked for, spoken by us or not."""
    if not is_known(tag := _speech.get().tag):
        return False
    pattern = str(get_date_format("short", Locale.parse(tag, sep="-")).pattern)
    return pattern.index("d") < pattern.index("M")


def language_name(tag: str) -> str:
    """Name one of the `offered` languages in itself."""
    locale = Locale.parse(tag, sep="-")
    name = str(locale.language_name if tag == ENGLISH else locale.display_name)
    return name[:1].upper() + name[1:]


def in_this_language(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Callable[[], T]:
    """Bind a call to the current language, so that another process can make it.

    Only the language's name is sent, since its data take 150 kB.
    """
    return partial(in_language, _speech.get().tag, work, *args, **kwargs)


def in_language(tag: str, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Do some work in a language; the current one stays as it is."""
    before = _speech.set(_speech_of(tag))
    try:
        return work(*args, **kwargs)
    finally:
        _speech.reset(before)


def gettext(message: str) -> str:
    return _speech.get().catalogue.gettext(message)


_ = gettext


def say(message: str, /, **facts: object) -> str:
    """Translate a constant text, and insert the facts."""
    return gettext(message).format(**facts)


def ngettext(singular: str, plural: str, count: int) -> str:
    """Translate a text with a number, in the plural form for `count`."""
    return _speech.get().catalogue.ngettext(singular, plural, count)


def pgettext(context: str, message: str) -> str:
    """Translate a text that has another meaning elsewhere; the context tells translators which."""
    return str(_speech.get().catalogue.pgettext(context, message))


def npgettext(context: str, singular: str, plural: str, count: int) -> str:
    """Translate a text with a number that takes another form elsewhere, as after a preposition."""
    return _speech.get().catalogue.npgettext(context, singular, plural, count)


def listing(items: Iterable[str], *, either: bool = False) -> str:
    """List things within a sentence: the last one after "and", or after "or"."""
    return format_list([*items], "or" if either else "standard", _speech.get().locale)


def ordinal_form(n: int) -> str:
    """The form of a rank, as CLDR calls it: "one" for 1st and 21st in English."""
    return _speech.get().locale.ordinal_form(n)


def long_date(day: date) -> str:
    return format_date(day, format="full", locale=_speech.get().locale)


def short_date(day: date) -> str:
    return format_skeleton("MMMd", day, locale=_speech.get().locale)


def medium_date(day: date) -> str:
    return format_date(day, format="medium", locale=_speech.get().locale)


def date_range(first: date, last: date) -> str:
    return format_interval(first, last, "yMMMd", locale=_speech.get().locale)


def weekday(day: int, *, short: bool = False) -> str:
    """Name a weekday, from 1 for Monday to 7 for Sunday."""
    width = "abbreviated" if short else "wide"
    return get_day_names(width, context="stand-alone", locale=_speech.get().locale)[day - 1]


def month_name(month: int) -> str:
    """Abbreviate a month, 1 to 12."""
    return get_month_names("abbreviated", "stand-alone", _speech.get().locale)[month]


def month_and_year(day: date) -> str:
    return format_skeleton("yMMMM", day, locale=_speech.get().locale)


def number(value: float, digits: int = 0) -> str:
    """Format a number with `digits` digits after the point."""
    pattern = "#,##0" + ("." + "0" * digits if digits else "")
    return format_decimal(value, format=pattern, locale=_speech.get().locale)
