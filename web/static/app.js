// The page: which screen is shown, and to whom.

import { html, render, useEffect, useErrorBoundary, useRef, useState } from "./preact.js";
import { Board, Face, Finishers, Legend, Marks, plain, Said, useDue } from "./board.js";
import { Game } from "./game.js";
import { Lobby } from "./lobby.js";
import { ask, askPatiently, labels, show } from "./server.js";

const page = document.getElementById("page");
const isFramed = new URLSearchParams(location.search).has("frame_id") && document.getElementById("activity").textContent !== "null";
const discord = isFramed ? await import("./discord.js") : null;
let isIn = !discord;
const coming = {};

// Let Discord say who plays; a board from which the page was launched is opened.
async function comeIn(alone) {
  const { open } = await (coming[alone] ??= discord.enter(alone).finally(() => delete coming[alone]));
  isIn = true;
  if (open && !place()) history.replaceState(null, "", `#${open}`);
}

// A ticket, and its game: those who have used the ticket up, and are signed in, see that.
const LINK = /^([0-9a-f]{64})\.(\w+-\d+)$/;
const place = () => location.hash.slice(1);
// As the topics of how to play are in order.
const KINDS = ["play", "mastermind", "duel", "race"];

function go(to) {
  if (to === place()) dispatchEvent(new HashChangeEvent("hashchange"));
  else location.hash = to;
}

// What a place loads: [screen, data], and the place that shows it from now on, if that is another.
async function load(to, alone) {
  if (!discord && location.origin !== new URL(page.dataset.url).origin) throw { status: 421, data: { said: [labels.moved] } };
  if (!isIn) {
    await comeIn(alone);
    to = place();
  }
  const [, ticket, linked] = LINK.exec(to) || [];
  if (ticket) {
    const [look, me] = await Promise.all([
      askPatiently("enter/look", { ticket }).catch((error) => ({ error })),
      ask("me").catch(() => null),
    ]);
    if (!look.error) return ["enter", { ...look, ticket, linked, me }];
    const { status, data } = look.error;
    if (status !== 410 || !me) throw look.error;
    return load(linked).catch((error) => {
      throw error.status === 404 ? { status, data: { ...data, me } } : error;
    });
  }
  const me = await ask("me");
  show(me.player);
  // The door is in the browser's language, what is behind it in the player's.
  if (document.documentElement.lang !== me.language) {
    Object.assign(labels, await ask("labels"));
    document.documentElement.lang = me.language;
  }
  document.body.dataset.palette = me.palette;
  const [practice, length, level] = /^practice(?:-(\d+))?(?:-([a-z_]+))?$/.exec(to) || [];
  const [, puzzle] = /^puzzle-(.+)$/.exec(to) || [];
  if (/^(play|mastermind|duel|race|seek)-\d+$/.test(to)) {
    const found = await ask(to);
    return ["game", found, found.place];
  }
  // How a game is played, from a game or from home.
  const [how, from = "", kind] = /^how(?:-((\w+)-\d+))?$/.exec(to) || [];
  if (how) return ["how", { ...(await ask("how")), from, topic: Math.max(KINDS.indexOf(kind === "seek" ? "duel" : kind), 0) }];
  const [archive, month] = /^archive(?:-(\d{4}-\d\d))?$/.exec(to) || [];
  if (archive) return ["archive", await ask(month ? `archive?month=${month}` : "archive")];
  const opened =
    to === "today" || to === "mastermind" ? ask(to, {})
    : practice ? ask("practice", { length: length && Number(length), level: level?.replace("_", " ") })
    : puzzle ? ask("open", { puzzle })
    : null;
  if (!opened) return ["home", { ...me, ...(await ask("start")) }];
  const play = await opened;
  return ["game", play, play.place];
}

// What is said of an error of the page's own: its reference is the place where it arose.
function broken(error) {
  console.error(error);
  const [where] = /\b(?!preact)\w+\.js:\d+:\d+/.exec(error.stack) || [""];
  const said = labels.broken.replace("{reference}", `${error.name} ${where}`);
  return { said: said.split("\n") };
}

