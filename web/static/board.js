// The board, the keys, and marked text.

import { html } from "./preact.js";
import { labels } from "./server.js";

const MARKED = /\\(.)|\*\*(.+?)\*\*|`([^`]*)`|\*(.+?)\*|<t:(\d+):\w>|<@!?\d+>/g;
// In the language of the texts around it: Intl refuses what some browsers call their own.
const TIMES = new Intl.RelativeTimeFormat("en");
const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];

function until(seconds) {
  const left = seconds - Date.now() / 1000;
  const [unit, size] = UNITS.find(([, of]) => Math.abs(left) >= of) || UNITS[3];
  return TIMES.format(Math.round(left / size), unit);
}

// A text in an element of its own, which a translator may fill anew: no text stands between elements.
export const plain = (text) => html`<span textContent=${text} />`;

function marked(text) {
  const found = [];
  let end = 0, open = "";
  for (const part of text.matchAll(MARKED)) {
    const [whole, escaped, bold, code, slanted, time] = part;
    open += text.slice(end, part.index);
    end = part.index + whole.length;
    const inner = bold ? html`<b>${marked(bold)}</b>`
      : code !== undefined ? html`<code translate=${false}>${code}</code>`
      : slanted ? html`<i>${marked(slanted)}</i>`
      : null;
    if (inner) {
      found.push(plain(open), inner);
      open = "";
    } else open += escaped ?? (time ? until(time) : labels.somebody);
  }
  return [...found, plain(open + text.slice(end))];
}

// Lines of marked text, as in Discord.
export const Said = ({ lines }) =>
  (lines || []).map((line) => {
    if (line.startsWith("### ")) return html`<h2>${marked(line.slice(4))}</h2>`;
    if (line.startsWith("-# ")) return html`<p class="small">${marked(line.slice(3))}</p>`;
    return html`<p>${marked(line)}</p>`;
  });

const SIGNS = { "*": "×", x: "×", X: "×", "-": "−" };

const Tile = ({ symbol, mark, n, ...rest }) =>
  html`<span class="tile ${mark || ""}" style=${{ "--n": n }} ...${rest}>${SIGNS[symbol] || symbol}</span>`;

function Guessed({ row, isNew, remark }) {
  return html`<li class=${isNew ? "row new" : "row"}>
    <span class="unseen" textContent=${row.spoken} />
    <span class="tiles" translate=${false} aria-hidden="true">
      ${[...row.symbols].map((symbol, n) => html`<${Tile} symbol=${symbol} mark=${row.marks[n]} n=${n} />`)}
    </span>
    ${remark ? html`<div class="remark"><${Said} lines=${remark} /></div>` : row.remark && html`<small textContent=${row.remark} />`}
  </li>`;
}

function Typed({ typed, at, shown, choose }) {
  const spoken = typed.join("") || labels.empty;
  return html`<li class="row typed">
    <span class="unseen" textContent=${spoken} />
    <span class="tiles" translate=${false} aria-hidden="true">
      ${typed.map((symbol, n) => {
        const kind = symbol ? "full" : shown[n] ? "hinted" : "";
        const place = n === at ? `${kind} here` : kind;
        return html`<${Tile} symbol=${symbol || shown[n] || ""} mark=${place} n=${n} onClick=${() => choose(n)} />`;
      })}
    </span>
  </li>`;
}

// The rows of a play; `typed` is the one that is being typed, if any, `remarks` are the coach's.
export function Board({ play, typed, at, choose, fresh, remarks = [] }) {
  const empty = Math.max(play.most - play.rows.length - (typed ? 1 : 0), 0);
  const blank = Array.from({ length: play.length });
  return html`<ol class="board" aria-label=${labels.board} style=${{ "--length": play.length }}>
    ${play.rows.map((row, n) => html`<${Guessed} key=${n} row=${row} isNew=${n === fresh} remark=${remarks[n]} />`)}
    ${typed && html`<${Typed} key="typed" typed=${typed} at=${at} shown=${play.shown} choose=${choose} />`}
    ${play.state === "open" &&
    Array.from({ length: empty }, (_, n) =>
      html`<li class="row" aria-hidden="true" key=${`e${n}`}>
        <span class="tiles">${blank.map((_, n) => html`<${Tile} n=${n} />`)}</span>
      </li>`)}
  </ol>`;
}

const ROWS = ["12345+", "67890-", "*%="];
const SYMBOLS = ROWS.join("");

export function Keypad({ marks, press, guess, busy }) {
  const key = (symbol) => {
    const mark = marks[symbol];
    const name = [labels[symbol] || symbol, labels[mark]].filter(Boolean).join(", ");
    return html`<button class="key ${mark || ""}" aria-label=${name} onClick=${() => press(symbol)}>
      ${SIGNS[symbol] || symbol}
    </button>`;
  };
  // A key that is pressed by pointer takes no focus: Enter on a keyboard still guesses.
  const stay = (event) => event.preventDefault();
  return html`<div class="keypad" translate=${false} role="group" aria-label=${labels.keys} onMouseDown=${stay}>
    ${[...SYMBOLS].map(key)}
    <button class="key" aria-label=${labels.delete} onClick=${() => press("Backspace")}>⌫</button>
    <button class="key send" disabled=${busy} onClick=${guess}>${labels.guess}</button>
  </div>`;
}

export const Legend = () =>
  html`<p class="legend">
    ${["g", "y", "x"].map((mark) => html`<span><span class="tile ${mark}" translate=${false} aria-hidden="true">7</span> ${plain(labels[mark])}</span>`)}
  </p>`;
