import { newId } from "../base/ids.ts";
import { ok } from "../base/result.ts";
import { lineNumberAt } from "../base/text/lines.ts";
import { proposedFiles, type ShadowChange } from "../ports/commands/shadow.ts";
import type { ReviewOrigin } from "../ports/review.ts";
import {
  allowSecret,
  type FileError,
  type FileRef,
  readPath,
  readToEdit,
} from "../ports/workspace.ts";
import type { ChatProposals } from "../tools/command/chatProposals.ts";
import { offerOperation } from "../tools/files/proposeOperation.ts";
import { spanText } from "../turns/promptText.ts";
import { openedBlock, type WrittenBlock } from "./drafts/writtenBlock.ts";
import type { EditModeDeps } from "./editModeDeps.ts";
import { proposeBlocks } from "./proposeBlocks.ts";
import { countChangedLines } from "./text/changeSet.ts";
import { mergeTexts } from "./text/mergeTexts.ts";

/** The model did not write what a command wrote, and has not seen it. */
const unseen = { edited() {}, wrote() {} };

type Proposing = Parameters<ChatProposals["propose"]>[1];

/**
 * The proposals of a chat as files for its commands. What these change is proposed as blocks of
 * their call: one a file.
 */
export function createChatProposals(deps: EditModeDeps): ChatProposals {
  const { chatId, reviewer, workspace } = deps;
  const isOwn = (origin: ReviewOrigin) => origin.chatId === chatId;
  const texts = () =>
    reviewer.allPending().filter(({ blocks }) => blocks.some(({ origin }) => isOwn(origin)));
  const operations = () =>
    (reviewer.operations?.pending ?? []).filter(({ origin }) => isOwn(origin));
  return {
    chatId,
    paths: () => [
      ...new Set([
        ...texts().map(({ file }) => file.path),
        ...operations().flatMap(({ file, to }) => [file.path, ...(to ? [to.path] : [])]),
      ]),
    ],
    files: () => proposedFiles(texts(), operations()),
    async propose(changes, context) {
      const proposed: string[] = [];
      const refused: { path: string; error: FileError }[] = [];
      const left = new Set(changes);
      let index = 0;
      for (const { gone, made } of await movesIn(deps, changes)) {
        const [file, to] = [await workspace.resolve(gone.path), await workspace.resolve(made.path)];
        if (!file.ok || !to.ok) continue;
        // What cannot be moved is a deletion and a new file.
        if (await proposePlace(deps, file.value, to.value, ++index, context)) continue;
        for (const change of [gone, made]) left.delete(change);
        proposed.push(file.value.path, to.value.path);
      }
      for (const change of left) {
        const { path } = change;
        const file = await workspace.resolve(path);
        const error = file.ok
          ? await proposeChange(deps, file.value, change, ++index, context)
          : file.error;
        if (error) refused.push({ path, error });
        else proposed.push(file.ok ? file.value.path : path);
      }
      return { proposed, refused };
    },
  };
}

/**
 * Files that were moved: one is gone, and another one, that was not there, has its very text, which
 * no other file has lost or got.
 */
async function movesIn(
  { workspace }: EditModeDeps,
  changes: readonly ShadowChange[],
): Promise<readonly { readonly gone: ShadowChange; readonly made: ShadowChange }[]> {
  const signal = new AbortController().signal;
  const gone: { readonly change: ShadowChange; readonly text: string }[] = [];
  const made: { readonly change: ShadowChange; readonly text: string }[] = [];
  for (const change of changes) {
    const { path, text } = change;
    const before = await readPath(workspace, path, signal);
    if (text === null && before.ok) gone.push({ change, text: withoutMark(before.value.text) });
    if (text !== null && !before.ok && before.error.code === "not-found")
      made.push({ change, text: withoutMark(text) });
  }
  return gone.flatMap(({ change, text }) => {
    if (text === "" || gone.filter((each) => each.text === text).length > 1) return [];
    const [only, ...others] = made.filter((each) => each.text === text);
    return only && others.length === 0 ? [{ gone: change, made: only.change }] : [];
  });
}

