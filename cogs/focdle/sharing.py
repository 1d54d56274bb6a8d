"""Results of FoCdle for others: today's card, a message, text to paste."""

import io
import logging
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass
from typing import Any, Final

import discord
from discord import ui

from bot.clock import PuzzleName
from bot.errors import StorageError
from bot.focdle import words
from bot.focdle.ending_words import card_description, copied, shared
from bot.focdle.model import Play, WhichPuzzleError
from bot.games.model import Channel, GameName, Source
from bot.home.words import Door
from bot.moderation.model import TakenOffError
from bot.page.model import WebPost
from bot.people.model import Face
from bot.pool.pool import in_thread
from bot.posts import words as card_words
from bot.posts.card_work import Cards, CardWork
from bot.posts.cards import CardContent, CardRow, CardStep
from bot.posts.model import CardUnpostableError
from bot.refusals import refusal
from bot.refused import Refused
from bot.services import Services
from bot.text import counts
from bot.text.language import say, short_date
from bot.text.pictures.boards import Portrait, described, draw_card, draw_group
from bot.text.tiles import Tiles
from cogs.ui.deliveries import UNDONE, Refusal, delivered, look_for
from cogs.ui.help import HEAVY_DOOR, PRACTICE
from cogs.ui.host import Host
from cogs.ui.languages import for_server
from cogs.ui.members import may_attach
from cogs.ui.pages import Items, Page, button, notice, picture, row, with_face
from cogs.ui.replies import Interaction, in_good_time, server_of, show, whisper
from cogs.ui.routes import By, Route, pressed
from cogs.ui.shares import post_from_page, post_result, share_button
from cogs.ui.voices import Voice, voice_of_page, voice_of_result, voice_of_result_in
from engine import Outcome


@dataclass(frozen=True, slots=True)
class GroupPicture:
    """A picture of results.

    Attributes:
        file: None without permission to attach files, or without results.
        is_whole: whether the picture has all avatars that could be loaded.
    """

    file: discord.File | None = None
    is_whole: bool = True


async def group_picture(
    client: Host,
    channel_id: int,
    rows: Sequence[CardRow],
    *,
    waits: bool,
    is_over: bool = False,
) -> GroupPicture:
    """Draw results as a picture.

    Without `waits`, avatars that are not cached are left out. With `is_over`, the best results are
    marked.
    """
    if not rows or not may_attach(client, channel_id):
        return GroupPicture()
    album, faces = client.album, [row.face for row in rows if row.face is not None]
    avatars = {} if album is None else await album.find(faces, waits=waits)
    portraits = [
        Portrait(
            row.player_id,
            row.name,
            row.turns,
            row.max_guesses,
            is_solved=row.is_solved,
            is_hard=row.is_hard,
            is_best=is_over and row.is_best,
            avatar=avatars.get(row.player_id),
        )
        for row in rows
    ]
    drawn = await in_thread(draw_group, portraits)
    file = discord.File(io.BytesIO(drawn), "group.png", description=described(portraits))
    return GroupPicture(file, is_whole=waits or album is None or len(avatars) == len(faces))


SHARE: Final = Route("fd:share:{play:int}")
OPEN: Final = Route("fd:open:{number:int}/{length:int}")
OPEN_FROM_POST: Final = Route("post:play:{number:int}/{length:int}")
"""The route of the daily post's button; by this id the bot recognises its own post."""
OPEN_FROM_CARD: Final = Route("run:play:{number:int}/{length:int}")
"""The route of a button of today's card; by this id the bot recognises its own card."""


def share_buttons(play: Play) -> Iterator[ui.Button[Any]]:
    """Yield the button *Share*; none for a play that was given up or is of a set equation."""
    if not play.game.is_given_up and not play.is_set:  # its own post shows it
        is_solved = play.game.outcome is Outcome.SOLVED
        yield share_button(SHARE(play=play.id), stands_out=is_solved)


def play_button(puzzle: PuzzleName) -> ui.Button[Any]:
    custom_id = OPEN(number=puzzle.number, length=puzzle.length)
    return button(custom_id, say(words.PLAY_BUTTON, number=puzzle.number))


async def ask_which(interaction: Interaction, error: WhichPuzzleError) -> None:
    of_date, of_number = error.of_date, error.of_number
    day, symbols = short_date(of_date.day), counts.symbols(of_number.length)
    on = say(words.OF_DATE_BUTTON, day=day, number=of_date.number)
    called = say(words.OF_NUMBER_BUTTON, number=of_number.number, symbols=symbols)
    buttons = [
        button(OPEN(number=puzzle.number, length=puzzle.length), label)
        for puzzle, label in ((of_date, on), (of_number, called))
    ]
    await whisper(interaction, notice(say(error.sentence), buttons))


