"""Whoever guesses: their games, their measurement; and the notation that games have."""

import statistics
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import (
    SYMBOLS,
    BullsAndCows,
    Code,
    EngineError,
    Focdle,
    ForeignGuessError,
    Game,
    GameOverError,
    ImpossibleRulesError,
    Mastermind,
    Measured,
    Outcome,
    RepeatedGuessError,
    Turn,
    is_consistent,
    measure,
    play,
    replay,
)
from engine.solvers import codebreaker
from tests.engine.material import codes, small_games
from tests.support.effort import examples


class First:
    """The first code that explains all answers; it counts how often it is asked."""

    def __init__(self, rules: Mastermind | BullsAndCows | Focdle) -> None:
        self.rules: Any = rules
        self.asked = 0

    def next_guess(self, turns: Sequence[Turn[Any]], /) -> str:
        self.asked += 1
        return next(code for code in self.rules.codes() if is_consistent(self.rules, code, turns))


class Stubborn:
    def __init__(self, *guesses: str) -> None:
        self.guesses = guesses

    def next_guess(self, turns: Sequence[Turn[Any]], /) -> str:
        return self.guesses[len(turns) % len(self.guesses)]


class TestPlay:
    @pytest.mark.parametrize(
        "rules", [Mastermind(pegs=3, colours=4), BullsAndCows(2), BullsAndCows(2, max_guesses=3)]
    )
    def test_a_guesser_is_asked_once_a_turn_until_the_game_is_over(
        self, rules: Mastermind | BullsAndCows
    ):
        for secret in rules.codes():
            guesser = First(rules)
            game = play(rules, secret, guesser)
            assert game == replay(rules, secret, game.guesses)
            assert guesser.asked == len(game.turns) <= rules.max_guesses
            assert (game.outcome is Outcome.SOLVED) == (game.guesses[-1] == secret)

    def test_a_programs_guess_against_the_rules_is_named_in_the_error(self):
        with pytest.raises(ForeignGuessError, match="'RYGW' is no code of this game"):
            play(Mastermind(), "RYGB", Stubborn("RYGW"))
        with pytest.raises(RepeatedGuessError, match="RRRR was guess 1 already"):
            play(Mastermind(), "RYGB", Stubborn("RRRR"))
        with pytest.raises(ForeignGuessError):
            play(Mastermind(), "RYGW", Stubborn("RRRR"))

    def test_in_focdle_a_program_may_guess_what_no_person_could_type(self):
        game = play(Focdle(), "25+4*12=73", codebreaker(Focdle()))
        assert game.guesses == ("57%3+41926", "22814-4=17", "25+4*12=73")
        assert game.outcome is Outcome.SOLVED
        for foreign in ("57%3+4192", "57%3+4192a"):
            with pytest.raises(ForeignGuessError):
                play(Focdle(), "25+4*12=73", Stubborn(foreign))
        with pytest.raises(ForeignGuessError):
            play(Focdle(hard=True), "25+4*12=73", Stubborn("57%3+41926"))