function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, "");
}

/** Null where it is proposed, or nothing is left to propose. */
function proposeChange(
  deps: EditModeDeps,
  file: FileRef,
  { text, before }: ShadowChange,
  index: number,
  context: Proposing,
): Promise<FileError | null> {
  return text === null
    ? proposePlace(deps, file, null, index, context)
    : proposeText(deps, file, { text, found: before }, index, context);
}

/** Proposes to delete a file, or to move it. */
async function proposePlace(
  { chatId, reviewer }: EditModeDeps,
  file: FileRef,
  to: FileRef | null,
  index: number,
  { emit, ...context }: Proposing,
): Promise<FileError | null> {
  const { operations } = reviewer;
  if (!operations) return { code: "operation-proposed", path: file.path };
  // A call proposes more than once: what a command in the background changed comes with it.
  const blockId = newId(context.callId);
  const operation = { file, to, origin: originOf(chatId, context), blockId };
  const offered = await offerOperation(operations, operation, index, emit);
  return offered.ok ? null : offered.error;
}

async function proposeText(
  deps: EditModeDeps,
  file: FileRef,
  { text, found }: { readonly text: string; readonly found: string | null },
  index: number,
  { emit, ...context }: Proposing,
): Promise<FileError | null> {
  const { chatId, reviewer, workspace } = deps;
  const signal = new AbortController().signal;
  const read = await readToEdit(workspace, allowSecret(file), signal);
  if (!read.ok) return read.error;
  const snapshot = read.value;
  const before = snapshot.text;
  const mark = before.startsWith("\uFEFF") ? "\uFEFF" : "";
  // What the user wrote since the command found the file stays.
  const merged =
    found === null || !snapshot.exists ? ok(text) : mergeTexts(found, withoutMark(before), text);
  if (!merged.ok) return { code: "changed-meanwhile", path: file.path };
  const after = mark + merged.value;
  if (after === before && snapshot.exists) return null;
  const { start, end } = changedPart(before, after);
  const span = {
    first: lineNumberAt(after, start),
    last: lineNumberAt(after, Math.max(start, end - 1)),
  };
  const target = snapshot.exists ? spanText(span) : "complete file";
  const blockId = newId(context.callId);
  const block = openedBlock({
    ...{ blockId, index, step: 0, target, written: target, textStart: 0 },
    op: snapshot.exists ? "replace" : "complete",
    ...(snapshot.exists && { line: span.first }),
  });
  Object.assign(block, { textEnd: 0, status: "captured" }, countChangedLines(before, after));
  const origin = originOf(chatId, context);
  const proposal = { text: after, blocks: [{ blockId, start, end, warnings: [] }] };
  await proposeBlocks(
    reviewer.open(snapshot, origin),
    { file, origin, blocks: [block], proposal, stopped: false },
    emit,
    unseen,
  );
  return refusal(block, file);
}

/** Why the review took nothing; null where it did. */
function refusal({ reason }: WrittenBlock, { path }: FileRef): FileError | null {
  switch (reason?.code) {
    case "being-written":
    case "deletion-proposed":
    case "proposals-elsewhere":
      return { code: reason.code, path };
    case "write-failed":
      return reason.error;
    default:
      return null;
  }
}

function originOf(
  chatId: string,
  { turnId, callId, agent }: Pick<Proposing, "turnId" | "callId" | "agent">,
): ReviewOrigin {
  return { chatId, turnId, callId, ...(agent !== undefined && { agent }) };
}

/** The lines of `after` outside of which both texts are the same. Half-open UTF-16 offsets. */
function changedPart(before: string, after: string): { start: number; end: number } {
  const most = Math.min(before.length, after.length);
  let [same, tail] = [0, 0];
  while (same < most && before[same] === after[same]) same++;
  while (tail < most - same && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const start = after.lastIndexOf("\n", same - 1) + 1;
  const next = after.indexOf("\n", Math.max(start, after.length - tail - 1));
  return { start: same === 0 ? 0 : start, end: next < 0 ? after.length : next + 1 };
}
