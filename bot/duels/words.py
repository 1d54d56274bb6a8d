"""Words of duels: labels, refusals, help."""

from collections.abc import Sequence
from typing import Final

from bot.duels import model
from bot.duels.game import MOST_RATED
from bot.duels.model import RATED_WITHIN, Duel, DuelView, State
from bot.duels.moves import Notebook
from bot.duels.round_words import (
    DUEL_NAME,
    DuelTiles,
    block,
    digits,
    is_near_the_end,
    name,
    options,
    result,
    score_in_letters,
    score_letters,
    victory,
)
from bot.feature import Topic
from bot.games.words import unspent
from bot.leaderboards.words import earning_a_rank
from bot.refused import Mistakes, RatedDuelError, Sentences, TextRefusedError, mistake
from bot.text import counts
from bot.text.labels import POST_AGAIN_BUTTON
from bot.text.language import N_, _, ngettext, say
from bot.text.markup import bullets, code, heading, mention, relative_time, small
from bot.text.tiles import Pegs, Tiles
from engine import (
    BullsAndCows,
    GameOverError,
    Mode,
    NotYourTurnError,
    Problem,
    RepeatedGuessError,
    Score,
    Strength,
    Turn,
    score,
)

# Labels of a duel's buttons; at most 80 characters each.
DUEL_BUTTONS: Final = {
    "accept": N_("Accept"),
    "change": N_("Other settings"),
    "more": N_("More"),
    "decline": N_("Decline"),
    "withdraw": N_("Withdraw"),
    "secret": N_("Set my number"),
    "guess": N_("Guess"),
    "page": N_("Notebook"),
    "offer_draw": N_("Offer a draw"),
    "accept_draw": N_("Accept the draw"),
    "decline_draw": N_("Decline"),
    "take_back": N_("Take the offer back"),
    "ask_to_resign": N_("Resign"),
    "ask_to_call_off": N_("Call it off"),
    "resign": N_("Yes, resign"),
    "call_off": N_("Yes, call it off"),
    "keep": N_("Keep playing"),
    "rematch": N_("Rematch"),
    "post": POST_AGAIN_BUTTON,
}

#: Has the number drawn that the bot is to find, where it may not be the player's own.
DRAW_BUTTON: Final = N_("Pick a number for me")
#: For those who accepted a rated duel, when the bot was breaking such a code for them.
HAS_CLOSED: Final = N_(
    "The bot has stopped breaking your Mastermind code: its guesses could help you here."
)
#: Shows a player's own page as it is now.
REFRESH_BUTTON: Final = N_("Refresh")
#: Opens the form for a number again.
RETRY_BUTTON: Final = N_("Enter it again")
#: After a player has been asked whether to resign, and has not.
STAYED: Final = N_("You're still playing. Nothing has changed.")
#: Leads to the public board of a duel.
BOARD_BUTTON: Final = N_("Go to the board")
#: After a board was posted again.
POSTED: Final = N_("I've posted the board again: [go there]({url}).")
#: The title of the form that asks for a number; at most 45 characters.
SECRET_FORM_TITLE: Final = N_("Your secret number")
#: What will become of a number that the bot has to find.
BOT_FINDS: Final = N_("The bot must find it, and can't peek.")
#: What will become of a number that another player has to find.
OPPONENT_FINDS: Final = N_("Whoever plays you has to find it. Nobody can see it before the end.")
#: What to type as one's number; at most 100 characters.
NUMBER_DESCRIPTION: Final = N_("The first digit can be 0.")
#: Above the list of kinds of numbers; at most 45 characters.
NUMBERS_LABEL: Final = N_("Numbers")
#: Above the list of modes; at most 45 characters.
MODE_LABEL: Final = N_("The end")

# Choices of the bot's strength; at most 100 characters each.
STRENGTH_CHOICES: Final = {
    Strength.CASUAL: N_("Casual: remembers only the last three answers it got"),
    Strength.SHARP: N_("Sharp: only guesses what fits"),
    Strength.PERFECT: N_("Perfect: as few guesses as possible"),
}

