"""What holds for every game on the page: whatever is sent, nothing breaks and no secret is told."""

import random
from pathlib import Path

from bot.duels.challenges import Challenge
from bot.duels.position import DuelOptions
from bot.games.model import Source
from bot.mastermind.challenges import Invitation
from bot.mastermind.game import Setting
from engine import Focdle
from tests.support.clock import FakeClock
from tests.support.effort import either
from tests.support.sql import sql
from tests.web.conftest import ANN, BEN, CHANNEL, GUILD, HERE, Host
from web.games import ENDPOINTS, VERSIONS, VIEWS

_VALUES: list[object] = [None, True, -1, 0, 1, 2**70, "", "\0", "x" * 900, [], {}]
_TEXTS = ("9876", "RRRR", "12+34-5=41", "1", "😀" * 9)
_ENDING = {"give_up", "resign", "draw", "off", "decline"}


async def _begun(host: Host, folder: Path) -> dict[str, tuple[str, ...]]:
    """Begin a game of each kind; return the secrets by place, all but BEN's own."""
    services = host.services
    solo = await services.mastermind.solo.open(BEN, Setting())
    challenges = services.mastermind.challenges
    asked = await challenges.invite(Invitation(ANN, BEN, GUILD, CHANNEL), Setting(), "BPBP")
    await challenges.accept(BEN, asked.game.id, Setting())
    inviting = services.duels.inviting
    duel = (
        await inviting.challenge(Challenge(ANN, BEN, GUILD, CHANNEL), DuelOptions(), "0246")
    ).duel
    await inviting.accept(BEN, duel.id, duel.terms, "1357")
    race = (await services.races.open(ANN, HERE, Focdle(10))).race
    await services.races.join(BEN, race.id, HERE)
    await services.races.start(ANN, race.id)
    sql(folder, f"UPDATE masterminds SET secret = 'BPBP' WHERE id = {solo.id}")
    sql(folder, "UPDATE races SET secret = '98-76+5=27'")
    return {
        f"mastermind-{solo.id}": ("BPBP",),
        f"mastermind-{asked.game.id}": ("BPBP",),
        f"duel-{duel.id}": ("0246",),
        f"race-{race.id}": ("98-76+5=27",),
    }


async def test_whatever_is_sent_breaks_no_game_and_no_answer_tells_a_secret(
    host: Host, clock: FakeClock, tmp_path: Path
) -> None:
    rng, secrets = random.Random(7), await _begun(host, tmp_path)
    async with host.player(BEN) as ben:
        for place, hidden in secrets.items():
            source = place.partition("-")[0]
            acts = [each for each in ENDPOINTS if each.path.startswith(f"{{place:{source}-")]
            versions = [(await ben.get(place)).data["version"], 0]
            for _ in range(either(60, 10_000)):
                clock.advance(milliseconds=500)
                act = rng.choice(acts)
                name = act.path.rpartition("/")[2]
                given: dict[str, object] = {}
                for field in act.takes:
                    likely: list[object] = [*_TEXTS] if field == "text" else [*versions]
                    if field == "at" and name in _ENDING:
                        likely = [99]
                    choices = likely if rng.random() < 0.8 else _VALUES
                    given[field.removesuffix("?")] = rng.choice(choices)
                if act.method == "GET":
                    answer = await ben.get(place if name.startswith("{") else f"{place}/{name}")
                else:
                    answer = await ben.post(f"{place}/{name}", given)
                assert answer.status < 500, (place, name, given, answer.text)
                assert not [each for each in hidden if f'"{each}"' in answer.text]
                assert not [each for each in hidden if f"`{each}`" in answer.text]
            assert (await ben.get(place)).data["state"] == "open"


async def test_an_id_in_other_digits_is_no_games(host: Host) -> None:
    async with host.player() as ann:
        answers = [await ann.get(f"{source}-\u0663") for source in Source]
        assert {answer.status for answer in answers} == {404}


async def test_a_player_with_a_long_id_has_a_name(host: Host) -> None:
    late = 1_400_000_000_000_000_001  # Discord's ids have 19 digits since 2022
    challenge = Challenge(ANN, late, GUILD, CHANNEL)
    duel = (await host.services.duels.inviting.challenge(challenge, DuelOptions(), "0246")).duel
    async with host.player(late), host.player() as ann:
        seen = (await ann.get(f"duel-{duel.id}")).data
        assert seen["names"] == {"11": "P11", str(late): f"P{late}"}


def test_every_kind_of_game_is_shown_and_has_a_version() -> None:
    assert VIEWS.keys() == VERSIONS.keys() == set(Source)
