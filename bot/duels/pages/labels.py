"""Short texts on duels' buttons and forms, and the messages beside a board."""

from collections.abc import Sequence
from typing import Final

from bot.duels.model.duel import DuelGame, Notebook, Seat
from bot.duels.model.transitions import State
from bot.duels.pages.endings import result, victory
from bot.duels.pages.rows import MODE_NAMES, digits, options
from bot.text.language import N_, say
from bot.text.language import gettext as _
from bot.text.markup import mention, relative_time
from engine import BullsAndCows, Mode, Strength

_NEAR_THE_END: Final = 10

# What the buttons of a duel do; at most 80 characters each.
DUEL_BUTTONS: Final = {
    "accept": N_("Accept"),
    "now": N_("Accept: now"),
    "day": N_("Accept: a move a day"),
    "change": N_("Change"),
    "more": N_("More"),
    "decline": N_("Decline"),
    "withdraw": N_("Withdraw"),
    "secret": N_("Set my number"),
    "start": N_("Start"),
    "guess": N_("Guess"),
    "page": N_("Notebook"),
    "offer": N_("Offer a draw"),
    "agree": N_("Accept the draw"),
    "refuse": N_("Decline"),
    "take_back": N_("Take the offer back"),
    "ask": N_("Resign"),
    "cancel": N_("Call it off"),
    "resign": N_("Yes, resign"),
    "leave": N_("Yes, call it off"),
    "keep": N_("Keep playing"),
    "rematch": N_("Rematch"),
    "post": N_("Post the board again"),
}

#: Has the number drawn that the bot is to find, where it may not be the player's own.
DRAW_BUTTON: Final = N_("Pick a number for me")
#: For who has accepted a rated duel, when the bot was breaking such a code for them.
HAS_CLOSED: Final = N_(
    "The bot has stopped breaking your code in `/mastermind defend`: its guesses could help you "
    "here."
)
#: Opens a player's own page of a race.
PAGE_BUTTON: Final = N_("My page")
#: Shows a player's own page as it is now.
REFRESH_BUTTON: Final = N_("Refresh")
#: Opens the form for a number again.
RETRY_BUTTON: Final = N_("Enter it again")
#: After a player has been asked whether to resign, and has not.
STAYED: Final = N_("You play on; nothing has changed.")
#: Leads to the public board of a duel.
BOARD_BUTTON: Final = N_("Go to the board")
#: After a board was posted again.
POSTED: Final = N_("The board is posted again: [go there]({url}).")
#: The title of the form that asks for a number; at most 45 characters.
SECRET_FORM_TITLE: Final = N_("Your secret number")
#: What will become of a number that another player has to find.
OPPONENT_FINDS: Final = N_("Your opponent has to find it. Nobody sees it before the end.")
#: What to type as one's number; at most 100 characters.
NUMBER_DESCRIPTION: Final = N_("The first digit may be 0.")
#: Above the list of kinds of numbers; at most 45 characters.
NUMBERS_LABEL: Final = N_("Numbers")
#: Above the list of modes; at most 45 characters.
MODE_LABEL: Final = N_("The end")

# The bot's strengths as choices in a list; at most 100 characters each.
STRENGTH_CHOICES: Final = {
    Strength.CASUAL: N_("Casual: remembers its last three answers"),
    Strength.SHARP: N_("Sharp: guesses what is possible"),
    Strength.PERFECT: N_("Perfect: as few guesses as is known"),
}

# The bot's next strength, offered to who has beaten it; at most 80 characters each.
STRONGER_BUTTONS: Final = {
    Strength.SHARP: N_("Try the sharp bot"),
    Strength.PERFECT: N_("Try the perfect bot"),
}

#: Asks again for a duel that was never played; at most 80 characters.
AGAIN_BUTTON: Final = N_("Challenge again")

#: Above the question whether a duel moves ratings; at most 45 characters.
RATED_LABEL: Final = N_("Rated")
#: What that means; at most 100 characters.
RATED_HINT: Final = N_("Both ratings change.")
#: Above the list of the bot's strengths; at most 45 characters.
STRENGTH_LABEL: Final = N_("How well the bot plays")
#: The title of the form for a duel with the bot; at most 45 characters.
BOT_FORM_TITLE: Final = N_("Duel with the bot")
#: The title of the form for a challenge; at most 45 characters.
CHANGE_FORM_TITLE: Final = N_("Your challenge")
#: Where terms are chosen that the challenger's number does not fit, and by who challenges anew.
NEW_NUMBER: Final = N_("Now **set your number**.")


