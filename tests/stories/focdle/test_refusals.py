"""Each mistake's own private sentence, word for word, and that it costs nothing."""

from tests.support.screen import buttons, seen, text
from tests.support.table import Table

PLAYED = "12+34-5=41"

GUESSES = {
    "": "Type an equation such as `41-3+27=65`.",
    "25+4*12=7": "`25+4*12=7` has 9 of 10 symbols. Add one.",
    "1+2+3=6": "`1+2+3=6` has 7 of 10 symbols. Add 3 more, as in `41-3+27=65`.",
    "1+2+3": "`1+2+3=6` has 7 symbols, not 10.",
    "1-2-3=": "`1-2-3=` is `-4`, but the result must be at least 1.",
    "25+4*12=733": "`25+4*12=733` has 11 symbols, not 10. Take one out.",
    "99*99*99=970299": "`99*99*99=970299` has 15 symbols, not 10. Take 5 out.",
    "25+4*12=7a": ("`25+4*12=7a`: `a` in place 10 isn't allowed. Use `0`–`9`, `+ - * %` and `=`."),
    "1\u00ad2+3+45=60": (
        "`12+3+45=60` has something invisible in place 2 (`soft hyphen`). Type it again."
    ),
    "48/2+12=36": ("`48/2+12=36`: there's no division (`/` in place 3). `%` is the remainder."),
    "1**2+34=35": ("`1**2+34=35`: there are no powers (`**` in place 2)."),
    "25+4*12773": "`25+4*12773` has no `=`. Put it after the third number.",
    "25+4=12=73": "`25+4=12=73` has a second `=` in place 8.",
    "25+41=1277": ("`25+41=1277` needs three numbers before the `=`, as in `41-3+27=65`."),
    "25+4*1-2=7": "`25+4*1-2=7` has 3 operators, but needs 2.",
    "25+4=12*73": ("`25+4=12*73`: only the result goes after the `=`, not `*` (place 8)."),
    "-5+4*12=43": ("`-5+4*12=43`: a number is missing before `-` in place 1."),
    "25+4*12-1=": "`25+4*12-1=` has 3 operators, but needs 2.",
    "25+14*123=": ("`25+14*123=`: `123` in place 7 is too large. Numbers go from 1 to 99."),
    "05+4*12=53": "`05+4*12=53`: numbers can't start with 0 (`05` in place 1).",
    "25+0*12=25": ("`25+0*12=25`: `0` in place 4 is too small. Numbers go from 1 to 99."),
    "25*1%25=00": "`25*1%25=00`: the result must be at least 1.",
    "12 + 34 - 5 = 41": "You played `12+34-5=41` as guess 1.",
}

PUZZLES = {
    "325": ("Puzzle 325 opens <t:1795219200:R>, on Saturday, November 21, 2026. Today's is 324."),
    "2027-01-01": (
        "Puzzle 366 opens <t:1798761600:R>, on Friday, January 1, 2027. Today's is 324."
    ),
    "0": ("Puzzles begin with number 1 on Thursday, January 1, 2026. Today's is 324."),
    "2025-12-31": ("Puzzles begin with number 1 on Thursday, January 1, 2026. Today's is 324."),
    "318/16": "Dailies have 9 to 13 symbols, not 16.",
    "318/8": "Dailies have 9 to 13 symbols, not 8.",
    "tomorrow": (
        "`tomorrow` isn't a puzzle. Type a number (`12`, `#12/9`) or a date (`2026-01-12`)."
    ),
    "2026-02-30": (
        "`2026-02-30` isn't a puzzle. Type a number (`12`, `#12/9`) or a date (`2026-01-12`)."
    ),
}


async def test_each_mistaken_focdle_guess_gets_its_own_sentence_and_is_not_spent(
    table: Table,
) -> None:
    board = await table.focdle(table.ann, guess=PLAYED)
    for typed, sentence in GUESSES.items():
        board = await table.guess(table.ann, board, typed)
        assert board.ephemeral
        assert f"\n{sentence}\n-# No guess was spent." in text(board), typed
        assert "5 guesses left." in text(board), typed
        assert text(board).count("🟡 ") == 1  # one row, one line of the keyboard
        assert ("Edit" in buttons(board)) == bool(typed)


async def test_each_invalid_name_of_a_puzzle_gets_its_own_sentence(table: Table) -> None:
    for typed, sentence in PUZZLES.items():
        answer = seen(await table.ann.slash(table.channel, "focdle", puzzle=typed))
        assert answer.ephemeral
        assert text(answer) == sentence, typed
