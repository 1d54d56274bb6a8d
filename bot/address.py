"""Addresses to listen at: `HEALTH_ADDRESS`, `WEB_ADDRESS`."""

import re
from ipaddress import ip_address
from typing import Final, NamedTuple

from bot.errors import BotError

HEALTH_ADDRESS: Final = "HEALTH_ADDRESS"
WEB_ADDRESS: Final = "WEB_ADDRESS"
"""The names of the two settings."""
HERE: Final = "127.0.0.1"
"""The loopback address, which only this machine's programs can reach."""

# A port by itself or after a host: a name, an address, or one with colons in brackets.
_WRITTEN: Final = re.compile(r"(?:(?:([A-Za-z0-9.-]+)|\[([0-9A-Fa-f:.]+)\]):)?(\d{1,5})", re.ASCII)
_MOST: Final = 65535


class CannotListenError(BotError):
    """The bot cannot listen at an address.

    `may_pass` is true if another program listens there now: it may stop later.
    """

    def __init__(self, address: "Address", reason: str, setting: str, *, may_pass: bool) -> None:
        super().__init__(f"{address}: {reason}")
        self.setting = setting
        self.address = address
        self.reason = reason
        self.may_pass = may_pass


class Address(NamedTuple):
    """A host and a port; port 0 is any that is free."""

    host: str
    port: int

    def __str__(self) -> str:
        """Format the address.

        >>> str(Address("::1", 80)), str(Address("127.0.0.1", 80))
        ('[::1]:80', '127.0.0.1:80')
        """
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"

    def excludes(self, other: "Address") -> bool:
        """Return true if only one of both can be listened at: `0.0.0.0` and `::` are everywhere."""
        everywhere = {"0.0.0.0", "::"}  # noqa: S104 - to compare
        hosts = {self.host, other.host}
        return self.port == other.port and (len(hosts) == 1 or not hosts.isdisjoint(everywhere))

    @property
    def asked_at(self) -> "Address":
        """Where programs on this machine reach the server: loopback for `0.0.0.0` and `::`."""
        nowhere = {"0.0.0.0": HERE, "::": "::1"}  # noqa: S104 - to ask there, not to listen
        return self._replace(host=nowhere.get(self.host, self.host))


def read_address(text: str) -> Address | None:
    """Parse an address: a host and a port, or only a port of this machine.

    Return None for an empty text. Raise ValueError for any other text that is no address.
    """
    if not text:
        return None
    found = _WRITTEN.fullmatch(text)
    if found is None:
        raise ValueError
    name, numbers, port = found.groups()
    if numbers is not None:
        ip_address(numbers)  # rejects wrong numbers of colons
    if not 0 < int(port) <= _MOST:
        raise ValueError
    return Address(name or numbers or HERE, int(port))
