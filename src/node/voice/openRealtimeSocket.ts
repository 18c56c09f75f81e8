import { once } from "node:events";
import { WebSocket } from "ws";
import type { OpenRealtimeSocket } from "../../model/realtime/realtimeClient.ts";

/** The largest message that is read, in bytes. */
const MAX_MESSAGE = 16_000_000;

/** Opens a WebSocket to a Realtime server; follows no redirects. */
export const openRealtimeSocket: OpenRealtimeSocket = async (url, headers, signal) => {
  const socket = new WebSocket(url, { headers, maxPayload: MAX_MESSAGE });
  const waiting: string[] = [];
  let take = (text: string): void => void waiting.push(text);
  socket.on("message", (data, isBinary) => !isBinary && take(String(data)));
  try {
    await once(socket, "open", { signal });
  } catch (reason) {
    socket.on("error", () => undefined);
    socket.terminate();
    throw reason;
  }
  // A "close" follows each of them.
  socket.on("error", () => undefined);
  return {
    send: (text) => socket.send(text, () => undefined),
    onMessage(listener) {
      take = listener;
      for (const text of waiting.splice(0)) listener(text);
    },
    onClosed(listener) {
      if (socket.readyState === WebSocket.CLOSED) listener();
      else socket.once("close", listener);
    },
    close: () => socket.close(),
  };
};
