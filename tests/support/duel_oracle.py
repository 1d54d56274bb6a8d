"""What duels must be by their rules, worked out only from the tables: a second opinion."""

from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from tests.support.clock import FakeClock
from tests.support.sql import named, sql

SEATS: Final = (0, 1)
MINUTE: Final = timedelta(minutes=1)
ROUNDS: Final = 30
TURN: Final = timedelta(hours=24)
PLAYED: Final = {
    *("solved", "both_solved", "out_of_guesses"),
    *("resigned", "timed_out", "draw_agreed"),
}

End = tuple[str, int | None]
"""How a duel ended, and which seat has won."""


class Life:
    """How long the bot has been there: what passes while it is away does not count.

    Nor does what passes between two absences, if it is less than a minute.
    """

    def __init__(self, clock: FakeClock) -> None:
        self._clock = clock
        self._marks = [(clock.now(), timedelta())]
        self._back = 0
        """The mark at which it was last back."""

    @property
    def now(self) -> timedelta:
        return self._marks[-1][1]

    def passes(self, time: timedelta, *, away: bool = False) -> None:
        if away and self._back and self._clock.now() - self._marks[self._back][0] < MINUTE:
            age = self._marks[self._back][1]
            self._marks[self._back :] = [(instant, age) for instant, _ in self._marks[self._back :]]
        self._clock.set(self._clock.now() + time)
        self._marks.append((self._clock.now(), self.now + (timedelta() if away else time)))
        self._back = len(self._marks) - 1 if away else self._back

    def at(self, instant: datetime) -> timedelta:
        after = bisect_right(self._marks, instant, key=lambda mark: mark[0])
        began_at, age = self._marks[after - 1]
        return min(
            [age + (instant - began_at), *(age for _, age in self._marks[after : after + 1])]
        )


@dataclass(frozen=True, slots=True)
class Move:
    """A guess, as it is stored."""

    seat: int
    code: str
    moved_at: datetime


@dataclass(frozen=True, slots=True)
class Stored:
    """A duel, as it is stored."""

    id: int
    repeats: bool
    mode: str
    rated: bool
    against_bot: bool
    challenger_id: int
    terms: int
    state: str
    offer: int | None
    opened_at: datetime
    accepted_at: datetime | None
    playing_at: datetime | None
    finished_at: datetime | None
    ending: str | None
    winner: int | None
    players: tuple[int | None, ...]
    secrets: tuple[str | None, ...]
    salts: tuple[str | None, ...]
    moves: tuple[Move, ...]

    @property
    def is_over(self) -> bool:
        return self.state == "over"

    @property
    def end(self) -> End:
        return self.ending or "", self.winner

    def codes(self, seat: int) -> list[str]:
        return [move.code for move in self.moves if move.seat == seat]

    def needed(self, seat: int) -> int | None:
        """With which guess, from 1 on, a seat has found the other's number."""
        codes, target = self.codes(seat), self.secrets[1 - seat]
        return codes.index(target) + 1 if target in codes else None

    def can_guess(self, seat: int) -> bool:
        return self.state == "playing" and seat == len(self.moves) % 2

    def is_code(self, text: str) -> bool:
        return (
            len(text) == 4
            and set(text) <= set("0123456789")
            and (self.repeats or len(set(text)) == 4)
        )


def read(folder: Path) -> dict[int, Stored]:
    """All duels, by id."""
    rows = named(folder, "SELECT * FROM duel_seats ORDER BY duel_id, seat")
    seats = {key: [*group] for key, group in groupby(rows, key=lambda row: row["duel_id"])}
    rows = named(folder, "SELECT * FROM duel_moves ORDER BY duel_id, number")
    moves = {key: [*group] for key, group in groupby(rows, key=lambda row: row["duel_id"])}
    return {
        row["id"]: Stored(
            id=row["id"],
            repeats="r" in row["rules"].partition(":")[2],
            mode=row["mode"],
            rated=bool(row["rated"]),
            against_bot=row["strength"] is not None,
            challenger_id=row["challenger_id"],
            terms=row["terms"],
            state=row["state"],
            offer=row["draw_offered_by"],
            opened_at=_instant(row["opened_at"]),
            accepted_at=_maybe(row["accepted_at"]),
            playing_at=_maybe(row["playing_at"]),
            finished_at=_maybe(row["finished_at"]),
            ending=row["ending"],
            winner=row["winner"],
            players=tuple(seat["player_id"] for seat in seats[row["id"]]),
            secrets=tuple(seat["secret"] for seat in seats[row["id"]]),
            salts=tuple(seat["salt"] for seat in seats[row["id"]]),
            moves=tuple(
                Move(move["seat"], move["code"], _instant(move["moved_at"]))
                for move in moves.get(row["id"], ())
            ),
        )
        for row in named(folder, "SELECT * FROM duels ORDER BY id")
    }


