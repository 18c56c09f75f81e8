// npm test: all checks, also on a fresh clone. The last line is "N passed, N failed".
//   npm test [-- PHASE ...]     only some phases: check unit attacks npm node web panel ui load;
//                               agents only by name
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { installChromium } from "./browser.mjs";
import { CODE_SERVER, installCodeServer } from "./codeServer.mjs";
import { installDependencies, requireNode } from "./dependencies.mjs";
import { run } from "./exec.mjs";
import { root } from "./root.mjs";
import { installSpeechTools } from "./speechTools.mjs";

requireNode();
const phases = ["check", "unit", "attacks", "npm", "node", "web", "panel", "ui", "load", "agents"];
const only = new Set(process.argv.slice(2));
const unknown = [...only].filter((phase) => !phases.includes(phase));
if (unknown.length > 0) {
  console.error(`Unknown phase: ${unknown.join(", ")}. Phases: ${phases.join(", ")}.`);
  process.exit(2);
}
const wanted = (/** @type {string} */ phase) => only.size === 0 || only.has(phase);
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "graft-test-"));
process.on("exit", () =>
  fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
);
// All temporary files go there, also those of interrupted tests.
for (const name of ["TMPDIR", "TEMP", "TMP"]) process.env[name] = scratch;
const bin = (/** @type {string} */ name) => path.join(root, "node_modules", name);
/** Tests of the panel alone: they need a browser but no editor. */
const panelTests = [
  "panel",
  "answer",
  "review",
  "queueAndVersions",
  "toolCalls",
  "attachments",
  "accessibility",
  "drawn",
].map((name) => `test/ui/${name}.test.ts`);
const VOICE_PAGE = "test/ui/voicePage.test.ts";
const voiceTests = [VOICE_PAGE, "test/ui/voice.test.ts", "test/ui/voiceMatrix.test.ts"];
const total = { passes: 0, failures: 0, skipped: 0, failed: /** @type {string[]} */ ([]) };
const LONGEST_FAILURE = 2_000;
const title = (/** @type {string} */ text) => console.log(`\n== ${text}`);

/** Runs a program that counts as one test. @param {string} name @param {string[]} args */
async function one(name, args) {
  const code = await run(process.execPath, args, { quiet: name });
  if (code === 0) total.passes++;
  else {
    total.failures++;
    total.failed.push(name);
  }
  return code === 0;
}

/**
 * Runs a program that writes its test counts to a file. @param {string} name @param {(counts:
 * string) => Promise<number>} program
 */
async function counted(name, program) {
  const file = path.join(scratch, `${name.replaceAll("/", "-")}.json`);
  const code = await program(file);
  const counts = fs.existsSync(file)
    ? JSON.parse(fs.readFileSync(file, "utf8"))
    : { passes: 0, failures: 1, skipped: 0, failed: [] };
  if (code !== 0 && counts.failures === 0) counts.failures = 1;
  if (counts.failures > counts.failed.length) counts.failed.push(`${name} ended with ${code}`);
  total.passes += counts.passes;
  total.failures += counts.failures;
  total.skipped += counts.skipped;
  total.failed.push(...counts.failed);
}

/** Runs a suite of mocha's. @param {string} heading @param {string[]} specs */
function suite(heading, specs) {
  const args = [
    bin("mocha/bin/mocha.js"),
    "--exit",
    // A test waits in several places, each with a limit of its own.
    "--timeout",
    "900000",
    "--reporter",
    path.join(root, "test/harness/reporter.cjs"),
  ];
  return counted(heading, (file) =>
    run(process.execPath, [...args, ...specs], {
      env: { ...process.env, GRAFT_COUNTS: file },
      quiet: heading,
      output: "always",
    }),
  );
}

/** Packs the extension as out/graft.vsix. */
function packed() {
  const vsix = path.join(root, "out/graft.vsix");
  fs.mkdirSync(path.dirname(vsix), { recursive: true });
  return one("packing the extension", [
    bin("@vscode/vsce/vsce"),
    "package",
    "--no-dependencies",
    "--no-rewrite-relative-links",
    "-o",
    vsix,
  ]);
}

/**
 * Reports tests that cannot run as a failure: silence would look like success. @param {string}
 * tests @param {() => Promise<string | null>} install
 */
