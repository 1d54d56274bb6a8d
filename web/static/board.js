// The board, the keys, and marked text.

import { html, useEffect, useRef, useState } from "./preact.js";
import { ask, clock, labels, names } from "./server.js";

const EQUATION = "12345+67890-*%=", NUMBER = "0123456789";
const SIGNS = { "*": "×", x: "×", X: "×", "-": "−" };
const signed = (text) => text.replace(/[*-]/g, (sign) => SIGNS[sign]);

const MARKED = /\\(.)|\*\*(.+?)\*\*|`([^`]*)`|\*(.+?)\*|<t:(\d+):\w>|<@!?(\d+)>/g;
const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];

function until(seconds) {
  const left = seconds - clock() / 1000;
  const [unit, size] = UNITS.find(([, of]) => Math.abs(left) >= of) || UNITS[3];
  // In the language of the texts around it: Intl refuses what some browsers call their own.
  return new Intl.RelativeTimeFormat(document.documentElement.lang).format(Math.round(left / size), unit);
}

const SECOND = 1000, HOUR = 3600 * SECOND;

// See what comes by itself when it is due. Until then the time that is left is told anew, the last minute by the second.
export function useDue(at, look) {
  const [, tell] = useState(0);
  const now = useRef();
  now.current = look;
  useEffect(() => {
    if (!at) return;
    const left = () => Date.parse(at) - clock();
    const due = left() < HOUR && setTimeout(() => now.current(), Math.max(left(), 0) + SECOND);
    const telling = setInterval(() => {
      const seconds = Math.round(left() / SECOND);
      if (seconds % 10 && (seconds < 0 || seconds > 60)) return;
      if (seconds < 0) now.current();
      else tell((n) => n + 1);
    }, SECOND);
    return () => (clearTimeout(due), clearInterval(telling));
  }, [at]);
}

// A text in an element of its own, which a translator may fill anew: no text stands between elements.
export const plain = (text) => html`<span textContent=${text} />`;

// A time has an element that is not read aloud whenever it changes.
export function marked(text) {
  const found = [];
  let end = 0, open = "";
  for (const part of text.matchAll(MARKED)) {
    const [whole, escaped, bold, code, slanted, time, player] = part;
    open += text.slice(end, part.index);
    end = part.index + whole.length;
    const inner = bold ? html`<b>${marked(bold)}</b>`
      : code !== undefined ? html`<code translate=${false}>${signed(code)}</code>`
      : slanted ? html`<i>${marked(slanted)}</i>`
      : time ? html`<span role="timer" textContent=${until(time)} />`
      : null;
    if (inner) {
      found.push(plain(open), inner);
      open = "";
    } else open += escaped ?? (names[player] || labels.somebody);
  }
  return [...found, plain(open + text.slice(end))];
}

// The same as plain text, for those who hear it.
export const heard = (text) =>
  text.replace(MARKED, (_, escaped, bold, code, slanted, time, player) =>
    escaped ?? code ?? (bold || slanted ? heard(bold || slanted) : time ? until(time) : names[player] || labels.somebody));

// What a symbol of a game is called, and a typed row.
export function nameOf(play, symbol) {
  const sign = SIGNS[symbol] === "×" ? "*" : symbol;
  return play.colours?.[symbol] || (EQUATION.includes(sign) && labels[sign]) || symbol;
}
export const readOut = (play, typed) =>
  typed.slice(0, 1 + typed.findLastIndex(Boolean)).map((symbol) => (symbol ? nameOf(play, symbol) : labels.empty)).join(" ") || labels.empty;
export const readRow = ({ spoken, remark }) => [signed(spoken), remark].filter(Boolean).join(", ");

// Lines of marked text, as in Discord.
export const Said = ({ lines }) =>
  (lines || []).map((line) => {
    if (line.startsWith("### ")) return html`<h2>${marked(line.slice(4))}</h2>`;
    if (line.startsWith("-# ")) return html`<p class="small">${marked(line.slice(3))}</p>`;
    return html`<p>${marked(line)}</p>`;
  });

const Tile = ({ symbol, mark, n, peg, ...rest }) =>
  html`<span class="tile ${mark || ""} ${peg && symbol ? `peg ${symbol}` : ""}" style=${{ "--n": n }} ...${rest}>${SIGNS[symbol] || symbol}</span>`;

const Tiles = ({ symbols, marks = "", peg }) =>
  [...symbols].map((symbol, n) => html`<${Tile} symbol=${symbol} mark=${marks[n]} n=${n} peg=${peg} />`);

// A score as key pegs: black ones for symbols in place, white ones for symbols elsewhere; a dash for none.
const Score = ({ score: [bulls, cows] }) =>
  html`<span class="score">${[...("g".repeat(bulls) + "y".repeat(cows) || "x")].map((mark) => html`<i class=${mark} />`)}</span>`;

function Guessed({ row, isNew, remark, peg }) {
  return html`<li class=${isNew ? "row new" : "row"}>
    <span class="unseen" textContent=${readRow(row)} />
    <span class="tiles" translate=${false} aria-hidden="true">
      <${Tiles} symbols=${row.symbols} marks=${row.marks} peg=${peg} />
      ${row.score && html`<${Score} score=${row.score} />`}
      ${row.remark && html`<i class="close" title=${row.remark}>≈</i>`}
    </span>
    ${remark?.length > 0 && html`<div class="remark"><${Said} lines=${remark} /></div>`}
  </li>`;
}

function Typed({ play, typed, at, choose, peg }) {
  const { shown } = play;
  return html`<li class="row typed">
    <span class="unseen" textContent=${readOut(play, typed)} />
    <span class="tiles" translate=${false} aria-hidden="true">
      ${typed.map((symbol, n) => {
        const kind = symbol ? "full" : shown[n] ? "hinted" : "";
        const place = n === at ? `${kind} here` : kind;
        return html`<${Tile} symbol=${symbol || shown[n] || ""} mark=${place} n=${n} peg=${peg} onClick=${() => choose(n)} />`;
      })}
    </span>
  </li>`;
}

// The rows of a play; `typed` is the one that is being typed, if any, `remarks` are the coach's. A code has many
// guesses: of its rows only those with something in them are shown.
export function Board({ play, typed, at, choose, fresh, remarks = [] }) {
  const empty = play.symbols || play.state !== "open" ? 0 : Math.max(play.most - play.rows.length - (typed ? 1 : 0), 0);
  const blank = Array.from({ length: play.length });
  const peg = play.symbols > "A";
  return html`<ol class="board ${play.symbols ? "code" : ""}" aria-label=${labels.board} style=${{ "--length": play.length, "--half": Math.ceil(play.length / 2) }}>
    ${play.rows.map((row, n) => html`<${Guessed} key=${n} row=${row} isNew=${n === fresh} remark=${remarks[n]} peg=${peg} />`)}
    ${typed && html`<${Typed} key="typed" play=${play} typed=${typed} at=${at} choose=${choose} peg=${peg} />`}
    ${typed &&
    Array.from({ length: empty }, (_, n) =>
      html`<li class="row" aria-hidden="true" key=${`e${n}`}>
        <span class="tiles">${blank.map((_, n) => html`<${Tile} n=${n} />`)}</span>
      </li>`)}
  </ol>`;
}

// Both columns of a duel: the player's own guesses, and the other's at the player's number.
export function Columns({ play, board }) {
  const column = ({ name, is_next, target, is_found }, rows) => html`<section class=${is_next ? "next" : ""} aria-current=${is_next || null} style=${{ "--length": play.length }}>
    <h2>${marked(name)}</h2>
    <div class="board code">
      ${target && html`<span class="unseen" textContent=${`${labels.hidden}: ${target}`} />`}
      <span class="tiles" translate=${false} aria-hidden="true">
        ${[...(target || "?".repeat(play.length))].map((symbol, n) => html`<${Tile} symbol=${symbol} mark=${is_found ? "g" : target ? "full" : "sought"} n=${n} />`)}
      </span>
    </div>
    ${rows}
  </section>`;
  return html`<div class="pair">
    ${column(play.own, board)}
    ${column(play.other, html`<${Board} play=${{ ...play, rows: play.other.rows }} />`)}
  </div>`;
}

// Rows of marks, or of scores, without what was guessed.
export const Marks = ({ rows, length }) => html`<div class="marks" style=${{ "--length": length }} aria-hidden="true">
  ${rows.map(({ marks, score }) => (score ? html`<${Score} score=${score} />` : html`<span class="tiles">${[...marks].map((mark) => html`<i class="tile ${mark}" />`)}</span>`))}
