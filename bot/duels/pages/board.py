"""The public board of a duel: all that everybody may see, and nothing that helps a player."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from bot.duels.model.duel import REMEMBERED_FOR, DuelGame, Pace, Seat
from bot.duels.model.transitions import State
from bot.duels.pages.endings import ending
from bot.duels.pages.labels import is_near_the_end
from bot.duels.pages.rivals import so_far
from bot.duels.pages.rounds import DuelTiles, Rounds, columns, legend
from bot.duels.pages.rows import as_invited, name, seals, title
from bot.ratings.model.ratings import Rating, Stake
from bot.text import counts
from bot.text.language import N_
from bot.text.language import gettext as _
from bot.text.markup import relative_time, small
from bot.text.text_board import Mood, TextBoard
from engine import Mode

#: On a board that is no longer the duel's.
MOVED: Final = N_("The board of this duel is [here now]({link}).")


def duel_board(game: DuelGame, look: DuelTiles | None = None, *, drawn: bool = False) -> TextBoard:
    """A duel for everybody, at whatever stage it is.

    Args:
        game: the duel.
        look: the emojis to draw rounds with; letters without them.
        drawn: whether the rounds of a duel that is over are shown as a picture instead.
    """
    boards: dict[State, Callable[[], TextBoard]] = {
        State.INVITED: lambda: _invitation(game),
        State.SETTING: lambda: _setting(game),
        State.STARTING: lambda: _starting(game),
        State.PLAYING: lambda: _race(game) if game.mode is Mode.RACE else _turns(game, look),
        State.OVER: lambda: _over(game, look, drawn=drawn),
    }
    board = boards[game.state]()
    return replace(board, foot=seals(game))


def _invitation(game: DuelGame) -> TextBoard:
    challenger, opponent = as_invited(game)
    sentence = _("**{challenger} challenges {opponent}!**")
    if game.is_rematch:
        sentence = _("**{challenger} wants a rematch with {opponent}!**")
    sentence = sentence.format(challenger=name(challenger), opponent=name(opponent))
    known = so_far(game)
    aim = (
        "" if known or game.is_rematch else _("Each of you hides a number. Find the other's first!")
    )
    lapse = _("Ends {when}.")
    if game.now_until is not None:
        lapse = _("*Now*: two minutes a guess. The offer ends {when}.")
    due = game.deadline_at
    lapse = "" if due is None else small(lapse.format(when=relative_time(due)))
    how = "\n".join(filter(None, (aim, _ratings(game), known)))
    return TextBoard.of(Mood.WAITING, title(game), sentence, how, lapse)


def _ratings(game: DuelGame) -> str:
    if not game.rated:
        return ""
    rated = [(seat, seat.rating) for seat in as_invited(game) if seat.rating is not None]
    lines = [small(_rating(seat, rating)) for seat, rating in rated]
    if game.share > 1:
        words = _("Rated duel {n} in {days}: counts 1/{n}.")
        lines.append(small(words.format(n=game.share, days=counts.days(REMEMBERED_FOR.days))))
    return "\n".join(lines)


def _rating(seat: Seat, rating: Rating) -> str:
    """A player's rating, and what a win or a loss would make of it."""
    words = "{player}: {rating}"
    if seat.stake is not None:
        words = _("{player}: {rating} · win +{win} · loss −{loss}")
    stake = seat.stake or Stake(0, 0)
    return words.format(player=name(seat), rating=rating.points, win=stake.win, loss=stake.loss)


def _setting(game: DuelGame) -> TextBoard:
    lines = "\n".join(_readiness(seat) for seat in as_invited(game))
    how = _("**Each of you hides a number** for the other to find.")
    above = f"{how} {_first_move(game)}".strip()
    return TextBoard.of(Mood.WAITING, title(game), above, lines.strip())


def _first_move(game: DuelGame) -> str:
    if game.of_series:
        return ""  # the first of a series was drawn, the next ones were not
    if not game.is_rematch:
        return _("A coin flip says who begins.")
    return _("Last time's second goes first.")


def _starting(game: DuelGame) -> TextBoard:
    challenger, _other = as_invited(game)
    when = "" if challenger.deadline_at is None else relative_time(challenger.deadline_at)
    words = _("**Both numbers are set.** {player}, press **Start** and the clock runs.")
    lapse = small(_("Ends {when}.").format(when=when))
    words = words.format(player=name(challenger))
    return TextBoard.of(Mood.WAITING, title(game), words, lapse)


