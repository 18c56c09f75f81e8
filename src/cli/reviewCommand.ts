import { open } from "node:fs/promises";
import * as path from "node:path";
import { createInterface } from "node:readline";
import { newId } from "../base/ids.ts";
import { english } from "../base/localize.ts";
import { err, type Result } from "../base/result.ts";
import { type TextLine, textLines } from "../base/text/lines.ts";
import { thrownText } from "../base/text/sentence.ts";
import { visibleLine, visibleText } from "../base/text/visibleText.ts";
import type { WriteAccepted } from "../edits/review/autoReviewer.ts";
import type { Hunk } from "../edits/review/reviewPlan.ts";
import { ReviewState } from "../edits/review/reviewState.ts";
import { shareFaultText, shareProblemText } from "../edits/share/messages.ts";
import { type OpenedFile, type OpenedShare, openShare } from "../edits/share/openShare.ts";
import { MAX_SHARED_BYTES, readShare, type Share } from "../edits/share/share.ts";
import { withOwnLineEnds } from "../edits/text/lineEnds.ts";
import { createFileApplier } from "../node/files/fileApplier.ts";
import { createNodeWorkspaceFiles } from "../node/files/nodeWorkspaceFiles.ts";
import { findRipgrep } from "../node/files/ripgrepSearch.ts";
import { fileErrorMessage } from "../ports/messages.ts";
import { isProtectedOperation, type PendingOperation } from "../ports/review.ts";
import { changeRefusal, type WorkspaceFiles } from "../ports/workspaceFiles.ts";
import { warningsText } from "../turns/blockMessages.ts";
import { type CommandIo, complain, fail, print, printJson } from "./commandIo.ts";
import type { CliCommand } from "./commandLine.ts";
import { commandLineWords } from "./messages.ts";
import { openRoot } from "./openRoot.ts";

type DecideArguments = Extract<CliCommand, { name: "review" }>;

/** `graft review`: shows and decides what another machine's Graft proposed. Returns the exit status. */
export async function reviewCommand(command: DecideArguments, io: CommandIo): Promise<number> {
  const workspace = await openRoot(command.root);
  if (!workspace.ok) return fail(io, workspace.error, 2);
  const shared = await shareInFile(command.file);
  if (!shared.ok) return fail(io, shared.error, 1);
  const origin = { chatId: newId("import"), turnId: newId("turn"), callId: newId("call") };
  const opened = await openShare(shared.value, workspace.value, origin, io.interrupted);
  const { root, json, accept } = command;
  // JSON is alone on stdout; who is asked sees what about.
  const screen = json ? (accept === "ask" ? io.stderr : null) : io.stdout;
  const show = async (text: string) => (screen ? print(screen, text) : undefined);
  const { comment } = shared.value;
  if (comment) await show(`${visibleText(comment)}\n\n`);
  const answers = accept === "ask" && screen ? answersOf(io, screen) : null;
  const decided = await decideShared(opened, {
    accept,
    show,
    ask: answers?.ask ?? (async () => "quit"),
    write: createFileApplier(workspace.value),
    files: await createNodeWorkspaceFiles(root, await findRipgrep(null, [root])),
    signal: io.interrupted,
  });
  answers?.close();
  if (io.interrupted.aborted) return 130;
  return report(command, io, opened, decided);
}

async function report(
  { accept, json }: DecideArguments,
  io: CommandIo,
  { done, problems }: OpenedShare,
  decided: Decided,
): Promise<number> {
  const reasons = problems.map((problem) => shareProblemText(english, problem));
  if (json) await printJson(io, { ...decided, done, problems });
  else if (done.length > 0)
    await print(io.stdout, `Already here: ${done.map(visibleLine).join(", ")}\n`);
  for (const reason of [...reasons, ...decided.errors]) await complain(io, visibleLine(reason));
  const left = decided.changes.filter(({ accepted }) => accepted === null).length;
  if (left > 0 && accept !== "none")
    await complain(io, `${left} of ${decided.changes.length} changes are not decided.`);
  const isWhole = reasons.length + decided.errors.length === 0;
  return isWhole && (left === 0 || accept === "none") ? 0 : 1;
}

