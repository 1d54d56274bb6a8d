-- The tables of version 0.2.0 in PostgreSQL, by pg_dump.
CREATE TABLE alembic_version (
    version_num character varying(32) NOT NULL
);
CREATE TABLE always_shares (
    player_id bigint NOT NULL,
    guild_id bigint NOT NULL,
    channel_id bigint NOT NULL,
    chosen_at timestamp without time zone NOT NULL
);
CREATE TABLE analyses (
    id bigint NOT NULL,
    play_id bigint,
    mastermind_id bigint,
    duel_id bigint,
    seat integer NOT NULL,
    version integer NOT NULL,
    facts text NOT NULL,
    remaining text NOT NULL,
    made_at timestamp without time zone NOT NULL,
    CONSTRAINT ck_analyses_of_one_game CHECK ((((
CASE
    WHEN (play_id IS NULL) THEN 0
    ELSE 1
END +
CASE
    WHEN (mastermind_id IS NULL) THEN 0
    ELSE 1
END) +
CASE
    WHEN (duel_id IS NULL) THEN 0
    ELSE 1
END) = 1))
);
CREATE SEQUENCE analyses_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE analyses_id_seq OWNED BY analyses.id;
CREATE TABLE blocks (
    player_id bigint NOT NULL,
    blocked_id bigint NOT NULL,
    blocked_at timestamp without time zone NOT NULL
);
CREATE TABLE departed_guilds (
    guild_id bigint NOT NULL,
    left_at timestamp without time zone NOT NULL
);
CREATE TABLE duel_moves (
    duel_id bigint NOT NULL,
    number integer NOT NULL,
    seat integer NOT NULL,
    turn integer NOT NULL,
    code character varying(64) NOT NULL,
    moved_at timestamp without time zone NOT NULL
);
CREATE TABLE duel_seats (
    duel_id bigint NOT NULL,
    seat integer NOT NULL,
    player_id bigint,
    secret character varying(64),
    started_at timestamp without time zone,
    salt character varying(32),
    offers integer DEFAULT 0 NOT NULL,
    CONSTRAINT ck_duel_seats_two_seats CHECK ((seat = ANY (ARRAY[0, 1])))
);
CREATE TABLE duels (
    id bigint NOT NULL,
    rules character varying(64) NOT NULL,
    mode character varying(16) NOT NULL,
    pace character varying(16) NOT NULL,
    rated boolean NOT NULL,
    strength character varying(16),
    challenger_id bigint NOT NULL,
    guild_id bigint,
    channel_id bigint,
    message_id bigint,
    thread_id bigint,
    nudge_message_id bigint,
    state character varying(16) NOT NULL,
    draw_offered_by integer,
    rematch_of bigint,
    opened_at timestamp without time zone NOT NULL,
    moved_at timestamp without time zone NOT NULL,
    accepted_at timestamp without time zone,
    playing_at timestamp without time zone,
    deadline_at timestamp without time zone NOT NULL,
    finished_at timestamp without time zone,
    ending character varying(16),
    winner integer,
    version integer DEFAULT 0 NOT NULL,
    stale_at timestamp without time zone,
    nudge_at timestamp without time zone,
    claimed_at timestamp without time zone,
    best_of integer DEFAULT 1 NOT NULL,
    series_id bigint,
    stop_offered_by integer,
    draw_declined_by integer,
    CONSTRAINT ck_duels_finished_with_ending CHECK (((finished_at IS NULL) = (ending IS NULL))),
    CONSTRAINT ck_duels_over_when_finished CHECK (((finished_at IS NULL) = ((state)::text <> 'over'::text))),
    CONSTRAINT ck_duels_winner_at_end CHECK (((winner IS NULL) OR (finished_at IS NOT NULL)))
);
CREATE SEQUENCE duels_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE duels_id_seq OWNED BY duels.id;
CREATE TABLE emojis (
    application_id bigint NOT NULL,
    name character varying(32) NOT NULL,
    digest character varying(64) NOT NULL
);
CREATE TABLE erasures (
    stand_in bigint NOT NULL,
    look_at timestamp without time zone NOT NULL
);
CREATE TABLE facts (
    name character varying(64) NOT NULL,
    value character varying(256) NOT NULL
);
CREATE TABLE finishers (
    guild_id bigint NOT NULL,
    day date NOT NULL,
    player_id bigint NOT NULL,
    asked_at timestamp without time zone NOT NULL,
    added_at timestamp without time zone
);
CREATE TABLE finishers_threads (
    guild_id bigint NOT NULL,
    day date NOT NULL,
    channel_id bigint NOT NULL,
    claimed_at timestamp without time zone,
    thread_id bigint,
    closes_at timestamp without time zone NOT NULL,
    closed_at timestamp without time zone,
    look_at timestamp without time zone
);
CREATE TABLE free_games (
    player_id bigint NOT NULL,
    day date NOT NULL,
    games integer NOT NULL
);
CREATE TABLE guesses (
    play_id bigint NOT NULL,
    turn integer NOT NULL,
    code character varying(64) NOT NULL,
    guessed_at timestamp without time zone NOT NULL
);
CREATE TABLE guild_erasures (
    guild_id bigint NOT NULL,
    began_at timestamp without time zone NOT NULL,
    look_at timestamp without time zone NOT NULL
);
CREATE TABLE guild_lengths (
    guild_id bigint NOT NULL,
    from_day date NOT NULL,
    length integer NOT NULL
);
CREATE TABLE guilds (
    guild_id bigint NOT NULL,
    channel_id bigint,
    duel_threads boolean DEFAULT false NOT NULL,
    post_hour integer DEFAULT 9 NOT NULL,
    post_days character varying(7) DEFAULT '1234567'::character varying NOT NULL,
    post_role_id bigint,
    finishers_threads boolean DEFAULT false NOT NULL,
    takes_results boolean DEFAULT false NOT NULL,
    running_results boolean DEFAULT false NOT NULL,
    weekly_recap boolean DEFAULT true NOT NULL
);
CREATE TABLE hints (
    id bigint NOT NULL,
    play_id bigint,
    mastermind_id bigint,
    turn integer NOT NULL,
    kind character varying(16) NOT NULL,
    answer character varying(64) NOT NULL,
    given_at timestamp without time zone NOT NULL,
    CONSTRAINT ck_hints_of_one_game CHECK (((play_id IS NULL) <> (mastermind_id IS NULL)))
);
CREATE SEQUENCE hints_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE hints_id_seq OWNED BY hints.id;
CREATE TABLE jobs (
    id character varying(32) NOT NULL,
    kind character varying(16) NOT NULL,
    work bytea NOT NULL,
    seconds integer NOT NULL,
    asked_at timestamp without time zone NOT NULL,
    stale_at timestamp without time zone NOT NULL,
    worker character varying(32),
    until timestamp without time zone,
    tries integer DEFAULT 0 NOT NULL,
    answer bytea
);
CREATE TABLE kept_pairs (
    digest character varying(64) NOT NULL,
    duels integer NOT NULL,
    last_at timestamp without time zone NOT NULL
);
CREATE TABLE kept_ratings (
    digest character varying(64) NOT NULL,
    mu double precision NOT NULL,
    sigma double precision NOT NULL,
    games integer NOT NULL,
    kept_until timestamp without time zone NOT NULL,
    proven_mu double precision DEFAULT 0 NOT NULL,
    proven_sigma double precision DEFAULT 0 NOT NULL
);
CREATE TABLE kept_salts (
    day date NOT NULL,
    salt character varying(32) NOT NULL
);
CREATE TABLE kept_servers (
    digest character varying(64) NOT NULL,
    salt character varying(32) NOT NULL,
    kept_until timestamp without time zone NOT NULL
);
CREATE TABLE leases (
    name character varying(64) NOT NULL,
    holder character varying(32) NOT NULL,
    until timestamp without time zone NOT NULL
);
CREATE TABLE login_slots (
    bucket integer NOT NULL,
    free_at timestamp without time zone NOT NULL
);
CREATE TABLE mastermind_turns (
    game_id bigint NOT NULL,
    turn integer NOT NULL,
    code character varying(64) NOT NULL,
    blacks integer,
    whites integer,
    guessed_at timestamp without time zone NOT NULL,
    CONSTRAINT ck_mastermind_turns_whites_after_blacks CHECK (((whites IS NULL) OR (blacks IS NOT NULL)))
);
CREATE TABLE masterminds (
    id bigint NOT NULL,
    kind character varying(16) NOT NULL,
    rules character varying(64) NOT NULL,
    secret character varying(64),
    owner_id bigint NOT NULL,
    codebreaker_id bigint,
    guild_id bigint,
    channel_id bigint,
    message_id bigint,
    pending character varying(64) NOT NULL,
    opened_at timestamp without time zone NOT NULL,
    moved_at timestamp without time zone NOT NULL,
    deadline_at timestamp without time zone NOT NULL,
    accepted_at timestamp without time zone,
    finished_at timestamp without time zone,
    ending character varying(16),
    revision integer DEFAULT 0 NOT NULL,
    shown integer DEFAULT 0 NOT NULL,
    salt character varying(32),
    ranked boolean DEFAULT true NOT NULL,
    relabelling character varying(32),
    CONSTRAINT ck_masterminds_finished_with_ending CHECK (((finished_at IS NULL) = (ending IS NULL)))
);
CREATE SEQUENCE masterminds_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE masterminds_id_seq OWNED BY masterminds.id;
CREATE TABLE members (
    guild_id bigint NOT NULL,
    player_id bigint NOT NULL,
    name character varying(128) NOT NULL,
    seen_at timestamp without time zone NOT NULL,
    looked_up_at timestamp without time zone
);
CREATE TABLE outages (
    began_at timestamp without time zone NOT NULL,
    shard integer DEFAULT 0 NOT NULL,
    shard_count integer DEFAULT 1 NOT NULL,
    ended_at timestamp without time zone NOT NULL,
    is_brief boolean DEFAULT false NOT NULL
);
CREATE TABLE pars (
    number integer NOT NULL,
    length integer NOT NULL,
    mean double precision NOT NULL,
    runs integer NOT NULL,
    made_at timestamp without time zone NOT NULL
);
CREATE TABLE players (
    player_id bigint NOT NULL,
    name character varying(128) NOT NULL,
    seen_at timestamp without time zone NOT NULL,
    avatar character varying(64)
);
CREATE TABLE plays (
    id bigint NOT NULL,
    puzzle_id bigint NOT NULL,
    player_id bigint NOT NULL,
    guild_id bigint,
    zone character varying(64) NOT NULL,
    hard boolean NOT NULL,
    opened_at timestamp without time zone NOT NULL,
    finished_at timestamp without time zone,
    outcome character varying(16),
    on_date boolean NOT NULL,
    dismissed_at timestamp without time zone,
    first_of_date boolean,
    CONSTRAINT ck_plays_finished_with_outcome CHECK (((finished_at IS NULL) = (outcome IS NULL)))
);
CREATE SEQUENCE plays_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE plays_id_seq OWNED BY plays.id;
CREATE TABLE post_plans (
    guild_id bigint NOT NULL,
    post_at timestamp without time zone,
    since timestamp without time zone NOT NULL,
    refusals integer NOT NULL,
    problem character varying(16),
    off_at timestamp without time zone
);
CREATE TABLE posts (
    guild_id bigint NOT NULL,
    day date NOT NULL,
    kind character varying(16) NOT NULL,
    channel_id bigint NOT NULL,
    claimed_at timestamp without time zone NOT NULL,
    tried_at timestamp without time zone NOT NULL,
    attempts integer NOT NULL,
    outcome character varying(16),
    message_id bigint
);
CREATE TABLE preferences (
    player_id bigint NOT NULL,
    hard_mode boolean NOT NULL,
    palette character varying(16) NOT NULL,
    skip_question boolean NOT NULL,
    hidden boolean DEFAULT false NOT NULL,
    on_global_boards boolean DEFAULT false NOT NULL,
    no_challenges boolean DEFAULT false NOT NULL,
    is_careful boolean DEFAULT false NOT NULL
);
CREATE TABLE pulses (
    shard integer NOT NULL,
    shard_count integer NOT NULL,
    beat_at timestamp without time zone NOT NULL,
    process character varying(32) NOT NULL,
    silent_since timestamp without time zone
);
CREATE TABLE puzzles (
    id bigint NOT NULL,
    number integer,
    length integer NOT NULL,
    rules character varying(64) NOT NULL,
    secret character varying(64) NOT NULL,
    salt character varying(32)
);
CREATE SEQUENCE puzzles_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE puzzles_id_seq OWNED BY puzzles.id;
CREATE TABLE rating_changes (
    duel_id bigint NOT NULL,
    player_id bigint NOT NULL,
    opponent_id bigint NOT NULL,
    mu_before double precision NOT NULL,
    sigma_before double precision NOT NULL,
    mu_after double precision NOT NULL,
    sigma_after double precision NOT NULL,
    games integer NOT NULL,
    share integer NOT NULL,
    changed_at timestamp without time zone NOT NULL,
    established boolean DEFAULT false NOT NULL,
    mean_before double precision,
    deviation_before double precision,
    mean_after double precision,
    deviation_after double precision,
    opponent_mean double precision,
    opponent_deviation double precision
);
CREATE TABLE ratings (
    player_id bigint NOT NULL,
    mu double precision NOT NULL,
    sigma double precision NOT NULL,
    games integer NOT NULL,
    changed_at timestamp without time zone NOT NULL,
    established boolean DEFAULT false NOT NULL,
    of_age_at timestamp without time zone,
    dates integer DEFAULT 0 NOT NULL,
    proven_mu double precision DEFAULT 0 NOT NULL,
    proven_sigma double precision DEFAULT 0 NOT NULL,
    base_mu double precision,
    base_sigma double precision
);
CREATE TABLE reminder_plans (
    player_id bigint NOT NULL,
    look_at timestamp without time zone,
    refused_at timestamp without time zone
);
CREATE TABLE reminders (
    player_id bigint NOT NULL,
    day date NOT NULL,
    claimed_at timestamp without time zone NOT NULL,
    tried_at timestamp without time zone NOT NULL,
    attempts integer NOT NULL,
    outcome character varying(16),
    message_id bigint
);
CREATE TABLE reratings (
    player_id bigint NOT NULL,
    mu double precision NOT NULL,
    sigma double precision NOT NULL,
    games integer NOT NULL
);
CREATE TABLE running_messages (
    id bigint NOT NULL,
    guild_id bigint NOT NULL,
    channel_id bigint NOT NULL,
    number integer NOT NULL,
    length integer NOT NULL,
    closes_at timestamp without time zone NOT NULL,
    look_at timestamp without time zone NOT NULL,
    version integer NOT NULL,
    shown integer NOT NULL,
    is_wanted boolean NOT NULL,
    message_id bigint,
    posted_at timestamp without time zone,
    outdated_id bigint,
    claimed_at timestamp without time zone,
    tried_at timestamp without time zone,
    drawn_at timestamp without time zone,
    closed_at timestamp without time zone
);
CREATE SEQUENCE running_messages_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE running_messages_id_seq OWNED BY running_messages.id;
CREATE TABLE running_rows (
    running_id bigint NOT NULL,
    player_id bigint NOT NULL,
    guild_id bigint NOT NULL,
    entered_at timestamp without time zone NOT NULL
);
CREATE TABLE shares (
    id bigint NOT NULL,
    play_id bigint,
    mastermind_id bigint,
    duel_id bigint,
    channel_id bigint NOT NULL,
    player_id bigint NOT NULL,
    shared_at timestamp without time zone NOT NULL,
    claimed_at timestamp without time zone,
    CONSTRAINT ck_shares_of_one_game CHECK ((((
CASE
    WHEN (play_id IS NULL) THEN 0
    ELSE 1
END +
CASE
    WHEN (mastermind_id IS NULL) THEN 0
    ELSE 1
END) +
CASE
    WHEN (duel_id IS NULL) THEN 0
    ELSE 1
END) = 1))
);
CREATE SEQUENCE shares_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE shares_id_seq OWNED BY shares.id;
CREATE TABLE spent_clicks (
    message_id bigint NOT NULL,
    spent_at timestamp without time zone NOT NULL
);
CREATE TABLE spent_dailies (
    digest character varying(64) NOT NULL,
    salt character varying(32) NOT NULL,
    number integer NOT NULL,
    length integer NOT NULL
);
CREATE TABLE standing_levels (
    guild_id bigint NOT NULL,
    slot character varying(16) NOT NULL,
    level bigint NOT NULL,
    players integer NOT NULL,
    CONSTRAINT ck_standing_levels_nobody_below_none CHECK ((players >= 0))
);
CREATE TABLE standing_rebuilds (
    player_id bigint NOT NULL,
    duels_only boolean DEFAULT false NOT NULL
);
CREATE TABLE standings (
    player_id bigint NOT NULL,
    guild_id bigint NOT NULL,
    slot character varying(16) NOT NULL,
    sort_key bigint,
    figures character varying(64) NOT NULL
);
CREATE TABLE streak_changes (
    player_id bigint NOT NULL,
    day date NOT NULL,
    reason character varying(32) NOT NULL,
    before integer NOT NULL,
    after integer NOT NULL,
    freezes integer NOT NULL
);
CREATE TABLE streak_restorations (
    player_id bigint NOT NULL,
    day date NOT NULL,
    guild_id bigint NOT NULL,
    restored_by bigint NOT NULL,
    reason character varying(200) NOT NULL,
    restored_at timestamp without time zone NOT NULL
);
CREATE TABLE streaks (
    player_id bigint NOT NULL,
    length integer NOT NULL,
    best integer NOT NULL,
    freezes integer NOT NULL,
    settles_at timestamp without time zone
);
CREATE TABLE zones (
    subject character varying(8) NOT NULL,
    subject_id bigint NOT NULL,
    effective_at timestamp without time zone NOT NULL,
    zone character varying(64) NOT NULL,
    set_at timestamp without time zone NOT NULL,
    is_correction boolean DEFAULT false NOT NULL
);
ALTER TABLE ONLY analyses ALTER COLUMN id SET DEFAULT nextval('analyses_id_seq'::regclass);
ALTER TABLE ONLY duels ALTER COLUMN id SET DEFAULT nextval('duels_id_seq'::regclass);
ALTER TABLE ONLY hints ALTER COLUMN id SET DEFAULT nextval('hints_id_seq'::regclass);
ALTER TABLE ONLY masterminds ALTER COLUMN id SET DEFAULT nextval('masterminds_id_seq'::regclass);
ALTER TABLE ONLY plays ALTER COLUMN id SET DEFAULT nextval('plays_id_seq'::regclass);
ALTER TABLE ONLY puzzles ALTER COLUMN id SET DEFAULT nextval('puzzles_id_seq'::regclass);
ALTER TABLE ONLY running_messages ALTER COLUMN id SET DEFAULT nextval('running_messages_id_seq'::regclass);
ALTER TABLE ONLY shares ALTER COLUMN id SET DEFAULT nextval('shares_id_seq'::regclass);
ALTER TABLE ONLY alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY always_shares
    ADD CONSTRAINT pk_always_shares PRIMARY KEY (player_id, guild_id);
