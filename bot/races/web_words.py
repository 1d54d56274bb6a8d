"""Races as data for the web page."""

from collections.abc import Iterator, Mapping
from typing import cast

from bot.focdle import words as focdle
from bot.games.model import GameName, Source
from bot.games.words import SIGNS, code_data, guesses_left
from bot.people.model import Choices
from bot.races.game import can_call_off
from bot.races.model import (
    MOST_PLAYERS,
    UNPOSTED,
    Race,
    RaceBegunError,
    RaceBoard,
    RaceSeat,
    RaceView,
    SeatOutcome,
    Stage,
)
from bot.races.words import (
    AGAIN_BUTTON,
    CALL_OFF_BUTTON,
    JOIN_BUTTON,
    NOT_POSTED,
    READY_BUTTON,
    START_BUTTON,
    answer,
    board_status,
    ending,
    how_to_win,
    listed,
    name,
    names,
    points,
    race_name,
    result,
    round_of,
    setting,
    standing,
    starts,
)
from bot.text.language import _, say
from bot.text.markup import heading, relative_time, small, visible
from bot.text.pictures.boards import colour_of
from bot.text.tiles import PLAIN
from engine import Focdle, Score


def open_data(view: RaceView, player_id: int) -> dict[str, object]:
    """A race as data for the page's list of what is open in its channel."""
    race = view.race
    is_new = race.stage is Stage.LOBBY and race.seat_of(player_id) is None
    return {
        "place": str(GameName(Source.RACE, race.id)),
        "lines": [*listed(view, player_id).splitlines(), *names(view)],
        "join": say(JOIN_BUTTON) if is_new and len(race.seats) < MOST_PLAYERS else "",
        "until": view.until.isoformat(),
    }


def race_data(
    view: RaceView,
    player_id: int,
    board: RaceBoard | None,
    *,
    is_here: bool,
    faces: Mapping[int, str] | None = None,
) -> dict[str, object]:
    """A race as data for the web page of somebody who may see its post.

    Of others it tells what the post does and, once the player's own board is done, their marks.

    Args:
        board: the player's own; None without one.
        is_here: whether the page was opened in the race's channel.
        faces: by player, what the page asks for to show their avatars on the podium.
    """
    race, rules, shown = view.race, view.race.rules, board
    if shown is None:
        seen = view.before or view  # in a pause the last board stays
        seat = seen.race.seat_of(player_id) or RaceSeat(0, player_id, race.opened_at)
        shown = RaceBoard(seen, seat, Choices())
    is_in, is_over = race.seat_of(player_id) is not None, race.stage is Stage.OVER
    if isinstance(rules, Focdle):
        play = focdle.play_data(shown.play(rules))
        data = {part: play[part] for part in ("length", "most", "rows", "shown", "keys", "legend")}
    else:
        data = code_data(rules, shown.game.turns)
    solved = shown.seat.outcome is SeatOutcome.SOLVED
    podium, rounds = list(_podium(view, faces or {})), list(round_of((view.before or view).race))
    return data | {
        "place": str(GameName(Source.RACE, race.id)),
        "version": race.version,
        "at": 0 if board is None else len(board.seat.guesses),
        "title": race_name(rules),
        "about": " · ".join([setting(rules), *([] if podium else rounds)]),
        "state": ("solved" if solved else "lost") if is_over else "open",
        "said": "\n".join(filter(None, _said_on_page(view, shown, is_in=is_in))).splitlines(),
        "podium": podium,
        "round": rounds[0] if podium else "",  # below the evening's end, how its last one went
        "others": list(_others(view, player_id, board, faces or {})),
        "actions": list(_actions(view, player_id, shown, is_here=is_here)),
        "until": None if is_over else view.until.isoformat(),
        "next": str(GameName(Source.RACE, view.next_id)) if view.next_id and view.goes_on else "",
    }


def _podium(view: RaceView, faces: Mapping[int, str]) -> Iterator[dict[str, object]]:
    for place, seat in view.podium:
        yield {
            "name": visible(view.names.get(seat.player_id, "")),
            "face": faces.get(seat.player_id, ""),
            "colour": colour_of(seat.player_id),
            "place": place,
            "points": seat.score,
        }


