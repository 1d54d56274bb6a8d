"""A world in the browser: SimCord's page, with our changes to it."""

import asyncio
import logging
from base64 import b64decode
from collections.abc import AsyncGenerator, Collection, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final, cast

import simcord
from simcord.backend.cdn import CDN_BASE
from simcord.preview import Preview
from simcord.preview._media import MediaInfo, MediaWorker

from bot.app import CodebreakerBot
from bot.clock import Clock
from bot.people.album import avatar_url
from bot.people.model import face_of
from bot.playground.world import World
from bot.refusals import SENTENCES
from bot.refused import Refused
from bot.text.language import ENGLISH, language_name, offered
from bot.text.pictures.boards import disc_file
from bot.text.pictures.tile_art import SIZE
from cogs.ui.pages import THUMBNAIL

log = logging.getLogger(__name__)

# As in Discord's own app: emojis grow with their text, headings keep their distance, and what
# is beside a text stays there on a phone, as does the arrow that sends. SimCord's page draws all
# emojis 20 pixels wide, and cuts off what a phone's toolbar has no room for.
_STYLE: Final = """
.text-display :is(h1, h2, h3) { margin: 16px 0 8px; line-height: 1.375em; }
.text-display h1 { font-size: 24px; }
.text-display h2 { font-size: 20px; }
.text-display h3 { font-size: 16px; }
.component-section { grid-template-columns: minmax(0, 1fr) auto; }
.toolbar-button[href] { display: inline-flex; align-items: center; text-decoration: none; }
@media (max-width: 560px) {
  .preview-brand, #capture-open, #inspector-toggle, #view-action-output { display: none; }
}
.channel-composer { grid-template-columns: minmax(0, 1fr); }
.text-display .custom-emoji { width: 1.375em; height: 1.375em; vertical-align: bottom; }
"""

_MENU: Final = '<details class="session-menu">'
_LANGUAGES: Final = '<label class="viewer-control">Language <select id="language">'
# The second part scrolls to an answer: a private message, or what a command shows. The third lets
# the time that is left run, as Discord's own app does; what has a year is a date.
_SCRIPT: Final = """
document.getElementById("language").onchange = ({ target }) => fetch(`/?language=${target.value}`);
new MutationObserver(() => {
  const last = ui.messageList.lastElementChild;
  const isAnswer = last?.querySelector(".message-ephemeral-note, .message-interaction-header");
  if (isAnswer && !ui.newMessages.hidden) ui.newMessages.click();
}).observe(ui.messageList, { childList: true });
let shown, since;
setInterval(() => {
  const { locale, presentationTime } = state.profile;
  if (shown !== presentationTime) [shown, since] = [presentationTime, Date.now()];
  const told = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  for (const time of ui.messageList.querySelectorAll("time.discord-timestamp")) {
    const left = (Date.parse(time.dateTime) - Date.parse(shown) - Date.now() + since) / 1000;
    const units = [[86400, "day"], [3600, "hour"], [60, "minute"], [1, "second"]];
    const [size, unit] = units.find(([size]) => Math.abs(left) >= size) || units.at(-1);
    const isDate = /[0-9]{4}/.test(time.textContent);
    if (!isDate) time.textContent = told.format(Math.round(left / size), unit);
  }
}, 1000);
"""
_BEAT_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True)
class BrowserPage:
    """SimCord's page of a world; the lock `turn` allows one action at a time."""

    preview: Preview
    turn: asyncio.Lock


@asynccontextmanager
async def open_browser_page(
    world: World,
    clock: Clock,
    *,
    port: int | None = None,
    tabs: Mapping[str, str] | None = None,
    **options: Any,
) -> AsyncGenerator[BrowserPage]:
    """Serve a world's first channel on 127.0.0.1, and let its time follow a clock.

    `tabs` maps labels of links in the toolbar to addresses. `options` are passed on to SimCord's
    preview.
    """
    pictures = _uploaded_pictures(world.env) | _avatars(world.env)
    preview = world.env.preview(
        world.channels[0],
        viewers=world.members,
        layout="channel",
        port=port,
        assets=pictures,
        **options,
    )
    turn = asyncio.Lock()
    _take_turns(preview, turn)
    _allow_refusals(world.env)
    _trust(preview, frozenset(picture for _, picture in pictures.values()))
    _dress(preview, tabs or {})
    async with preview:
        beat = asyncio.create_task(_follow(preview, clock, turn))
        try:
            yield BrowserPage(preview, turn)
        finally:
            beat.cancel()
            with suppress(asyncio.CancelledError):
                await beat