ALTER TABLE ONLY analyses
    ADD CONSTRAINT pk_analyses PRIMARY KEY (id);
ALTER TABLE ONLY blocks
    ADD CONSTRAINT pk_blocks PRIMARY KEY (player_id, blocked_id);
ALTER TABLE ONLY departed_guilds
    ADD CONSTRAINT pk_departed_guilds PRIMARY KEY (guild_id);
ALTER TABLE ONLY duel_moves
    ADD CONSTRAINT pk_duel_moves PRIMARY KEY (duel_id, number);
ALTER TABLE ONLY duel_seats
    ADD CONSTRAINT pk_duel_seats PRIMARY KEY (duel_id, seat);
ALTER TABLE ONLY duels
    ADD CONSTRAINT pk_duels PRIMARY KEY (id);
ALTER TABLE ONLY emojis
    ADD CONSTRAINT pk_emojis PRIMARY KEY (application_id, name);
ALTER TABLE ONLY erasures
    ADD CONSTRAINT pk_erasures PRIMARY KEY (stand_in);
ALTER TABLE ONLY facts
    ADD CONSTRAINT pk_facts PRIMARY KEY (name);
ALTER TABLE ONLY finishers
    ADD CONSTRAINT pk_finishers PRIMARY KEY (guild_id, day, player_id);
