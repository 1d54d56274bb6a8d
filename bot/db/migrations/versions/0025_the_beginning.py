"""The beginning: all tables, as version 0.1.0 left them.

Revises: nothing
"""

import sqlalchemy as sa
from alembic import op

from bot.db.tables import RowId, UtcDateTime

revision = "0025"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    _the_bot()
    _choices()
    _focdle()
    _mastermind()
    _duels()
    _coach()
    _standings()
    _posts()
    _privacy()


def _the_bot() -> None:
    op.create_table(
        "emojis",
        sa.Column("application_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(length=32), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("application_id", "name", name=op.f("pk_emojis")),
        comment="Which pictures Discord has as application emojis.",
    )
    op.create_table(
        "facts",
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("value", sa.String(length=256), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_facts")),
        comment="What the bot must remember about itself: the puzzle key, the synced commands.",
    )
    op.create_table(
        "outages",
        sa.Column("began_at", UtcDateTime(), nullable=False),
        sa.Column("shard", sa.Integer(), server_default="0", autoincrement=False, nullable=False),
        sa.Column(
            "shard_count", sa.Integer(), server_default="1", autoincrement=False, nullable=False
        ),
        sa.Column("ended_at", UtcDateTime(), nullable=False),
        sa.Column("is_brief", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.PrimaryKeyConstraint("began_at", "shard", "shard_count", name=op.f("pk_outages")),
        comment="When the bot was not connected, from its own heartbeat.",
    )
    op.create_index(op.f("ix_outages_is_brief_ended_at"), "outages", ["is_brief", "ended_at"])
    op.create_table(
        "silences",
        sa.Column("shard", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("shard_count", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("since", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("shard", "shard_count", name=op.f("pk_silences")),
        comment="Outages that go on: by which shards nothing comes now.",
    )


def _choices() -> None:
    op.create_table(
        "blocks",
        sa.Column("player_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("blocked_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("blocked_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("player_id", "blocked_id", name=op.f("pk_blocks")),
        comment="From whom a player wants no challenges; it stays when that one is forgotten.",
    )
    op.create_table(
        "guild_lengths",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("from_day", sa.Date(), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "from_day", name=op.f("pk_guild_lengths")),
        comment="The length of a server's daily, from a date on.",
    )
    op.create_table(
        "guilds",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=True),
        sa.Column("duel_threads", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("post_hour", sa.Integer(), server_default=sa.text("9"), nullable=False),
        sa.Column("post_days", sa.String(length=7), server_default="1234567", nullable=False),
        sa.Column("post_role_id", sa.BigInteger(), nullable=True),
        sa.Column("finishers_threads", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("takes_results", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_guilds")),
        comment="What a server has chosen.",
    )
    op.create_table(
        "preferences",
        sa.Column("player_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("hard_mode", sa.Boolean(), nullable=False),
        sa.Column("palette", sa.String(length=16), nullable=False),
        sa.Column("skip_question", sa.Boolean(), nullable=False),
        sa.Column("hidden", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("on_global_boards", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("no_challenges", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.PrimaryKeyConstraint("player_id", name=op.f("pk_preferences")),
        comment="What a player has chosen; no row means the defaults.",
    )
    op.create_table(
        "zones",
        sa.Column("subject", sa.String(length=8), nullable=False),
        sa.Column("subject_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("effective_at", UtcDateTime(), nullable=False),
        sa.Column("zone", sa.String(length=64), nullable=False),
        sa.Column("set_at", UtcDateTime(), nullable=False),
        sa.Column("is_correction", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.PrimaryKeyConstraint("subject", "subject_id", "effective_at", name=op.f("pk_zones")),
        comment="The zone of a server or player, from an instant on.",
    )


def _focdle() -> None:
    op.create_table(
        "puzzles",
        sa.Column("id", RowId, nullable=False),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("rules", sa.String(length=64), nullable=False),
        sa.Column("secret", sa.String(length=64), nullable=False),
        sa.Column("salt", sa.String(length=32), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_puzzles")),
        sa.UniqueConstraint("number", "length", name=op.f("uq_puzzles_number_length")),
        comment="A daily whose secret was fixed when first opened, or somebody's practice.",
        sqlite_autoincrement=True,
    )
    op.create_table(
        "streak_changes",
        sa.Column("player_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("reason", sa.String(length=32), nullable=False),
        sa.Column("before", sa.Integer(), nullable=False),
        sa.Column("after", sa.Integer(), nullable=False),
        sa.Column("freezes", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("player_id", "day", name=op.f("pk_streak_changes")),
        comment="What each date did to a player's streak, and why.",
    )
    op.create_table(
        "streaks",
        sa.Column("player_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("best", sa.Integer(), nullable=False),
        sa.Column("freezes", sa.Integer(), nullable=False),
        sa.Column("settles_at", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("player_id", name=op.f("pk_streaks")),
        comment="A player's streak as it was last worked out from the plays.",
    )
    op.create_index(op.f("ix_streaks_settles_at"), "streaks", ["settles_at"])
    op.create_table(
        "plays",
        sa.Column("id", RowId, nullable=False),
        sa.Column("puzzle_id", RowId, nullable=False),
        sa.Column("player_id", sa.BigInteger(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=True),
        sa.Column("zone", sa.String(length=64), nullable=False),
        sa.Column("hard", sa.Boolean(), nullable=False),
        sa.Column("opened_at", UtcDateTime(), nullable=False),
        sa.Column("finished_at", UtcDateTime(), nullable=True),
        sa.Column("outcome", sa.String(length=16), nullable=True),
        sa.Column("on_date", sa.Boolean(), nullable=False),
        sa.CheckConstraint(
            "(finished_at IS NULL) = (outcome IS NULL)", name=op.f("ck_plays_finished_with_outcome")
        ),
        sa.ForeignKeyConstraint(["puzzle_id"], ["puzzles.id"], name=op.f("fk_plays_puzzle_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_plays")),
        sa.UniqueConstraint("puzzle_id", "player_id", name=op.f("uq_plays_puzzle_id_player_id")),
        comment="One player's one play of one puzzle.",
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_plays_guild_id"), "plays", ["guild_id"])
    op.create_index(op.f("ix_plays_player_id"), "plays", ["player_id"])
    op.create_index(op.f("ix_plays_puzzle_id_guild_id"), "plays", ["puzzle_id", "guild_id"])
    op.create_table(
        "guesses",
        sa.Column("play_id", RowId, nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("code", sa.String(length=64), nullable=False),
        sa.Column("guessed_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["play_id"], ["plays.id"], name=op.f("fk_guesses_play_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("play_id", "turn", name=op.f("pk_guesses")),
        sa.UniqueConstraint("play_id", "code", name=op.f("uq_guesses_play_id_code")),
    )
    op.create_table(
        "shares",
        sa.Column("play_id", RowId, nullable=False),
        sa.Column("channel_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("shared_at", UtcDateTime(), nullable=False),
        sa.Column("claimed_at", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["play_id"], ["plays.id"], name=op.f("fk_shares_play_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("play_id", "channel_id", name=op.f("pk_shares")),
        comment="A result is posted to a channel once.",
    )


def _mastermind() -> None:
    op.create_table(
        "masterminds",
        sa.Column("id", RowId, nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("rules", sa.String(length=64), nullable=False),
        sa.Column("secret", sa.String(length=64), nullable=True),
        sa.Column("owner_id", sa.BigInteger(), nullable=False),
        sa.Column("codebreaker_id", sa.BigInteger(), nullable=True),
        sa.Column("guild_id", sa.BigInteger(), nullable=True),
        sa.Column("channel_id", sa.BigInteger(), nullable=True),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.Column("pending", sa.String(length=64), nullable=False),
        sa.Column("opened_at", UtcDateTime(), nullable=False),
        sa.Column("moved_at", UtcDateTime(), nullable=False),
        sa.Column("deadline_at", UtcDateTime(), nullable=False),
        sa.Column("accepted_at", UtcDateTime(), nullable=True),
        sa.Column("finished_at", UtcDateTime(), nullable=True),
        sa.Column("ending", sa.String(length=16), nullable=True),
        sa.Column("revision", sa.Integer(), server_default="0", nullable=False),
        sa.Column("shown", sa.Integer(), server_default="0", nullable=False),
        sa.Column("salt", sa.String(length=32), nullable=True),
        sa.Column("ranked", sa.Boolean(), server_default=sa.true(), nullable=False),
        sa.CheckConstraint(
            "(finished_at IS NULL) = (ending IS NULL)",
            name=op.f("ck_masterminds_finished_with_ending"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_masterminds")),
        comment="A game of Mastermind of any kind.",
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_masterminds_challenges",
        "masterminds",
        ["codebreaker_id", "opened_at"],
        sqlite_where=sa.text("kind = 'challenge'"),
        postgresql_where=sa.text("kind = 'challenge'"),
    )
    op.create_index(
        op.f("ix_masterminds_codebreaker_id_finished_at"),
        "masterminds",
        ["codebreaker_id", "finished_at"],
    )
    op.create_index(
        op.f("ix_masterminds_finished_at_deadline_at"),
        "masterminds",
        ["finished_at", "deadline_at"],
    )
    op.create_index(
        "ix_masterminds_fleeting",
        "masterminds",
        ["finished_at"],
        sqlite_where=sa.text("(kind = 'watch' OR (kind = 'challenge' AND accepted_at IS NULL))"),
        postgresql_where=sa.text(
            "(kind = 'watch' OR (kind = 'challenge' AND accepted_at IS NULL))"
        ),
    )
    op.create_index(
        op.f("ix_masterminds_guild_id"),
        "masterminds",
        ["guild_id"],
        sqlite_where=sa.text("guild_id IS NOT NULL"),
        postgresql_where=sa.text("guild_id IS NOT NULL"),
    )
    op.create_index(
        op.f("ix_masterminds_owner_id_finished_at"), "masterminds", ["owner_id", "finished_at"]
    )
    op.create_index(
        "ix_masterminds_unshown",
        "masterminds",
        ["id"],
        sqlite_where=sa.text("message_id IS NOT NULL AND shown < revision"),
        postgresql_where=sa.text("message_id IS NOT NULL AND shown < revision"),
    )
    op.create_table(
        "mastermind_turns",
        sa.Column("game_id", RowId, nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("code", sa.String(length=64), nullable=False),
        sa.Column("blacks", sa.Integer(), nullable=True),
        sa.Column("whites", sa.Integer(), nullable=True),
        sa.Column("guessed_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint(
            "whites IS NULL OR blacks IS NOT NULL",
            name=op.f("ck_mastermind_turns_whites_after_blacks"),
        ),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["masterminds.id"],
            name=op.f("fk_mastermind_turns_game_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("game_id", "turn", name=op.f("pk_mastermind_turns")),
    )


def _duels() -> None:
    op.create_table(
        "duels",
        sa.Column("id", RowId, nullable=False),
        sa.Column("rules", sa.String(length=64), nullable=False),
        sa.Column("mode", sa.String(length=16), nullable=False),
        sa.Column("pace", sa.String(length=16), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("strength", sa.String(length=16), nullable=True),
        sa.Column("challenger_id", sa.BigInteger(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=True),
        sa.Column("channel_id", sa.BigInteger(), nullable=True),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.Column("thread_id", sa.BigInteger(), nullable=True),
        sa.Column("nudge_message_id", sa.BigInteger(), nullable=True),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("draw_offered_by", sa.Integer(), nullable=True),
        sa.Column("rematch_of", RowId, nullable=True),
        sa.Column("opened_at", UtcDateTime(), nullable=False),
        sa.Column("moved_at", UtcDateTime(), nullable=False),
        sa.Column("accepted_at", UtcDateTime(), nullable=True),
        sa.Column("playing_at", UtcDateTime(), nullable=True),
        sa.Column("deadline_at", UtcDateTime(), nullable=False),
        sa.Column("finished_at", UtcDateTime(), nullable=True),
        sa.Column("ending", sa.String(length=16), nullable=True),
        sa.Column("winner", sa.Integer(), nullable=True),
        sa.Column("version", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("stale_at", UtcDateTime(), nullable=True),
        sa.Column("nudge_at", UtcDateTime(), nullable=True),
        sa.Column("claimed_at", UtcDateTime(), nullable=True),
        sa.CheckConstraint(
            "(finished_at IS NULL) = (state <> 'over')", name=op.f("ck_duels_over_when_finished")
        ),
        sa.CheckConstraint(
            "(finished_at IS NULL) = (ending IS NULL)", name=op.f("ck_duels_finished_with_ending")
        ),
        sa.CheckConstraint(
            "winner IS NULL OR finished_at IS NOT NULL", name=op.f("ck_duels_winner_at_end")
        ),
        sa.ForeignKeyConstraint(
            ["rematch_of"], ["duels.id"], name=op.f("fk_duels_rematch_of"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_duels")),
        comment="A duel of Bulls and Cows, from the challenge on.",
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_duels_called_off",
        "duels",
        ["finished_at"],
        sqlite_where=sa.text("ending IN ('declined', 'withdrawn', 'lapsed')"),
        postgresql_where=sa.text("ending IN ('declined', 'withdrawn', 'lapsed')"),
    )
    op.create_index(
        op.f("ix_duels_finished_at_deadline_at"), "duels", ["finished_at", "deadline_at"]
    )
    op.create_index(
        op.f("ix_duels_guild_id"),
        "duels",
        ["guild_id"],
        sqlite_where=sa.text("guild_id IS NOT NULL"),
        postgresql_where=sa.text("guild_id IS NOT NULL"),
    )
    op.create_index(op.f("ix_duels_nudge_at"), "duels", ["nudge_at"])
    op.create_index(op.f("ix_duels_opened_at"), "duels", ["opened_at"])
    op.create_index(op.f("ix_duels_rematch_of"), "duels", ["rematch_of"])
    op.create_index(op.f("ix_duels_stale_at"), "duels", ["stale_at"])
    op.create_table(
        "ratings",
        sa.Column("player_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("changed_at", UtcDateTime(), nullable=False),
        sa.Column("established", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("of_age_at", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("player_id", name=op.f("pk_ratings")),
        comment="How strong a player is thought to be, and how sure that is.",
    )
    op.create_index(op.f("ix_ratings_of_age_at"), "ratings", ["of_age_at"])
    op.create_table(
        "duel_moves",
        sa.Column("duel_id", RowId, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("code", sa.String(length=64), nullable=False),
        sa.Column("moved_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["duel_id"], ["duels.id"], name=op.f("fk_duel_moves_duel_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("duel_id", "number", name=op.f("pk_duel_moves")),
        sa.UniqueConstraint(
            "duel_id", "seat", "turn", name=op.f("uq_duel_moves_duel_id_seat_turn")
        ),
    )
    op.create_table(
        "duel_seats",
        sa.Column("duel_id", RowId, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.BigInteger(), nullable=True),
        sa.Column("secret", sa.String(length=64), nullable=True),
        sa.Column("started_at", UtcDateTime(), nullable=True),
        sa.Column("salt", sa.String(length=32), nullable=True),
        sa.CheckConstraint("seat IN (0, 1)", name=op.f("ck_duel_seats_two_seats")),
        sa.ForeignKeyConstraint(
            ["duel_id"], ["duels.id"], name=op.f("fk_duel_seats_duel_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("duel_id", "seat", name=op.f("pk_duel_seats")),
        sa.UniqueConstraint("player_id", "duel_id", name=op.f("uq_duel_seats_player_id_duel_id")),
    )
    op.create_table(
        "rating_changes",
        sa.Column("duel_id", RowId, nullable=False),
        sa.Column("player_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("opponent_id", sa.BigInteger(), nullable=False),
        sa.Column("mu_before", sa.Float(), nullable=False),
        sa.Column("sigma_before", sa.Float(), nullable=False),
        sa.Column("mu_after", sa.Float(), nullable=False),
        sa.Column("sigma_after", sa.Float(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("share", sa.Integer(), nullable=False),
        sa.Column("changed_at", UtcDateTime(), nullable=False),
        sa.Column("established", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.ForeignKeyConstraint(
            ["duel_id"], ["duels.id"], name=op.f("fk_rating_changes_duel_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("duel_id", "player_id", name=op.f("pk_rating_changes")),
        comment="What each rated duel did to a player's rating.",
    )
    op.create_index(
        op.f("ix_rating_changes_player_id_opponent_id_changed_at"),
        "rating_changes",
        ["player_id", "opponent_id", "changed_at"],
    )


def _coach() -> None:
    op.create_table(
        "pars",
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("length", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("mean", sa.Float(), nullable=False),
        sa.Column("runs", sa.Integer(), nullable=False),
        sa.Column("made_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("number", "length", name=op.f("pk_pars")),
        comment="How hard a daily is.",
    )
    op.create_table(
        "analyses",
        sa.Column("id", RowId, nullable=False),
        sa.Column("play_id", RowId, nullable=True),
        sa.Column("mastermind_id", RowId, nullable=True),
        sa.Column("duel_id", RowId, nullable=True),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.Column("remaining", sa.Text(), nullable=False),
        sa.Column("made_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint(
            "CASE WHEN play_id IS NULL THEN 0 ELSE 1 END"
            " + CASE WHEN mastermind_id IS NULL THEN 0 ELSE 1 END"
            " + CASE WHEN duel_id IS NULL THEN 0 ELSE 1 END = 1",
            name=op.f("ck_analyses_of_one_game"),
        ),
        sa.ForeignKeyConstraint(
            ["duel_id"], ["duels.id"], name=op.f("fk_analyses_duel_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["mastermind_id"],
            ["masterminds.id"],
            name=op.f("fk_analyses_mastermind_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["play_id"], ["plays.id"], name=op.f("fk_analyses_play_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_analyses")),
        sa.UniqueConstraint("duel_id", "seat", name=op.f("uq_analyses_duel_id_seat")),
        sa.UniqueConstraint("mastermind_id", "seat", name=op.f("uq_analyses_mastermind_id_seat")),
        sa.UniqueConstraint("play_id", "seat", name=op.f("uq_analyses_play_id_seat")),
        comment="What the coach found in a finished game; may be worked out again.",
    )
    op.create_table(
        "hints",
        sa.Column("id", RowId, nullable=False),
        sa.Column("play_id", RowId, nullable=True),
        sa.Column("mastermind_id", RowId, nullable=True),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("answer", sa.String(length=64), nullable=False),
        sa.Column("given_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint(
            "(play_id IS NULL) <> (mastermind_id IS NULL)", name=op.f("ck_hints_of_one_game")
        ),
        sa.ForeignKeyConstraint(
            ["mastermind_id"],
            ["masterminds.id"],
            name=op.f("fk_hints_mastermind_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["play_id"], ["plays.id"], name=op.f("fk_hints_play_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_hints")),
        sa.UniqueConstraint(
            "mastermind_id", "turn", "kind", name=op.f("uq_hints_mastermind_id_turn_kind")
        ),
        sa.UniqueConstraint("play_id", "turn", "kind", name=op.f("uq_hints_play_id_turn_kind")),
        comment="What a player was told during a game.",
    )


def _standings() -> None:
    op.create_table(
        "members",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("player_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(length=128), nullable=False),
        sa.Column("seen_at", UtcDateTime(), nullable=False),
        sa.Column("looked_up_at", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("guild_id", "player_id", name=op.f("pk_members")),
        comment="Who has done something in a server, and has not left it as far as is known.",
    )
    op.create_index(op.f("ix_members_player_id"), "members", ["player_id"])
    op.create_table(
        "players",
        sa.Column("player_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(length=128), nullable=False),
        sa.Column("seen_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("player_id", name=op.f("pk_players")),
        comment="Who has done something, wherever.",
    )
    op.create_table(
        "standing_levels",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("slot", sa.String(length=16), nullable=False),
        sa.Column("level", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.CheckConstraint("players >= 0", name=op.f("ck_standing_levels_nobody_below_none")),
        sa.PrimaryKeyConstraint("guild_id", "slot", "level", name=op.f("pk_standing_levels")),
        comment="How many ranked rows a leaderboard has at each level.",
        sqlite_with_rowid=False,
    )
    op.create_table(
        "standing_rebuilds",
        sa.Column("player_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("duels_only", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.PrimaryKeyConstraint("player_id", name=op.f("pk_standing_rebuilds")),
        comment="Whose rows are to be worked out anew.",
    )
    op.create_table(
        "standings",
        sa.Column("player_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("slot", sa.String(length=16), nullable=False),
        sa.Column("sort_key", sa.BigInteger(), nullable=True),
        sa.Column("figures", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("player_id", "guild_id", "slot", name=op.f("pk_standings")),
        comment="The rows of leaderboards: of those only who are shown, and of recent periods.",
        sqlite_with_rowid=False,
    )
    op.create_index(
        op.f("ix_standings_guild_id_slot_sort_key_player_id"),
        "standings",
        ["guild_id", "slot", "sort_key", "player_id"],
    )


def _posts() -> None:
    op.create_table(
        "finishers",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("player_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("asked_at", UtcDateTime(), nullable=False),
        sa.Column("added_at", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("guild_id", "day", "player_id", name=op.f("pk_finishers")),
        comment="Who belongs into an open finishers' thread; forgotten when it closes.",
    )
    op.create_index(op.f("ix_finishers_player_id"), "finishers", ["player_id"])
    op.create_table(
        "finishers_threads",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("claimed_at", UtcDateTime(), nullable=True),
        sa.Column("thread_id", sa.BigInteger(), nullable=True),
        sa.Column("closes_at", UtcDateTime(), nullable=False),
        sa.Column("closed_at", UtcDateTime(), nullable=True),
        sa.Column("look_at", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("guild_id", "day", name=op.f("pk_finishers_threads")),
        comment="The private thread of a date for those who have finished its puzzle.",
    )
    op.create_index(op.f("ix_finishers_threads_closes_at"), "finishers_threads", ["closes_at"])
    op.create_index(op.f("ix_finishers_threads_look_at"), "finishers_threads", ["look_at"])
    op.create_table(
        "post_plans",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("post_at", UtcDateTime(), nullable=True),
        sa.Column("since", UtcDateTime(), nullable=False),
        sa.Column("refusals", sa.Integer(), nullable=False),
        sa.Column("problem", sa.String(length=16), nullable=True),
        sa.Column("off_at", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_post_plans")),
        comment="When a server with a channel gets its next post.",
    )
    op.create_index(op.f("ix_post_plans_post_at"), "post_plans", ["post_at"])
    op.create_table(
        "posts",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("claimed_at", UtcDateTime(), nullable=False),
        sa.Column("tried_at", UtcDateTime(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.String(length=16), nullable=True),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("guild_id", "day", "kind", name=op.f("pk_posts")),
        comment="What was posted of its own accord, claimed before it was sent.",
    )
    op.create_table(
        "reminder_plans",
        sa.Column("player_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("look_at", UtcDateTime(), nullable=True),
        sa.Column("refused_at", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("player_id", name=op.f("pk_reminder_plans")),
        comment="Who has asked for reminders.",
    )
    op.create_index(op.f("ix_reminder_plans_look_at"), "reminder_plans", ["look_at"])
    op.create_table(
        "reminders",
        sa.Column("player_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("claimed_at", UtcDateTime(), nullable=False),
        sa.Column("tried_at", UtcDateTime(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.String(length=16), nullable=True),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("player_id", "day", name=op.f("pk_reminders")),
        comment="Direct messages about a streak that was about to end.",
    )
    op.create_table(
        "streak_restorations",
        sa.Column("player_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("restored_by", sa.BigInteger(), nullable=False),
        sa.Column("reason", sa.String(length=200), nullable=False),
        sa.Column("restored_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("player_id", "day", name=op.f("pk_streak_restorations")),
        comment="Dates that a manager of a server has excused after a streak had ended.",
    )


def _privacy() -> None:
    op.create_table(
        "departed_guilds",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("left_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_departed_guilds")),
        comment="Servers that have removed the bot, and since when.",
    )
    op.create_index(op.f("ix_departed_guilds_left_at"), "departed_guilds", ["left_at"])
    op.create_table(
        "erasures",
        sa.Column("stand_in", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("look_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("stand_in", name=op.f("pk_erasures")),
        comment="Stand-ins of who is forgotten, of whose games some are still to be deleted.",
    )
    op.create_index(op.f("ix_erasures_look_at"), "erasures", ["look_at"])
    op.create_table(
        "kept_pairs",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("duels", sa.Integer(), nullable=False),
        sa.Column("last_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_kept_pairs")),
        comment="How often two have played of whom one is forgotten, for seven days from the last.",
    )
    op.create_index(op.f("ix_kept_pairs_last_at"), "kept_pairs", ["last_at"])
    op.create_table(
        "kept_ratings",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("kept_until", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_kept_ratings")),
        comment="Ratings of who is forgotten, for seven days.",
    )
    op.create_index(op.f("ix_kept_ratings_kept_until"), "kept_ratings", ["kept_until"])
    op.create_table(
        "kept_salts",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("salt", sa.String(length=32), nullable=False),
        sa.PrimaryKeyConstraint("day", name=op.f("pk_kept_salts")),
        comment="What ratings and pairs are hashed with, of who deleted their data that day.",
    )
    op.create_table(
        "spent_dailies",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("salt", sa.String(length=32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_spent_dailies")),
        comment="Dailies that somebody had opened who is forgotten, until their date is over.",
    )
    op.create_index(op.f("ix_spent_dailies_number_length"), "spent_dailies", ["number", "length"])
