import { newId } from "../../base/ids.ts";
import { ok } from "../../base/result.ts";
import { lineNumberAt } from "../../base/text/lines.ts";
import type { OffsetRange } from "../../base/text/scan.ts";
import { proposedFiles, type ShadowChange } from "../../ports/commands/shadow.ts";
import type { ReviewOrigin } from "../../ports/review.ts";
import {
  allowSecret,
  type FileError,
  type FileRef,
  readPath,
  readToEdit,
} from "../../ports/workspace.ts";
import type { ChatProposals } from "../../tools/command/chatProposals.ts";
import { offerOperation } from "../../tools/files/proposeOperation.ts";
import { ViewedFiles } from "../../tools/files/viewedFiles.ts";
import type { ProposedPath } from "../../tools/tool.ts";
import { spanText } from "../../turns/promptText.ts";
import { type Block, become, isAlreadyThere, openedBlock } from "../block.ts";
import type { EditModeDeps } from "../editModeDeps.ts";
import { EditedFile } from "../place/editedFile.ts";
import { countChangedLines } from "../text/changeSet.ts";
import { lineDiff } from "../text/lineDiff.ts";
import { mergeTexts } from "../text/mergeTexts.ts";
import { proposeBlocks } from "./proposeBlocks.ts";
import { proposeBody } from "./proposeBody.ts";
import { TakenBackTexts } from "./takenBack.ts";

type CommandDeps = EditModeDeps & {
  readonly takenBack: TakenBackTexts;
  readonly shownTo: (agent: string) => ViewedFiles;
};
type Proposing = Parameters<ChatProposals["propose"]>[1];

/** The proposals of a chat for its commands, and what these took back of it. */
export interface CommandProposals extends ChatProposals {
  readonly takenBack: TakenBackTexts;
}

/**
 * The proposals of a chat as files for its commands. What these change is proposed as blocks of
 * their call: one a file. `shownTo` is what another maker's agent in the chat has seen.
 */
export function createChatProposals(
  options: EditModeDeps,
  shownTo: (agent: string) => ViewedFiles = () => new ViewedFiles(),
): CommandProposals {
  const takenBack = new TakenBackTexts();
  const deps = { ...options, takenBack, shownTo };
  const { chatId, reviewer, workspace } = deps;
  const isOwn = (origin: ReviewOrigin) => origin.chatId === chatId;
  const texts = () =>
    reviewer.allPending().filter(({ hunks }) => hunks.some((chats) => chats.some(isOwn)));
  const operations = () =>
    (reviewer.operations?.pending ?? []).filter(({ origin }) => isOwn(origin));
  return {
    chatId,
    takenBack,
    paths: () => [
      ...new Set([
        ...texts().map(({ file }) => file.path),
        ...operations().flatMap(({ file, to }) => [file.path, ...(to ? [to.path] : [])]),
      ]),
    ],
    files: () => proposedFiles(texts(), operations()),
    async propose({ changes, modes }, context) {
      const proposed: ProposedPath[] = [];
      const refused: { path: string; error: FileError }[] = [];
      const left = new Set(changes);
      const modesLeft = new Map(modes.map((mode) => [mode.path, mode]));
      let index = 0;
      for (const operation of operations()) {
        const isBack = changes.some(
          ({ path, text }) => path === operation.file.path && text !== null,
        );
        if (!isBack || operation.executable !== undefined) continue;
        await reviewer.operations?.withdraw(operation, context.callId);
        proposed.push({ path: operation.file.path, did: "taken-back" });
        for (const change of changes)
          if (change.path === operation.to?.path && change.text === null) left.delete(change);
      }
      for (const { gone, made } of await movesIn(deps, [...left])) {
        const [file, to] = [await workspace.resolve(gone.path), await workspace.resolve(made.path)];
        if (!file.ok || !to.ok) continue;
        // What cannot be moved is a deletion and a new file.
        if (await proposePlace(deps, file.value, to.value, ++index, context)) continue;
        for (const change of [gone, made]) left.delete(change);
        modesLeft.delete(made.path);
        proposed.push({ path: file.value.path, did: "renamed", to: to.value.path });
      }
      for (const change of left) {
        const { path, text } = change;
        const file = await workspace.resolve(path);
        const isNew = file.ok && !(await isThere(deps, file.value));
        if (!file.ok) {
          refused.push({ path, error: file.error });
          continue;
        }
        const settled =
          text === null
            ? await proposePlace(deps, file.value, null, ++index, context)
            : await proposeText(deps, file.value, { text, found: change.before }, ++index, context);
        const did = text === null ? "deleted" : isNew ? "created" : "changed";
        if (settled !== null && typeof settled === "object") refused.push({ path, error: settled });
        else if (settled !== "same")
          proposed.push({ path: file.value.path, did: settled === "taken-back" ? settled : did });
      }
      for (const { path, executable } of modesLeft.values()) {
        if (refused.some((each) => each.path === path)) continue;
        const file = await workspace.resolve(path);
        const error = file.ok
          ? await proposePlace(deps, file.value, file.value, ++index, context, executable)
          : file.error;
        if (error) refused.push({ path, error });
        else if (file.ok)
          proposed.push({
            path: file.value.path,
            did: executable ? "made-executable" : "made-plain",
          });
      }
      return { proposed, refused };
    },
  };
}