ALTER TABLE ONLY finishers_threads
    ADD CONSTRAINT pk_finishers_threads PRIMARY KEY (guild_id, day);
ALTER TABLE ONLY free_games
    ADD CONSTRAINT pk_free_games PRIMARY KEY (player_id);
ALTER TABLE ONLY guesses
    ADD CONSTRAINT pk_guesses PRIMARY KEY (play_id, turn);
ALTER TABLE ONLY guild_erasures
    ADD CONSTRAINT pk_guild_erasures PRIMARY KEY (guild_id);
ALTER TABLE ONLY guild_lengths
    ADD CONSTRAINT pk_guild_lengths PRIMARY KEY (guild_id, from_day);
ALTER TABLE ONLY guilds
    ADD CONSTRAINT pk_guilds PRIMARY KEY (guild_id);
ALTER TABLE ONLY hints
    ADD CONSTRAINT pk_hints PRIMARY KEY (id);
ALTER TABLE ONLY jobs
    ADD CONSTRAINT pk_jobs PRIMARY KEY (id);
ALTER TABLE ONLY kept_pairs
    ADD CONSTRAINT pk_kept_pairs PRIMARY KEY (digest);
ALTER TABLE ONLY kept_ratings
    ADD CONSTRAINT pk_kept_ratings PRIMARY KEY (digest);
