import { BlockCapture } from "../../src/edits/blocks/blockCapture.ts";
import { ReviewState } from "../../src/edits/review/reviewState.ts";
import { ProposalDocument } from "../../src/host/preview/proposalDocument.ts";
import type { EditorDocument, PositionEdit } from "../../src/host/preview/trackedDocument.ts";
import { withDocumentLineEnds } from "../../src/host/workspace/lineEnds.ts";

const SIZES = [50, 1_000, 5_000, 20_000];
const ROUNDS = 9;
const STREAMED_LINES = 400;
const MOST_RATIO = 3;

const line = (at: number) => `  const total${at} = items.reduce((sum, item) => sum + item.price, ${at});\n`;
const fileOf = (lines: number) => Array.from({ length: lines }, (_, at) => line(at)).join("");

/** Takes the pieces of an answer, and shows what it proposes after each line. */
interface Preview {
  push(piece: string): void;
}

function previewOf(text: string): Preview {
  let index = 0;
  const capture = new BlockCapture({
    callId: "bench",
    path: "a.ts",
    text,
    document: null,
    useLineNumbers: true,
    completeFile: false,
    claims: { isOpenFile: () => true, ownerOf: () => "mine", takesPlain: () => true, nextIndex: () => ++index },
    onBlock() {},
  });
  const state = new ReviewState(text, true);
  const document = new ProposalDocument<EditorDocument>(text, {
    lineEnd: "\n",
    memory: { put() {}, announce() {}, withdraw() {}, remove() {} },
    apply: async (_document: EditorDocument, _edits: readonly PositionEdit[]) => true,
    save: async () => true,
    cleanUpOnSave: () => "nothing",
    isInUse: () => false,
    typed() {},
    progressed() {},
  });
  let shown: string | null = null;
  capture.startMessage(1);
  return {
    push(piece) {
      if (!capture.push(piece)) return;
      const captured = capture.proposal();
      const proposal = withDocumentLineEnds(captured, "\n", shown);
      shown = proposal === captured ? captured.text : null;
      const plan = state.planProposal(proposal);
      state.commit(plan);
      document.advance(plan.edits, plan.textAfter);
    },
  };
}

/** Milliseconds a streamed line: the median of the lines of one block that replaces 20 lines in the middle. */
function cost(lines: number): number {
  const text = fileOf(lines);
  const middle = lines / 2;
  const rounds = Array.from({ length: ROUNDS }, () => {
    const preview = previewOf(text);
    preview.push(`\`\`\`ts:${middle - 9}:${middle + 10}\n`);
    const start = performance.now();
    for (let at = 0; at < STREAMED_LINES; at++) preview.push(`  new${line(at)}`);
    return (performance.now() - start) / STREAMED_LINES;
  });
  return rounds.sort((a, b) => a - b)[ROUNDS >> 1] ?? 0;
}

cost(50);
const costs = SIZES.map((lines) => ({ lines, ms: cost(lines) }));
for (const { lines, ms } of costs)
  console.log(`${String(lines).padStart(6)} lines  ${(ms * 1000).toFixed(1).padStart(8)} µs a streamed line`);
const ratio = (costs.at(-1)?.ms ?? 0) / (costs[0]?.ms ?? 1);
console.log(`20,000 lines : 50 lines = ${ratio.toFixed(1)} (goal: at most ${MOST_RATIO})`);
