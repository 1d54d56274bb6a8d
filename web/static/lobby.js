// What is open in the channel where the page was opened: races to join, and to open.

import { html, useEffect, useState } from "./preact.js";
import { Said } from "./board.js";
import { ask, clock, labels, watch } from "./server.js";

const SECOND = 1000;

export function Lobby({ go, leave }) {
  const [here, setHere] = useState(null);
  const [told, setTold] = useState([]);
  const [busy, setBusy] = useState(false);
  const look = async () => {
    try {
      setHere(await ask("place"));
    } catch (error) {
      if (error.status === 401 || error.status === 409) leave(error);
    }
  };
  useEffect(() => void look(), []);
  useEffect(() => here?.here && watch("place", look), [here?.here]);
  // What comes by itself is looked for when it is due; until then the time that is left is told anew.
  const [, tell] = useState(0);
  const due = here?.races.map(({ until }) => until).sort()[0];
  useEffect(() => {
    if (!due) return;
    const waiting = setTimeout(look, Math.max(Date.parse(due) - clock(), SECOND) + SECOND);
    const telling = setInterval(() => tell((n) => n + 1), 10 * SECOND);
    return () => (clearTimeout(waiting), clearInterval(telling));
  }, [due, here]);
  const act = async (path, given, done) => {
    setBusy(true);
    setTold([]);
    try {
      await done(await ask(path, given));
    } catch (error) {
      if (!error.data?.said || error.status === 401 || error.status === 409) leave(error);
      else {
        setTold(error.data.said);
        look();
      }
    } finally {
      setBusy(false);
    }
  };
  if (!here) return null;
  if (!here.here) return html`<p class="small" textContent=${labels.nowhere} />`;
  return html`
    <h2 textContent=${labels.here} />
    ${here.races.map(({ place, lines, join }) => html`<div class="open">
      <button onClick=${() => go(place)}><${Said} lines=${lines} /></button>
      ${join && html`<button class="main" disabled=${busy} onClick=${() => act(`${place}/join`, { at: 0 }, () => go(place))} textContent=${join} />`}
    </div>`)}
    <p class="actions">
      ${Object.entries(here.games).map(([game, label]) => html`<button disabled=${busy} onClick=${() => act("race", { game }, (found) => go(found.place))} textContent=${label} />`)}
    </p>
    <div role="status"><${Said} lines=${told} /></div>
  `;
}
