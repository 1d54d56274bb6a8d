"""Games as data for the web page: whole for their players, and silent about what is hidden."""

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bot.duels.board_words import duel_data
from bot.games.model import Channel
from bot.mastermind.board_words import mastermind_data
from bot.mastermind.game import Setting
from bot.people.model import Choices
from bot.races.model import Race, RaceBoard, RaceSeat, RaceView, Rules, SeatOutcome
from bot.races.web_words import race_data
from bot.services import Services
from engine import BullsAndCows, Code, Focdle, Mastermind
from tests.support.clock import NOON
from tests.support.duels import ANN, BEN, SECRETS, ids, invited, playing, win, wrong
from tests.support.effort import examples
from tests.support.masterminds import CHANNEL, GUILD, challenge, secret_of
from tests.support.races import a_race
from tests.support.sql import sql

RULES: tuple[Rules, ...] = (Focdle(7), Mastermind(), BullsAndCows(max_guesses=12))


def acts(data: dict[str, Any]) -> list[str]:
    return [action["act"] for action in data["actions"]]


async def test_a_mastermind_tells_its_rows_its_keys_and_what_may_be_done(
    services: Services, tmp_path: Path
) -> None:
    solo = services.mastermind.solo
    game = await solo.open(ANN, Setting())
    sql(tmp_path, "UPDATE masterminds SET secret = 'RGBY'")
    begun: Any = mastermind_data(game, ANN)
    assert (begun["symbols"], begun["length"], begun["most"]) == ("ROYGBP", 4, 12)
    assert begun["colours"]["G"] == "green"
    assert acts(begun) == ["guess", "change"]
    assert [field["value"] for field in begun["actions"][1]["fields"]] == [4, 6, 1, 12]
    await solo.guess(ANN, game.id, "PPPP")
    game = await solo.guess(ANN, game.id, "RBRG")
    seen: Any = mastermind_data(game, ANN)
    assert seen["version"] > begun["version"]
    assert [row["score"] for row in seen["rows"]] == [[0, 0], [1, 2]]
    assert seen["rows"][1]["spoken"] == "red blue red green: 1 in place, 2 elsewhere"
    assert seen["keys"] == {"P": "x", "R": "y"}
    assert acts(seen) == ["guess", "hint", "give_up"]
    assert "RGBY" not in json.dumps(seen)
    hinted = await services.coach.hints.of_mastermind(ANN, game.id, 2, 0)
    told: Any = mastermind_data(hinted, ANN)
    ((place, symbol),) = told["shown"].items()
    assert "RGBY"[place] == symbol
    over: Any = mastermind_data(await solo.guess(ANN, game.id, "RGBY"), ANN)
    assert (over["state"], acts(over)) == ("solved", ["again", "verdict", "share"])


async def test_only_the_codebreaker_of_a_challenge_may_guess(
    services: Services, tmp_path: Path
) -> None:
    game = await challenge(services)
    theirs, makers = (mastermind_data(game, player) for player in (BEN, ANN))
    assert (acts(theirs), acts(makers)) == (["guess", "give_up"], [])
    assert secret_of(tmp_path, game.id) not in json.dumps([theirs, makers])
    assert theirs["until"]


async def test_a_duels_player_is_told_of_their_own_turn_as_you(services: Services) -> None:
    game = await playing(services)
    first, second = ids(game)

    async def told(player: int) -> Any:
        found: Any = duel_data(await services.duels.games.notebook(player, game.duel.id))
        return found["said"][0]

    assert await told(first) == "**Your turn.**"
    assert "goes first**, then" in await told(second)
    await services.duels.playing.guess(first, game.duel.id, SECRETS[second])
    assert await told(second) == "**You have one guess left** to draw!"
    assert "has one guess left" in await told(first)


async def test_whoever_has_found_the_number_sees_it_and_has_nothing_to_do(
    services: Services,
) -> None:
    game = await playing(services)
    first, second = ids(game)

    async def seen(player: int) -> Any:
        return duel_data(await services.duels.games.notebook(player, game.duel.id))

    await services.duels.playing.guess(first, game.duel.id, SECRETS[second])
    done, last = await seen(first), await seen(second)
    assert (done["own"]["target"], done["own"]["is_found"]) == (SECRETS[second], True)
    assert (done["waits"], acts(done)) == (False, [])
    assert (last["own"]["target"], last["own"]["is_found"]) == ("", False)
    assert acts(last) == ["guess", "draw", "resign"]
    await services.duels.playing.offer_draw(second, game.duel.id)
    assert acts(await seen(first)) == ["draw", "decline"]


