"""Tables of games: FoCdle and streaks, Mastermind, duels and ratings; tables of the coach."""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Date,
    Float,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
    true,
)

from bot.db.tables.kinds import (
    AT_SERVER,
    IN_A_SERVER,
    PLACE,
    PLAYERS,
    SERVERS,
    STAND_IN,
    RowId,
    UtcDateTime,
    Word,
    metadata,
    plain,
)
from bot.effects import DateEffect

puzzles = Table(
    "puzzles",
    metadata,
    plain("id", RowId, primary_key=True),
    plain("number", Integer, doc="days since 2026-01-01, plus one; null in practice"),
    plain("length", Integer, nullable=False),
    plain("rules", String(64), nullable=False),
    plain("secret", String(64), nullable=False),
    plain("salt", String(32), nullable=False, doc="of the commitment"),
    plain("closes_at", UtcDateTime, doc="of an equation that a player has set; else null"),
    plain("difficulty", Integer, doc="for people, in hundredths of a guess; null until known"),
    UniqueConstraint("number", "length"),
    comment="A daily whose secret was fixed when first opened, a practice, or a set equation.",
    sqlite_autoincrement=True,
)

plays = Table(
    "plays",
    metadata,
    plain("id", RowId, primary_key=True),
    plain("puzzle_id", ForeignKey("puzzles.id"), nullable=False),
    Column("player_id", BigInteger, nullable=False, index=True, info=PLAYERS, doc="Discord user"),
    Column(
        "guild_id", BigInteger, index=True, info=AT_SERVER, doc="Discord server, or null in private"
    ),
    plain("zone", String(64), nullable=False, doc="IANA zone it was opened with"),
    plain("hard", Boolean, nullable=False, doc="hard mode, from the first guess on"),
    plain("opened_at", UtcDateTime, nullable=False),
    plain("finished_at", UtcDateTime),
    plain("outcome", String(16)),
    plain("on_date", Boolean, nullable=False, doc="finished while its date was today"),
    plain("dismissed_at", UtcDateTime, doc="when it was taken off the unfinished; null if not"),
    plain(
        "counts",
        Boolean,
        nullable=False,
        server_default=true(),
        doc="false within seven days after its player had deleted their data",
    ),
    UniqueConstraint("puzzle_id", "player_id"),
    Index(None, "puzzle_id", "guild_id"),
    CheckConstraint("(finished_at IS NULL) = (outcome IS NULL)", name="finished_with_outcome"),
    comment="One player's one play of one puzzle.",
    sqlite_autoincrement=True,
)

guesses = Table(
    "guesses",
    metadata,
    plain("play_id", ForeignKey("plays.id", ondelete="CASCADE"), primary_key=True),
    plain("turn", Integer, primary_key=True, doc="0-based"),
    plain("code", String(64), nullable=False),
    plain("guessed_at", UtcDateTime, nullable=False),
    UniqueConstraint("play_id", "code"),
)

streaks = Table(
    "streaks",
    metadata,
    Column("player_id", BigInteger, primary_key=True, autoincrement=False, info=PLAYERS),
    plain("length", Integer, nullable=False),
    plain("best", Integer, nullable=False),
    plain("freezes", Integer, nullable=False),
    plain("settles_at", UtcDateTime, index=True, doc="when it may end by itself; null if never"),
    plain("assisted", Integer, nullable=False, server_default=text("0"), doc="dates with hints"),
    comment="A player's streak as it was last worked out from the plays.",
)

streak_changes = Table(
    "streak_changes",
    metadata,
    Column("player_id", BigInteger, primary_key=True, autoincrement=False, info=PLAYERS),
    plain("day", Date, primary_key=True),
    plain("reason", Word(DateEffect, 32), nullable=False),
    plain("before", Integer, nullable=False, doc="length"),
    plain("after", Integer, nullable=False, doc="length"),
    plain("freezes", Integer, nullable=False, doc="held after it"),
    comment="What each date did to a player's streak, and why.",
)

UNSHOWN: Final = text("message_id IS NOT NULL AND shown < revision")
"""The condition of games of Mastermind whose public board may be outdated."""

FLEETING: Final = text("kind = 'challenge' AND accepted_at IS NULL")
"""The condition of games of Mastermind in nobody's record: challenges not accepted."""

