"""Texts of the web page beside those of games: labels, and refusals that name no commands."""

import re
from collections.abc import Sequence
from typing import Final

from bot.coach.review_words import (
    COACH_BUTTON,
    FIND_BUTTON,
    NEXT_MISTAKE_BUTTON,
    SHOW_BETTER_BUTTON,
)
from bot.duels.board_words import LOOKING
from bot.duels.model import DuelView, OwnSeekError
from bot.duels.words import GUESSES as DIGITS
from bot.duels.words import HELP_TOPIC as DUEL_HELP
from bot.duels.words import HIDDEN as NUMBER
from bot.features import FEATURES
from bot.focdle.words import (
    ANYWAY_BUTTON,
    GUESS_BUTTON,
    KEEP_BUTTON,
    LEVELS,
    OPEN_KEYPAD_BUTTON,
    TODAY_BUTTON,
    row_data,
)
from bot.focdle.words import GUESSES as EQUATIONS
from bot.focdle.words import HELP_TOPIC as FOCDLE_HELP
from bot.focdle.words import HIDDEN as EQUATION
from bot.games.model import Source
from bot.games.words import COPY_THIS, SIGNS, code_data
from bot.home.game import Agenda, Company
from bot.home.lists import name_on_page, open_line
from bot.home.words import card, help_text
from bot.mastermind.model import MastermindGame
from bot.mastermind.words import GUESSES as PEGS
from bot.mastermind.words import HELP_TOPIC as MASTERMIND_HELP
from bot.mastermind.words import HIDDEN as CODE
from bot.mastermind.words import NAME
from bot.page.model import StrangerError, UnheardError
from bot.posts.words import example
from bot.races.model import RaceView, Rules
from bot.races.words import HELP_TOPIC as RACE_HELP
from bot.races.words import NOT_POSTED
from bot.refused import MayNotSpeakError, NotYoursError, OutdatedError
from bot.text.labels import BACK_BUTTON, EDIT_BUTTON, TRY_AGAIN_BUTTON
from bot.text.language import N_, _, say
from bot.text.markup import visible
from bot.text.pictures.boards import colour_of
from bot.text.tiles import samples
from engine import BullsAndCows, Focdle, Mastermind, replay

#: Offered where a game is no longer there, or somebody else's.
_GONE: Final = N_("That game is gone.")

GONE: Final = tuple(error for feature in FEATURES for error in feature.gone)
"""Refusals of games that are no longer there, or somebody else's: nobody learns which."""
SENTENCES: Final[dict[type[Exception], str]] = {
    **dict.fromkeys(GONE, _GONE),
    NotYoursError: _GONE,
    OutdatedError: N_("Reload the page."),
    OwnSeekError: LOOKING,
    MayNotSpeakError: N_("You can't write there."),
}
"""Refusals that the web page words otherwise, as in Discord they name its commands."""

#: Where the privacy policy and the terms are, for whoever reads another language.
ONLY_ENGLISH: Final = N_("Only in English")

_LABELS: Final = {
    "guess": GUESS_BUTTON,
    "anyway": ANYWAY_BUTTON,
    "edit": EDIT_BUTTON,
    "back": BACK_BUTTON,
    "again": TRY_AGAIN_BUTTON,
    "today": TODAY_BUTTON,
    "verdict": COACH_BUTTON,
    "find": FIND_BUTTON,
    "best": SHOW_BETTER_BUTTON,
    "next": NEXT_MISTAKE_BUTTON,
    "keep": KEEP_BUTTON,
    #: Leads to the list of games; where a game cannot be shown.
    "home": N_("All games"),
    #: Opens Discord, where a button lets the player in.
    "discord": N_("Open Discord"),
    #: Above the address, where the page was opened under another.
    "moved": N_("Open this address:"),
    #: Opens a game just for fun.
    "practice": N_("FoCdle practice"),
    "mastermind": NAME,
    "race": RACE_HELP.title,
    #: Opens the list of earlier puzzles.
    "archive": N_("Earlier puzzles"),
    #: Above the games that wait for the player.
    "waiting": N_("Your turn"),
    #: Above the other games that go on.
    "games": N_("Unfinished"),
    #: Above what goes on in the channel where the page was opened.
    "here": N_("In this channel"),
    #: Above what is played alone.
    "solo": N_("On your own"),
    #: Before the list of how many a race opened there has: 1, 3 or 5.
    "rounds": N_("Rounds"),
    #: Where it was opened elsewhere.
    "nowhere": N_("Open this from a server's channel to play with others."),
    #: Above the faces of others who have finished today's puzzle.
    "finished": N_("Finished already"),
    #: Leads to how the games are played.
    "how": N_("How to play"),
    #: The name of the list of levels.
    "level": N_("Level"),
    #: Of a practice: its first option.
    "any": N_("Any"),
    #: Ends the session in this browser.
    "leave": N_("Sign out"),
    #: Said once it is there.
    "posted": N_("Shared in Discord."),
    #: Said where that cannot be; above the result, to be copied.
    "unposted": N_("Your result can't be shared there. Copy it:"),
    #: Copies the result as text.
    "share": N_("Copy result"),
    #: Said once that is done.
    "copied": N_("Copied"),
    #: Where the browser lets nothing be copied: above the result.
    "select": COPY_THIS,
    #: Said until Discord and the page have answered.
    "connecting": N_("Connecting …"),
    #: Said below that some seconds later, and where the page does not run.
    "stuck": N_("This page needs JavaScript. Try reloading it."),
    #: Leads to what is stored about players.
    "privacy": N_("Privacy"),
    #: Leads to the terms of use.
    "terms": N_("Terms"),
    #: Said while nobody answers; the symbols typed so far stay.
    "offline": N_("No connection. What you typed is kept."),
    #: Above the button that plays as another player: who plays in this browser so far.
    "other": N_("{name} is playing here now."),
    #: For those who cannot see the colours: of a symbol of a guess, of a key.
    "g": N_("in place"),
    "y": N_("elsewhere"),
    "x": N_("out"),
    #: The name of the board for those who cannot see it.
    "board": N_("Board"),
    #: The name of the keys for those who cannot see them.
    "keys": N_("Keys"),
    #: Keys whose sign is not always read aloud.
    "+": N_("plus"),
    "-": N_("minus"),
    "*": N_("times"),
    "%": N_("remainder"),
    "=": N_("equals"),
    "delete": N_("Delete"),
    #: Before a number that somebody has to find, for who cannot see where it stands.
    "hidden": N_("hidden number"),
    #: A place of the row that is still empty.
    "empty": N_("empty"),
    #: Where Discord has not said where the player is: plays at their own place instead.
    "alone": N_("Play on my own"),
    "missed": NOT_POSTED,
    "outside": OPEN_KEYPAD_BUTTON,
    "silent": UnheardError.sentence,
    "stranger": StrangerError.sentence,
    #: In the place of a player whose name is unknown.
    "somebody": N_("somebody"),
}