def _uploaded_pictures(env: simcord.Env) -> dict[str, tuple[str, bytes]]:
    """Map the addresses of uploaded emojis to their pictures.

    SimCord's Discord keeps an emoji's name only, while the page asks for the picture.
    """
    uploads = {
        request.json["name"]: b64decode(request.json["image"].partition(",")[2])
        for request in env.http_requests
        if request.method == "POST" and request.path.endswith("/emojis") and request.json
    }
    return {
        f"{CDN_BASE}/emojis/{emoji.id}.png": (f"{emoji.name}.png", uploads[emoji.name])
        for emoji in env.backend.application_emojis.values()
        if emoji.name in uploads
    }


def _avatars(env: simcord.Env) -> dict[str, tuple[str, bytes]]:
    """Map the addresses of avatars, those in our pages and SimCord's, to pictures drawn here."""
    found: dict[str, tuple[str, bytes]] = {}
    for user in env.backend.users.values():
        if face := face_of(user.id, user.avatar):
            drawn = (f"{user.name}.png", disc_file(user.id, user.global_name or user.name, SIZE))
            own = avatar_url(face, THUMBNAIL, CDN_BASE).partition("?")[0]
            found |= {avatar_url(face, THUMBNAIL): drawn, own: drawn}
    return found


def _take_turns(preview: Preview, turn: asyncio.Lock) -> None:
    """Let actions from the browser and beats of the clock wait for each other.

    SimCord refuses overlapping actions, and the page would show errors. The bot also answers a
    command that an action has sent as text; on Discord it would not even see that. This,
    `_allow_refusals`, `_trust`, `_dress` and `_override_locale` patch SimCord's private parts.
    """
    act = getattr(preview, "_action", None)
    if act is None:
        raise RuntimeError("SimCord's preview has moved `_action`, which must be wrapped here")
    pages = vars(preview)["_pages"]

    async def act_in_turn(context_id: Any, body: Any) -> Any:
        async with turn:
            # As on Discord, an action is not refused for what others did meanwhile.
            if "published_revision" in body:
                body |= {"published_revision": pages[context_id].revision}
            done = await act(context_id, body)
            await _answer_text(preview, body)
            return done

    vars(preview)["_action"] = act_in_turn


def _allow_refusals(env: simcord.Env) -> None:
    """Let a refused command be answered as others are.

    The bot raises a refusal, and tells the player of it; the page would say that the bot failed,
    and keep the command open.
    """
    record = getattr(env, "_record_error", None)
    if record is None:
        raise RuntimeError("SimCord has moved `_record_error`, which must be wrapped here")

    def record_bug(error: BaseException) -> None:
        cause = getattr(error, "original", error)
        if not isinstance(cause, Refused) and type(cause) not in SENTENCES:
            record(error)

    vars(env)["_record_error"] = record_bug


async def _answer_text(preview: Preview, action: Mapping[str, Any]) -> None:
    """Explain how to send a command, if an action has sent one as text."""
    bot = cast("CodebreakerBot", preview.env.bot)
    sent = str(action.get("content", "")) if action.get("kind") == "send_message" else ""
    command = meant_command(sent, [each.name for each in bot.tree.get_commands()])
    if command is not None:
        await bot.get_partial_messageable(preview.channel.id).send(
            f"That was sent as text. Type `/{command}`, choose it from the list that opens, then "
            "send it."
        )
        await preview.refresh()