async def test_a_duels_data_has_no_number_but_the_players_own_until_the_end(
    services: Services,
) -> None:
    games, playing_duels = services.duels.games, services.duels.playing

    async def seen(player: int) -> dict[str, Any]:
        found: Any = duel_data(await games.notebook(player, game.duel.id))
        other = SECRETS[BEN if player == ANN else ANN]
        if game.duel.ending is None:
            assert other not in json.dumps(found | {"symbols": ""})
            assert found.get("own", {"target": ""})["target"] == ""
        return found

    game = await invited(services)
    assert acts(await seen(ANN)) == ["decline"]
    challenged = await seen(BEN)
    assert acts(challenged) == ["secret", "decline"]
    assert "**Your secret number**" in challenged["said"]
    game = await playing(services)
    first, second = ids(game)
    assert acts(await seen(first)) == ["guess", "draw", "resign"]
    game = await playing_duels.guess(first, game.duel.id, wrong(0))
    turn, waits = await seen(second), await seen(first)
    assert (acts(turn)[0], acts(waits)[0]) == ("guess", "draw")
    assert turn["said"][0] == "**Your turn.**"
    assert turn["other"]["rows"] == waits["rows"]
    assert turn["legend"]
    assert turn["own"]["name"].split(" → ") == turn["other"]["name"].split(" → ")[::-1]
    assert turn["other"]["target"] == SECRETS[second]
    assert (turn["other"]["is_next"], waits["other"]["is_next"]) == (False, True)
    await playing_duels.offer_draw(first, game.duel.id)
    assert acts(await seen(second)) == ["guess", "draw", "decline", "resign"]
    assert acts(await seen(first)) == ["decline", "resign"]
    game = await win(playing_duels, game, second)
    over = await seen(second)
    assert (over["state"], over["own"]["target"]) == ("solved", SECRETS[first])
    lost = await seen(first)
    assert (lost["state"], acts(lost)) == ("lost", ["rematch", "verdict"])


def _with_guesses(race: Race, seat: int, guesses: tuple[Code, ...]) -> RaceSeat:
    rules, secret = race.rules, race.secret
    is_solved = secret in guesses
    is_done = is_solved or len(guesses) == rules.max_guesses
    outcome = (SeatOutcome.SOLVED if is_solved else SeatOutcome.LOST) if is_done else None
    return RaceSeat(seat, 2**62 + seat, NOON, None, outcome, guesses=guesses)


@examples(25, 500)
@given(st.sampled_from(RULES), st.integers(0, 2**32), st.booleans())
def test_a_race_tells_nothing_of_others_but_the_last_marks_until_the_own_board_is_done(
    rules: Rules, seed: int, is_done: bool
) -> None:
    """Two races that differ in what others guessed before their last guess look the same."""
    dice = Random(seed)
    race = replace(a_race(rules, 2), finished_at=None, ending=None, started_at=NOON)
    last, secret = rules.draw(dice), race.secret
    shown: list[dict[str, Any]] = []
    for _ in range(2):
        first = [code for code in map(rules.draw, [dice] * 9) if code != secret]
        others = (*first[:2], last)
        own = (secret,) if is_done else (last,)
        seats = (_with_guesses(race, 0, own), _with_guesses(race, 1, others))
        found = replace(race, seats=seats)
        board = RaceBoard(RaceView(found, NOON + timedelta(minutes=10)), seats[0], Choices())
        shown.append(race_data(board.view, seats[0].player_id, board, is_here=True))
    assert is_done or secret not in json.dumps(shown)
    ours, theirs = shown[0]["others"]
    assert ours["is_own"]
    assert not ours["rows"]
    assert len(theirs["rows"]) == (3 if is_done else 0)
    if not is_done:
        assert shown[0] == shown[1]


async def test_a_race_is_seen_by_whoever_is_not_in_it_as_its_post_shows_it(
    services: Services,
) -> None:
    races, place = services.races, Channel(GUILD, CHANNEL)
    race = (await races.open(ANN, place, Focdle(10))).race

    async def seen(player: int) -> dict[str, Any]:
        view, board = await races.see(player, race.id, place)
        return race_data(view, player, board, is_here=True)

    assert [acts(await seen(player)) for player in (ANN, BEN)] == [["off"], ["join"]]
    joined = await seen(ANN)
    await races.join(BEN, race.id, place)
    assert (await seen(ANN))["version"] > joined["version"]
    assert acts(await seen(ANN)) == ["start", "off"]
    await races.start(ANN, race.id, place)
    await races.guess(BEN, race.id, place, "41-3+27=65")
    stranger = await seen(33)
    assert (acts(stranger), stranger["rows"]) == ([], [])
    assert [other["rows"] for other in stranger["others"]] == [[], []]
    assert "1/6 · " in stranger["others"][1]["name"]
    ben = await seen(BEN)
    assert (len(ben["rows"]), ben["at"], acts(ben)) == (1, 1, ["guess"])
