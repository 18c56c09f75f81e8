// npm test: what decides, also on a fresh clone. The last line is "N passed, N failed".
//   npm test [-- LANE ...]     only some lanes, by name
//   npm run test:all           all lanes, and long random campaigns
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { installChromium } from "./browser.mjs";
import { installCodeServer } from "./codeServer.mjs";
import { installDependencies, requireNode } from "./dependencies.mjs";
import { endAll } from "./exec.mjs";
import { LANES } from "./lanes.mjs";
import { root } from "./root.mjs";
import { installSpeechTools } from "./speechTools.mjs";
import { bin, program } from "./suites.mjs";

requireNode();
const args = process.argv.slice(2);
const names = args.filter((arg) => arg !== "--all");
const isAll = args.includes("--all");
const unknown = names.filter((name) => !LANES.some((lane) => lane.name === name));
if (unknown.length > 0) {
  const known = LANES.map(({ name }) => name).join(", ");
  console.error(`Unknown lane: ${unknown.join(", ")}. Lanes: ${known}.`);
  process.exit(2);
}
const wanted = LANES.filter(({ name, when }) =>
  names.length > 0 ? names.includes(name) : when === "always" || (isAll && when === "all"),
);
if (isAll) process.env.GRAFT_LONG = "1";
// The other lanes are what the machine is busy with.
if (wanted.length > 1) process.env.GRAFT_LOAD_LOOPS ??= "0";
/** The whole command ends by then, however little was played. */
const LIMIT_MINUTES = wanted.every(({ when }) => when === "always") ? 30 : 240;

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "graft-test-"));
process.on("exit", () =>
  fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
);
// All temporary files go there, also those of interrupted tests.
for (const name of ["TMPDIR", "TEMP", "TMP"]) process.env[name] = scratch;

/** @type {import("./testResults.mjs").Outcome} */
const total = { passed: 0, skipped: 0, failed: [], flaky: [] };
/** @param {import("./testResults.mjs").Outcome} outcome */
function add(outcome) {
  total.passed += outcome.passed;
  total.skipped += outcome.skipped;
  total.failed.push(...outcome.failed);
  total.flaky.push(...outcome.flaky);
  return outcome.failed.length === 0;
}
const title = (/** @type {string} */ text) => console.log(`\n== ${text}`);

/**
 * Settles with null once what a lane needs is there, or with why it is not.
 * @type {Record<NonNullable<import("./lanes.mjs").Job["needs"]>, () => Promise<string | null>>}
 */
const ready = {
  built: once(async () =>
    add(await program("building", [path.join(root, "esbuild.mjs"), "--tests"]))
      ? null
      : "the build failed",
  ),
  browser: once(async () => (await ready.built()) ?? (await installChromium())),
  editor: once(async () => (await ready.browser()) ?? (await installCodeServer())),
  window: once(async () => {
    const missing = await ready.editor();
    if (missing !== null) return missing;
    const vsix = path.join(root, "out/graft.vsix");
    fs.mkdirSync(path.dirname(vsix), { recursive: true });
    const flags = ["--no-dependencies", "--no-rewrite-relative-links", "-o", vsix];
    const packed = await program("packing the extension", [
      bin("@vscode/vsce/vsce"),
      "package",
      ...flags,
    ]);
    return add(packed) ? null : "packing the extension failed";
  }),
  voice: once(async () => {
    const missing = await ready.window();
    if (missing === null) await installSpeechTools();
    return missing;
  }),
};

/** @param {() => Promise<string | null>} prepare */
function once(prepare) {
  /** @type {Promise<string | null> | undefined} */
  let prepared;
  return () => (prepared ??= prepare().catch((error) => String(error)));
}

/** What is not over yet, by name. @type {Set<string>} */
const left = new Set();
let isLate = false;
const limit = setTimeout(() => {
  isLate = true;
  console.log(`\n${LIMIT_MINUTES} minutes are over. Left: ${[...left].join(", ")}`);
  endAll();
  // Where even that does not end what runs.
  setTimeout(finish, 60_000);
}, LIMIT_MINUTES * 60_000);

/** @param {import("./lanes.mjs").Job} job */
async function play(job) {
  const missing = job.needs === undefined ? null : await ready[job.needs]();
  const failed = (/** @type {string} */ error) =>
    add({ passed: 0, skipped: 0, failed: [{ name: job.name, error }], flaky: [] });
  const started = Date.now();
  if (isLate) failed(`not played: ${LIMIT_MINUTES} minutes were over`);
  else if (missing !== null) failed(`could not be played: ${missing}`);
  else await job.play().then(add, failed);
  console.log(`  ${job.name}: ${Math.round((Date.now() - started) / 1000)} s`);
  left.delete(job.name);
}

title("setting up");
await installDependencies();
await ready.built();
/** The longest first. */
const jobs = wanted.flatMap((lane) => lane.jobs());
for (const { name } of jobs) left.add(name);

/** @param {import("./lanes.mjs").Job[]} queue @param {number} lanes */
async function playAll(queue, lanes) {
  const lane = async () => {
    for (let job = queue.shift(); job; job = queue.shift()) await play(job);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
// Tests in editors wait and compute: one more than there are cores keeps all of them busy.
const lanes = Math.min(os.availableParallelism() + 1, 6);
title(`testing, in ${lanes} lanes`);
await playAll(
  jobs.filter(({ alone }) => !alone),
  lanes,
);
const alone = jobs.filter((job) => job.alone);
if (alone.length > 0) title("testing, alone");
await playAll(alone, 1);
finish();

function finish() {
  clearTimeout(limit);
  // Once more at the end, where the last lines of a long log still show it.
  for (const { name, error } of total.failed) console.log(`\n✘ ${name}\n${short(error)}`);
  for (const { name, attempt, attempts, error } of total.flaky)
    console.log(`\nflaky: ${name} (${attempt} of ${attempts})\n${short(error)}`);
  if (total.skipped > 0) console.log(`\n${total.skipped} skipped; each says why above`);
  console.log(`\n${total.passed} passed, ${total.failed.length} failed`);
  process.exit(total.failed.length ? 1 : 0);
}

/** @param {unknown} error */
function short(error) {
  return String(error).slice(0, 2_000);
}
