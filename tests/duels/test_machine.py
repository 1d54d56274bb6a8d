"""Whatever two players, a bot and strangers do, over restarts and days: duels stay whole."""

import asyncio
import random
import re
from collections.abc import Awaitable, Callable, Iterator
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any, Final, cast

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    MultipleResults,
    RuleBasedStateMachine,
    initialize,
    multiple,
    precondition,
    rule,
    run_state_machine_as_test,
)

from bot.db.database import Database
from bot.duels.challenges import Challenge
from bot.duels.feature import DuelServices
from bot.duels.model import DuelView, State
from bot.duels.moves import Notebook
from bot.duels.position import DuelOptions
from bot.refused import RatedDuelError, Refused
from bot.shards.game import Heartbeat
from cogs.duels.pages import board_page
from engine import Mode, Strength
from tests.support import duel_oracle as oracle
from tests.support.clock import FakeClock
from tests.support.databases import NewDatabase
from tests.support.duel_boards import turned
from tests.support.duel_oracle import Life, Stored
from tests.support.duels import ANN, BEN, CAT
from tests.support.effort import either
from tests.support.sql import sql

pytestmark = pytest.mark.usefixtures("keys_watched")

# Digits of times, names and seals may be anything.
_OTHER_DIGITS = re.compile(r"<[@t][^>]*>|`[0-9a-f]{8,40}…?`")

Board = list[dict[str, Any]]


async def watch(game: DuelView, stored: Stored) -> None:
    """Look at a duel's public board.

    Args:
        game: the duel, as it was handed out.
        stored: as it is in the tables.
    """
    board = _board(game)
    ids = [part["custom_id"] for part in _parts(board) if "custom_id" in part]
    assert ids
    words = {word for id_ in ids for word in id_.split(":")}
    assert not words & {*filter(None, stored.secrets), *(move.code for move in stored.moves)}
    if game.duel.state is State.OVER:
        return
    text = _OTHER_DIGITS.sub("", "\n".join(part.get("content", "") for part in _parts(board)))
    told = {move.code for move in stored.moves}  # a number that both have chosen, too
    hidden = [*filter(None, stored.salts)]
    hidden += [secret for secret in stored.secrets if secret and secret not in told]
    assert not [code for code in hidden if code in text]
    if game.duel.state is not State.PLAYING:
        assert _board(turned(game)) == board


def _board(game: DuelView) -> Board:
    return board_page(game).to_components()


def _parts(components: Board) -> Iterator[dict[str, Any]]:
    for component in components:
        yield component
        yield from _parts(component.get("components", []))


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


CODES: Final = [code for n in range(10_000) if len(set(code := f"{n:04}")) == 4]
RIGHT: Final = "right"
"""Stands for what only the database knows."""
AGAIN: Final = "again"
"""Stands for whoever was the opponent."""
ACTS: Final = (
    *("accept", "set_secret", "guess", "view", "notebook"),
    *("offer_draw", "accept_draw", "decline_draw", "call_off", "resign", "decline", "withdraw"),
)
# A machine that is busy with other things makes no difference.
PATIENCE_SECONDS: Final = 60.0
SHORTEST_OUTAGE: Final = timedelta(seconds=90)
MOST_DUELS: Final = 6
"""Fewer than one player may have open; what is beyond has a test of its own."""

people = st.sampled_from([ANN, BEN, CAT])
guesses = st.just(RIGHT) | st.sampled_from(CODES)
texts = guesses | st.sampled_from(["12x4", "", "1123", "01234"])
options = st.builds(
    DuelOptions,
    repeats=st.booleans(),
    mode=st.sampled_from(Mode),
    strength=st.sampled_from([Strength.CASUAL, Strength.SHARP]),
)
times = st.sampled_from(
    [timedelta(seconds=s) for s in (1, 1, 20, 70, 900, 5 * 3600, 23 * 3600, 24 * 3600)]
)


