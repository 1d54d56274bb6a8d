"""Translations made up for tests."""

import re
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.support import NullTranslations

from bot.text import language
from tools.messages import extracted

_LONGEST_LABEL: Final = 80


@contextmanager
def german(
    folder: Path, monkeypatch: pytest.MonkeyPatch, words: Mapping[str, str], locale: str = "de"
) -> Generator[None]:
    """Let there be these translations, and no others, into German or another language."""
    catalogue = Catalog(locale=locale)
    for message, translation in words.items():
        catalogue.add(message, translation)
    path = folder / locale / "LC_MESSAGES" / "bot.mo"
    path.parent.mkdir(parents=True)
    with path.open("wb") as file:
        write_mo(file, catalogue)
    monkeypatch.setattr(language, "CATALOGUES", folder)
    language._speech_of.cache_clear()  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    yield
    language._speech_of.cache_clear()  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]


FILLER: Final = "~"
_PLAIN: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_STRANGE: Final = "àƀçđéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýžÀƁÇĐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽ"
# What no language changes, and what is inserted.
_KEPT: Final = re.compile(r"(`[^`]*`|\{[^}]*\}|<[^>]*>|https?://\S+)")


def strange(text: str) -> str:
    """A text in no language: a third longer, without a plain letter."""
    parts = _KEPT.split(text)
    parts[::2] = [part.translate(str.maketrans(_PLAIN, _STRANGE)) for part in parts[::2]]
    own = re.sub(r"\{[^}]*\}", "", text)
    return "".join(parts) + FILLER * -(-len(own) // 3)


class _Strange(NullTranslations):
    def gettext(self, message: str) -> str:
        return strange(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return strange(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:
        return strange(message)

    def npgettext(self, context: str, singular: str, plural: str, num: int) -> str:
        return strange(singular if num == 1 else plural)


class _Spoken(NamedTuple):
    """The language of every task, whatever its member's or server's is."""

    speech: language.Speech

    def get(self) -> language.Speech:
        return self.speech

    def set(self, _: language.Speech) -> None: ...

    def reset(self, _: None) -> None: ...


def speak_only(monkeypatch: pytest.MonkeyPatch, locale: str) -> None:
    """Let everybody be spoken to in one language."""
    spoken = language._speech_of(locale.replace("_", "-"))  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    monkeypatch.setattr(language, "_speech", _Spoken(spoken._replace(own=language.ENGLISH)))


def speak_strangely(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every text be in no language; dates, lists and numbers are Greek, so as to be told."""
    strangely = language.Speech("el", "en-US", Locale("el"), _Strange())
    monkeypatch.setattr(language, "_speech", _Spoken(strangely))


def names_of(label: str) -> set[str]:
    """What a button with this label in English may be called in the language that is spoken."""
    found = {label}
    for message, pattern, context in _labels():
        if facts := pattern.fullmatch(label):
            say = partial(language.pgettext, context) if context else language.gettext
            found.add(say(message).format(**facts.groupdict()))
    return found


@cache
def _labels() -> list[tuple[str, re.Pattern[str], str | None]]:
    """All messages that a label may be, with a pattern of what they become."""
    texts = [(one.text, one.context) for one in extracted() if len(one.text) <= _LONGEST_LABEL]
    return [
        (text, re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+)", re.escape(text))), context)
        for text, context in texts
        if isinstance(text, str)
    ]
