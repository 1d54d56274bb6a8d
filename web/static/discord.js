// The page within Discord: a frame, whose window says who plays.

import { ask, labels, letIn, patiently, show } from "./server.js";

const HANDSHAKE = 0, FRAME = 1, TOO_OLD = 4002, PORTRAIT = 2, PATIENCE = 8000, CONSENT = 60000;
const LAUNCH = /^[0-9a-f]{64}$/;

export const activity = JSON.parse(document.getElementById("activity").textContent);
const query = new URLSearchParams(location.search);
const around = parent.opener ?? parent;
const waiting = new Map();

// Where the window is from, as far as the browser tells; else any of Discord's own.
const told = [document.referrer && new URL(document.referrer).origin, location.ancestorOrigins?.[0]];
let origins = activity.parents.filter((each) => told.includes(each));
if (!origins.length) origins = activity.parents;
const send = (...message) => origins.forEach((each) => around.postMessage(message, each));

let connect;
export let isConnected = false;
export const connected = new Promise((done) => (connect = done));

addEventListener("message", ({ source, origin, data }) => {
  if (source !== around || !origins.includes(origin) || !Array.isArray(data) || data[0] !== FRAME) return;
  const { cmd, evt, nonce, data: given } = data[1] ?? {};
  if (cmd === "DISPATCH" && evt === "READY") {
    origins = [origin];
    isConnected = true;
    connect();
  } else if (waiting.has(nonce)) {
    const [done, fail] = waiting.get(nonce);
    waiting.delete(nonce);
    if (evt === "ERROR") fail(given);
    else done(given);
  }
});

function command(cmd, args) {
  const nonce = crypto.randomUUID();
  return new Promise((done, fail) => {
    waiting.set(nonce, [done, fail]);
    setTimeout(fail, CONSENT, {});
    send(FRAME, { cmd, args, nonce });
  });
}

// A command without which the page goes on: this Discord may be too old for it, or refuse it.
const perhaps = (cmd, args) =>
  command(cmd, args).catch((error) => error?.code === TOO_OLD || console.info(`${cmd} is refused`));

export const openOutside = (url) => perhaps("OPEN_EXTERNAL_LINK", { url });

// The handshake, once: Discord answers no second one.
const isPhone = query.get("platform") === "mobile";
const isOld = isPhone && parseInt(query.get("mobile_app_version")) < 250;
send(HANDSHAKE, {
  v: 1,
  encoding: "json",
  client_id: activity.client,
  frame_id: query.get("frame_id"),
  ...(!isOld && { sdk_version: "2.5.0" }),
});
connected.then(() => isPhone && perhaps("SET_ORIENTATION_LOCK_STATE", { lock_state: PORTRAIT }));

// Let Discord say who plays, and where unless `alone`; returns what the server answers.
export async function enter(alone) {
  const late = new Promise((_, fail) => setTimeout(fail, PATIENCE, { status: 504, data: { said: [labels.silent] } }));
  await Promise.race([connected, late]);
  const asked = { client_id: activity.client, response_type: "code", state: "", prompt: "none", scope: ["identify"] };
  const given = { alone, instance: query.get("instance_id") ?? "" };
  if (LAUNCH.test(query.get("custom_id"))) given.launch = query.get("custom_id");
  // Each try needs a code of its own: the last one may be spent.
  const found = await patiently(async () => {
    const { code } = await command("AUTHORIZE", asked).catch(() => {
      throw { status: 401, data: { said: [labels.stranger] } };
    });
    return ask("discord", { ...given, code });
  });
  letIn(found.session, found.seconds, () => enter(alone));
  show(found.me.player);
  return found;
}