</div>`;

// Avatars by their names, asked for one after another; empty for what cannot be had.
const pictures = new Map();
let asking = Promise.resolve();
const pictureOf = (face) => {
  if (!pictures.has(face)) pictures.set(face, (asking = asking.then(() => ask(`face/${face}`)).then((found) => found.picture, () => "")));
  return pictures.get(face);
};

// A player's avatar; until it is there, and without one, a disc with an initial, in the colour that it has in Discord.
export function Face({ name, face, colour }) {
  const [picture, setPicture] = useState("");
  useEffect(() => {
    if (face) pictureOf(face).then(setPicture);
  }, [face]);
  if (picture) return html`<span class="face"><img src=${picture} alt="" /></span>`;
  return html`<span class="face" style=${{ background: colour }} translate=${false} aria-hidden="true" textContent=${[...name][0] || "?"} />`;
}

// Who else has finished, with their names.
export const Finishers = ({ faces, more }) => faces.length > 0 && html`<div class="finishers">
  <h2 textContent=${labels.finished} />
  <ul>
    ${faces.map((each) => html`<li><${Face} ...${each} /><small translate=${false} textContent=${each.name || labels.somebody} /></li>`)}
    ${more > 0 && html`<li><span class="face" textContent=${`+${more}`} /></li>`}
  </ul>
