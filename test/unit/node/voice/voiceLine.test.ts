import assert from "node:assert/strict";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import http from "node:http";
import path from "node:path";
import { type ClientOptions, WebSocket } from "ws";
import type { Result } from "../../../../src/base/result.ts";
import { openVoiceLine } from "../../../../src/node/voice/openVoiceLine.ts";
import type { AudioEnd, AudioLine } from "../../../../src/ports/audioLine.ts";
import {
  CLOSED_AS_TAKEN,
  unpackSpeech,
  VOICE_PROTOCOL,
  type VoicePage,
} from "../../../../src/protocol/voicePage.ts";
import {
  type FromVoicePage,
  fromVoicePageSchema,
  type VoiceRefusal,
} from "../../../../src/protocol/voicePageMessages.ts";
import { comes } from "../../../fakes/comes.ts";
import { withOwnHome } from "../../../fakes/voice/ownHome.ts";

const look: Omit<VoicePage, "show" | "refused" | "talk"> = {
  readFile: async (name) => Buffer.from(`the file ${name}`),
  language: "de",
  translations: { Hello: "</script>Hallo" },
  theme: "dark",
  handsFree: false,
  parse: (message) => fromVoicePageSchema.safeParse(message).data ?? null,
};

/** Gets a path of the server with headers that a browser would send. */
async function get(url: string, headers: http.OutgoingHttpHeaders = {}, method = "GET") {
  const request = http.request(url, { headers, method, agent: false }).end();
  const [response]: http.IncomingMessage[] = await once(request, "response");
  assert.ok(response);
  let body = "";
  for await (const chunk of response) body += chunk;
  return { status: response.statusCode, headers: response.headers, body };
}

/** Connects as the page does, and settles with the socket, or with the status of the refusal. */
function connect(
  url: string,
  protocols: string[],
  options: ClientOptions = {},
): Promise<WebSocket | number> {
  const socket = new WebSocket(`${url.replace("http", "ws")}socket`, protocols, {
    origin: url.slice(0, -1),
    ...options,
  });
  return new Promise((resolve) => {
    socket.once("open", () => resolve(socket));
    socket.once("error", () => undefined);
    socket.once("unexpected-response", (_request, response) => resolve(response.statusCode ?? 0));
  });
}

/** A page that the test plays. */
class TestPage {
  readonly socket: WebSocket;
  private readonly got: (Buffer | string)[] = [];
  private waiting: (() => void) | null = null;

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on("message", (data: Buffer, binary) => {
      this.got.push(binary ? data : data.toString());
      this.waiting?.();
    });
  }

  say(message: FromVoicePage): void {
    this.socket.send(JSON.stringify(message));
  }

  async next(): Promise<Buffer | string> {
    if (this.got.length === 0)
      await new Promise<void>((resolve) => {
        this.waiting = resolve;
      });
    const message = this.got.shift();
    assert.ok(message !== undefined);
    return message;
  }
}

