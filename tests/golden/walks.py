"""Walks over the bot's screens, one or more a room; what they show is in `tests/golden/screens`."""

from collections.abc import Awaitable, Callable
from typing import Final

from simcord import MemberActor, ResponseMessage

from tests.support.duel_stories import NUMBERS, number_of
from tests.support.screen import text
from tests.support.table import SECRET
from tests.support.walk import Message, Walk

FALSE, FIRST, SECOND = "12+34-5=42", "12+34-5=41", "98-76+5=27"
WRONG: Final = tuple(f"{number}+34-5={number + 29}" for number in range(12, 18))


async def daily(walk: Walk) -> None:
    ann = walk.ann
    board = await walk.types(ann, "focdle")
    await walk.presses(ann, "How to play")
    await walk.presses(ann, "Guess", on=board, typed={"guess": "12+34-5=4"})
    await walk.presses(ann, "Edit", typed={"guess": FALSE})
    await walk.presses(ann, "Play it anyway")
    await walk.presses(ann, "hint:p:show", "hint:p:show")
    await walk.presses(ann, "More", "Is it fair?")
    await walk.presses(ann, "Fairness", "Today's and tomorrow's seals")
    await walk.presses(ann, "Guess", on=board, typed={"guess": SECOND})
    await walk.presses(ann, "Guess", on=board, typed={"guess": SECOND})
    await walk.presses(ann, "Edit", on=board, typed={"guess": SECRET})
    await walk.presses(ann, "Share", on=board)
    await walk.presses(ann, "Always share here")
    await walk.presses(ann, "More", on=board)
    for label in ("Today's board", "Remind me", "Is it fair?"):
        await walk.presses(ann, label, on=board)
    board = await walk.types(walk.ben, "focdle", guess=SECRET)
    await walk.presses(walk.ben, "Share", on=board)
    await walk.rounds(seconds=6)
    board = await walk.types(walk.cleo, "focdle", guess=WRONG[0])
    for guess in WRONG[1:]:
        await walk.presses(walk.cleo, "Guess", on=board, typed={"guess": guess})
    await walk.presses(walk.cleo, "More", on=board)
    await walk.presses(walk.cleo, "Play #324", on=walk.posted())
    await walk.searches(ann, "focdle", "puzzle", "32")
    await walk.types(ann, "focdle", puzzle="323")
    await walk.presses(ann, "More", "Turn on hard mode")
    await walk.presses(ann, "Guess", typed={"guess": FIRST})
    await walk.types(ann, "focdle", puzzle="999")
    await walk.rounds("2026-11-21T22:00")


async def practice(walk: Walk) -> None:
    ann = walk.ann
    board = await walk.types(ann, "practice", length=9)
    await walk.presses(ann, "Guess", on=board, typed={"guess": "1+2+3=06"})
    await walk.picks(ann, "fd:length", "8")
    await walk.presses(ann, "Guess", typed={"guess": "1+2+3=6"})
    await walk.presses(ann, "Edit", typed={"guess": "12-3-5=4"})
    board = await walk.presses(ann, "Hint")
    await walk.presses(ann, "Guess", on=board, typed={"guess": "98-97-1=0"})
    await walk.presses(ann, "More", "Give up", "Keep playing", on=board)
    await walk.presses(ann, "More", "Give up", "Yes, give up", on=board)
    await walk.presses(ann, "Coach", on=board)
    await walk.presses(ann, "More", on=board)
    await walk.presses(ann, "Next one", on=board)
    await walk.types(ann, "practice", length=99)


async def coach(walk: Walk) -> None:
    ann = walk.ann
    board = await walk.types(ann, "focdle", guess=FIRST)
    await walk.presses(ann, "Guess", on=board, typed={"guess": "65%43-21=1"})
    await walk.presses(ann, "Guess", on=board, typed={"guess": SECRET})
    page = await walk.presses(ann, "Coach", on=board)
    await walk.presses(ann, "Details", "Back", on=page)
    lesson = await walk.presses(ann, "Find a better guess", on=page)
    await walk.presses(ann, "Guess", on=lesson, typed={"guess": FALSE})
    await walk.presses(ann, "Try again", on=lesson, typed={"guess": "12+34"})
    await walk.presses(ann, "Edit", on=lesson, typed={"guess": SECOND})
    await walk.presses(ann, "Show the best", on=lesson)
    await walk.presses(ann, "Back", on=lesson)


