// What the page asks the server, and what the server tells by itself.

export const labels = JSON.parse(document.getElementById("labels").textContent);

// The players of the games that were asked for, by id.
export const names = {};
let player = "";
// Within Discord: what the frame keeps, only in memory, and what lets it in again.
const MINUTE = 60000;
let session = "", endsAt = 0;
let renew = null, renewing = null;

// What time it is by the server's clock: a player's may be wrong.
let ahead = 0;
export const clock = () => Date.now() + ahead;

export const show = (id) => {
  player = id;
};

export const letIn = (kept, seconds, again) => {
  session = kept;
  endsAt = Date.now() + 1000 * seconds;
  renew = again;
};

const enterAgain = () => (renewing ??= renew().finally(() => (renewing = null)));

// The server gives up a little earlier.
const PATIENCE = 12000;

// Ask, and return the answer; throw {status, data}, whose status is 0 if nothing of ours answers.
// A session is begun anew shortly before its end, or later; one that ended before was ended by its player.
export async function ask(path, given) {
  if (!renew || path === "discord") return askOnce(path, given);
  if (Date.now() > endsAt - MINUTE) await enterAgain();
  const found = await askOnce(path, given);
  if (Date.now() > endsAt - 5 * MINUTE) enterAgain().catch(() => {});
  return found;
}

async function askOnce(path, given) {
  const limit = new AbortController();
  const options = { headers: {}, signal: limit.signal };
  if (session) options.headers.Authorization = `Bearer ${session}`;
  if (player) options.headers["X-Player"] = player;
  if (given) {
    options.method = "POST";
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(given);
  }
  const late = setTimeout(() => limit.abort(), PATIENCE);
  let response, data;
  try {
    response = await fetch(`api/${path}`, options);
    ahead = Date.parse(response.headers.get("Date")) - Date.now() || 0;
    data = response.status === 204 ? {} : await response.json();
  } catch {
    throw { status: 0, data: {} };
  } finally {
    clearTimeout(late);
  }
  Object.assign(names, data.names, data.play?.names);
  if (!response.ok) throw { status: response.status, data };
  return data;
}

export const askPatiently = (path, given) => patiently(() => ask(path, given));

// Ask again while the server is too busy for strangers.
export async function patiently(work) {
  for (let tries = 0; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (error.status !== 429 || tries === 8) throw error;
      await new Promise((done) => setTimeout(done, 400 + Math.random() * 400));
    }
  }
}

// What changes within these milliseconds is told once: all players of a race may guess at the same time.
const AT_ONCE = 100;

// Hear of changes of games, of the channel (`place`) or of all games of one's own (`me`), until the returned function
// is called.
export function watch(places, changed) {
  let socket, timer, told, soon, rest = 1000, over = false;
  const open = async () => {
    if (!navigator.onLine) return addEventListener("online", open, { once: true });
    let isHeard = false;
    const closed = ({ code }) => {
      // A socket may be refused because the player is signed out, or has too many.
      if (code === 4001 || !isHeard) changed(Infinity);
      if (!over && (renew || code !== 4001)) timer = setTimeout(open, (rest = Math.min(2 * rest, 60000)));
    };
    const found = await ask("live/token", {}).catch(() => null);
    if (over) return;
    if (!found) return closed({});
    socket = new WebSocket(new URL(`api/live?token=${found.token}`, location.href).href.replace(/^http/, "ws"));
    socket.onopen = () => {
      rest = 1000;
      isHeard = true;
      socket.send(JSON.stringify({ player, watch: places }));
    };
    setTimeout(() => isHeard || socket.close(), PATIENCE);
    socket.onmessage = ({ data }) => {
      told = JSON.parse(data);
      soon ??= setTimeout(() => ((soon = undefined), changed(told.version, told.changed)), AT_ONCE);
    };
    socket.onclose = closed;
  };
  // What is seen again may have missed something.
  const seen = () => document.hidden || changed(Infinity);
  open();
  document.addEventListener("visibilitychange", seen);
  addEventListener("online", seen);
  return () => {
    over = true;
    clearTimeout(timer);
    clearTimeout(soon);
    removeEventListener("online", open);
    if (socket) socket.close();
    document.removeEventListener("visibilitychange", seen);
    removeEventListener("online", seen);
  };
}
