import assert from "node:assert/strict";
import { mock } from "node:test";
import { ok } from "../../../../src/base/result.ts";
import { ReviewState } from "../../../../src/edits/review/reviewState.ts";
import type { FileError } from "../../../../src/ports/workspace.ts";
import { FileReview } from "../../../../src/review/proposals/fileReview.ts";
import type { FakeDocument } from "../../../fakes/editor/fakeEditor.ts";
import {
  ProposalEditor,
  quietHost,
  RealEditor,
  settleEditors,
} from "../../../fakes/editor/reviewedEditors.ts";
import { seededRandom } from "../../../fakes/seededRandom.ts";

const BEFORE = "one\ntwo\nthree\nfour\nfive\n";
const SOUND = "ONE\ntwo\nthree\nfour\nfive\n";
const AFTER = "ONE\ntwo\nthree\nFOUR\nfive\n";

/**
 * Proposes both changes, the second with a warning, to a review that accepts at once; gives the
 * file, what is pending, and the review with all that `decide` did. `meanwhile` comes while the answer
 * streams; `refusal` is why the file cannot be written.
 */
async function proposed(
  stopped: boolean,
  decide: (review: FileReview<FakeDocument>) => Promise<unknown> = async () => undefined,
  meanwhile: (real: RealEditor) => void = () => undefined,
  refusal: FileError | null = null,
): Promise<{
  readonly file: string;
  readonly pending: readonly (readonly string[])[];
  readonly review: FileReview<FakeDocument>;
}> {
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
        workspace: {
          resolve: async (path) => ok({ path, uri: `file:///${path}` }),
          writable: async () => refusal,
        },
        model,
        memory: shown.memory,
        apply: (document, edits) =>
          document === real.known
            ? real.edit(document, edits, () => undefined)
            : shown.edit(document, edits, () => undefined),
        save: () => shown.save("menu", () => []),
        keepRecord: async () => undefined,
        over: () => review.proposal.finish(),
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
    part.update(() => ({ text: AFTER, blocks }));
    await settleEditors(real, () => shown);
    meanwhile(real);
    await settleEditors(real, () => shown);
    const outcome = part.propose({ text: AFTER, blocks }, stopped);
    await settleEditors(real, () => shown);
    await outcome;
    const decided = decide(review);
    await settleEditors(real, () => shown);
    await decided;
    return {
      review,
      file: real.model?.text ?? real.file.text,
      pending: review.hunks().map(({ warnings }) => warnings.map(({ code }) => code)),
    };
  } finally {
    mock.timers.reset();
  }
}

describe("a review that accepts at once", () => {
  it("accepts what is sound, and leaves what carries a warning to the user", async () => {
    const { file, pending } = await proposed(false);
    assert.deepEqual({ file, pending }, { file: SOUND, pending: [["deletion"]] });
  });

  it("leaves lines to the user that they edited in the file while the answer streamed", async () => {
    const { file, review } = await proposed(false, undefined, (real) => {
      assert.ok(real.type([{ start: 0, end: 3, newText: "mine" }]));
    });
    assert.equal(file, `mine${BEFORE.slice(3)}`);
    assert.deepEqual(
      review.hunks().map(({ conflict }) => conflict),
      [true, false],
    );
  });

  it("leaves all to the user where the file cannot be written, and so does their own accept", async () => {
    const acceptAll = (review: FileReview<FakeDocument>) =>
      review.decisions.accept(review.hunks().map(({ id }) => id));
    for (const code of ["read-only", "untrusted"] as const) {
      const refusal = { code, path: "a.ts" };
      const { file, pending } = await proposed(false, acceptAll, undefined, refusal);
      assert.deepEqual({ file, pending }, { file: BEFORE, pending: [[], ["deletion"]] }, code);
    }
  });

  it("leaves all of a stopped message to the user", async () => {
    const { file, pending } = await proposed(true);
    assert.deepEqual({ file, pending }, { file: BEFORE, pending: [[], ["deletion"]] });
  });
});

describe("a message after a stopped one", () => {
  it("has its own changes accepted at once, and leaves those of the stopped one to the user", async () => {
    const { file, pending } = await proposed(true, (review) => {
      const part = review.begin(AFTER, { chatId: "chat", turnId: "next", callId: "next" });
      const own = { blockId: "own", start: AFTER.length, end: AFTER.length + 4, warnings: [] };
      return part.propose({ text: `${AFTER}six\n`, blocks: [own] }, false);
    });
    assert.deepEqual({ file, pending }, { file: `${BEFORE}six\n`, pending: [[], ["deletion"]] });
  });
});

describe("an accept that ended its review", () => {
  it("is pending again where the file has its earlier text again, and nothing else is", async () => {
    const { review, file } = await proposed(false, (each) =>
      each.decisions.accept(each.hunks().map(({ id }) => id)),
    );
    assert.deepEqual([file, review.ended], [AFTER, true]);
    const { exists, blocks, review: record } = review.takenBack(SOUND);
    const model = ReviewState.from(record);
    assert.deepEqual([exists, model.real, model.proposed], [true, SOUND, AFTER]);
    assert.deepEqual(
      model.outcomes().map(({ status }) => status),
      ["applied", "pending"],
    );
    assert.deepEqual(
      blocks.map(({ blockId }) => blockId),
      ["sound", "warned"],
    );
  });
});
