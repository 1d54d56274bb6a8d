// One game: its board, its keys, what may be done with it.

import { html, useEffect, useLayoutEffect, useRef, useState } from "./preact.js";
import { Board, Columns, Finishers, Keypad, Legend, Podium, Said, Standing, heard, plain, readOut, readRow, useDue } from "./board.js";
import { ask, labels, watch } from "./server.js";

// A row that is half typed outlives a reload, and a while without a network.
function kept(place, length) {
  try {
    const found = JSON.parse(sessionStorage.getItem(`row:${place}`));
    if (Array.isArray(found) && found.length === length) return found.map(String);
  } catch {}
  return Array(length).fill("");
}

function keep(place, typed) {
  try {
    if (typed.some(Boolean)) sessionStorage.setItem(`row:${place}`, JSON.stringify(typed));
    else sessionStorage.removeItem(`row:${place}`);
  } catch {}
}

function useRow(place, length) {
  const [typed, setTyped] = useState(() => kept(place, length));
  const [at, setAt] = useState(() => [...typed, ""].indexOf(""));
  const set = (row) => {
    setTyped(row);
    keep(place, row);
  };
  const move = (to) => {
    setAt(to);
    return [typed[to]];
  };
  // Returns the row, or the place in it that was moved to.
  const press = (key) => {
    const row = [...typed];
    if (key === "ArrowLeft") return move(Math.max(at - 1, 0));
    if (key === "ArrowRight") return move(Math.min(at + 1, length));
    if (key === "Backspace") {
      const place = at < length && row[at] ? at : Math.max(at - 1, 0);
      row[place] = "";
      set(row);
      setAt(place);
    } else if (at < length) {
      row[at] = key;
      set(row);
      setAt(at + 1);
    }
    return row;
  };
  const clear = () => {
    set(Array(length).fill(""));
    setAt(0);
  };
  const fill = (text) => {
    set([...text]);
    setAt(length);
  };
  // A hint shows a symbol in the row, unless another is typed there.
  const empty = (places) => set(typed.map((symbol, n) => (n in places ? "" : symbol)));
  return { typed, at, press, clear, fill, empty, choose: setAt };
}

// What can be done with a game that is over: copying comes last, and where it can be shared it may be left out.
const MOST_AFTER = 4;
const MOVES = ["Backspace", "ArrowLeft", "ArrowRight"];

// What a key types or does; empty for all other keys. The server reads signs of any script, or names
// the one that it does not know.
function meant(key) {
  if (key === "Delete") return "Backspace";
  return MOVES.includes(key) || ([...key].length === 1 && key.trim()) ? key : "";
}

// Signs may need AltGr, and Option on a Mac, which types none of ASCII.
const isCommand = (event) =>
  event.metaKey ||
  ((event.ctrlKey || event.altKey) && !event.getModifierState("AltGraph") && event.key < "\x7f");

function useKeyboard(press, guess) {
  const now = useRef();
  now.current = { press, guess };
  // At once with the board: a key that is pressed as soon as that is seen counts.
  useLayoutEffect(() => {
    const down = (event) => {
      if (isCommand(event)) return;
      if (event.target.matches("input, textarea, select")) return;
      const key = meant(event.key);
      const isButton = event.target.matches("button, a");
      if (event.key === "Enter" && !isButton && !event.repeat) now.current.guess();
      else if (key && now.current.press) {
        // Enter guesses what is typed now.
        if (isButton) event.target.blur();
        now.current.press(key);
      } else return;
      event.preventDefault();
    };
    addEventListener("keydown", down);
    return () => removeEventListener("keydown", down);
  }, []);
}

// What has come to a game that is shown: guesses, and how far others are; for those who hear it.
function newsOf(before, found) {
  const since = (rows, known) => (rows || []).slice(known?.length).slice(-1).map(readRow);
  const known = (before.others || []).map(({ name }) => name);
  return [
    ...since(found.rows, before.rows),
    ...since(found.other?.rows, before.other?.rows).map((row) => `${heard(found.other.name)}: ${row}`),
    ...(found.others || []).filter(({ name, is_own }) => !is_own && !known.includes(name)).map(({ name }) => heard(name)),
  ].join(" · ");
}
const hintsOf = (before, found) => Object.entries(found.shown).filter(([place]) => !(place in before.shown));

