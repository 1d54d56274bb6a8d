"""Commitments: frozen texts and random salts, which only those who may can check."""

import hashlib
import re
from pathlib import Path

import pytest

from bot.duels.challenges import Challenge
from bot.duels.position import DuelOptions
from bot.focdle.model import NotYourPlayError
from bot.games.model import Commitment, commitment, new_salt, sealed_text
from bot.home.game import Secret, Verified
from bot.home.words import verification
from bot.mastermind.game import Setting
from bot.mastermind.model import NoSuchGameError, NotYourGameError
from bot.refused import NeverSealedError
from bot.services import Services
from tests.support.clock import NOON, FakeClock
from tests.support.duels import ANN, BEN
from tests.support.sql import sql
from tests.support.table import SECRET

SALT = "6f1d0c3b5a7e98241cd0be35f7a9428e"
# sha256sum of the text, by another program.
DIGEST = "b3bba94cccea07739038b67199a5621fc44952425ed1be5de84c2dc0c40edf50"


def test_the_text_that_a_seal_hashes_has_a_fixed_format() -> None:
    text = "focdle 325/10 25+4*12=73 6f1d0c3b5a7e98241cd0be35f7a9428e"
    assert sealed_text("focdle 325/10", "25+4*12=73", SALT) == text
    assert commitment("focdle 325/10", "25+4*12=73", SALT, is_open=True) == Commitment(DIGEST, text)
    assert Commitment(DIGEST, None).seal == "b3bba94cccea07739038b67199a5621fc4495242"


def test_a_commitment_shows_neither_secret_nor_salt_before_it_is_opened() -> None:
    closed = commitment("duel 7", "4271", SALT, is_open=False)
    assert closed is not None
    assert closed.text is None
    page = "\n".join(verification(Verified((Secret(closed),), NOON)))
    shown = repr(closed) + page
    assert not {"4271", SALT} & set(re.split("[^0-9a-z]", shown))
    assert closed.seal in page
    assert closed.digest not in page


def test_every_salt_has_128_bits_and_is_unique() -> None:
    salts = {new_salt() for _ in range(1000)}
    assert len(salts) == 1000
    assert all(re.fullmatch("[0-9a-f]{32}", salt) for salt in salts)
    # Every bit is as often set as not.
    for bit in range(128):
        assert 380 < sum(int(salt, 16) >> bit & 1 for salt in salts) < 620


@pytest.mark.parametrize(("secret", "salt"), [(None, SALT), ("RGBY", None), (None, None)])
def test_a_game_without_a_secret_or_without_a_salt_has_no_commitment(
    secret: str | None, salt: str | None
) -> None:
    assert commitment("mastermind 1", secret, salt, is_open=True) is None


def opened(verified: Verified) -> list[str]:
    """What was hashed, for each secret."""
    return [secret.commitment.text or "" for secret in verified.secrets]


async def test_a_play_is_verified_only_for_its_player(services: Services) -> None:
    play = await services.daily.open(ANN, None)
    with pytest.raises(NotYourPlayError):
        await services.verifying.play(BEN, play.id)
    before = await services.verifying.play(ANN, play.id)
    assert not before.is_open
    assert [secret.commitment for secret in before.secrets] == [play.commitment]
    await services.daily.guess(ANN, play.id, SECRET)
    with pytest.raises(NotYourPlayError):
        await services.verifying.play(BEN, play.id)
    verified = await services.verifying.play(ANN, play.id)
    assert verified.is_open
    found, text = verified.secrets[0].commitment, opened(verified)[0]
    assert text.startswith(f"focdle 324/10 {SECRET} ")
    assert [found.digest] == [secret.commitment.digest for secret in before.secrets]
    assert hashlib.sha256(text.encode()).hexdigest() == found.digest
    assert f"`{text}`" in "\n".join(verification(verified))


async def test_a_private_mastermind_is_verified_only_for_its_player(services: Services) -> None:
    solo = await services.mastermind.solo.open(ANN, Setting())
    verifying = services.verifying
    assert not (await verifying.mastermind(ANN, solo.id)).is_open
    with pytest.raises(NotYourGameError):
        await verifying.mastermind(BEN, solo.id)
    await services.mastermind.solo.surrender(ANN, solo.id)
    with pytest.raises(NotYourGameError):
        await verifying.mastermind(BEN, solo.id)
    verified = await verifying.mastermind(ANN, solo.id)
    assert verified.is_open
    assert verified.since == solo.opened_at
    with pytest.raises(NoSuchGameError):
        await verifying.mastermind(ANN, 999)


async def test_a_code_known_only_to_its_player_has_no_seal(services: Services) -> None:
    view = await services.mastermind.defence.open(ANN, Setting())
    view = await services.mastermind.defence.give_up(ANN, view.game.id)
    assert view.game.commitment is None
    with pytest.raises(NeverSealedError):
        await services.verifying.mastermind(ANN, view.game.id)


async def test_a_sealed_number_of_a_duel_that_lapses_is_never_opened(
    services: Services, clock: FakeClock
) -> None:
    game = await services.duels.inviting.challenge(Challenge(ANN, BEN, 1, 2), DuelOptions(), "0123")
    assert sum(seat.commitment is not None for seat in game.seats) == 1
    clock.advance(days=1)
    game = await services.duels.playing.view(ANN, game.duel.id)
    assert [seat.commitment for seat in game.seats] == [None, None]
    with pytest.raises(NeverSealedError):
        await services.verifying.duel(ANN, game.duel.id)


async def test_no_export_reveals_a_salt_before_the_game_ends(
    services: Services, tmp_path: Path
) -> None:
    play = await services.practice.open(ANN, None)
    solo = await services.mastermind.solo.open(ANN, Setting())
    own = await services.mastermind.defence.open_sealed(ANN, Setting(), "RGBY")
    duel = await services.duels.inviting.challenge(Challenge(ANN, None), DuelOptions())
    await services.duels.playing.set_secret(ANN, duel.duel.id, "0123")
    tables = ("puzzles", "masterminds", "duel_seats")
    salts = [salt for table in tables for (salt,) in sql(tmp_path, f"SELECT salt FROM {table}")]
    assert len(salts) == 5
    document = (await services.privacy.players.export(ANN)).content.decode()
    assert not [salt for salt in salts if salt in document]
    await services.daily.guess(ANN, play.id, play.game.secret)
    await services.mastermind.solo.surrender(ANN, solo.id)
    await services.mastermind.defence.give_up(ANN, own.game.id)
    await services.duels.playing.resign(ANN, duel.duel.id)
    document = (await services.privacy.players.export(ANN)).content.decode()
    assert not [salt for salt in salts if salt not in document]
