"""Addresses of PostgreSQL are taken as those who rent one out give them."""

import pytest
from sqlalchemy import make_url

from bot.db.postgres_url import ParameterError, with_defaults

DEFAULTS = {
    "connect_timeout": "2",
    "keepalives_idle": "30",
    "keepalives_interval": "5",
    "keepalives_count": "2",
}


@pytest.fixture(autouse=True)
def as_the_bot_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.db.postgres_url.CONNECT_SECONDS", 2)


@pytest.mark.parametrize(
    ("query", "given"),
    [
        ("", {}),
        ("?sslmode=require", {"sslmode": "require"}),
        (
            "?sslmode=require&channel_binding=require",
            {"sslmode": "require", "channel_binding": "require"},
        ),
        ("?options=endpoint%3Dep-1&keepalives=1", {"options": "endpoint=ep-1", "keepalives": "1"}),
        (
            "?keepalives_idle=60&keepalives_count=9",
            {"keepalives_idle": "60", "keepalives_count": "9"},
        ),
        ("?connect_timeout=20", {"connect_timeout": "20"}),
        ("?connect_timeout=0", {}),
        (
            "?connect_timeout=5&connect_timeout=1&application_name=a&application_name=b",
            {"application_name": "b"},
        ),
        (
            "?sslmode=verify-full&sslrootcert=/ca.pem&application_name=bot",
            {"sslmode": "verify-full", "sslrootcert": "/ca.pem", "application_name": "bot"},
        ),
    ],
)
def test_parameters_of_the_url_reach_the_driver(query: str, given: dict[str, str]) -> None:
    address = with_defaults(make_url(f"postgresql://me:pw@db/x{query}"))
    assert address.set(query={}) == make_url("postgresql://me:pw@db/x")
    assert dict(address.query) == DEFAULTS | given


def test_the_host_parameter_of_a_postgres_url_is_kept() -> None:
    url = make_url("postgresql://me@/x?host=/run/postgresql&port=5433")
    assert dict(with_defaults(url).query) == DEFAULTS | url.query


def test_several_host_parameters_of_a_postgres_url_are_kept() -> None:
    url = make_url("postgresql://me@/x?host=one:5432&host=other:5433")
    assert with_defaults(url).query["host"] == ("one:5432", "other:5433")


@pytest.mark.parametrize(
    "query",
    ["sslmode=always", "pgbouncer=true", "ssl=require", "connect_timeout=soon", "password=pw-123"],
)
def test_an_unknown_parameter_is_named_without_its_value(query: str) -> None:
    with pytest.raises(ParameterError) as refused:
        with_defaults(make_url(f"postgresql://me@db/x?{query}"))
    assert str(refused.value) == query.partition("=")[0]
