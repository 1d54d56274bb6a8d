"""Measurements: games, whole trees, and times of answers."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from benchmarks.solvers.report import (
    Figure,
    Findings,
    Watch,
    count_guesses,
    lost_share,
    now,
    summary,
)
from engine.choice import Allowed, Goal
from engine.code_games import CodeGame
from engine.codes import Code
from engine.errors import EngineError
from engine.feedback import Score, Turn, write_counts
from engine.focdle import Focdle
from engine.guessers import Guesser, measure
from engine.rules import MOST_GUESSES, Rules
from engine.solvers.analysis import analyse
from engine.solvers.codebreaker import codebreaker, space_of
from engine.solvers.space import Columns, Reply, Space, Symbols, as_symbols, replies_in
from engine.solvers.trees import tree_of

F = TypeVar("F")

Make = Callable[[Any], Guesser]
"""Makes a guesser from the rules."""
Node = dict[str, Any]
"""Of a strategy as docs/tree.schema.json describes it: a guess, and the nodes after it by reply."""

PLAIN: Final = 2
"""Of two candidates either is guessed first: none is better, in all our methods."""
_TICK: Final = 0.005


def chance(seed: str) -> random.Random:
    return random.Random(seed)


def consistent_game(rules: Rules[F], secret: Code, rng: random.Random) -> list[Turn[F]]:
    """Play random guesses that fit all feedback, as *sharp* does.

    It fills no cache that would speed up later answers about this game.
    """
    space: Space[F] = space_of(rules)
    columns = space.everything()
    turns: list[Turn[F]] = []
    while not turns or not rules.solved(turns[-1].feedback):
        guess = space.write(columns[:, rng.randrange(columns.shape[1])])
        turn = Turn(guess, rules.feedback(guess, secret))
        reply = Reply(space.read(guess), space.number(guess, turn.feedback))
        columns = space.matching(reply, columns)
        turns.append(turn)
    return turns


class Situation(NamedTuple):
    """The secrets of a tree's part; its turns are guesses, each with a code that answers alike.

    What follows is written to its `node`.
    """

    turns: tuple[tuple[Code, Code], ...]
    columns: Columns
    node: Node


Decide = Callable[[Situation], Symbols]
"""What chooses the next guess of a tree."""


def walk(
    space: Space[F], decide: Decide, watch: Watch, *, plain: int = 0
) -> tuple[Counter[int], Node]:
    """Count the guesses of all secrets, and return the root; each decision is made once.

    Parts of at most `plain` secrets are guessed one by one, without a decision or a node.
    """
    tally: Counter[int] = Counter()
    count = space.everything().shape[1]
    root = Node()
    waiting = [Situation((), space.everything(), root)]
    while waiting:
        watch.tell(tally.total(), count)
        situation = waiting.pop()
        guesses = len(situation.turns) + 1
        if guesses > MOST_GUESSES:
            raise EngineError(f"not told apart: {situation.turns}")
        guess = watch.ask(decide, situation)
        parts = _parts(space.numbers(guess, situation.columns))
        tally[guesses] += int(parts.sizes[parts.numbers == space.solving].sum())
        open_sizes = parts.sizes[parts.numbers != space.solving]
        for size in range(1, plain + 1):
            for further in range(1, size + 1):
                tally[guesses + further] += int((open_sizes == size).sum())
        code = situation.node["guess"] = space.write(guess)
        columns = situation.columns[:, parts.order]
        for index in np.flatnonzero((parts.sizes > plain) & (parts.numbers != space.solving)):
            part = columns[:, parts.starts[index] : parts.starts[index] + parts.sizes[index]]
            like = space.write(part[:, 0])
            node = situation.node.setdefault("after", {})[_reply(space.rules, code, like)] = Node()
            waiting.append(Situation((*situation.turns, (code, like)), part, node))
    return +tally, root


def _reply(rules: Rules[F], guess: Code, secret: Code) -> str:
    """Write feedback as trees do, which is the same for Mastermind and for Bulls and Cows."""
    feedback = rules.feedback(guess, secret)
    return write_counts(feedback) if isinstance(feedback, Score) else rules.write_feedback(feedback)


def as_tree(rules: Focdle | CodeGame, tally: Counter[int], root: Node) -> Node:
    """Describe a whole strategy, as docs/tree.schema.json has it."""
    game, _, _ = rules.encode().partition(":")
    about: Node = {"game": game, "length": rules.length}
    if isinstance(rules, CodeGame):
        about |= {"symbols": rules.alphabet, "repeats": rules.repeats}
    total = sum(guesses * secrets for guesses, secrets in tally.items())
    counts = {"secrets": tally.total(), "total": total, "most": max(tally)}
    return {**about, **counts, "root": root}


class _Parts(NamedTuple):
    """Columns grouped by feedback: its numbers, group sizes and starts, and the order."""

    numbers: NDArray[np.int32]
    sizes: NDArray[np.intp]
    starts: NDArray[np.intp]
    order: NDArray[np.intp]


def _parts(numbers: NDArray[np.int32]) -> _Parts:
    order = np.argsort(numbers, kind="stable")
    ordered = numbers[order]
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    sizes = np.diff(starts, append=len(ordered))
    return _Parts(ordered[starts], sizes, starts, order)


def by_turns(rules: Rules[F], guesser: Guesser) -> Decide:
    """Decide as a guesser does in games."""
    space: Space[F] = space_of(rules)

    def decide(situation: Situation) -> Symbols:
        return space.read(guesser.next_guess(_turns(rules, situation)))

    return decide


def by_search(rules: Focdle, allowed: Allowed) -> Decide:
    """Decide as our best Codebreaker does for FoCdle.

    Trees and the search are asked directly: a Codebreaker would scan all secrets before each guess.
    """
    space = space_of(rules)
    tree = tree_of(rules, Goal.MEAN) if allowed is Allowed.ANY else None

    def decide(situation: Situation) -> Symbols:
        if situation.columns.shape[1] <= PLAIN:
            return as_symbols(situation.columns[:, 0].astype(np.intp))
        history = space.history(_turns(rules, situation))
        if tree and (guess := tree.lookup(replies_in(history))):
            return guess
        if not history:
            return space.opening(allowed, Goal.MEAN)
        return space.choose(situation.columns, allowed, Goal.MEAN, len(history))

    return decide


def _turns(rules: Rules[F], situation: Situation) -> list[Turn[F]]:
    return [Turn(guess, rules.feedback(guess, like)) for guess, like in situation.turns]


class _Timed:
    """A guesser whose answers are timed."""

    def __init__(self, guesser: Guesser, count: int, watch: Watch) -> None:
        self._guesser, self._count, self._watch = guesser, count, watch
        self._begun = 0

    def next_guess(self, turns: Sequence[Turn[Any]], /) -> str:
        if not turns:
            self._watch.tell(self._begun, self._count)
            self._begun += 1
        return self._watch.ask(self._guesser.next_guess, turns)


def games(rules: Any, make: Make, count: int, watch: Watch) -> Findings:
    """Count a guesser's guesses for drawn secrets, the same for all, or for every secret."""
    guesser: Guesser = make(rules)
    if not count:
        return every(rules, by_turns(rules, guesser), watch)
    rng = chance(f"secrets {rules}")
    secrets = [rules.draw(rng) for _ in range(count)]
    found = measure(rules, _Timed(guesser, count, watch), secrets)
    return count_guesses(Counter(found.distribution), watch.costs(), exhaustive=False)


