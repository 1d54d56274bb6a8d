"""`python -m engine`: what the papers show it do, in a real terminal, and what it refuses."""

import json
import os
import pty
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from subprocess import PIPE
from typing import Any

import pytest

from engine import (
    BullsAndCows,
    Claim,
    Clue,
    Difficulty,
    Focdle,
    Mastermind,
    NotationError,
    Rules,
    __version__,
    read_turn,
)
from engine.solvers import explain
from tests.engine import test_bulls_and_cows, test_equations, test_mastermind
from tests.terminal.conftest import Sit

pytestmark = pytest.mark.relabelled

ROOT = Path(__file__).parents[2]
BLOCKS = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TYPED = re.compile(r"^(?:\d+/\d+|\d+|answer|Which one.*|n next.*)> ?(.*)$", re.MULTILINE)
COMMAND = "$ python -m engine "
PAPER = (ROOT / "docs/ENGINE.md").read_text(encoding="utf-8")
TRANSCRIPTS = [
    transcript
    for block in BLOCKS.findall(PAPER)
    for transcript in f"\n{block}".split(f"\n{COMMAND}")[1:]
]


def without_ends(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip().splitlines()]


@pytest.mark.parametrize("transcript", TRANSCRIPTS, ids=lambda text: text.partition("\n")[0])
def test_the_documented_transcripts_equal_real_sessions(sit: Sit, transcript: str):
    command, _, expected = transcript.partition("\n")
    typed = "".join(f"{line}\n" for line in TYPED.findall(expected))
    _, written = sit(command, typed)
    assert without_ends(written) == without_ends(expected)


