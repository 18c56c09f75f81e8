import assert from "node:assert/strict";
import { combineAnswers, compareAnswers } from "../../../../src/edits/combine/compareAnswers.ts";
import type { CandidateFile } from "../../../../src/turns/candidates/candidateEvents.ts";
import { testSyntax } from "../../../fakes/editor/testSyntax.ts";

const { signal } = new AbortController();
const answers = (...all: readonly (readonly CandidateFile[])[]) =>
  all.map((files, at) => ({
    ...{ chatId: `chat-${at}`, model: `model-${at}` },
    end: {
      chatId: `chat-${at}`,
      reason: "done" as const,
      error: null,
      files: [...files],
      left: [],
    },
  }));
const base = "a = 1\n\n\ndef one():\n    return 1\n\n\ndef two():\n    return 2\n";

describe("the answers of several models", () => {
  it("are compared file by file; a file that one of them leaves alone has its base", async () => {
    const files = await compareAnswers(
      answers(
        [{ path: "a.py", base, text: base.replace("return 1", "return 10") }],
        [{ path: "b.py", base: null, text: "def three(): pass\n" }],
      ),
      testSyntax,
      signal,
    );
    assert.deepEqual(
      files.map(({ path, comparison: { rows } }) => [path, rows.map(({ effects }) => effects)]),
      [
        ["a.py", [["changed", "same"]]],
        ["b.py", [["same", "added"]]],
      ],
    );
    const all = files.map(({ path, comparison: { rows } }, at) => {
      return [path, new Map(rows.map(({ id }) => [id, at] as const))] as const;
    });
    assert.deepEqual(await combineAnswers(files, new Map(all), testSyntax, signal), {
      ok: true,
      value: [
        { path: "a.py", base, text: base.replace("return 1", "return 10") },
        { path: "b.py", base: null, text: "def three(): pass\n" },
      ],
    });
    assert.deepEqual(await combineAnswers(files, new Map(), testSyntax, signal), {
      ok: true,
      value: [],
    });
  });

  it("count from one base where the user changed the file between them", async () => {
    const later = base.replace("a = 1", "a = 2");
    const [apart] = await compareAnswers(
      answers(
        [{ path: "a.py", base, text: base.replace("return 1", "return 10") }],
        [{ path: "a.py", base: later, text: later.replace("return 2", "return 20") }],
        [{ path: "a.py", base: later, text: later.replace("a = 2", "a = 3") }],
      ),
      testSyntax,
      signal,
    );
    assert.deepEqual(apart?.leftOut, [2]);
    assert.deepEqual(
      apart?.comparison.rows.map(({ paths, effects }) => [...paths, ...effects]),
      [
        ["one", "changed", "same", "same"],
        ["two", "same", "changed", "same"],
      ],
    );
  });
});