# The bot's next strength, offered to a player who has won; at most 80 characters each.
STRONGER_BUTTONS: Final = {
    Strength.SHARP: N_("Try the sharp bot"),
    Strength.PERFECT: N_("Try the perfect bot"),
}

#: Above the buttons for whom a player may play: the bot, or anybody here.
_WHO_PLAYS: Final = N_("**Who's your opponent?**")
#: Below it.
_FRIEND: Final = N_("Challenge a friend: `/duel opponent:`")
#: Begins a duel with the bot; at most 80 characters.
BOT_BUTTON: Final = N_("Play the bot")
#: Asks a whole channel for an opponent; at most 80 characters.
ANYBODY_BUTTON: Final = N_("Anybody here?")
#: Accepts the card by which another looks for an opponent: that player sees it, too.
TAKE_BUTTON: Final = N_("I'll play")
#: On the page: leads to the choice between the channel and the bot.
FIND_OPPONENT: Final = N_("Find an opponent")
#: After a player has withdrawn the card by which they looked for an opponent.
CLOSED: Final = N_("Withdrawn.")

#: Asks again for a duel that was never played; at most 80 characters.
AGAIN_BUTTON: Final = N_("Challenge again")

#: Above the question whether a duel moves ratings; at most 45 characters.
RATED_LABEL: Final = N_("Rated")
#: What that means; at most 100 characters.
RATED_HINT: Final = N_("You get two rated duels a week with each opponent.")
#: On the page, puts up a card for a duel that moves ratings.
FIND_RATED: Final = N_("Find a rated duel")
#: The other choice there.
FIND_FRIENDLY: Final = N_("Find a friendly duel")
#: Above the list of the bot's strengths; at most 45 characters.
STRENGTH_LABEL: Final = N_("How well the bot plays")
#: The title of the form for a duel with the bot; at most 45 characters.
BOT_FORM_TITLE: Final = N_("Duel with the bot")
#: The title of the form for a challenge; at most 45 characters.
CHANGE_FORM_TITLE: Final = N_("Your challenge")


def who_plays(rules: BullsAndCows) -> list[str]:
    """What stands above the buttons for the bot and for whoever is here."""
    return [
        f"{heading(say(DUEL_NAME))}\n{small(digits(rules))}",
        f"{say(_WHO_PLAYS)}\n{small(say(_FRIEND))}",
    ]


def stop_question(duel: Duel) -> str:
    if duel.can_be_called_off:
        return _("**Call the duel off?** Nobody wins, and no rating changes.")
    if duel.rated:
        return _("**Resign?** Your opponent wins, and both ratings change.")
    return _("**Resign?** Your opponent wins.")


def rematch_asked(url: str | None) -> str:
    """The answer to a second request for the same rematch; `url` leads to it, if it is posted."""
    if url is None:
        return _("The rematch is already under way in `/play`.")
    return _("The rematch is already under way: [go there]({url}).").format(url=url)


def rematch_posted(url: str | None) -> str:
    """The answer to a player who has asked for a rematch on a private page.

    `url` leads to the rematch, if that is posted.
    """
    if url is None:
        return _("Rematch offered. It's in `/play`.")
    return _("Rematch offered: [it's here]({url}).").format(url=url)


def terms(duel: Duel) -> str:
    return _("{player} proposes: {options}").format(
        player=mention(duel.challenger_id), options=options(duel)
    )


def call(view: DuelView, player_ids: Sequence[int], url: str | None) -> str:
    """The text of a nudge: it tells one player about a turn, or some players about the end."""
    duel = view.duel
    if duel.state is State.OVER:
        told = " ".join(map(mention, player_ids))
        link = _("It's in `/play`.") if url is None else _("[See the duel]({url}).").format(url=url)
        words = _("{players}: {result} {link}")
        won = duel.winner is not None and view.seats[duel.winner].player_id
        if list(player_ids) == [won]:
            return f"{victory(view, told)} {link}"
        return words.format(players=told, result=result(view), link=link)
    (player_id,) = player_ids
    return _nudge(view, player_id, url)


