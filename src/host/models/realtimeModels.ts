import type { Disposable } from "../../base/disposable.ts";
import type { ModelClient } from "../../model/modelClient.ts";
import { createRealtimeClient, type OpenRealtimeSocket, type RealtimeClientOptions } from "../../model/realtime/realtimeClient.ts";
import type { TurnTree } from "../../turns/turn.ts";
import type { OwnSound } from "../../voice/voiceSession.ts";

/** The models of the Realtime API, which speak their answers themselves, and the sound of the last one. */
export class RealtimeModels implements Disposable, OwnSound {
  private readonly openSocket: OpenRealtimeSocket;
  /** The name of the voice where the next answer is heard; null where it is only read. */
  private readonly voice: () => string | null;
  private readonly isChosen: () => boolean;
  private sound: readonly Int16Array[] | null = null;
  /** It holds the connection, so it is kept as long as the settings stay. */
  private last: { readonly settings: string; readonly client: ModelClient & Disposable } | null = null;

  constructor(openSocket: OpenRealtimeSocket, voice: () => string | null, isChosen: () => boolean) {
    this.openSocket = openSocket;
    this.voice = voice;
    this.isChosen = isChosen;
  }

  /** The client of a model. */
  client(model: string, connection: Pick<RealtimeClientOptions, "baseUrl" | "apiKey" | "headers" | "limits">): ModelClient {
    const settings = JSON.stringify([model, connection]);
    if (this.last?.settings === settings) return this.last.client;
    this.last?.client.dispose();
    const sound = {
      voice: () => {
        this.sound = null;
        return this.voice();
      },
      answer: (pcm: readonly Int16Array[]) => {
        this.sound = pcm;
      },
    };
    const client = createRealtimeClient({ ...connection, openSocket: this.openSocket, sound });
    this.last = { settings, client };
    return client;
  }

  isExpected(): boolean {
    return this.isChosen();
  }

  take(): readonly Int16Array[] | null {
    const { sound } = this;
    this.sound = null;
    return sound;
  }

  dispose(): void {
    this.last?.client.dispose();
    this.last = null;
  }
}

/** True while what the chat answers was said aloud. */
export function isAskedAloud({ turns, headTurnId }: Pick<TurnTree, "turns" | "headTurnId">): boolean {
  const head = headTurnId === null ? undefined : turns.get(headTurnId);
  if (head?.role !== "agent") return head?.spoken ?? false;
  const asked = head.parentTurnId === null ? undefined : turns.get(head.parentTurnId);
  return (
    (asked?.role === "user" && asked.spoken === true) || head.parts.some((part) => part.type === "user-message" && part.spoken === true)
  );
}
