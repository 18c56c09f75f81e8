// What test processes told of their tests, and what it comes to when some were played again.
import fs from "node:fs";

/**
 * A test that ended. `group` is the title of its outermost `describe`, or of the test where it has
 * none: what can be played alone. It is empty where everything has to be played.
 * @typedef {{ title: string, group: string, isHook: boolean, error?: string,
 *   state: "passed" | "failed" | "skipped" }} TestResult
 */

/**
 * What a process told until its end. Where it ended too early, the test that ran then has failed
 * for the reason `why`.
 * @param {string} file @param {string} why @returns {TestResult[]}
 */
export function readResults(file, why) {
  const lines = fs.existsSync(file) ? fs.readFileSync(file, "utf8").split("\n") : [];
  const events = lines.filter((line) => line.endsWith("}")).map((line) => JSON.parse(line));
  const results = events.filter(({ state }) => state !== "running" && state !== "ended");
  if (events.at(-1)?.state === "ended") return results;
  const last = events.at(-1);
  const title = last?.state === "running" ? last.title : "the process";
  return [...results, { title, group: "", isHook: false, state: "failed", error: why }];
}

/**
 * Results of tests of which some may be played again.
 * @typedef {{ passed: number, skipped: number, failed: { name: string, error: string }[],
 *   flaky: { name: string, attempt: number, attempts: number, error: string }[] }} Outcome
 */

/**
 * Plays tests up to `attempts` times, after the first time only groups with a failure, and a test
 * counts as passed once it passes.
 * @param {number} attempts @param {(groups: string[] | null, attempt: number) =>
 *   Promise<TestResult[]>} play  `null` plays all
 * @returns {Promise<Outcome>}
 */
export async function playUntilPassed(attempts, play) {
  /** @type {Map<string, TestResult>} */
  const results = new Map();
  /** @type {Outcome["flaky"]} */
  const flaky = [];
  /** @type {string[] | null} */
  let groups = null;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const told = keyed(await play(groups, attempt));
    for (const [key, earlier] of results) {
      const now = told.get(key);
      const again = groups === null || groups.includes(earlier.group);
      if (earlier.state !== "failed" || !again) continue;
      // A hook tells of itself only where it fails.
      const isOver = now ? now.state !== "failed" : earlier.isHook || earlier.group === "";
      if (!isOver) continue;
      flaky.push({ name: earlier.title, attempt, attempts, error: earlier.error ?? "" });
      results.delete(key);
    }
    for (const [key, result] of told)
      if (results.get(key)?.state !== "passed") results.set(key, result);
    const failed = [...results.values()].filter(({ state }) => state === "failed");
    if (failed.length === 0) break;
    const failedGroups = [...new Set(failed.map(({ group }) => group))];
    groups = failedGroups.includes("") ? null : failedGroups;
  }
  const all = [...results.values()];
  const count = (/** @type {TestResult["state"]} */ state) =>
    all.filter((result) => result.state === state).length;
  return {
    passed: count("passed"),
    skipped: count("skipped"),
    failed: all
      .filter(({ state }) => state === "failed")
      .map(({ title, error = "" }) => ({ name: title, error })),
    flaky,
  };
}

/** Results by their title, which several tests may share. @param {TestResult[]} results */
function keyed(results) {
  /** @type {Map<string, TestResult>} */
  const named = new Map();
  for (const result of results) {
    let key = result.title;
    for (let at = 2; named.has(key); at++) key = `${result.title} (${at})`;
    named.set(key, result);
  }
  return named;
}

/** A regular expression that finds the tests of these groups by their full titles. @param {string[]} groups */
export function grepOf(groups) {
  const titles = groups.map((group) => group.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return `^(${titles.join("|")})( |$)`;
}