def _others(
    view: RaceView, player_id: int, board: RaceBoard | None, faces: Mapping[int, str]
) -> Iterator[dict[str, object]]:
    """Who is in a race, and what may be seen of them; in a pause, how the last round went."""
    race, seen = view.race, view.before or view
    is_over = seen.race.stage is Stage.OVER
    is_done = is_over or (board is not None and board.seat.outcome is not None)
    first = seen.ranked if is_over else []
    named = {seat.player_id for seat in first}
    rest = [seat for seat in race.seats if seat.player_id not in named]
    for seat in first if race.stage is Stage.OVER else [*first, *rest]:
        if seat.player_id in named:
            told = result(seen, seat)
        elif race.stage is Stage.RUNNING:
            told = standing(view, seat)
        else:
            told = name(view, seat.player_id)
        now = race.seat_of(seat.player_id)
        is_ready = race.stage is Stage.LOBBY and now is not None and now.is_ready
        is_own = seat.player_id == player_id
        yield {
            "name": f"{told} · {say(READY_BUTTON)}" if is_ready else told,
            "who": visible(view.names.get(seat.player_id, "")),
            "face": faces.get(seat.player_id, ""),
            "colour": colour_of(seat.player_id),
            "is_own": is_own,
            "rows": _marks(seen.race, seat) if is_done and not is_own else [],
        }


def _marks(race: Race, seat: RaceSeat) -> list[dict[str, object]]:
    """A player's feedback without the guesses, as data for the web page."""
    return [
        {"score": [*it]} if isinstance(it, Score) else {"marks": "".join(SIGNS[m] for m in it)}
        for it in map(race.feedback, seat.guesses)
    ]


def _said_on_page(view: RaceView, board: RaceBoard, *, is_in: bool) -> Iterator[str]:
    race, rules = view.race, view.race.rules
    if race.stage is Stage.LOBBY:
        if race.round == 1:
            yield from how_to_win(race)
        elif view.before is not None:
            yield heading(ending(view.before))
            yield answer(view.before.race, PLAIN)
        yield from (points(view), starts(view))
    elif race.stage is Stage.OVER:
        yield heading(ending(view))
        yield say(NOT_POSTED) if race.shown == UNPOSTED else ""
        yield answer(race, PLAIN) if race.started_at is not None else ""
        yield points(view) if len(view.scored) > len(view.podium) else ""
    elif not is_in:
        yield say(RaceBegunError.sentence)
        return
    elif isinstance(rules, Focdle) and board.is_on:
        yield from cast("list[str]", focdle.play_data(board.play(rules))["said"])
    elif board.is_on and board.seat.guesses:
        yield guesses_left(board.game.guesses_left)
    else:
        yield board_status(board, PLAIN, None)
    if race.stage is Stage.RUNNING:
        yield points(view)
        yield small(_("ends {when}").format(when=relative_time(view.until)))


def _actions(
    view: RaceView, player_id: int, board: RaceBoard, *, is_here: bool
) -> Iterator[dict[str, object]]:
    race = view.race
    is_in = race.seat_of(player_id) is not None
    if race.stage is Stage.LOBBY:
        if not is_in and is_here:
            yield {"act": "join", "label": say(JOIN_BUTTON), "main": True}
        if label := _start_button(race, player_id):
            yield {"act": "start", "label": say(label), "main": True}
    elif is_in and board.is_on:
        yield {"act": "guess"}
    elif view.next_id is not None:
        place = str(GameName(Source.RACE, view.next_id))
        if not view.goes_on:  # to its next round an evening goes on by itself
            yield {"act": "go", "label": say(AGAIN_BUTTON), "place": place}
    elif race.stage is Stage.OVER and is_here:
        yield {"act": "again", "label": say(AGAIN_BUTTON)}
    if race.stage is Stage.OVER and board.seat.guesses:
        yield {"act": "verdict"}
    if can_call_off(race, player_id):
        yield {"act": "off", "label": say(CALL_OFF_BUTTON), "fields": []}  # pressed twice


def _start_button(race: Race, player_id: int) -> str:
    """The button by which a player can start a race, or be ready; empty if there is none."""
    seat = race.seat_of(player_id)
    if seat is None or race.second_at is None:
        return ""
    if race.round > 1:
        return "" if seat.is_ready else READY_BUTTON
    return START_BUTTON if race.opener_id == player_id else ""
