import assert from "node:assert/strict";
import { viewedElements } from "../../../../src/edits/answer/viewedElements.ts";
import { createChatProposals } from "../../../../src/edits/propose/commandChanges.ts";
import type { Review, ReviewOrigin } from "../../../../src/ports/review.ts";
import type { FileSnapshot } from "../../../../src/ports/workspace.ts";
import { refusedReview } from "../../../../src/review/proposals/refusedReview.ts";
import { ViewedFiles } from "../../../../src/tools/files/viewedFiles.ts";
import { pluck } from "../../../fakes/pluck.ts";
import { EditTurn } from "../../../fakes/turns/editTurn.ts";
import { answerAll, RecordingReviewer } from "../../../fakes/turns/recordingReviewer.ts";

const CODES = ["being-written", "deletion-proposed", "proposals-elsewhere"] as const;

/** Takes changes of all files but one. */
class OneRefused extends RecordingReviewer {
  readonly code: (typeof CODES)[number];

  constructor(code: (typeof CODES)[number]) {
    super(answerAll("pending"));
    this.code = code;
  }

  override open(snapshot: FileSnapshot, origin: ReviewOrigin): Review {
    return snapshot.file.path === "b.ts" ? refusedReview(this.code) : super.open(snapshot, origin);
  }
}

describe("what a command changed", () => {
  for (const { by, agent, warned } of [
    { by: "the model's own", agent: undefined, warned: false },
    { by: "an agent's", agent: "opencode", warned: true },
  ])
    it(`counts as ${warned ? "unknown to" : "known to"} the model where it is ${by}`, async () => {
      const reviewer = new RecordingReviewer(answerAll("pending"));
      const turn = new EditTurn({ "a.ts": "export const a = 1;\n" }, reviewer);
      const text = "export const a = 1;\nexport const b = [\n  2,\n];\n";
      await createChatProposals(turn.deps).propose(
        { changes: [{ path: "a.ts", text, before: null, executable: false }], modes: [] },
        {
          ...{ turnId: turn.turnId, callId: "command", ...(agent && { agent }) },
          ...{ emit: turn.hub.emitter(turn.turnId), signal: new AbortController().signal },
        },
      );
      turn.files.set("a.ts", text);
      await turn.edit({ file_path: "a.ts" });
      await turn.say("```ts:ast-path:b\nexport const b = [3];\n```\n");
      turn.hub.turnEnd();
      const [written] = turn.blocks.filter(
        ({ op, callId }) => op === "replace" && callId !== "command",
      );
      assert.deepEqual(
        written?.warnings.map(({ code }) => code),
        warned ? ["never-read"] : [],
      );
    });

  it("counts as known to the agent that wrote it", async () => {
    const turn = new EditTurn(
      { "a.ts": "const a = 1;\n" },
      new RecordingReviewer(answerAll("pending")),
    );
    const seen = new ViewedFiles();
    const text = "const a = 1;\nconst b = [\n  2,\n];\n";
    await createChatProposals(turn.deps, () => seen).propose(
      { changes: [{ path: "a.ts", text, before: null, executable: false }], modes: [] },
      {
        ...{ turnId: turn.turnId, callId: "command", agent: "opencode" },
        ...{ emit: turn.hub.emitter(turn.turnId), signal: new AbortController().signal },
      },
    );
    turn.hub.turnEnd();
    const warnings = (first: string) => {
      const start = text.indexOf(first);
      const element = { start, elementStart: start, end: text.indexOf(";\n", start) + 1 };
      const views = () => seen.views("a.ts", turn.turnId);
      const checked = viewedElements(text, views).check("block", element, text);
      return checked.ok && checked.value.map(({ code }) => code);
    };
    assert.deepEqual([warnings("const a"), warnings("const b")], [["never-read"], []]);
  });

  for (const [name, before, text, code] of [
    ["Cyrillic read as Latin", "Ïðèâåò\n", "Ïðèâåò\nÌèð\n", "other-encoding"],
    ["as the editor has it", "Привет\n", "Привет\nМир\n", null],
    ["plain ASCII", "a\n", "a\nb\n", null],
  ] as const)
    it(`is left out where the editor reads the file otherwise: ${name}`, async () => {
      const own = name === "plain ASCII" ? before : "Привет\n";
      const turn = new EditTurn({ "a.txt": own }, new RecordingReviewer(answerAll("pending")));
      const changes = [{ path: "a.txt", text, before, executable: false }];
      const { refused } = await createChatProposals(turn.deps).propose(
        { changes, modes: [] },
        {
          turnId: turn.turnId,
          callId: "command",
          emit: turn.hub.emitter(turn.turnId),
          signal: new AbortController().signal,
        },
      );
      turn.hub.turnEnd();
      const error = code && { code, path: "a.txt" };
      assert.deepEqual(pluck(refused, "error"), error ? [error] : []);
    });

  for (const code of CODES)
    it(`is said to be proposed only where it is, and else why not: ${code}`, async () => {
      const turn = new EditTurn({ "a.ts": "a\n", "b.ts": "b\n" }, new OneRefused(code));
      const changes = ["a.ts", "b.ts"].map((path) => {
        return { path, text: "new\n", before: null, executable: false };
      });
      const { proposed, refused } = await createChatProposals(turn.deps).propose(
        { changes, modes: [] },
        {
          turnId: turn.turnId,
          callId: "command",
          emit: turn.hub.emitter(turn.turnId),
          signal: new AbortController().signal,
        },
      );
      turn.hub.turnEnd();
      assert.deepEqual(pluck(proposed, "path"), ["a.ts"]);
      assert.deepEqual(refused, [{ path: "b.ts", error: { code, path: "b.ts" } }]);
    });
});