class TestMeasure:
    def test_a_measurement_plays_each_secret_once_and_ignores_the_limit_of_guesses(self):
        rules = BullsAndCows(2, max_guesses=1)
        found = measure(rules, First(rules))
        counts = [len(play(BullsAndCows(2), code, First(rules)).turns) for code in rules.codes()]
        assert list(found.distribution) == sorted(set(counts))
        assert found.distribution == {n: counts.count(n) for n in counts}
        assert (found.games, found.guesses, found.worst) == (90, sum(counts), max(counts))
        assert (found.mean, found.error) == (statistics.fmean(counts), 0)
        assert found.seconds > 0

    def test_the_seed_determines_which_secrets_a_measurement_draws(self):
        rules, rng = BullsAndCows(2), Random(5)
        drawn = [rules.draw(rng) for _ in range(40)]
        found = measure(rules, First(rules), 40, seed=5)
        assert found.distribution == measure(rules, First(rules), drawn).distribution
        counts = [n for n, games in found.distribution.items() for _ in range(games)]
        assert found.error == pytest.approx(statistics.stdev(counts) / 40**0.5)
        assert measure(rules, First(rules), 40, seed=6).distribution != found.distribution
        assert measure(rules, First(rules), 1).error == 0

    def test_a_measurement_by_several_processes_has_the_result_of_one_process(self):
        rules = Mastermind(pegs=3, colours=4)
        alone = measure(rules, codebreaker(rules))
        assert measure(rules, codebreaker(rules), processes=2) == alone
        few = ["RRR", "ROY"]
        by_chance = [
            measure(rules, codebreaker(rules, "sharp", rng=Random(1)), few, processes=9)
            for _ in range(2)
        ]
        assert by_chance[0] == by_chance[1], "each copy draws by a seed that follows from the first"

    def test_an_impossible_measurement_is_refused_with_the_reason(self):
        rules = Mastermind(pegs=2, colours=2, max_guesses=2)
        with pytest.raises(EngineError, match="There must be a secret"):
            measure(rules, First(rules), [])
        with pytest.raises(EngineError, match="There must be a secret"):
            measure(rules, First(rules), 0)
        with pytest.raises(EngineError, match="and a process"):
            measure(rules, First(rules), processes=0)
        with pytest.raises(ForeignGuessError):
            measure(rules, First(rules), ["RY"])
        many = [format(n, "02d") for n in range(99)]
        with pytest.raises(EngineError, match="99 was not found in 99 guesses"):
            measure(BullsAndCows(2, repeats=True), Stubborn(*many), ["99"])

    def test_a_measurement_is_printed_as_a_table(self):
        found = Measured({2: 1, 4: 40}, is_sample=True, seconds=1)
        assert str(found).splitlines() == [
            "41 games:",
            "3.951 guesses on average (standard error 0.049)",
            " 2 # 1",
            " 3  0",
            " 4 ############################## 40",
        ]
        assert str(Measured({1: 1}, is_sample=True, seconds=1)).startswith("1 game:\n1.000 guesses")


strings = st.text(st.sampled_from(SYMBOLS), min_size=7, max_size=7)


class TestNotation:
    @examples(30, 1000)
    @given(st.data())
    def test_every_game_is_read_back_from_its_notation(self, data: st.DataObject):
        rules = data.draw(small_games)
        secret, guesses = data.draw(codes(rules)), data.draw(st.lists(codes(rules), unique=True))
        game: Game[Any] = Game(rules, secret)
        for guess in guesses:
            game = game.guess(guess) if game.outcome is None else game
        if game.outcome is None and data.draw(st.booleans()):
            game = game.give_up()
        assert Game.read(str(game)) == game
        assert Game.read(f"  {str(game).replace(' ', '   ')}\n") == game

    @examples(30, 1000)
    @given(st.lists(strings, unique=True, max_size=6))
    def test_a_focdle_is_read_back_from_its_notation_whatever_a_program_guessed(
        self, guesses: list[Code]
    ):
        game = Game(Focdle(7), "1+2%6=3")
        for guess in guesses:
            game = game.guess(guess) if game.outcome is None else game
        assert Game.read(str(game)) == game

    @pytest.mark.parametrize(
        ("text", "error"),
        [
            ("", ImpossibleRulesError),
            ("chess:8x8 e4", ImpossibleRulesError),
            ("mastermind:4x6r/12", ForeignGuessError),
            ("mastermind:4x6r/12 RYGW", ForeignGuessError),
            ("mastermind:4x6r/12 RYGB rygb", ForeignGuessError),
            ("mastermind:4x6r/12 RYGB RRRR RRRR", RepeatedGuessError),
            ("mastermind:4x6r/12 RYGB RYGB RRRR", GameOverError),
            ("mastermind:4x6r/12 RYGB RYGB given-up", GameOverError),
            ("mastermind:4x6r/12 RYGB given-up RRRR", ForeignGuessError),
        ],
    )
    def test_a_text_that_is_no_notation_of_a_game_is_refused(
        self, text: str, error: type[EngineError]
    ):
        with pytest.raises(error):
            Game.read(text)


def test_all_secrets_of_focdle_are_enumerated_once_each():
    found = list(Focdle(8).codes())
    assert len(found) == len(set(found)) == Focdle(8).size
    for code in found[::97]:
        Focdle(8).check_secret(code)
