import { once } from "node:events";
import { WebSocket } from "ws";
import type { Result } from "../../../src/base/result.ts";
import { openVoiceLine } from "../../../src/node/voice/openVoiceLine.ts";
import { type AudioEnd, type AudioLine, SAMPLE_RATE } from "../../../src/ports/audioLine.ts";
import {
  packSound,
  SOUND_FRAME,
  unpackSpeech,
  VOICE_PROTOCOL,
} from "../../../src/protocol/voicePage.ts";
import {
  type FromVoicePage,
  fromVoicePageSchema,
  toVoicePageSchema,
} from "../../../src/protocol/voicePageMessages.ts";
import { voiceIn } from "../sound.ts";

/**
 * The voice page without a browser, at the other end of the real server: the test is its microphone
 * and hears its loudspeaker.
 */
export class ScriptedPage {
  /** What came to be played, in order. */
  readonly played: { readonly speech: number; readonly pcm: Int16Array }[] = [];
  listening = false;
  hushed = 0;
  private socket: WebSocket | null = null;

  /** Opens the line of a session to this page. */
  openLine(signal: AbortSignal): Promise<Result<AudioLine, AudioEnd>> {
    const page = {
      readFile: async () => new Uint8Array(),
      language: "en",
      translations: {},
      theme: "dark" as const,
      handsFree: false,
      talk: () => undefined,
      parse: (message: unknown) => fromVoicePageSchema.safeParse(message).data ?? null,
      refused: () => undefined,
      show: async (url: string, token: string) => {
        await this.connect(url, token);
        return true;
      },
    };
    return openVoiceLine(page, signal);
  }

  /** The microphone hears `pcm`, in pieces as a page sends them, as long as it is listened to. */
  say(pcm: Int16Array): void {
    const piece = 3 * SOUND_FRAME;
    for (let at = 0; at < pcm.length && this.listening; at += piece) {
      const { buffer, byteOffset, byteLength } = packSound(pcm.subarray(at, at + piece), voiceIn);
      this.socket?.send(new Uint8Array(buffer, byteOffset, byteLength));
    }
  }

  /**
   * The user hears the first `pieces` pieces of the last speech, by default all of it; settles when
   * the server knows.
   */
  async listenTo(pieces = Number.POSITIVE_INFINITY): Promise<void> {
    const speech = this.played.at(-1)?.speech ?? 0;
    const heard = this.played.filter((each) => each.speech === speech).slice(0, pieces);
    this.tell({
      type: "played",
      speech,
      ms: heard.reduce((ms, { pcm }) => ms + (pcm.length * 1000) / SAMPLE_RATE, 0),
    });
    if (!this.socket) return;
    this.socket.ping();
    await once(this.socket, "pong");
  }

  private async connect(url: string, token: string): Promise<void> {
    const socket = new WebSocket(`${url.replace("http", "ws")}socket`, [VOICE_PROTOCOL, token], {
      origin: url.slice(0, -1),
    });
    this.socket = socket;
    socket.on("message", (data: Buffer, isBinary) =>
      isBinary ? this.play(data) : this.obey(String(data)),
    );
    await once(socket, "open");
    this.tell({ type: "open" });
  }

  private play(data: Buffer): void {
    this.played.push(unpackSpeech(Uint8Array.from(data).buffer));
  }

  private obey(text: string): void {
    const message = toVoicePageSchema.parse(JSON.parse(text));
    if (message.type === "hush") this.hushed += 1;
    if (message.type !== "listen") return;
    this.listening = message.on;
    this.tell({ type: "mark", mark: message.mark });
  }

  private tell(message: FromVoicePage): void {
    this.socket?.send(JSON.stringify(message));
  }
}