ALTER TABLE ONLY kept_salts
    ADD CONSTRAINT pk_kept_salts PRIMARY KEY (day);
ALTER TABLE ONLY kept_servers
    ADD CONSTRAINT pk_kept_servers PRIMARY KEY (digest);
ALTER TABLE ONLY leases
    ADD CONSTRAINT pk_leases PRIMARY KEY (name);
ALTER TABLE ONLY login_slots
    ADD CONSTRAINT pk_login_slots PRIMARY KEY (bucket);
ALTER TABLE ONLY mastermind_turns
    ADD CONSTRAINT pk_mastermind_turns PRIMARY KEY (game_id, turn);
ALTER TABLE ONLY masterminds
    ADD CONSTRAINT pk_masterminds PRIMARY KEY (id);
ALTER TABLE ONLY members
    ADD CONSTRAINT pk_members PRIMARY KEY (guild_id, player_id);
ALTER TABLE ONLY outages
    ADD CONSTRAINT pk_outages PRIMARY KEY (began_at, shard, shard_count);
ALTER TABLE ONLY pars
    ADD CONSTRAINT pk_pars PRIMARY KEY (number, length);
ALTER TABLE ONLY players
    ADD CONSTRAINT pk_players PRIMARY KEY (player_id);
ALTER TABLE ONLY plays
    ADD CONSTRAINT pk_plays PRIMARY KEY (id);