/** The shared review in a file. The error is a sentence. */
async function shareInFile(file: string): Promise<Result<Share, string>> {
  const name = visibleLine(path.basename(file));
  try {
    const handle = await open(file, "r");
    try {
      const stat = await handle.stat();
      if (!stat.isFile()) return err(`${name} is not a regular file.`);
      const bytes = stat.size;
      if (bytes > MAX_SHARED_BYTES)
        return err(shareFaultText(english, name, { code: "too-large", bytes }));
      const shared = readShare(await handle.readFile("utf8"));
      return shared.ok ? shared : err(shareFaultText(english, name, shared.error));
    } finally {
      await handle.close();
    }
  } catch (error) {
    return err(`${name} cannot be read: ${thrownText(error)}`);
  }
}

const WORDS: ReadonlyMap<string, AskedWord> = new Map([
  ...(["yes", "no", "rest", "quit"] as const).flatMap((word) => [
    [word, word] as const,
    [word.slice(0, 1), word] as const,
  ]),
]);

/** Asks on `output`, line by line; the end of stdin is `quit`. */
function answersOf(io: CommandIo, output: CommandIo["stdout"]) {
  const lines = createInterface({ input: io.stdin });
  const close = () => lines.close();
  io.interrupted.addEventListener("abort", close);
  const answers = lines[Symbol.asyncIterator]();
  return {
    close,
    async ask(question: string): Promise<AskedWord> {
      for (;;) {
        await print(output, `${question} [yes, no, rest of the file, quit] `);
        const { value, done } = await answers.next();
        const word = done ? "quit" : WORDS.get(value.trim().toLowerCase());
        if (word) return word;
      }
    },
  };
}

/** What the user says to a change; `rest` accepts those of the file that nothing speaks against. */
type AskedWord = "yes" | "no" | "rest" | "quit";

/** Who decides, and what carries it out. */
interface SharedDecider {
  readonly accept: "all" | "none" | "ask";
  show(text: string): Promise<void>;
  ask(question: string): Promise<AskedWord>;
  readonly write: WriteAccepted;
  readonly files: WorkspaceFiles;
  readonly signal: AbortSignal;
}

/** A change and what was decided on it; null where that is open. */
interface DecidedChange {
  readonly path: string;
  /** The 1-based line of the file here; null for a deletion or renaming of the file. */
  readonly line: number | null;
  readonly conflict: boolean;
  readonly warnings: Hunk["warnings"];
  accepted: boolean | null;
}

/** All changes, and why some that were accepted are not in their files. */
interface Decided {
  readonly changes: readonly DecidedChange[];
  readonly errors: readonly string[];
}

/** Lines around a change that are shown. */
const CONTEXT = 2;

/**
 * Shows each change, decides it and writes what is accepted, file by file, where the file is still
 * as it was. What stays open, or is left when the signal aborts, stays in the shared review.
 */
async function decideShared(opened: OpenedShare, decider: SharedDecider): Promise<Decided> {
  const changes: DecidedChange[] = [];
  const errors: string[] = [];
  let isOver = false;
  const ask = async (question: string): Promise<AskedWord> => {
    if (isOver || decider.signal.aborted) return "quit";
    const word = await decider.ask(question);
    isOver = word === "quit";
    return word;
  };
  for (const file of opened.files) {
    const error = await decideFile(file, { ...decider, ask }, changes);
    if (error) errors.push(error);
  }
  for (const operation of opened.operations) {
    const error = await decideOperation(operation, { ...decider, ask }, changes);
    if (error) errors.push(error);
  }
  return { changes, errors };
}

