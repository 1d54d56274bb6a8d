"""What stands on the command line: whatever would change nothing is refused by its name."""

import pytest

from tests.terminal.conftest import Sit

# Each game with a guess of it, and an answer to that.
FOCDLE, MASTERMIND, BULLS = (
    ("focdle", "13+12-8=17", "gggggggggg"),
    ("mastermind", "rygb", "2B1C"),
    ("bulls", "0123", "2B1C"),
)
GAMES = (FOCDLE, MASTERMIND, BULLS)
CODES = {"--repeats": (MASTERMIND, BULLS), "--no-repeats": (MASTERMIND, BULLS)}
OF_GAMES = {"--colours 7": (MASTERMIND,), "--hard": (FOCDLE,), "--allowed form": (FOCDLE,), **CODES}
# What asks for it, and where a guess is counted, or something drawn.
PLAYED, ANSWERED = "play {}", "play {} --answer"
SOLVED, ANALYSED, ADVISED = "solve {1}", "analyse {1} {1}", "next '{1} {2}'"
MEAN, EXPLAINED = "mean {} --games 1", "explain '{1} {2}'"
COMMANDS = (PLAYED, ANSWERED, SOLVED, ANALYSED, ADVISED, MEAN, EXPLAINED)
OF_COMMANDS = {
    "--hard": (PLAYED, ANSWERED, SOLVED, ANALYSED, ADVISED, MEAN),
    "--json": (EXPLAINED,),
    "--guesses 3": (PLAYED, ANALYSED),
    "--seed 3": (PLAYED, ANSWERED, MEAN),
    "--strength sharp": (SOLVED, MEAN),
    "--processes 1": (MEAN,),
    "--allowed form": (ANSWERED, SOLVED, ANALYSED, ADVISED, MEAN),
    "--answer": (PLAYED, ANSWERED),
    "--evil": (PLAYED,),
    "--two": (PLAYED,),
    "--debug": (SOLVED,),
    "--games 2": (MEAN,),
    "--game bulls": (SOLVED, ANALYSED, ADVISED, EXPLAINED),
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("option", {**OF_GAMES, **OF_COMMANDS})
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game[0])
def test_each_command_line_option_has_an_effect_or_is_refused_by_name(
    sit: Sit, command: str, option: str, game: tuple[str, str, str]
):
    name = option.split(maxsplit=1)[0]
    status, written = sit(f"{command.format(*game)} {option}")
    is_of_use = game in OF_GAMES.get(option, GAMES) and command in OF_COMMANDS.get(option, COMMANDS)
    if is_of_use and (name != "--game" or game is BULLS):
        assert status == 0
        assert name not in written
    else:
        assert status == 2
        assert name in written.splitlines()[-1] or name == "--game"


@pytest.mark.parametrize("command", [ANSWERED, SOLVED, ADVISED, MEAN])
def test_hard_mode_can_be_combined_with_a_number_of_guesses_but_not_with_a_kind_of_guesses(
    sit: Sit, command: str
):
    assert sit(f"{command.format(*FOCDLE)} --hard --guesses 4")[0] == 0
    status, written = sit(f"{command.format(*FOCDLE)} --hard --allowed form")
    assert (status, "--allowed changes nothing in hard mode" in written) == (2, True)


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("solve {1} --with mine:First --strength sharp", "--strength changes nothing with --with"),
        ("mean --with mine:First --allowed form", "--allowed changes nothing with --with"),
        ("mean --strength sharp --allowed form", "--allowed changes nothing with --strength sharp"),
        ("solve {1} --strength casual --allowed true", "--strength casual: it does not search."),
        ("play --evil --seed 3", "--seed changes nothing here: no secret is drawn."),
        ("play bulls --two --seed 3", "--seed changes nothing here: no secret is drawn."),
        ("play --evil --two", "argument --two: not allowed with argument --evil"),
        ("mean --strength brilliant", "invalid choice: 'brilliant'"),
        ("mean --processes 0", "0 is too few, there must be 1 at least"),
    ],
)
def test_options_that_have_no_effect_on_the_chosen_guesser_are_refused(
    sit: Sit, command: str, said: str
):
    status, written = sit(command.format(*FOCDLE))
    assert (status, said in written) == (2, True), written


def test_options_determine_the_game_when_no_typed_text_does(sit: Sit):
    assert "2,401 codes left" in sit("next --colours 7", "q\n")[1]
    assert "1,805,274 equations left" in sit("next --hard", "q\n")[1]
    said = sit("next --hard", "0123 2 1\nq\n")[1]
    assert "--hard is an option of focdle, not of bulls." in said


@pytest.mark.parametrize(
    "command", ["", *("play", "solve", "analyse", "next", "explain", "difficulty", "mean")]
)
def test_every_command_has_a_help_text_in_ascii(sit: Sit, command: str):
    status, written = sit(f"{command} --help")
    assert status == 0
    assert written.isascii()
    assert "[-h]" in written