@pytest.mark.parametrize(
    ("command", "status", "said"),
    [
        ("solve 1+2=3", 2, "There is no FoCdle with 5 symbols, only with 7 to 15."),
        ("solve 99*99*99=9702990", 2, "There is no FoCdle with 16 symbols, only with 7 to 15."),
        ("play --length 6", 2, "There is no FoCdle with 6 symbols, only with 7 to 15."),
        ("play --length 0", 2, "There is no FoCdle with 0 symbols, only with 7 to 15."),
        ("play mastermind --colours 11", 2, "Colours go from 2 to 10."),
        ("play --guesses 0", 2, "Guesses go from 1 to 99."),
        ("next " + 100 * "'rrgg 1 1' ", 2, "100 turns are more than 99"),
        ("solve 25+4*12=74", 2, "25+4*12 is 73, not 74. A secret is true."),
        ("solve 25+4*12==73", 2, "That has a second = at place 9. Use it once, before the result."),
        ("solve rygw", 2, "Use R O Y G B P, or the colours' names. --colours 10 brings it in."),
        ("analyse rygb white,r,r,r", 2, "W, peg 1, is not in play. Use"),
        ("solve 0012", 2, "twice, and repeats are not allowed here. --repeats allows it."),
        ("solve 0012 --repeats", 0, "0012 takes 4 guesses."),
        ("solve rygw --colours 10 --no-repeats", 0, "RYGW takes 5 guesses."),
        ("solve 'd b' --length 2 --colours 'dark red,blue'", 0, "dark red, blue takes "),
        ("solve 'd x' --length 2 --colours 'dark red,blue'", 2, "Use names, their beginnings or "),
        ("play mastermind --colours red,,blue", 2, "'' is no name"),
        ("play bulls --length 9", 2, "That makes 3,628,800 codes; 1,000,000 are the most."),
        ("analyse rygb rygb rrgg", 2, "RYGB is the secret: no guess follows it."),
        ("next '0123 3 1'", 1, "0123 3 1: No secret gives that answer to 0123. Count again."),
        ("solve 12345678", 2, "That makes 1,814,400 codes; 1,000,000 are the most."),
        ("solve 123456789012", 2, "Digits go from 1 to 10."),
        ("solve ro --colours 2 --no-repeats", 0, "RO takes 1 guess."),
        ("solve 00112", 2, "0 stands there twice, and repeats are not allowed here."),
        ("solve rgbbrgbbrgbb", 2, "codes; 1,000,000 are the most."),
        ("solve rgbbrgbbrgbbrgb", 2, "Pegs go from 1 to 12."),
        ("solve 100+2+3=105", 2, "100 at place 1 is too large: numbers go from 1 to 99."),
        ("mean --games 0", 2, "argument --games: 0 is too few, there must be 1 at least"),
        ("mean --games many", 2, "argument --games: 'many' is no whole number"),
        ("play --length 1.5", 2, "argument --length: '1.5' is no whole number"),
        ("solve 1234 --hard", 2, "--hard is an option of focdle, not of bulls."),
        ("play bulls --colours 7", 2, "--colours is an option of mastermind, not of bulls."),
        ("mean --no-repeats", 2, "--no-repeats is an option of mastermind and bulls, not of focd"),
        ("play --allowed true", 2, "--allowed goes with --answer: without it, you are the one who"),
        ("next '1123 1 1'", 2, "1123 1 1: 1 stands there twice, and repeats are not allowed here."),
        ("next '0123 bulls 2 cow'", 2, "0123 bulls 2 cow: That is 1 count; it takes 2. Type two "),
        ("next '0123 B2W'", 2, "0123 B2W: That is 1 count; it takes 2. Type two counts, "),
        ("next '0123 1B 2B'", 2, "0123 1B 2B: b is counted twice. Type two counts, right place "),
        ("next '0123 1 2 3'", 2, "0123 1 2 3: That is 3 counts; it takes 2."),
        ("next '0123 1A2B'", 0, "216 codes left"),
        ("next '0123 Bulls=2, Cows=1'", 0, "72 codes left"),
        ("next '0123 1+1'", 0, "720 codes left"),
        ("next '0123 Bulls: 2, Cows: 1'", 0, "72 codes left"),
        ("next '0123\u00ad 2\u200b1'", 2, "Something invisible stands at place 8 (zero width "),
        ("next ''", 2, "Nothing was typed there."),
        ("solve '1\u00ad2+3+45=60'", 2, "Something invisible stands at place 2 (soft hyphen). "),
        ("next '0123 3'", 2, "0123 3: That is 1 count; it takes 2."),
        (
            "next 'rygw 2 0'",
            2,
            "rygw 2 0: W, peg 4, is not in play. Use R O Y G B P, or the colours'",
        ),
        ("next '12+34-5=41 ggz'", 2, "12+34-5=41 ggz: z says nothing here."),
        ("next '12+34-5=4 yygyyxygxx'", 2, "That is 10 marks; it takes 9."),
        ("next 'rrgg 2 0' 'rbrg 1 1' 'bbyy 0 3'", 1, "Answers 1 and 3 cannot all be true."),
        ("explain 'rrgg 2 0' 'rbrg 1 1' 'bbyy 0 3'", 1, "Answers 1 and 3 cannot all be true."),
        ("explain '0123 3 1'", 1, "0123 3 1: No secret gives that answer to 0123. Count again."),
        ("explain 'rrgg 2 0'", 0, "No clue decides anything yet."),
        ("difficulty 25+4*12=74", 2, "25+4*12 is 73, not 74. A secret is true."),
        ("difficulty rygb", 2, "r at place 1 is no symbol of this game."),
        ("difficulty 1+2=3 --hard", 2, "unrecognized arguments: --hard"),
        ("--version", 0, f"python -m engine {__version__}"),
        ("next 'rrgg 4 0' 'rbrg 1 1'", 2, "guess 1 has solved it already."),
        ("next 'red green blue blue ●●●●'", 0, "Solved: RGBB."),
    ],
)
def test_a_wrong_command_line_is_explained(sit: Sit, command: str, status: int, said: str):
    found, written = sit(command)
    assert (found, said in " ".join(written.split())) == (status, True), written