async function ready(tests, install) {
  const why = await install();
  if (why === null) return true;
  console.log(`  Cannot run ${tests}: ${why}`);
  total.failures++;
  total.failed.push(`${tests}: ${why}`);
  return false;
}

async function check() {
  await one("biome", [bin("@biomejs/biome/bin/biome"), "check", "--error-on-warnings", "."]);
  for (const project of [".", "src", "webview"])
    await one(`types of ${project}`, [bin("typescript/bin/tsc"), "-p", path.join(root, project)]);
}

/** @param {"node" | "web"} host */
function integration(host) {
  const name = `the ${host === "node" ? "node" : "web worker"} extension host of code-server ${CODE_SERVER}`;
  return counted(name, (file) =>
    run(
      process.execPath,
      ["--import", "tsx", path.join(root, "test/harness/integration.mjs"), host, file],
      { quiet: name, output: "always" },
    ),
  );
}

/** A job for each test file in a folder. @param {string} dir @param {readonly string[]} except */
const eachFile = (dir, except = []) =>
  fs
    .readdirSync(path.join(root, dir))
    .map((name) => `${dir}/${name}`)
    .filter((file) => file.endsWith(".test.ts") && !except.includes(file))
    .map((file) => () => suite(file, [file]));

/** A job for each room of the unit tests. */
const eachRoom = () =>
  fs
    .readdirSync(path.join(root, "test/unit"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `test/unit/${name}`)
    .map((dir) => () => suite(dir, [`${dir}/**/*.test.ts`]));

title("setting up");
await installDependencies();
const built = await one("building", [path.join(root, "esbuild.mjs"), "--tests"]);
const inBrowser =
  built &&
  ["node", "web", "panel", "ui", "load"].some(wanted) &&
  (await ready("the tests in a browser", installChromium));
if (inBrowser && (wanted("panel") || wanted("ui"))) await installSpeechTools();
const inEditor =
  inBrowser &&
  ["node", "web", "ui", "load"].some(wanted) &&
  (await ready("the tests in the editor", installCodeServer));
const inWindow = inEditor && (wanted("ui") || wanted("load")) && (await packed());

// Tests in editors wait and compute: one more than there are cores keeps all of them busy.
const lanes = Math.min(os.availableParallelism() + 1, 6);
/** The longest first, those that compute last. @type {(() => Promise<unknown>)[]} */
const jobs = [
  // The other lanes are what the machine is busy with.
  inWindow && wanted("load") && eachFile("test/load"),
  inEditor && wanted("node") && [() => integration("node")],
  inEditor && wanted("web") && [() => integration("web")],
  inWindow && wanted("ui") && eachFile("test/ui", [...panelTests, ...voiceTests]),
  wanted("attacks") && [() => suite("attacks", ["test/attacks/*.test.ts"])],
  inBrowser && wanted("panel") && panelTests.map((file) => () => suite(file, [file])),
  wanted("unit") && eachRoom(),
  wanted("unit") && [() => suite("the project", ["test/*.test.ts", "test/unit/*.test.ts"])],
  built && wanted("npm") && [() => suite("the npm package", ["test/npm/*.test.ts"])],
  only.has("agents") && eachFile("test/agents"),
  wanted("check") && [check],
].flatMap((each) => each || []);
if (only.size !== 1 && wanted("load")) process.env.GRAFT_LOAD_LOOPS ??= "0";
title(`testing, in ${lanes} lanes`);
const lane = async (/** @type {unknown} */ _, /** @type {number} */ at) => {
  const next = () => (at % 2 === 0 ? jobs.shift() : jobs.pop());
  for (let job = next(); job; job = next()) await job();
};
await Promise.all(Array.from({ length: lanes }, lane));

// What measures has the machine for itself.
const measuring = voiceTests.filter((file) =>
  file === VOICE_PAGE ? inBrowser && wanted("panel") : inWindow && wanted("ui"),
);
if (measuring.length > 0) title("measuring, alone");
if (measuring.length > 0) await suite("voice with real speech", measuring);

// Once more at the end, where the last lines of a long log still show it.
for (const each of total.failed) console.log(`\n✘ ${each.slice(0, LONGEST_FAILURE)}`);
if (total.skipped > 0) console.log(`\n${total.skipped} skipped; each says why above`);
console.log(`\n${total.passes} passed, ${total.failures} failed`);
process.exit(total.failures ? 1 : 0);
