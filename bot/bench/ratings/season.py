"""A season of duels, and how strong its players are in truth."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.bench.ratings.people import RULES

RATED: Final = 400
"""How many rated duels each player has in a season."""
HELD_OUT: Final = 4
"""After so many rounds there is one whose results no model is told."""

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Played:
    """A duel of two players.

    Attributes:
        first: who moved first.
        second: the other.
        score: of the first: 1 for a win, 1/2 for a draw, 0 for a loss.
        is_told: whether ratings move by it; else it is predicted only.
    """

    first: int
    second: int
    score: float
    is_told: bool


def score_of(first: int, second: int) -> float:
    """What a duel in equal turns comes to, by how many guesses each side needs alone.

    A number that is not found in all guesses counts as needing more of them than there are.
    """
    most = RULES.max_guesses + 1
    ours, theirs = min(first, most), min(second, most)
    return 0.5 if ours == theirs else float(ours < theirs)


def duels(bank: Sequence[Sequence[int]], rng: Random) -> Iterator[list[Played]]:
    """The rounds of a season; in each everybody plays one duel, against anybody."""
    players = list(range(len(bank)))
    for number in range(RATED + RATED // HELD_OUT):
        rng.shuffle(players)
        is_told = number % (HELD_OUT + 1) != HELD_OUT
        pairs = list(pairwise(players))[::2]
        yield [
            Played(one, two, score_of(rng.choice(bank[one]), rng.choice(bank[two])), is_told)
            for one, two in pairs
        ]


def expected_scores(bank: Sequence[Sequence[int]]) -> Numbers:
    """What each player scores against each other one, on average over all games of both."""
    found = np.full((len(bank), len(bank)), 0.5)
    shares = [{length: n / len(games) for length, n in Counter(games).items()} for games in bank]
    for one in range(len(bank)):
        for two in range(len(bank)):
            found[one, two] = sum(
                share * other * score_of(ours, theirs)
                for ours, share in shares[one].items()
                for theirs, other in shares[two].items()
            )
    return found


def fitted(scores: Numbers, duels: Numbers) -> Numbers:
    """Strengths by Bradley and Terry that explain scores best; in logits, 0 on average.

    Args:
        scores: what each player has scored against each other one, in sum.
        duels: how many duels these were.
    """
    strengths = np.zeros(len(scores))
    for _ in range(200):
        chances = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
        slope = (scores - duels * chances).sum(axis=1)
        weights = duels * chances * (1 - chances)
        np.fill_diagonal(weights, 0)
        strengths = strengths + slope / np.maximum(weights.sum(axis=1), 1e-9) / 2
        strengths -= strengths.mean()
    return strengths


def fitted_to_truth(expected: Numbers) -> Numbers:
    """Strengths of players of whom it is known what they score on average."""
    once = 1 - np.eye(len(expected))
    return fitted(expected * once, once)


def fitted_afterwards(rounds: Sequence[Sequence[Played]], players: int) -> Numbers:
    """Strengths that explain all duels best which models were told, once all are known."""
    scores, counts = np.zeros((players, players)), np.zeros((players, players))
    for duel in (duel for played in rounds for duel in played if duel.is_told):
        scores[duel.first, duel.second] += duel.score
        scores[duel.second, duel.first] += 1 - duel.score
        counts[duel.first, duel.second] += 1
        counts[duel.second, duel.first] += 1
    return fitted(scores, counts)


def log_loss(score: float, chance: float) -> float:
    """How far a prediction was off; a draw is half a win."""
    return -(score * log(chance) + (1 - score) * log(1 - chance))
