"""How a duel ended, in words."""

from bot.duels.game.rating import FEWEST_GUESSES
from bot.duels.model.duel import REMEMBERED_FOR, DuelGame, Seat
from bot.duels.model.transitions import Ending
from bot.duels.pages.rivals import head_to_head
from bot.duels.pages.rows import as_invited, duration, name
from bot.people.game.invitations import RESPITE
from bot.stand_ins import is_forgotten
from bot.text import counts
from bot.text.language import gettext as _
from bot.text.language import ngettext
from bot.text.markup import code, relative_time, small
from engine import Mode


def ending(game: DuelGame, *, drawn: bool = False) -> list[str]:
    """The result, what was hidden, and what came of it; the result alone is never empty.

    Args:
        game: the duel.
        drawn: whether a picture says what was hidden, and how ratings and the record are now.
    """
    if drawn:
        return [result(game), "\n".join(_notes(game))]
    lines = (*_rating_lines(game), *_notes(game), *_record(game))
    return [result(game), revealed(game), "\n".join(lines)]


def result(game: DuelGame) -> str:
    """Who won, and how."""
    if game.winner is not None:
        return _won(game, game.seats[game.winner], game.seats[1 - game.winner])
    sentences = {
        Ending.BOTH_SOLVED: _both_solved(game),
        Ending.OUT_OF_GUESSES: _("🤝 **A draw**: neither found it in {guesses}."),
        Ending.TIMED_OUT: _("🤝 **A draw**: both ran out of time."),
        Ending.DRAW_AGREED: _("🤝 **A draw**, as both agreed."),
        Ending.DECLINED: _(
            "**{opponent} declined {challenger}'s challenge.**\n-# {challenger} can ask again "
            "{again}."
        ),
        Ending.LAPSED: _lapsed(game),
        Ending.WITHDRAWN: _("**{challenger} withdrew the challenge to {opponent}.**"),
    }
    if game.is_rematch:
        sentences[Ending.DECLINED] = _("**{opponent} wants no rematch just now.**")
    if game.accepted_at is not None:
        sentences[Ending.WITHDRAWN] = _("**The duel was called off** before it began.")
    challenger, opponent = as_invited(game)
    return sentences[game.ending or Ending.LAPSED].format(
        challenger=name(challenger),
        opponent=name(opponent),
        guesses=counts.guesses(game.rules.max_guesses),
        again="" if game.finished_at is None else relative_time(game.finished_at + RESPITE),
    )


def victory(game: DuelGame) -> str:
    """The same for who has won, and may be looking elsewhere."""
    reasons = {
        Ending.RESIGNED: _("🏆 **you win**: {loser} resigned."),
        Ending.TIMED_OUT: _("🏆 **you win**: {loser} ran out of time."),
    }
    words = reasons.get(game.ending or Ending.SOLVED, _("🏆 **you win**!"))
    return words.format(loser=name(game.seats[1 - (game.winner or 0)]))


def _won(game: DuelGame, winner: Seat, loser: Seat) -> str:
    sentences = {
        Ending.RESIGNED: _("🏆 **{winner} wins**: {loser} resigned."),
        Ending.TIMED_OUT: _("🏆 **{winner} wins**: {loser} ran out of time."),
        Ending.FORFEITED: _("🏆 **{winner} gets this duel**: {loser} set no number."),
        Ending.SOLVED: ngettext(
            "🏆 **{winner} wins** with the very first guess!",
            "🏆 **{winner} wins**, in {guesses} guesses.",
            winner.guesses,
        ),
    }
    if game.was_decided_by_time and winner.taken is not None and loser.taken is not None:
        sentences[Ending.SOLVED] = ngettext(
            "🏆 **{winner} wins** by less time, {time} to {longer}: both needed {guesses} guess.",
            "🏆 **{winner} wins** by less time, {time} to {longer}: both needed {guesses} guesses.",
            winner.guesses,
        )
    return sentences[game.ending or Ending.SOLVED].format(
        winner=name(winner, begins=True),
        loser=name(loser),
        guesses=winner.guesses,
        time="" if winner.taken is None else duration(winner.taken),
        longer="" if loser.taken is None else duration(loser.taken),
    )


def _both_solved(game: DuelGame) -> str:
    guesses = game.seats[0].guesses
    return ngettext(
        "🤝 **A draw**: both found it with the very first guess!",
        "🤝 **A draw**: both found it in {guesses} guesses.",
        guesses,
    ).replace("{guesses}", str(guesses))


def _lapsed(game: DuelGame) -> str:
    if game.accepted_at is None:
        return _("**The challenge is over**: {opponent} did not answer in time.")
    if game.playing_at is not None:
        return _("**The race is over**: nobody started in time.")
    late = [name(seat) for seat in as_invited(game) if not seat.is_ready]
    if not late:
        return _("**The duel is off**: {challenger} did not start in time.")
    if len(late) == 1:
        return _("**The duel is off**: {player} set no number in time.").replace(
            "{player}", late[0]
        )
    return _("**The duel is off**: nobody set a number in time.")


def revealed(game: DuelGame) -> str:
    """What was to be found; empty if it was never played."""
    first, second = game.seats
    if first.target is None or second.target is None:
        return ""
    if game.mode is Mode.RACE:
        return _("The number was {number}.").format(number=code(first.target))
    return _("{first}'s number was {own}, {second}'s was {other}.").format(
        first=name(first, begins=True),
        own=code(second.target),
        second=name(second),
        other=code(first.target),
    )


def _rating_lines(game: DuelGame) -> list[str]:
    return [
        _("{trend} {player}: {before} → **{after}**").format(
            player=name(seat),
            trend="📉" if seat.change.after.mu < seat.change.before.mu else "📈",
            before=seat.change.before.points,
            after=seat.change.after.points,
        )
        for seat in game.seats
        if seat.change is not None
    ]


def _notes(game: DuelGame) -> list[str]:
    """Why ratings moved less or more than usual."""
    lines: list[str] = []
    shares = {seat.change.share for seat in game.seats if seat.change is not None}
    if shares and min(shares) > 1:
        lines.append(
            small(
                _(
                    "Rated duel {n} of these two within {days}: ratings moved 1/{n} as far as "
                    "usual."
                ).format(n=min(shares), days=counts.days(REMEMBERED_FOR.days))
            )
        )
    if len(shares) > 1:
        lines.append(
            small(
                _(
                    "Short duel: the loser made fewer than {guesses}, so the winner gains a third."
                ).format(guesses=counts.guesses(FEWEST_GUESSES))
            )
        )
    if not shares and _has_left(game):
        lines.append(
            small(_("The loser has deleted their data, so the winner's rating stays as it was."))
        )
    return lines


def _has_left(game: DuelGame) -> bool:
    """Whether a rated duel was lost by a deletion."""
    if not game.rated or game.winner is None:
        return False
    return is_forgotten(game.seats[1 - game.winner].player_id or 0)


def _record(game: DuelGame) -> list[str]:
    if game.head_to_head is None or game.playing_at is None:
        return []
    return [head_to_head(game.seats, game.head_to_head)]