def result_page(
    play: Play,
    guild_id: int | None,
    tiles: Tiles | None = None,
    card: discord.File | None = None,
    face: Face | None = None,
) -> Page:
    """Build the page that shows everybody a finished play.

    Its button opens the same daily or, below a practice, a practice of the same length.
    """
    told, *below = shared(play, guild_id, tiles, drawn=card is not None)
    way = button(PRACTICE(length=play.rules.length), say(words.PRACTICE_BUTTON))
    if play.puzzle is not None:
        way = play_button(play.puzzle)
    cards = [] if card is None else [card]
    return Page([with_face(told, face), *below, *map(picture, cards), row(way)], cards)


async def share_alone(interaction: Interaction, play: Play, voice: Voice) -> None:
    """Post a result to the channel as a message of its own: marks, no symbols."""

    async def draw(face: Face | None) -> Page:
        card = await _card(play) if interaction.app_permissions.attach_files else None
        return result_page(play, server_of(interaction), interaction.client.tiles, card, face)

    await post_result(interaction, GameName(Source.PLAY, play.id), voice, draw)


async def _card(play: Play) -> discord.File:
    png = await in_thread(draw_card, play.game, play.rules)
    return discord.File(io.BytesIO(png), "result.png", description=card_description(play))


_NOBODY: Final = discord.AllowedMentions.none()
_MOST_STEPS: Final = 2


def card_page(content: CardContent, drawn: discord.File | None = None) -> Page:
    """Build the page of today's card. Without a picture the results are told in text."""
    puzzle = content.puzzle
    play = play_button(puzzle)
    play.custom_id = OPEN_FROM_CARD(number=puzzle.number, length=puzzle.length)
    buttons = [play]
    if content.is_closed:
        today = HEAVY_DOOR(door=Door.TODAY.value)
        buttons.insert(0, button(today, say(words.TODAY_BUTTON)))
    buttons[0].style = discord.ButtonStyle.primary
    pictures = [] if drawn is None else [drawn]
    results = [picture(drawn)] if drawn is not None else [card_words.card_rows(content)]
    blocks = [card_words.card_title(content), *results, card_words.rest(content), row(*buttons)]
    return Page(list(filter(None, blocks)), pictures)


async def update_card(
    client: Host, services: Services, card_id: int, *, waits: bool = True
) -> None:
    """Post, edit or delete a card as is due, unless another process has claimed it.

    Without `waits`, avatars that are not cached are left out, so that an interaction can be
    answered in time.
    """
    for _ in range(_MOST_STEPS):
        work = await services.cards.claim(card_id)
        if work is None or not client.hearing.knows(work.card.guild_id):
            return  # the claim expires in a minute
        guild = client.get_guild(work.card.guild_id)
        if guild is None or guild.unavailable:
            await services.cards.unreachable(work)
            return
        await _settle(client, services.cards, work, waits=waits)


async def _settle(client: Host, cards: Cards, work: CardWork, *, waits: bool) -> None:
    """Carry out claimed work on a card at Discord, and note what came of it."""
    card = work.card
    what = f"results of {card.puzzle} in channel {card.channel_id}"
    channel = client.get_partial_messageable(card.channel_id, guild_id=card.guild_id)
    if work.step is CardStep.LOOK:
        # Without permission to read the channel, it counts as not sent.
        found, puzzle = None, card.puzzle
        if card.claimed_at is not None:
            custom_id = OPEN_FROM_CARD(number=puzzle.number, length=puzzle.length)
            looking = look_for(client, channel, custom_id, card.claimed_at)
            found = await delivered(what, looking)
        if isinstance(found, int):
            await cards.posted(work, found)
        if found is not None:
            return
        new = await cards.not_found(work)
        if new is None:
            return
        work = new
    came = await delivered(what, _do(client, channel, cards, work, waits=waits))
    if came is None or came is Refusal.WAIT:  # then the claim expires in a minute
        return
    if work.step is CardStep.POST:
        await cards.refused(work)
    elif work.step is CardStep.DELETE and came is Refusal.GONE:
        await cards.deleted(work)
    elif work.step is CardStep.EDIT and came is Refusal.GONE:
        await cards.was_deleted(work)
    else:
        await cards.unreachable(work)


async def _do(
    client: Host,
    channel: discord.PartialMessageable,
    cards: Cards,
    work: CardWork,
    *,
    waits: bool,
) -> None:
    target = channel.get_partial_message(work.target_id)
    if work.step is CardStep.DELETE:
        await target.delete()
        await cards.deleted(work)
        return
    page, is_whole = await _draw(client, work, waits=waits)
    if work.step is CardStep.EDIT:
        await target.edit(view=page, attachments=page.files, allowed_mentions=_NOBODY)
        await cards.shown(work, is_whole=is_whole)
    else:
        sent = await channel.send(
            view=page, files=page.files, nonce=work.nonce, allowed_mentions=_NOBODY
        )
        await cards.posted(work, sent.id, is_whole=is_whole)