masterminds = Table(
    "masterminds",
    metadata,
    plain("id", RowId, primary_key=True),
    plain("kind", String(16), nullable=False, doc="play, defend or challenge"),
    plain("rules", String(64), nullable=False),
    plain("secret", String(64), doc="null where only its player knows it"),
    plain("salt", String(32), doc="of the commitment to it; null where there is none"),
    Column("owner_id", BigInteger, nullable=False, info=STAND_IN, doc="Discord user who opened it"),
    Column("codebreaker_id", BigInteger, info=STAND_IN, doc="Discord user, or null for the bot"),
    Column("guild_id", BigInteger, info=AT_SERVER, doc="where its public board is; else null"),
    Column("channel_id", BigInteger, info=PLACE),
    Column("message_id", BigInteger, info=PLACE, doc="its public board; null while there is none"),
    plain("revision", Integer, nullable=False, server_default="0", doc="how often it changed"),
    plain("shown", Integer, nullable=False, server_default="0", doc="the one its board shows"),
    plain("pending", String(64), nullable=False, doc="the row that is being put together"),
    plain("opened_at", UtcDateTime, nullable=False),
    plain(
        "moved_at",
        UtcDateTime,
        nullable=False,
        doc="when its player last did anything; after its end, when to edit its board",
    ),
    plain("deadline_at", UtcDateTime, nullable=False, doc="when it ends unless somebody goes on"),
    plain("accepted_at", UtcDateTime, doc="of a challenge"),
    plain("finished_at", UtcDateTime),
    plain("ending", String(16)),
    plain(
        "ranked",
        Boolean,
        nullable=False,
        server_default=true(),
        doc="whether boards may count it; settled before its first guess",
    ),
    plain(
        "relabelling",
        String(32),
        doc="what the solver's colours and places are called here; null if as they are",
    ),
    Index(None, "owner_id", "finished_at"),
    Index(None, "codebreaker_id", "finished_at"),
    Index(None, "finished_at", "deadline_at"),
    Index(None, "guild_id", sqlite_where=IN_A_SERVER, postgresql_where=IN_A_SERVER),
    Index(
        "ix_masterminds_fleeting", "finished_at", sqlite_where=FLEETING, postgresql_where=FLEETING
    ),
    Index("ix_masterminds_unshown", "id", sqlite_where=UNSHOWN, postgresql_where=UNSHOWN),
    CheckConstraint("(finished_at IS NULL) = (ending IS NULL)", name="finished_with_ending"),
    comment="A game of Mastermind of any kind.",
    sqlite_autoincrement=True,
)

mastermind_turns = Table(
    "mastermind_turns",
    metadata,
    plain("game_id", ForeignKey("masterminds.id", ondelete="CASCADE"), primary_key=True),
    plain("turn", Integer, primary_key=True, doc="0-based"),
    plain("code", String(64), nullable=False),
    plain("blacks", Integer, doc="as answered; null if not yet, or if there is a secret"),
    plain("whites", Integer, doc="likewise"),
    plain("guessed_at", UtcDateTime, nullable=False),
    CheckConstraint("whites IS NULL OR blacks IS NOT NULL", name="whites_after_blacks"),
)

UNPLAYED: Final = text("ending IN ('declined', 'withdrawn', 'lapsed')")
"""The condition of duels that ended before they were played."""

