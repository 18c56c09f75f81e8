import assert from "node:assert/strict";
import { mock } from "node:test";
import { ReviewState } from "../../../../src/edits/review/reviewState.ts";
import { FileReview } from "../../../../src/host/preview/fileReview.ts";
import type { FakeDocument } from "../../../fakes/editor/fakeEditor.ts";
import {
  ProposalEditor,
  quietHost,
  RealEditor,
  settleEditors,
} from "../../../fakes/editor/reviewedEditors.ts";
import { seededRandom } from "../../../fakes/seededRandom.ts";

const BEFORE = "one\ntwo\nthree\nfour\nfive\n";
const AFTER = "ONE\ntwo\nthree\nFOUR\nfive\n";

/**
 * Proposes both changes, the second with a warning, to a review that accepts at once; gives the
 * file and what is pending.
 */
async function proposed(
  stopped: boolean,
): Promise<{ readonly file: string; readonly pending: readonly (readonly string[])[] }> {
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  try {
    const random = seededRandom(1);
    const model = new ReviewState(BEFORE);
    const real: RealEditor = new RealEditor(BEFORE, "\n", random, () => review);
    const shown: ProposalEditor = new ProposalEditor(BEFORE, "\n", random, () => review);
    const review: FileReview<FakeDocument> = new FileReview<FakeDocument>(
      {
        id: "review",
        begunAt: 0,
        file: { path: "a.ts", uri: "file:///a.ts" },
        exists: true,
        blocks: [],
      },
      {
        ...quietHost(real, random),
        acceptsAtOnce: () => true,
        model,
        memory: shown.memory,
        apply: (document, edits) =>
          document === real.known
            ? real.edit(document, edits, () => undefined)
            : shown.edit(document, edits, () => undefined),
        save: () => shown.save("menu", () => []),
        decided() {},
        keep: async () => undefined,
        over: () => review.proposal.finish(),
        typedLate() {},
        log: (text) => assert.fail(text),
      },
    );
    real.open();
    shown.open();
    const part = review.begin(BEFORE, { chatId: "chat", turnId: "turn", callId: "call" });
    const blocks = [
      { blockId: "sound", start: 0, end: 4, warnings: [] },
      {
        blockId: "warned",
        start: 14,
        end: 19,
        warnings: [{ code: "deletion" as const, written: 1, removed: 1 }],
      },
    ];
    const outcome = part.propose({ text: AFTER, blocks }, stopped);
    await settleEditors(real, () => shown);
    await outcome;
    return {
      file: real.model?.text ?? real.file.text,
      pending: review.hunks().map(({ warnings }) => warnings.map(({ code }) => code)),
    };
  } finally {
    mock.timers.reset();
  }
}

describe("a review that accepts at once", () => {
  it("accepts what is sound, and leaves what carries a warning to the user", async () => {
    assert.deepEqual(await proposed(false), {
      file: BEFORE.replace("one", "ONE"),
      pending: [["deletion"]],
    });
  });

  it("leaves all of a stopped message to the user", async () => {
    assert.deepEqual(await proposed(true), { file: BEFORE, pending: [[], ["deletion"]] });
  });
});
