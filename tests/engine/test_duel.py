"""Duels: two Codebreakers, three modes, and every way they end."""

from dataclasses import FrozenInstanceError
from itertools import product

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
RACE_SECRETS = ("98", "98")
MISSES = [Code(code) for code in ("01", "02", "03", "04", "12", "13", "14", "23", "24", "34")]

WINS = [DuelOutcome(player, DuelEnding.SOLVED) for player in (0, 1)]
BOTH = DuelOutcome(None, DuelEnding.BOTH_SOLVED)
NEITHER = DuelOutcome(None, DuelEnding.OUT_OF_GUESSES)
OUTCOMES = {"first": WINS[0], "second": WINS[1], "both": BOTH, "neither": NEITHER, "": None}

Move = tuple[int, bool]
"""Who guesses, and whether it is the secret."""


def secrets_for(mode: Mode) -> tuple[str, str]:
    return RACE_SECRETS if mode is Mode.RACE else SECRETS


def new_duel(mode: Mode, max_guesses: int = 3) -> Duel:
    return replay_duel(BullsAndCows(2, max_guesses=max_guesses), secrets_for(mode), mode)


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


EQUAL, CLASSIC, RACE = Mode.EQUAL_TURNS, Mode.CLASSIC, Mode.RACE
# The mode, the moves, how it ended, and who may guess.
ENDINGS = [
    (EQUAL, "", "", "0"),
    (EQUAL, "0", "", "1"),
    (EQUAL, "0 1", "", "0"),
    (EQUAL, "0!", "", "1"),
    (EQUAL, "0! 1", "first", ""),
    (EQUAL, "0! 1!", "both", ""),
    (EQUAL, "0 1!", "second", ""),
    (EQUAL, "0 1 0!", "", "1"),
    (EQUAL, "0 1 0! 1", "first", ""),
    (EQUAL, "0 1 0 1 0", "", "1"),
    (EQUAL, "0 1 0 1 0!", "", "1"),
    (EQUAL, "0 1 0 1 0! 1", "first", ""),
    (EQUAL, "0 1 0 1 0! 1!", "both", ""),
    (EQUAL, "0 1 0 1 0 1!", "second", ""),
    (EQUAL, "0 1 0 1 0 1", "neither", ""),
    (CLASSIC, "", "", "0"),
    (CLASSIC, "0", "", "1"),
    (CLASSIC, "0!", "first", ""),
    (CLASSIC, "0 1!", "second", ""),
    (CLASSIC, "0 1 0!", "first", ""),
    (CLASSIC, "0 1 0 1 0", "", "1"),
    (CLASSIC, "0 1 0 1 0 1!", "second", ""),
    (CLASSIC, "0 1 0 1 0!", "first", ""),
    (CLASSIC, "0 1 0 1 0 1", "neither", ""),
    (RACE, "", "", "01"),
    (RACE, "1 1", "", "01"),
    (RACE, "0!", "", "1"),
    (RACE, "1!", "", "0"),
    (RACE, "0! 1", "first", ""),
    (RACE, "0! 1!", "both", ""),
    (RACE, "1! 0!", "both", ""),
    (RACE, "0 1!", "second", ""),
    (RACE, "0 0 1!", "second", ""),
    (RACE, "0 0!", "", "1"),
    (RACE, "0 0! 1", "", "1"),
    (RACE, "0 0! 1!", "second", ""),
    (RACE, "0 0! 1 1!", "both", ""),
    (RACE, "0 0! 1 1", "first", ""),
    (RACE, "1 1 0 0!", "first", ""),
    (RACE, "0 0 0", "", "1"),
    (RACE, "0 0 0 1 1", "", "1"),
    (RACE, "0 0 0 1 1 1!", "second", ""),
    (RACE, "0 0 0 1 1 1", "neither", ""),
    (RACE, "1 1 1! 0 0", "", "0"),
    (RACE, "1 1 1! 0 0 0!", "both", ""),
    (RACE, "1 1 1! 0 0 0", "second", ""),
]


class TestEndings:
    @pytest.mark.parametrize(("mode", "story", "outcome", "able"), ENDINGS)
    def test_a_duel_ends_according_to_its_mode(
        self, mode: Mode, story: str, outcome: str, able: str
    ):
        duel = played(mode, story)
        assert duel.outcome == OUTCOMES[outcome]
        assert "".join(str(player) for player in (0, 1) if duel.may_guess(player)) == able
        assert duel.to_move == (int(able) if len(able) == 1 else None)

    def test_modes_of_duels_keep_the_names_that_stored_duels_have(self):
        assert [mode.value for mode in Mode] == ["equal", "classic", "race"]


