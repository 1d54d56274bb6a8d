"""Who was pinged."""

from typing import Any

from simcord import MemberActor

from tests.support.table import Table


def called(table: Table, who: MemberActor) -> int:
    """How many messages have called somebody."""
    found = 0
    for request in table.env.http_requests:
        body: Any = request.json if request.method == "POST" else None
        data: Any = body and body.get("data", body)
        found += bool(data) and who.id in data.get("allowed_mentions", {}).get("users", [])
    return found
