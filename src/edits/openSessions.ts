import type { FileRef } from "../ports/workspace.ts";
import type { EditSession } from "./editSession.ts";

/** The open sessions of one turn, in the order of their activation. Every block goes to at most one. */
export class OpenSessions {
  private readonly sessions: EditSession[] = [];
  private lastIndex = 0;

  /** Adds the session that was activated last. */
  add(session: EditSession): void {
    this.sessions.push(session);
  }

  remove(session: EditSession): void {
    const at = this.sessions.indexOf(session);
    if (at >= 0) this.sessions.splice(at, 1);
  }

  /** The session for the file `name`, or null. */
  find(name: string): EditSession | null {
    return this.sessions.findLast(({ file }) => sameFile(name, file)) ?? null;
  }

  /** Whose block it is: by the file name, or else the session activated last. */
  ownerOf(file: string | null, self: EditSession): "mine" | "other" | "nobody" {
    const last = this.sessions.at(-1) ?? null;
    const owner = file === null ? last : this.find(file);
    if (owner === null) return last === self ? "nobody" : "other";
    return owner === self ? "mine" : "other";
  }

  /** True when a plain block is for `self`: its info string names the file, or names none and `self` was activated last. */
  takesPlain(info: string, self: EditSession): boolean {
    const named = this.sessions.find(({ file, awaitsPlain }) => awaitsPlain && namesFile(info, file));
    return named ? named === self : this.sessions.at(-1) === self;
  }

  /** The next block's number in the turn, from 1. */
  nextIndex(): number {
    return ++this.lastIndex;
  }
}

/** `ts:src/app.ts`, `ts src/app.ts`, `src/app.ts`, `ts title="src/app.ts"`. */
function namesFile(info: string, file: FileRef): boolean {
  return info.split(/[\s:="']+/).some((word) => word !== "" && sameFile(word, file));
}

/** True when `name`, as a model writes it, is the file: its workspace-relative path, or its absolute one. */
export function sameFile(name: string, file: FileRef): boolean {
  const plain = name.replaceAll("\\", "/").replace(/^(\.\/)+/, "");
  return plain === file.path || (/^(\/|[a-z]:\/)/i.test(plain) && plain.replace(/^\//, "") === absolutePath(file.uri));
}

/** The path of a URI without its first slash. */
function absolutePath(uri: string): string | null {
  try {
    return decodeURIComponent(uri.replace(/^[\w+.-]+:\/\/[^/]*\//, ""));
  } catch {
    return null;
  }
}
