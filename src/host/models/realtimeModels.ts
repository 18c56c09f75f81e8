import type { ModelClient, ModelServer } from "../../model/modelClient.ts";
import { createRealtimeClient, type OpenRealtimeSocket } from "../../model/realtime/realtimeClient.ts";
import type { TurnTree } from "../../turns/turn.ts";

/** The models of the Realtime API, which speak their answers themselves. */
interface RealtimeModels {
  /** The client of a server's models. */
  client(server: ModelServer): ModelClient;
  /** The sound of the last answer, once; null where it was only written. */
  take(): readonly Int16Array[] | null;
}

/** `voice` names the voice where the next answer is heard, null where it is only read. The sound of the last answer is kept until it is taken. */
export function createRealtimeModels(openSocket: OpenRealtimeSocket, voice: () => string | null): RealtimeModels {
  let last: readonly Int16Array[] | null = null;
  const take = () => {
    const sound = last;
    last = null;
    return sound;
  };
  const sound = {
    voice() {
      last = null;
      return voice();
    },
    answer(pcm: readonly Int16Array[]) {
      last = pcm;
    },
  };
  return { take, client: (server) => createRealtimeClient({ ...server, openSocket, sound }) };
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
