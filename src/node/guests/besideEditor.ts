import type { GuestTools } from "../../ports/guest.ts";
import { connectEditor, type EditorLink, type GuestIdentity } from "./editorLink.ts";
import { EDITOR_CLOSED, EDITOR_LOST, EDITOR_OPENED, refusalResult } from "./messages.ts";

/** {@link GuestTools} with a connection that must be closed. */
export interface LinkedTools extends GuestTools {
  close(): void;
}

/**
 * A guest's tools in the editor that has `folder` open, else `alone`. Each call looks again. Once a
 * guest was in an editor, or where `isAlwaysReviewed`, it changes nothing without one: a window that is being reloaded must not
 * let changes through that the user reviews there.
 */
export function besideEditor(
  alone: GuestTools,
  folder: string,
  identity: GuestIdentity,
  isAlwaysReviewed = false,
): LinkedTools {
  let link: EditorLink | null = null;
  let connecting: ReturnType<typeof connectEditor> | null = null;
  let isReviewed = isAlwaysReviewed;
  let hasWorkedAlone = false;
  let closed = false;
  const reads = new Set(alone.specs.flatMap(({ name, readOnly }) => (readOnly ? [name] : [])));

  async function editor(): ReturnType<typeof connectEditor> {
    if (link?.isOpen) return link;
    connecting ??= connectEditor(folder, identity).finally(() => {
      connecting = null;
    });
    const found = await connecting;
    link = found && "refused" in found ? null : found;
    if (closed) link?.close();
    return found;
  }

  return {
    specs: alone.specs,
    async call(tool, args, signal) {
      const now = await editor();
      if (now === null || "refused" in now) {
        if (!reads.has(tool) && now) return refusalResult(now);
        if (!reads.has(tool) && isReviewed) return EDITOR_CLOSED;
        hasWorkedAlone = true;
        return alone.call(tool, args, signal);
      }
      const isNew = hasWorkedAlone && !isReviewed;
      isReviewed = true;
      const result = await now.call(tool, args, signal);
      // What only reads is asked again where the editor is gone.
      if (result === null && reads.has(tool) && !signal.aborted)
        return this.call(tool, args, signal);
      if (result === null) return EDITOR_LOST;
      return isNew ? { ...result, text: `${EDITOR_OPENED}\n${result.text}` } : result;
    },
    close() {
      closed = true;
      link?.close();
    },
  };
}
