"""A server in which Ann and Ben have games of every kind, going on and over."""

from pathlib import Path
from typing import Any

from bot.db.tables import metadata
from bot.duels.challenges import Challenge
from bot.games.model import Channel, GameName, Source
from bot.mastermind.challenges import Invitation
from bot.mastermind.game import Setting
from engine import Mastermind
from tests.support.duels import EQUAL
from tests.support.masterminds import asked
from tests.support.sql import sql
from tests.support.table import SECRET, Table

GUESS = "71+18-3=86"
CODE = "GOPB"
"""The secret of every Mastermind; all different, so that the bot never begins with it."""
GUESSED = "BPOG"
NUMBERS = ("7395", "8614", "4057")
"""What is set in duels, and what is guessed."""


GAMES = {"play": 4, "game": 8, "duel": 5, "equation": 3, "race": 1, "seek": 1}
"""How many there are of what ids name so."""


async def crowd(table: Table, folder: Path) -> None:
    """Let them play."""
    ann, ben, here, channel = table.ann.id, table.ben.id, table.ann.guild.id, table.channel.id
    services = table.services
    for who in (table.ann, table.ben):
        await services.standings.members.seen(who.id, who.name, guild_id=here, guild_name=who.name)
    daily = await services.daily.open(ann, here)
    for code in (GUESS, SECRET):
        await services.daily.guess(ann, daily.id, code)
    await services.daily.open(ben, here)
    practice = await services.practice.open(ann, here)
    await services.daily.guess(ann, practice.id, GUESS)
    mastermind = services.mastermind
    over = await mastermind.solo.open(ann, Setting())
    await mastermind.solo.guess(ann, over.id, GUESSED)
    await mastermind.solo.surrender(ann, over.id)
    await mastermind.solo.open(ann, Setting(guesses=11))
    defence = await mastermind.defence.open(ann, Setting())
    await mastermind.defence.answer(ann, defence.game.id, asked(defence), 4)
    await mastermind.defence.open(ann, Setting(pegs=5))
    for accepts, resigns in ((False, False), (True, False), (True, True)):
        invitation = Invitation(ann, ben, here, channel)
        view = await mastermind.challenges.invite(invitation, Setting(), CODE)
        if accepts:
            await mastermind.challenges.accept(ben, view.game.id, Setting())
            await mastermind.challenges.guess(ben, view.game.id, GUESSED)
        if resigns:
            await mastermind.challenges.resign(ben, view.game.id)
        elif not accepts:
            await mastermind.challenges.withdraw(ann, view.game.id)
    sql(folder, f"UPDATE masterminds SET secret = '{CODE}' WHERE secret IS NOT NULL")
    inviting, playing = services.duels.inviting, services.duels.playing
    bots = await inviting.challenge(Challenge(ann, None), EQUAL)
    await playing.set_secret(ann, bots.duel.id, NUMBERS[0])
    for stage in range(4):
        duel = await inviting.challenge(Challenge(ann, ben, here, channel), EQUAL, NUMBERS[0])
        if stage:
            duel = await inviting.accept(ben, duel.duel.id, 0, NUMBERS[1])
        if stage > 1:
            first, _ = (seat.player_id for seat in duel.seats)
            await playing.guess(first or 0, duel.duel.id, NUMBERS[2])
            await playing.resign(ben, duel.duel.id)
    seek = await services.duels.seeking.seek(ben, Channel(here, channel), EQUAL, NUMBERS[0])
    await services.duels.seeking.shown(seek, 3)
    await _set_and_race(table)
    sql(folder, "DELETE FROM pulses")  # so that the time counts
    table.clock.advance(minutes=16)  # so that nothing is to be noted by the way
    await services.duels.games.sweep()
    await _end_races(table)
    await services.sharing.claim(ann, GameName(Source.MASTERMIND, over.id), channel, here)
    await services.sharing.done(GameName(Source.MASTERMIND, over.id), channel)


async def _set_and_race(table: Table) -> None:
    """Ann sets an equation and opens a race, and Ben is in both."""
    ann, ben, services = table.ann.id, table.ben.id, table.services
    here, channel = table.ann.guild.id, table.channel.id
    place = Channel(here, channel)
    post = await services.equations.set(ann, place, "13+34-6=41")
    await services.equations.posted(post, 1)
    await services.equations.play(ben, post.equation.puzzle_id, place)
    race = await services.races.open(ann, Channel(here, channel), Mastermind())
    await services.races.posted(race, 2)
    await services.races.join(ben, race.race.id, Channel(here, channel))
    await services.races.start(ann, race.race.id, Channel(here, channel))


async def _end_races(table: Table) -> None:
    """Do what the clock would do about races whose time is over."""
    races = table.services.races
    for race_id in await races.outdated():
        if (view := await races.claim(race_id)) is not None:
            await races.shown(view, view.race.message_id or 0)


def stored(folder: Path, *but: str) -> dict[str, list[tuple[Any, ...]]]:
    """All that is stored, table by table, but for some tables."""
    names = [table.name for table in metadata.sorted_tables if table.name not in but]
    return {name: sorted(sql(folder, f"SELECT * FROM {name}"), key=repr) for name in names}
