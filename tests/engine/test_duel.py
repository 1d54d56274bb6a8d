"""Duels: two Codebreakers, two modes, and every way they end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import (
    BullsAndCows,
    Code,
    Duel,
    DuelEnding,
    DuelOutcome,
    EngineError,
    Game,
    GameOverError,
    Mode,
    NotYourTurnError,
    RepeatedGuessError,
    Score,
    replay_duel,
)
from tests.support.effort import examples

SECRETS = ("98", "76")
MISSES = ["01", "02", "03", "04", "12", "13", "14", "23", "24", "34"]

WINS = [DuelOutcome(player, DuelEnding.SOLVED) for player in (0, 1)]
BOTH = DuelOutcome(None, DuelEnding.BOTH_SOLVED)
NEITHER = DuelOutcome(None, DuelEnding.OUT_OF_GUESSES)

Move = tuple[int, bool]
"""Who guesses, and whether it is the secret."""


def new_duel(mode: Mode, max_guesses: int = 3) -> Duel:
    return replay_duel(BullsAndCows(2, max_guesses=max_guesses), SECRETS, mode)


def code_for(duel: Duel, player: int, *, hit: bool) -> Code:
    game = duel.games[player]
    return game.secret if hit else MISSES[len(game.turns)]


def played(mode: Mode, story: str, max_guesses: int = 3) -> Duel:
    """The duel of a story such as ``0 1 0!``: who guesses, with ``!`` when it is the secret."""
    duel = new_duel(mode, max_guesses)
    for move in story.split():
        player = int(move[0])
        duel = duel.guess(player, code_for(duel, player, hit=move.endswith("!")))
    return duel


EQUAL, CLASSIC = Mode.EQUAL_TURNS, Mode.CLASSIC


class TestEndings:
    def test_modes_of_duels_keep_the_names_that_stored_duels_have(self):
        assert [mode.value for mode in Mode] == ["equal", "classic"]


class TestRefusals:
    @pytest.mark.parametrize("mode", [EQUAL, CLASSIC])
    @pytest.mark.parametrize(("story", "player"), [("", 1), ("0", 0), ("0 1", 1), ("0 1 0", 0)])
    def test_a_guess_out_of_turn_is_refused(self, mode: Mode, story: str, player: int):
        with pytest.raises(NotYourTurnError) as caught:
            played(mode, story).guess(player, "56")
        assert vars(caught.value) == {"guess": "56", "player": player}

    @pytest.mark.parametrize("mode", Mode)
    def test_a_player_may_repeat_the_opponents_guess_but_not_their_own(self, mode: Mode):
        duel = new_duel(mode).guess(0, MISSES[0]).guess(1, MISSES[0])
        with pytest.raises(RepeatedGuessError) as caught:
            duel.guess(0, MISSES[0])
        assert caught.value.turn == 0

    @pytest.mark.parametrize("mode", Mode)
    @pytest.mark.parametrize("player", [-1, 2])
    def test_a_duel_has_two_players(self, mode: Mode, player: int):
        with pytest.raises(EngineError):
            new_duel(mode).guess(player, MISSES[0])

    @pytest.mark.parametrize("mode", Mode)
    def test_games_with_different_rules_cannot_form_a_duel(self, mode: Mode):
        games = (game("98", BullsAndCows(2)), game("98", BullsAndCows(2, max_guesses=9)))
        with pytest.raises(EngineError):
            Duel(games, mode)

    @pytest.mark.parametrize("mode", [EQUAL, CLASSIC])
    @pytest.mark.parametrize(("first", "second"), [(0, 1), (2, 0), (1, 2)])
    def test_games_not_played_in_turn_cannot_form_a_duel(self, mode: Mode, first: int, second: int):
        rules = BullsAndCows(2)
        with pytest.raises(EngineError):
            Duel((game("98", rules, first), game("98", rules, second)), mode)


def game(secret: str, rules: BullsAndCows, misses: int = 0) -> Game[Score]:
    state: Game[Score] = Game(rules, secret)
    for miss in MISSES[:misses]:
        state = state.guess(miss)
    return state


class TestState:
    @pytest.mark.parametrize("mode", Mode)
    def test_a_guess_returns_a_new_duel_and_leaves_the_old_one_unchanged(self, mode: Mode):
        old = new_duel(mode)
        new = old.guess(0, MISSES[0])
        assert [len(game.turns) for game in old.games] == [0, 0]
        assert [len(game.turns) for game in new.games] == [1, 0]
        assert old == new_duel(mode)
        assert hash(new) == hash(played(mode, "0"))

    def test_each_player_guesses_at_the_secret_meant_for_them(self):
        duel = new_duel(EQUAL)
        assert [game.secret for game in duel.games] == list(SECRETS)
        after = duel.guess(0, "67").guess(1, "67")
        assert [game.turns[0].feedback for game in after.games] == [(0, 0), (0, 2)]


def verdict(mode: Mode, history: list[Move], max_guesses: int) -> DuelOutcome | None:
    """What the rules of the modes say, read move by move."""
    for index, (player, hit) in enumerate(history):
        if mode is CLASSIC and hit:
            return WINS[player]
        if player == 1:
            round_hits = (history[index - 1][1], hit)
            if round_hits == (True, True):
                return BOTH
            if any(round_hits):
                return WINS[round_hits.index(True)]
    return NEITHER if len(history) == 2 * max_guesses else None


def may_follow(duel: Duel, player: int) -> bool:
    """Whether a player may guess again after a wrong guess, if the other finds nothing more."""
    after = duel.guess(player, code_for(duel, player, hit=False))
    if after.to_move == 1 - player:
        after = after.guess(1 - player, code_for(after, 1 - player, hit=False))
    return after.to_move == player


attempts = st.lists(st.tuples(st.integers(0, 1), st.sampled_from([False, False, True])))


@examples(100, 4000)
@given(st.sampled_from(Mode), st.integers(1, 4), attempts)
def test_a_duel_agrees_with_the_rules_move_by_move(mode: Mode, max_guesses: int, tries: list[Move]):
    duel, history, moves = new_duel(mode, max_guesses), list[Move](), list[tuple[int, str]]()
    for player, hit in tries:
        is_over = verdict(mode, history, max_guesses) is not None
        may = player == len(history) % 2 and not is_over
        assert (duel.to_move == player) == may
        assert duel.has_one_guess(player) == (may and not may_follow(duel, player))
        code = code_for(duel, player, hit=hit)
        if not may:
            with pytest.raises(GameOverError if is_over else NotYourTurnError):
                duel.guess(player, code)
            continue
        duel = duel.guess(player, code)
        history.append((player, hit))
        moves.append((player, code))
        assert duel.outcome == verdict(mode, history, max_guesses)
        assert duel == replay_duel(duel.games[0].rules, SECRETS, mode, moves)
