"""Log lines are readable and hold no secret."""

import logging
from collections.abc import Iterator

import pytest

from bot.logs import configure_logs


@pytest.fixture(autouse=True)
def _restore_logging() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:], root.level = handlers, level


def test_secrets_are_blotted_out_tracebacks_included(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs("INFO", secrets=("tok-123", "", "key-456"))
    try:
        raise ValueError("key-456")
    except ValueError:
        logging.getLogger("x").exception("with %s", "tok-123")
    line = capsys.readouterr().err
    assert "tok-123" not in line
    assert "key-456" not in line
    assert "ERROR   x: with [hidden]" in line
    assert "ValueError: [hidden]" in line


def test_an_event_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs("INFO")
    logging.getLogger("bot.app").info("ready as %s in %d servers", "FoCdle", 3)
    logging.getLogger("bot.app").debug("unseen")
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith(" INFO    bot.app: ready as FoCdle in 3 servers")
