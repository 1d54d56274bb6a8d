"""Measures how long answers take: after guesses, after a game, in an event loop, at the start."""

import asyncio
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Final

from benchmarks.solvers.findings import Figure, Findings, count_guesses
from benchmarks.solvers.play import chance, consistent_game, play
from benchmarks.solvers.watch import Watch, now, summary
from engine.feedback import Turn
from engine.focdle import Focdle
from engine.solvers.analysis import analyse
from engine.solvers.codebreaker import codebreaker

_TICK: Final = 0.005
_MICROSECONDS: Final = 1e6
_ENGINE: Final = "engine"
_NUMPY: Final = "numpy"


def after_a_person(length: int, count: int, watch: Watch) -> Findings:
    """What the best next guess takes after a random true equation, which nobody tried before."""
    rules, rng = Focdle(length), chance(f"person {length}")
    breaker = codebreaker(rules)
    for _ in watch.along(range(count), count):
        secret, guess = rules.draw(rng), rules.draw(rng)
        feedback = rules.feedback(guess, secret)
        if not rules.solved(feedback):
            watch.ask(breaker.next_guess, (Turn(guess, feedback),))
    return _costs(count, watch)


def of_a_finished_game(length: int, count: int, watch: Watch) -> Findings:
    """What it takes to analyse a whole game of random guesses that explain everything."""
    rules, rng = Focdle(length), chance(f"analysis {length}")
    for _ in watch.along(range(count), count):
        secret = rules.draw(rng)
        guesses = [turn.guess for turn in consistent_game(rules, secret, rng)]
        watch.ask(partial(analyse, rules, secret), guesses)
    return _costs(count, watch)


def _costs(count: int, watch: Watch) -> Findings:
    return Findings({Figure.COUNT: count, **watch.costs()})


def warm_games(length: int, count: int, watch: Watch) -> Findings:
    """What so many games take together in a process that has played one before."""
    rules, rng = Focdle(length), chance(f"warm {length}")
    breaker = codebreaker(rules)
    play(rules, breaker.next_guess, rules.draw(rng), watch)
    secrets = [rules.draw(rng) for _ in range(count)]
    begin = now()
    tally = Counter(len(play(rules, breaker.next_guess, secret, watch)) for secret in secrets)
    spent = now() - begin
    return count_guesses(tally, {Figure.SECONDS: spent, **watch.costs()}, exhaustive=False)


def beside_an_event_loop(length: int, seconds: int, watch: Watch) -> Findings:
    """How late an event loop is while a thread beside it plays.

    The loop asks to be woken after each five milliseconds. Games begin with a random true
    equation, so nothing is known of them; the first one also makes the list of secrets.
    The times are those from one waking to the next.
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
    """The seconds between the wakings of a loop, while a thread works."""
    working = asyncio.create_task(asyncio.to_thread(work))
    gaps: list[float] = []
    woken = time.perf_counter()
    while not working.done():
        await asyncio.sleep(_TICK)
        last, woken = woken, time.perf_counter()
        gaps.append(woken - last)
    await working
    return gaps


def importing(count: int, watch: Watch) -> Findings:
    """What `import engine` takes, by Python's own account, in fresh processes."""
    seconds: list[float] = []
    numpy_loaded = 0
    for _ in watch.along(range(count), count):
        program = [sys.executable, "-X", "importtime", "-c", f"import {_ENGINE}"]
        done = subprocess.run(  # noqa: S603 - our own program
            program, capture_output=True, text=True, check=True
        )
        # Lines are like: import time: self [us] | cumulative | imported package
        rows = [line.split("|") for line in done.stderr.splitlines()]
        took = {row[-1].strip(): row[-2] for row in rows[1:]}
        seconds.append(int(took[_ENGINE]) / _MICROSECONDS)
        numpy_loaded += _NUMPY in took
    figures = {Figure.COUNT: float(count), Figure.NUMPY: float(numpy_loaded)}
    return Findings({**figures, **summary(seconds)})