export function Game({ first, go, leave, offline }) {
  const [play, setPlay] = useState(first);
  const [fresh, setFresh] = useState(-1);
  const [told, setTold] = useState({});
  const [news, hear] = useState("");
  const [busy, setBusy] = useState(false);
  const [lesson, setLesson] = useState(null);
  const isCard = play.place.startsWith("seek");
  const row = useRow(play.place, play.length);
  const board = lesson ? { ...play, ...lesson } : play;
  // A symbol that a hint shows need not be typed.
  const filled = row.typed.map((symbol, n) => symbol || board.shown[n]);
  const isWhole = filled.every(Boolean);
  const text = (isWhole ? filled : row.typed).join("");
  const now = useRef();
  now.current = { play, text, row };

  // Show a newer play; a guess whose answer was lost with the network has been played, too.
  const take = (found) => {
    const { play, text, row } = now.current;
    if (found.place === undefined) throw new TypeError("an answer that names no game");
    const isElsewhere = found.place !== play.place;
    // An evening goes on with its next round, a card with its duel: from that nobody goes back to this.
    const next = found.next || (isElsewhere && isCard && found.place);
    if (next) history.replaceState(null, "", `#${next}`);
    if (next || isElsewhere) return go(next || found.place);
    if (found.version < play.version) return;
    const made = found.rows.slice(play.rows.length);
    if (made.length) setFresh(found.rows.length - 1);
    const news = newsOf(play, found), hints = hintsOf(play, found);
    if (news) hear(news);
    if (hints.length) row.empty(Object.fromEntries(hints));
    if (made.some(({ symbols }) => symbols === text)) (row.clear(), offline(false));
    setPlay(found);
  };
  // Do something, and show what comes of it or why not. What waits lets other things be done.
  const act = async (path, given, done = take, waits = false) => {
    if (busy && !waits) return;
    setBusy(!waits);
    try {
      const found = await ask(`${play.place}/${path}`, given);
      setTold((told) => (told.waits ? told : found.noted ? { said: [...found.noted, ...found.said] } : {}));
      offline(false);
      done(found);
    } catch (error) {
      const { status, data } = error;
      if (data?.play) {
        if (!given.text || data.play.rows.at(-1)?.symbols !== given.text) setTold(data);
        take(data.play);
      } else if (data?.said && ![401, 404, 409].includes(status)) setTold(data);
      else {
        setTold((told) => (told.waits ? {} : told));
        leave(error);
      }
    } finally {
      setBusy(false);
    }
  };
  useEffect(() => take(first), [first]);
  const look = async () => {
    try {
      const found = await ask(play.place);
      // What was refused does not hide what is new.
      if (`${found.said}` !== `${now.current.play.said}`) setTold((told) => (told.remarks || told.waits ? told : {}));
      take(found);
    } catch ({ status, data }) {
      if (location.hash !== `#${play.place}`) return;
      if (status === 401 || status === 409) leave({ status, data });
      // A card goes with its post, or as that could not be.
      else if (status === 404 && isCard) leave({ status, data: now.current.play.posted === false ? { said: [labels.missed] } : data });
    }
  };
  useEffect(() => {
    // After the end of a duel, a rematch may come, and after that of a race another in its channel.
    const isOver = play.state !== "open";
    if ((isOver && !play.other && !play.others) || (isCard && play.posted === undefined)) return;
    const watched = isCard ? ["place", "me"] : [isOver && play.others ? "place" : play.place];
    return watch(watched, (seen, of) => (of !== play.place || seen > now.current.play.version) && look());
  }, [play.place, play.state]);
  useDue(play.until, look);

  // What the typed row is for: a guess, or a number of one's own, perhaps once its button was pressed.
  const [wish, setWish] = useState("");
  const sends = play.actions.find(({ act, types, ask }) => act === "guess" || (types && (!ask || act === wish)));
  const isWish = sends?.ask, isAsked = sends && sends.act !== "guess";
  const wishFor = (act) => (row.clear(), setWish(act));
  // Out of a lesson into its review, out of that or a number of one's own into the game, out of that to all games.
  const back = () => {
    if (lesson) (row.clear(), setTold(lesson.coach), setLesson(null));
    else if (told.remarks || isWish) (setTold({}), wishFor(""));
    else go("");
  };
  const types = sends || play.waits || (lesson && !lesson.done);
  const guess = (sure) => {
    if (!types || !text || (!sends && !lesson)) return;
    if (!isWhole && play.place.startsWith("play-")) {
      act("complete", { text }, (found) => row.fill(found.row));
      return;
    }
    if (lesson) {
      act("better", { turn: lesson.turn, text }, (found) => setLesson({ ...lesson, ...found }));
      return;
    }
    const given = { text, at: play.at ?? play.version };
    if (sure === true) given.sure = true;
    act(sends.act, given, (found) => {
      take(found);
      if (now.current.text === text) row.clear();
    });
  };
  const press = types && ((key) => {
    setTold({});
    hear(readOut(play, row.press(key.length === 1 && play.symbols > "A" ? key.toUpperCase() : key)));
  });
  useKeyboard(press, guess);
  // Where there is little room, above the keys is the row in play, or why it was refused.
  useLayoutEffect(() => {
    const shown = document.querySelector(told.said ? ".said" : ".typed");
    if (shown) shown.scrollIntoView({ block: "nearest" });
  }, [told, row.typed, row.at, play.version]);
  const keys = types && html`<${Keypad} play=${board} press=${press} send=${(sends || lesson) && guess} label=${sends?.label || labels.guess} busy=${busy} />`;
  const rows = (types || board.rows.length > 0) && html`<${Board} play=${isWish ? { ...play, rows: [] } : board} fresh=${lesson ? -1 : fresh} choose=${row.choose}
    typed=${types ? row.typed : null} at=${row.at} remarks=${told.remarks} />`;

  const isWide = useWide();
  const shown = html`${play.own && !isAsked ? html`<${Columns} play=${play} board=${rows} />` : rows}${isWide && keys}`;

  return html`
    <header class="beside">
      <button class="back" aria-label=${labels.back} onClick=${back} textContent="‹" />
      <div><h1 textContent=${play.title} /><p textContent=${play.about} /></div>
      ${play.state === "open" && html`<button class="quiet" aria-label=${labels.how} title=${labels.how} onClick=${() => go(`how-${play.place}`)} textContent="?" />`}
    </header>
    <section class="middle">
      ${play.podium?.length > 0 && html`<${Podium} steps=${play.podium} />`}
      ${!isAsked && shown}
      ${play.legend && play.state === "open" && (types || !play.others) && html`<${Legend} isCode=${play.symbols} />`}
      <div class="unseen" role="status" textContent=${news} />
      <div class="said" role="status"><${Said} lines=${told.said || (isWish ? sends.ask.split("\n") : board.said)} /></div>
      ${isAsked && shown}
      ${told.ask && html`<p class="actions">
        <button class="main" onClick=${() => setTold({})} textContent=${labels.edit} />
        <button onClick=${() => guess(true)} textContent=${labels.anyway} />
      </p>`}
      ${lesson
        ? html`<p class="actions">
            ${!lesson.done && html`<button onClick=${() => act("better", { turn: lesson.turn }, (found) => setLesson({ ...lesson, ...found }))} textContent=${labels.best} />`}
            ${lesson.then && html`<button class="main" onClick=${() => (row.clear(), setLesson({ ...lesson.then, coach: lesson.coach }))} textContent=${labels.next} />`}
            <button onClick=${back} textContent=${labels.back} />
          </p>`
        : html`<${Actions} play=${play} act=${act} told=${told} setTold=${setTold} go=${go} wish=${isWish && wish} wishFor=${wishFor}
            find=${(found) => (row.clear(), setTold({}), setLesson({ ...found.lesson, coach: found }))} />`}
      ${play.finishers && !lesson && html`<${Finishers} ...${play.finishers} />`}
      ${play.others && html`<${Standing} play=${play} />`}
    </section>
    ${!isWide && keys}
  `;
}

