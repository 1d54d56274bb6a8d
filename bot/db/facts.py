"""Facts: a key-value table of what the bot remembers about itself; digests of ids, by its key."""

import hashlib
import hmac
import secrets
from collections.abc import Iterable
from typing import Final

from sqlalchemy import delete, select

from bot.db import keyed
from bot.db.database import Transaction
from bot.db.tables.bookkeeping import facts


def get(tx: Transaction, name: str) -> str | None:
    return tx.scalar(select(facts.c.value).where(facts.c.name == name))


def beginning_with(tx: Transaction, prefix: str) -> dict[str, str]:
    query = select(facts.c.name, facts.c.value).where(facts.c.name.startswith(prefix))
    return {row.name: row.value for row in tx.execute(query)}


def remove(tx: Transaction, name: str) -> None:
    tx.execute(delete(facts).where(facts.c.name == name))


def put(tx: Transaction, name: str, value: str) -> None:
    keyed.put(tx, facts, {"name": name}, {"value": value})


_KEY: Final = "digest_key"
_BYTES: Final = 32


def digest_key(tx: Transaction) -> str:
    """Return the secret key of digests that outlive deletions; the first call makes it."""
    key = get(tx, _KEY)
    if key is None:
        key = secrets.token_hex(_BYTES)
        put(tx, _KEY, key)
    return key


def keyed_hash(key: str, what: str, ids: Iterable[int]) -> str:
    """Hash ids with a secret key. Without it, nobody can try ids until one gives the same hash."""
    text = ":".join([what, *map(str, ids)])
    return hmac.new(key.encode(), text.encode(), hashlib.sha256).hexdigest()


def digest(tx: Transaction, what: str, *ids: int) -> str:
    return keyed_hash(digest_key(tx), what, ids)
