"""What a challenge proposes: changed, seen and agreed to; and challenges of before *Change*."""

from pathlib import Path

import pytest

from bot.duels.challenges import Challenge
from bot.duels.model import (
    AlreadyUnderWayError,
    DuelView,
    NewNumberError,
    NotChallengerError,
    NumberRefusedError,
    Pace,
    SecretFixedError,
    State,
    TermsChangedError,
)
from bot.duels.position import Options
from bot.refused import EnoughGamesError
from bot.services import Services
from engine import Mode, Strength
from tests.support.clock import FakeClock
from tests.support.duels import ANN, BEN, CAT, DAY, NOW, RELAXED, accepted, invited, take
from tests.support.sql import sql

pytestmark = pytest.mark.usefixtures("keys_watched")


def number(folder: Path, game: DuelView, player: int) -> tuple[str, str]:
    """What a player has set, and its salt."""
    where = f"duel_id = {game.duel.id} AND player_id = {player}"
    (found,) = sql(folder, f"SELECT secret, salt FROM duel_seats WHERE {where}")
    return found


def of_before(folder: Path, game: DuelView, pace: str = "live") -> None:
    """Let a challenge be one whose numbers both come after it was accepted."""
    sql(folder, f"UPDATE duels SET terms = NULL, pace = '{pace}' WHERE id = {game.duel.id}")
    sql(folder, f"UPDATE duel_seats SET secret = NULL, salt = NULL WHERE duel_id = {game.duel.id}")


async def test_the_challenger_sets_a_number_before_anybody_is_challenged(
    services: Services, tmp_path: Path
) -> None:
    inviting, pair = services.duels.inviting, Challenge(ANN, BEN, 1, 2)
    for text in ("", "012", "0012", "x"):
        with pytest.raises(NumberRefusedError) as refused:
            await inviting.challenge(pair, Options(), text)
        assert refused.value.text == text
    assert sql(tmp_path, "SELECT * FROM duels") == []
    game = await inviting.challenge(pair, Options(), " 9 8 7 6 ")
    assert number(tmp_path, game, ANN)[0] == "9876"
    assert [seat.is_ready for seat in game.seats] == [seat.player_id == ANN for seat in game.seats]


async def test_changed_terms_are_shown_before_they_are_accepted(services: Services) -> None:
    inviting = services.duels.inviting
    seen = await invited(services)
    changed = await inviting.change(ANN, seen.duel.id, Options(mode=Mode.CLASSIC))
    assert (changed.duel.mode, changed.duel.rated, changed.duel.terms) == (Mode.CLASSIC, False, 1)
    assert changed.duel.version > seen.duel.version
    for pace, terms in (NOW, DAY, (None, None), (Pace.LIVE, 2)):
        with pytest.raises(TermsChangedError) as refused:
            await inviting.accept(BEN, seen.duel.id, pace, terms)
        assert refused.value.view == changed
    assert (await take(services, changed)).duel.state is State.SETTING


async def test_proposing_the_same_terms_again_changes_nothing(services: Services) -> None:
    game = await invited(services)
    assert await services.duels.inviting.change(ANN, game.duel.id, Options()) == game


async def test_a_challenger_who_changes_the_digits_has_to_set_a_new_number(
    services: Services, tmp_path: Path
) -> None:
    inviting = services.duels.inviting
    game = await invited(services)
    before, five = number(tmp_path, game, ANN), Options(digits=5)
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
    await inviting.change(ANN, game.duel.id, Options(digits=5, repeats=True))
    assert number(tmp_path, game, ANN) == after
    await inviting.change(ANN, game.duel.id, Options(digits=5, repeats=True), "11223")
    with pytest.raises(NewNumberError):
        await inviting.change(ANN, game.duel.id, five)


async def test_only_the_challenger_changes_terms_and_only_before_the_duel_is_accepted(
    services: Services, tmp_path: Path
) -> None:
    inviting, other = services.duels.inviting, Options(friendly=True)
    game = await invited(services)
    for player in (BEN, CAT):
        for attempt in (
            inviting.change(player, game.duel.id, other),
            inviting.prepare_change(player, game.duel.id),
        ):
            with pytest.raises(NotChallengerError):
                await attempt
    await take(services, game)
    old = await invited(services)
    of_before(tmp_path, old)
    for each in (game, old):
        with pytest.raises(AlreadyUnderWayError):
            await inviting.change(ANN, each.duel.id, other)


async def test_a_challenge_changed_to_friendly_counts_toward_the_limit_of_uncounted_games(
    services: Services, tmp_path: Path
) -> None:
    inviting = services.duels.inviting
    game = await invited(services)
    await inviting.change(ANN, game.duel.id, Options(friendly=True))
    assert sql(tmp_path, "SELECT games FROM free_games") == [(1,)]
    await inviting.change(ANN, game.duel.id, Options())
    sql(tmp_path, "UPDATE free_games SET games = 300")
    with pytest.raises(EnoughGamesError):
        await inviting.change(ANN, game.duel.id, Options(friendly=True))


async def test_the_terms_of_a_duel_with_the_bot_can_change_before_play(
    services: Services, tmp_path: Path
) -> None:
    inviting = services.duels.inviting
    game = await inviting.challenge(Challenge(ANN, None), Options())
    bot = (
        f"SELECT secret, salt FROM duel_seats WHERE duel_id = {game.duel.id} AND player_id IS NULL"
    )
    before = sql(tmp_path, bot)
    game = await inviting.change(ANN, game.duel.id, Options(strength=Strength.PERFECT))
    assert (game.duel.strength, sql(tmp_path, bot)) == (Strength.PERFECT, before)
    game = await inviting.change(ANN, game.duel.id, Options(6, repeats=True, mode=Mode.CLASSIC))
    assert (game.duel.rules.digits, game.duel.mode, game.duel.rated) == (6, Mode.CLASSIC, False)
    ((secret, salt),) = sql(tmp_path, bot)
    assert (len(secret), (secret, salt) in before) == (6, False)
    await services.duels.playing.set_secret(ANN, game.duel.id, "112233")
    for attempt in (
        inviting.prepare_change(ANN, game.duel.id),
        inviting.change(ANN, game.duel.id, Options()),
    ):
        with pytest.raises((SecretFixedError, AlreadyUnderWayError)):
            await attempt


async def test_a_challenge_of_an_older_version_is_accepted_with_its_terms(
    services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    inviting, play = services.duels.inviting, services.duels.playing
    for pace in Pace:
        game = await invited(services)
        of_before(tmp_path, game, pace)
        assert (await play.view(BEN, game.duel.id)).now_until is None
        game = await inviting.accept(BEN, game.duel.id)
        assert (game.duel.state, game.duel.pace) == (State.SETTING, pace)
        assert not any(seat.is_ready for seat in game.seats)
        await play.set_secret(ANN, game.duel.id, "0123")
        game = await play.set_secret(BEN, game.duel.id, "4567")
        assert (game.duel.state, game.duel.playing_at) == (State.PLAYING, clock.now())


async def test_the_player_who_accepts_chooses_the_pace(services: Services) -> None:
    assert (await accepted(services)).duel.pace is Pace.LIVE
    game = await accepted(services, RELAXED)
    assert game.duel.pace is Pace.RELAXED
    game = await services.duels.playing.set_secret(BEN, game.duel.id, "4567")
    assert game.duel.state is State.PLAYING  # nobody has to be there
