"""The trial of ratings plays duels by the game's rules, and its judges are right."""

from itertools import zip_longest
from random import Random

import numpy as np
import pytest

from bot.bench.ratings.__main__ import goals
from bot.bench.ratings.measures import Season, measured
from bot.bench.ratings.models import FAMILIES, Estimate, Glicko, Openskill
from bot.bench.ratings.pair import at_least_a_third, each, years
from bot.bench.ratings.people import RULES, Person, Table, people
from bot.bench.ratings.season import (
    Played,
    duels,
    expected_scores,
    fitted,
    fitted_to_truth,
    score_of,
)
from bot.bench.ratings.trials import chosen
from bot.model.ratings import MOST_DEVIATION
from engine import Mode, Strength, replay_duel

pytestmark = pytest.mark.long(only=True)

MISSES = [f"{code:04}" for code in (1234, 1235, 1236, 1237, 1238, 1239, 1243, 1245)]


@pytest.mark.parametrize("first", [1, 3, 4, 9])
@pytest.mark.parametrize("second", [1, 3, 4, 9])
def test_duels_of_games_played_alone_end_as_the_engine_says(first: int, second: int) -> None:
    secret = "5678"
    moves: list[tuple[int, str]] = []
    games = [[*MISSES[: length - 1], secret] for length in (first, second)]
    for codes in zip_longest(*games):
        for seat, code in enumerate(codes):
            duel = replay_duel(RULES, (secret, secret), Mode.EQUAL_TURNS, moves)
            if duel.outcome is None and code is not None:
                moves.append((seat, code))
    outcome = replay_duel(RULES, (secret, secret), Mode.EQUAL_TURNS, moves).outcome
    assert outcome is not None
    score = 0.5 if outcome.winner is None else float(outcome.winner == 0)
    assert score_of(first, second) == score


def test_a_number_that_neither_finds_is_a_draw() -> None:
    most = RULES.max_guesses
    assert score_of(most + 1, most + 1) == 0.5
    assert score_of(most, most + 1) == 1


def test_people_are_in_order() -> None:
    ladder = people()
    assert len(set(ladder)) == 30
    assert ladder[0] == Person(Strength.CASUAL, Strength.SHARP, 0)
    assert ladder[-1] == Person(Strength.SHARP, Strength.PERFECT, 1)
    table = Table(Random(1))
    casual, sharp, perfect = (table.lengths(ladder[n], 60) for n in (0, 15, 29))
    assert np.mean(casual) > np.mean(sharp) > np.mean(perfect)
    assert max(perfect) <= 7  # the tree of the perfect has no game that is longer


def test_strengths_are_found_again() -> None:
    truth = np.array([-0.6, -0.1, 0.2, 0.5])
    chances = 1 / (1 + np.exp(truth[None, :] - truth[:, None]))
    counts = 10 * (1 - np.eye(4))
    assert fitted(chances * counts, counts) == pytest.approx(truth, abs=1e-6)
    bank = [[4, 6], [5, 7], [6, 8]]
    expected = expected_scores(bank)
    assert expected[0, 1] == (1 + 1 + 0 + 1) / 4
    strengths = fitted_to_truth(expected)
    assert sorted(strengths, reverse=True) == list(strengths)


MODELS = [*(Openskill(family, 65) for family in FAMILIES.values()), Glicko(65)]


@pytest.mark.parametrize("model", MODELS)
def test_models_learn_from_wins_and_surprises(model: Openskill | Glicko) -> None:
    start = model.start
    assert model.chance(start, start) == pytest.approx(0.5)
    better, worse = model.rated(start, start, 1)
    assert better.mean > start.mean > worse.mean
    assert better.deviation < start.deviation
    strong, weak = Estimate(1600, 50), Estimate(1400, 50)
    assert model.chance(strong, weak) > 0.6
    assert model.rated(weak, strong, 1)[0].mean - 1400 > model.rated(strong, weak, 1)[0].mean - 1600
    drawn, _ = model.rated(strong, weak, 0.5)
    assert drawn.mean < strong.mean


def test_what_is_held_out_moves_nothing() -> None:
    season = Season([[Played(0, 1, 1.0, is_told=False)]], [1600, 1400])
    found = measured(chosen(), [season])
    assert found.predictions == [(0.5, 1.0)]
    assert (found.lowest, found.highest) == (1500, 1500)


def test_in_each_round_everybody_plays_once() -> None:
    rounds = list(duels([[5], [6], [7], [8]], Random(1)))
    assert len(rounds) == 500
    assert sum(played[0].is_told for played in rounds) == 400
    for played in rounds:
        assert sorted(n for duel in played for n in (duel.first, duel.second)) == [0, 1, 2, 3]


def test_a_pair_alone_is_known_sooner_with_a_floor() -> None:
    bank = [[5, 6, 7]] * 6
    found = [years(chosen(), share, bank, MOST_DEVIATION, 3) for share in (each, at_least_a_third)]
    assert found[0].shares > found[1].shares
    assert found[0].usual > found[1].usual


def test_goals_that_are_missed_are_told() -> None:
    bank = [[5 + n // 5, 6, 7] for n in range(30)]
    season = Season(list(duels(bank, Random(1))), [1500] * 30)
    found = measured(chosen(), [season])
    kept = [is_kept for _line, is_kept in goals(found, found.loss)]
    assert kept == [True, False, True]  # nobody is as strong as is said
    assert not next(is_kept for _line, is_kept in goals(found, found.loss - 1))