def search(length: int, allowed: Allowed, plain: int, _: int, watch: Watch) -> Findings:
    """Count our best Codebreaker's guesses for every secret of FoCdle; for `plain` see `walk`."""
    rules = Focdle(length)
    return every(rules, by_search(rules, allowed), watch, plain=plain)


def every(rules: Any, decide: Decide, watch: Watch, *, plain: int = 0) -> Findings:
    space: Space[Any] = space_of(rules)
    tally, root = walk(space, decide, watch, plain=plain)
    figures = {Figure.LOST: lost_share(tally, rules.max_guesses), **watch.costs()}
    found = count_guesses(tally, figures, exhaustive=True)
    return found if plain else replace(found, tree=as_tree(rules, tally, root))


def after_a_person(length: int, count: int, watch: Watch) -> Findings:
    """Time the best guess after a random true equation that was never tried."""
    rules, rng = Focdle(length), chance(f"person {length}")
    breaker = codebreaker(rules)
    for _ in watch.along(range(count), count):
        secret, guess = rules.draw(rng), rules.draw(rng)
        feedback = rules.feedback(guess, secret)
        if not rules.solved(feedback):
            watch.ask(breaker.next_guess, (Turn(guess, feedback),))
    return _costs(count, watch)


def of_a_finished_game(length: int, count: int, watch: Watch) -> Findings:
    """Time the analysis of a whole game of random fitting guesses."""
    rules, rng = Focdle(length), chance(f"analysis {length}")
    for _ in watch.along(range(count), count):
        secret = rules.draw(rng)
        guesses = [turn.guess for turn in consistent_game(rules, secret, rng)]
        watch.ask(partial(analyse, rules, secret), guesses)
    return _costs(count, watch)


def _costs(count: int, watch: Watch) -> Findings:
    return Findings({Figure.COUNT: count, **watch.costs()})


def beside_an_event_loop(length: int, seconds: int, watch: Watch) -> Findings:
    """Measure how late an event loop is beside a playing thread.

    The loop wakes every five milliseconds. Games begin with a random true equation, so that no
    cache helps; the first one also makes the list of secrets. The times are those between wakings.
    """
    gaps = asyncio.run(_gaps(partial(_keep_playing, length, seconds, watch)))
    return Findings({**watch.costs(), **summary(gaps), Figure.COUNT: len(gaps)})


def _keep_playing(length: int, seconds: int, watch: Watch) -> None:
    rules, rng = Focdle(length), chance(f"event loop {length}")
    breaker = codebreaker(rules)
    end = now() + seconds
    while now() < end:
        secret, guess = rules.draw(rng), rules.draw(rng)
        turns = [Turn(guess, rules.feedback(guess, secret))]
        while not rules.solved(turns[-1].feedback):
            guess = watch.ask(breaker.next_guess, tuple(turns))
            turns.append(Turn(guess, rules.feedback(guess, secret)))


async def _gaps(work: Callable[[], None]) -> list[float]:
    """Measure the seconds between wakings of a loop, while a thread works."""
    working = asyncio.create_task(asyncio.to_thread(work))
    gaps: list[float] = []
    woken = time.perf_counter()
    while not working.done():
        await asyncio.sleep(_TICK)
        last, woken = woken, time.perf_counter()
        gaps.append(woken - last)
    await working
    return gaps
