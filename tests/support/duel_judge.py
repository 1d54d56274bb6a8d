"""Whether duels are what they must be after every step, by the oracle and the tables."""

import asyncio
from pathlib import Path
from typing import Any

from bot.duels.model import DuelView, State
from bot.refused import Refused
from tests.support import duel_oracle as oracle
from tests.support.clock import FakeClock
from tests.support.duel_oracle import Life, Stored
from tests.support.duel_spectator import watch
from tests.support.sql import sql


class Judge:
    """Compares the tables with what they were when it last looked, and with what is said.

    Attributes:
        duels: as they were when it last looked, by id.
        ends: mode, ending and winner of those that have ended since it first looked.
        refused: how many answers were refusals.
    """

    def __init__(self, folder: Path, clock: FakeClock, life: Life, runner: asyncio.Runner) -> None:
        self._runner = runner
        self._clock = clock
        self._life = life
        self._folder = folder
        self._changes: dict[int, list[dict[str, Any]]] = {}
        self.duels: dict[int, Stored] = {}
        self.ends: list[tuple[str, str | None, int | None]] = []
        self.refused = 0

    def as_if_it_had_beaten(self) -> None:
        """Note that the bot is there now, without the hours of beats before."""
        now = f"{self._clock.now():%Y-%m-%d %H:%M:%S.%f}"
        sql(self._folder, f"UPDATE pulses SET beat_at = '{now}'")

    @property
    def late(self) -> frozenset[int]:
        """The duels in which somebody is too late, and that have not been ended yet."""
        found = self.duels.values()
        return frozenset(duel.id for duel in found if oracle.end_by_time(duel, self._life))

    def look_at_action(self, before: Stored, after: Stored, who: int, act: str, text: str) -> None:
        """Whether a duel is what an action that the rules allow makes of it."""
        seat = before.players.index(who)
        added = [(move.seat, move.code) for move in after.moves[len(before.moves) :]]
        assert added[:1] == ([(seat, text)] if act == "guess" else added[:1])
        assert [side for side, _ in added[act == "guess" :]] in ([], [1 - seat])
        assert before.against_bot or len(added) == (act == "guess")
        end = oracle.end_by(before, who, act) or oracle.end_by_guesses(after)
        assert after.end == (end or ("", None)), act
        assert after.is_over == (end is not None)
        secrets = [*before.secrets]
        if act in {"accept", "set_secret"}:
            secrets[seat] = text
        assert [*after.secrets] == secrets
        offers = {"offer_draw": seat, "guess": None, "decline_draw": None}
        if after.ending != "draw_agreed":
            assert after.offer == (None if after.is_over else offers.get(act, before.offer))
        if after.is_over:
            assert after.finished_at == self._clock.now()

    def look(self, found: list[Any], may_change: frozenset[int]) -> None:
        """Whether the tables are whole, only these duels have changed, and what is said is so."""
        before, self.duels = self.duels, oracle.read(self._folder)
        for id_, old in before.items():
            new = self.duels[id_]
            if new == old:
                continue
            assert not old.is_over
            assert id_ in may_change
            assert new.moves[: len(old.moves)] == old.moves
            assert (new.players, new.mode) == (old.players, old.mode)
            assert new.rated == old.rated or old.state == "invited"
            if new.is_over:
                self._end(old, new)
        self._ratings(before)
        for said in found:
            game = getattr(said, "game", said)
            if isinstance(game, DuelView):
                self._game(game, self.duels[game.duel.id])
                if not game.duel.is_against_bot:
                    self._runner.run(watch(game, self.duels[game.duel.id]))
            self.refused += isinstance(said, Refused)

    def _end(self, old: Stored, new: Stored) -> None:
        assert new.winner in (None, 0, 1)
        self.ends.append((new.mode, new.ending, new.winner))
        if by_time := oracle.end_by_time(old, self._life):
            assert (new.end, new.moves) == (by_time, old.moves)
            assert new.finished_at is not None
            assert self._life.at(new.finished_at) == oracle.deadline(old, self._life)

    def _ratings(self, before: dict[int, Stored]) -> None:
        """Whether ratings have changed with the end of rated duels, once, and not otherwise."""
        old, self._changes = self._changes, oracle.read_changes(self._folder)
        rated = {
            duel.id: duel
            for duel in self.duels.values()
            if duel.rated and duel.ending in oracle.PLAYED
        }
        assert self._changes.keys() == rated.keys()
        ratings: dict[int, tuple[float, float, int]] = {}
        ended = [id_ for id_ in rated if id_ not in old]
        for id_ in [*old, *ended]:
            assert id_ in ended or self._changes[id_] == old[id_]
            assert id_ not in ended or id_ not in before or not before[id_].is_over
            duel = rated[id_]
            assert duel.mode != "classic"
            assert not duel.against_bot
            assert {change["player_id"] for change in self._changes[id_]} == {*duel.players}
            for change in self._changes[id_]:
                seat = duel.players.index(change["player_id"])
                if duel.winner is not None:
                    went_up = change["mu_after"] > change["mu_before"]
                    assert went_up == (duel.winner == seat)
        for change in sorted(
            (change for both in self._changes.values() for change in both),
            key=lambda change: change["games"],
        ):
            mu, sigma, games = ratings.get(change["player_id"], (1500.0, 55.0, 0))
            assert (change["mu_before"], change["sigma_before"]) == (mu, sigma)
            assert change["games"] == games + 1
            after = change["mu_after"], change["sigma_after"], games + 1
            ratings[change["player_id"]] = after
        assert oracle.read_ratings(self._folder) == ratings

    def _game(self, game: DuelView, stored: Stored) -> None:
        """Whether what everybody may see is so, and tells no more than it may."""
        assert (game.duel.state, game.duel.ending, game.duel.winner) == (
            stored.state,
            stored.ending,
            stored.winner,
        )
        is_over = game.duel.state is State.OVER
        began = game.duel.playing_at is not None
        for seat, shown in enumerate(game.seats):
            target = stored.secrets[1 - seat]
            turns = [(t.guess, (t.feedback.bulls, t.feedback.cows)) for t in shown.turns]
            told = [(code, oracle.score(code, target)) for code in stored.codes(seat) if target]
            assert shown.target == (target if is_over and began else None)
            assert turns == told
            changes = self._changes.get(game.duel.id, [])
            assert (shown.change is not None) == bool(changes)
        assert game.duel.to_move in {None, len(stored.moves) % 2}
        assert (game.duel.to_move is None) == (game.duel.state is not State.PLAYING)
        due = oracle.deadline(stored, self._life)
        assert (due is None) == (game.deadline_at is None)
        if due is not None and game.deadline_at is not None and stored.id not in self.late:
            assert game.deadline_at - self._clock.now() == due - self._life.now
