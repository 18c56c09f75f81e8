import { once } from "node:events";
import { createServer } from "node:http";
import { setImmediate } from "node:timers/promises";

/** A response body to serve byte for byte. */
export interface ServedBody {
  readonly bytes: Uint8Array;
  /** The lengths of the writes, repeated until the body is sent; empty for one write. */
  readonly cuts: readonly number[];
  /** How the body ends: complete, or with the connection destroyed. */
  readonly end: "complete" | "destroyed";
  /** What the end waits for: a client drops what it has not read when the connection ends. */
  readonly read?: Promise<void>;
}

/** A loopback server that answers every chat request with a given body. */
export interface BodyServer {
  readonly url: string;
  /** What the next request gets. */
  next: ServedBody;
  close(): Promise<void>;
}

/** Starts it. */
export async function startBodyServer(): Promise<BodyServer> {
  const server = createServer(async (request, response) => {
    request.resume();
    const { bytes, cuts, end, read } = served.next;
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.flushHeaders();
    for (let start = 0, turn = 0; start < bytes.length && !response.destroyed; turn++) {
      const stop = start + (cuts[turn % cuts.length] ?? bytes.length);
      response.write(bytes.subarray(start, stop));
      start = stop;
      // Lets the write go out on its own, now and then.
      if (turn % 64 === 63 || cuts.length > 1) await setImmediate();
    }
    await read;
    if (end === "complete") response.end();
    else response.socket?.end(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string")
    throw new Error("The test server has no port.");
  const served: BodyServer = {
    url: `http://127.0.0.1:${address.port}/v1`,
    next: { bytes: new Uint8Array(), cuts: [], end: "complete" },
    async close() {
      const ended = once(server, "close");
      server.close();
      server.closeAllConnections();
      await ended;
    },
  };
  return served;
}
