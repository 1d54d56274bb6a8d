// What Discord's own library makes of an Activity's window.

import { DiscordSDK, Events } from "/sdk/index.mjs";

const told = {};
globalThis.told = told;

const attempt = async (name, ask) => {
  try {
    told[name] = (await ask()) ?? null;
  } catch (error) {
    told[name] = { code: error.code };
  }
};

(async () => {
  const sdk = new DiscordSDK("42", { disableConsoleLogOverride: true });
  globalThis.sdk = sdk;
  const { instanceId, guildId, channelId, locationId, platform, customId } = sdk;
  Object.assign(told, { instanceId, guildId, channelId, locationId, platform, customId });
  await sdk.ready();
  told.isReady = true;
  const { commands } = sdk;
  await attempt("code", async () =>
    (await commands.authorize({ client_id: "42", response_type: "code", state: "s", prompt: "none", scope: ["identify"] })).code);
  await attempt("unknown", () => commands.userSettingsGetLocale());
  await attempt("user", async () => (await commands.authenticate({ access_token: "t" })).user.username);
  await attempt("locale", () => commands.userSettingsGetLocale());
  await attempt("people", async () => (await commands.getInstanceConnectedParticipants()).participants.map((each) => each.global_name));
  await attempt("event", () =>
    new Promise((heard, failed) => {
      const event = Events.ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE;
      sdk.subscribe(event, ({ participants }) => heard(participants.length)).catch(failed);
    }));
  await attempt("link", () => commands.openExternalLink({ url: "https://example.org" }));
  await attempt("lock", () => commands.setOrientationLockState({ lock_state: 1, picture_in_picture_lock_state: 1, grid_lock_state: 1 }));
  await attempt("strange", () => commands.shareLink({ message: "x" }));
  told.isDone = true;
})();