class DuelMachine(RuleBasedStateMachine):
    """Lets everybody do something, and the judge look at it."""

    duels: Bundle[int] = Bundle("duels")

    def __init__(self, folder: Path, url: str) -> None:
        super().__init__()
        self._url = url
        self._runner = asyncio.Runner()
        self._clock = FakeClock()
        self._life = Life(self._clock)
        self._is_away = False
        self.judge = Judge(folder, self._clock, self._life, self._runner)

    @initialize(target=duels, seed=st.integers(0, 2**32), how=options)
    def begin(self, seed: int, how: DuelOptions) -> int | MultipleResults[int]:
        """The first duel; what the machine draws is Hypothesis's to choose."""
        self._dice = random.Random(seed)
        self._runner.run(self._open())
        opened = self.challenge(ANN, BEN, 0, how)
        (duel,) = self.judge.duels
        for act in ("accept", "set_secret"):
            for who in (ANN, BEN):
                if oracle.may(self.judge.duels[duel], who, act, CODES[who]):
                    self.act(who, duel, act, CODES[who])
        return opened

    async def _open(self) -> None:
        self._database = await Database.open(self._url, patience=PATIENCE_SECONDS)
        self._use = DuelServices.on(self._database, self._clock, "a key of puzzles", self._dice)
        self._heartbeat = Heartbeat(self._database, self._clock)

    def teardown(self) -> None:
        """Nobody does anything more: a day of absence ends nothing, another all with a clock."""
        try:
            self.wait(timedelta(hours=25), away=True)
            self.sweep()
            self.wait(timedelta(hours=25), away=False)
            self.sweep()
            assert all(duel.is_over or duel.against_bot for duel in self.judge.duels.values())
        finally:
            self._runner.run(self._database.close())
            self._runner.close()

    # What happens without players.

    @rule(time=times, away=st.booleans(), then=st.sampled_from(["", "sweep", "restart", "list"]))
    def pass_time(self, time: timedelta, away: bool, then: str) -> None:
        self.wait(time, away=away and time > SHORTEST_OUTAGE)
        if then == "sweep":
            self.sweep()
        elif then == "restart":
            self._runner.run(self._database.close())
            self._runner.run(self._open())
        elif then == "list":
            for who in (ANN, BEN, CAT):
                self._list_open(who)

    def wait(self, time: timedelta, *, away: bool) -> None:
        """Time passes as if a beat had come every minute, or without any."""
        self._runner.run(self._heartbeat.beat())
        self._life.passes(time, away=away)
        self._is_away = away
        if not away:
            self.judge.as_if_it_had_beaten()

    def sweep(self) -> None:
        # While the bot is away nothing ends, what was late before neither.
        late = frozenset[int]() if self._is_away else self.judge.late
        swept = self._runner.run(self._use.games.sweep())
        assert sorted(game.duel.id for game in swept) == sorted(late)
        self.judge.look(swept, late)
        assert self._runner.run(self._use.games.sweep()) == []

    def _list_open(self, who: int) -> None:
        games = self._runner.run(self._use.games.open_of(who))
        assert sorted(game.duel.id for game in games) == [
            duel.id
            for duel in self.judge.duels.values()
            if who in duel.players and not duel.is_over and duel.id not in self.judge.late
        ]
        self.judge.look(games, frozenset())

    # What players do, whether they may or not.

    @rule(
        target=duels,
        who=people,
        whom=st.sampled_from([BEN, ANN, None, AGAIN]),
        duel=duels,
        how=options,
    )
    def challenge(
        self, who: int, whom: int | str | None, duel: int, how: DuelOptions
    ) -> int | MultipleResults[int]:
        """A challenge, or a rematch of a duel."""
        known = {*self.judge.duels}
        if len(known) >= MOST_DUELS:
            return nothing()
        inviting = self._use.inviting
        if isinstance(whom, str):
            rules = self.judge.duels[duel]
            number = CODES[-1] if rules.is_code(CODES[-1]) else ""
            found = self._runner.run(_at_once(lambda: inviting.rematch(who, duel, number), 1))
        else:
            asked = Challenge(who, whom)
            number = CODES[who]
            found = self._runner.run(_at_once(lambda: inviting.challenge(asked, how, number), 1))
        self.judge.look(found, frozenset({duel} if whom == AGAIN else ()))
        new = {*self.judge.duels} - known
        assert new == {game.duel.id for game in found if isinstance(game, DuelView)} - known
        if not new:
            return nothing()
        (opened,) = new
        if whom == AGAIN:
            old, again = self.judge.duels[duel], self.judge.duels[opened]
            assert old.is_over
            # What was never played has used up nobody's first move.
            assert again.players == (old.players[::-1] if old.playing_at else old.players)
            assert who == again.challenger_id
        return opened

    @rule(who=people, duel=duels, act=st.sampled_from(ACTS), text=texts, clicks=st.integers(1, 2))
    def try_something(self, who: int, duel: int, act: str, text: str, clicks: int) -> None:
        """Mostly what is not allowed."""
        self.act(who, duel, act, text, clicks=clicks)

    @precondition(lambda self: cast("DuelMachine", self).is_any_open)
    @rule(
        nth=st.integers(0, 2),
        choices=st.lists(
            st.tuples(st.integers(0, 9), guesses, st.integers(1, 2)), min_size=2, max_size=5
        ),
    )
    def play(self, nth: int, choices: list[tuple[int, str, int]]) -> None:
        """What one may do in one of the duels that were opened last, mostly guess."""
        found = [duel for duel in self.judge.duels.values() if not duel.is_over]
        duel = found[-1 - nth % len(found)].id
        for choice, text, clicks in choices:
            stored = self.judge.duels[duel]
            allowed = [
                (who, act)
                for act in ("guess",) * 3 + ACTS
                for who in stored.players
                if who is not None and oracle.may(stored, who, act, CODES[-1])
            ]
            if allowed:
                who, act = allowed[choice % len(allowed)]
                self.act(who, duel, act, text, clicks=clicks)

    @property
    def is_any_open(self) -> bool:
        return not all(duel.is_over for duel in self.judge.duels.values())

    def act(self, who: int, duel: int, act: str, text: str = "", clicks: int = 1) -> None:
        """Let a player do something, perhaps twice at once, and judge what came of it."""
        before = self.judge.duels[duel]
        if text == RIGHT:
            text = number_for(before, who)
        do = self._action(who, duel, act, text)
        is_at_stake = before.against_bot and act == "set_secret" and self._has_rated(who)
        # What a second click is told while the bot thinks may be from before its answer.
        found = self._runner.run(_at_once(do, 1 if before.against_bot else clicks))
        is_for = oracle.is_for(before, who, act)
        is_late = duel in self.judge.late
        self.judge.look(found, frozenset({duel} if is_for else ()))
        after = self.judge.duels[duel]
        if is_late:
            assert after.is_over == is_for
        elif oracle.may(before, who, act, text) and is_at_stake:
            assert isinstance(found[0], RatedDuelError)
            assert after == before
        elif oracle.may(before, who, act, text):
            assert not isinstance(found[0], Refused), found[0]
            self.judge.look_at_action(before, after, who, act, text)
        else:
            assert after == before, act
            assert isinstance(found[0], Refused) or who in before.players or act == "view"

    def _has_rated(self, who: int) -> bool:
        """Whether a number like one that the bot is to find is at stake for a player."""
        return any(
            duel.rated and duel.accepted_at and not duel.is_over and who in duel.players
            for duel in self.judge.duels.values()
        )

    def _action(
        self, who: int, duel: int, act: str, text: str
    ) -> Callable[[], Awaitable[DuelView | Notebook]]:
        if act in {"set_secret", "guess"}:
            return lambda: getattr(self._use.playing, act)(who, duel, text)
        if act == "accept":
            stored = self.judge.duels[duel]
            return lambda: self._use.inviting.accept(who, duel, stored.terms, text)
        at = self._use.inviting if act in {"accept", "decline", "withdraw"} else self._use.playing
        return lambda: getattr(self._use.games if act == "notebook" else at, act)(who, duel)


