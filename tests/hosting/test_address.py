"""Where programs ask how the bot is, as hosts write it."""

from pathlib import Path

import pytest

from bot.__main__ import main
from bot.address import read_address


@pytest.mark.parametrize(
    ("text", "address", "asked_at"),
    [
        ("9109", "127.0.0.1:9109", "127.0.0.1:9109"),
        ("0.0.0.0:9109", "0.0.0.0:9109", "127.0.0.1:9109"),
        ("[::]:9109", "[::]:9109", "[::1]:9109"),
        ("[fe80::1]:80", "[fe80::1]:80", "[fe80::1]:80"),
        ("bot.example.org:65535", "bot.example.org:65535", "bot.example.org:65535"),
    ],
)
def test_a_health_check_asks_this_machine_if_the_setting_is_a_port_or_all_addresses(
    text: str, address: str, asked_at: str
) -> None:
    found = read_address(text)
    assert found is not None
    assert str(found) == address
    assert str(found.asked_at) == asked_at
    assert read_address(address) == found


def test_a_blank_health_address_counts_as_unset() -> None:
    assert read_address("") is None


@pytest.mark.parametrize(
    "text",
    [
        *("0", "65536", "-1", "x", "9109 ", "９１０９"),
        *(":9109", "localhost", "localhost:", "a b:9109", "http://localhost:9109", "h:9109/x"),
        *("::1:9109", "[::1]", "[:::1]:9109", "[1.2.3]:9109", "user@host:9109"),
    ],
)
def test_an_invalid_health_address_is_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - whoever reads settings says which one
        read_address(text)


def test_a_blank_variable_does_not_hide_the_health_address_in_the_env_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HEALTH_ADDRESS", raising=False)
    assert main(["health"]) == 1
    assert capsys.readouterr().out.startswith("HEALTH_ADDRESS is not set")
    (tmp_path / ".env").write_text("HEALTH_ADDRESS=nowhere\n")
    monkeypatch.setenv("HEALTH_ADDRESS", " ")
    assert main(["health"]) == 1
    assert "nowhere" in capsys.readouterr().out