ALTER TABLE ONLY post_plans
    ADD CONSTRAINT pk_post_plans PRIMARY KEY (guild_id);
ALTER TABLE ONLY posts
    ADD CONSTRAINT pk_posts PRIMARY KEY (guild_id, day, kind);
ALTER TABLE ONLY preferences
    ADD CONSTRAINT pk_preferences PRIMARY KEY (player_id);
ALTER TABLE ONLY pulses
    ADD CONSTRAINT pk_pulses PRIMARY KEY (shard, shard_count);
ALTER TABLE ONLY puzzles
    ADD CONSTRAINT pk_puzzles PRIMARY KEY (id);
ALTER TABLE ONLY rating_changes
    ADD CONSTRAINT pk_rating_changes PRIMARY KEY (duel_id, player_id);
ALTER TABLE ONLY ratings
    ADD CONSTRAINT pk_ratings PRIMARY KEY (player_id);
ALTER TABLE ONLY reminder_plans
    ADD CONSTRAINT pk_reminder_plans PRIMARY KEY (player_id);
ALTER TABLE ONLY reminders
    ADD CONSTRAINT pk_reminders PRIMARY KEY (player_id, day);
ALTER TABLE ONLY reratings
    ADD CONSTRAINT pk_reratings PRIMARY KEY (player_id);
