import { on, once } from "node:events";
import { WebSocket } from "ws";
import type { OpenRealtimeSocket } from "../../model/realtime/realtimeClient.ts";

/** The largest message that is read, in bytes. */
const MAX_MESSAGE = 16_000_000;

/** Opens a WebSocket to a Realtime server; follows no redirects. */
export const openRealtimeSocket: OpenRealtimeSocket = async (url, headers, signal) => {
  const socket = new WebSocket(url, { headers, maxPayload: MAX_MESSAGE });
  // The first messages can arrive with the answer to the handshake.
  const arrived = on(socket, "message", { close: ["close"] });
  try {
    await once(socket, "open", { signal });
  } catch (reason) {
    socket.on("error", () => undefined);
    socket.terminate();
    throw reason;
  }
  return { send: (text) => socket.send(text, () => undefined), messages: textsOf(arrived), close: () => socket.close() };
};

async function* textsOf(arrived: AsyncIterable<readonly unknown[]>): AsyncGenerator<string, void, undefined> {
  for await (const [data, isBinary] of arrived) if (isBinary === false) yield String(data);
}