</div>`;

// The best of an evening, with their points; the winner stands in the middle.
export const Podium = ({ steps }) => html`<ol class="podium">
  ${steps.map((each) => html`<li class="step-${each.place}">
    <${Face} ...${each} />
    <small translate=${false} textContent=${each.name || labels.somebody} />
    <b textContent=${each.points} />
  </li>`)}
</ol>`;

// Who else is in a race, and what may be seen of them.
export const Standing = ({ play }) => html`${play.round && html`<p class="small" textContent=${play.round} />`}<ol class="standing">
  ${play.others.map(({ name, who, face, colour, is_own, rows }) => html`<li class=${is_own ? "own" : ""}>
    <${Face} name=${who} face=${face} colour=${colour} /><p>${marked(name)}</p>
    ${rows.length > 0 && html`<${Marks} rows=${rows} length=${play.length} />`}
  </li>`)}
</ol>`;

export function Keypad({ play, press, send, label, busy }) {
  const symbols = !play.symbols ? EQUATION : play.symbols === NUMBER ? "1234567890" : play.symbols;
  const isPeg = play.symbols > "A";
  const columns = !play.symbols ? 6 : symbols.length > 6 ? Math.ceil(symbols.length / 2) : symbols.length;
  // The last row has Delete, and what is left for the key that sends.
  const rest = columns - 1 - (symbols.length % columns) || columns;
  const key = (symbol) => {
    const mark = play.keys[symbol];
    const name = [nameOf(play, symbol), labels[mark]].filter(Boolean).join(", ");
    return html`<button class="key ${mark || ""}" aria-label=${name} onClick=${() => press(symbol)}>
      ${isPeg ? html`<span class="peg ${symbol}">${symbol}</span>` : SIGNS[symbol] || symbol}
    </button>`;
  };
  // A key that is pressed by pointer takes no focus: Enter on a keyboard still guesses.
  const stay = (event) => event.preventDefault();
  return html`<div class="keypad" translate=${false} role="group" aria-label=${labels.keys} style=${{ "--keys": columns, "--rest": rest }} onMouseDown=${stay}>
    ${[...symbols].map(key)}
    <button class="key" aria-label=${labels.delete} onClick=${() => press("Backspace")}>⌫</button>
    <button class="key send" disabled=${busy || !send} onClick=${send}>${label}</button>
  </div>`;
}

export const Legend = ({ isCode }) =>
  html`<p class="legend">
    ${(isCode ? ["g", "y"] : ["g", "y", "x"]).map((mark) => html`<span>
      ${isCode ? html`<span class="score" aria-hidden="true"><i class=${mark} /></span>` : html`<span class="tile ${mark}" aria-hidden="true" />`}
      ${plain(labels[mark])}
    </span>`)}
  </p>`;
