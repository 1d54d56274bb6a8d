"""The public board of a duel, the picture of its end, and a player's notebook."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final, cast

from bot.duels.boards import EndedDuel
from bot.duels.model import Duel, DuelView, Friendly, SeatView, State
from bot.duels.moves import Notebook
from bot.duels.position import DuelOptions
from bot.duels.round_words import (
    DUEL_NAME,
    DuelTiles,
    Rounds,
    as_invited,
    column,
    columns,
    digits,
    ending,
    is_near_the_end,
    legend,
    name,
    options,
    score_in_letters,
    so_far,
    title,
)
from bot.duels.seeking import SeekView
from bot.duels.words import (
    BOT_BUTTON,
    DUEL_BUTTONS,
    FIND_FRIENDLY,
    FIND_RATED,
    OPPONENT_FINDS,
    RATED_LABEL,
    SECRET_FORM_TITLE,
    stop_question,
)
from bot.games.model import GameName, Source
from bot.games.words import TURNS_WITH_LEGEND, code_data, score_data
from bot.pool.worker import Named
from bot.text import counts
from bot.text.language import N_, _, ngettext, number, say
from bot.text.markup import clip, heading, is_forgotten, mention, relative_time, small, visible
from bot.text.pictures.boards import Avatar
from bot.text.tiles import Mood, TextBoard
from engine import BullsAndCows, Score, Strength, Turn

_LONGEST_DESCRIPTION: Final = 1024


@dataclass(frozen=True, slots=True)
class Side:
    player_id: int
    name: str
    turns: tuple[Turn[Score], ...]
    is_winner: bool
    rating: str
    lines: tuple[str, ...]
    avatar: Avatar | None = None


@dataclass(frozen=True, slots=True)
class FinalPicture:
    """What the picture of a finished duel shows."""

    digits: int
    sides: tuple[Side, Side]
    line: str
    description: str


DRAW_FINAL: Final[Named[[FinalPicture], bytes]] = Named("bot.duels.final_picture", "draw_final")
"""Draws a `FinalPicture` as a PNG."""


def final_picture(ended: EndedDuel, avatars: Mapping[int, Avatar]) -> FinalPicture:
    """Compose the picture of a finished duel in the current language.

    `avatars` are by player id; one that could not be loaded is missing.
    """
    sides = _side(ended, 0, avatars), _side(ended, 1, avatars)
    record, line = ended.view.head_to_head, ""
    if record is not None:
        words = _("Head to head: {won} – {lost}")
        line = words.format(won=record.won, lost=record.lost)
        if record.drawn:
            line = f"{line} · {counts.draws(record.drawn)}"
    described: list[str] = []
    for side in sides:
        rated = [_("rating {rating}").format(rating=side.rating)] if side.rating else []
        words = ", ".join([side.lines[0], *rated, *side.lines[1:]])
        described.append(_("{player}: {words}.").format(player=clip(side.name), words=words))
    described.append(line)
    for side in sides:
        if side.turns:
            made = (f"{turn.guess} {score_in_letters(turn.feedback)}" for turn in side.turns)
            described.append(f"{clip(side.name)}: {', '.join(made)}")
    description = "\n".join(filter(None, described))[:_LONGEST_DESCRIPTION]
    return FinalPicture(ended.view.duel.rules.digits, sides, line, description)


def _side(ended: EndedDuel, seat: int, avatars: Mapping[int, Avatar]) -> Side:
    view = ended.view
    player, other = view.seats[seat], view.seats[1 - seat]
    player_id = player.player_id or 0
    shown = visible(ended.names.get(player_id, "")) or _("player")
    if is_forgotten(player_id):
        shown = _("deleted player")
    lines, rating = [counts.guesses(player.guesses)], ""
    if player.found:
        lines = [_("solved in {guesses}").format(guesses=player.guesses)]
    if player.change is not None:
        before, after = player.change.before.points, player.change.after.points
        rating = f"{after} ({'−' if after < before else '+'}{abs(after - before)})"
    if other.target is not None:
        lines.append(_("hid {number}").format(number=other.target))
    return Side(
        player_id=player_id,
        name=shown,
        turns=player.turns,
        is_winner=view.duel.winner == seat,
        rating=rating,
        lines=tuple(lines),
        avatar=avatars.get(player_id),
    )


#: On a board that is no longer the duel's.
MOVED: Final = N_("The board of this duel is [now here]({link}).")


def duel_board(view: DuelView, tiles: DuelTiles | None = None, *, drawn: bool = False) -> TextBoard:
    """A duel's board at any stage, for everybody to see.

    `drawn` says that a picture shows the rounds.
    """
    duel = view.duel
    if duel.state is State.INVITED:
        board = _invitation(view)
    elif duel.state is State.OVER:
        mood = Mood.LOST if duel.winner is None else Mood.SOLVED
        won, *others = ending(view, drawn=drawn)
        rounds = "" if drawn else columns(Rounds.of(view), tiles and tiles.shorter())
        board = TextBoard.of(mood, f"{title(duel)}\n{won}", rounds, *others)
    else:
        board = TextBoard.of(
            Mood.PLAYING,
            title(duel),
            turn_status(view),
            offer_line(view),
            columns(Rounds.of(view), tiles),
            legend(tiles, *(turn for seat in view.seats for turn in seat.turns)),
        )
    return board


def _invitation(view: DuelView) -> TextBoard:
    challenger, opponent = as_invited(view)
    sentence = _("**{challenger} challenges {opponent}!**")
    sentence = sentence.format(challenger=name(challenger), opponent=name(opponent))
    if view.is_rematch:
        sentence = _wants_rematch(challenger, opponent)
    stake = f"{say(RATED_LABEL)}."
    if view.friendly is not None:
        stake = say(_WHY_FRIENDLY[view.friendly])
    lapse = "" if view.deadline_at is None else _lapse(view.deadline_at)
    aim = "" if view.is_rematch else say(_AIM)
    return TextBoard.of(
        Mood.WAITING, title(view.duel), sentence, aim, small(f"{stake} {lapse}".strip())
    )


def _wants_rematch(challenger: SeatView, opponent: SeatView) -> str:
    words = _("**{challenger} wants a rematch with {opponent}!**")
    return words.format(challenger=name(challenger), opponent=name(opponent))


#: What a duel is, below a challenge.
_AIM: Final = N_("Each of you hides a number. Find your opponent's first!")
#: Instead of a card by which a player looked for an opponent.
_SOUGHT: Final = N_("{player} was looking for an opponent.")


def _lapse(ends_at: datetime) -> str:
    return _("Ends {when}.").format(when=relative_time(ends_at))


def seek_board(view: SeekView) -> TextBoard:
    """The card of a player who looks for an opponent; once that is over, a line."""
    seek = view.seek
    if not view.is_open:
        return TextBoard.of(Mood.CALM, small(say(_SOUGHT, player=mention(seek.player_id))))
    texts = _looks(view), say(_AIM), small(_lapse(seek.ends_at))
    return TextBoard.of(Mood.WAITING, title(seek), *texts)


def _looks(view: SeekView) -> str:
    player = mention(view.seek.player_id)
    return _("**{player} is looking for an opponent!**").format(player=player)


def open_seek_data(view: SeekView, player_id: int) -> dict[str, object]:
    """A card as data for the page's list of what is open in its channel."""
    seek = view.seek
    return {
        "place": f"seek-{seek.id}",
        "lines": [_looks(view), small(" · ".join([say(DUEL_NAME), options(seek)]))],
        "label": "" if seek.player_id == player_id else say(DUEL_BUTTONS["accept"]),
    }


