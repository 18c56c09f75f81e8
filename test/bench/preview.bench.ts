import { claimsOfOne } from "../../src/edits/answer/openSessions.ts";
import { BlockCapture } from "../../src/edits/propose/blockCapture.ts";
import { ReviewState } from "../../src/edits/review/reviewState.ts";
import { withDocumentLineEnds } from "../../src/edits/text/lineEnds.ts";
import type {
  DocumentChange,
  EditorDocument,
  PositionEdit,
} from "../../src/review/documents/documentSync.ts";
import { ProposalDocument } from "../../src/review/documents/proposalDocument.ts";
import { openFile } from "../fakes/turns/openFile.ts";

const SIZES = [50, 1_000, 5_000, 20_000];
const ROUNDS = 9;
const STREAMED_LINES = 400;
const MOST_RATIO = 3;

const line = (at: number) =>
  `  const total${at} = items.reduce((sum, item) => sum + item.price, ${at});\n`;
const fileOf = (lines: number) => Array.from({ length: lines }, (_, at) => line(at)).join("");

/** Takes the pieces of an answer, and shows what it proposes after each line. */
interface Preview {
  push(piece: string): Promise<void>;
  /** The editor's own time so far, in milliseconds. */
  spent(): number;
}

/**
 * An editor's document by lines that takes every edit at once, and reports it. What that takes the
 * editor is not counted.
 */
class OpenDocument implements EditorDocument {
  version = 2;
  isDirty = false;
  /** The editor's own time, in milliseconds. */
  spent = 0;
  private readonly lines: string[];

  constructor(text: string) {
    this.lines = text.split("\n");
  }

  make(edits: readonly PositionEdit[]): DocumentChange {
    const started = performance.now();
    const contentChanges = edits.toReversed().map(({ start, end, newText }) => {
      const rangeOffset = this.offsetAt(start);
      const rangeLength = this.offsetAt(end) - rangeOffset;
      const head = this.lines[start.line]?.slice(0, start.character) ?? "";
      const tail = this.lines[end.line]?.slice(end.character) ?? "";
      this.lines.splice(
        start.line,
        end.line - start.line + 1,
        ...`${head}${newText}${tail}`.split("\n"),
      );
      return { rangeOffset, rangeLength, text: newText };
    });
    this.version += 1;
    this.spent += performance.now() - started;
    return { contentChanges, repeated: null };
  }

  getText(): string {
    return this.lines.join("\n");
  }

  private offsetAt({ line, character }: PositionEdit["start"]): number {
    let offset = character;
    for (let at = 0; at < line; at++) offset += (this.lines[at]?.length ?? 0) + 1;
    return offset;
  }
}

function previewOf(text: string, isOpen: boolean): Preview {
  const file = openFile("a.ts", text);
  const capture = new BlockCapture({
    callId: "bench",
    file,
    mode: "lines",
    claims: claimsOfOne(file),
    onBlock() {},
  });
  const state = new ReviewState(text);
  const opened = new OpenDocument(text);
  const document: ProposalDocument<OpenDocument> = new ProposalDocument<OpenDocument>(text, {
    lineEnd: "\n",
    memory: { put() {}, announce() {}, withdraw() {}, remove() {} },
    apply: async (_document: EditorDocument, edits: readonly PositionEdit[]) => {
      document.documentChanged(opened, opened.make(edits));
      return true;
    },
    save: async () => true,
    cleanUpOnSave: () => "nothing",
    isInUse: () => false,
    typed() {},
    keptUndone() {},
    progressed() {},
  });
  let shown: string | null = null;
  capture.startMessage(1);
  if (isOpen) document.opened(opened);
  return {
    spent: () => opened.spent,
    async push(piece) {
      if (!capture.push(piece)) return;
      const captured = capture.proposal();
      const proposal = withDocumentLineEnds(captured, "\n", shown);
      shown = proposal === captured ? captured.text : null;
      const edits = state.propose(proposal);
      const textAfter = state.proposed;
      document.advance(edits, textAfter, "others");
      if (isOpen) await document.caughtUp();
    },
  };
}

/**
 * Milliseconds a streamed line: the median of the lines of a block that replaces 20 lines in the
 * middle.
 */
async function cost(lines: number, isOpen: boolean): Promise<number> {
  const text = fileOf(lines);
  const middle = lines / 2;
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const preview = previewOf(text, isOpen);
    await preview.push(`\`\`\`ts:${middle - 9}:${middle + 10}\n`);
    for (let at = 0; at < STREAMED_LINES; at++) {
      const spent = preview.spent();
      const start = performance.now();
      await preview.push(`  new${line(at)}`);
      times.push(performance.now() - start - (preview.spent() - spent));
    }
  }
  return times.sort((a, b) => a - b)[times.length >> 1] ?? 0;
}

async function main(): Promise<void> {
  for (const isOpen of [false, true]) {
    console.log(isOpen ? "with the diff open" : "with the diff closed");
    for (let warm = 0; warm < 3; warm++) await cost(50, isOpen);
    const costs: number[] = [];
    for (const lines of SIZES) {
      const ms = await cost(lines, isOpen);
      costs.push(ms);
      console.log(
        `${String(lines).padStart(6)} lines  ${(ms * 1000).toFixed(1).padStart(8)} µs a streamed line`,
      );
    }
    console.log(
      `20,000 lines : 50 lines = ${((costs.at(-1) ?? 0) / (costs[0] ?? 1)).toFixed(1)} (goal: at most ${MOST_RATIO})`,
    );
  }
}

void main();