async def mastermind(walk: Walk) -> None:
    ann = walk.ann
    board = await walk.types(ann, "mastermind play")
    await walk.presses(ann, "How to play")
    await walk.presses(ann, "mm:p:put:1:R", "mm:p:put:1:O", "Undo", on=board)
    await walk.presses(ann, "Guess", on=board, typed={"code": "RROx"})
    await walk.presses(ann, "Edit", on=board, typed={"code": "RROO"})
    walk.does("UPDATE masterminds SET secret = 'RGBY'")
    for _ in range(3):  # the first is asked about
        await walk.presses(ann, "hint:m:", on=board)
    await walk.presses(ann, "More", on=board)
    await walk.presses(ann, "Is it fair?", on=board)
    await walk.presses(ann, "Give up", "Keep playing", on=board)
    for colour in "RGBY":
        await walk.presses(ann, f"mm:p:put:1:{colour}", on=board)
    await walk.presses(ann, "Guess", on=board)
    await walk.presses(ann, "Share", on=board)
    await walk.presses(ann, "Coach", on=board)
    await walk.presses(ann, "More", "Is it fair?", on=board)
    for label in ("Swap sides", "Play again"):
        await walk.presses(ann, label, on=board)
    board = await walk.types(ann, "mastermind play")
    setting = {"pegs": "6", "colours": ["4"], "guesses": ["6"], "repeats": False}
    await walk.presses(ann, "More", "Other settings", on=board, typed=setting)
    await walk.presses(ann, "Other settings", on=board, typed=setting | {"pegs": "3"})
    await walk.presses(ann, "Guess", on=board, typed={"code": "ROY"})
    await walk.presses(ann, "More", "Give up", "Yes, give up", on=board)


async def mastermind_defended(walk: Walk) -> None:
    ann = walk.ann
    board = await walk.types(ann, "mastermind defend")
    await walk.presses(ann, "1", "Change black", "1", "1", "0", "0", "0", "0")
    await walk.picks(ann, "mm:d:pick", "1")
    await walk.presses(ann, "Keep it", on=board)
    await walk.presses(ann, "More", "End game", "Keep playing", on=board)
    await walk.presses(ann, "More", "End game", "Yes, end it", on=board)
    await walk.presses(ann, "Play again", on=board)
    await walk.types(ann, "mastermind defend")
    board = await walk.presses(ann, "Enter my code instead", typed={"code": "GGRO"})
    await walk.presses(ann, "Next", "All", on=board)
    await walk.presses(ann, "Is it fair?", on=board)


async def mastermind_challenge(walk: Walk) -> None:
    ann, ben, cleo = walk.ann, walk.ben, walk.cleo
    board = await _set(walk, ben)
    await walk.presses(cleo, "Accept", on=board)
    await walk.presses(ben, "More", on=board)
    setting = {"pegs": "4", "colours": ["6"], "guesses": ["9"], "repeats": True, "code": "RRG"}
    await walk.presses(ann, "More", "Other settings", on=board, typed=setting)
    await walk.presses(ann, "Enter the code again", typed=setting | {"code": ""})
    await walk.presses(ben, "Accept", on=board)
    await walk.presses(ben, "Guess", on=board, typed={"code": "RROO"})
    await walk.presses(ben, "mm:c:put:1:R", on=board)
    await walk.presses(ben, "More", on=board)
    await walk.presses(ben, "Guess", on=board, typed={"code": "RRGB"})
    for who in (ben, ann):
        await walk.presses(who, "Coach", on=board)
    await walk.presses(ann, "Is it fair?", on=board)
    await walk.presses(ben, "Decline", on=await _set(walk, ben))
    await walk.presses(ben, "No more from them")
    await walk.types(ann, "mastermind challenge", member=ben)
    await walk.presses(ann, "Withdraw", on=await _set(walk, cleo))
    board = await _set(walk, cleo)
    await walk.presses(cleo, "Accept", on=board)
    await walk.presses(cleo, "More", "Resign", "Yes, resign", on=board)
    await _set(walk, cleo)
    await walk.rounds(days=8)