duels = Table(
    "duels",
    metadata,
    plain("id", RowId, primary_key=True),
    plain("rules", String(64), nullable=False),
    plain("mode", String(16), nullable=False, doc="equal or classic"),
    plain("friendly", Boolean, nullable=False, server_default=false(), doc="as was chosen"),
    plain("rated", Boolean, nullable=False, doc="settled when it is accepted"),
    plain("strength", String(16), doc="of the bot; null between players"),
    Column("challenger_id", BigInteger, nullable=False, info=STAND_IN),
    Column("guild_id", BigInteger, info=AT_SERVER, doc="Discord server, or null in private"),
    Column("channel_id", BigInteger, info=PLACE, doc="where its board is"),
    Column("message_id", BigInteger, info=PLACE),
    Column(
        "nudge_message_id",
        BigInteger,
        info=PLACE,
        doc="the message that last told whose turn it is",
    ),
    plain("state", String(16), nullable=False, doc="invited, setting, playing or over"),
    plain("draw_offered_by", Integer, doc="seat whose offer stands, or was accepted"),
    plain("draw_declined_by", Integer, doc="seat that declined one since the last guess"),
    plain("rematch_of", ForeignKey("duels.id", ondelete="SET NULL"), index=True),
    plain("terms", Integer, nullable=False, server_default=text("0"), doc="their version"),
    plain("opened_at", UtcDateTime, nullable=False, index=True),
    plain("moved_at", UtcDateTime, nullable=False, doc="since when whom it waits for is silent"),
    plain("accepted_at", UtcDateTime),
    plain("playing_at", UtcDateTime, doc="when the first turn began"),
    plain("deadline_at", UtcDateTime, doc="when the player waited for is late; null with the bot"),
    plain("finished_at", UtcDateTime),
    plain("ending", String(16)),
    plain("winner", Integer, doc="seat; null while it goes on, and for nobody"),
    plain(
        "version",
        Integer,
        nullable=False,
        server_default=text("0"),
        doc="of what its public board says",
    ),
    plain(
        "stale_at",
        UtcDateTime,
        index=True,
        doc="when to edit what Discord may show; null if it is right",
    ),
    plain("nudge_at", UtcDateTime, index=True, doc="when to see whether to say whose turn it is"),
    plain("claimed_at", UtcDateTime, doc="since when what calls a player may have been sent"),
    Index(None, "finished_at", "deadline_at"),
    Index("ix_duels_called_off", "finished_at", sqlite_where=UNPLAYED, postgresql_where=UNPLAYED),
    Index(None, "guild_id", "finished_at", sqlite_where=IN_A_SERVER, postgresql_where=IN_A_SERVER),
    CheckConstraint("(finished_at IS NULL) = (ending IS NULL)", name="finished_with_ending"),
    CheckConstraint("(finished_at IS NULL) = (state <> 'over')", name="over_when_finished"),
    CheckConstraint("winner IS NULL OR finished_at IS NOT NULL", name="winner_at_end"),
    comment="A duel of Bulls and Cows, from the challenge on.",
    sqlite_autoincrement=True,
)

duel_seats = Table(
    "duel_seats",
    metadata,
    plain("duel_id", ForeignKey("duels.id", ondelete="CASCADE"), primary_key=True),
    plain("seat", Integer, primary_key=True, doc="0 moves first, 1 second"),
    Column("player_id", BigInteger, info=STAND_IN, doc="Discord user, or null for the bot"),
    plain("secret", String(64), doc="what the other seat is to find; null until set"),
    plain("salt", String(32), doc="of the commitment to it; null where there is none"),
    plain(
        "offers",
        Integer,
        nullable=False,
        server_default=text("0"),
        doc="of a draw, since the last guess: the first one calls",
    ),
    UniqueConstraint("player_id", "duel_id"),
    CheckConstraint("seat IN (0, 1)", name="two_seats"),
)

duel_moves = Table(
    "duel_moves",
    metadata,
    plain("duel_id", ForeignKey("duels.id", ondelete="CASCADE"), primary_key=True),
    plain("number", Integer, primary_key=True, doc="0-based, of both players together"),
    plain("seat", Integer, nullable=False),
    plain("turn", Integer, nullable=False, doc="0-based, of this seat"),
    plain("code", String(64), nullable=False),
    plain("moved_at", UtcDateTime, nullable=False),
    UniqueConstraint("duel_id", "seat", "turn"),
)

duel_seeks = Table(
    "duel_seeks",
    metadata,
    plain("id", RowId, primary_key=True),
    Column("player_id", BigInteger, nullable=False, index=True, info=STAND_IN),
    Column("guild_id", BigInteger, nullable=False, index=True, info=SERVERS),
    Column("channel_id", BigInteger, nullable=False, info=PLACE),
    Column("message_id", BigInteger, info=PLACE, doc="its card; null while there is none"),
    plain("rules", String(64), nullable=False),
    plain("mode", String(16), nullable=False, doc="equal or classic"),
    plain("friendly", Boolean, nullable=False, doc="no rating can change"),
    plain("secret", String(64), nullable=False, doc="what whoever accepts is to find"),
    plain("opened_at", UtcDateTime, nullable=False),
    plain("ends_at", UtcDateTime, nullable=False, doc="when nobody can accept it any more"),
    plain("look_at", UtcDateTime, nullable=False, index=True, doc="when to look at the card"),
    plain("tried_at", UtcDateTime, doc="since when a process posts or edits the card"),
    comment="A card in a channel by which a player looks for an opponent; it goes when it ends.",
    sqlite_autoincrement=True,
)

