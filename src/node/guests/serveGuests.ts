import { realpath } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import type { Disposable } from "../../base/disposable.ts";
import { LineBuffer } from "../../base/text/lineBuffer.ts";
import { parseJson } from "../../base/text/parseJson.ts";
import type { GuestTools } from "../../ports/guest.ts";
import {
  type EditorMessage,
  type GuestHello,
  type GuestWelcome,
  guestHelloSchema,
  guestRequestSchema,
  MAX_GUEST_MESSAGE,
} from "../../protocol/guestMessages.ts";
import { isEqualSecret } from "../isEqualSecret.ts";
import { newLock, writeLock } from "./editorLocks.ts";

/** The longest first message, in UTF-16 units. */
const MAX_HELLO = 4_000;
/** Milliseconds in which a connection must have said who it is. */
const HELLO_MS = 10_000;
/** The most calls of a guest at a time; more wait in its socket. */
const MAX_CALLS = 64;
const MAX_GUESTS = 32;

/** The window that guests come to. */
export interface GuestDoor {
  /** The workspace folder, absolute. */
  readonly folder: string;
  /** Opens the door to who proved that it may enter. */
  welcome(hello: GuestHello): Promise<GuestWelcome>;
  /** Called with an error that costs one connection. */
  failed(error: unknown): void;
}

/** Listens for guests until disposed of. Rejects where this machine has no place for that. */
export async function serveGuests(door: GuestDoor): Promise<Disposable> {
  const lock = await newLock(await realpath(door.folder));
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    if (sockets.size > MAX_GUESTS) socket.destroy();
    else receive(socket, lock.token, door);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(lock.address, resolve);
  });
  server.on("error", door.failed);
  const unlock = await writeLock(lock);
  return {
    dispose() {
      void unlock().catch(door.failed);
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function receive(socket: Socket, token: string, door: GuestDoor): void {
  const calls = new Map<number, AbortController>();
  let tools: Promise<Pick<GuestTools, "call">> | null = null;
  const late = setTimeout(() => socket.destroy(), HELLO_MS);
  const send = (message: EditorMessage) => void socket.write(`${JSON.stringify(message)}\n`);

  async function enter(hello: GuestHello): Promise<Pick<GuestTools, "call">> {
    const welcome = await door.welcome(hello);
    if (socket.destroyed) welcome.left();
    else socket.once("close", welcome.left);
    send({ type: "welcome", holds: welcome.holds });
    return welcome.tools;
  }

  async function call(id: number, tool: string, args: unknown): Promise<void> {
    const abort = new AbortController();
    calls.set(id, abort);
    if (calls.size >= MAX_CALLS) socket.pause();
    try {
      const result = await (await tools)?.call(tool, args, abort.signal);
      if (result && !socket.destroyed) send({ type: "result", id, result });
    } finally {
      calls.delete(id);
      socket.resume();
    }
  }

  function takeLine(line: string): void {
    const value = parseJson(line);
    if (!tools) {
      const hello = guestHelloSchema.safeParse(value);
      if (!hello.success || !isEqualSecret(hello.data.token, token)) return void socket.destroy();
      clearTimeout(late);
      tools = enter(hello.data);
      tools.catch(fail);
      return;
    }
    const request = guestRequestSchema.safeParse(value);
    if (!request.success) return void socket.destroy();
    const { id } = request.data;
    if (request.data.type === "cancel") calls.get(id)?.abort();
    else call(id, request.data.tool, request.data.arguments).catch(fail);
  }

  function fail(error: unknown): void {
    door.failed(error);
    socket.destroy();
  }

  readLines(socket, takeLine, () => (tools ? MAX_GUEST_MESSAGE : MAX_HELLO));
  socket.once("close", () => {
    clearTimeout(late);
    for (const abort of calls.values()) abort.abort();
  });
}

/** Reads a socket by lines; a longer one, in UTF-16 units, ends it. */
function readLines(socket: Socket, take: (line: string) => void, longest: () => number): void {
  const lines = new LineBuffer();
  let length = 0;
  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => {
    length = chunk.includes("\n") ? chunk.length - chunk.lastIndexOf("\n") : length + chunk.length;
    for (const line of lines.push(chunk)) if (!socket.destroyed) take(line);
    if (length > longest()) socket.destroy();
  });
}