function Page() {
  const [[screen, data], turn] = useState(["", {}]);
  const [isOffline, offline] = useState(!navigator.onLine);
  const latest = useRef(0);
  const leave = (error) => {
    const { status = 400, data = broken(error) } = error;
    offline(!status);
    if (status) turn(["refused", { ...data, status, come }]);
  };
  useErrorBoundary(leave);
  const come = async (event, alone = false) => {
    const number = ++latest.current, was = navigator.onLine;
    try {
      const [screen, data, at] = await load(place(), alone);
      if (number !== latest.current) return;
      if (at) history.replaceState(null, "", `#${at}`);
      document.title = data.title || data.game || "FoCdle";
      turn([screen, data]);
      // What came while the network went does not tell that it is there; browsers err on whether it is.
      if (navigator.onLine === was) offline(false);
    } catch (error) {
      if (number !== latest.current) return;
      leave(error);
      if (error.status === 504) discord.connected.then(come);
    }
  };
  // A screen that comes in the place of what had the focus is read from its heading on.
  useEffect(() => {
    if (screen !== "game") scrollTo(0, 0);
    const heading = page.querySelector("h1");
    if (latest.current < 2 || !heading || document.activeElement !== document.body) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }, [screen, data.place]);
  // A network may be back without a word.
  useEffect(() => {
    if (!isOffline) return;
    const asking = setInterval(come, 10000);
    return () => clearInterval(asking);
  }, [isOffline]);
  useEffect(() => {
    const lost = () => offline(true);
    addEventListener("hashchange", come);
    addEventListener("offline", lost);
    addEventListener("online", come);
    come();
  }, []);
  const shown = { enter: Enter, home: Home, how: How, archive: Archive, refused: Refused, game: Game }[screen];
  return html`
    ${isOffline && html`<p class="offline" role="alert">
      ${plain(labels.offline)} <button onClick=${() => (offline(false), come())} textContent=${labels.again} />
    </p>`}
    ${!shown && html`<${Title} text="FoCdle" />`}
    ${!shown && !isOffline && html`<p class="middle waiting" role="status" textContent=${labels.connecting} />`}
    ${shown && html`<${shown} key=${`${screen}${data.place}`} first=${data} data=${data} go=${go} leave=${leave} offline=${offline} />`}
    ${shown && shown !== Game && !isFramed && html`<footer class="small"><a href="privacy" textContent=${labels.privacy} />${plain(" · ")}<a href="terms" textContent=${labels.terms} /></footer>`}
  `;
}

const Title = ({ text, go, children }) => html`<header>
  ${go && html`<button class="back" aria-label=${labels.back} onClick=${() => go("")} textContent="‹" />`}
  <h1 textContent=${text} />
  ${children}
</header>`;

function Enter({ data, leave }) {
  const [busy, setBusy] = useState(false);
  const enter = async () => {
    setBusy(true);
    try {
      await askPatiently("enter", { ticket: data.ticket });
      history.replaceState(null, "", `#${data.linked}`);
      dispatchEvent(new HashChangeEvent("hashchange"));
    } catch (error) {
      setBusy(false);
      if (error.status === 410) go(place());
      else leave(error);
    }
  };
  const isOther = data.me && data.me.player !== data.player;
  return html`<${Title} text=${data.game} />
    <section class="middle">
      <p textContent=${data.about} />
      <div class="sample"><${Board} play=${data.board} /></div>
      ${isOther && html`<p textContent=${labels.other.replace("{name}", data.me.name || labels.somebody)} />`}
      <button class="main big" disabled=${busy} onClick=${enter} textContent=${data.enter} />
    </section>`;
}

const List = ({ title, games }) => games.length > 0 && html`<h2 textContent=${title} />
  ${games.map((game) => html`<button key=${game.place} onClick=${() => go(game.place)}><${Said} lines=${game.lines} /></button>`)}`;

function Home({ data, leave }) {
  const [level, setLevel] = useState("");
  const { today, games } = data;
  const waiting = games.filter((game) => game.waits);
  // Others play on meanwhile; unless a game is on its way already.
  const refresh = () => place() || go("");
  useDue(today.until, refresh);
  const signOut = () => ask("leave", {}).catch(() => {}).then(() => go(""));
  return html`<${Title} text="FoCdle">
      <span class="me"><${Face} ...${data} /><span translate=${false} textContent=${data.name} /></span>
      <button aria-label=${labels.how} title=${labels.how} onClick=${() => go("how")} textContent="?" />
    </${Title}>
    <section class="middle list home">
      <${List} title=${labels.waiting} games=${waiting} />
      <div class="today">
        <${Said} lines=${today.said} />
        ${today.rows.length > 0 && html`<${Marks} rows=${today.rows} length=${today.length} />`}
        <button class="${today.is_over ? "" : "main"} big" onClick=${() => go("today")} textContent=${labels.today} />
        <${Finishers} ...${data.finishers} />
      </div>
      <${Lobby} games=${games} go=${go} refresh=${refresh} leave=${leave} leads=${today.is_over && !waiting.length} />
      <${List} title=${labels.games} games=${games.filter((game) => !game.waits)} />
      <h2 textContent=${labels.solo} />
      <div class="beside-it">
        <button onClick=${() => go(level ? `practice-${level.replace(" ", "_")}` : "practice")} textContent=${labels.practice} />
        <label>${plain(labels.level)} <select value=${level} onChange=${({ target }) => setLevel(target.value)}>
          <option value="" textContent=${labels.any} />
          ${Object.entries(data.levels).map(([of, words]) => html`<option value=${of} textContent=${words} />`)}
        </select></label>
      </div>
      <button onClick=${() => go("mastermind")} textContent=${labels.mastermind} />
      <button onClick=${() => go("archive")} textContent=${labels.archive} />
      ${!isFramed && html`<button class="quiet" onClick=${signOut} textContent=${labels.leave} />`}
    </section>`;
}

