import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { grepOf, playUntilPassed, readResults, type TestResult } from "./harness/testResults.mjs";

/** Results as words: `group: title` passes, with `!` in front it fails, `-` is skipped. */
function results(...words: string[]): TestResult[] {
  return words.map((word) => {
    const state = word.startsWith("!") ? "failed" : word.startsWith("-") ? "skipped" : "passed";
    const [group = "", title = ""] = word.replace(/^[!-]/, "").split(": ");
    const failure = state === "failed" ? { error: `${title} waits in vain` } : {};
    return { title, group, isHook: title.includes("hook"), state, ...failure };
  });
}

/** Plays rounds of results and tells the outcome, and which groups each round was asked for. */
async function play(...rounds: TestResult[][]) {
  const asked: (string[] | null)[] = [];
  const outcome = await playUntilPassed(3, async (groups, attempt) => {
    asked.push(groups);
    return rounds[attempt - 1] ?? [];
  });
  return { ...outcome, asked };
}

describe("tests that are played again", () => {
  it("are played once where all pass", async () => {
    const { passed, skipped, failed, flaky, asked } = await play(results("a: x", "-a: y"));
    assert.deepEqual(
      { passed, skipped, failed, flaky },
      { passed: 1, skipped: 1, failed: [], flaky: [] },
    );
    assert.deepEqual(asked, [null]);
  });

  it("are those of the failed group, and flaky once they pass", async () => {
    const { passed, failed, flaky, asked } = await play(
      results("a: x", "!a: y", "b: z"),
      results("a: x", "a: y"),
    );
    assert.equal(passed, 3);
    assert.deepEqual(failed, []);
    assert.deepEqual(flaky, [{ name: "y", attempt: 2, attempts: 3, error: "y waits in vain" }]);
    assert.deepEqual(asked, [null, ["a"]]);
  });

  it("fail where they fail three times, and then once", async () => {
    const { passed, failed, flaky, asked } = await play(
      results("a: x", "!b: y"),
      results("!b: y"),
      results("!b: y"),
    );
    assert.equal(passed, 1);
    assert.deepEqual(failed, [{ name: "y", error: "y waits in vain" }]);
    assert.deepEqual(flaky, []);
    assert.deepEqual(asked, [null, ["b"], ["b"]]);
  });

  it("pass where each passes in some round", async () => {
    const { passed, failed, flaky } = await play(
      results("!a: x", "a: y"),
      results("a: x", "!a: y"),
    );
    assert.equal(passed, 2);
    assert.deepEqual(failed, []);
    assert.deepEqual(
      flaky.map(({ name }) => name),
      ["x"],
    );
  });

  it("count where a hook failed before them the first time", async () => {
    const { passed, failed, flaky } = await play(
      results("!a: a hook", "b: z"),
      results("a: x", "a: y"),
    );
    assert.equal(passed, 3);
    assert.deepEqual(failed, []);
    assert.deepEqual(
      flaky.map(({ name }) => name),
      ["a hook"],
    );
  });

  it("are all of them where the process ended too early", async () => {
    const { passed, failed, asked } = await play(
      results("a: x", "!: the process"),
      results("a: x", "b: y"),
    );
    assert.equal(passed, 2);
    assert.deepEqual(failed, []);
    assert.deepEqual(asked, [null, null]);
  });

  it("are each counted where two have the same title", async () => {
    const { passed, failed } = await play(
      results("a: x", "!a: x"),
      results("a: x", "!a: x"),
      results("a: x", "!a: x"),
    );
    assert.equal(passed, 1);
    assert.equal(failed.length, 1);
  });

  it("are found by their titles, whatever stands in these", () => {
    const grep = new RegExp(grepOf(["what (a) costs?", "b"]));
    assert.ok(grep.test("what (a) costs? is shown"));
    assert.ok(grep.test("b"));
    assert.ok(!grep.test("bc is another"));
  });
});

describe("what a test process told", () => {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "graft-results-")), "told.jsonl");
  const tell = (...events: object[]) =>
    fs.writeFileSync(file, events.map((event) => `${JSON.stringify(event)}\n`).join(""));
  const passed = { title: "x", group: "a", isHook: false, state: "passed" };

  it("is its tests where it came to its end", () => {
    tell({ state: "running", title: "x" }, passed, { state: "ended" });
    assert.deepEqual(readResults(file, "killed"), [passed]);
  });

  it("names the test that ran when it was killed", () => {
    tell({ state: "running", title: "x" }, passed, { state: "running", title: "y" });
    const last = readResults(file, "killed").at(-1);
    assert.equal(last?.title, "y");
    assert.equal(last?.state, "failed");
    assert.equal(last?.error, "killed");
  });

  it("is a failure where it told nothing", () => {
    fs.rmSync(file);
    assert.deepEqual(
      readResults(file, "no browser").map(({ state, error }) => ({ state, error })),
      [{ state: "failed", error: "no browser" }],
    );
  });
});