def read_changes(folder: Path) -> dict[int, list[dict[str, Any]]]:
    """What each duel did to ratings."""
    rows = named(folder, "SELECT * FROM rating_changes ORDER BY duel_id, player_id")
    return {key: [*group] for key, group in groupby(rows, key=lambda row: row["duel_id"])}


def read_ratings(folder: Path) -> dict[int, tuple[float, float, int]]:
    """Every player's rating, its uncertainty, and how many duels it comes from."""
    rows = sql(folder, "SELECT player_id, mu, sigma, games FROM ratings")
    return {player: (mu, sigma, games) for player, mu, sigma, games in rows}


def score(guess: str, secret: str) -> tuple[int, int]:
    """Bulls and cows."""
    bulls = sum(mine == other for mine, other in zip(guess, secret, strict=True))
    return bulls, (Counter(guess) & Counter(secret)).total() - bulls


def is_for(duel: Stored, player: int, act: str) -> bool:
    """Whether an action is this player's at all, so that it finds out who is too late."""
    if act == "withdraw":
        return player == duel.challenger_id
    is_challenger = player == duel.challenger_id
    return player in duel.players and not (act in {"accept", "decline"} and is_challenger)


def may(duel: Stored, player: int, act: str, code: str = "") -> bool:
    """Whether a player's action changes a duel in which nobody is too late."""
    if player not in duel.players:
        return False
    seat, mine = duel.players.index(player), player == duel.challenger_id
    invited, setting = duel.state == "invited", duel.state == "setting"
    playing = duel.state == "playing"
    untouched = playing and not duel.moves
    return {
        "accept": invited and not mine and duel.is_code(code),
        "decline": invited and not mine,
        "withdraw": invited and mine,
        "set_secret": setting and duel.secrets[seat] is None and duel.is_code(code),
        "guess": duel.can_guess(seat) and duel.is_code(code) and code not in duel.codes(seat),
        "offer_draw": playing and not duel.against_bot and duel.offer != seat,
        "accept_draw": playing and duel.offer == 1 - seat,
        "decline_draw": playing and duel.offer is not None,
        "call_off": setting or untouched,
        "resign": playing,
        "view": False,
        "notebook": False,
    }[act]


def end_by(duel: Stored, player: int, act: str) -> End | None:
    """How a duel ends by an action other than a guess that a player may take."""
    seat = duel.players.index(player)
    if act == "resign":
        return "resigned", 1 - seat
    if act == "accept_draw" or (act == "offer_draw" and duel.offer == 1 - seat):
        return "draw_agreed", None
    ends = {"decline": "declined", "withdraw": "withdrawn", "call_off": "withdrawn"}
    return (ends[act], None) if act in ends else None


def end_by_guesses(duel: Stored) -> End | None:
    """How a duel ends by the guesses that were made; None if it goes on."""
    needed = {seat: n for seat in SEATS if (n := duel.needed(seat)) is not None}
    if not needed:
        is_lost = all(len(duel.codes(seat)) == ROUNDS for seat in SEATS)
        return ("out_of_guesses", None) if is_lost else None
    best = [seat for seat, n in needed.items() if n == min(needed.values())]
    if len(best) == 2:
        return "both_solved", None
    (winner,) = best
    is_decided = duel.mode == "classic" or len(duel.codes(1 - winner)) >= needed[winner]
    return ("solved", winner) if is_decided else None


def deadline(duel: Stored, life: Life) -> timedelta | None:
    """How old the bot is when whoever is waited for is too late; None if there is no clock."""
    if duel.against_bot or duel.is_over:
        return None
    since = duel.opened_at if duel.playing_at is None else duel.playing_at
    return life.at(max([since, *(move.moved_at for move in duel.moves)])) + TURN


def end_by_time(duel: Stored, life: Life) -> End | None:
    """How a duel ends because somebody is too late; None if nobody is."""
    due = deadline(duel, life)
    if due is None or due > life.now:
        return None
    return ("lapsed", None) if duel.state == "invited" else ("timed_out", 1 - len(duel.moves) % 2)


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def _maybe(text: str | None) -> datetime | None:
    return None if text is None else _instant(text)
