"""What the shared parts of the bot must know of Mastermind."""

from datetime import datetime
from typing import Final

from bot.db.database import Transaction
from bot.db.tables.games import analyses, hints, mastermind_turns, masterminds
from bot.feature import Feature, FinishedGames, Part, Row, Section, UnfinishedGames, withhold
from bot.games.model import Source
from bot.mastermind import store
from bot.mastermind.game import MastermindTransaction
from bot.mastermind.model import FinishedMastermind, Kind, MastermindGame
from bot.mastermind.pages import COMMAND, HELP_TOPIC, RULES_TOPIC, SENTENCES, finished_line, listed


def _redact(row: Row, player_id: str, _now: datetime) -> None:
    """Hide the salt, and any code but the player's own, until the game is over.

    Both stay hidden if it is a challenge that nobody has accepted.
    """
    is_own = row["kind"] in {Kind.DEFEND, Kind.CHALLENGE} and row["owner_id"] == player_id
    # A code that nobody tried to break may be used again.
    was_tried = row["kind"] != Kind.CHALLENGE or row["accepted_at"] is not None
    if not (row["finished_at"] is not None and was_tried):
        withhold(row, ["salt"] if is_own else ["secret", "salt"])


def _leave(tx: Transaction, player_id: int, now: datetime) -> list[str]:
    work = MastermindTransaction(tx, now)
    work.leave_all(player_id)
    return [*work.report()]


MASTERMIND: Final = Feature(
    source=Source.MASTERMIND,
    sentences=SENTENCES,
    leave=_leave,
    erase=store.erase,
    show_anew=store.show_anew,
    drop_ended=store.drop_ended,
    sections=(
        Section(
            "mastermind",
            masterminds,
            where=store.names,
            parts=(
                Part("turns", mastermind_turns.c.game_id),
                Part("hints", hints.c.mastermind_id),
                Part("analyses", analyses.c.mastermind_id),
            ),
            goes_on=store.GOES_ON,
            redact=_redact,
        ),
    ),
    unfinished=UnfinishedGames(noun=MastermindGame, find=store.open_of, line=listed),
    finished=FinishedGames(
        noun=FinishedMastermind, ended=store.ended, rows=store.finished, line=finished_line
    ),
    topics=(HELP_TOPIC, RULES_TOPIC),
    commands=(COMMAND,),
)