def stop_question(game: DuelGame) -> str:
    """Asked before a player resigns, or calls off a duel in which nobody has guessed."""
    if game.can_be_called_off:
        return _("**Call the duel off?** Nobody wins, and no rating changes.")
    if game.rated:
        return _("**Resign?** Your opponent wins, and both ratings change.")
    return _("**Resign?** Your opponent wins.")


def rematch_asked(url: str | None) -> str:
    """Instead of a second challenge to the same rematch."""
    if url is None:
        return _("The rematch is under way already; `/games` lists it.")
    return _("The rematch is under way already: [go there]({url}).").format(url=url)


def rematch_posted(url: str | None) -> str:
    """When a player has asked for a rematch on a page of their own."""
    if url is None:
        return _("Asked for a rematch. `/games` lists it.")
    return _("Asked for a rematch: [it is here]({url}).").format(url=url)


def terms(game: DuelGame) -> str:
    """What a challenge proposes, to who has it before them with other terms or asks the same."""
    return _("{player} proposes: {options}").format(
        player=mention(game.challenger_id or 0), options=options(game)
    )


def call(game: DuelGame, player_ids: Sequence[int], url: str | None) -> str:
    """A message that tells one player what is on them to do, or players how a duel has ended."""
    if game.state is State.OVER:
        told = " ".join(map(mention, player_ids))
        link = _("`/games` has it.") if url is None else _("[See the duel]({url}).").format(url=url)
        words = _("{players}: {result} {link}")
        won = game.winner is not None and game.seats[game.winner].player_id
        if list(player_ids) == [won]:
            return f"{told}, {victory(game)} {link}"
        return words.format(players=told, result=result(game), link=link)
    (player_id,) = player_ids
    return _nudge(game, player_id, url)


def _nudge(game: DuelGame, player_id: int, url: str | None) -> str:
    link = _("the duel is in your `/games`")
    if url is not None:
        link = _("[here is the duel]({url})").format(url=url)
    seat = game.seats[game.seat_of(player_id) or 0]
    if game.state is State.SETTING:
        words = _("{player}, **set your number**: {link}.")
    elif game.state is State.STARTING:
        words = _("{player}, your opponent is ready. Press **Start**: {link}.")
    elif game.draw_offered_by is not None:
        words = _draw_nudge(game, player_id)
    elif game.mode is Mode.RACE:
        words = _race_nudge(seat)
    elif game.is_last_chance:
        words = _(
            "{player}, **your last guess**: your opponent has found your number. Find theirs now, "
            "and it is a draw: {link}."
        )
    else:
        words = _("{player}, **it is your turn**: {link}.")
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


def is_near_the_end(game: DuelGame, made: int) -> bool:
    """Whether it is told how many guesses there may be; hardly a duel gets there."""
    return made + 1 >= game.rules.max_guesses - _NEAR_THE_END


def guess_form_title(game: DuelGame, made: int) -> str:
    """The title of the form that asks for a guess; at most 45 characters."""
    if game.is_last_chance:
        return _("Your last guess: find it for a draw")
    words = _("Your guess no. {turn}")
    if is_near_the_end(game, made):
        words = _("Your guess {turn} of {rounds}")
    return words.format(turn=made + 1, rounds=game.rules.max_guesses)


def number_is_set(notebook: Notebook, url: str) -> str:
    """After a player has set a number beside the board."""
    words = _("✅ Your number is set: ||{number}||. Go on [at the board]({url}).")
    return words.format(number=notebook.own, url=url)


def number_label(rules: BullsAndCows) -> str:
    """The label of a form's one field; at most 45 characters."""
    return digits(rules)


def secret_form_text(game: DuelGame) -> str:
    """What will become of the number."""
    if game.is_against_bot:
        return _("The bot has to find it. It uses your number only to score its guesses.")
    return say(OPPONENT_FINDS)


def numbers_choice(rules: BullsAndCows) -> str:
    """One of them."""
    return digits(rules)


def mode_choice(mode: Mode) -> tuple[str, str]:
    """A mode, and what it means in at most 100 characters."""
    meanings = {
        Mode.EQUAL_TURNS: _("The second player gets a last guess, for a draw."),
        Mode.CLASSIC: _("The first to find the number wins. Never rated."),
    }
    return say(MODE_NAMES[mode]).capitalize(), meanings[mode]
