"""What the shared parts of the bot must know of races."""

from datetime import datetime
from typing import Final

from bot.db.database import Transaction
from bot.db.tables.games import analyses, race_guesses, race_seats, races
from bot.feature import EndedGames, Feature, OpenGames, Part, Row, Section, Tally, withhold
from bot.focdle.model import NoSuchPlayError, Play
from bot.games.model import Finished, GameName, Record, Role, Source, StillPlayingError
from bot.people import store as people_store
from bot.people.model import Choices
from bot.races import model, store, words
from bot.races.game import going_on, leave_all
from engine import Focdle


def _redact(row: Row, player_id: str, _now: datetime) -> None:
    """Leave out the others' guesses; withhold the secret while the race goes on."""
    row["seats"] = [seat for seat in row["seats"] if seat["player_id"] == player_id]
    own = {seat["seat"] for seat in row["seats"]}
    for part in ("guesses", "analyses"):
        row[part] = [one for one in row[part] if one["seat"] in own]
    if row["finished_at"] is None:
        withhold(row, ["secret", "salt"])


def _review(tx: Transaction, player_id: int, name: GameName, _now: datetime) -> Finished:
    """A player's own guesses in a race; nobody reads the others' reviews."""
    race = store.get(tx, name.id)
    if race is None:
        raise model.NoSuchRaceError
    seat = race.seat_of(player_id)
    if seat is None:
        raise model.NotInRaceError
    if race.stage is not model.Stage.OVER:
        raise StillPlayingError
    return Finished(
        player_id=player_id,
        name=GameName(Source.RACE, race.id, seat.seat),
        record=Record(race.rules, race.rules.encode(), race.secret, race.game(seat).turns),
        role=Role.OWN,
        breaker_id=player_id,
        guild_id=race.guild_id,
        is_drawn=True,
    )


def _play(tx: Transaction, player_id: int, name: GameName, now: datetime) -> Play:
    """Read a player's guesses at a FoCdle as a play of its own."""
    race = store.get(tx, name.id)
    seat = None if race is None else race.seat_of(player_id)
    if race is None or seat is None or not isinstance(race.rules, Focdle):
        raise NoSuchPlayError
    choices = people_store.choices.get(tx, player_id) or Choices()
    return model.RaceBoard(model.RaceView(race, now), seat, choices).play(race.rules)


def _on_page(view: model.RaceView) -> GameName:
    return GameName(Source.RACE, view.race.id)


RACES: Final = Feature(
    sentences=words.SENTENCES,
    gone=(model.NoSuchRaceError, model.NotInRaceError),
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
    unfinished=OpenGames(
        noun=model.RaceView,
        find=going_on,
        line=words.listed,
        post=words.post_link,
        on_page=_on_page,
    ),
    finished=EndedGames(
        source=Source.RACE,
        noun=model.FinishedRace,
        ended=store.ended,
        rows=store.finished,
        line=words.finished_line,
        review=_review,
        title=words.HELP_TITLE,
        play=_play,
    ),
    tally=Tally(noun=model.RaceCounts, count=store.counts_of, section=words.race_counts),
    topics=(words.HELP_TOPIC,),
    commands=(words.COMMAND,),
    together=words.TOGETHER,
)
