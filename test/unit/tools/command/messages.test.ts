import assert from "node:assert/strict";
import { shadowNote } from "../../../../src/tools/command/messages.ts";
import { nothingChanged } from "../../../../src/tools/command/proposalRuns.ts";

describe("what the model is told of a command on the proposals", () => {
  const sandbox = { wantedNetwork: false, emptied: [] };
  for (const [backend, shadow] of [
    ["overlay", nothingChanged("overlay")],
    ["copy", { ...nothingChanged("copy"), at: "/tmp/copy" }],
    ["sandbox", { ...nothingChanged("overlay"), sandbox }],
  ] as const)
    it(`is in the tense of its state, and names what it can reach: ${backend}`, () => {
      const [running, over] = [shadowNote(shadow, true), shadowNote(shadow, false)];
      assert.match(running, /^It runs (?!.*\b(?:ran|did|changed|saw|wrote)\b)/);
      assert.match(over, /^It ran /);
      for (const note of [running, over]) assert.match(note, /user's own files/);
    });
});
