"""What the shared parts of the bot must know of FoCdle: dailies and practices."""

from datetime import datetime
from typing import Final

from bot.clock import PuzzleName, date_in, ended_everywhere_at
from bot.db.database import Transaction
from bot.db.tables.games import analyses, guesses, hints, plays, puzzles
from bot.feature import EndedGames, Feature, OpenGames, Part, Row, Section, withhold
from bot.focdle import store
from bot.focdle.ending_words import finished_line, listed
from bot.focdle.game import unfinished_of
from bot.focdle.model import FinishedPlay, NoSuchPlayError, NotYourPlayError, Play
from bot.focdle.plays import read_bare
from bot.focdle.words import COMMANDS, HELP_TOPIC, RULES_TOPIC, SENTENCES, STREAKS_TOPIC
from bot.games.model import Finished, GameName, Record, Role, Source, StillPlayingError, Unfinished
from bot.leaderboards.words import HELP_TOPIC as STANDINGS_TOPIC


def _redact(row: Row, _player_id: str, now: datetime) -> None:
    """Withhold a FoCdle's secret, and what tells of it, while the play or its date goes on.

    Add the date of a daily, which is not stored.
    """
    (puzzle,) = row["puzzle"]
    row["puzzle"] = puzzle
    number = puzzle["number"]
    if number is not None:
        puzzle["day"] = PuzzleName(number, puzzle["length"]).day
    runs = number is not None and now < ended_everywhere_at(PuzzleName(number, puzzle["length"]))
    if row["finished_at"] is None or runs:
        withhold(puzzle, ["secret", "salt", "difficulty"])
        for analysis in row["analyses"]:
            withhold(analysis, ["facts"])


def _review(tx: Transaction, player_id: int, name: GameName, now: datetime) -> Finished:
    play = read_bare(tx, player_id, name.id, now)
    if play.game.outcome is None:
        raise StillPlayingError
    rules, game = play.rules, play.game
    return Finished(
        player_id=player_id,
        name=GameName(Source.PLAY, play.id, 0),
        record=Record(rules, rules.encode(), game.secret, game.turns, hints=play.hints),
        role=Role.OWN,
        breaker_id=player_id,
        puzzle=play.puzzle,
        guild_id=play.guild_id,
        is_drawn=not play.is_set,
        set_on=date_in(play.zone, play.opened_at) if play.is_set else None,
        setter=(play.setter or "") if play.is_set else None,
    )


def _play(tx: Transaction, player_id: int, name: GameName, now: datetime) -> Play:
    return read_bare(tx, player_id, name.id, now)


def _on_page(game: Unfinished) -> GameName | None:
    return None if game.is_today else GameName(Source.PLAY, game.play_id)


FOCDLE: Final = Feature(
    sentences=SENTENCES,
    gone=(NoSuchPlayError, NotYourPlayError),
    erase=store.erase,
    sections=(
        Section(
            "focdle",
            plays,
            parts=(
                Part("puzzle", puzzles.c.id, "puzzle_id"),
                Part("guesses", guesses.c.play_id),
                Part("hints", hints.c.play_id),
                Part("analyses", analyses.c.play_id),
            ),
            redact=_redact,
        ),
    ),
    unfinished=OpenGames(noun=Unfinished, find=unfinished_of, line=listed, on_page=_on_page),
    finished=EndedGames(
        source=Source.PLAY,
        noun=FinishedPlay,
        ended=store.ended,
        rows=store.finished,
        line=finished_line,
        review=_review,
        play=_play,
    ),
    topics=(HELP_TOPIC, RULES_TOPIC, STREAKS_TOPIC, STANDINGS_TOPIC),
    commands=COMMANDS,
)
