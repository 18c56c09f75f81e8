import type { WebSocket } from "ws";
import { Deadline } from "../../base/deadline.ts";
import { type Disposable, DisposableStack } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { parseJson } from "../../base/text/parseJson.ts";
import { untilAborted } from "../../base/untilAborted.ts";
import type { AudioEnd, AudioLine } from "../../ports/audioLine.ts";
import { packSpeech, type VoicePage } from "../../protocol/voicePage.ts";
import type { FromVoicePage, ToVoicePage } from "../../protocol/voicePageMessages.ts";
import { startVoiceServer } from "./voiceServer.ts";

/** Time limits for the page to connect and to answer a ping, in milliseconds. */
const PAGE_MS = 60_000;
const PING_MS = 20_000;

/**
 * Serves and shows the page. Settles when its microphone is open. If access was denied, the page
 * can try again.
 */
export async function openVoiceLine(
  page: VoicePage,
  signal: AbortSignal,
): Promise<Result<AudioLine, AudioEnd>> {
  const server = await startVoiceServer(page);
  // Listen now, because `show` may settle long after the page has reported on its microphone.
  const connected = server.connected.then((socket) => new PageLine(socket, server, page));
  const failed = (end: AudioEnd) => {
    server.dispose();
    return err(end);
  };
  const limit = new Deadline(signal);
  limit.restart(PAGE_MS);
  const shown = await untilAborted(
    page.show(server.url, server.token).then((is) => (is ? connected : null)),
    limit.signal,
  );
  limit.dispose();
  if (signal.aborted) return failed({ code: "closed" });
  if (!shown.ok || shown.value === null) return failed({ code: "no-page" });
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
  private readonly sound = new Emitter<Int16Array>();
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

  onSound(listener: (pcm: Int16Array) => void): Disposable {
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
    // Copy, because samples need 2-byte alignment.
    if (data.length % 2 === 0) this.sound.fire(new Int16Array(Uint8Array.from(data).buffer));
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
    this.owned.dispose();
    this.socket.close(1000);
    this.settleClosed(end);
  }
}
