"""Stand-ins: the ids that other players' games name in place of who has deleted their data."""


def is_forgotten(player_id: int) -> bool:
    """Whether an id is a stand-in; each deletion has its own, below 0, where Discord has none."""
    return player_id < 0
