"""Short texts on duels' buttons and forms, and the messages beside a board."""

from bot.presentation.base.language import gettext as _
from bot.presentation.base.markup import mention, relative_time
from bot.presentation.duels.rows import digits, mode_name
from bot.services.duels.model import DuelGame, Pace, Seat
from bot.services.duels.transitions import State
from engine import BullsAndCows, Mode
from engine.solvers import Strength


def duel_button(act: str) -> str:
    """What a button of a duel does."""
    labels = {
        "accept": _("Accept"),
        "decline": _("Decline"),
        "never": _("Decline, and no more from them"),
        "withdraw": _("Withdraw"),
        "secret": _("Set my number"),
        "start": _("Start"),
        "guess": _("Guess"),
        "page": _("Notebook"),
        "offer": _("Offer a draw"),
        "agree": _("Accept the draw"),
        "refuse": _("Decline the draw"),
        "ask": _("Resign"),
        "resign": _("Yes, resign"),
        "leave": _("Yes, call it off"),
        "keep": _("Keep playing"),
        "rematch": _("Rematch"),
        "post": _("Post the board again"),
    }
    return labels[act]


def page_button() -> str:
    """Opens a player's own page of a race."""
    return _("My page")


def refresh_button() -> str:
    """Shows a player's own page as it is now."""
    return _("Refresh")


def retry_button() -> str:
    """Opens the form for a number again."""
    return _("Enter it again")


def board_button() -> str:
    """Leads to the public board."""
    return _("Go to the board")


def leave_button() -> str:
    """Asks whether a duel that has not begun is to be called off."""
    return _("Call it off")


def stop_question(game: DuelGame) -> str:
    """Asked before a player resigns, or calls off a duel that has not begun."""
    if game.state is State.SETTING:
        return _("**Call the duel off?** Nobody wins, and no rating changes.")
    if game.rated:
        return _("**Resign?** Your opponent wins, and both ratings change.")
    return _("**Resign?** Your opponent wins.")


def posted(url: str) -> str:
    """After a board was posted again."""
    return _("The board is posted again: [go there]({url}).").format(url=url)


def rematch_asked(url: str | None) -> str:
    """Instead of a second challenge to the same rematch."""
    if url is None:
        return _("The rematch is under way already; `/games` lists it.")
    return _("The rematch is under way already: [go there]({url}).").format(url=url)


def rematch_accepted(url: str | None) -> str:
    """When both have asked for a rematch."""
    if url is None:
        return _("You both want it: the rematch is on. `/games` opens it.")
    return _("You both want it: the rematch is on. [Go there]({url}).").format(url=url)


def nudge(game: DuelGame, player_id: int, url: str | None) -> str:
    """A message that tells one player that it is on them to do something."""
    seat = game.seats[game.seat_of(player_id) or 0]
    if game.state is State.SETTING:
        words = _("{player}, **set your number**: {link}.")
    elif game.draw_offered_by is not None:
        words = _draw_nudge(game, player_id)
    elif game.mode is Mode.RACE:
        words = _race_nudge(seat)
    else:
        words = _("{player}, **it is your turn**: {link}.")
    link = _("the duel is in your `/games`")
    if url is not None:
        link = _("[here is the duel]({url})").format(url=url)
    words = words.format(player=mention(player_id), link=link)
    if seat.deadline_at is None:
        return words
    return (
        words + " " + _("Your time runs out {when}.").format(when=relative_time(seat.deadline_at))
    )


def _race_nudge(seat: Seat) -> str:
    if seat.started_at is None:
        return _("{player}, **the race is on**; start when you are ready: {link}.")
    return _("{player}, **your opponent has finished the race**: {link}.")


def _draw_nudge(game: DuelGame, player_id: int) -> str:
    if game.to_move is not None and game.to_move == game.seat_of(player_id):
        return _("{player}, **your opponent offers a draw**, and it is your turn: {link}.")
    return _("{player}, **your opponent offers a draw**: {link}.")


def thread_name(first: str, second: str) -> str:
    """The name of a duel's thread, from two names; Discord takes 100 characters."""
    return _("Duel: {first} and {second}").format(first=first, second=second)[:100]


def guess_form_title(game: DuelGame, made: int) -> str:
    """The title of the form that asks for a guess; at most 45 characters."""
    return _("Your guess {turn} of {rounds}").format(turn=made + 1, rounds=game.rules.max_guesses)


def secret_form_title() -> str:
    """The title of the form that asks for a number; at most 45 characters."""
    return _("Your secret number")


def number_label(rules: BullsAndCows) -> str:
    """The label of a form's one field; at most 45 characters."""
    return digits(rules)


def number_description() -> str:
    """What to type; at most 100 characters."""
    return _("The first digit may be 0.")


def secret_form_text(game: DuelGame) -> str:
    """What will become of the number."""
    if game.is_against_bot:
        return _("The bot has to find it. It uses your number only to score its guesses.")
    return _("Your opponent has to find it. Nobody sees it before the duel is over.")


def challenge_form_title(display_name: str) -> str:
    """The title of the form with a duel's options; at most 45 characters."""
    return _("Challenge {player}").format(player=display_name)[:45]


def numbers_label() -> str:
    """Above the list of kinds of numbers."""
    return _("Numbers")


def numbers_choice(rules: BullsAndCows) -> str:
    """One of them."""
    return digits(rules)


def mode_label() -> str:
    """Above the list of modes."""
    return _("Who wins")


def mode_choice(mode: Mode) -> tuple[str, str]:
    """A mode, and what it means in at most 100 characters."""
    meanings = {
        Mode.EQUAL_TURNS: _("In turn; the second player may still answer. Rated."),
        Mode.CLASSIC: _("In turn; the first to find the number wins at once. Never rated."),
        Mode.RACE: _("Both look for the same number, in private; fewer guesses win. Rated."),
    }
    return mode_name(mode).capitalize(), meanings[mode]


def pace_label() -> str:
    """Above the list of paces."""
    return _("Pace")


def pace_choice(pace: Pace) -> str:
    """One of them."""
    if pace is Pace.LIVE:
        return _("Live: 2 minutes a turn")
    return _("Relaxed: 24 hours a turn")


def strength_choice(strength: Strength) -> str:
    """A strength of the bot as a choice in a list."""
    names = {
        Strength.CASUAL: _("Casual: remembers its last three answers"),
        Strength.SHARP: _("Sharp: guesses what is possible"),
        Strength.PERFECT: _("Perfect: as few guesses as is known"),
    }
    return names[strength]


def rated_label() -> str:
    """Above the question whether it counts."""
    return _("Rated")


def rated_choice(*, rated: bool) -> str:
    """Whether a duel moves ratings."""
    return _("Yes, where the mode allows it") if rated else _("No, just for fun")
