import * as vscode from "vscode";
import { pause } from "../../base/pause.ts";
import type { HostIdentity } from "../../ports/hostIdentity.ts";
import { unlessMissing } from "../workspace/unlessMissing.ts";

const EXTENSION = ".pcm";
/** How often, and how many times, a host that may be ending is looked at again. */
const LOOK_MS = 2_000;
const LOOKS = 15;

/** The file in which a host keeps the sound of what is being said. */
export function soundFileOf(folder: vscode.Uri, { name }: Pick<HostIdentity, "name">): vscode.Uri {
  return vscode.Uri.joinPath(folder, `${encodeURIComponent(name)}${EXTENSION}`);
}

/**
 * Takes the sound that hosts left that have ended, one window each: what was being said as they did.
 * `use` makes words of it; where it does not, the sound stays for the next start. After a reload, the
 * earlier host may still be ending.
 */
export async function takeKeptSound(
  folder: vscode.Uri,
  identity: HostIdentity,
  use: (pcm: Int16Array) => Promise<boolean>,
  signal: AbortSignal,
): Promise<void> {
  for (let look = 0; look < LOOKS && !signal.aborted; look++) {
    if (!(await takeOnce(folder, identity, use))) return;
    await pause(LOOK_MS, signal);
  }
}

/** True where another host may still be ending. */
async function takeOnce(
  folder: vscode.Uri,
  identity: HostIdentity,
  use: (pcm: Int16Array) => Promise<boolean>,
): Promise<boolean> {
  let isWaiting = false;
  const { fs } = vscode.workspace;
  const entries = (await unlessMissing(fs.readDirectory(folder))) ?? [];
  for (const [name, type] of entries) {
    if (type !== vscode.FileType.File || !name.endsWith(EXTENSION)) continue;
    const host = decodeURIComponent(name.slice(0, -EXTENSION.length).replace(/~.*/, ""));
    if (host === identity.name) continue;
    if (!(await identity.hasEnded(host))) {
      isWaiting = true;
      continue;
    }
    // Of two windows that start, one can rename it.
    const own = `${encodeURIComponent(identity.name)}~${crypto.randomUUID()}${EXTENSION}`;
    const claimed = vscode.Uri.joinPath(folder, own);
    try {
      await fs.rename(vscode.Uri.joinPath(folder, name), claimed);
    } catch {
      continue;
    }
    const bytes = await fs.readFile(claimed);
    const whole = bytes.slice(0, bytes.length - (bytes.length % 2));
    if (await use(new Int16Array(whole.buffer))) await fs.delete(claimed);
  }
  return isWaiting;
}