def test_a_refused_guess_in_a_hard_mode_game_is_free_and_the_game_can_be_given_up(sit: Sit):
    status, written = sit(
        "play --hard --length 7 --seed 5",
        "1+2*3=8\n9*9*9=1\n1+2*3=7\nhint\nwhy\nSURRENDER\na\n\n?\n",
        40,
    )
    said = " ".join(written.split())
    assert "1+2*3 is 7, not 8. That was free." in said
    assert "9*9*9 is 729, not 1. That was free." in said
    assert "hint again shows a guess. 2/6> why" in said
    assert "equations possible. A good guess:" in said
    assert said.count("1/6>") == 5, "the slips were free, and the second game begins anew"
    assert said.endswith("Until next time.")
    assert max(map(len, written.splitlines())) < 40
    assert status == 0


def test_the_player_is_told_why_first_where_a_form_of_an_equation_shows_it(sit: Sit):
    _, written = sit("play --seed 7", "hint\n12+34-5=41\nhint\nhint\nsurrender\nq\n")
    before, told, guessed = " ".join(written.split()).split("2/6> hint ")
    assert "1/6> hint No clue decides anything yet." in before
    reason = "with '%', the clues leave two forms. 1_+_%__=4_: even 19+9%10 is under 40."
    assert told.startswith(f"'%' is not in the equation: {reason}")
    assert told.count("'%' is") == 1, "so it is in no place"
    assert told.count("the clues leave three forms.") == 2
    assert "A good guess" not in before + told
    assert guessed.startswith("24 equations possible. A good guess: ")


def test_names_of_colours_call_a_repeated_guess_and_fill_rows_that_are_broken(sit: Sit):
    colours = "--colours 'Paris blue,London green,Bern black'"
    said = sit(f"play mastermind {colours} --length 3 --seed 1", "1 2 3\np l b\nq\n", columns=40)[1]
    assert " 1 Paris blue, London green, Bern black\n●○\n" in said
    again = "Paris blue, London green, Bern black was guess 1 already. That was free."
    assert again in " ".join(said.split())


def test_a_hint_without_deductions_tells_what_one_clue_shows(sit: Sit):
    said = sit("play bulls --seed 1", "0123\nhint\nsurrender\nq\n")[1]
    assert "No clue decides anything yet." in said
    said = sit("play mastermind --seed 1", "rrrr\nhint\nboard\nsurrender\nq\n")[1]
    assert re.search(r"R is (not )?in the code: guess 1", said)
    assert said.count(" 1 R R R R ") == 2
    said = sit("play mastermind --seed 3", "rrgg\nhint\nq\n")[1]
    assert re.findall(".* is .*: guess.*", said) == [
        "R is not in the code: guess 1 showed it.",
        "G is not in the code: guess 1 showed it.",
    ]


def test_explanations_and_difficulty_are_json_for_programs(sit: Sit):
    status, written = sit("explain --json '72+31%6=73 xygxyxxggg'")
    found = json.loads(written)
    rules, turns = Focdle(10), [read_turn(Focdle(10), "72+31%6=73 xygxyxxggg")]
    assert [each.pop("text") for each in found] == [*map(str, explain(rules, turns))]
    claims = [Claim(**each["claim"]) for each in found]
    assert claims == [each.claim for each in explain(rules, turns)]
    assert {clue["clue"] for each in found for clue in each["clues"]} <= {*map(str, Clue)}
    assert status == 0
    said = json.loads(sit("difficulty 4%52%3=1 --json")[1])
    assert Difficulty(said["length"], said["hundredths"]).level == said["level"] == "very hard"


@pytest.mark.parametrize(
    ("game", "rules", "guesses"),
    [
        ("--length 7", Focdle(7), ["1+2*3=7", "9-4-2=3"]),
        ("bulls --length 3", BullsAndCows(3), ["012", "345"]),
        ("mastermind --length 2 --colours 4", Mastermind(pegs=2, colours=4), ["RO", "YG"]),
    ],
)
def test_an_adversary_answers_so_that_most_is_left(
    sit: Sit, game: str, rules: Rules[Any], guesses: list[str]
):
    typed = "\n".join([*guesses, "surrender", "s", "q", ""])
    _, written = sit(f"play {game} --evil", typed)
    rows = written.split("q quit> s\n")[1].splitlines()[1:3]
    left = list(rules.codes())
    for guess, row in zip(guesses, rows, strict=True):
        leaves: defaultdict[object, list[str]] = defaultdict(list)
        for code in left:
            leaves[rules.feedback(guess, code)].append(code)
        left = leaves[rules.read_feedback(row)]
        assert len(left) == max(map(len, leaves.values()))
    (secret,) = re.findall(r"It could have been (\S+)\.", written)
    assert secret in left


