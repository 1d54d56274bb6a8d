"""Translations made up for tests."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.support import NullTranslations

from bot.text import language


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
    language._catalogue.cache_clear()  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    yield
    language._catalogue.cache_clear()  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]


FILLER = "~"
"""What makes each text longer; no text of the bot's ends so."""


class _Longer(NullTranslations):
    def gettext(self, message: str) -> str:
        return longer(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return longer(msgid1 if n == 1 else msgid2)


def longer(text: str) -> str:
    """A text that is a third longer."""
    return text + FILLER * -(-len(text) // 3)


def speak_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every text be a third longer, as in some languages."""

    def catalogue(_locale: Locale) -> NullTranslations:
        return _Longer()

    monkeypatch.setattr(language, "_catalogue", catalogue)
