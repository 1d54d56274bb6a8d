"""PostgreSQL URLs as hosting services hand them out, with libpq's parameters."""

from typing import Any, Final

from sqlalchemy import URL

CONNECT_SECONDS: Final = 2
"""The time limit for connecting; a URL can set a longer one, but none that is shorter."""

_SSL_MODES: Final = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")
_KNOWN: Final = frozenset(
    {
        "application_name",
        "channel_binding",
        "client_encoding",
        "connect_timeout",
        "gssencmode",
        "host",
        "keepalives",
        "keepalives_count",
        "keepalives_idle",
        "keepalives_interval",
        "options",
        "passfile",
        "port",
        "sslcert",
        "sslcrl",
        "sslkey",
        "sslmode",
        "sslrootcert",
        "target_session_attrs",
        "tcp_user_timeout",
    }
)
# TCP keepalives notice a server that vanished, after about a minute.
_DEFAULTS: Final = {"keepalives_idle": "30", "keepalives_interval": "5", "keepalives_count": "2"}


class ParameterError(ValueError):
    """A parameter of a URL cannot be used; the message is only the parameter's name."""


def with_defaults(url: URL) -> URL:
    """Return a URL with our defaults for parameters that it lacks, in libpq's names.

    Raises `ParameterError` for a parameter that we do not know or understand.
    """
    given: dict[str, Any] = {"connect_timeout": str(CONNECT_SECONDS), **_DEFAULTS}
    for name in sorted(url.query):
        value = url.query[name]
        value = value if isinstance(value, str) or name in {"host", "port"} else value[-1]
        is_number = name != "connect_timeout" or str(value).isdecimal()
        is_mode = name != "sslmode" or value in _SSL_MODES
        if name not in _KNOWN or not is_number or not is_mode:
            raise ParameterError(name)
        given[name] = value
    given["connect_timeout"] = str(max(int(given["connect_timeout"]), CONNECT_SECONDS))
    return url.set(query=given)
