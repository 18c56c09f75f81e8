// How npm test plays tests: in a process of their own, with a limit, again where they may be moody.
import fs from "node:fs";
import path from "node:path";
import { CODE_SERVER } from "./codeServer.mjs";
import { run } from "./exec.mjs";
import { root } from "./root.mjs";
import { grepOf, playUntilPassed, readResults } from "./testResults.mjs";

/** @typedef {import("./testResults.mjs").Outcome} Outcome */
/** @typedef {import("./testResults.mjs").TestResult} TestResult */

/**
 * How tests are played: `attempts` at most, each test for `testMs` and in it each wait for
 * `waitMs`, and their process for `processMs`.
 * @typedef {{ attempts: number, testMs: number, waitMs: number, processMs: number }} Patience
 */

const minutes = (/** @type {number} */ count) => count * 60_000;

/** Tests that decide at once: what fails, fails. @type {Patience} */
export const STRICT = { attempts: 1, testMs: minutes(3), waitMs: 0, processMs: minutes(20) };
/** Tests in a browser or editor, which are played again from a fresh profile. @type {Patience} */
export const IN_BROWSER = {
  attempts: 3,
  testMs: minutes(2),
  waitMs: 100_000,
  processMs: minutes(20),
};
/** Tests in an editor that take their time, and are not part of `npm test`. @type {Patience} */
export const PATIENT = {
  attempts: 3,
  testMs: minutes(5),
  waitMs: minutes(2),
  processMs: minutes(45),
};

export const bin = (/** @type {string} */ name) => path.join(root, "node_modules", name);

/** Runs a program that counts as one test. @param {string} name @param {string[]} args @returns {Promise<Outcome>} */
export async function program(name, args) {
  const limitMs = minutes(10);
  const code = await run(process.execPath, args, { quiet: name, limitMs });
  const failed = code === 0 ? [] : [{ name, error: `ended with ${code}` }];
  return { passed: 1 - failed.length, skipped: 0, failed, flaky: [] };
}

/**
 * Plays files of mocha's. @param {string} name @param {string[]} specs @param {Patience} patience
 * @returns {Promise<Outcome>}
 */
export function suite(name, specs, patience) {
  const { attempts, testMs, waitMs, processMs } = patience;
  return playUntilPassed(attempts, (groups, attempt) => {
    const grep = groups ? grepOf(groups) : process.env.GRAFT_GREP;
    const args = [
      bin("mocha/bin/mocha.js"),
      "--exit",
      ...["--timeout", String(testMs)],
      ...["--reporter", path.join(root, "test/harness/reporter.cjs")],
      ...(grep ? ["--grep", grep] : []),
      ...specs,
    ];
    const env = waitMs ? { GRAFT_PATIENCE: String(waitMs / 1000) } : {};
    return played(name, attempt, processMs, args, env);
  });
}

/**
 * Plays the tests inside VS Code. @param {"node" | "web"} host @param {Patience} patience
 * @returns {Promise<Outcome>}
 */
export function integration(host, patience) {
  const inHost = `the ${host === "node" ? "node" : "web worker"} extension host`;
  return playUntilPassed(patience.attempts, (groups, attempt) => {
    const script = path.join(root, "test/harness/integration.mjs");
    const grep = groups ? grepOf(groups) : (process.env.GRAFT_GREP ?? "");
    return played(
      `${inHost} of code-server ${CODE_SERVER}`,
      attempt,
      patience.processMs,
      ["--import", "tsx", script, host, String(patience.testMs), grep],
      {},
    );
  });
}

/**
 * Runs a process that tells of its tests in the file GRAFT_RESULTS. @param {string} name
 * @param {number} attempt @param {number} limitMs @param {string[]} args
 * @param {NodeJS.ProcessEnv} env @returns {Promise<TestResult[]>}
 */
async function played(name, attempt, limitMs, args, env) {
  const file = path.join(
    process.env.TMPDIR ?? root,
    `${name.replaceAll(/\W+/g, "-")}-${attempt}.jsonl`,
  );
  fs.rmSync(file, { force: true });
  const started = Date.now();
  const code = await run(process.execPath, args, {
    env: { ...process.env, ...env, GRAFT_RESULTS: file },
    quiet: attempt === 1 ? name : `${name}, attempt ${attempt}`,
    output: "always",
    limitMs,
  });
  const isOver = Date.now() - started >= limitMs;
  const seconds = Math.round((Date.now() - started) / 1000);
  const results = readResults(
    file,
    isOver ? `${name} did not end within ${seconds} s` : `${name} ended with ${code}`,
  );
  const isEmpty = results.every(({ state }) => state === "skipped");
  // A run without tests did not succeed, but a grep leaves some files without any.
  if (!isEmpty || process.env.GRAFT_GREP) return results;
  const error = `${name} has no tests`;
  return [...results, { title: name, group: "", isHook: false, state: "failed", error }];
}
