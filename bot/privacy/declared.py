"""What each column is to a player's and a server's privacy.

Deletions follow this declaration, and a test holds it to the schema: who adds a table or a column
says here what it holds. A table whose rows concern a player must be in an export, too
(`bot.privacy.store`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from sqlalchemy import Table

from bot.db import tables as schema


@dataclass(frozen=True, slots=True)
class Held:
    """What a table holds; each of its columns is named once, a server's id in `zones` twice.

    Attributes:
        player: whose the row is: it goes with its player.
        is_gradual: whether such rows get a stand-in with their player's deletion and go bit by
            bit after it, because there may be very many.
        named: players named in rows that stay, since they are somebody else's as well: a
            deleted one gets a stand-in there.
        whom: players named in what is another player's choice about them, and that one's data
            alone: it stays when they are deleted.
        guild: whose the row is: it goes with its server.
        place: ids of a server, the first, and of what is in it, in rows that stay: they are
            emptied when the server is forgotten.
        other: columns that name nobody. What was typed is among them: it goes with its row,
            or with the row that this one belongs to by a foreign key.
    """

    player: str | None = None
    is_gradual: bool = False
    named: tuple[str, ...] = ()
    whom: tuple[str, ...] = ()
    guild: str | None = None
    place: tuple[str, ...] = ()
    other: tuple[str, ...] = ()

    @property
    def columns(self) -> set[str]:
        """All of them."""
        owners = {name for name in (self.player, self.guild) if name is not None}
        return owners.union(self.named, self.whom, self.place, self.other)


def _other(names: str) -> tuple[str, ...]:
    return tuple(names.split())


_FOCDLE: Final = {
    # A daily is everybody's; the puzzle of a practice goes with its play.
    schema.puzzles: Held(other=_other("id number length rules secret salt")),
    schema.plays: Held(
        player="player_id",
        is_gradual=True,
        place=("guild_id",),
        other=_other(
            "id puzzle_id zone hard opened_at finished_at outcome on_date dismissed_at "
            "first_of_date"
        ),
    ),
    schema.guesses: Held(other=_other("play_id turn code guessed_at")),
    schema.streaks: Held(
        player="player_id", other=_other("length best freezes settles_at assisted")
    ),
    schema.streak_changes: Held(
        player="player_id", other=_other("day reason before after freezes")
    ),
    schema.streak_restorations: Held(
        player="player_id",
        named=("restored_by",),
        place=("guild_id",),
        other=_other("day reason restored_at"),
    ),
    # Nobody can be told from a digest without trying all players there are.
    schema.spent_dailies: Held(other=_other("digest salt number length")),
}
_MASTERMIND: Final = {
    schema.masterminds: Held(
        named=("owner_id", "codebreaker_id"),
        place=("guild_id", "channel_id", "message_id"),
        other=_other(
            "id kind rules secret salt revision shown pending opened_at moved_at deadline_at "
            "accepted_at finished_at ending ranked relabelling"
        ),
    ),
    schema.mastermind_turns: Held(other=_other("game_id turn code blacks whites guessed_at")),
}
_DUELS: Final = {
    schema.duels: Held(
        named=("challenger_id",),
        place=("guild_id", "channel_id", "message_id", "thread_id", "nudge_message_id"),
        other=_other(
            "id rules mode pace rated strength state draw_offered_by draw_declined_by "
            "rematch_of of_series terms opened_at moved_at accepted_at ready_at "
            "playing_at deadline_at finished_at ending winner version stale_at nudge_at claimed_at"
        ),
    ),
    schema.duel_seats: Held(
        named=("player_id",), other=_other("duel_id seat secret salt started_at offers")
    ),
    schema.duel_moves: Held(other=_other("duel_id number seat turn code moved_at")),
    schema.ratings: Held(
        player="player_id",
        other=_other(
            "mu sigma games changed_at established of_age_at dates proven_mu proven_sigma "
            "base_mu base_sigma played_mu played_sigma"
        ),
    ),
    schema.rating_changes: Held(
        player="player_id",
        named=("opponent_id",),
        other=_other(
            "duel_id mu_before sigma_before mu_after sigma_after games share changed_at "
            "established mean_before deviation_before mean_after deviation_after opponent_mean "
            "opponent_deviation floor"
        ),
    ),
    # Digests, too: of a player, and of two.
    schema.kept_salts: Held(other=_other("day salt")),
    schema.kept_ratings: Held(
        other=_other(
            "digest mu sigma games proven_mu proven_sigma played_mu played_sigma kept_until"
        )
    ),
    schema.kept_pairs: Held(other=_other("digest duels last_at")),
}
_SHARES: Final = {
    schema.always_shares: Held(
        player="player_id", guild="guild_id", other=_other("channel_id chosen_at")
    ),
    schema.running_messages: Held(
        guild="guild_id",
        other=_other(
            "id channel_id number length closes_at look_at version shown message_id "
            "claimed_at tried_at drawn_at closed_at deleted_at"
        ),
    ),
    schema.running_rows: Held(
        player="player_id", guild="guild_id", other=_other("running_id entered_at")
    ),
    schema.shares: Held(
        player="player_id",
        other=_other("id play_id mastermind_id duel_id channel_id shared_at claimed_at"),
    ),
}
_COACH: Final = {
    schema.analyses: Held(
        other=_other("id play_id mastermind_id duel_id seat version facts remaining made_at")
    ),
    schema.hints: Held(other=_other("id play_id mastermind_id turn kind answer given_at")),
    schema.pars: Held(other=_other("number length mean runs made_at")),
}
_CHOICES: Final = {
    schema.preferences: Held(
        player="player_id",
        other=_other("hard_mode palette hidden on_global_boards no_challenges asks"),
    ),
    schema.blocks: Held(player="player_id", whom=("blocked_id",), other=("blocked_at",)),
    schema.guilds: Held(
        guild="guild_id",
        other=_other(
            "channel_id duel_threads post_hour post_days post_role_id finishers_threads "
            "takes_results todays_card weekly_recap asked_to_post"
        ),
    ),
    schema.guild_lengths: Held(guild="guild_id", other=_other("from_day length")),
    # `subject` says which of the two it is.
    schema.zones: Held(
        player="subject_id",
        guild="subject_id",
        other=_other("subject effective_at zone set_at is_correction"),
    ),
}
_STANDINGS: Final = {
    schema.players: Held(player="player_id", other=_other("name seen_at avatar")),
    schema.members: Held(
        player="player_id", guild="guild_id", other=_other("name seen_at looked_up_at")
    ),
    schema.standings: Held(
        player="player_id", guild="guild_id", other=_other("slot sort_key figures")
    ),
    schema.standing_levels: Held(guild="guild_id", other=_other("slot level players")),
    schema.standing_rebuilds: Held(player="player_id", other=_other("duels_only")),
}
_POSTS: Final = {
    schema.post_plans: Held(
        guild="guild_id", other=_other("post_at since refusals problem off_at")
    ),
    schema.posts: Held(
        guild="guild_id",
        other=_other("day kind channel_id claimed_at tried_at attempts outcome message_id"),
    ),
    schema.finishers_threads: Held(
        guild="guild_id",
        other=_other("day channel_id claimed_at thread_id closes_at closed_at look_at"),
    ),
    schema.finishers: Held(
        player="player_id", guild="guild_id", other=_other("day asked_at added_at")
    ),
    schema.reminder_plans: Held(player="player_id", other=_other("look_at refused_at")),
    schema.reminders: Held(
        player="player_id", other=_other("day claimed_at tried_at attempts outcome message_id")
    ),
}
_BOOKKEEPING: Final = {
    schema.facts: Held(other=_other("name value")),
    schema.outages: Held(other=_other("began_at shard shard_count ended_at is_brief")),
    schema.login_slots: Held(other=_other("bucket free_at")),
    schema.pulses: Held(other=_other("shard shard_count beat_at process silent_since")),
    schema.emojis: Held(other=_other("application_id name digest")),
    schema.free_games: Held(player="player_id", other=_other("day games")),
    schema.spent_clicks: Held(other=_other("message_id spent_at")),
    # A holder is a process, and nobody.
    schema.leases: Held(other=_other("name holder until")),
    # A stand-in is drawn by lot: it is nobody's id.
    schema.erasures: Held(other=_other("stand_in look_at")),
    schema.guild_erasures: Held(guild="guild_id", other=_other("began_at look_at")),
    # A digest, too: of a server.
    schema.kept_servers: Held(other=_other("digest salt kept_until")),
    schema.departed_guilds: Held(guild="guild_id", other=_other("left_at")),
}

DECLARED: Final[Mapping[Table, Held]] = MappingProxyType(
    _FOCDLE
    | _MASTERMIND
    | _DUELS
    | _SHARES
    | _COACH
    | _CHOICES
    | _STANDINGS
    | _POSTS
    | _BOOKKEEPING
)
"""What each table holds."""