def test_an_adversary_is_cornered_at_last(sit: Sit):
    _, written = sit("play bulls --length 1 --evil --guesses 12", "\n".join("0123456789q"))
    assert "Found with guess 10 of 12." in written


def test_two_at_one_terminal_hide_from_each_other(sit: Sit):
    typed = "25+4*12=74\n25+4*12\n25+4*12=73\n\nq\n"
    status, written = sit("play --two", typed)
    hidden, seen = written.split("\n" * 24, maxsplit=1)
    assert "'25+4*12=74' is no secret: 25+4*12 is 73, not 74." in hidden.replace("\n", " ")
    assert "25+4*12" not in seen.split("1/6>")[0]
    assert "Right at once! Found with guess 1 of 6." in seen
    assert seen.count("One of you types a secret") == 1, "the other one's turn to hide"
    assert seen.endswith("secret> q\nUntil next time.\n")
    assert status == 0


def test_the_adviser_gives_a_guess_for_each_turn_and_takes_back_an_answer(sit: Sit):
    status, written = sit("next --game mastermind", "rrgg 2 0\n1 0\nundo\n\nrrrr 9\n●●●●\nq\n")
    said = " ".join(written.split())
    assert said.count("114 codes left.") == 4, "after the first turn, undone, and two slips"
    assert "12 codes left." in said
    assert "That is 1 count; it takes 2." in said
    assert re.search(r"Solved: [ROYGBP]{4}\.$", said)
    assert status == 0


def test_after_the_first_turn_is_taken_back_another_game_can_be_typed(sit: Sit):
    _, written = sit("next", "rygb 2 1\nundo\n4325 1 1\nq\n")
    said = " ".join(written.split())
    assert said.count("1,805,274 equations left.") == 2
    assert said.count("720 codes left.") == 1


def test_the_board_of_all_guesses_so_far_is_shown_after_each_guess(sit: Sit):
    _, written = sit("play bulls --seed 3", "0123\n4567\nsurrender\nq\n")
    assert written.count(" 1 0123   ") == 2
    assert written.count(" 2 4567   ") == 1
    _, written = sit("next --game bulls", "0123 1 1\n4567 1 1\nq\n")
    assert (written.count(" 1 0123   1B1C"), written.count(" 2 4567   1B1C")) == (2, 1)


@pytest.mark.parametrize(
    ("game", "guess", "possible"),
    [
        ("bulls --repeats", "1122", "10,000 possible"),  # the secret is 3982: no digit twice
        ("bulls", "0123", "5,040 possible"),
        ("mastermind --colours 8 --no-repeats", "royg", "1,680 possible"),
        ("--length 7 --hard", "1+2*3=7", "4,518 possible"),
    ],
)
def test_after_a_game_its_guesses_are_analysed_by_its_rules(
    sit: Sit, game: str, guess: str, possible: str
):
    _, written = sit(f"play {game} --seed 3", f"{guess}\nsurrender\na\nq\n")
    worth = written.split("q quit> a")[1]
    assert possible in worth
    assert "skill" in worth
    assert ("Difficulty \u2605" in worth) is ("--length" in game)