def _nudge(view: DuelView, player_id: int, url: str | None) -> str:
    duel = view.duel
    #: The end of a sentence that tells a player what a duel waits for, as {link}.
    link = _("the duel is in `/play`")
    if url is not None:
        #: The same, where the duel has a board.
        link = _("[here is the duel]({url})").format(url=url)
    if duel.draw_offered_by is not None:
        words = _("{player}, **your opponent offers a draw**: {link}.")
        if duel.to_move is not None and duel.to_move == duel.seat_of(player_id):
            words = _("{player}, **your opponent offers a draw**, and it's your turn: {link}.")
    elif duel.is_last_chance:
        words = _(
            "{player}, **your last guess**: your opponent has found your number. Find theirs "
            "now, and it's a draw: {link}."
        )
    else:
        words = _("{player}, **it's your turn**: {link}.")
    words = words.format(player=mention(player_id), link=link)
    # An answer to an offer has no time of its own.
    if view.deadline_at is not None and duel.waits_for(player_id):
        due = _("Your time runs out {when}.").format(when=relative_time(view.deadline_at))
        words = f"{words} {due}"
    return words


def guess_form_title(duel: Duel, made: int) -> str:
    """The title of the form for a guess, after `made` guesses; Discord takes 45 characters."""
    if duel.is_last_chance:
        return _("Your last guess, for a draw")
    words = _("Your guess no. {turn}")
    if is_near_the_end(duel, made):
        words = _("Your guess {turn} of {rounds}")
    return words.format(turn=made + 1, rounds=duel.rules.max_guesses)


def accepted(notebook: Notebook, url: str) -> str:
    """The answer to a player who has accepted a challenge; `url` leads to the board."""
    words = _("✅ Your number is set: ||{number}||. Go back [to the board]({url}).")
    lines = [words.format(number=notebook.own, url=url)]
    if notebook.view.has_closed:
        lines.append(say(HAS_CLOSED))
    return "\n".join(lines)


def mode_choice(mode: Mode) -> tuple[str, str]:
    """The label and the description of a mode of new duels; Discord takes 100 characters each."""
    if mode is Mode.CLASSIC:
        return _("Classic"), _("The first to find the number wins. Friendly.")
    return _("Equal turns"), _("The second player gets one last guess to draw.")


def _terms_changed(error: model.TermsChangedError) -> str:
    return _("{player} changed the terms: {options}").format(
        player=mention(error.view.duel.challenger_id), options=options(error.view.duel)
    )


def _new_number(error: model.NewNumberError) -> str:
    return _("{numbers}: **set your number again**.").format(numbers=digits(error.rules))


def _guess_refused(error: model.DuelRefusedError) -> str:
    if isinstance(error.cause, GameOverError):
        return _("The duel was over before this guess.")
    if isinstance(error.cause, NotYourTurnError):
        to_move = error.view.duel.to_move
        if to_move is None:
            return _("It wasn't your turn.")
        player = name(error.view.seats[to_move])
        return _("It's {player}'s turn, not yours.").format(player=player)
    return unspent(number_mistake(error, error.view.duel.rules))


def _rated_duel(error: RatedDuelError) -> str:
    return _(
        "You're in a rated duel with {player} ({numbers}). I can't help with such "
        "numbers until that duel ends."
    ).format(player=mention(error.player_id), numbers=digits(error.numbers))


def number_mistake(error: TextRefusedError, rules: BullsAndCows) -> str:
    """The sentence that says what is wrong with a typed number."""
    return mistake(error, _MISTAKES, digits=counts.digits(rules.digits))