ALTER TABLE ONLY running_messages
    ADD CONSTRAINT pk_running_messages PRIMARY KEY (id);
ALTER TABLE ONLY running_rows
    ADD CONSTRAINT pk_running_rows PRIMARY KEY (running_id, player_id);
ALTER TABLE ONLY shares
    ADD CONSTRAINT pk_shares PRIMARY KEY (id);
ALTER TABLE ONLY spent_clicks
    ADD CONSTRAINT pk_spent_clicks PRIMARY KEY (message_id);
ALTER TABLE ONLY spent_dailies
    ADD CONSTRAINT pk_spent_dailies PRIMARY KEY (digest);
ALTER TABLE ONLY standing_levels
    ADD CONSTRAINT pk_standing_levels PRIMARY KEY (guild_id, slot, level);
ALTER TABLE ONLY standing_rebuilds
    ADD CONSTRAINT pk_standing_rebuilds PRIMARY KEY (player_id);
ALTER TABLE ONLY standings
    ADD CONSTRAINT pk_standings PRIMARY KEY (player_id, guild_id, slot);
ALTER TABLE ONLY streak_changes
    ADD CONSTRAINT pk_streak_changes PRIMARY KEY (player_id, day);
ALTER TABLE ONLY streak_restorations
    ADD CONSTRAINT pk_streak_restorations PRIMARY KEY (player_id, day);
ALTER TABLE ONLY streaks
    ADD CONSTRAINT pk_streaks PRIMARY KEY (player_id);
ALTER TABLE ONLY zones
    ADD CONSTRAINT pk_zones PRIMARY KEY (subject, subject_id, effective_at);
ALTER TABLE ONLY analyses
    ADD CONSTRAINT uq_analyses_duel_id_seat UNIQUE (duel_id, seat);
ALTER TABLE ONLY analyses
    ADD CONSTRAINT uq_analyses_mastermind_id_seat UNIQUE (mastermind_id, seat);
ALTER TABLE ONLY analyses
    ADD CONSTRAINT uq_analyses_play_id_seat UNIQUE (play_id, seat);
ALTER TABLE ONLY duel_moves
    ADD CONSTRAINT uq_duel_moves_duel_id_seat_turn UNIQUE (duel_id, seat, turn);
ALTER TABLE ONLY duel_seats
    ADD CONSTRAINT uq_duel_seats_player_id_duel_id UNIQUE (player_id, duel_id);
ALTER TABLE ONLY guesses
    ADD CONSTRAINT uq_guesses_play_id_code UNIQUE (play_id, code);
