import assert from "node:assert/strict";
import { FILE_SENTENCES, fileErrorMessage } from "../../../src/ports/messages.ts";
import type { FileError } from "../../../src/ports/workspace.ts";
import { assertDistinct, assertSentence } from "../../fakes/assertMessages.ts";

const path = "src/a.ts";
const isCode = (name: string): name is FileError["code"] => name in FILE_SENTENCES;

describe("what the user reads when a file cannot be used", () => {
  it("holds the facts of the error, and differs for each cause", () => {
    const codes = Object.keys(FILE_SENTENCES).filter(isCode);
    for (const code of codes) {
      const sentence = FILE_SENTENCES[code];
      const detail = sentence.includes("{why}") ? "EIO: i/o error. " : "app, lib";
      assertSentence([
        fileErrorMessage({ code, path, detail, bytes: 7_000_000 }),
        ...(sentence.includes("{detail}") ? [detail] : []),
        ...(sentence.includes("{path}") ? [path] : []),
        ...(sentence.includes("{why}") ? [" (EIO: i/o error)"] : []),
        ...(sentence.includes("{size}") ? ["6.7 MB", "5.0 MB"] : []),
      ]);
      if (sentence.includes("{why}")) assertSentence([fileErrorMessage({ code, path })]);
    }
    assertDistinct(codes.map((code) => fileErrorMessage({ code, path })));
  });

  it("calls the workspace folder a dot", () => {
    assert.match(fileErrorMessage({ code: "is-directory", path: "" }), /^\. /);
  });
});
