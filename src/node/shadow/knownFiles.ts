import { lstat, mkdir, unlink } from "node:fs/promises";
import * as path from "node:path";
import type {
  ProposedFile,
  ShadowChange,
  ShadowChanges,
  ShadowMode,
  ShadowProblem,
} from "../../ports/commands/shadow.ts";
import { removeTree } from "../files/removeTree.ts";
import { contains } from "../processes/gitRepository.ts";
import { readPlain } from "../processes/readPlain.ts";
import type { ChangedPaths } from "./changedPaths.ts";
import { fileContent, linkHash, otherHash, textOf } from "./fileContent.ts";
import { type ShownFolders, writeProblem } from "./shadowBackend.ts";
import { NO_FILE, putProposed, restoreOwn, type ShadowFile } from "./shadowFile.ts";

/**
 * What a shadow is known to have, by absolute path: what was put there, and what commands were seen
 * to change. What differs from it was changed since.
 */
export class KnownFiles {
  private readonly known = new Map<string, ShadowFile>();

  /** The paths of what cannot be proposed, and so stays for the next time. */
  staying(): readonly string[] {
    return [...this.known].flatMap(([place, { stays }]) => (stays ? [place] : []));
  }

  dropStaying(): void {
    for (const place of this.staying()) this.known.delete(place);
  }

  dropOthers(): void {
    for (const [place, { stays }] of this.known) if (!stays) this.known.delete(place);
  }

  /**
   * Puts the proposed files in place by their paths, and takes out others that were. In a shadow
   * that commands share, what one in the background changed stays until it is collected.
   */
  async put(
    shown: ShownFolders,
    wanted: ReadonlyMap<string, ProposedFile>,
    isShared: boolean,
  ): Promise<ShadowProblem | null> {
    const dropped = [...this.known].flatMap(([place, { stays }]) =>
      stays || wanted.has(place) ? [] : [place],
    );
    const isOurs = async (place: string) => !isShared || !(await this.isTouched(shown, place));
    let now = "";
    try {
      for (now of dropped) {
        if (!(await isOurs(now))) continue;
        const below = await readPlain(now);
        await workAt(shown, now, below !== null, (own) => restoreOwn(now, below, own));
        this.known.delete(now);
      }
      for (const [place, file] of wanted) {
        now = place;
        if (!(await isOurs(place))) continue;
        const isDeleted = file.text === null && !file.movedFrom;
        const put = (own: string) => putProposed(place, own, file);
        const made = await workAt(shown, place, !isDeleted, put);
        this.known.set(place, made ?? NO_FILE);
      }
      return null;
    } catch (error) {
      return writeProblem(error, now);
    }
  }

  /** What commands changed since this was last asked; `spelled` names a path as the user does. */
  async changesAmong(
    shown: ShownFolders,
    found: ChangedPaths,
    spelled: (place: string) => string,
  ): Promise<Pick<ShadowChanges, "changes" | "modes" | "unshown">> {
    const changes: ShadowChange[] = [];
    const modes: ShadowMode[] = [];
    const unshown: string[] = [];
    const now = new Map<string, ShadowFile>();
    // What was proposed and is in no folder below leaves no mark where it is deleted.
    const lost = [...this.known].flatMap(([place, { hash }]) => (hash === null ? [] : [place]));
    for (const place of new Set([...found.written, ...found.gone, ...lost])) {
      const { entry, bytes, hash, isExecutable } = await look(shown, place);
      if (entry?.isDirectory()) continue;
      const known = this.known.get(place);
      if (known?.hash === hash && known.isExecutable === isExecutable) continue;
      const below = await fileContent(place);
      const belowBytes = below?.bytes ?? null;
      const text = bytes && textOf(bytes, belowBytes);
      const link = known ? null : await linkHash(place);
      const before = known ?? {
        hash: below?.hash ?? link,
        text: belowBytes && textOf(belowBytes, belowBytes),
        isExecutable: below?.isExecutable ?? false,
        stays: false,
      };
      const isSame = hash === before.hash;
      if (isSame && isExecutable === before.isExecutable) continue;
      // A link of the user's is gone, whatever it leads to, or what the command itself left here.
      const isUnproposed =
        entry === null && (link !== null || (below === null && before.text === null));
      const stays = isSame ? before.stays : isUnproposed || (entry !== null && text === null);
      now.set(place, { hash, text, stays, isExecutable });
      const named = spelled(place);
      // What is no text stays where commands run, with its mode.
      if (entry !== null && !stays && isExecutable !== before.isExecutable)
        modes.push({ path: named, executable: isExecutable });
      if (isSame) continue;
      const executable = entry === null ? before.isExecutable : isExecutable;
      if (isUnproposed && known) continue;
      if (stays) unshown.push(named);
      else changes.push({ path: named, text, before: before.text, executable });
    }
    for (const [place, state] of now) this.known.set(place, state);
    return { changes, modes, unshown };
  }

  /** True where a command changed what is at a path, and nobody has collected that. */
  private async isTouched(shown: ShownFolders, place: string): Promise<boolean> {
    const known = this.known.get(place);
    const { hash } = await look(shown, place);
    return hash !== (known ? known.hash : await hashBelow(place));
  }
}

/**
 * Works on a path of the shadow, with real folders on the way: what a command put in their place
 * is removed, since a link would lead out. Missing ones are made where `makes`, else there is
 * nothing to do.
 */
async function workAt<T>(
  shown: ShownFolders,
  place: string,
  makes: boolean,
  work: (own: string) => Promise<T>,
): Promise<T | null> {
  const top = shown.folders.find((folder) => contains(folder, place));
  if (top === undefined) throw new Error("It is outside of the workspace.");
  let at = top;
  for (const name of path.relative(top, path.dirname(place)).split(path.sep).filter(Boolean)) {
    at = path.join(at, name);
    const isThere = await shown.within(at, async (entry) => {
      const found = await lstat(entry).catch(() => null);
      if (found?.isDirectory()) return true;
      if (found) await unlink(entry);
      if (makes) await mkdir(entry);
      return makes;
    });
    if (!isThere) return null;
  }
  return shown.within(place, async (own) => {
    const found = await lstat(own).catch(() => null);
    if (found && !found.isFile()) await removeTree(own);
    return work(own);
  });
}

async function look(shown: ShownFolders, place: string) {
  const { entry, content, other } = await shown
    .within(place, async (own) => {
      const entry = await lstat(own);
      const content = entry.isFile() ? await fileContent(own, true) : null;
      return { entry, content, other: content ? null : await otherHash(own, entry) };
    })
    // It is gone, or a link is on the way.
    .catch(() => ({ entry: null, content: null, other: null }));
  const hash = content?.hash ?? other;
  const isExecutable = content?.isExecutable ?? false;
  return { entry, bytes: content?.bytes ?? null, hash, isExecutable };
}

async function hashBelow(place: string): Promise<string | null> {
  return (await fileContent(place))?.hash ?? null;
}
