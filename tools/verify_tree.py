"""`python tools/verify_tree.py FILE...`: play whole strategies against every secret.

It reads the JSON that docs/tree.schema.json describes. It needs only Python, runs in any folder,
and shares no code with what makes such files. The exit status is 0 if all are what they say.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

SIGNS = "+-*%"


class WrongTreeError(Exception):
    pass


class Game(NamedTuple):
    secrets: list[str]
    is_guess: Callable[[str], bool]
    answer: Callable[[str, str], str]


def game_of(tree: dict[str, Any]) -> Game:
    length: int = tree["length"]
    if tree["game"] == "focdle":
        known = {*"0123456789=", *SIGNS}

        def fits(guess: str) -> bool:
            return len(guess) == length and {*guess} <= known

        return Game([*equations(length)], fits, marks)
    if tree["game"] not in {"mastermind", "bulls"}:
        raise WrongTreeError(f"{tree['game']} is no game")
    symbols: str = tree["symbols"]
    ways = map("".join, product(symbols, repeat=length))
    codes = [code for code in ways if tree["repeats"] or len({*code}) == length]
    if len({*codes}) < len(codes):
        raise WrongTreeError("a symbol is there twice")
    return Game(codes, {*codes}.__contains__, counts)


def equations(length: int) -> Iterator[str]:
    """Yield the secrets of FoCdle: `a*b+c=d`, a to c from 1 to 99, and d, which is over 0."""
    for widths in product((1, 2), repeat=3):
        # Two signs, an equals sign and at least one digit stand beside the three numbers.
        if sum(widths) + 4 <= length:
            numbers = (range(10 ** (width - 1), 10**width) for width in widths)
            for (a, b, c), first, second in product(product(*numbers), SIGNS, SIGNS):
                result = value(a, first, b, second, c)
                equation = f"{a}{first}{b}{second}{c}={result}"
                if result > 0 and len(equation) == length:
                    yield equation


def value(a: int, first: str, b: int, second: str, c: int) -> int:
    """Compute products and remainders first, else from the left."""
    if first in "+-" and second in "*%":
        return combine(a, first, combine(b, second, c))
    return combine(combine(a, first, b), second, c)


def combine(a: int, sign: str, b: int) -> int:
    if sign == "+":
        return a + b
    if sign == "-":
        return a - b
    return a * b if sign == "*" else a % b


def counts(guess: str, secret: str) -> str:
    """Answer as `2B1C`: two symbols in their places, one more elsewhere."""
    bulls = sum(a == b for a, b in zip(guess, secret, strict=True))
    shared = sum(min(guess.count(symbol), secret.count(symbol)) for symbol in set(guess))
    return f"{bulls}B{shared - bulls}C"


def marks(guess: str, secret: str) -> str:
    """Answer as `gyxx`: in its place, elsewhere, and not so often in the secret."""
    elsewhere = Counter(b for a, b in zip(guess, secret, strict=True) if a != b)
    answer = ""
    for a, b in zip(guess, secret, strict=True):
        if a == b:
            answer += "g"
        elif elsewhere[a]:
            elsewhere[a] -= 1
            answer += "y"
        else:
            answer += "x"
    return answer


def play(node: dict[str, Any], secrets: list[str], turn: int, game: Game) -> Iterator[int]:
    """Yield how many guesses each secret takes, if this node makes the turn-th one."""
    guess, after = node["guess"], node.get("after", {})
    if not game.is_guess(guess):
        raise WrongTreeError(f"{guess} is no guess of this game")
    parts: dict[str, list[str]] = {}
    for secret in secrets:
        if secret == guess:
            yield turn
        else:
            parts.setdefault(game.answer(guess, secret), []).append(secret)
    for reply in parts.keys() ^ after.keys():
        why = f"no guess follows, as for {parts[reply][0]}" if reply in parts else "cannot be"
        raise WrongTreeError(f"{reply} to guess {turn}, {guess}: {why}")
    for reply, part in parts.items():
        yield from play(after[reply], part, turn + 1, game)


def verify(tree: dict[str, Any]) -> str:
    """Play every secret; raise WrongTreeError unless the tree takes what it says."""
    game = game_of(tree)
    taken = Counter(play(tree["root"], game.secrets, 1, game))
    total = sum(turn * secrets for turn, secrets in taken.items())
    for name, found in (("secrets", taken.total()), ("total", total), ("most", max(taken))):
        if tree[name] != found:
            raise WrongTreeError(f"{name}: {found}, not {tree[name]}")
    return f"{taken.total():,} secrets take {total:,} guesses, none more than {max(taken)}"


def main() -> int:
    wrong = 0
    for name in sys.argv[1:]:
        try:
            said = verify(json.loads(Path(name).read_text(encoding="utf-8")))
        except (WrongTreeError, AttributeError, KeyError, TypeError, ValueError) as error:
            said, wrong = f"wrong: {error!r}", 1
        sys.stdout.write(f"{name}: {said}\n")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