describe("the server of the voice page", () => {
  withOwnHome();

  const controllers: AbortController[] = [];
  afterEach(() => {
    for (const controller of controllers.splice(0)) controller.abort();
  });

  /** Opens a line and waits until its page may be shown. */
  async function begin(isShown = Promise.resolve(true)) {
    const controller = new AbortController();
    controllers.push(controller);
    const refusals: (VoiceRefusal | null)[] = [];
    const talks: boolean[] = [];
    let shown: (place: { url: string; token: string }) => void = () => undefined;
    const place = new Promise<{ url: string; token: string }>((resolve) => {
      shown = resolve;
    });
    const show = async (url: string, token: string) => {
      shown({ url, token });
      return isShown;
    };
    const opening = openVoiceLine(
      { ...look, show, refused: (refusal) => refusals.push(refusal), talk: (on) => talks.push(on) },
      controller.signal,
    );
    return { ...(await place), opening, refusals, talks, abort: () => controller.abort() };
  }

  async function connected({ url, token }: { url: string; token: string }): Promise<TestPage> {
    const socket = await connect(url, [VOICE_PROTOCOL, token]);
    assert.ok(typeof socket !== "number", `refused with ${socket}`);
    return new TestPage(socket);
  }

  function value(result: Result<AudioLine, AudioEnd>): AudioLine {
    assert.ok(result.ok);
    return result.value;
  }

  it("serves the page and its files with a strict policy, and nothing else", async () => {
    const { url, token } = await begin();
    const { status, headers, body } = await get(url);
    assert.equal(status, 200);
    const policy = String(headers["content-security-policy"]);
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /unsafe|\*/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.ok(policy.includes(`ws://${new URL(url).host}`));
    assert.equal(headers["referrer-policy"], "no-referrer");
    assert.equal(headers["cache-control"], "no-store");
    assert.match(body, /lang="de" data-theme="dark"/);
    assert.ok(!body.includes("</script>Hallo"), "a translation cannot end its element");
    assert.ok(!body.includes(token), "the token is in no document");
    assert.equal((await get(`${url}voicePage.js`)).body, "the file voicePage.js");
    for (const path of [
      "main.js",
      "../composition.js",
      "%2e%2e/composition.js",
      "voicePage.js/x",
      "/",
    ])
      assert.equal((await get(url + path)).status, 404, path);
    assert.equal((await get(url, {}, "POST")).status, 404);
  });

  it("gives nothing to a foreign origin, with or without the token", async () => {
    const begun = await begin();
    const { url, token } = begun;
    for (const origin of ["https://evil.example", "null", "http://127.0.0.1:1"]) {
      const { status, body } = await get(url, { origin });
      assert.deepEqual([status, body], [403, ""], origin);
      assert.equal(await connect(url, [VOICE_PROTOCOL, token], { origin }), 403, origin);
    }
    const embedded = await get(`${url}voicePage.js`, {
      "sec-fetch-site": "cross-site",
      "sec-fetch-mode": "no-cors",
      "sec-fetch-dest": "script",
    });
    assert.deepEqual([embedded.status, embedded.body], [403, ""]);
    const followed = {
      "sec-fetch-site": "cross-site",
      "sec-fetch-mode": "navigate",
      "sec-fetch-dest": "document",
    };
    assert.equal((await get(url, followed)).status, 200, "VS Code's own link leads to the page");
    await connected(begun);
  });

  it("lets its token serve once, and no other", async () => {
    const begun = await begin();
    const { url, token } = begun;
    for (const protocols of [
      [VOICE_PROTOCOL],
      [VOICE_PROTOCOL, `${token}x`],
      [token],
      [token, VOICE_PROTOCOL],
      ["other", token],
    ])
      assert.equal(await connect(url, protocols), 403, protocols.join());
    const { socket } = await connected(begun);
    assert.equal(socket.protocol, VOICE_PROTOCOL);
    assert.equal(await connect(url, [VOICE_PROTOCOL, token]), 403);
    assert.equal(socket.readyState, WebSocket.OPEN);
  });

  it("works behind a proxy that names the browser's host beside its own", async () => {
    const { url, token } = await begin();
    const origin = "https://code.example";
    assert.equal(
      await connect(url, [VOICE_PROTOCOL, token], {
        origin,
        headers: { "x-forwarded-host": "other.example" },
      }),
      403,
    );
    assert.ok(
      typeof (await connect(url, [VOICE_PROTOCOL, token], {
        origin,
        headers: { host: "code.example" },
      })) !== "number",
    );
    const again = await begin();
    const headers = { "x-forwarded-host": "code.example" };
    assert.ok(
      typeof (await connect(again.url, [VOICE_PROTOCOL, again.token], { origin, headers })) !==
        "number",
    );
  });

  it("carries sound both ways, hush, and what was heard", async () => {
    const begun = await begin();
    const page = await connected(begun);
    page.say({ type: "open" });
    const line = value(await begun.opening);
    const sounds: number[][] = [];
    const heard: [number, number][] = [];
    const muted: boolean[] = [];
    line.onSound(({ pcm, voice }) => sounds.push([voice, ...pcm]));
    line.onPlayed((speech, ms) => heard.push([speech, ms]));
    line.onMuted((is) => muted.push(is));

    const listening = line.listen(true);
    assert.deepEqual(JSON.parse(String(await page.next())), { type: "listen", on: true, mark: 1 });
    page.say({ type: "mark", mark: 1 });
    await listening;
    page.socket.send(Buffer.from(new Int16Array([32_767, 1, -2]).buffer));
    const quiet = line.listen(false).then(() =>
      assert.deepEqual(
        sounds,
        [
          [1, 1, -2],
          [0, 3],
        ],
        "all sound from before has come",
      ),
    );
    assert.deepEqual(JSON.parse(String(await page.next())), { type: "listen", on: false, mark: 2 });
    page.socket.send(Buffer.from(new Int16Array([0, 3]).buffer));
    page.say({ type: "mark", mark: 2 });
    await quiet;

    line.play(7, Int16Array.of(4, -5));
    const packed = await page.next();
    assert.ok(Buffer.isBuffer(packed));
    const { speech, pcm } = unpackSpeech(Uint8Array.from(packed).buffer);
    assert.deepEqual([speech, ...pcm], [7, 4, -5]);
    line.hush();
    assert.deepEqual(JSON.parse(String(await page.next())), { type: "hush" });
    page.say({ type: "played", speech: 7, ms: 0.5 });
    page.say({ type: "muted", muted: true });
    page.say({ type: "talk", on: true });
    page.say({ type: "stop" });
    assert.deepEqual(await line.closed, { code: "closed" });
    assert.deepEqual([heard, muted, begun.talks], [[[7, 0.5]], [true], [true]]);
  });

  it("hears what its page says before the editor answers that it is shown", async () => {
    let answer: (isShown: boolean) => void = () => undefined;
    const begun = await begin(
      new Promise((resolve) => {
        answer = resolve;
      }),
    );
    const page = await connected(begun);
    page.say({ type: "talk", on: true });
    page.say({ type: "open" });
    await comes("the word of the page", () => begun.talks.length > 0);
    answer(true);
    value(await begun.opening).close();
  });

  it("waits for a page that was refused the microphone, and opens when it tries again", async () => {
    const begun = await begin();
    const page = await connected(begun);
    page.say({ type: "refused", code: "denied", detail: "" });
    page.say({ type: "open" });
    const line = value(await begun.opening);
    assert.deepEqual(begun.refusals, [{ type: "refused", code: "denied", detail: "" }, null]);
    page.say({ type: "unplugged" });
    assert.deepEqual(await line.closed, { code: "unplugged" });
    await once(page.socket, "close");
  });

  it("ends with its page, with the session, and with what is no message", async () => {
    const dropped = await begin();
    const page = await connected(dropped);
    page.say({ type: "open" });
    const line = value(await dropped.opening);
    const waits = line.listen(false);
    page.socket.terminate();
    assert.deepEqual(await line.closed, { code: "lost" });
    await waits;
    line.play(1, Int16Array.of(1));
    line.hush();
    line.close();
    await assert.rejects(get(dropped.url), { code: "ECONNREFUSED" });

    const stopped = await begin();
    const open = await connected(stopped);
    const over = once(open.socket, "close");
    stopped.abort();
    assert.deepEqual(await stopped.opening, { ok: false, error: { code: "closed" } });
    assert.equal((await over)[0], 1000);
    await assert.rejects(get(stopped.url), { code: "ECONNREFUSED" });

    const wrong = await begin();
    (await connected(wrong)).socket.send("{}");
    assert.deepEqual(await wrong.opening, { ok: false, error: { code: "lost" } });
    const hidden = await openVoiceLine(
      { ...look, refused: () => undefined, talk: () => undefined, show: async () => false },
      new AbortController().signal,
    );
    assert.deepEqual(hidden, { ok: false, error: { code: "no-page" } });
  });

  it("gives way to another window that listens, and only to a window of this user", async () => {
    const first = await begin();
    const page = await connected(first);
    page.say({ type: "open" });
    const line = value(await first.opening);
    assert.equal((await get(`${first.url}stop`, { authorization: "x" }, "POST")).status, 404);
    const over = once(page.socket, "close");
    const second = await begin();
    assert.deepEqual(await line.closed, { code: "taken" });
    assert.equal((await over)[0], CLOSED_AS_TAKEN);
    const third = await begin();
    assert.deepEqual(await second.opening, { ok: false, error: { code: "taken" } });
    (await connected(third)).say({ type: "open" });
    value(await third.opening).close();
    const folder = path.join(process.env.HOME ?? "", ".graft/voice");
    await comes("the end of its file", async () => (await readdir(folder)).length === 0);
  });
});