// Where there is room, the keys are below the board, and what is said below the keys; else they are last.
const wide = matchMedia("(min-width: 700px) and (min-height: 481px)");

function useWide() {
  const [is, set] = useState(wide.matches);
  useEffect(() => {
    const see = () => set(wide.matches);
    wide.addEventListener("change", see);
    return () => wide.removeEventListener("change", see);
  }, []);
  return is;
}

function Actions({ play, act, told, setTold, go, find, wish, wishFor }) {
  const [asked, setAsked] = useState(null);
  const [copied, setCopied] = useState(false);
  // What is asked by the page, or by the server once something is pressed.
  const question = play.actions.find(({ act }) => act === (told.asks || asked?.act));
  // What was asked about and kept has the focus again.
  const kept = useRef("none");
  useLayoutEffect(() => {
    if (question) kept.current = question.act;
    else document.querySelector(`[data-act=${kept.current}]`)?.focus({ preventScroll: true });
  }, [question?.act]);
  const at = play.version;
  const verdict = () => {
    const take = (found) => {
      setTold(found);
      if (found.waits) setTimeout(verdict, 300);
    };
    act("verdict", undefined, take, true);
  };
  const share = () =>
    act("share", undefined, async ({ text }) => {
      try {
        await navigator.clipboard.writeText(text);
        setCopied(true);
      } catch {
        setTold({ said: [labels.select, ...text.split("\n")] });
      }
    });
  const post = () =>
    act("share", {}, ({ came, text }) => {
      if (came === "waits") setTold({ said: [labels.silent] });
      else setTold({ said: came === "sent" ? [...play.said, labels.posted] : [labels.unposted, ...text.split("\n")] });
    }, true);
  const does = {
    post,
    hard: ({ on }) => act("hard", { at, on }),
    today: () => go("today"),
    go: ({ place }) => go(place),
    practice: ({ length, level }) => go(`practice-${length}` + (level ? `-${level.replace(" ", "_")}` : "")),
    verdict: () => (setTold({ waits: true }), verdict()),
    find: () => find(told),
    share,
  };
  const start = (each) => {
    if (each.types) wishFor(each.act);
    else if (each.ask || each.fields) setAsked(each);
    else if (does[each.act]) does[each.act](each);
    else act(each.act, { at });
  };
  if (question) {
    const given = told.asks ? { sure: true } : {};
    const keep = () => (setAsked(null), setTold({}));
    return html`<${Asked} asked=${question} keep=${keep} yes=${(chosen) => (setAsked(null), act(question.act, { ...given, ...chosen, at }))} />`;
  }
  if (told.ask) return null;
  const choice = play.actions.find((each) => each.choices);
  const choose = (event) =>
    act("length", { length: Number(event.target.value) }, (found) => go(found.place));
  const found = told.lesson ? [{ act: "find" }] : [];
  const offered = play.actions.filter(({ act, types, ask, choices }) => act !== "guess" && (!types || (ask && act !== wish)) && !choices && !(act === "verdict" && (told.remarks || told.waits)))
    .filter(({ types }) => types || !wish)
    .slice(0, play.state === "open" ? undefined : MOST_AFTER);
  return html`<p class="actions">
    ${[...found, ...offered].map((each, n) => html`<button data-act=${each.act}
      class=${each.main || (play.state !== "open" && !n && !wish) ? "main" : ""} onClick=${() => start(each)}
      textContent=${each.act === "share" && copied ? labels.copied : each.label || labels[each.act]} />`)}
    ${choice && html`<select aria-label=${play.about} value=${play.length} onChange=${choose}>
      ${Object.entries(choice.choices).map(([of, label]) => html`<option value=${of} textContent=${label} />`)}
    </select>`}
  </p>`;
}