ALTER TABLE ONLY hints
    ADD CONSTRAINT uq_hints_mastermind_id_turn_kind UNIQUE (mastermind_id, turn, kind);
ALTER TABLE ONLY hints
    ADD CONSTRAINT uq_hints_play_id_turn_kind UNIQUE (play_id, turn, kind);
ALTER TABLE ONLY plays
    ADD CONSTRAINT uq_plays_puzzle_id_player_id UNIQUE (puzzle_id, player_id);
ALTER TABLE ONLY puzzles
    ADD CONSTRAINT uq_puzzles_number_length UNIQUE (number, length);
ALTER TABLE ONLY running_messages
    ADD CONSTRAINT uq_running_messages_channel_id_number_length UNIQUE (channel_id, number, length);
ALTER TABLE ONLY shares
    ADD CONSTRAINT uq_shares_duel_id_channel_id UNIQUE (duel_id, channel_id);
ALTER TABLE ONLY shares
    ADD CONSTRAINT uq_shares_mastermind_id_channel_id UNIQUE (mastermind_id, channel_id);
ALTER TABLE ONLY shares
    ADD CONSTRAINT uq_shares_play_id_channel_id UNIQUE (play_id, channel_id);
CREATE INDEX ix_departed_guilds_left_at ON departed_guilds USING btree (left_at);
CREATE INDEX ix_duels_called_off ON duels USING btree (finished_at) WHERE (ending IN ('declined', 'withdrawn', 'lapsed'));
CREATE INDEX ix_duels_finished_at_deadline_at ON duels USING btree (finished_at, deadline_at);
CREATE INDEX ix_duels_guild_id_finished_at ON duels USING btree (guild_id, finished_at) WHERE (guild_id IS NOT NULL);
CREATE INDEX ix_duels_nudge_at ON duels USING btree (nudge_at);
CREATE INDEX ix_duels_opened_at ON duels USING btree (opened_at);
CREATE INDEX ix_duels_rematch_of ON duels USING btree (rematch_of);
CREATE INDEX ix_duels_series_id ON duels USING btree (series_id) WHERE (series_id IS NOT NULL);
CREATE INDEX ix_duels_stale_at ON duels USING btree (stale_at);
CREATE INDEX ix_erasures_look_at ON erasures USING btree (look_at);
CREATE INDEX ix_finishers_player_id ON finishers USING btree (player_id);
CREATE INDEX ix_finishers_threads_closes_at ON finishers_threads USING btree (closes_at);
CREATE INDEX ix_finishers_threads_look_at ON finishers_threads USING btree (look_at);
CREATE INDEX ix_guild_erasures_look_at ON guild_erasures USING btree (look_at);
CREATE INDEX ix_jobs_kind_asked_at ON jobs USING btree (kind, asked_at);
CREATE INDEX ix_jobs_stale_at ON jobs USING btree (stale_at);
CREATE INDEX ix_kept_pairs_last_at ON kept_pairs USING btree (last_at);
CREATE INDEX ix_kept_ratings_kept_until ON kept_ratings USING btree (kept_until);
CREATE INDEX ix_kept_servers_kept_until ON kept_servers USING btree (kept_until);
CREATE INDEX ix_masterminds_challenges ON masterminds USING btree (codebreaker_id, opened_at) WHERE ((kind)::text = 'challenge'::text);
CREATE INDEX ix_masterminds_codebreaker_id_finished_at ON masterminds USING btree (codebreaker_id, finished_at);
CREATE INDEX ix_masterminds_finished_at_deadline_at ON masterminds USING btree (finished_at, deadline_at);
CREATE INDEX ix_masterminds_fleeting ON masterminds USING btree (finished_at) WHERE (((kind)::text = 'watch'::text) OR (((kind)::text = 'challenge'::text) AND (accepted_at IS NULL)));
CREATE INDEX ix_masterminds_guild_id ON masterminds USING btree (guild_id) WHERE (guild_id IS NOT NULL);
CREATE INDEX ix_masterminds_owner_id_finished_at ON masterminds USING btree (owner_id, finished_at);
CREATE INDEX ix_masterminds_unshown ON masterminds USING btree (id) WHERE ((message_id IS NOT NULL) AND (shown < revision));
CREATE INDEX ix_members_player_id ON members USING btree (player_id);
CREATE INDEX ix_outages_is_brief_ended_at ON outages USING btree (is_brief, ended_at);
CREATE INDEX ix_players_seen_at ON players USING btree (seen_at);
CREATE INDEX ix_plays_guild_id ON plays USING btree (guild_id);
CREATE INDEX ix_plays_player_id ON plays USING btree (player_id);
CREATE INDEX ix_plays_puzzle_id_guild_id ON plays USING btree (puzzle_id, guild_id);
CREATE INDEX ix_post_plans_post_at ON post_plans USING btree (post_at);
CREATE INDEX ix_rating_changes_player_id_opponent_id_changed_at ON rating_changes USING btree (player_id, opponent_id, changed_at);
CREATE INDEX ix_rating_changes_unfolded ON rating_changes USING btree (changed_at, duel_id) WHERE (mean_after IS NULL);
CREATE INDEX ix_ratings_of_age_at ON ratings USING btree (of_age_at);
CREATE INDEX ix_reminder_plans_look_at ON reminder_plans USING btree (look_at);
CREATE INDEX ix_running_messages_look_at ON running_messages USING btree (look_at);
CREATE INDEX ix_running_rows_player_id ON running_rows USING btree (player_id);
CREATE INDEX ix_shares_player_id_shared_at ON shares USING btree (player_id, shared_at);
CREATE INDEX ix_spent_clicks_spent_at ON spent_clicks USING btree (spent_at);
CREATE INDEX ix_spent_dailies_number_length ON spent_dailies USING btree (number, length);
CREATE INDEX ix_standings_guild_id_slot_sort_key_player_id ON standings USING btree (guild_id, slot, sort_key, player_id);
CREATE INDEX ix_streaks_settles_at ON streaks USING btree (settles_at);
ALTER TABLE ONLY analyses
    ADD CONSTRAINT fk_analyses_duel_id FOREIGN KEY (duel_id) REFERENCES duels(id) ON DELETE CASCADE;
