import assert from "node:assert/strict";
import { PanelAgreements } from "../../../../src/host/panel/panelAgreements.ts";

const offer = (key: string) => ({
  key,
  name: key,
  path: ".vscode/mcp.json",
  remote: false,
  definition: "{}",
});
const never = new AbortController().signal;

describe("agreements to start MCP servers", () => {
  it("start what the user ticked in the list that is open, and nothing else", async () => {
    const agreements = new PanelAgreements();
    const shown: number[] = [];
    agreements.open.onChange(() => shown.push(agreements.shown.length));
    const asked = agreements.open.ask([offer("a"), offer("b")], never);
    agreements.answer(["a"], ["a"]);
    agreements.answer(["a", "b", "c"], ["a"]);
    assert.deepEqual(shown, [2], "an answer to another list is ignored");
    agreements.answer(["a", "b"], ["b", "of-no-list"]);
    assert.deepEqual([...((await asked) ?? [])], ["b"]);
    assert.deepEqual(shown, [2, 0]);
    agreements.answer(["a", "b"], ["a"]);
    assert.deepEqual(agreements.shown, []);
  });

  it("start nothing when the turn is stopped, and go on to the next list", async () => {
    const agreements = new PanelAgreements();
    const stop = new AbortController();
    const first = agreements.open.ask([offer("a")], stop.signal);
    const second = agreements.open.ask([offer("b")], never);
    stop.abort();
    assert.equal(await first, null);
    assert.deepEqual(
      agreements.shown.map(({ key }) => key),
      ["b"],
    );
    agreements.answer(["b"], []);
    assert.equal((await second)?.size, 0);
    assert.equal(await agreements.open.ask([offer("c")], stop.signal), null);
    assert.deepEqual(agreements.shown, []);
  });
});