// What is asked before something is done: whether, or how.
function Asked({ asked, yes, keep }) {
  const [chosen, setChosen] = useState(() => Object.fromEntries((asked.fields || []).map(({ name, value }) => [name, value])));
  const box = useRef();
  const isForm = asked.fields?.length > 0;
  useLayoutEffect(() => {
    box.current.querySelector("select, .main").focus({ preventScroll: true });
    box.current.lastElementChild.scrollIntoView({ block: "nearest" });
  }, []);
  return html`<div ref=${box} role="group" aria-label=${heard(asked.ask || asked.label)}>
    ${asked.ask && html`<${Said} lines=${[asked.ask]} />`}
    <div class="fields">
      ${asked.fields?.map(({ name, label, choices }) => html`<label>
        ${plain(label)}
        <select value=${chosen[name]} onChange=${({ target }) => setChosen({ ...chosen, [name]: Number(target.value) })}>
          ${Object.entries(choices).map(([of, words]) => html`<option value=${of} textContent=${words} />`)}
        </select>
      </label>`)}
    </div>
    <p class="actions asked">
      <button class=${isForm ? "main" : ""} onClick=${() => yes(chosen)} textContent=${asked.yes || asked.label} />
      <button class=${isForm ? "" : "main"} onClick=${keep} textContent=${isForm ? labels.back : labels.keep} />
    </p>
  </div>`;
}