ALTER TABLE ONLY analyses
    ADD CONSTRAINT fk_analyses_mastermind_id FOREIGN KEY (mastermind_id) REFERENCES masterminds(id) ON DELETE CASCADE;
ALTER TABLE ONLY analyses
    ADD CONSTRAINT fk_analyses_play_id FOREIGN KEY (play_id) REFERENCES plays(id) ON DELETE CASCADE;
ALTER TABLE ONLY duel_moves
    ADD CONSTRAINT fk_duel_moves_duel_id FOREIGN KEY (duel_id) REFERENCES duels(id) ON DELETE CASCADE;
ALTER TABLE ONLY duel_seats
    ADD CONSTRAINT fk_duel_seats_duel_id FOREIGN KEY (duel_id) REFERENCES duels(id) ON DELETE CASCADE;
ALTER TABLE ONLY duels
    ADD CONSTRAINT fk_duels_rematch_of FOREIGN KEY (rematch_of) REFERENCES duels(id) ON DELETE SET NULL;
ALTER TABLE ONLY guesses
    ADD CONSTRAINT fk_guesses_play_id FOREIGN KEY (play_id) REFERENCES plays(id) ON DELETE CASCADE;
ALTER TABLE ONLY hints
    ADD CONSTRAINT fk_hints_mastermind_id FOREIGN KEY (mastermind_id) REFERENCES masterminds(id) ON DELETE CASCADE;
ALTER TABLE ONLY hints
    ADD CONSTRAINT fk_hints_play_id FOREIGN KEY (play_id) REFERENCES plays(id) ON DELETE CASCADE;
ALTER TABLE ONLY mastermind_turns
    ADD CONSTRAINT fk_mastermind_turns_game_id FOREIGN KEY (game_id) REFERENCES masterminds(id) ON DELETE CASCADE;
ALTER TABLE ONLY plays
    ADD CONSTRAINT fk_plays_puzzle_id FOREIGN KEY (puzzle_id) REFERENCES puzzles(id);
ALTER TABLE ONLY rating_changes
    ADD CONSTRAINT fk_rating_changes_duel_id FOREIGN KEY (duel_id) REFERENCES duels(id) ON DELETE CASCADE;
ALTER TABLE ONLY running_rows
    ADD CONSTRAINT fk_running_rows_running_id FOREIGN KEY (running_id) REFERENCES running_messages(id) ON DELETE CASCADE;
ALTER TABLE ONLY shares
    ADD CONSTRAINT fk_shares_duel_id FOREIGN KEY (duel_id) REFERENCES duels(id) ON DELETE CASCADE;
ALTER TABLE ONLY shares
    ADD CONSTRAINT fk_shares_mastermind_id FOREIGN KEY (mastermind_id) REFERENCES masterminds(id) ON DELETE CASCADE;
ALTER TABLE ONLY shares
    ADD CONSTRAINT fk_shares_play_id FOREIGN KEY (play_id) REFERENCES plays(id) ON DELETE CASCADE;
INSERT INTO alembic_version VALUES ('0045');
