"""Addresses of PostgreSQL are taken as those who rent one out give them."""

import pytest
from sqlalchemy import make_url

from bot.db.postgres_url import CONNECT_SECONDS, ParameterError, split


@pytest.mark.parametrize(
    ("query", "arguments"),
    [
        ("", {"timeout": CONNECT_SECONDS}),
        ("?sslmode=require", {"dsn": "postgresql://?sslmode=require"}),
        ("?ssl=require", {"dsn": "postgresql://?sslmode=require"}),
        ("?sslmode=require&channel_binding=require", {"dsn": "postgresql://?sslmode=require"}),
        (
            "?options=endpoint%3Dep-1&keepalives=1",
            {"server_settings": {"options": "endpoint=ep-1"}},
        ),
        ("?connect_timeout=1000", {"timeout": 1000.0}),
        ("?connect_timeout=0", {}),
        (
            "?sslmode=verify-full&sslrootcert=/ca.pem&application_name=bot",
            {
                "dsn": "postgresql://?sslmode=verify-full&sslrootcert=%2Fca.pem",
                "server_settings": {"application_name": "bot"},
            },
        ),
    ],
)
def test_parameters_reach_the_driver(query: str, arguments: dict[str, object]) -> None:
    address, given = split(make_url(f"postgresql://me:pw@db/x{query}"))
    assert address == make_url("postgresql://me:pw@db/x")
    assert given == {"timeout": CONNECT_SECONDS, **arguments}


def test_where_a_server_is_stays_in_the_address() -> None:
    url = make_url("postgresql://me@/x?host=/run/postgresql&port=5433")
    assert split(url)[0] == url


@pytest.mark.parametrize(
    "query", ["sslmode=always", "pgbouncer=true", "connect_timeout=soon", "password=pw-123"]
)
def test_what_nobody_knows_is_named_without_its_value(query: str) -> None:
    with pytest.raises(ParameterError) as refused:
        split(make_url(f"postgresql://me@db/x?{query}"))
    assert str(refused.value) == query.partition("=")[0]
