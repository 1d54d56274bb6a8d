"""What the shared parts of the bot must know of set equations."""

from datetime import datetime
from typing import Final

from bot.db.tables.games import equations, puzzles
from bot.equations import store, words
from bot.equations.model import EquationCounts, SetEquation
from bot.feature import Feature, OpenGames, Part, Row, Section, Tally, withhold


def _redact(row: Row, player_id: str, _now: datetime) -> None:
    """Withhold the code and the salt from a player who was invited and did not set the equation."""
    (row["puzzle"],) = row["puzzle"]
    if row["setter_id"] != player_id:
        withhold(row["puzzle"], ["secret", "salt"])


EQUATIONS: Final = Feature(
    sentences=words.SENTENCES,
    leave=store.close_all_of,
    show_anew=store.show_anew,
    drop_ended=store.drop_ended,
    sections=(
        Section(
            "equations",
            equations,
            ("setter_id", "invited_id"),
            parts=(Part("puzzle", puzzles.c.id, "puzzle_id"),),
            id="puzzle_id",
            redact=_redact,
        ),
    ),
    unfinished=OpenGames(
        noun=SetEquation, find=store.inviting, line=words.listed, post=words.post_link
    ),
    tally=Tally(noun=EquationCounts, count=store.counts_of, section=words.equation_counts),
    topics=(words.HELP_TOPIC,),
    commands=(words.COMMAND,),
    together=words.TOGETHER,
)