const How = ({ data }) => html`<${Title} text=${labels.how} go=${() => go(data.from)} />
  <section class="middle list how">
    ${data.topics.map(({ title, said, board, then }, n) => html`<details open=${n === data.topic}><summary textContent=${title} /><${Said} lines=${said} />
      ${board && html`<div class="sample"><${Board} play=${board} /></div><${Legend} isCode=${board.symbols} /><${Said} lines=${then} />`}</details>`)}
  </section>`;

// What has come of a day's puzzle, as a mark and a sign.
const DONE = { solved: ["g", "✓"], lost: ["x", "✗"], open: ["y", "…"], new: ["", ""] };

const turn = (to, sign) => (to ? html`<button aria-label=${to.label} onClick=${() => go(`archive-${to.month}`)} textContent=${sign} />` : html`<i />`);

const Archive = ({ data }) => html`<${Title} text=${labels.archive} go=${go} />
  <section class="middle">
    <div class="months">
      ${turn(data.earlier, "←")}
      <h2 role="status" textContent=${data.title} />
      ${turn(data.later, "→")}
    </div>
    <div class="month" translate=${false}>
      ${data.weekdays.map((name) => html`<small aria-hidden="true" textContent=${name} />`)}
      ${data.days.map(({ puzzle, day, weekday, state, label }) => html`<button class=${DONE[state][0]} aria-label=${label} title=${label} style=${{ "--weekday": weekday }} onClick=${() => go(`puzzle-${puzzle}`)}>
        ${day}<i>${DONE[state][1]}</i>
      </button>`)}
    </div>
    <p class="legend">
      ${Object.entries(data.states).map(([state, words]) => html`<span><i class="tile ${DONE[state][0]}" translate=${false} aria-hidden="true">${DONE[state][1]}</i>${plain(words)}</span>`)}
    </p>
  </section>`;

// What helps after a refusal: its label, and what it does or where it leads. What passes is tried again where it
// was: a link is not spent yet. A frame is never loaded again, as Discord greets it once; it says once more who plays.
function help({ status, me, come }) {
  const isSignedOut = status === 401 || (status === 410 && !me);
  const passes = status >= 500 || [403, 428, 429].includes(status);
  if (status === 421) return [page.dataset.url, page.dataset.url + location.hash];
  if (status === 400 && !discord) return [labels.again, () => location.reload()];
  if (!discord && (isSignedOut || (!passes && !place()))) return [labels.discord, page.dataset.discord];
  const enterAgain = () => {
    isIn = false;
    history.replaceState(null, "", "#");
    come();
  };
  if (isSignedOut) return [labels.again, enterAgain];
  return passes || !place() ? [labels.again, come] : [labels.home, () => go("")];
}

function goOutside(event) {
  if (!discord.isConnected) return;
  event.preventDefault();
  discord.openOutside(event.target.href);
}

function Refused({ data }) {
  const [label, does] = help(data);
  return html`<${Title} text="FoCdle" go=${typeof does !== "string" && place() && go} />
    <section class="middle" role="alert">
      <${Said} lines=${data.said} />
      <p class="actions">
        ${typeof does === "string" ? html`<a class="main" href=${does} textContent=${label} />` : html`<button class="main" onClick=${does} textContent=${label} />`}
        ${discord && data.status === 403 && html`<button onClick=${() => data.come(null, true)} textContent=${labels.alone} />`}
        ${discord && html`<a href=${page.dataset.url} target="_blank" rel="noopener" onClick=${goOutside} textContent=${labels.outside} />`}
      </p>
    </section>`;
}

page.replaceChildren();
render(html`<${Page} />`, page);