async function isThere({ workspace }: EditModeDeps, { path }: FileRef): Promise<boolean> {
  const read = await readPath(workspace, path, new AbortController().signal);
  return read.ok || read.error.code !== "not-found";
}

/** Files that moved: one is gone, and only one other has come with its text and mode. */
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
    const isMoved = only?.change.executable === change.executable;
    return only && others.length === 0 && isMoved ? [{ gone: change, made: only.change }] : [];
  });
}

function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, "");
}

/** What became of a change, or why it cannot be proposed. */
type Settled = "proposed" | "taken-back" | "same" | FileError;

/** Proposes to delete a file, to move it, or to change its mode. */
async function proposePlace(
  { chatId, reviewer }: EditModeDeps,
  file: FileRef,
  to: FileRef | null,
  index: number,
  { emit, ...context }: Proposing,
  executable?: boolean,
): Promise<FileError | null> {
  const { operations } = reviewer;
  if (!operations)
    return { code: executable === undefined ? "operation-proposed" : "no-modes", path: file.path };
  // A call proposes more than once: what a command in the background changed comes with it.
  const blockId = newId(context.callId);
  const mode = executable === undefined ? {} : { executable };
  const operation = { file, to, origin: originOf(chatId, context), blockId, ...mode };
  const offered = await offerOperation(operations, operation, index, emit);
  return offered.ok ? null : offered.error;
}

async function proposeText(
  deps: CommandDeps,
  file: FileRef,
  { text, found }: { readonly text: string; readonly found: string | null },
  index: number,
  { emit, ...context }: Proposing,
): Promise<Settled> {
  const { chatId, reviewer, workspace, takenBack } = deps;
  const signal = new AbortController().signal;
  const read = await readToEdit(workspace, allowSecret(file), signal);
  if (!read.ok) return read.error;
  const snapshot = read.value;
  const before = snapshot.text;
  const mark = before.startsWith("\uFEFF") ? "\uFEFF" : "";
  if (found !== null && snapshot.exists && isReadOtherwise(found, before))
    return { code: "other-encoding", path: file.path };
  // What the user wrote since the command found the file stays.
  const merged =
    found === null || !snapshot.exists ? ok(text) : mergeTexts(found, withoutMark(before), text);
  if (!merged.ok) return { code: "changed-meanwhile", path: file.path };
  const after = mark + merged.value;
  if (after === before && snapshot.exists) return "same";
  const parts = changedParts(before, after);
  const span = {
    first: lineNumberAt(after, parts[0]?.start ?? 0),
    last: lineNumberAt(after, Math.max(0, (parts.at(-1)?.end ?? 0) - 1)),
  };
  const target = snapshot.exists ? spanText(span) : "complete file";
  const blockId = newId(context.callId);
  const opened = openedBlock({
    ...{ blockId, index, step: 0, target, written: target, textStart: 0 },
    op: snapshot.exists ? "replace" : "complete",
    ...(snapshot.exists && { line: span.first }),
  });
  const block = certainBlock(become(opened, { textEnd: 0 }), file, before, after);
  const origin = { ...originOf(chatId, context), isCommand: true } as const;
  const proposal = {
    text: after,
    blocks: parts.map((part) => ({ blockId, ...part, warnings: [] })),
  };
  const pending = reviewer.pending(file);
  if (pending)
    takenBack.keep({ callId: context.callId, file, before, after, blocks: pending.blocks });
  const {
    blocks: [proposed],
  } = await proposeBlocks(
    reviewer.open(snapshot, origin),
    { file, origin, blocks: [block], proposal, stopped: false },
    emit,
    // Its writer knows the text; no one else has read it.
    context.agent === undefined ? deps.shown : deps.shownTo(context.agent),
  );
  if (!proposed) return "proposed";
  return isAlreadyThere(proposed) ? "taken-back" : (refusal(proposed, file) ?? "proposed");
}

/** A block that makes one text of another, which a program did for certain. */
function certainBlock(
  block: Block<"streaming">,
  ref: FileRef,
  before: string,
  after: string,
): Block {
  const file = new EditedFile(ref, before, null);
  const counts = countChangedLines(before, after);
  const place = { growing: null, oldText: before, close: () => ok(counts) };
  const body = { lines: after.split(/\r\n|\n|\r/), eol: "\n" } as const;
  return proposeBody(block, body, {
    ...{ file, place, warnings: [], shown: null, draft: null, repairs: "certain" },
  });
}

/** True for two readings of one file that have no letter beyond ASCII in common. */
function isReadOtherwise(one: string, other: string): boolean {
  const letters = (text: string) => new Set(withoutMark(text).match(/[^\0-\x7f]/gu));
  const [a, b] = [letters(one), letters(other)];
  return a.size > 0 && b.size > 0 && [...a].every((letter) => !b.has(letter));
}

/** Why the review took nothing; null where it did. */
function refusal({ reason }: Block, { path }: FileRef): FileError | null {
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

/** The lines of `after` that `before` has not, and the places of those it has lost; sorted. */
function changedParts(before: string, after: string): readonly OffsetRange[] {
  return lineDiff(before, after).map(({ afterStart, afterEnd }) => ({
    start: afterStart,
    end: afterEnd,
  }));
}
