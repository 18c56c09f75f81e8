import type { Result } from "../../base/result.ts";
import type { ShadowProblem, Shadows } from "../../ports/commands/shadow.ts";
import { programOnPath } from "../processes/programOnPath.ts";
import { NOTHING_FOUND, OverlayShadow } from "./overlayShadow.ts";
import { removeTree } from "./removeTree.ts";
import { openShadowRoom, type ShadowRoom } from "./shadowRoom.ts";

/** Shadows of these workspace folders, absolute paths, on this machine. */
export function createNodeShadows(folders: () => readonly string[]): Shadows {
  let opened: Promise<{
    readonly room: Result<ShadowRoom, ShadowProblem>;
    readonly git: string | null;
  }> | null = null;
  const open = () =>
    (opened ??= (async () => ({
      room: await openShadowRoom(folders()),
      git: await programOnPath("git", folders()),
    }))());
  const shadows = new Map<string, Promise<Result<OverlayShadow, ShadowProblem>>>();
  const shadowOf = async (): Promise<Result<OverlayShadow, ShadowProblem>> => {
    const { room, git } = await open();
    return room.ok
      ? { ok: true, value: new OverlayShadow({ room: room.value, git, folders }) }
      : room;
  };
  return {
    async problem() {
      const { room } = await open();
      return room.ok ? null : room.error;
    },
    of(chatId) {
      const known = shadows.get(chatId) ?? shadowOf();
      shadows.set(chatId, known);
      return {
        async collect(signal) {
          const shadow = await known;
          return shadow.ok ? shadow.value.collect(signal) : NOTHING_FOUND;
        },
        async enter(files, signal) {
          const shadow = await known;
          return shadow.ok ? shadow.value.enter(files, signal) : shadow;
        },
        async leave() {
          const shadow = await known;
          if (shadow.ok) await shadow.value.leave();
        },
        async drop() {
          const shadow = await known;
          if (shadow.ok) await shadow.value.drop();
        },
        async isUsed() {
          const shadow = await known;
          return shadow.ok && (await shadow.value.isUsed());
        },
        async keep(path) {
          const shadow = await known;
          return shadow.ok ? shadow.value.keep(path) : { ok: false, error: shadow.error.detail };
        },
      };
    },
    async dispose() {
      for (const shadow of shadows.values()) {
        const made = await shadow;
        if (made.ok) await made.value.dispose();
      }
      shadows.clear();
      const room = opened && (await opened).room;
      if (room?.ok) await removeTree(room.value.folder);
    },
  };
}