def number_for(duel: Stored, who: int) -> str:
    """What a player is to find, once there is something."""
    seat = duel.players.index(who) if who in duel.players else 0
    return duel.secrets[1 - seat] or CODES[-1]


def nothing() -> MultipleResults[int]:
    return cast("MultipleResults[int]", multiple())


async def _at_once(do: Callable[[], Awaitable[Any]], clicks: int) -> list[Any]:
    found = await asyncio.gather(*(do() for _ in range(clicks)), return_exceptions=True)
    for error in found:
        if isinstance(error, BaseException) and not isinstance(error, Refused):
            raise error
    return found


@pytest.fixture
def machine(new_database: NewDatabase, tmp_path: Path) -> Callable[[], DuelMachine]:
    numbers = count()

    def make() -> DuelMachine:
        folder = tmp_path / str(next(numbers))
        folder.mkdir()
        return DuelMachine(folder, new_database(folder))

    return make


@pytest.mark.long
def test_duels_stay_consistent_whatever_their_players_do(
    machine: Callable[[], DuelMachine],
) -> None:
    machines: list[DuelMachine] = []

    def remembered() -> DuelMachine:
        machines.append(machine())
        return machines[-1]

    run_state_machine_as_test(
        cast("type[DuelMachine]", remembered),
        settings=settings(
            max_examples=either(6, 100),
            stateful_step_count=either(10, 15),
            deadline=None,
            derandomize=True,
            report_multiple_bugs=False,
            phases=(Phase.generate, Phase.shrink),
        ),
    )
    reached = {end for machine in machines for end in machine.judge.ends}
    assert {mode for mode, _, _ in reached} == {mode.value for mode in Mode}
    assert len({ending for _, ending, _ in reached}) >= 6, reached
    assert sum(machine.judge.refused for machine in machines) > 20
