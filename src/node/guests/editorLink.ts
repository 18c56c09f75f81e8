import { connect, type Socket } from "node:net";
import * as path from "node:path";
import { LineBuffer } from "../../base/text/lineBuffer.ts";
import { parseJson } from "../../base/text/parseJson.ts";
import type { GuestResult } from "../../ports/guest.ts";
import {
  type EditorMessage,
  editorMessageSchema,
  GUEST_PROTOCOL,
  type GuestHello,
  type GuestRequest,
} from "../../protocol/guestMessages.ts";
import { type EditorLock, knownEditors } from "./editorLocks.ts";

/** Milliseconds after which an editor that does not answer counts as none. */
const WELCOME_MS = 30_000;

/** Who connects to an editor. */
export type GuestIdentity = Pick<GuestHello, "guest" | "name" | "process">;

/** A connection to an editor. */
export interface EditorLink {
  /** True where the workspace's proposals are in that window. */
  readonly holds: boolean;
  readonly isOpen: boolean;
  /** Null where the editor is gone before it answered: the call may have had its effect. */
  call(tool: string, args: unknown, signal: AbortSignal): Promise<GuestResult | null>;
  close(): void;
}

/**
 * Why no editor takes a guest in: it does not let it in, as one of another version does, or it has
 * a folder open that contains the guest's.
 */
export type EditorRefusal =
  | { readonly refused: "unwelcome" }
  | { readonly refused: "above"; readonly folder: string };

/**
 * Connects to the editor that has `folder` open: of several editors, to the one that has the proposals.
 * Null where none reviews changes there.
 */
export async function connectEditor(
  folder: string,
  identity: GuestIdentity,
): Promise<EditorLink | EditorRefusal | null> {
  const known = await knownEditors();
  const own = known.filter((lock) => lock.folder === folder);
  const found = await firstHolder(own.map((lock) => connectSocket(lock, identity)));
  if (found === "unwelcome") return { refused: "unwelcome" };
  if (found) return found;
  for (const lock of known) {
    const isAbove = folder.startsWith(path.join(lock.folder, path.sep));
    if (isAbove && folder !== lock.folder && (await isListening(lock)))
      return { refused: "above", folder: lock.folder };
  }
  return null;
}

/** Null without any. */
function firstHolder(
  links: readonly Promise<EditorLink | "unwelcome" | null>[],
): Promise<EditorLink | "unwelcome" | null> {
  const open: EditorLink[] = [];
  let waiting = links.length;
  let isUnwelcome = false;
  let isChosen = waiting === 0;
  if (isChosen) return Promise.resolve(null);
  return new Promise((resolve) => {
    const take = (found: EditorLink | "unwelcome" | null) => {
      waiting -= 1;
      if (found === "unwelcome") isUnwelcome = true;
      else if (found) open.push(found);
      const holder = open.find(({ holds }) => holds);
      const [chosen = null] = holder ? [holder] : open;
      // A window that is gone never answers: who has the proposals is not kept waiting by it.
      isChosen ||= holder !== undefined || waiting === 0;
      if (!isChosen) return;
      for (const link of open) if (link !== chosen) link.close();
      resolve(chosen ?? (isUnwelcome ? "unwelcome" : null));
    };
    for (const link of links) void link.then(take);
  });
}

function isListening({ address }: EditorLock): Promise<boolean> {
  const socket = connect(address);
  const answer = new Promise<boolean>((resolve) => {
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
  });
  return answer.finally(() => socket.destroy());
}

/** Null where nobody listens there. */
function connectSocket(
  { address, token }: EditorLock,
  identity: GuestIdentity,
): Promise<EditorLink | "unwelcome" | null> {
  const socket = connect(address);
  return new Promise((resolve) => {
    const late = setTimeout(() => socket.destroy(), WELCOME_MS);
    const waiting = new Map<number, (result: GuestResult | null) => void>();
    let isThere = false;
    socket.once("connect", () => {
      isThere = true;
    });
    socket.once("close", () => {
      clearTimeout(late);
      for (const settle of waiting.values()) settle(null);
      resolve(isThere ? "unwelcome" : null);
    });
    socket.on("error", () => socket.destroy());
    receiveAnswer(socket, (message) => {
      if (message.type === "welcome") {
        clearTimeout(late);
        resolve(linkOver(socket, message.holds, waiting));
      } else waiting.get(message.id)?.(message.result);
    });
    send(socket, { type: "hello", protocol: GUEST_PROTOCOL, token, ...identity });
  });
}

function linkOver(
  socket: Socket,
  holds: boolean,
  waiting: Map<number, (result: GuestResult | null) => void>,
): EditorLink {
  let last = 0;
  return {
    holds,
    get isOpen() {
      return !socket.destroyed;
    },
    call(tool, args, signal) {
      const id = ++last;
      const cancel = () => send(socket, { type: "cancel", id });
      return new Promise<GuestResult | null>((resolve) => {
        if (socket.destroyed) return resolve(null);
        waiting.set(id, resolve);
        send(socket, { type: "call", id, tool, arguments: args });
        signal.addEventListener("abort", cancel);
      }).finally(() => {
        waiting.delete(id);
        signal.removeEventListener("abort", cancel);
      });
    },
    close: () => void socket.destroy(),
  };
}

function receiveAnswer(socket: Socket, take: (message: EditorMessage) => void): void {
  const lines = new LineBuffer();
  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => {
    for (const line of lines.push(chunk)) {
      const message = editorMessageSchema.safeParse(parseJson(line));
      if (!message.success) return void socket.destroy();
      take(message.data);
    }
  });
}

function send(socket: Socket, message: GuestHello | GuestRequest): void {
  if (!socket.destroyed) socket.write(`${JSON.stringify(message)}\n`);
}
