import { withDeadline } from "../../base/deadline.ts";
import { textLines } from "../../base/text/lines.ts";
import { readPath, type Workspace } from "../../ports/workspace.ts";
import type { Syntax, SyntaxDocument } from "../../syntax/syntax.ts";
import { numberedLines } from "../../tools/files/numberedLines.ts";
import { proposalNotes } from "../../tools/files/proposalNotes.ts";
import type { ViewedFiles } from "../../tools/files/viewedFiles.ts";
import { clipText } from "../../tools/results/clippedResults.ts";
import {
  type Attachment,
  type AttachmentRef,
  isGiven,
  MAX_ATTACHED_TEXT,
  MAX_ATTACHMENTS,
  refKey,
  refOf,
} from "../../turns/attachment.ts";
import type { ChatOptions } from "../chatOptions.ts";

/** Where attachments are read, and the turn whose model sees them. */
interface AttachmentSources {
  /** With the pending proposals. */
  readonly workspace: Workspace;
  readonly syntax: Syntax;
  readonly shown: ViewedFiles;
  readonly turnId: string;
  readonly other: ChatOptions["attached"];
  /**
   * Keeps an image with the chat; false where it is gone. Absent where a message cannot have
   * images.
   */
  keepImage?(id: string): Promise<boolean>;
}

/** The most entries of a folder that the model sees. */
const MAX_ENTRIES = 1_000;
/**
 * How long reading one attachment may take, in milliseconds: Git and language servers of large
 * projects are slow.
 */
const LIMIT_MS = 20_000;

/**
 * Reads what the user attached, each thing once, and records the lines of files as shown. Files
 * come with numbered lines, as read_file shows them. What cannot be read now stays as in `earlier`,
 * an earlier version of the message, else it has no text. Never rejects.
 */
export async function readAttachments(
  refs: readonly AttachmentRef[],
  sources: AttachmentSources,
  signal: AbortSignal,
  earlier: readonly Attachment[] = [],
): Promise<Attachment[]> {
  const distinct = [...new Map(refs.map((ref) => [refKey(ref), ref])).values()].slice(
    0,
    MAX_ATTACHMENTS,
  );
  return Promise.all(
    distinct.map(async (ref) => {
      const before = earlier.find((attachment) => refKey(refOf(attachment)) === refKey(ref));
      if (before && isGiven(ref.kind)) return before;
      const now = await withDeadline(signal, LIMIT_MS, (limited) =>
        readAttachment(ref, sources, limited),
      ).catch(() => null);
      return (now?.ok ? now.value : null) ?? before ?? unread(ref);
    }),
  );
}

function unread({ kind, path, lines, name }: AttachmentRef): Attachment {
  return { kind, path, lines, name, text: null, omitted: 0 };
}

async function readAttachment(
  ref: AttachmentRef,
  sources: AttachmentSources,
  signal: AbortSignal,
): Promise<Attachment | null> {
  const { workspace, other } = sources;
  switch (ref.kind) {
    case "image":
      return ref.image && (await sources.keepImage?.(ref.image.id))
        ? { ...ref, text: null, omitted: 0 }
        : null;
    case "file":
    case "symbol":
    case "selection":
      return readAttachedLines(ref, sources, signal);
    case "folder": {
      const entries = await workspace.list(ref.path ?? "", signal);
      if (!entries.ok) return null;
      const shown = entries.value
        .slice(0, MAX_ENTRIES)
        .map(({ name, kind }) => (kind === "directory" ? `${name}/` : name));
      const rest = entries.value.length - shown.length;
      return clipped(ref, [...shown, ...(rest > 0 ? [`… ${rest} more`] : [])].join("\n"));
    }
    default: {
      const text = isGiven(ref.kind) ? ref.text : await other?.(ref, signal);
      return typeof text === "string" ? clipped(ref, text) : null;
    }
  }
}

async function readAttachedLines(
  ref: AttachmentRef,
  sources: AttachmentSources,
  signal: AbortSignal,
): Promise<Attachment | null> {
  const { workspace, syntax, shown, turnId } = sources;
  // The user attached it.
  const read = await readPath(workspace, ref.path ?? "", signal, true);
  if (!read.ok) return null;
  const { path } = read.value.file;
  const { languageId, version } = read.value;
  const text = read.value.text.replace(/^\uFEFF/, "");
  const lines = textLines(text);
  const asked =
    ref.kind === "symbol"
      ? symbolLines(ref, await syntax.openFile(path, languageId, text, signal))
      : ref.lines;
  const first = Math.max(1, Math.min(asked?.first ?? 1, lines.length));
  const wanted = {
    first,
    last: Math.max(first, Math.min(asked?.last ?? lines.length, lines.length)),
  };
  const { text: numbered, last } = numberedLines(path, lines, wanted);
  shown.add({ turnId, path, text, version, first, last });
  const told = [numbered, ...proposalNotes(read.value)].join("\n\n");
  return { ...ref, path, text: told, omitted: 0, view: { first, last, total: lines.length } };
}

function clipped(ref: AttachmentRef, whole: string): Attachment {
  const { text, end, length } = clipText(whole, 0, MAX_ATTACHED_TEXT);
  return { ...ref, text, omitted: length - end };
}

/** The lines of the whole element that is defined in `lines`; without one, `lines`. */
function symbolLines(
  { name, lines }: AttachmentRef,
  document: SyntaxDocument | null,
): AttachmentRef["lines"] {
  if (!document || !lines) return lines;
  const line = lines.first;
  const around = document
    .outline()
    .filter(({ startLine, endLine }) => startLine <= line && line <= endLine);
  document.dispose();
  const shortest = around.sort((a, b) => a.endLine - a.startLine - (b.endLine - b.startLine));
  const own = name.replace(/\(.*$/, "");
  const found = shortest.find(({ path }) => path.replace(/#\d+$/, "").endsWith(own)) ?? shortest[0];
  return found ? { first: found.startLine, last: found.endLine } : lines;
}
