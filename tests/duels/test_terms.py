"""What a challenge proposes: changed, seen and agreed to, with a number."""

from pathlib import Path

import pytest

from bot.duels.challenges import Challenge
from bot.duels.model import (
    AlreadyUnderWayError,
    DuelOverError,
    DuelView,
    NewNumberError,
    NotChallengerError,
    NumberRefusedError,
    SecretFixedError,
    State,
    TermsChangedError,
)
from bot.duels.position import DuelOptions
from bot.refused import EnoughGamesError
from bot.services import Services
from engine import Mode, Strength
from tests.support.clock import FakeClock
from tests.support.duels import ANN, BEN, CAT, accept, invited
from tests.support.sql import sql

pytestmark = pytest.mark.usefixtures("keys_watched")


def number(folder: Path, game: DuelView, player: int) -> tuple[str, str]:
    """What a player has set, and its salt."""
    where = f"duel_id = {game.duel.id} AND player_id = {player}"
    (found,) = sql(folder, f"SELECT secret, salt FROM duel_seats WHERE {where}")
    return found


async def test_the_challenger_sets_a_number_before_anybody_is_challenged(
    services: Services, tmp_path: Path
) -> None:
    inviting, pair = services.duels.inviting, Challenge(ANN, BEN, 1, 2)
    for text in ("", "012", "0012", "x"):
        with pytest.raises(NumberRefusedError) as refused:
            await inviting.challenge(pair, DuelOptions(), text)
        assert refused.value.text == text
    assert sql(tmp_path, "SELECT * FROM duels") == []
    game = await inviting.challenge(pair, DuelOptions(), " 9 8 7 6 ")
    assert number(tmp_path, game, ANN)[0] == "9876"
    assert [s.secret for s in game.duel.seats if s.player_id == BEN] == [None]


async def test_changed_terms_are_shown_before_they_are_accepted(services: Services) -> None:
    inviting = services.duels.inviting
    seen = await invited(services)
    changed = await inviting.change(ANN, seen.duel.id, DuelOptions(mode=Mode.CLASSIC))
    assert (changed.duel.mode, changed.duel.rated, changed.duel.terms) == (Mode.CLASSIC, False, 1)
    assert changed.duel.version > seen.duel.version
    for terms in (0, 2):
        for attempt in (
            inviting.prepare_accept(BEN, seen.duel.id, terms),
            inviting.accept(BEN, seen.duel.id, terms, "4567"),
        ):
            with pytest.raises(TermsChangedError) as refused:
                await attempt
            assert refused.value.view == changed
    assert await inviting.prepare_accept(BEN, seen.duel.id, 1) == changed.duel.rules
    assert (await accept(services, changed)).duel.state is State.PLAYING


async def test_proposing_the_same_terms_again_changes_nothing(services: Services) -> None:
    game = await invited(services)
    assert await services.duels.inviting.change(ANN, game.duel.id, DuelOptions()) == game


async def test_a_challenger_who_changes_the_digits_has_to_set_a_new_number(
    services: Services, tmp_path: Path
) -> None:
    inviting = services.duels.inviting
    game = await invited(services)
    before, five = number(tmp_path, game, ANN), DuelOptions(digits=5)
    with pytest.raises(NewNumberError) as wanted:
        await inviting.change(ANN, game.duel.id, five)
    assert wanted.value.rules == five.rules()
    with pytest.raises(NumberRefusedError) as refused:
        await inviting.change(ANN, game.duel.id, five, "0123")
    assert refused.value.rules == five.rules()
    assert number(tmp_path, game, ANN) == before
    game = await inviting.change(ANN, game.duel.id, five, "98765")
    after = number(tmp_path, game, ANN)
    assert (game.duel.rules, game.duel.terms, after[0]) == (five.rules(), 1, "98765")
    assert after[1] != before[1]  # and another seal
    # What fits still is kept.
    await inviting.change(ANN, game.duel.id, DuelOptions(digits=5, repeats=True))
    assert number(tmp_path, game, ANN) == after
    await inviting.change(ANN, game.duel.id, DuelOptions(digits=5, repeats=True), "11223")
    with pytest.raises(NewNumberError):
        await inviting.change(ANN, game.duel.id, five)