#: On the page, above when that ends.
LOOKING: Final = N_("You're looking for an opponent.")


def own_seek_data(view: SeekView) -> dict[str, object]:
    """What the page shows to a player whose card is open, until somebody accepts it."""
    seek = view.seek
    words = _("Once somebody accepts, your duel opens here.")
    told = f"**{say(LOOKING)}**\n{words}\n{small(_lapse(seek.ends_at))}"
    data = _number_data(seek.rules, f"seek-{seek.id}", told, [_act("withdraw", "withdraw")])
    posted = seek.message_id is not None
    return data | {"about": options(seek), "until": seek.ends_at.isoformat(), "posted": posted}


def new_seek_data(chosen: DuelOptions) -> dict[str, object]:
    """What the page shows to a player who wants an opponent: the bot, or whoever is here."""
    kinds = {"rated": FIND_RATED, "friendly": FIND_FRIENDLY}
    actions: list[dict[str, object]] = [
        {"act": act, "label": say(label), "types": True, "ask": _asked_number()}
        for act, label in kinds.items()
    ]
    actions.append({"act": "bot", "label": say(BOT_BUTTON)})
    return _number_data(chosen.rules(), "seek-0", say(_AIM), actions)


def seek_data(view: SeekView) -> dict[str, object]:
    """What the page shows to a player who accepts a card."""
    told = "\n".join(filter(None, (_looks(view), stake_line(view), _asked_number())))
    actions = [_act("accept", "accept", types=True)]
    return _number_data(view.seek.rules, f"seek-{view.seek.id}", told, actions)


