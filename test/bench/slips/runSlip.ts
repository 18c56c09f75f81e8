import nodePath from "node:path";
import { createAutoReviewer } from "../../../src/edits/review/autoReviewer.ts";
import { lineDiff } from "../../../src/edits/text/lineDiff.ts";
import type { EditBlock } from "../../../src/turns/editBlock.ts";
import { EditTurn } from "../../fakes/turns/editTurn.ts";
import { RecordingReviewer } from "../../fakes/turns/recordingReviewer.ts";
import { fileSnapshot } from "../../fakes/workspace/fileSnapshot.ts";
import type { RuleAlarms } from "../ruleAlarms.ts";
import type { Damaged } from "./damages.ts";
import { writeMessage } from "./slipMessage.ts";
import { isPart } from "./slippedText.ts";

/**
 * What became of a damaged message. `exact`: all as meant; `repaired`: the same, and the report
 * says what was repaired or moved; `exact-warned`: the same, after a question to the user;
 * `refused`: not applied, or a conflict, with a word; `warned`: the text is wrong and a warning
 * keeps it from being accepted with the rest; `wrong`: the file is not as meant and nothing was
 * said; `wrong-blanks`: the same, but only in white space.
 */
export type SlipOutcome =
  | "exact"
  | "repaired"
  | "exact-warned"
  | "refused"
  | "warned"
  | "wrong"
  | "wrong-blanks";

/** An outcome with what is needed to look into it. */
export interface SlipResult {
  readonly outcome: SlipOutcome;
  /** The file after the review, in which every hunk without a warning was accepted. */
  readonly file: string;
  readonly blocks: readonly EditBlock[];
  /** The rules of the guards that warned. */
  readonly rules: ReadonlySet<string>;
}

/** How much of a file one read shows, in UTF-16 units. */
const READ_LENGTH = 30_000;
/** A block that is not part of the proposal. A warned one waits, or was rejected. */
export const FAILED: ReadonlySet<EditBlock["status"]> = new Set([
  "refused",
  "held",
  "conflict",
  "ignored",
  "incomplete",
  "stopped",
]);

/**
 * A turn as in the product: the model reads the file, the file changes, edit mode is turned on, the
 * model writes, the user accepts.
 */
export async function runSlip(
  name: string,
  lang: string,
  damaged: Damaged,
  useLineNumbers?: boolean,
  alarms?: RuleAlarms,
): Promise<SlipResult> {
  alarms?.take();
  const { shown, file, meant, messages, attainable, clean } = damaged;
  // Some folders are closed to edit mode.
  const path = `src/${nodePath.posix.basename(name)}`;
  let proposed = file;
  let accepted = file;
  const automatic = createAutoReviewer("all", async (_, text) => {
    accepted = text;
    return { ok: true, value: null };
  });
  const reviewer = new RecordingReviewer((proposal, stopped) => {
    proposed = proposal.text;
    return automatic
      .open(fileSnapshot(path, file), { chatId: "", turnId: "", callId: "" })
      .propose(proposal, stopped);
  });
  const turn = new EditTurn({ [path]: shown }, reviewer);
  const replies: string[] = [];
  for (const [first, last] of parts(shown)) await turn.read(path, first, last);
  turn.files.set(path, file);
  await turn.edit({
    file_path: path,
    ...(useLineNumbers !== undefined && { use_line_numbers: useLineNumbers }),
  });
  for (const { text, end } of messages) {
    const reports = await turn.say(text, { reason: end, moreCalls: false }, 64);
    replies.push(...reports);
  }
  turn.hub.turnEnd();
  const { blocks } = turn;
  const rules = alarms?.take() ?? new Set();
  const outcome = await outcomeOf();
  return { outcome, file: accepted, blocks, rules };

  async function outcomeOf(): Promise<SlipOutcome> {
    // A report on blocks that were simply applied has one paragraph.
    const hasRemark = replies.at(-1)?.includes("\n\n") ?? false;
    const isWarned = blocks.some(({ warnings }) => warnings.length > 0);
    if (attainable && proposed === meant)
      return isWarned ? "exact-warned" : hasRemark ? "repaired" : "exact";
    const hasFailed =
      blocks.some(({ status }) => FAILED.has(status)) ||
      (blocks.length === 0 && replies.length > 0);
    if (hasFailed || isWarned) {
      const isRest =
        isPart(file, meant, lineDiff(file, meant), accepted) ||
        accepted === (await withoutFailed());
      if (isRest) return hasFailed ? "refused" : "warned";
    }
    return withoutBlanks(accepted) === withoutBlanks(meant) ? "wrong-blanks" : "wrong";
  }

  /**
   * The file with the undamaged form of each block that was applied; null where that is not known.
   */
  async function withoutFailed(): Promise<string | null> {
    if (!clean || clean.written.length !== blocks.length) return null;
    const applied = new Set(clean.written.filter((_, at) => blocks[at]?.status === "applied"));
    const rest = clean.all.filter((block) => applied.has(block));
    const { text } = writeMessage(rest, lang);
    const again = await runSlip(
      name,
      lang,
      { ...damaged, shown: file, clean: null, messages: [{ text, end: "stop" }] },
      useLineNumbers,
    );
    return again.file;
  }
}

function withoutBlanks(text: string): string {
  return text.replaceAll(/\s+/g, "");
}

/** The lines of each read that shows a part of the text: 1-based and inclusive. */
function parts(text: string): (readonly [number, number])[] {
  const lines = text.split("\n");
  const found: (readonly [number, number])[] = [];
  let first = 1;
  let length = 0;
  lines.forEach((line, index) => {
    length += line.length + 12;
    if (length < READ_LENGTH) return;
    found.push([first, index + 1]);
    first = index + 2;
    length = 0;
  });
  if (first <= lines.length) found.push([first, lines.length]);
  return found;
}