/** The error is a sentence; null where all is well. */
async function decideFile(
  { snapshot, review }: OpenedFile,
  { accept, ask, show, write, signal }: SharedDecider,
  changes: DecidedChange[],
): Promise<string | null> {
  const { file } = snapshot;
  const state = ReviewState.from(review);
  const before = state.real;
  const isProtected = changeRefusal(file, false) !== null;
  await show(`${visibleLine(file.path)}${snapshot.exists ? "" : " (new)"}\n`);
  if (isProtected)
    await show(`! ${fileErrorMessage({ code: "protected", path: visibleLine(file.path) })}\n`);
  const own: DecidedChange[] = [];
  let takesRest = false;
  for (const { id } of state.hunks()) {
    const hunk = state.hunks().find((other) => other.id === id);
    if (!hunk) continue;
    await show(changeText(state, hunk));
    const { conflict, warnings, real } = hunk;
    const change: DecidedChange = {
      ...{ path: file.path, line: real.start + 1, conflict, warnings, accepted: null },
    };
    own.push(change);
    const isSound = !conflict && warnings.length === 0 && !isProtected;
    const word: AskedWord =
      accept === "ask" && !(takesRest && isSound)
        ? await ask(conflict ? "Overwrite what is here?" : "Accept?")
        : "rest";
    takesRest ||= word === "rest";
    const isTaken = word === "yes" || (word === "rest" && isSound && accept !== "none");
    if (isTaken) state.commit(state.planAccept([id], true));
    else if (word === "no") state.reject([id]);
    if (isTaken || word === "no") change.accepted = isTaken;
  }
  changes.push(...own);
  if (state.real === before || signal.aborted) return null;
  const written = await write(snapshot, withOwnLineEnds(snapshot.text, before, state.real));
  if (written.ok) return null;
  for (const change of own) if (change.accepted) change.accepted = null;
  return fileErrorMessage(written.error);
}

async function decideOperation(
  operation: PendingOperation,
  { accept, ask, show, files, signal }: SharedDecider,
  changes: DecidedChange[],
): Promise<string | null> {
  const { file, to, executable } = operation;
  await show(`${operationText(operation)}\n`);
  const change: DecidedChange = {
    ...{ path: file.path, line: null, conflict: false, warnings: [], accepted: null },
  };
  changes.push(change);
  const isAsked = accept === "ask";
  const word = isAsked ? await ask("Accept?") : "rest";
  const isSound = !isProtectedOperation(operation);
  const isTaken = word === "yes" || (word === "rest" && isSound && accept !== "none");
  if (word === "no") change.accepted = false;
  if (!isTaken || signal.aborted) return null;
  const done =
    executable !== undefined
      ? await files.setExecutable(file.path, executable, isAsked)
      : to
        ? await files.rename(file.path, to.path, false, isAsked)
        : await files.delete(file.path, false, isAsked);
  if (!done.ok) return fileErrorMessage(done.error);
  change.accepted = true;
  return null;
}

function operationText({ file, to, executable }: PendingOperation): string {
  const name = visibleLine(file.path);
  if (executable !== undefined)
    return executable ? `Make ${name} executable` : `Make ${name} no longer executable`;
  return to ? `Rename ${name} to ${visibleLine(to.path)}` : `Delete ${name}`;
}

/** A change with lines around it, and what speaks against it. */
function changeText(state: ReviewState, { real, proposed, conflict, warnings }: Hunk): string {
  const [old, now] = [textLines(state.real), textLines(state.proposed)];
  const marked = (mark: string, lines: readonly TextLine[]) =>
    lines.map(({ text }) => `${mark}${visibleText(text)}`);
  const why = warningsText(warnings, commandLineWords);
  const cautions = [...(conflict ? ["The file has other lines here."] : []), ...(why ? [why] : [])];
  const lines = [
    `@@ -${real.start + 1},${real.end - real.start} +${proposed.start + 1},${proposed.end - proposed.start} @@`,
    ...marked(" ", old.slice(Math.max(0, real.start - CONTEXT), real.start)),
    ...marked("-", old.slice(real.start, real.end)),
    ...marked("+", now.slice(proposed.start, proposed.end)),
    ...marked(" ", old.slice(real.end, real.end + CONTEXT)),
    ...cautions.map((caution) => `! ${visibleText(caution)}`),
  ];
  return `${lines.join("\n")}\n`;
}