async def test_only_the_challenger_changes_terms_and_only_before_the_duel_is_accepted(
    services: Services,
) -> None:
    inviting, other = services.duels.inviting, DuelOptions(friendly=True)
    game = await invited(services)
    for player in (BEN, CAT):
        for attempt in (
            inviting.change(player, game.duel.id, other),
            inviting.prepare_change(player, game.duel.id),
        ):
            with pytest.raises(NotChallengerError):
                await attempt
    await accept(services, game)
    with pytest.raises(AlreadyUnderWayError):
        await inviting.change(ANN, game.duel.id, other)


async def test_a_challenge_changed_to_friendly_counts_toward_the_limit_of_uncounted_games(
    services: Services, tmp_path: Path
) -> None:
    inviting = services.duels.inviting
    game = await invited(services)
    await inviting.change(ANN, game.duel.id, DuelOptions(friendly=True))
    assert sql(tmp_path, "SELECT games FROM free_games") == [(1,)]
    await inviting.change(ANN, game.duel.id, DuelOptions())
    sql(tmp_path, "UPDATE free_games SET games = 300")
    with pytest.raises(EnoughGamesError):
        await inviting.change(ANN, game.duel.id, DuelOptions(friendly=True))


async def test_the_terms_of_a_duel_with_the_bot_can_change_before_play(
    services: Services, tmp_path: Path
) -> None:
    inviting = services.duels.inviting
    game = await inviting.challenge(Challenge(ANN, None), DuelOptions())
    bot = (
        f"SELECT secret, salt FROM duel_seats WHERE duel_id = {game.duel.id} AND player_id IS NULL"
    )
    before = sql(tmp_path, bot)
    game = await inviting.change(ANN, game.duel.id, DuelOptions(strength=Strength.PERFECT))
    assert (game.duel.strength, sql(tmp_path, bot)) == (Strength.PERFECT, before)
    game = await inviting.change(ANN, game.duel.id, DuelOptions(6, repeats=True, mode=Mode.CLASSIC))
    assert (game.duel.rules.digits, game.duel.mode, game.duel.rated) == (6, Mode.CLASSIC, False)
    ((secret, salt),) = sql(tmp_path, bot)
    assert (len(secret), (secret, salt) in before) == (6, False)
    await services.duels.playing.set_secret(ANN, game.duel.id, "112233")
    for attempt in (
        inviting.prepare_change(ANN, game.duel.id),
        inviting.change(ANN, game.duel.id, DuelOptions()),
    ):
        with pytest.raises((SecretFixedError, AlreadyUnderWayError)):
            await attempt


async def test_a_duel_begins_with_the_number_of_the_player_who_accepts(
    services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    inviting = services.duels.inviting
    asked = await invited(services)
    for text in ("", "012", "0012", "x"):
        with pytest.raises(NumberRefusedError) as refused:
            await inviting.accept(BEN, asked.duel.id, 0, text)
        assert refused.value.text == text
    assert (await services.duels.playing.view(ANN, asked.duel.id)) == asked
    clock.advance(hours=1)
    game = await inviting.accept(BEN, asked.duel.id, 0, " 4 5 6 7 ")
    assert (game.duel.state, game.duel.to_move) == (State.PLAYING, 0)
    assert game.duel.accepted_at == game.duel.playing_at == clock.now()
    assert number(tmp_path, game, BEN)[0] == "4567"
    # The form was sent twice; or another one, which was open elsewhere.
    assert await inviting.accept(BEN, asked.duel.id, 0, "4567") == game
    with pytest.raises(AlreadyUnderWayError):
        await inviting.accept(BEN, asked.duel.id, 0, "4568")
    with pytest.raises(AlreadyUnderWayError):
        await inviting.prepare_accept(BEN, asked.duel.id, 0)


@pytest.mark.parametrize("end", ["withdrawn", "declined", "deleted"])
async def test_a_number_sent_after_the_challenge_has_ended_begins_no_duel(
    services: Services, end: str
) -> None:
    inviting = services.duels.inviting
    game = await invited(services)
    await inviting.prepare_accept(BEN, game.duel.id, 0)
    if end == "withdrawn":
        await inviting.withdraw(ANN, game.duel.id)
    elif end == "declined":
        await inviting.decline(BEN, game.duel.id)
    else:
        await services.privacy.players.delete(ANN, "DELETE")
    with pytest.raises(DuelOverError) as over:
        await inviting.accept(BEN, game.duel.id, 0, "4567")
    assert over.value.view.duel.playing_at is None
