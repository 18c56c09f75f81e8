import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { commandLineWords } from "../../../src/cli/messages.ts";
import { FAILURE_SENTENCES } from "../../../src/model/messages.ts";

/** What only an editor has: its commands, its settings, itself. */
const OF_EDITOR = /Graft: [A-Z]|\bgraft\.\w|VS Code/;
/** Failures of models of VS Code, of a choice that is remembered, of voice and of the browser. */
const ELSEWHERE =
  /^(?:lm-|connection-gone|connection-moved|not-allowed|choice-|key-missing|no-model-list|no-voice|no-transcription|no-speech|unreadable-|browser-)/;

describe("the words of the command line", () => {
  it("advise flags and variables, not an editor's commands and settings", () => {
    for (const [code, sentence] of Object.entries(FAILURE_SENTENCES))
      if (!ELSEWHERE.test(code)) assert.doesNotMatch(commandLineWords(sentence), OF_EDITOR, code);
    const source = readFileSync("src/turns/messages.ts", "utf8");
    const literals = [...source.matchAll(/"((?:[^"\\\n]|\\.)*)"/g)].map(([text]) =>
      JSON.parse(text),
    );
    const ofEditor = literals.filter(
      (text) => OF_EDITOR.test(text) && !text.includes("in the browser"),
    );
    assert.ok(ofEditor.length > 0);
    for (const text of ofEditor) assert.doesNotMatch(commandLineWords(text), OF_EDITOR, text);
  });
});
