"""Fixtures of services alone."""

from collections.abc import Generator

import pytest

from tests.support.key_watch import watched


@pytest.fixture
def keys_watched(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Generator[None]:
    """What use cases write is theirs to write: they hold its key."""
    request.getfixturevalue("databases")  # which are migrated unwatched
    with watched(monkeypatch) as watch:
        yield
    assert not watch.wrong
