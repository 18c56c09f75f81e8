import { countLines, splitLines } from "../../base/text/lines.ts";
import { allowSecret, type FileRef, type FileSnapshot, readToEdit } from "../../ports/workspace.ts";
import type { BlockReason } from "../../turns/blockReason.ts";
import type { EmitTurnEvent } from "../../turns/streamRegistry.ts";
import { claimsOfOne } from "../answer/openSessions.ts";
import { become, editBlockOf } from "../block.ts";
import type { EditModeDeps } from "../editModeDeps.ts";
import { type EditedFile, withEditedFile } from "../place/editedFile.ts";
import { captureEdits } from "./blockCapture.ts";
import { type CodeEditor, type CodePlace, type CodePlaces, codePlaces } from "./codePlaces.ts";
import type { HeldFailure } from "./heldBlocks.ts";
import { proposeWithReport } from "./proposeBlocks.ts";

/** A code block of an answer that the user applies to a file. */
export interface AnswerCode {
  readonly file: FileRef;
  readonly code: string;
  /** What follows its fence. */
  readonly info: string;
  /** Null where no editor shows the file. */
  readonly editor: CodeEditor | null;
  /** Asks the user for one of several places; null when they cancel. */
  choose(places: CodePlaces["places"]): Promise<CodePlace | null>;
}

/** The turn that the code is a proposal of. */
export interface ApplyingTurn {
  readonly turnId: string;
  readonly callId: string;
  /** Its last step. */
  readonly step: number;
  /** The next block's number. */
  readonly index: number;
  readonly emit: EmitTurnEvent;
}

/** Proposes a code block as one edit of its turn; gives why nothing was proposed. */
export async function proposeCode(
  answer: AnswerCode,
  deps: EditModeDeps,
  turn: ApplyingTurn,
  signal: AbortSignal,
): Promise<HeldFailure | null> {
  const { file } = answer;
  const { workspace, syntax } = deps;
  const read = await readToEdit(workspace, allowSecret(file), signal);
  if (!read.ok) return { code: "file", error: read.error };
  const snapshot = read.value;
  return withEditedFile(snapshot, syntax, signal, async (edited) => {
    const { document, text } = edited;
    const plain = { ...snapshot, text };
    const { certain, places } = await codePlaces(answer, plain, document, answer.editor, syntax);
    const place = certain ?? (await answer.choose(places));
    if (!place || signal.aborted) return { code: "stopped" };
    return propose(answer, place, snapshot, edited, deps, turn);
  });
}

async function propose(
  answer: AnswerCode,
  place: CodePlace,
  snapshot: FileSnapshot,
  edited: EditedFile,
  deps: EditModeDeps,
  turn: ApplyingTurn,
): Promise<HeldFailure | null> {
  const { chatId, held } = deps;
  const { file } = snapshot;
  const { turnId, callId, emit } = turn;
  const isWhole = place.kind === "file";
  const capture = captureEdits(
    {
      ...{ callId, file: edited, mode: isWhole ? "complete" : null },
      claims: { ...claimsOfOne(edited, isWhole), nextIndex: () => turn.index },
      onBlock() {},
      onHeld: (block) => held.keep({ turnId, callId, file, base: edited.text, block }),
    },
    turn.step,
    [editAt(answer, place, edited.text)],
  );
  const noPlace = (target: string, why: BlockReason | null): HeldFailure => {
    const reason: BlockReason = why ?? { code: "invalid-address" };
    return { code: "no-place", path: file.path, target, reason };
  };
  const [written] = capture.blocks;
  if (!written) return noPlace(answer.info, null);
  // The answer's text keeps it as what it is.
  const block = become(written, { textEnd: written.textStart });
  if (block.status === "held") {
    emit({ type: "edit-update", edit: editBlockOf(block, callId, file.path) });
    return null;
  }
  if (block.status !== "captured") return noPlace(block.target, block.reason);
  const report = await proposeWithReport(
    { ...deps, emit },
    snapshot,
    { chatId, turnId, callId },
    [block],
    capture.proposal(),
  );
  emit({
    type: "edit-report",
    text: `The user applied a code block of your answer to '${file.path}'.\n\n${report}`,
  });
  return null;
}

function editAt({ code, info }: AnswerCode, place: CodePlace, text: string) {
  const lineAt = (line: number) => splitLines(text)[line - 1]?.text ?? "";
  return {
    info: openerOf(place, info, countLines(text), lineAt),
    code: bodyAt(place, code.replace(/\n$/, ""), lineAt),
  };
}

/** Code that begins at the margin gets the indentation of the line that it goes to. */
function bodyAt(place: CodePlace, code: string, lineAt: (line: number) => string): string {
  if (place.kind === "end") return `\n${code}`;
  const line =
    place.kind === "selection" ? place.first : place.kind === "cursor" ? place.line : null;
  const indent =
    line === null || !/^\S/m.test(code) ? "" : (/^[ \t]*/.exec(lineAt(line))?.[0] ?? "");
  return code.replace(/^(?=.*\S)/gm, indent);
}

function openerOf(
  place: CodePlace,
  info: string,
  lineCount: number,
  lineAt: (line: number) => string,
): string {
  switch (place.kind) {
    case "address":
      return info;
    case "file":
      return "code";
    case "element":
      return `code:ast-path:${place.path}`;
    case "selection":
      return `code:${place.first}:${place.last}`;
    case "end":
      return `code:${lineCount + 1}:${lineCount + 1}`;
    case "cursor":
      return `code:${place.line}:${place.line}${lineAt(place.line).trim() === "" ? "" : ":after"}`;
  }
}