def labels() -> dict[str, str]:
    return {name: say(label, name="{name}") for name, label in _LABELS.items()}


def play_as(name: str) -> str:
    """Label the button that spends a ticket, with the player's name if there is one to show."""
    shown = visible(name)
    return _("Play as {name}").format(name=shown) if shown else _("Play")


_ABOUT: Final = {
    #: What the game is, where a link lets its player in.
    Source.PLAY: N_("Find the hidden equation in six guesses, like this:"),
    Source.MASTERMIND: N_("Find the hidden code of coloured pegs."),
    Source.DUEL: N_("You each hide a number, and hunt for the other's."),
    Source.RACE: N_("One puzzle for everybody: fewest guesses win."),
}


def door(source: Source) -> dict[str, object]:
    """Say what a kind of game is, and show a board of it: an example."""
    if source is Source.MASTERMIND:
        board = _board(Mastermind(), CODE, PEGS)
    elif source is Source.DUEL:
        board = _board(BullsAndCows(), NUMBER, DIGITS)
    else:
        game = example()
        board = {"length": len(game.secret), "rows": [row_data(turn) for turn in game.turns]}
    return {"about": say(_ABOUT[source]), "board": board}


def today(agenda: Agenda) -> dict[str, object]:
    """Today's puzzle on the start page: what is said of it, and the marks of its rows."""
    said, streak = card(agenda)
    lines, turns = said.splitlines(), agenda.play.game.turns if agenda.play else ()
    if turns and not agenda.is_today_over:
        del lines[1]  # the last row, which is among those that are drawn
    rows = ["".join(SIGNS[mark] for mark in turn.feedback) for turn in turns]
    return {
        "said": [*lines, *streak.splitlines()],
        "length": agenda.puzzle.length,
        "rows": [{"marks": marks} for marks in rows],
        "is_over": agenda.is_today_over,
        "until": agenda.next_puzzle_at.isoformat(),
    }


def company(found: Company) -> dict[str, object]:
    return {
        "more": found.total - len(found.seen),
        "faces": [
            {
                "name": visible(each.name),
                "face": each.face,
                "colour": colour_of(each.player_id),
            }
            for each in found.seen
        ],
    }


def levels() -> dict[str, str]:
    return {level.value: say(label) for level, label in LEVELS.items()}


def how_to_play() -> list[dict[str, object]]:
    """Write how each game is played, without the markup that only Discord shows."""
    games = {
        FOCDLE_HELP: _board(Focdle(len(EQUATION)), EQUATION, EQUATIONS),
        MASTERMIND_HELP: _board(Mastermind(), CODE, PEGS),
        DUEL_HELP: _board(BullsAndCows(), NUMBER, DIGITS),
    }
    topics: list[dict[str, object]] = []
    for topic, board in games.items():
        title, rules, example, *more = help_text(topic)
        explained = example.splitlines()[-1]  # below rows, which the board shows
        signs = tuple(samples(None).values())  # of tiles: the page has a legend of its own
        said = [line for line in _flat(rules) if not line.startswith(signs)]
        told = {"said": said, "board": board, "then": _flat(explained, *more)}
        topics.append({"title": title.removeprefix("### "), **told})
    title, *rules = help_text(RACE_HELP)
    return [*topics, {"title": title.removeprefix("### "), "said": _flat(*rules)}]


def _board(rules: Rules, hidden: str, guesses: Sequence[str]) -> dict[str, object]:
    """An example of a board."""
    if isinstance(rules, Focdle):
        turns = replay(rules, hidden, guesses).turns
        return {"length": rules.length, "rows": [row_data(turn) for turn in turns]}
    return code_data(rules, replay(rules, hidden, guesses).turns)


def _flat(*blocks: str) -> list[str]:
    return [re.sub("^- ", "• ", line) for line in "\n".join(blocks).splitlines()]


def listed(game: object, player_id: int) -> dict[str, object] | None:
    """Describe an unfinished game in two lines; None if the page does not show it."""
    name = name_on_page(game)
    waits = isinstance(game, DuelView | MastermindGame | RaceView) and game.waits_for(player_id)
    lines = open_line(game, player_id).splitlines()
    return name and {"place": str(name), "lines": lines, "waits": waits}
