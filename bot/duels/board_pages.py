"""The public board of a duel, the picture of its end, and a player's notebook."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.duels.messages import EndedDuel
from bot.duels.model import DuelView, Friendly, State
from bot.duels.moves import Notebook
from bot.duels.round_pages import (
    DuelTiles,
    Rounds,
    as_invited,
    column,
    columns,
    ending,
    is_near_the_end,
    legend,
    name,
    options,
    score_in_letters,
    so_far,
    title,
)
from bot.pool.worker import Named
from bot.text import counts
from bot.text.language import N_, ngettext, number, say
from bot.text.language import gettext as _
from bot.text.markup import clip, heading, is_forgotten, relative_time, small, visible
from bot.text.pictures.boards import Avatar
from bot.text.tiles import Mood, TextBoard
from engine import Score, Strength, Turn

_LONGEST_DESCRIPTION: Final = 1024


@dataclass(frozen=True, slots=True)
class Side:
    player_id: int
    name: str
    turns: tuple[Turn[Score], ...]
    is_winner: bool
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
        if record.drawn:
            words = _("Head to head: {won} – {lost}, {drawn} drawn")
        line = words.format(won=record.won, lost=record.lost, drawn=record.drawn)
    described = [
        _("{player}: {words}.").format(player=clip(side.name), words=", ".join(side.lines))
        for side in sides
    ]
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
    lines = [counts.guesses(player.guesses)]
    if player.found:
        lines = [_("solved in {guesses}").format(guesses=player.guesses)]
    if player.change is not None:
        before, after = player.change.before.points, player.change.after.points
        moved = f"{'−' if after < before else '+'}{abs(after - before)}"
        lines.append(_("rating {rating} ({moved})").format(rating=after, moved=moved))
    if other.target is not None:
        lines.append(_("hid {number}").format(number=other.target))
    return Side(
        player_id=player_id,
        name=shown,
        turns=player.turns,
        is_winner=view.duel.winner == seat,
        lines=tuple(lines),
        avatar=avatars.get(player_id),
    )


#: On a board that is no longer the duel's.
MOVED: Final = N_("The board of this duel is [here now]({link}).")


def duel_board(view: DuelView, look: DuelTiles | None = None, *, drawn: bool = False) -> TextBoard:
    """A duel's board at any stage, for everybody to see.

    `drawn` says that a picture shows the rounds.
    """
    duel = view.duel
    if duel.state is State.INVITED:
        board = _invitation(view)
    elif duel.state is State.OVER:
        mood = Mood.LOST if duel.winner is None else Mood.SOLVED
        won, *others = ending(view, drawn=drawn)
        rounds = "" if drawn else columns(Rounds.of(view), look and look.shorter())
        board = TextBoard.of(mood, f"{title(duel)}\n{won}", rounds, *others)
    else:
        board = TextBoard.of(
            Mood.PLAYING,
            title(duel),
            turn_status(view),
            offer_line(view),
            columns(Rounds.of(view), look),
            legend(look, *(turn for seat in view.seats for turn in seat.turns)),
        )
    return board


def _invitation(view: DuelView) -> TextBoard:
    challenger, opponent = as_invited(view)
    sentence = _("**{challenger} challenges {opponent}!**")
    if view.is_rematch:
        sentence = _("**{challenger} wants a rematch with {opponent}!**")
    sentence = sentence.format(challenger=name(challenger), opponent=name(opponent))
    known, aim = so_far(view), ""
    if not known and not view.is_rematch:
        aim = _("Each of you hides a number. Find the other's first!")
    lapse = ""
    if view.deadline_at is not None:
        words = _("A turn has 24 hours. The challenge ends {when}.")
        lapse = small(words.format(when=relative_time(view.deadline_at)))
    how = "\n".join(filter(None, (aim, _ratings(view), known)))
    return TextBoard.of(Mood.WAITING, title(view.duel), sentence, how, lapse)


#: Why a challenge would be no rated duel; at most six words.
_WHY_FRIENDLY: Final = {
    Friendly.CHOSEN: N_("Friendly: no rating changes."),
    Friendly.YOUNG: N_("Friendly: an account is too new."),
    Friendly.OFTEN: N_("Friendly: two rated in seven days."),
}


def _ratings(view: DuelView) -> str:
    """What a rated duel would change, or why the challenge is to none."""
    lines = [] if view.friendly is None else [say(_WHY_FRIENDLY[view.friendly])]
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
    return "\n".join(map(small, lines))


def offer_line(view: DuelView) -> str:
    """The line about an open offer of a draw, or a declined one; empty without either."""
    duel = view.duel
    if duel.draw_declined_by is not None:
        declines = view.seats[duel.draw_declined_by]
        return _("{player} declined the draw; play goes on.").format(
            player=name(declines, begins=True)
        )
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
    words = _("**{player} to guess**, guess {turn}.")
    if is_near_the_end(duel, len(seat.turns)):
        words = _("**{player} to guess**, guess {turn} of {rounds}.")
    if duel.is_last_chance:
        words = _("**{player} has one guess left**, for a draw: {other} has found the number!")
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


def notebook_board(notebook: Notebook, look: DuelTiles | None) -> TextBoard:
    view = notebook.view
    duel = view.duel
    look = look and look.shorter()
    if duel.state is State.INVITED:
        return duel_board(view)
    if duel.state is State.SETTING:
        words = _("The bot has hidden a number. **Hide yours**: it can't peek.")
        aim = small(_("Then guess in turn: bulls are in place, cows elsewhere."))
        return TextBoard.of(Mood.WAITING, _title(notebook), f"{words}\n{aim}")
    if duel.state is State.OVER:
        board = duel_board(view, look)
        mood = Mood.SOLVED if duel.winner == notebook.seat else Mood.LOST
        texts = (*board.texts, _about_bot(notebook))
        return TextBoard.of(mood, *texts)
    turns = (turn for seat in view.seats for turn in seat.turns)
    return TextBoard.of(
        Mood.PLAYING,
        _title(notebook),
        # First what only this page has, then what the public board has, too.
        "\n".join(filter(None, (_possible(notebook), _own(notebook)))),
        turn_status(view),
        offer_line(view),
        columns(Rounds.of(view), look),
        "\n".join(filter(None, (legend(look, *turns), _about_bot(notebook)))),
    )


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
    words = ngettext(
        "📓 Only one number is still possible.",
        "📓 {count} numbers are still possible.",
        notebook.remaining,
    ).format(count=number(notebook.remaining))
    absent = " ".join(notebook.absent)
    ruled_out = _("Ruled out: **{digits}**").format(digits=absent) if absent else ""
    return f"{words} {ruled_out}".strip()


def _own(notebook: Notebook) -> str:
    if notebook.own is None:
        return ""
    return _("Your own number: ||{number}||").format(number=notebook.own)


def _about_bot(notebook: Notebook) -> str:
    if notebook.view.duel.strength is not Strength.PERFECT:
        return ""
    if notebook.is_bot_proven:
        return small(_("The bot plays perfectly: nobody needs fewer guesses on average."))
    return small(_("The bot plays the best way known."))


def guess_reminder(notebook: Notebook) -> str:
    """The guesses so far and what they leave possible, for the form that covers the notebook.

    Empty before the first guess.
    """
    lines = [column(notebook.turns), _possible(notebook)]
    return "\n".join(filter(None, lines))