def _asked_number() -> str:
    return f"**{say(SECRET_FORM_TITLE)}**\n{small(say(OPPONENT_FINDS))}"


def _number_data(
    rules: BullsAndCows, place: str, told: str, actions: list[dict[str, object]]
) -> dict[str, object]:
    return code_data(rules, ()) | {
        "place": place,
        "version": 0,
        "title": say(DUEL_NAME),
        "about": digits(rules),
        "state": "open",
        "said": told.splitlines(),
        "actions": actions,
        "until": None,
    }


def stake_line(view: SeekView) -> str:
    """Whether a duel with whoever accepts would be rated, above the number that they type."""
    if view.friendly is not None:
        return say(_WHY_FRIENDLY[view.friendly])
    if view.stake is None:
        return ""
    words = _("Rated: win +{win} · loss −{loss}")
    return words.format(win=view.stake.win, loss=view.stake.loss)


#: Why a challenge would be no rated duel; at most five words.
_WHY_FRIENDLY: Final = {
    Friendly.CHOSEN: N_("Friendly: no rating changes."),
    Friendly.YOUNG: N_("Friendly: one account is new."),
    Friendly.OFTEN: N_("Friendly: you've used both rated duels."),
}


def at_stake(view: DuelView) -> str:
    """What a challenge would change in ratings, and what the two have played so far."""
    lines = list[str]()
    for seat in as_invited(view):
        if seat.rating is not None and seat.stake is not None:
            words = _("{player}: {rating} · win +{win} · loss −{loss}")
            lines.append(
                words.format(
                    player=name(seat),
                    rating=seat.rating.points,
                    win=seat.stake.win,
                    loss=seat.stake.loss,
                )
            )
    known = so_far(view) if view.duel.state is State.INVITED else ""
    return "\n".join(filter(None, (*map(small, lines), known)))


def offer_line(view: DuelView) -> str:
    """The line about an open offer of a draw, or a declined one; empty without either."""
    duel = view.duel
    if duel.draw_declined_by is not None:
        declines = view.seats[duel.draw_declined_by]
        return _("{player} declined the draw. Play on!").format(player=name(declines, begins=True))
    if duel.draw_offered_by is None:
        return ""
    offers = view.seats[duel.draw_offered_by]
    answers = view.seats[1 - duel.draw_offered_by]
    return _("🤝 {player} offers a draw. {other}: accept, decline, or just guess.").format(
        player=name(offers), other=name(answers)
    )


def turn_status(view: DuelView) -> str:
    duel = view.duel
    if duel.to_move is None:
        return ""
    seat, other = view.seats[duel.to_move], view.seats[1 - duel.to_move]
    words = _("**{player} to move**: guess {turn}.")
    if is_near_the_end(duel, len(seat.turns)):
        words = _("**{player} to move**: guess {turn} of {rounds}.")
    if duel.is_last_chance:
        words = _("**{player} has one guess left** to draw: {other} has found the number!")
    elif duel.to_move == 0 and not seat.turns:
        words = _("**{player} goes first**, then {other}.")
        if view.is_rematch:
            words = _("**{player} goes first**: {other} did last time.")
    words = words.format(
        player=name(seat, begins=True),
        other=name(other),
        turn=len(seat.turns) + 1,
        rounds=duel.rules.max_guesses,
    )
    if view.deadline_at is None:
        return words
    clock = _("⏳ Time runs out {when}.").format(when=relative_time(view.deadline_at))
    return f"{words}\n{clock}"


