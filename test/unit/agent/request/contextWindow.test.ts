import assert from "node:assert/strict";
import { ContextWindow } from "../../../../src/agent/request/contextWindow.ts";

describe("a context window that a server refused to fill", () => {
  it("shrinks by a fifth of the request, and by half where it is refused again", () => {
    const window = new ContextWindow(() => 128_000);
    const { tokens } = window.fit(
      [{ role: "user", text: "word ".repeat(10_000) }],
      [],
      2,
      () => "",
    );
    window.refused(false);
    const once = window.limit;
    assert.ok(Math.abs(once / tokens - 0.8) < 0.01, `${once} of ${tokens}`);
    window.refused(true);
    assert.ok(Math.abs(window.limit / tokens - 0.5) < 0.01, `${window.limit} of ${tokens}`);
  });
});
