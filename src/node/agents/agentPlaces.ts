import * as path from "node:path";
import { fileURLToPath } from "node:url";
import type { AgentFolder } from "../../ports/commands/chatAgent.ts";

/** Where an agent finds the workspace's folders, which in a copy are elsewhere. */
export interface AgentPlaces {
  /** A path of the agent in the user's own folders; another path stays as it is. */
  own(named: string): string;
  /** A text for the user, without the paths of a copy. */
  shown(text: string): string;
}

/** See {@link AgentPlaces}. */
export function agentPlaces(folders: readonly AgentFolder[]): AgentPlaces {
  const moved = folders
    .map(({ folder, at }) => ({ at: at ?? "", own: fileURLToPath(folder.uri) }))
    .filter(({ at, own }) => at !== "" && at !== own);
  return {
    own(named) {
      for (const { at, own } of moved) {
        const inside = path.relative(at, named);
        const isInside = !inside.startsWith("..") && !path.isAbsolute(inside);
        if (isInside) return path.join(own, inside);
      }
      return named;
    },
    shown: (text) =>
      moved.reduce(
        (all, { at }) => all.replaceAll(`${at}${path.sep}`, "").replaceAll(at, "."),
        text,
      ),
  };
}
