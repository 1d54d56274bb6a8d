"""Translations made up for tests."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from bot.text import language


@contextmanager
def german(
    folder: Path, monkeypatch: pytest.MonkeyPatch, words: Mapping[str, str]
) -> Generator[None]:
    """Let there be these translations, and no others."""
    catalogue = Catalog(locale="de")
    for message, translation in words.items():
        catalogue.add(message, translation)
    path = folder / "de" / "LC_MESSAGES" / "messages.mo"
    path.parent.mkdir(parents=True)
    with path.open("wb") as file:
        write_mo(file, catalogue)
    monkeypatch.setattr(language, "CATALOGUES", folder)
    language._catalogue.cache_clear()  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    yield
    language._catalogue.cache_clear()  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
