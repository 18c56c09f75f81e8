import assert from "node:assert/strict";
import { createChatProposals } from "../../../../src/edits/propose/commandChanges.ts";
import { fileState, totalsOf } from "../../../../webview/cards/fileTotals.ts";
import { EditTurn } from "../../../fakes/turns/editTurn.ts";
import { answerAll, RecordingReviewer } from "../../../fakes/turns/recordingReviewer.ts";

const A = "export const a = 1;\n";
const turnOver = () =>
  new EditTurn(
    { "a.ts": A },
    new RecordingReviewer(answerAll("applied", { code: "already-there" })),
  );

describe("a change that the file has already", () => {
  it("is told the model as none, and counts for nothing on the card", async () => {
    const turn = turnOver();
    await turn.edit({ file_path: "a.ts" });
    const said = await turn.say("```ts:ast-path:a\nexport const a = 2;\n```\n");
    turn.hub.turnEnd();
    assert.match(said.join("\n"), /^Nothing was changed in 'a\.ts'\.[\s\S]*the file has this text/);
    assert.doesNotMatch(said.join("\n"), /updated|applied/);
    assert.ok(turn.events.every(({ type }) => type !== "change-done"));
    const { blocks, added, removed, ...totals } = totalsOf(turn.blocks);
    assert.deepEqual([blocks, added, removed], [0, 0, 0]);
    assert.equal(fileState({ blocks, added, removed, ...totals }).tone, "off");
  });

  it("is no edit of a command's own, which took back what was proposed", async () => {
    const turn = turnOver();
    const { proposed } = await createChatProposals(turn.deps).propose(
      { changes: [{ path: "a.ts", text: `${A}\n`, before: null, executable: false }], modes: [] },
      {
        ...{ turnId: turn.turnId, callId: "command" },
        ...{ emit: turn.hub.emitter(turn.turnId), signal: new AbortController().signal },
      },
    );
    turn.hub.turnEnd();
    assert.deepEqual(proposed, [{ path: "a.ts", did: "taken-back" }]);
    assert.deepEqual(turn.blocks, []);
  });
});