async def _set(walk: Walk, member: MemberActor) -> Message:
    """Ann challenges somebody with a code."""
    return await walk.types(walk.ann, "mastermind challenge", member=member, typed={"code": "RRGB"})


async def duel(walk: Walk) -> None:
    ann, ben, cleo = walk.ann, walk.ben, walk.cleo
    board = await walk.types(ann, "duel", opponent=ben, typed={"number": "0012"})
    await walk.presses(ann, "Enter it again", on=board, typed={"number": NUMBERS[0]})
    board = walk.posted()
    await walk.presses(cleo, "Accept", on=board)
    terms = {"numbers": ["5"], "mode": "classic", "rated": False}
    await walk.presses(ann, "More", "Other settings", on=board, typed=terms)
    await walk.presses(ann, "Withdraw", on=await walk.presses(ann, "More", on=board))
    board = await walk.types(ann, "duel", opponent=ben, typed={"number": NUMBERS[0]})
    await walk.presses(ben, "More", on=board)
    await walk.presses(ben, "Accept", on=board, typed={"number": NUMBERS[1]})
    assert isinstance(board, ResponseMessage)
    first, second = sorted((ann, ben), key=lambda who: text(board).index(who.mention))
    await walk.presses(first, "Guess", on=board, typed={"number": "0589"})
    await walk.presses(second, "Guess", on=board, typed={"number": "058"})
    await walk.presses(second, "Edit", typed={"number": "0589"})
    notes = await walk.presses(first, "Notebook", on=board)
    await walk.presses(first, "Refresh", on=notes)
    await walk.presses(first, "Offer a draw", on=await walk.presses(first, "More", on=board))
    await walk.presses(second, "Decline", on=board)
    await walk.presses(first, "Resign", on=await walk.presses(first, "More", on=board))
    await walk.presses(first, "Keep playing")
    await walk.rounds(seconds=40)
    await walk.presses(first, "Guess", on=board, typed={"number": number_of(walk.table, second)})
    await walk.presses(second, "Guess", on=board, typed={"number": "9876"})
    await walk.rounds(seconds=5)
    await walk.presses(second, "Is it fair?", on=await walk.presses(second, "More", on=board))
    page = await walk.presses(second, "Coach", on=board)
    await walk.presses(second, "The other side", on=page)
    await walk.presses(second, "Rematch", on=board)
    await walk.types(ben, "stats")
    await walk.types(ben, "play")
    await walk.presses(ben, "My games")


async def duel_that_comes_to_nothing(walk: Walk) -> None:
    ann, ben, cleo = walk.ann, walk.ben, walk.cleo
    await walk.chooses(ann, "Challenge to a duel", cleo)
    board = await walk.types(ann, "duel", opponent=ben, typed={"number": NUMBERS[0]})
    await walk.presses(ben, "Decline", on=board)
    board = await walk.types(ben, "duel", opponent=ann, typed={"number": NUMBERS[0]})
    await walk.presses(ann, "Accept", on=board, typed={"number": NUMBERS[1]})
    await walk.presses(ann, "More", "Call it off", "Yes, call it off", on=board)
    board = await walk.types(ben, "duel", opponent=cleo, typed={"number": NUMBERS[0]})
    await walk.rounds(hours=25)
    await walk.types(ben, "duel", opponent=ben)
    board = await walk.types(ann, "duel", opponent=cleo, typed={"number": NUMBERS[0]})
    await walk.presses(cleo, "Accept", on=board, typed={"number": NUMBERS[1]})
    await walk.rounds(hours=20)
    await walk.rounds(hours=5)


