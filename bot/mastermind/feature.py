"""What the shared parts of the bot must know of Mastermind."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Self

from bot.clock import Clock
from bot.db.database import Database, Transaction
from bot.db.tables.games import analyses, hints, mastermind_turns, masterminds
from bot.feature import EndedGames, Feature, OpenGames, Part, Row, Section, withhold
from bot.games.model import (
    Finished,
    GameName,
    NotAPlayerError,
    Record,
    Role,
    Source,
    StillPlayingError,
)
from bot.mastermind import model, store, words
from bot.mastermind.challenges import Challenges
from bot.mastermind.defending import Defence
from bot.mastermind.game import Games, MastermindTransaction, MastermindTransactions
from bot.mastermind.model import Kind
from bot.mastermind.playing import Solo
from bot.outages import ALL, ShardRange
from bot.pool.pool import Pool
from engine import Turn


@dataclass(frozen=True, slots=True)
class MastermindServices:
    solo: Solo
    defence: Defence
    challenges: Challenges
    games: Games

    @classmethod
    def on(cls, database: Database, clock: Clock, pool: Pool, shards: ShardRange = ALL) -> Self:
        """Build the use cases; deadlines are swept in the servers of these shards."""
        transactions = MastermindTransactions(database, clock)
        return cls(
            Solo(transactions),
            Defence(transactions, pool),
            Challenges(transactions),
            Games(transactions, shards),
        )


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


def _review(tx: Transaction, player_id: int, name: GameName, _now: datetime) -> Finished:
    game = store.get(tx, name.id)
    if game is None:
        raise model.NoSuchGameError
    if player_id not in {game.owner_id, game.codebreaker_id}:
        if game.kind is Kind.CHALLENGE:
            players = (game.owner_id, game.codebreaker_id or game.owner_id)
            raise NotAPlayerError(player_ids=players, guild_id=game.guild_id)
        raise model.NotYourGameError(player_id=game.owner_id, guild_id=game.guild_id)
    if game.finished_at is None:
        raise StillPlayingError
    turns: tuple[Turn[Any], ...] = game.turns
    is_solved = bool(turns) and game.rules.solved(turns[-1].feedback)
    secret = game.hidden_code or (turns[-1].guess if is_solved else None)
    roles = {None: Role.BOT, player_id: Role.OWN}
    return Finished(
        player_id=player_id,
        name=GameName(Source.MASTERMIND, game.id, 0),
        record=Record(game.rules, game.rules.encode(), secret, turns, hints=game.hints),
        role=roles.get(game.codebreaker_id, Role.OTHER),
        breaker_id=game.codebreaker_id,
        guild_id=game.guild_id,
        is_drawn=game.kind is Kind.PLAY,
    )


def _on_page(game: model.MastermindGame) -> GameName | None:
    return None if game.kind is Kind.DEFEND else GameName(Source.MASTERMIND, game.id)


MASTERMIND: Final = Feature(
    sentences=words.SENTENCES,
    gone=(model.NoSuchGameError, model.NotYourGameError),
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
    unfinished=OpenGames(
        noun=model.MastermindGame, find=store.open_of, line=words.listed, on_page=_on_page
    ),
    finished=EndedGames(
        source=Source.MASTERMIND,
        noun=model.FinishedMastermind,
        ended=store.ended,
        rows=store.finished,
        line=words.finished_line,
        review=_review,
        title=words.NAME,
    ),
    topics=(words.HELP_TOPIC, words.RULES_TOPIC),
    commands=(words.COMMAND,),
)