_MISTAKES: Final[Mistakes] = {
    RepeatedGuessError: N_("You've already tried {guess}, as guess {turn}."),
    Problem.EMPTY: N_("You typed nothing. Type {digits}."),
    Problem.UNKNOWN_SYMBOL: N_(
        "{text}: {symbol} in place {position} isn't a digit. Type {digits} from 0 to 9."
    ),
    Problem.REPEATED_SYMBOL: N_("{text} has {symbol} twice, but all digits must differ."),
    Problem.TOO_SHORT: lambda difference: ngettext(
        "{text} has {found} of {wanted} digits. Add one.",
        "{text} has {found} of {wanted} digits. Add {difference} more.",
        difference,
    ),
    Problem.TOO_LONG: lambda difference: ngettext(
        "{text} has {found} digits, not {wanted}. Take one out.",
        "{text} has {found} digits, not {wanted}. Take {difference} out.",
        difference,
    ),
}

SENTENCES: Final[Sentences] = {
    model.TermsChangedError: _terms_changed,
    model.NewNumberError: _new_number,
    model.DuelRefusedError: _guess_refused,
    RatedDuelError: _rated_duel,
    model.NumberRefusedError: lambda error: number_mistake(error, error.rules),
}


HIDDEN: Final = "4325"
GUESSES: Final = ("4312", "4358", "4325")

#: The rules of duels, above their example.
_RULES: Final = N_(
    "You each set a secret number, and guess the other's. Every guess is scored:\n"
    "- **bull** ({bull}): right digit, right place\n"
    "- **cow** ({cow}): right digit, wrong place"
)


def _help(tiles: Tiles | None, pegs: Pegs) -> list[str]:
    duel_tiles = DuelTiles.of(tiles, pegs)
    turns = [Turn(guess, score(guess, HIDDEN)) for guess in GUESSES]
    if duel_tiles is None:
        bull, cow = score_letters()
        rows = block(f"{turn.guess}  {score_in_letters(turn.feedback)}" for turn in turns)
    else:
        bull, cow = map(duel_tiles.pegs.key, (Score(1, 0), Score(0, 1)))
        rows = "\n".join(map(duel_tiles.turn, turns))
    explanation = _(
        "The number is {number}. In the first guess, `4` and `3` are in place: 2 bulls. `2` "
        "belongs elsewhere: 1 cow."
    ).format(number=code(HIDDEN))
    return [
        say(_RULES, bull=bull, cow=cow),
        f"{rows}\n{explanation}",
        _(
            "The first to find it **wins**, unless the second player draws with one "
            "last guess.\nTake more than **24 hours** for a turn, and you lose."
        ),
    ]


def _rules_help(*_look: object) -> list[str]:
    """What is good to know before a duel, as blocks of the help; the rules have the rest."""
    rated = _("Your first {duels} in {week} with each player are **rated**.").format(
        duels=counts.duels(MOST_RATED), week=counts.of_days(RATED_WITHIN.days)
    )
    details = (
        _("No opponent? Type `/duel` to play the bot or find somebody here."),
        _("*Other settings* changes digits, repeats or mode until somebody accepts."),
        _("You can resign, or offer a draw. After 30 rounds, it's a draw anyway."),
        f"{rated} {earning_a_rank()}",
    )
    return [bullets(details)]


#: Asks a whole channel, another one, where the member may write.
ASK_IN: Final = N_("Ask in {place}.")
#: Asks for a rematch in another channel, where the member may not write.
REMATCH_IN: Final = N_("Type `/duel` in {place}, or let your opponent challenge you.")
HELP_TOPIC: Final = Topic("duels", N_("How duels are played"), _help)
RULES_TOPIC: Final = Topic("duel-rules", N_("Duels: good to know"), _rules_help)
#: What the command does, in the help.
COMMAND: Final = N_("`/duel`: find a member's number before they find yours.")
#: Among the games with others in `/play`.
TOGETHER: Final = N_("**Duel**: find each other's hidden number.")

# Command descriptions; Discord takes them at start, in English.
#: What Discord lists of a command or an option; at most 100 characters.
DUEL = N_("Bulls and Cows: find your opponent's number before they find yours")
DUEL_OPPONENT = N_("The member to challenge. Leave it empty to play the bot or anybody here")
DUEL_DIGITS = N_("How many digits a number has, from 3 to 6")
#: What Discord lists in a member's menu; at most 32 characters.
DUEL_MENU = N_("Challenge to a duel")
