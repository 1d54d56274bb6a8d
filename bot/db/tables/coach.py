"""Tables of the coach: analyses, hints, pars."""

from sqlalchemy import (
    CheckConstraint,
    Float,
    ForeignKey,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from bot.db.tables.kinds import RowId, UtcDateTime, Word, metadata, plain
from bot.games.model import HintKind

analyses = Table(
    "analyses",
    metadata,
    plain("id", RowId, primary_key=True),
    plain("play_id", ForeignKey("plays.id", ondelete="CASCADE")),
    plain("mastermind_id", ForeignKey("masterminds.id", ondelete="CASCADE")),
    plain("duel_id", ForeignKey("duels.id", ondelete="CASCADE")),
    plain("seat", Integer, nullable=False, doc="whose guesses in a duel; else 0"),
    plain("version", Integer, nullable=False, doc="of the coach that wrote it"),
    plain("facts", Text, nullable=False, doc="JSON"),
    plain("remaining", Text, nullable=False, doc="how many were possible after each guess"),
    plain("made_at", UtcDateTime, nullable=False),
    UniqueConstraint("play_id", "seat"),
    UniqueConstraint("mastermind_id", "seat"),
    UniqueConstraint("duel_id", "seat"),
    CheckConstraint(
        "CASE WHEN play_id IS NULL THEN 0 ELSE 1 END"
        " + CASE WHEN mastermind_id IS NULL THEN 0 ELSE 1 END"
        " + CASE WHEN duel_id IS NULL THEN 0 ELSE 1 END = 1",
        name="of_one_game",
    ),
    comment="What the coach found in a finished game; may be worked out again.",
)

hints = Table(
    "hints",
    metadata,
    plain("id", RowId, primary_key=True),
    plain("play_id", ForeignKey("plays.id", ondelete="CASCADE")),
    plain("mastermind_id", ForeignKey("masterminds.id", ondelete="CASCADE")),
    plain("turn", Integer, nullable=False, doc="guesses made before it"),
    plain("kind", Word(HintKind, 16), nullable=False, doc="symbol; before, count or suggestion"),
    plain("answer", String(64), nullable=False, doc="a place and a symbol, a number, or a code"),
    plain("given_at", UtcDateTime, nullable=False),
    UniqueConstraint("play_id", "turn", "kind", "answer"),
    UniqueConstraint("mastermind_id", "turn", "kind", "answer"),
    CheckConstraint("(play_id IS NULL) <> (mastermind_id IS NULL)", name="of_one_game"),
    comment="What a player was told during a game.",
)

pars = Table(
    "pars",
    metadata,
    plain("number", Integer, primary_key=True, autoincrement=False),
    plain("length", Integer, primary_key=True, autoincrement=False),
    plain("mean", Float, nullable=False, doc="guesses the solver takes"),
    plain("runs", Integer, nullable=False, doc="how many games that comes from"),
    plain("made_at", UtcDateTime, nullable=False),
    comment="How hard a daily is.",
)