def test_after_a_game_its_grid_is_shown_without_what_it_hides(sit: Sit):
    _, written = sit("play --seed 7", "12+34-5=41\n11+2+31=44\ns\nq\n")
    grid = written.split("q quit> s\n")[1].splitlines()
    assert grid[:2] == [
        "FoCdle 10 2/6",
        "\U0001f7e9\U0001f7e8\U0001f7e9\U0001f7e8\U0001f7e8\u2b1b\u2b1b\U0001f7e9\U0001f7e9\U0001f7e8",
    ]
    _, written = sit("play bulls --seed 3", "0123\nsurrender\na\ns\nn\nsurrender\na\nq\n")
    assert "Bulls 4 X/30\n1B1C\n" in written
    assert "No guess was made." in written


@pytest.mark.parametrize("game", ["mastermind", "focdle", "focdle --hard --length 7"])
def test_the_first_guess_of_the_program_varies_among_equally_good_ones(sit: Sit, game: str):
    def first(more: str = "") -> str:
        written = sit(f"play {game} --answer {more}", "q\n")[1]
        return written.split("possible:")[1].split("answer>")[0].strip()

    assert len({first() for _ in range(12)}) > 1
    assert first("--seed 4") == first("--seed 4")
    if game == "mastermind":
        assert sorted(Counter(first().split()).values()) == [1, 1, 2]


MINE = """
from engine import is_consistent
from engine.solvers import codebreaker

class First:
    def __init__(self, rules):
        self.rules = rules
    def next_guess(self, turns):
        return next(c for c in self.rules.codes() if is_consistent(self.rules, c, turns))

def sharp(rules):
    return codebreaker(rules, "sharp")

def wrong(rules):
    return max

class Foreign(First):
    def next_guess(self, turns):
        return "ROYGBP"

class Broken(First):
    def next_guess(self, turns):
        return 1 // 0

def broken(rules):
    import nowhere

class Stuck(First):
    def next_guess(self, turns):
        return list(self.rules.codes())[len(turns)]
"""