async def duel_by_a_card(walk: Walk) -> None:
    ann, ben, cleo = walk.ann, walk.ben, walk.cleo
    await walk.types(ann, "duel")
    card = await walk.presses(ann, "Anybody here?", typed={"number": NUMBERS[0], "rated": False})
    await walk.presses(ann, "I'll play", on=card)
    await walk.rounds(hours=24)
    await walk.types(ann, "duel", digits=5)
    typed = {"number": "01234", "rated": True}
    card = await walk.presses(ann, "Anybody here?", typed=typed)
    await walk.types(ben, "play")
    await walk.presses(ben, "Together", "Duel", "Anybody here?")
    offer = walk.last
    await walk.presses(cleo, "Withdraw", on=card)
    await walk.presses(cleo, "I'll play", on=card, typed={"number": "4567"})
    await walk.presses(cleo, "I'll play", on=card, typed={"number": "45678"})
    await walk.presses(ben, "I'll play", on=offer)
    await walk.rounds(seconds=31)


async def duel_with_the_bot(walk: Walk) -> None:
    ann = walk.ann
    await walk.types(ann, "duel")
    board = await walk.presses(ann, "Play the bot")
    terms = {"numbers": ["3"], "mode": "equal", "strength": "sharp"}
    await walk.presses(ann, "Other settings", on=board, typed=terms)
    await walk.presses(ann, "Set my number", on=board, typed={"number": "012"})
    await walk.presses(ann, "Guess", on=board, typed={"number": "345"})
    await walk.presses(ann, "Guess", on=board, typed={"number": "678"})
    over = await walk.presses(ann, "More", "Resign", "Yes, resign", on=board)
    for label in ("Share", "Coach", "More"):
        await walk.presses(ann, label, on=over)
    await walk.types(ann, "duel", digits=6)
    await walk.types(ann, "play")
    await walk.presses(ann, "Together", "Duel", "Defend a number")
    await walk.presses(ann, "1", "1")
    board = await walk.presses(ann, "0", "0", "Correct an answer", "Back to the game")
    await walk.presses(ann, "Correct an answer", on=board)
    await walk.picks(ann, "bc:pick:", "1", on=board)
    await walk.types(ann, "play")
    await walk.presses(ann, "Together", "Duel", "Defend a number")
    await walk.presses(ann, "Enter my number instead", typed={"number": "4325"})
    await walk.presses(ann, "Next")


async def equation(walk: Walk) -> None:
    ann, ben, cleo = walk.ann, walk.ben, walk.cleo
    await walk.types(ann, "equation", typed={"equation": FALSE})
    await walk.presses(ann, "Enter it again", typed={"equation": FIRST})
    post = walk.posted()
    await walk.presses(ann, "Play", on=post)
    board = await walk.presses(ben, "Play", on=post)
    await walk.presses(ben, "Guess", on=board, typed={"guess": SECOND})
    await walk.presses(ben, "Guess", on=board, typed={"guess": FIRST})
    await walk.rounds(seconds=6)
    board = await walk.presses(cleo, "Play", on=post)
    await walk.presses(cleo, "Guess", on=board, typed={"guess": SECOND})
    await walk.presses(cleo, "More", on=post)
    await walk.presses(ann, "More", "Close", on=post)
    await walk.rounds(seconds=6)
    await walk.presses(cleo, "Guess", on=board)
    await walk.presses(ben, "More", "Is it fair?", on=post)