class TestRefusals:
    @pytest.mark.parametrize("mode", [EQUAL, CLASSIC])
    @pytest.mark.parametrize(("story", "player"), [("", 1), ("0", 0), ("0 1", 1), ("0 1 0", 0)])
    def test_a_guess_out_of_turn_is_refused(self, mode: Mode, story: str, player: int):
        with pytest.raises(NotYourTurnError) as caught:
            played(mode, story).guess(player, Code("56"))
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
            new_duel(mode).may_guess(player)
        with pytest.raises(EngineError):
            new_duel(mode).guess(player, MISSES[0])

    def test_a_race_with_two_secrets_is_refused(self):
        with pytest.raises(EngineError):
            replay_duel(BullsAndCows(2), SECRETS, RACE)

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
    state: Game[Score] = Game(rules, Code(secret))
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

    @pytest.mark.parametrize("name", ["games", "mode"])
    def test_a_duel_is_immutable(self, name: str):
        duel = new_duel(EQUAL)
        with pytest.raises(FrozenInstanceError):
            setattr(duel, name, ())
        with pytest.raises(FrozenInstanceError):
            setattr(BOTH, "winner", 0)  # noqa: B010 - type checkers refuse the plain way, too

    def test_each_player_guesses_at_the_secret_meant_for_them(self):
        duel = new_duel(EQUAL)
        assert [game.secret for game in duel.games] == list(SECRETS)
        after = duel.guess(0, Code("67")).guess(1, Code("67"))
        assert [game.turns[0].feedback for game in after.games] == [(0, 0), (0, 2)]


def verdict(mode: Mode, history: list[Move], max_guesses: int) -> DuelOutcome | None:
    """What the rules of the modes say, read move by move."""
    if mode is RACE:
        return race_verdict(history, max_guesses)
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


def race_verdict(history: list[Move], max_guesses: int) -> DuelOutcome | None:
    """The result, when it is the same however the race goes on."""
    never = max_guesses + 1
    fates: list[list[int]] = []
    for player in (0, 1):
        hits = [hit for who, hit in history if who == player]
        later = list(range(len(hits) + 1, never + 1))
        fates.append([hits.index(True) + 1] if True in hits else later)
    results: set[DuelOutcome] = set()
    for first, second in product(*fates):
        if first == second:
            results.add(NEITHER if first == never else BOTH)
        else:
            results.add(WINS[0] if first < second else WINS[1])
    return results.pop() if len(results) == 1 else None


def may_follow(duel: Duel, player: int) -> bool:
    """Whether a player may guess again after a wrong guess, if the other finds nothing more."""
    after = duel.guess(player, code_for(duel, player, hit=False))
    while not after.may_guess(player) and after.may_guess(1 - player):
        after = after.guess(1 - player, code_for(after, 1 - player, hit=False))
    return after.may_guess(player)


attempts = st.lists(st.tuples(st.integers(0, 1), st.sampled_from([False, False, True])))


@examples(100, 4000)
@given(st.sampled_from(Mode), st.integers(1, 4), attempts)
def test_a_duel_agrees_with_the_rules_move_by_move(mode: Mode, max_guesses: int, tries: list[Move]):
    duel, history, moves = new_duel(mode, max_guesses), list[Move](), list[tuple[int, str]]()
    for player, hit in tries:
        mine = [was_hit for who, was_hit in history if who == player]
        is_done = True in mine or len(mine) == max_guesses
        may = not is_done if mode is RACE else player == len(history) % 2
        may = may and verdict(mode, history, max_guesses) is None
        assert duel.may_guess(player) == may
        assert duel.has_one_guess(player) == (may and not may_follow(duel, player))
        code = code_for(duel, player, hit=hit)
        if not may:
            is_over = mode is RACE or verdict(mode, history, max_guesses) is not None
            with pytest.raises(GameOverError if is_over else NotYourTurnError):
                duel.guess(player, code)
            continue
        duel = duel.guess(player, code)
        history.append((player, hit))
        moves.append((player, code))
        assert duel.outcome == verdict(mode, history, max_guesses)
        assert duel == replay_duel(duel.games[0].rules, secrets_for(mode), mode, moves)