def notebook_board(notebook: Notebook, tiles: DuelTiles | None) -> TextBoard:
    view = notebook.view
    duel = view.duel
    tiles = tiles and tiles.shorter()
    if duel.state is State.INVITED:
        return duel_board(view)
    if duel.state is State.SETTING:
        words = _("The bot has hidden a number. **Hide yours**: it can't peek.")
        aim = small(_("Then take turns: digits in place are bulls, misplaced ones are cows."))
        return TextBoard.of(Mood.WAITING, _title(notebook), f"{words}\n{aim}")
    if duel.state is State.OVER:
        board = duel_board(view, tiles)
        mood = Mood.SOLVED if duel.winner == notebook.seat else Mood.LOST
        texts = (*board.texts, _about_bot(notebook))
        return TextBoard.of(mood, *texts)
    turns = (turn for seat in view.seats for turn in seat.turns)
    return TextBoard.of(
        Mood.PLAYING,
        _title(notebook),
        "\n".join(_turn(notebook)),
        "\n".join(filter(None, (_possible(notebook), _own(notebook)))),
        offer_line(view),
        columns(Rounds.of(view), tiles),
        "\n".join(filter(None, (legend(tiles, *turns), _about_bot(notebook)))),
    )


def _turn(notebook: Notebook) -> list[str]:
    """Say to a player whose turn it is, and in another line until when."""
    view, duel = notebook.view, notebook.view.duel
    status, *clock = turn_status(view).splitlines()
    if duel.to_move == notebook.seat:
        status = _("**Your turn.**")
        if duel.is_last_chance:
            status = _("**You have one guess left** to draw!")
    return [status, *clock]


def _title(notebook: Notebook) -> str:
    """The heading of a notebook.

    A duel with the bot has no public board: its notebook has the heading of a board.
    """
    duel = notebook.view.duel
    if duel.is_against_bot:
        return title(duel)
    return f"{heading(_('Your notebook'))}\n{small(options(duel))}"


def _possible(notebook: Notebook) -> str:
    if not notebook.turns or notebook.view.seats[notebook.seat].found:
        return ""
    absent = " ".join(notebook.absent)
    ruled_out = _("Ruled out: **{digits}**").format(digits=absent) if absent else ""
    return f"{_left(notebook)} {ruled_out}".strip()


def _left(notebook: Notebook) -> str:
    if not notebook.turns or notebook.view.seats[notebook.seat].found:
        return ""
    return ngettext(
        "📓 Only one number is still possible.",
        "📓 {count} numbers are still possible.",
        notebook.remaining,
    ).format(count=number(notebook.remaining))


def _own(notebook: Notebook) -> str:
    if notebook.own is None:
        return ""
    return _("Your own number: ||{number}||").format(number=notebook.own)


def _about_bot(notebook: Notebook) -> str:
    if notebook.view.duel.strength is not Strength.PERFECT:
        return ""
    if notebook.is_bot_proven:
        return small(_("The bot plays perfectly: nobody can average fewer guesses."))
    return small(_("The bot plays the best strategy known."))


def duel_data(notebook: Notebook, rematch: Duel | None = None) -> dict[str, object]:
    """A duel as data for the web page of one of its players; `rematch` is an open one after it.

    Of the two numbers it tells the player's own, until the end.
    """
    view, seat = notebook.view, notebook.seat
    duel, own, other = view.duel, view.seats[seat], view.seats[1 - seat]
    data = code_data(duel.rules, own.turns)
    keys = cast("dict[str, str]", data["keys"]) | dict.fromkeys(notebook.absent, "x")
    is_over, is_on = duel.state is State.OVER, duel.state is State.PLAYING
    ends = {seat: "solved", None: "drawn"}
    if is_on or is_over:
        data |= _columns_data(own, other, notebook.own or "")
    return data | {
        "place": str(GameName(Source.DUEL, duel.id)),
        "version": duel.version,
        "title": say(DUEL_NAME),
        "about": options(duel),
        "keys": {} if is_over else keys,
        "waits": is_on and duel.to_move == 1 - seat and not own.found,
        "state": ends.get(duel.winner, "lost") if is_over else "open",
        "said": list(_said(notebook, rematch)),
        "actions": list(_actions(notebook, rematch)),
        "until": None if view.deadline_at is None else view.deadline_at.isoformat(),
    }


def _columns_data(own: SeatView, other: SeatView, hidden: str = "") -> dict[str, object]:
    """Both columns; `hidden` is the own number, which the other seeks."""
    is_told = len(own.turns) < TURNS_WITH_LEGEND and bool(own.turns or other.turns)
    return {
        "own": _side_data(own, other),
        "other": _side_data(other, own, hidden),
        "legend": is_told,
    }


