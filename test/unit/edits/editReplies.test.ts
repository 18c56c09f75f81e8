import assert from "node:assert/strict";
import { applyMessage } from "../../../src/edits/applyMessage.ts";
import { createSyntax } from "../../../src/syntax/createSyntax.ts";
import type { Syntax } from "../../../src/syntax/syntax.ts";
import { nodeGrammarSource } from "../../fakes/editor/nodeGrammarSource.ts";
import { noSyntax } from "../../fakes/editor/noSyntax.ts";
import { type RecordedReply, recordedReplies } from "../../fakes/model/recordedReply.ts";
import { RecordingLogger } from "../../fakes/recordingLogger.ts";
import { fileSnapshot } from "../../fakes/workspace/fileSnapshot.ts";

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
  ): Promise<void> => {
    for (const reply of replies.map(vary)) {
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

  for (const [name, vary] of variants) {
    for (const chunk of [Number.MAX_SAFE_INTEGER, 17, 3, 1]) {
      const pieces = chunk > 100 ? "whole" : `in pieces of ${chunk}`;
      it(`give exactly the committed file${name}, ${pieces}`, () => check(vary, chunk, noSyntax));
    }
  }

  it("give exactly the committed file with the guards that parse it", () =>
    check((reply) => reply, 17, createSyntax(nodeGrammarSource(), new RecordingLogger())));
});
