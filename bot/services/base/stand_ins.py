"""Players who have deleted their data: others' games name a stand-in for them."""


def is_forgotten(player_id: int) -> bool:
    """Whether an id is a stand-in; each deletion has its own, below 0, where Discord has none."""
    return player_id < 0
