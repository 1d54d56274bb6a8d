"""Addresses of PostgreSQL as who rents one out gives them: with parameters that libpq knows."""

from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import URL

CONNECT_SECONDS: Final = 2.0
"""How long connecting may take, unless the address says otherwise."""

# What the driver itself reads out of an address, which has no other way for some.
_OF_DRIVER: Final = frozenset(
    {"sslmode", "sslcert", "sslkey", "sslrootcert", "sslcrl", "passfile", "target_session_attrs"}
)
_SSL_MODES: Final = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")
_OF_SERVER: Final = frozenset({"application_name", "options"})
_OF_SQLALCHEMY: Final = frozenset({"host", "port"})
# The driver does all it can of these by itself, or has no such thing.
_LEFT_OUT: Final = frozenset(
    {
        "channel_binding",
        "client_encoding",
        "gssencmode",
        "keepalives",
        "keepalives_count",
        "keepalives_idle",
        "keepalives_interval",
        "prepared_statement_cache_size",
        "tcp_user_timeout",
    }
)
# As libpq calls what the driver calls otherwise.
_OTHER_NAMES: Final = {"ssl": "sslmode", "timeout": "connect_timeout"}


class ParameterError(ValueError):
    """An address has a parameter that cannot be used; the message is its name alone."""


def split(url: URL) -> tuple[URL, dict[str, Any]]:
    """An address without its parameters, and what the driver is to be given for them.

    Raises:
        ParameterError: nobody knows one of them, or its value.
    """
    given: Mapping[str, str | tuple[str, ...]] = url.query
    kept = {name: value for name, value in given.items() if name in _OF_SQLALCHEMY}
    of_driver, of_server = dict[str, str](), dict[str, str]()
    seconds = CONNECT_SECONDS
    for told in sorted(given.keys() - _OF_SQLALCHEMY - _LEFT_OUT):
        name, value = _OTHER_NAMES.get(told, told), given[told]
        value = value if isinstance(value, str) else value[-1]
        if name in _OF_SERVER:
            of_server[name] = value
        elif name == "connect_timeout" and value.isdecimal():
            seconds = max(float(value), CONNECT_SECONDS)
        elif name in _OF_DRIVER and (name != "sslmode" or value in _SSL_MODES):
            of_driver[name] = value
        else:
            raise ParameterError(told)
    arguments: dict[str, Any] = {"timeout": seconds}
    if of_driver:
        address = URL.create("postgresql", query=of_driver)
        arguments["dsn"] = address.render_as_string(hide_password=False)
    if of_server:
        arguments["server_settings"] = of_server
    return url.set(query=kept), arguments