def _side_data(side: SeatView, other: SeatView, target: str = "") -> dict[str, object]:
    """One column; `target` is what its player looks for, where the other one may know it."""
    return {
        "name": f"{name(side, begins=True)} → {name(other)}",
        "is_next": side.duel.to_move == side.number,
        "target": side.target or (side.turns[-1].guess if side.found else target),
        "is_found": side.found,
        "rows": [score_data(turn) for turn in side.turns],
    }


def watched_data(view: DuelView) -> dict[str, object]:
    """A duel as data for the web page of those who are in its channel: what its board shows."""
    duel, (first, second) = view.duel, view.seats
    told = [turn_status(view), offer_line(view)]
    if duel.state is State.OVER:
        told = ending(view)
    elif duel.state is State.INVITED:
        _heading, *told = duel_board(view).texts
    columns = {} if duel.state is State.INVITED else _columns_data(first, second)
    return {
        **code_data(duel.rules, first.turns),
        **columns,
        "place": str(GameName(Source.DUEL, duel.id)),
        "version": duel.version,
        "title": say(DUEL_NAME),
        "about": options(duel),
        "state": "drawn" if duel.state is State.OVER else "open",
        "said": "\n".join(filter(None, told)).splitlines(),
        "actions": [],
        "until": None if view.deadline_at is None else view.deadline_at.isoformat(),
    }


def _said(notebook: Notebook, rematch: Duel | None) -> Iterator[str]:
    view, duel = notebook.view, notebook.view.duel
    if duel.state is State.PLAYING:
        status, *clock = _turn(notebook)
        is_asked = duel.draw_offered_by == 1 - notebook.seat  # the keys say what is ruled out
        yield from filter(None, ("" if is_asked else status, offer_line(view), _left(notebook)))
        yield from map(small, clock)
        return
    _heading, *told = notebook_board(notebook, None).texts
    if duel.state is State.OVER:
        told = ending(view)
        if rematch is not None and rematch.state is State.INVITED:
            asks = duel.seat_of(rematch.challenger_id) or 0
            told = [_wants_rematch(view.seats[asks], view.seats[1 - asks]), *told]
    elif duel.state is State.INVITED and duel.waits_for(duel.seats[notebook.seat].player_id or 0):
        told.append(_asked_number())
    yield from "\n".join(filter(None, told)).splitlines()


def _actions(notebook: Notebook, rematch: Duel | None) -> Iterator[dict[str, object]]:
    """What the player may do now; what has `types` needs a number, at once or once pressed."""
    duel, seat = notebook.view.duel, notebook.seat
    if duel.state is State.SETTING:
        yield _act("secret", "secret", types=True)
    elif duel.state is State.INVITED and seat == duel.challenger:
        yield _act("decline", "withdraw")
    elif duel.state is State.INVITED:
        yield _act("secret", "accept", types=True)
        yield _act("decline", "decline")
    elif duel.state is State.PLAYING:
        if duel.to_move == seat:
            yield _act("guess", "guess", types=True)
        yield from _stops(duel, seat)
    elif rematch is not None:
        yield _act("go", "rematch", place=str(GameName(Source.DUEL, rematch.id)))
    else:
        needed = {} if duel.is_against_bot else {"types": True, "ask": _asked_number()}
        yield _act("rematch", "rematch", **needed)
    if duel.state is State.OVER and notebook.turns:
        yield {"act": "verdict"}
        if duel.is_against_bot:
            yield {"act": "share"}


def _stops(duel: Duel, seat: int) -> Iterator[dict[str, object]]:
    if duel.draw_offered_by is None:
        if not (duel.is_against_bot or duel.has_found(seat)):
            yield _act("draw", "offer_draw")
    elif duel.draw_offered_by == seat:
        yield _act("decline", "take_back")
    else:
        yield _act("draw", "accept_draw")
        yield _act("decline", "decline_draw")
    if duel.has_found(seat):
        return
    stop = "call_off" if duel.can_be_called_off else "resign"
    question, yes = stop_question(duel), say(DUEL_BUTTONS[stop])
    yield _act("resign", f"ask_to_{stop}", ask=question, yes=yes)


def _act(name: str, button: str, **more: object) -> dict[str, object]:
    return {"act": name, "label": say(DUEL_BUTTONS[button]), **more}


def guess_reminder(notebook: Notebook) -> str:
    """The guesses so far and what they leave possible, for the form that covers the notebook.

    Empty before the first guess.
    """
    lines = [column(notebook.turns), _possible(notebook)]
    return "\n".join(filter(None, lines))