def _readiness(seat: Seat) -> str:
    if seat.is_ready:
        return _("✅ {player} is ready.").format(player=name(seat))
    if seat.deadline_at is None:
        return ""
    return _("⏳ {player} is choosing; time runs out {when}.").format(
        player=name(seat), when=relative_time(seat.deadline_at)
    )


def _turns(game: DuelGame, look: DuelTiles | None) -> TextBoard:
    return TextBoard.of(
        Mood.PLAYING,
        title(game),
        turn_status(game),
        offer_line(game),
        columns(Rounds.of(game), look),
        legend(look, *(turn for seat in game.seats for turn in seat.turns)),
    )


def turn_status(game: DuelGame) -> str:
    """Whose turn it is, and until when."""
    if game.to_move is None:
        return ""
    seat, other = game.seats[game.to_move], game.seats[1 - game.to_move]
    words = _("**{player} to guess**, guess {turn}.")
    if is_near_the_end(game, len(seat.turns)):
        words = _("**{player} to guess**, guess {turn} of {rounds}.")
    if game.is_last_chance:
        words = _("**{player} has one guess left**, for a draw: {other} has found the number!")
    elif game.to_move == 0 and not seat.turns and not game.of_series:
        words = _("**{player} goes first** (drawn by lot), then {other}.")
        if game.is_rematch:
            words = _("**{player} goes first**: {other} did last time.")
    words = words.format(
        player=name(seat, begins=True),
        other=name(other),
        turn=len(seat.turns) + 1,
        rounds=game.rules.max_guesses,
    )
    if seat.deadline_at is None:
        return words
    clock = _("⏳ Time runs out {when}.").format(when=relative_time(seat.deadline_at))
    return f"{words}\n{clock}"


def offer_line(game: DuelGame) -> str:
    """Whose offer of a draw stands, or who has just declined one; else empty."""
    if game.draw_declined_by is not None:
        declines = game.seats[game.draw_declined_by]
        return _("{player} declined the draw; play goes on.").format(
            player=name(declines, begins=True)
        )
    if game.draw_offered_by is None:
        return ""
    offers, answers = (
        game.seats[game.draw_offered_by],
        game.seats[1 - game.draw_offered_by],
    )
    return _("🤝 {player} offers a draw. {other}: accept, decline, or just guess.").format(
        player=name(offers), other=name(answers)
    )


def _race(game: DuelGame) -> TextBoard:
    how = _(
        "**The race is on.** Both look for the same hidden number. Press **Start** when you are "
        "ready: your own time begins, and your guesses are seen by nobody else until the end."
    )
    lines = "\n".join(race_line(game, seat) for seat in as_invited(game))
    return TextBoard.of(Mood.PLAYING, title(game), how, lines, offer_line(game))


def race_line(game: DuelGame, seat: Seat) -> str:
    """How far a player is in a race, as far as that helps nobody.

    At live pace a tie goes to less time, so there nobody is told that the other has finished.
    """
    if seat.started_at is None and seat.player_id is not None:
        words = _("⏳ {player} has not started yet.")
        if seat.deadline_at is not None:
            words = _("⏳ {player} has not started yet; the time to start runs out {when}.")
    elif seat.is_done and game.pace is Pace.RELAXED:
        words = _("🏁 {player} has finished.")
    else:
        words = _("🏃 {player} is racing.")
    when = "" if seat.deadline_at is None else relative_time(seat.deadline_at)
    return words.format(player=name(seat, begins=True), when=when)


def _over(game: DuelGame, look: DuelTiles | None, *, drawn: bool) -> TextBoard:
    mood = Mood.LOST if game.winner is None else Mood.SOLVED
    won, *others = ending(game, drawn=drawn)
    rounds = "" if drawn else columns(Rounds.of(game), look and look.shorter())
    return TextBoard.of(mood, f"{title(game)}\n{won}", rounds, *others)


def in_thread(game: DuelGame) -> TextBoard:
    """In the channel, about a duel that is played in a thread of its own."""
    first, second = as_invited(game)
    if game.state is State.OVER:
        mood = Mood.LOST if game.winner is None else Mood.SOLVED
        return replace(TextBoard.of(mood, title(game), ending(game)[0]), face_at=1)
    words = _("{challenger} and {opponent} play in {thread}.").format(
        challenger=name(first), opponent=name(second), thread=f"<#{game.thread_id}>"
    )
    return TextBoard.of(Mood.PLAYING, title(game), words)
