import type { WebSocket } from "ws";
import { Deadline } from "../../base/deadline.ts";
import { type Disposable, DisposableStack } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { parseJson } from "../../base/text/parseJson.ts";
import { untilAborted } from "../../base/untilAborted.ts";
import type { AudioEnd, AudioLine, HeardSound } from "../../ports/audioLine.ts";
import {
  CLOSED_AS_TAKEN,
  packSpeech,
  unpackSound,
  type VoicePage,
} from "../../protocol/voicePage.ts";
import type { FromVoicePage, ToVoicePage } from "../../protocol/voicePageMessages.ts";
import { listenAlone } from "./oneListener.ts";
import { startVoiceServer } from "./voiceServer.ts";

/** Time limits for the page to connect and to answer a ping, in milliseconds. */
const PAGE_MS = 60_000;
const PING_MS = 20_000;

/**
 * Serves and shows the page; another window that listens stops. Settles when its microphone is open.
 * If access was denied, the page can try again.
 */
export async function openVoiceLine(
  page: VoicePage,
  signal: AbortSignal,
): Promise<Result<AudioLine, AudioEnd>> {
  const server = await startVoiceServer(page);
  const owned = new DisposableStack();
  owned.add(server);
  owned.add({ dispose: await listenAlone({ url: server.url, token: server.stopToken }) });
  const taken = server.stopped.then((): AudioEnd => ({ code: "taken" }));
  // Listen now, because `show` may settle long after the page has reported on its microphone.
  const connected = server.connected.then((socket) => new PageLine(socket, owned, taken, page));
  const failed = (end: AudioEnd) => {
    owned.dispose();
    return err(end);
  };
  const limit = new Deadline(signal);
  limit.restart(PAGE_MS);
  const asked = page.show(server.url, server.token).then((is) => (is ? connected : null));
  const shown = await untilAborted(Promise.race([asked, taken]), limit.signal);
  limit.dispose();
  if (signal.aborted) return failed({ code: "closed" });
  if (!shown.ok || shown.value === null) return failed({ code: "no-page" });
  if (!(shown.value instanceof PageLine)) return failed(shown.value);
  const line = shown.value;
  const opened = await untilAborted(Promise.race([line.opened, line.closed]), signal);
  if (opened.ok) return opened.value === null ? ok(line) : err(opened.value);
  line.close();
  return err({ code: "closed" });
}

/** A line to the page over a WebSocket. */
class PageLine implements AudioLine {
  /** Settles with null when the microphone is open. */
  readonly opened: Promise<null>;
  readonly closed: Promise<AudioEnd>;
  private readonly sound = new Emitter<HeardSound>();
  private readonly played = new Emitter<{ readonly speech: number; readonly ms: number }>();
  private readonly muted = new Emitter<boolean>();
  private readonly socket: WebSocket;
  private readonly page: Pick<VoicePage, "parse" | "refused" | "talk">;
  private readonly owned = new DisposableStack();
  private readonly marks = new Map<number, () => void>();
  private lastMark = 0;
  private isMuted = false;
  private settleOpened: (value: null) => void = () => undefined;
  private settleClosed: (end: AudioEnd) => void = () => undefined;
  private over = false;

  constructor(
    socket: WebSocket,
    server: Disposable,
    taken: Promise<AudioEnd>,
    page: Pick<VoicePage, "parse" | "refused" | "talk">,
  ) {
    this.socket = socket;
    this.page = page;
    this.owned.add(server);
    this.opened = new Promise((resolve) => {
      this.settleOpened = resolve;
    });
    this.closed = new Promise((resolve) => {
      this.settleClosed = resolve;
    });
    void taken.then((end) => this.end(end));
    socket.binaryType = "nodebuffer";
    socket.on("message", (data, binary) => this.receive(data, binary));
    socket.on("error", () => this.end({ code: "lost" }));
    socket.on("close", () => this.end({ code: "lost" }));
    let answered = true;
    socket.on("pong", () => {
      answered = true;
    });
    const pings = setInterval(() => {
      if (!answered) this.end({ code: "lost" });
      else socket.ping();
      answered = false;
    }, PING_MS);
    this.owned.add({ dispose: () => clearInterval(pings) });
  }

  onSound(listener: (sound: HeardSound) => void): Disposable {
    return this.sound.on(listener);
  }

  onPlayed(listener: (speech: number, ms: number) => void): Disposable {
    return this.played.on(({ speech, ms }) => listener(speech, ms));
  }

  onMuted(listener: (muted: boolean) => void): Disposable {
    if (this.isMuted) listener(true);
    return this.muted.on(listener);
  }

  listen(on: boolean): Promise<void> {
    if (this.over) return Promise.resolve();
    const mark = ++this.lastMark;
    this.send({ type: "listen", on, mark });
    return new Promise((resolve) => this.marks.set(mark, resolve));
  }

  play(speech: number, pcm: Int16Array): void {
    if (!this.over && pcm.length > 0) this.socket.send(packSpeech(speech, pcm));
  }

  hold(on: boolean): void {
    if (!this.over) this.send({ type: "hold", on });
  }

  hush(): void {
    if (!this.over) this.send({ type: "hush" });
  }

  close(): void {
    this.end({ code: "closed" });
  }

  private send(message: ToVoicePage): void {
    this.socket.send(JSON.stringify(message));
  }

  private receive(data: unknown, binary: boolean): void {
    if (this.over || !Buffer.isBuffer(data)) return;
    if (!binary) {
      const message = this.page.parse(parseJson(data.toString("utf8")));
      if (message) this.handle(message);
      else this.end({ code: "lost" });
      return;
    }
    if (data.length % 2 !== 0) return;
    // Copy, because samples need 2-byte alignment.
    const packed = new Int16Array(Uint8Array.from(data).buffer);
    for (const sound of unpackSound(packed)) this.sound.fire(sound);
  }

  private handle(message: FromVoicePage): void {
    switch (message.type) {
      case "open":
        this.page.refused(null);
        this.settleOpened(null);
        return;
      case "refused":
        this.page.refused(message);
        return;
      case "unplugged":
        this.end({ code: "unplugged" });
        return;
      case "stop":
        this.end({ code: "closed" });
        return;
      case "talk":
        this.page.talk(message.on);
        return;
      case "mark":
        this.marks.get(message.mark)?.();
        this.marks.delete(message.mark);
        return;
      case "played":
        this.played.fire(message);
        return;
      case "muted":
        this.isMuted = message.muted;
        this.muted.fire(message.muted);
        return;
    }
  }

  private end(end: AudioEnd): void {
    if (this.over) return;
    this.over = true;
    this.page.refused(null);
    for (const settle of this.marks.values()) settle();
    this.marks.clear();
    // First, because the server closes its connections without a reason.
    this.socket.close(end.code === "taken" ? CLOSED_AS_TAKEN : 1000);
    this.owned.dispose();
    this.settleClosed(end);
  }
}
