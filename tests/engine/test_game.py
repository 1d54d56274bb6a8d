"""Games: one secret, guess by guess, and the rules they are played by."""

from collections.abc import Callable
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import (
    BullsAndCows,
    Code,
    Focdle,
    ForeignGuessError,
    Game,
    GameOverError,
    IllegalGuessError,
    ImpossibleRulesError,
    Marks,
    Mastermind,
    Outcome,
    Rules,
    Turn,
    mark,
    replay,
)
from tests.engine.material import lengths, secrets
from tests.support.effort import examples

SECRET = "25+4*12=73"
WRONG = [
    "13+12-8=17",
    "72+31%6=73",
    "21+20*4=55",
    "12*4+25=73",
    "25+12*4=73",
    "98-17-8=73",
]
games = st.tuples(lengths, st.integers(1, 13)).flatmap(
    lambda setting: st.tuples(
        st.just(Focdle(*setting)),
        secrets(setting[0]),
        st.lists(secrets(setting[0]), max_size=15),
    )
)


def new_game(max_guesses: int = 6) -> Game[Marks]:
    return Game(Focdle(max_guesses=max_guesses), SECRET)


class TestPlay:
    def test_a_player_who_gives_up_has_lost_with_guesses_left(self):
        old = new_game().guess(WRONG[0])
        game = old.give_up()
        assert (game.outcome, game.guesses_left, game.turns) == (Outcome.LOST, 5, old.turns)
        assert old.outcome is None
        with pytest.raises(GameOverError):
            game.guess(WRONG[1])
        for over in (game, old.guess(SECRET)):
            with pytest.raises(GameOverError):
                over.give_up()

    def test_a_guess_returns_a_new_game_and_leaves_the_old_one_unchanged(self):
        old = new_game()
        new = old.guess(WRONG[0])
        assert old.turns == ()
        assert new.turns == (Turn(WRONG[0], mark(WRONG[0], SECRET)),)
        assert (old.guesses_left, new.guesses_left) == (6, 5)

    def test_equal_rules_and_equal_games_have_equal_hashes(self):
        assert hash(Focdle()) == hash(Focdle(10, 6))
        assert hash(new_game().guess(SECRET)) == hash(new_game().guess(SECRET))
        assert new_game().guess(SECRET) != new_game().guess(WRONG[0])


class TestOutcome:
    def test_a_game_ends_as_lost_after_its_last_guess(self):
        game = new_game()
        for left, guess in zip((5, 4, 3, 2, 1), WRONG, strict=False):
            game = game.guess(guess)
            assert (game.guesses_left, game.outcome) == (left, None)
        game = game.guess(WRONG[5])
        assert (game.guesses_left, game.outcome) == (0, Outcome.LOST)

    @pytest.mark.parametrize("misses", range(6))
    def test_the_secret_solves_the_game_even_as_the_last_guess(self, misses: int):
        game = replay(Focdle(), SECRET, [*WRONG[:misses], SECRET])
        assert (game.guesses_left, game.outcome) == (5 - misses, Outcome.SOLVED)

    def test_the_right_symbols_in_another_order_do_not_solve_the_game(self):
        assert new_game().guess("12*4+25=73").outcome is None


class TestRefusals:
    @pytest.mark.parametrize("turn", range(3))
    def test_a_repeated_guess_is_refused_with_the_number_of_the_earlier_turn(self, turn: int):
        game = replay(Focdle(), SECRET, WRONG[:3])
        with pytest.raises(IllegalGuessError) as caught:
            game.guess(WRONG[turn])
        assert vars(caught.value) == {"guess": WRONG[turn], "turn": turn}

    @pytest.mark.parametrize(
        ("rules", "secret", "guess"),
        [
            (Mastermind(), "RROO", "WWWW"),
            (Mastermind(), "RROO", "RRO"),
            (BullsAndCows(), "0123", "1111"),
            (Focdle(), SECRET, "aaaaaaaaaa"),
            (Focdle(), SECRET, "25 + 4*12=73"),
        ],
    )
    def test_a_guess_that_is_no_code_of_the_game_is_refused_and_named(
        self, rules: Rules[Any], secret: str, guess: str
    ):
        with pytest.raises(ForeignGuessError) as caught:
            replay(rules, secret, [guess])
        assert caught.value.guess == guess

    def test_a_false_equation_as_the_secret_is_told_what_its_left_side_is(self):
        with pytest.raises(ForeignGuessError, match=r"no secret: 25\+4\*12 is 73, not 74\.$"):
            Game(Focdle(), "25+4*12=74")


@examples(25, 1000)
@given(games, st.data())
def test_a_replay_equals_the_game_played_step_by_step(
    position: tuple[Focdle, Code, list[Code]], data: st.DataObject
):
    rules, secret, guesses = position
    at = data.draw(st.integers(0, len(guesses)))
    game, made = Game(rules, secret), list[Code]()
    for guess in [*guesses[:at], secret, *guesses[at:]]:
        if secret in made or len(made) == rules.max_guesses:
            with pytest.raises(GameOverError):
                game.guess(guess)
        elif guess in made:
            with pytest.raises(IllegalGuessError):
                game.guess(guess)
        else:
            game = game.guess(guess)
            made.append(guess)
        assert game == replay(rules, secret, made)
        assert [turn.guess for turn in game.turns] == made
        assert [turn.feedback for turn in game.turns] == [mark(guess, secret) for guess in made]


@pytest.mark.parametrize(
    "make",
    [
        lambda: Focdle(cast("int", 10.0)),
        lambda: Focdle(10, cast("int", 6.0)),
        lambda: Mastermind(colours=cast("int", 6.0)),
        lambda: Mastermind(pegs=cast("int", 4.0), colours=6),
        lambda: Mastermind(pegs=4, colours=6, max_guesses=cast("int", 2.5)),
        lambda: Mastermind(pegs=4, colours=6, repeats=cast("bool", "no")),
        lambda: BullsAndCows(digits=True),
        lambda: BullsAndCows(cast("int", None)),
    ],
)
def test_rules_accept_only_whole_numbers(make: Callable[[], object]):
    with pytest.raises(ImpossibleRulesError):
        make()


@pytest.mark.parametrize("max_guesses", [0, -1])
def test_a_game_with_no_guesses_allowed_is_refused(max_guesses: int):
    with pytest.raises(ImpossibleRulesError):
        Focdle(10, max_guesses)
