import assert from "node:assert/strict";
import { english } from "../../../../src/base/localize.ts";
import type { ShadowProblem } from "../../../../src/ports/commands/shadow.ts";
import { noShadowMessage } from "../../../../src/review/checks/messages.ts";

const said = (problem: ShadowProblem) => noShadowMessage(english, problem);

describe("why a check cannot run on proposals", () => {
  it("names the size of a copy and the limit", () => {
    const size = { bytes: 3 * 1_048_576, limit: 2 * 1_048_576 };
    const message = said({ code: "too-large", detail: "", size });
    assert.match(message, /3 MB/);
    assert.match(message, /2 MB/);
  });

  it("is not the machine where a disk is full, a file is refused, or git would write elsewhere", () => {
    const machine = said({ code: "forbidden", detail: "" });
    for (const code of ["disk-full", "not-written", "repository-outside"] as const)
      assert.ok(!said({ code, detail: "ENOSPC" }).includes(machine), code);
    assert.match(said({ code: "disk-full", detail: "ENOSPC" }), /ENOSPC/);
    for (const code of ["git-waits", "git-silent"] as const)
      assert.match(said({ code, detail: "", path: "/app/.git" }), /\/app\/\.git/);
  });
});