ratings = Table(
    "ratings",
    metadata,
    Column("player_id", BigInteger, primary_key=True, autoincrement=False, info=PLAYERS),
    plain("mu", Float, nullable=False),
    plain("sigma", Float, nullable=False),
    plain("games", Integer, nullable=False, doc="rated ones"),
    plain("changed_at", UtcDateTime, nullable=False),
    plain("dates", Integer, nullable=False, server_default=text("0"), doc="in UTC, of rated games"),
    comment="How strong a player is thought to be, and how sure that is.",
)

rating_changes = Table(
    "rating_changes",
    metadata,
    plain("duel_id", ForeignKey("duels.id", ondelete="CASCADE"), primary_key=True),
    Column("player_id", BigInteger, primary_key=True, autoincrement=False, info=PLAYERS),
    Column("opponent_id", BigInteger, nullable=False, info=STAND_IN),
    plain("mu_before", Float, nullable=False),
    plain("sigma_before", Float, nullable=False),
    plain("mu_after", Float, nullable=False),
    plain("sigma_after", Float, nullable=False),
    plain("games", Integer, nullable=False, doc="rated ones, with this"),
    plain("changed_at", UtcDateTime, nullable=False),
    Index(None, "player_id", "opponent_id", "changed_at"),
    comment="What each rated duel did to a player's rating.",
)