async def race(walk: Walk) -> None:
    ann, ben, cleo = walk.ann, walk.ben, walk.cleo
    await walk.types(ann, "race", game="focdle")
    await walk.presses(ann, "More", "Call off", on=walk.posted())
    for game, miss, secret in (
        ("mastermind", "RROO", "RYGB"),
        ("bulls", "4312", "4325"),
        ("focdle", SECOND, FIRST),
    ):
        await walk.rounds(minutes=10)
        await walk.types(ann, "race", game=game)
        walk.does(f"UPDATE races SET secret = '{secret}' WHERE ending IS NULL")
        await walk.presses(ann, "Start", on=walk.posted())
        for who in (ben, cleo):
            await walk.presses(who, "Join", on=walk.posted())
        board = await walk.presses(ann, "Start", on=walk.posted())
        await walk.presses(ann, "Guess", on=board, typed={"guess": miss})
        await walk.presses(ann, "Guess", on=board, typed={"guess": secret})
    board = await walk.presses(ben, "Play", on=walk.posted())
    await walk.presses(ben, "Guess", on=board, typed={"guess": SECOND[:-1]})
    await walk.presses(ben, "Edit", typed={"guess": SECOND})
    await walk.rounds(seconds=3)
    await walk.rounds(minutes=10)
    await walk.presses(ben, "Coach", on=walk.posted())
    await walk.presses(cleo, "More", "Is it fair?", on=walk.posted())
    await walk.presses(ben, "Again", on=walk.posted())
    await walk.rounds(minutes=10)
    await walk.types(ann, "race", game="bulls", rounds=3)
    await walk.presses(ben, "Join", on=walk.posted())
    board = await walk.presses(ann, "Start", on=walk.posted())
    for number in (1, 2, 3):
        walk.does("UPDATE races SET secret = '4325' WHERE ending IS NULL")
        if number != 2:
            bens = await walk.presses(ben, "Play", on=walk.posted())
            await walk.presses(ben, "Guess", on=bens, typed={"guess": "4325"})
        await walk.presses(ann, "Guess", on=board, typed={"guess": "4325"})
        if number == 2:
            await walk.rounds(minutes=10)
        await walk.rounds(seconds=3)
        if number < 3:
            await walk.presses(ben, "Ready", on=walk.posted())
            board = await walk.presses(ann, "Ready", on=walk.posted())


async def home(walk: Walk) -> None:
    ann = walk.ann
    await walk.types(ann, "play")
    for label in ("Mastermind", "◀ Back", "Together", "Duel", "◀ Back"):
        await walk.presses(ann, label)
    await walk.types(ann, "focdle", guess=FIRST)
    await walk.types(ann, "practice")
    await walk.types(ann, "mastermind play")
    await walk.types(walk.ben, "duel", opponent=ann, typed={"number": NUMBERS[0]})
    await walk.types(ann, "play")
    await walk.presses(ann, "My games", "Finished games")
    await walk.presses(ann, "Unfinished games", "Remove games")
    await walk.presses(ann, "Remove")
    await walk.presses(ann, "Done")
    page = await walk.types(ann, "help")
    for topic in walk.options("topics:"):
        await walk.picks(ann, "topics:", topic, on=page)
    await walk.presses(ann, "All the rules", on=page)


async def preferences(walk: Walk) -> None:
    ann = walk.ann
    page = await walk.types(ann, "preferences")
    for label in ("Turn on hard mode", "Turn on shapes", "Turn on reminders", "Hide me"):
        await walk.presses(ann, label, on=page)
    await walk.presses(ann, "More", on=page)
    await walk.picks(ann, "pref:asking", "nothing", on=page)
    await walk.presses(ann, "Who can challenge me", on=page)
    await walk.presses(ann, "Take no challenges", "◀ More preferences", on=page)
    await walk.presses(ann, "Change time zone", on=page, typed={"zone": "Berlin"})
    await walk.presses(ann, "Change time zone", on=page, typed={"zone": "nowhere"})


