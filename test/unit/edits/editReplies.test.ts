import assert from "node:assert/strict";
import { applyMessage } from "../../../src/edits/propose/applyMessage.ts";
import type { Syntax } from "../../../src/syntax/syntax.ts";
import { campaignRuns } from "../../fakes/campaignRuns.ts";
import { noSyntax } from "../../fakes/editor/noSyntax.ts";
import { testSyntax } from "../../fakes/editor/testSyntax.ts";
import { type RecordedReply, recordedReplies } from "../../fakes/model/recordedReply.ts";
import { fileSnapshot } from "../../fakes/workspace/fileSnapshot.ts";

/** So many replies are taken in each way; where Graft parses the files, that takes longer. */
const TAKEN = campaignRuns(30, 1_000);
const PARSED = campaignRuns(8, 1_000);

function crlf(text: string): string {
  return text.replaceAll("\n", "\r\n");
}

describe("recorded edit replies", () => {
  let replies: readonly RecordedReply[] = [];

  before(function () {
    const recorded = recordedReplies();
    if (recorded === null) {
      console.log(
        "      Skipped: the recordings are not at ../shared/data/edit-replies.jsonl.gz beside the repository.",
      );
      this.skip();
    }
    replies = recorded;
  });

  const variants: readonly [string, (reply: RecordedReply) => RecordedReply][] = [
    ["", (reply) => reply],
    [
      " in a file with CRLF",
      (reply) => ({ ...reply, before: crlf(reply.before), after: crlf(reply.after) }),
    ],
    [" in an answer with CRLF", (reply) => ({ ...reply, answer: crlf(reply.answer) })],
    [
      " in a file without a final newline and with a byte order mark",
      (reply) => ({
        ...reply,
        before: `\uFEFF${reply.before.replace(/\n$/, "")}`,
        after: `\uFEFF${reply.after.replace(/\n$/, "")}`,
      }),
    ],
  ];
  const check = async (
    vary: (reply: RecordedReply) => RecordedReply,
    chunk: number,
    syntax: Syntax,
    chosen: readonly RecordedReply[],
  ): Promise<void> => {
    for (const reply of chosen.map(vary)) {
      const snapshot = fileSnapshot(reply.path, reply.before);
      const result = await applyMessage(
        snapshot,
        reply.answer,
        { mode: "auto", chunk },
        syntax,
        new AbortController().signal,
      );
      const failed = result.blocks.filter(({ status }) => status !== "applied");
      assert.deepEqual(failed, [], reply.path);
      assert.equal(result.blocks.length, reply.blocks, reply.path);
      // One of the models wrote a blank at a line end, in a file that has none.
      const isTrimmed = result.blocks.some(({ adjustments }) =>
        adjustments?.some((one) => one.code === "repaired"),
      );
      assert.ok(
        result.text === (isTrimmed ? reply.after.replace(/[ \t]+(?=\r?\n)/g, "") : reply.after),
        `${reply.path} differs`,
      );
    }
  };

  /** Others for each way, so that every reply is taken in some. */
  const taken = (count: number, way = 0) => {
    const every = Math.ceil(replies.length / count);
    return replies.filter((_, at) => (at + way) % every === 0);
  };

  const ways = variants.flatMap(([name, vary]) =>
    [Number.MAX_SAFE_INTEGER, 17, 3, 1].map((chunk) => ({ name, vary, chunk })),
  );
  for (const [way, { name, vary, chunk }] of ways.entries()) {
    const pieces = chunk > 100 ? "whole" : `in pieces of ${chunk}`;
    it(`give exactly the committed file${name}, ${pieces}`, () =>
      check(vary, chunk, noSyntax, taken(TAKEN, way)));
  }

  it("give exactly the committed file with the guards that parse it", () =>
    check((reply) => reply, 17, testSyntax, taken(PARSED)));
});