analyses = Table(
    "analyses",
    metadata,
    plain("id", RowId, primary_key=True),
    plain("play_id", ForeignKey("plays.id", ondelete="CASCADE")),
    plain("mastermind_id", ForeignKey("masterminds.id", ondelete="CASCADE")),
    plain("duel_id", ForeignKey("duels.id", ondelete="CASCADE")),
    plain("race_id", ForeignKey("races.id", ondelete="CASCADE")),
    plain("seat", Integer, nullable=False, doc="whose guesses in a duel or race; else 0"),
    plain("version", Integer, nullable=False, doc="of the coach that wrote it"),
    plain("facts", Text, nullable=False, doc="JSON"),
    plain("made_at", UtcDateTime, nullable=False),
    UniqueConstraint("play_id", "seat"),
    UniqueConstraint("mastermind_id", "seat"),
    UniqueConstraint("duel_id", "seat"),
    UniqueConstraint("race_id", "seat"),
    CheckConstraint(
        "CASE WHEN play_id IS NULL THEN 0 ELSE 1 END"
        " + CASE WHEN mastermind_id IS NULL THEN 0 ELSE 1 END"
        " + CASE WHEN duel_id IS NULL THEN 0 ELSE 1 END"
        " + CASE WHEN race_id IS NULL THEN 0 ELSE 1 END = 1",
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
    plain("place", Integer, nullable=False, doc="the 0-based place of the shown symbol"),
    plain("symbol", String(1), nullable=False),
    plain("given_at", UtcDateTime, nullable=False),
    UniqueConstraint("play_id", "place"),
    UniqueConstraint("mastermind_id", "place"),
    CheckConstraint("(play_id IS NULL) <> (mastermind_id IS NULL)", name="of_one_game"),
    comment="A symbol that a player was shown during a game.",
)

equations = Table(
    "equations",
    metadata,
    plain("puzzle_id", ForeignKey("puzzles.id"), primary_key=True, autoincrement=False),
    Column("setter_id", BigInteger, nullable=False, info=STAND_IN, doc="Discord user"),
    Column("invited_id", BigInteger, info=STAND_IN, doc="who is pinged; null for nobody"),
    Column("guild_id", BigInteger, info=AT_SERVER),
    Column("channel_id", BigInteger, info=PLACE),
    Column("message_id", BigInteger, info=PLACE, doc="its post; null while there is none"),
    plain("opened_at", UtcDateTime, nullable=False),
    plain("accepted_at", UtcDateTime, doc="when the invited player opened a board"),
    plain("look_at", UtcDateTime, index=True, doc="when to look at the post; null: it is final"),
    plain("tried_at", UtcDateTime, doc="since when a process edits the post"),
    plain("shown", String(32), nullable=False, server_default="", doc="the state that it shows"),
    Index(None, "setter_id"),
    Index(None, "invited_id"),
    Index(None, "guild_id", sqlite_where=IN_A_SERVER, postgresql_where=IN_A_SERVER),
    comment="An equation that a player has set for a channel; `puzzles` says when it closes.",
)

UNRACED: Final = text("ending IN ('called_off', 'lapsed')")
"""The condition of races that were called off or lapsed."""

races = Table(
    "races",
    metadata,
    plain("id", RowId, primary_key=True),
    Column("opener_id", BigInteger, nullable=False, info=STAND_IN, doc="Discord user"),
    Column("guild_id", BigInteger, info=AT_SERVER),
    Column("channel_id", BigInteger, info=PLACE),
    Column("message_id", BigInteger, info=PLACE, doc="its post; null while there is none"),
    plain("follows", ForeignKey("races.id", ondelete="SET NULL"), doc="the round before; or null"),
    plain(
        "rounds", Integer, nullable=False, server_default="1", doc="of its evening; 1: no evening"
    ),
    plain("round", Integer, nullable=False, server_default="1", doc="from 1"),
    plain("rules", String(64), nullable=False),
    plain("secret", String(64), nullable=False),
    plain("salt", String(32), nullable=False, doc="of the commitment"),
    plain("first_at", UtcDateTime, nullable=False, doc="when its evening's first round was opened"),
    plain("opened_at", UtcDateTime, nullable=False),
    plain("second_at", UtcDateTime, doc="when the second player joined"),
    plain("started_at", UtcDateTime),
    plain("finished_at", UtcDateTime),
    plain("ending", String(16), doc="finished, called_off or lapsed"),
    plain("look_at", UtcDateTime, index=True, doc="when to look at the post; null: it is final"),
    plain("tried_at", UtcDateTime, doc="since when a process edits the post"),
    plain("shown", String(48), nullable=False, server_default="", doc="the state that it shows"),
    plain("is_awaited", Boolean, nullable=False, server_default=false(), doc="by another opener"),
    plain(
        "freed", Integer, nullable=False, server_default=text("0"), doc="seats, before the start"
    ),
    Index(None, "opener_id"),
    Index(None, "guild_id", sqlite_where=IN_A_SERVER, postgresql_where=IN_A_SERVER),
    UniqueConstraint("follows"),
    Index("ix_races_unraced", "finished_at", sqlite_where=UNRACED, postgresql_where=UNRACED),
    CheckConstraint("(finished_at IS NULL) = (ending IS NULL)", name="finished_with_ending"),
    comment="A puzzle that some players race at.",
    sqlite_autoincrement=True,
)

race_seats = Table(
    "race_seats",
    metadata,
    plain("race_id", ForeignKey("races.id", ondelete="CASCADE"), primary_key=True),
    plain("seat", Integer, primary_key=True, doc="0-based, as they joined"),
    Column("player_id", BigInteger, nullable=False, info=STAND_IN, doc="Discord user"),
    plain("joined_at", UtcDateTime, nullable=False),
    plain("finished_at", UtcDateTime),
    plain("outcome", String(16), doc="solved, lost or left"),
    plain("place", Integer, doc="1 for the winner; null if not solved"),
    plain("points", Integer, nullable=False, server_default="0", doc="of the rounds before"),
    plain("is_away", Boolean, nullable=False, server_default=false(), doc="no guess a round ago"),
    plain("is_ready", Boolean, nullable=False, server_default=false(), doc="in the pause before"),
    UniqueConstraint("player_id", "race_id"),
)

race_guesses = Table(
    "race_guesses",
    metadata,
    plain("race_id", ForeignKey("races.id", ondelete="CASCADE"), primary_key=True),
    plain("seat", Integer, primary_key=True),
    plain("turn", Integer, primary_key=True, doc="0-based"),
    plain("code", String(64), nullable=False),
    plain("guessed_at", UtcDateTime, nullable=False),
)
