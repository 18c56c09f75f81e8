import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { FILE_SENTENCES, fileErrorMessage } from "../../../src/ports/messages.ts";
import type { FileError } from "../../../src/ports/workspace.ts";

const golden = resolve(import.meta.dirname, "messages.golden.txt");
const isCode = (name: string): name is FileError["code"] => name in FILE_SENTENCES;

describe("what the user reads when a file cannot be used", () => {
  it("is as in messages.golden.txt", () => {
    const told = Object.keys(FILE_SENTENCES)
      .filter(isCode)
      .flatMap((code) => [
        `${code}\n  ${fileErrorMessage({ code, path: "src/a.ts", bytes: 7_000_000 })}\n`,
        ...(/\{(?:detail|why)\}/.test(FILE_SENTENCES[code])
          ? [
              `${code}, with a detail\n  ${fileErrorMessage({ code, path: "src/a.ts", detail: "EIO" })}\n`,
            ]
          : []),
      ]);
    const actual = `${told.join("")}is-directory of the workspace\n  ${fileErrorMessage({ code: "is-directory", path: "" })}\n`;
    if (process.env.UPDATE_GOLDEN === "1") writeFileSync(golden, actual);
    assert.equal(
      actual,
      readFileSync(golden, "utf8"),
      "run with UPDATE_GOLDEN=1 after looking at the difference",
    );
  });
});
