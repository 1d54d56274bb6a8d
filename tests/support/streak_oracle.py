"""Streaks by the book: every date of a player's life looked at anew, with all that ever was."""

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import takewhile
from pathlib import Path
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

from tests.support.sql import sql

FIRST: Final = date(2026, 1, 1)
DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)

Absence = tuple[datetime, datetime]
Line = tuple[date, str, int, int, int]
"""A date, what came of it, the length before and after, and the freezes held."""


class Play(NamedTuple):
    day: date
    guild: int | None
    zone: str
    opened_at: datetime
    outcome: str | None
    on_date: bool
    guesses: int
    hints: int


class Zone(NamedTuple):
    guild: int | None
    zone: str
    effective_at: datetime
    set_at: datetime
    is_correction: int


class Book:
    """What a player's streak follows from, as the tables have it, and the bot's absences."""

    def __init__(
        self, folder: Path, player: int, now: datetime, absences: Sequence[Absence]
    ) -> None:
        self.now = now
        self.absences = [
            (began, ended) for began, ended in _whole(absences) if ended - began >= MINUTE
        ]

        def read(query: str) -> list[tuple[Any, ...]]:
            return sql(folder, query.replace("?", str(player)))

        self.plays = [
            Play(FIRST + timedelta(days=number - 1), guild, zone, _instant(opened_at), *rest)
            for number, guild, zone, opened_at, *rest in read(
                "SELECT number, guild_id, zone, opened_at, outcome, on_date,"
                " (SELECT count(*) FROM guesses WHERE play_id = plays.id),"
                " (SELECT count(*) FROM hints WHERE play_id = plays.id)"
                " FROM plays JOIN puzzles ON puzzles.id = puzzle_id"
                " WHERE player_id = ? AND number IS NOT NULL ORDER BY opened_at"
            )
        ]
        self.zones = [
            Zone(guild, zone, _instant(effective_at), _instant(set_at), is_correction)
            for guild, zone, effective_at, set_at, is_correction in read(
                "SELECT CASE subject WHEN 'guild' THEN subject_id END, zone, effective_at,"
                " set_at, is_correction FROM zones WHERE subject = 'guild' OR subject_id = ?"
                " ORDER BY effective_at"
            )
        ]

    def streak(self) -> list[Line]:
        """What every date came to."""
        solves = [p for p in self.plays if p.on_date and p.outcome == "solved"]
        solved, alone = {p.day for p in solves}, {p.day for p in solves if not p.hints}
        if not solved:
            return []
        lines: list[Line] = []
        day, length, freezes, over = min(solved), 0, 0, self.over()
        while day <= max(over, *solved):
            before = length
            if day in solved:
                length += 1
                run = takewhile(lambda line: not line[1].startswith("ended"), reversed(lines))
                made = sum(line[1] in {"solved", "solved_earned"} for line in run)
                earns = day in alone and made % 7 == 6 and freezes < 2
                freezes += earns
                how = "solved_earned" if earns else "solved"
                how = how if day in alone else "solved_assisted"
                lines.append((day, how, before, length, freezes))
            elif length and day <= over:
                skips = [day for day, why, *_ in lines if why == "excused_zone"]
                reason = self._reason(day, freezes, skips[-1] if skips else None)
                if reason.startswith("ended"):
                    length = freezes = 0
                freezes -= reason.startswith("frozen")
                lines.append((day, reason, before, length, freezes))
            day += DAY
        return lines

    def _reason(self, day: date, freezes: int, skipped: date | None) -> str:
        if self._is_skipped(day) and (skipped is None or day - skipped >= 30 * DAY):
            return "excused_zone"
        if self._is_down(day):
            return "excused_outage"
        plays = [p for p in self.plays if p.day == day]
        if any(p.on_date and p.outcome == "lost" for p in plays):
            how = "lost"
        elif any(p.guesses and _date(p.opened_at, p.zone) == day for p in plays):
            how = "unfinished"
        else:
            how = "unplayed"
        return f"{'frozen' if freezes else 'ended'}_{how}"

    def _last_play(self, day: date) -> Play:
        """The play that was opened last before a date ended where it was opened."""
        opened = [p for p in self.plays if _date(p.opened_at, p.zone) <= day]
        return opened[-1] if opened else self.plays[0]

    def _is_down(self, day: date) -> bool:
        zone = self._last_play(day).zone
        begins, ends = _start(day, zone), _start(day + DAY, zone)
        whole = sum(
            (max(min(ended, ends) - max(began, begins), 0 * DAY) for began, ended in self.absences),
            0 * DAY,
        )
        late = [min(ended, ends) - max(began, ends - 2 * HOUR) for began, ended in self.absences]
        return whole > HOUR or any(time > 5 * MINUTE for time in late)

    def _is_skipped(self, day: date) -> bool:
        place = self._last_play(day).guild
        before = "UTC"
        for zone in self.zones:
            if zone.guild != place:
                continue
            left, arrived = _date(zone.effective_at, before), _date(zone.effective_at, zone.zone)
            earlier = [p.guild for p in self.plays if p.opened_at < zone.set_at]
            excuses = not zone.is_correction and earlier and earlier[-1] == place
            if zone.effective_at > zone.set_at and left <= day < arrived and excuses:
                return not any(p.day == day == _date(p.opened_at, p.zone) for p in self.plays)
            before = zone.zone
        return False

    def over(self) -> date:
        """The last date that is over wherever the player has been in the last thirty days."""
        recent = [p for p in self.plays if p.opened_at > self.now - 30 * DAY] or self.plays[-1:]
        late = self.now - 30 * MINUTE
        return min(_date(late, self._zone(p.guild)) for p in recent) - DAY

    def _zone(self, guild: int | None) -> str:
        held = [z.zone for z in self.zones if z.guild == guild and z.effective_at <= self.now]
        return held[-1] if held else "UTC"


def _whole(absences: Sequence[Absence]) -> Iterator[Absence]:
    """Absences with less than a minute between them are one."""
    held: Absence | None = None
    for began, ended in absences:
        if held is not None and began - held[1] <= MINUTE:
            held = held[0], ended
            continue
        if held is not None:
            yield held
        held = began, ended
    if held is not None:
        yield held


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def _date(instant: datetime, zone: str) -> date:
    return instant.astimezone(ZoneInfo(zone)).date()


def _start(day: date, zone: str) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(zone)).astimezone(UTC)
