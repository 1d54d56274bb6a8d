"""What the shared parts of the bot must know of races."""

from datetime import datetime
from typing import Final

from bot.db.tables.games import analyses, race_guesses, race_seats, races
from bot.feature import Feature, FinishedGames, Part, Row, Section, UnfinishedGames, withhold
from bot.games.model import Source
from bot.races import store
from bot.races.game import going_on, leave_all
from bot.races.model import FinishedRace, RaceView
from bot.races.pages import (
    COMMAND,
    HELP_TOPIC,
    SENTENCES,
    TOGETHER,
    finished_line,
    listed,
    post_link,
)


def _redact(row: Row, player_id: str, _now: datetime) -> None:
    """Leave out the others' guesses; withhold the secret while the race goes on."""
    row["seats"] = [seat for seat in row["seats"] if seat["player_id"] == player_id]
    own = {seat["seat"] for seat in row["seats"]}
    for part in ("guesses", "analyses"):
        row[part] = [one for one in row[part] if one["seat"] in own]
    if row["finished_at"] is None:
        withhold(row, ["secret", "salt"])


RACES: Final = Feature(
    source=Source.RACE,
    sentences=SENTENCES,
    leave=leave_all,
    erase=store.erase,
    show_anew=store.show_anew,
    drop_ended=store.drop_ended,
    sections=(
        Section(
            "races",
            races,
            where=store.names,
            parts=(
                Part("seats", race_seats.c.race_id),
                Part("guesses", race_guesses.c.race_id),
                Part("analyses", analyses.c.race_id),
            ),
            goes_on=store.UNFINISHED,
            redact=_redact,
        ),
    ),
    unfinished=UnfinishedGames(noun=RaceView, find=going_on, line=listed, post=post_link),
    finished=FinishedGames(
        noun=FinishedRace, ended=store.ended, rows=store.finished, line=finished_line
    ),
    topics=(HELP_TOPIC,),
    commands=(COMMAND,),
    together=TOGETHER,
)