async def standings(walk: Walk) -> None:
    ann, ben, cleo = walk.ann, walk.ben, walk.cleo
    for who, guesses in ((ann, (FIRST, SECRET)), (ben, (SECRET,)), (cleo, WRONG)):
        board = await walk.types(who, "focdle", guess=guesses[0])
        for guess in guesses[1:]:
            await walk.presses(who, "Guess", on=board, typed={"guess": guess})
    walk.forget()
    await walk.rounds(minutes=1)
    page = await walk.types(ann, "leaderboard")
    for game in ("streak", "mastermind", "duels", "focdle"):
        await walk.picks(ann, "lb:game:", game, on=page)
    await walk.picks(ann, "lb:period:", "week.1", on=page)
    await walk.presses(ann, "What counts", on=page)
    await walk.types(ann, "leaderboard", game="focdle")
    await walk.types(ann, "stats", member=ben)
    await walk.chooses(cleo, "Game stats", ben)
    page = await walk.types(ann, "stats")
    for label in ("Half a year", "Guesses", "Show the channel"):
        await walk.presses(ann, label, on=page)
    await walk.rounds("2026-12-30T12:00")
    await walk.types(ann, "stats")
    await walk.presses(ann, "My year 2026")


async def server(walk: Walk) -> None:
    ann, ben = walk.ann, walk.ben
    walk.let_administrate(ann)
    walk.table.clock.advance(days=-1)
    page = await walk.types(ann, "settings")
    await walk.picks(ann, "set:channel:", walk.table.channel, on=page)
    await walk.picks(ann, "set:length", "9", on=page)
    await walk.presses(ann, "Change time zone", on=page, typed={"zone": "Berlin"})
    await walk.presses(ann, "Check permissions", on=page)
    await walk.types(ann, "settings", timezone="Mars")
    await walk.types(ann, "settings", length=10)
    page = await walk.types(ann, "settings")
    await walk.presses(ann, "Change daily post", on=page)
    for label in (
        *("More", "set:threads", "set:recap", "set:results", "set:running"),
        *("◀ Daily post", "Preview"),
    ):
        await walk.presses(ann, label, on=page)
    await walk.picks(ann, "set:hour", "7", on=page)
    await walk.picks(ann, "set:days", "1", "2", "3", "4", "5", "6", "7", on=page)
    await walk.presses(ann, "◀ All settings", on=page)
    await walk.rounds("2026-11-20T09:05")
    await walk.presses(ben, "Play #324", on=walk.posted())
    await walk.presses(ben, "Guess", typed={"guess": SECRET})
    await walk.presses(ben, "Share")
    await walk.rounds("2026-11-20T09:10")
    await walk.rounds("2026-11-21T09:05")
    await walk.rounds("2026-11-23T09:05")


async def privacy(walk: Walk) -> None:
    ann = walk.ann
    await walk.types(ann, "privacy")
    await walk.types(ann, "focdle", guess=FIRST)
    await walk.types(ann, "mastermind play")
    await walk.types(ann, "duel", opponent=walk.ben, typed={"number": NUMBERS[0]})
    walk.forget()
    page = await walk.types(ann, "privacy")
    await walk.presses(ann, "Export my data", on=page)
    await walk.notes_file("The file")
    await walk.presses(ann, "Delete everything", "Keep my data", on=page)
    asked = await walk.presses(ann, "Delete everything", on=page)
    await walk.presses(ann, "Delete …", on=asked, typed={"confirmation": "no"})
    await walk.presses(ann, "Delete …", on=asked, typed={"confirmation": "DELETE"})
    await walk.rounds(minutes=1)
    await walk.types(ann, "play")
    await walk.presses(ann, "My games")
    walk.let_administrate(ann)
    await walk.types(ann, "settings", length=9)
    await walk.presses(ann, "Delete this server's data", "Keep everything")
    await walk.presses(ann, "Delete this server's data")
    await walk.presses(ann, "Delete …", typed={"name": "another one"})
    await walk.presses(ann, "Delete this server's data", on=await walk.types(ann, "settings"))
    await walk.presses(ann, "Delete …", typed={"name": "Puzzle Club"})


WALKS: Final[tuple[Callable[[Walk], Awaitable[None]], ...]] = (
    daily,
    practice,
    coach,
    mastermind,
    mastermind_defended,
    mastermind_challenge,
    duel,
    duel_that_comes_to_nothing,
    duel_by_a_card,
    duel_with_the_bot,
    equation,
    race,
    home,
    preferences,
    standings,
    server,
    privacy,
)