async def _draw(client: Host, work: CardWork, *, waits: bool) -> tuple[Page, bool]:
    """Draw a card's page; return it, and `is_whole` of its picture."""
    content = work.content
    if content is None:
        raise RuntimeError("what is sent or edited has something to show")
    drawn = await group_picture(
        client,
        work.card.channel_id,
        content.rows,
        waits=waits,
        is_over=content.is_closed,
    )
    guild_id = work.card.guild_id
    return await for_server(client, guild_id, card_page, content, drawn.file), drawn.is_whole


log = logging.getLogger(__name__)

ALWAYS: Final = Route("run:always:{channel:int}")

Told = tuple[str, Items]
"""A text for the player, and the buttons below it."""


@pressed(SHARE, by=By.PLAYERS)
async def share(interaction: Interaction, play: int) -> None:
    finished = await interaction.client.services.daily.result(interaction.user.id, play)
    buttons: Items = ()
    try:
        if finished.puzzle is None:
            await share_alone(interaction, finished, await voice_of_result(interaction, None))
            return
        told, buttons = await _share(interaction, finished, finished.puzzle)
    except Refused as error:
        told = refusal(error)
    text = "\n".join(filter(None, [told, copied(finished)]))
    await whisper(interaction, notice(text, buttons))


async def _share(interaction: Interaction, play: Play, puzzle: PuzzleName) -> Told:
    """Share a daily on today's card or, where no card takes it, as a message of its own."""
    voice = await voice_of_result(interaction, puzzle)
    card_id = None
    with suppress(TakenOffError):  # their own message is their own
        card_id = await _enter(interaction, puzzle)
    if card_id is None:
        await share_alone(interaction, play, voice)
        return "", ()
    return await _shown(interaction, card_id)


@pressed(ALWAYS, by=By.ANYBODY)
async def share_always(interaction: Interaction, channel: int) -> None:
    """Share the presser's dailies of this server in this channel from now on, without a click."""
    guild_id = server_of(interaction)
    if guild_id is None:
        return
    await interaction.client.services.entries.share_always(interaction.user.id, guild_id, channel)
    await show(interaction, notice(card_words.always(channel)))


async def share_by_itself(interaction: Interaction, play: Play, channel_id: int) -> None:
    """Share a finished daily in the channel that its player has chosen, if they may still share."""
    puzzle, guild_id = play.puzzle, play.guild_id
    if puzzle is None or guild_id is None:
        return
    services = interaction.client.services
    try:
        await voice_of_result_in(interaction, puzzle, guild_id, channel_id)
        card_id = await services.entries.enter(
            play.player_id, puzzle, guild_id, channel_id, by_itself=True
        )
        if card_id is not None:
            await update_card(interaction.client, services, card_id)
    except (Refused, StorageError, *UNDONE) as error:  # the board is shown, and has *Share*
        log.info("play %d was not shared by itself: %s", play.id, error)


async def _enter(interaction: Interaction, puzzle: PuzzleName) -> int | None:
    """Enter the presser's result on today's card here; return its id, None if no card takes it."""
    guild_id, channel_id = server_of(interaction), interaction.channel_id
    may = interaction.app_permissions  # answering an interaction needs none
    is_thread = isinstance(interaction.channel, discord.Thread)
    may_send = may.send_messages_in_threads if is_thread else may.send_messages
    if guild_id is None or channel_id is None or not (may.view_channel and may_send):
        return None
    entries = interaction.client.services.entries
    return await entries.enter(interaction.user.id, puzzle, guild_id, channel_id)


async def _shown(interaction: Interaction, card_id: int) -> Told:
    """Update today's card at once if there is time; return what to tell the player about it."""
    services = interaction.client.services
    updating = update_card(interaction.client, services, card_id, waits=False)
    await in_good_time(interaction, updating)
    place = await services.entries.place(card_id, interaction.user.id)
    if place is None:
        raise CardUnpostableError
    link = f"https://discord.com/channels/{place.guild_id}/{place.channel_id}/{place.message_id}"
    buttons = list[ui.Button[Any]]()
    if not place.is_always and not place.is_hidden:
        buttons = [button(ALWAYS(channel=place.channel_id), say(card_words.ALWAYS_BUTTON))]
    return card_words.told(place, link), buttons


async def share_from_page(client: Host, services: Services, post: WebPost) -> None:
    """Share a finished FoCdle for a player of the page, as *Share* here does."""
    player, channel = post.player_id, Channel(post.guild_id, post.channel_id)
    play = await services.daily.result(player, GameName.read(post.place).id)
    voice, card_id = await voice_of_page(client, channel, player, play.puzzle), None
    if play.puzzle is not None:
        with suppress(TakenOffError):  # their own message is their own
            card_id = await services.entries.enter(player, play.puzzle, *astuple(channel))
    if card_id is not None:
        await update_card(client, services, card_id)
        return

    async def draw(face: Face | None) -> Page:
        card = await _card(play) if may_attach(client, channel.channel_id) else None
        return result_page(play, channel.guild_id, client.tiles, card, face)

    await post_from_page(client, post, voice, draw)
