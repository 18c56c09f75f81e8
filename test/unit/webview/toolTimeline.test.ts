import assert from "node:assert/strict";
import { toolTimeline } from "../../../webview/cards/toolTimeline.ts";

const call = (
  callId: string,
  startedAt: number,
  durationMs: number | null,
  beside: string[] = [],
) => ({
  callId,
  startedAt,
  durationMs,
  beside,
});

describe("which calls ran at the same time", () => {
  const pair = [call("a", 100, 4, ["b"]), call("b", 101, 9, ["a"])];

  it("is said with the share of the time that each took", () =>
    assert.deepEqual(
      [...toolTimeline(pair)],
      [
        ["a", { start: 0, length: 0.4, beside: ["b"] }],
        ["b", { start: 0.1, length: 0.9, beside: ["a"] }],
      ],
    ));

  it("is said of none while one of them runs, or where none ran beside another", () => {
    assert.equal(toolTimeline([...pair, call("c", 120, null)]).size, 0);
    assert.equal(toolTimeline([call("a", 100, 4), call("b", 110, 4)]).size, 0);
  });

  it("leaves out calls that are shown elsewhere", () =>
    assert.equal(toolTimeline([call("a", 100, 4, ["elsewhere"])]).size, 0));
});
