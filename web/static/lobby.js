// What is open in the channel where the page was opened: races to join and to open, and who looks for an opponent.

import { html, useEffect, useState } from "./preact.js";
import { plain, Said, useDue } from "./board.js";
import { ask, labels, watch } from "./server.js";

// `leads` says that nothing else on the page is to be done first.
export function Lobby({ games, go, refresh, leave, leads }) {
  const [here, setHere] = useState(null);
  const [told, setTold] = useState([]);
  const [busy, setBusy] = useState(false);
  const [rounds, setRounds] = useState(1);
  const look = async () => {
    try {
      setHere(await ask("place"));
    } catch (error) {
      if (error.status === 401 || error.status === 409) leave(error);
    }
  };
  useEffect(() => void look(), []);
  useEffect(() => watch(["place", "me"], () => (look(), refresh())), []);
  useDue(here?.races.map(({ until }) => until).sort()[0], look);
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
  const races = here.races.filter(({ place }) => !games.some((game) => game.place === place));
  const asks = leads && !races.some(({ join }) => join);
  return html`
    <h2 textContent=${labels.here} />
    ${races.map(({ place, lines, join }) => html`<div class="open">
      <button onClick=${() => go(place)}><${Said} lines=${lines} /></button>
      ${join && html`<button class="main" disabled=${busy} onClick=${() => act(`${place}/join`, { at: 0 }, () => go(place))} textContent=${join} />`}
    </div>`)}
    ${here.seek && html`<div class="open">
      <button onClick=${() => go(here.seek.place)}><${Said} lines=${here.seek.lines} /></button>
      ${here.seek.label && html`<button class="main" onClick=${() => go(here.seek.place)} textContent=${here.seek.label} />`}
    </div>`}
    ${here.ask.length > 0 && html`<button class=${asks ? "main" : ""} onClick=${() => go("seek-0")}><${Said} lines=${here.ask} /></button>`}
    ${here.rounds.length > 0 && html`<fieldset class="actions">
      <legend textContent=${labels.race} />
      ${Object.entries(here.games).map(([game, label]) => html`<button disabled=${busy} onClick=${() => act("race", { game, rounds }, (found) => go(found.place))} textContent=${label} />`)}
      <label>
        ${plain(labels.rounds)} <select value=${rounds} onChange=${({ target }) => setRounds(Number(target.value))}>
          ${here.rounds.map((n) => html`<option value=${n} textContent=${n} />`)}
        </select>
      </label>
    </fieldset>`}
    <div role="status"><${Said} lines=${told} /></div>
  `;
}