@pytest.mark.parametrize(
    ("command", "status", "said"),
    [
        ("solve rygb --with mine:First", 0, "RYGB takes 5 guesses."),
        ("solve rygb --with mine:First --debug", 0, " 1 R R R R   "),
        ("solve rygb --with mine:sharp", 0, "RYGB takes "),
        ("mean mastermind --length 2 --games 50 --with mine:First", 0, "50 games:"),
        ("mean bulls --length 2 --games 9 --processes 2 --with mine:First", 0, "9 games:"),
        ("solve rygb --with yours:First", 2, "There is no yours.py in this folder."),
        ("solve rygb --with mine", 2, "--with takes a program and a name in it: mine:First."),
        ("solve rygb --with mine:Last", 2, "mine has no Last."),
        ("solve rygb --with mine:wrong", 2, "What wrong returns has no method next_guess(turns)."),
        ("solve rygb --with mine:Foreign", 2, "'ROYGBP' is no code of this game."),
        ("solve rygb --with mine:Broken", 4, "ZeroDivisionError"),
        ("mean mastermind --games 2 --processes 2 --with mine:Broken", 4, "ZeroDivisionError"),
        ("solve rygb --with mine:broken", 4, "ModuleNotFoundError: No module named 'nowhere'"),
        ("solve wwww --colours 10 --with mine:Stuck", 2, "WWWW was not found in 99 guesses."),
    ],
)
def test_a_guesser_written_by_the_user_can_solve_a_game_and_be_measured(
    tmp_path: Path, command: str, status: int, said: str
):
    (tmp_path / "mine.py").write_text(MINE)
    line = [sys.executable, "-m", "engine", *command.split()]
    environment = {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "PYTHONSAFEPATH": "1"}
    done = subprocess.run(
        line, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == status, done.stderr
    assert said in done.stdout + done.stderr


@pytest.mark.parametrize(("strength", "mean"), [("perfect", 4.9), ("sharp", 5.1), ("casual", 6.4)])
def test_each_strength_takes_about_its_known_number_of_guesses(
    sit: Sit, strength: str, mean: float
):
    command = f"mean bulls --length 3 --games 200 --strength {strength}"
    _, written = sit(command)
    found = re.search(r"(\d+\.\d+) guesses on average", written)
    assert found is not None
    assert abs(float(found[1]) - mean) < 0.6
    assert sit(command)[1] == written


def test_another_terminal_game_is_played_when_the_player_agrees(sit: Sit):
    status, written = sit("play bulls --seed 3", "surrender\nmaybe\nN\nsurrender\n1234\nQ\n")
    assert written.count("q quit> ") == 4, "asked again twice"
    assert written.count("It was ") == 2
    assert written.count("1/30> ") == 2
    assert status == 0


def test_a_player_who_corrects_one_of_contradictory_answers_can_choose_another_or_quit(sit: Sit):
    typed = "2 0\n0 4\n2 1\n3\n3 1\n?\nundo\n3\nq\n"
    status, written = sit("play mastermind --answer", typed)
    said = " ".join(written.split())
    assert re.search("No secret gives that answer to [A-Z]{4}. Count again.", said)
    assert said.count("Which one was wrong?") == 2
    assert said.endswith("answer> q Until next time.")
    assert status == 0


@pytest.mark.parametrize(
    ("rules", "typed"),
    [
        *((Focdle(length), typed) for length, typed, _ in test_equations.FAULTS),
        *((rules, typed) for rules, typed, _ in test_mastermind.FAULTS),
        *((rules, typed) for rules, typed, _ in test_bulls_and_cows.FAULTS),
    ],
)
def test_every_mistake_in_the_terminal_is_told_in_a_whole_sentence(
    rules: Focdle | Mastermind | BullsAndCows, typed: str
):
    with pytest.raises(NotationError) as caught:
        rules.parse(typed)
    said = str(caught.value)
    assert said[-1] in ".?"
    assert not set("{}") & set(said)


# A shell may have told its children to ignore Ctrl-C; a terminal of one's own is not inherited.
AT_A_TERMINAL = """
import fcntl, runpy, signal, sys, termios
signal.signal(signal.SIGINT, signal.default_int_handler)
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
sys.argv = ["engine", "play", "--seed", "7"]
runpy.run_module("engine", run_name="__main__", alter_sys=True)
"""


def at_a_terminal(key: bytes, **environment: str) -> tuple[int, str]:
    """A guess and a key in a real terminal: the program's exit status, and what is seen."""
    mine, its = pty.openpty()
    program = subprocess.Popen(
        [sys.executable, "-c", AT_A_TERMINAL],
        stdin=its,
        stdout=its,
        cwd=ROOT,
        env={"TERM": "xterm", "COLUMNS": "80", **environment},
        start_new_session=True,
    )
    os.close(its)
    with program, open(mine, "r+b", buffering=0) as terminal:  # noqa: PTH123 - a descriptor
        seen = b""
        for shown, typed in [(b"1/6> ", b"12+34-5=41\n"), (b"2/6> ", key), (b"next time.", b"")]:
            while shown not in seen:
                seen += terminal.read(4096)
            terminal.write(typed)
        return program.wait(), seen.decode()


def test_a_terminal_session_has_colours_and_ends_politely_at_ctrl_c():
    # A signal that comes just before the program waits is noticed with the next key.
    status, seen = at_a_terminal(b"\x03\n")
    assert "\x1b[1;97;48;5;28m 1 \x1b[0m" in seen
    assert "untried" not in seen
    assert "Traceback" not in seen
    assert status == 130


def test_a_session_without_colours_shows_letters_and_ends_with_the_secret():
    status, seen = at_a_terminal(b"\x04", NO_COLOR="1")
    assert "1 2 + 3 4 - 5 = 4 1" in seen
    assert "g y g y y x x g g y" in seen
    assert "\x1b[1;97" not in seen
    assert "It was 11+2+31=44." in seen
    assert status == 0


def test_the_terminal_program_ends_silently_when_its_reader_closes_the_pipe():
    command = [sys.executable, "-m", "engine", "solve", "RYGB", "--debug"]
    with subprocess.Popen(command, cwd=ROOT, stdout=PIPE, stderr=PIPE) as program:
        assert program.stdout is not None
        assert program.stderr is not None
        program.stdout.close()
        assert program.stderr.read() == b""
    assert program.returncode == 141