def _trust(preview: Preview, pictures: frozenset[bytes]) -> None:
    """Serve our own pictures without SimCord's check.

    The check starts a process for each picture, so a board's tiles would appear one by one, for
    seconds.
    """
    if "_media_worker" not in vars(preview):
        raise RuntimeError("SimCord's preview has moved `_media_worker`, which is replaced here")
    vars(preview)["_media_worker"] = _TrustingWorker(pictures)


class _TrustingWorker(MediaWorker):
    def __init__(self, trusted: frozenset[bytes]) -> None:
        super().__init__()
        self._trusted = trusted

    async def validate(
        self, key: str, blob: bytes, *, media_time: float | None = None
    ) -> MediaInfo:
        if blob not in self._trusted:
            return await super().validate(key, blob, media_time=media_time)
        pixels = SIZE * SIZE
        return MediaInfo(
            "PNG", SIZE, SIZE, 1, 4 * pixels, blob, "image/png", capture=blob, poster=blob
        )


def _dress(preview: Preview, tabs: Mapping[str, str]) -> None:
    """Give texts and emojis in the page Discord's sizes, and add tabs to its toolbar."""
    server = getattr(preview, "_server", None)
    serve = getattr(server, "_static", None)
    if serve is None:
        raise RuntimeError("SimCord's preview has moved `_static`, which must be wrapped here")

    links = "".join(
        f'<a class="toolbar-button" href="{address}" target="_blank">{label}</a>'
        for label, address in tabs.items()
    )

    sent = _override_locale(preview.env)

    async def serve_dressed(request: Any) -> Any:
        response, asked = await serve(request), request.query.get("language")
        if asked in offered():
            sent["locale"] = asked
        if response.content_type == "text/css":
            response.text += _STYLE
        elif request.path.endswith("/app.js"):
            response.text += _SCRIPT
        elif response.content_type == "text/html":
            options = "".join(
                f'<option value="{tag}"{" selected" * (tag == sent["locale"])}>{language_name(tag)}'
                for tag in offered()
            )
            added = f"{links}{_LANGUAGES}{options}</select></label>{_MENU}"
            response.text = response.text.replace(_MENU, added, 1)
        return response

    vars(server)["_static"] = serve_dressed


def _override_locale(env: simcord.Env) -> dict[str, str]:
    """Let Discord send the locale that the page has chosen; SimCord sends en-US always."""
    sent, emit = {"locale": ENGLISH}, env.backend.emit

    def emit_it(name: str, payload: dict[str, Any], *others: Any) -> Any:
        return emit(name, payload | sent if "locale" in payload else payload, *others)

    vars(env.backend)["emit"] = emit_it
    return sent


async def _follow(preview: Preview, clock: Clock, turn: asyncio.Lock) -> None:
    """Keep a world and its page at the clock's time, and the page at what the bot has sent.

    By themselves all of them stand still until somebody acts in the browser.
    """
    env, shown = preview.env, 0
    while True:
        await asyncio.sleep(_BEAT_SECONDS)
        async with turn:
            behind = (clock.now() - env.now()).total_seconds()
            try:
                await env.advance_time(max(behind, 0.0))
            except TimeoutError:
                log.warning("the world's clock is late; it will catch up")
            preview.capture_time = env.now()
            if shown != (shown := len(env.http_requests)):
                await preview.refresh()


def meant_command(text: str, names: Collection[str]) -> str | None:
    """Return the command that a text means, the first one if it is unknown; None for mere talk.

    Without its slash, a command is meant alone, or before an option; an equation is a guess.

    >>> meant_command("/focdel 1", ["focdle"]), meant_command("Focdle", ["focdle"])
    ('focdle', 'focdle')
    >>> meant_command("duel @Ben", ["duel"]), meant_command("12+34-5=41", ["duel"])
    ('duel', 'focdle')
    >>> meant_command("focdle is fun", ["focdle"])
    """
    words = text.strip().lower().split()
    if not words:
        return None
    name, is_typed = words[0].removeprefix("/"), words[0].startswith("/")
    option = words[1] if len(words) > 1 else ""
    if name in names and (is_typed or not option.isalpha() or option in names):
        return name
    is_equation = "=" in name and set(name) <= set("0123456789+-*%=")
    return "focdle" if is_typed or is_equation else None
