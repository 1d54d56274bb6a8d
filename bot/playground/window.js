// Discord's side of an Activity: a frame around the page, and answers to what the page asks.
//
// The query says who looks (as), where (dm), on what (phone), what goes wrong (mute=1, or the command
// that is not answered, slow=seconds, refused, old), and whether another page is shown (page,
// custom_id). What the page said is in `log`.

const HANDSHAKE = 0, FRAME = 1, CLOSE = 2;
const query = new URLSearchParams(location.search);
const is = (name) => query.has(name);
const world = await (await fetch("world.json")).json();
const me = world.people.find((each) => each.code === query.get("as")) ?? world.people[0];
const place = world.places.find(({ kind, users }) => users.includes(me.id) && kind === (is("dm") ? "pc" : "gc"));
const participants = world.people.filter((each) => place.users.includes(each.id)).map(({ code, ...user }) => user);
const page = new URL(query.get("page") ?? world.page);
const frame = document.createElement("iframe");
const asked = {
  frame_id: crypto.randomUUID(),
  instance_id: place.instance_id,
  location_id: place.id,
  channel_id: place.channel_id,
  ...(place.guild_id && { guild_id: place.guild_id }),
  ...(is("custom_id") && { custom_id: query.get("custom_id") }),
  platform: is("phone") ? "mobile" : "desktop",
  ...(is("phone") && { mobile_app_version: "249.0" }),
};
let isConnected = false;
let isKnown = false;
globalThis.log = [];

function send(opcode, message) {
  setTimeout(() => frame.contentWindow?.postMessage([opcode, message], page.origin), 1000 * (query.get("slow") ?? 0));
}

function shakeHands({ v, encoding, client_id, frame_id }) {
  if (isConnected) return; // a second handshake is not answered
  if (client_id !== world.client_id) return send(CLOSE, { code: 4000, message: "Invalid Client ID" });
  if (v !== 1 || encoding !== "json" || frame_id !== asked.frame_id) return;
  isConnected = true;
  const config = { cdn_host: "cdn.discordapp.com", api_endpoint: "//discord.com/api", environment: "production" };
  send(FRAME, { cmd: "DISPATCH", evt: "READY", nonce: null, data: { v: 1, config } });
}

function answer({ cmd, args = {}, evt: event, nonce }) {
  const say = (data) => send(FRAME, { cmd, evt: null, nonce, data });
  const refuse = (code, message) => send(FRAME, { cmd, evt: "ERROR", nonce, data: { code, message } });
  if (!nonce) return refuse(4000, "Payload requires a nonce");
  if (is("old") && cmd !== "AUTHORIZE") return refuse(4002, `Invalid command: ${cmd}`);
  switch (cmd) {
    case "AUTHORIZE":
      if (args.client_id !== world.client_id || args.response_type !== "code" || !args.scope?.includes("identify"))
        return refuse(5000, "OAuth2 Error: invalid_request");
      if (is("refused"))
        return refuse(5000, "OAuth2 Error: access_denied: The resource owner or authorization server denied the request");
      return say({ code: `${me.code}.${crypto.randomUUID()}` });
    case "AUTHENTICATE":
      isKnown = true;
      const expires = "2100-01-01T00:00:00.000Z", application = { id: world.client_id, name: "FoCdle", description: "" };
      return say({ access_token: args.access_token, user: me, scopes: ["identify"], expires, application });
    case "USER_SETTINGS_GET_LOCALE": // its scope counts only after AUTHENTICATE, with a token
      return isKnown ? say({ locale: navigator.language }) : refuse(4006, "Not authenticated or invalid scope");
    case "GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS":
      return say({ participants });
    case "SUBSCRIBE":
      if (event !== "ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE") return refuse(4004, `Invalid event: ${event}`);
      say({ evt: event });
      return send(FRAME, { cmd: "DISPATCH", evt: event, nonce: null, data: { participants } });
    case "UNSUBSCRIBE":
      return say({ evt: event });
    case "OPEN_EXTERNAL_LINK":
      tell("Discord asks whether to open ", args.url);
      return say({ opened: true });
    case "SET_ORIENTATION_LOCK_STATE":
      if (is("phone")) return say(null);
    default:
      return refuse(4002, `Invalid command: ${cmd}`);
  }
}

function tell(text, url) {
  const link = Object.assign(document.createElement("a"), { href: url, target: "_blank", rel: "noopener", textContent: url });
  document.getElementById("said").replaceChildren(text, ...(url ? [link] : []));
}

addEventListener("message", ({ source, origin, data }) => {
  if (source !== frame.contentWindow || origin !== page.origin || !Array.isArray(data)) return;
  const [opcode, message] = data;
  log.push([opcode, message]);
  if (["1", message.cmd].includes(query.get("mute"))) return;
  if (opcode === HANDSHAKE) shakeHands(message);
  else if (opcode === FRAME && isConnected) answer(message);
  else if (opcode === CLOSE) {
    frame.remove();
    tell("The Activity has closed.");
  }
});

const form = document.forms[0];
form.elements.as.append(...world.people.map((each) => new Option(each.global_name, each.code, false, each === me)));
for (const box of form.querySelectorAll("input")) box.checked = is(box.name);
form.querySelector("details").open = Boolean(form.querySelector("details :checked"));
form.addEventListener("change", () => form.submit());

for (const [name, value] of Object.entries(asked)) page.searchParams.set(name, value);
frame.className = asked.platform === "mobile" ? "phone" : "";
frame.title = "Activity";
frame.src = page.href;
frame.addEventListener("load", () => frame.focus());
document.body.append(frame);
