import assert from "node:assert/strict";
import type { Diagnostic } from "../../../../src/ports/languageServices.ts";
import { newProblems } from "../../../../src/tools/editor/newProblems.ts";

const error = (line: number, message: string): Diagnostic => ({
  path: "a.ts",
  line,
  severity: "error",
  source: "ts 2304",
  message,
});

describe("new problems", () => {
  it("are those that were not there before", () => {
    const added = error(3, "Cannot find name 'b'.");
    assert.deepEqual(
      newProblems([error(1, "Cannot find name 'a'.")], [error(1, "Cannot find name 'a'."), added]),
      [added],
    );
    assert.deepEqual(newProblems([added], []), []);
  });

  it("leave out what only moved to another line", () => {
    assert.deepEqual(
      newProblems([error(1, "Cannot find name 'a'.")], [error(9, "Cannot find name 'a'.")]),
      [],
    );
  });

  it("count the same message as often as it was added", () => {
    const same = [1, 2, 3].map((line) => error(line, "Cannot find name 'a'."));
    assert.equal(newProblems(same.slice(0, 1), same).length, 2);
    assert.equal(newProblems(same, same.slice(1)).length, 0);
  });

  it("tell a warning that became an error", () => {
    const warning: Diagnostic = { ...error(1, "Unused."), severity: "warning" };
    assert.deepEqual(newProblems([warning], [error(1, "Unused.")]), [error(1, "Unused.")]);
  });
});
