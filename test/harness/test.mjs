// npm test: all checks, also on a fresh clone. The last line is "N passed, N failed".
//   npm test [-- PHASE ...]     only some phases: check unit attacks node web panel ui load
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
const phases = ["check", "unit", "attacks", "node", "web", "panel", "ui", "load"];
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
].map((name) => `test/ui/${name}.test.ts`);
const VOICE_PAGE = "test/ui/voicePage.test.ts";
const voiceTests = [VOICE_PAGE, "test/ui/voice.test.ts"];
const ignored = (/** @type {string} */ file) => ["--ignore", file];
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
  const file = path.join(scratch, `${name}.json`);
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

/** @param {string} name @param {string[]} specs */
function mocha(name, specs) {
  const args = [
    bin("mocha/bin/mocha.js"),
    "--exit",
    "--timeout",
    "180000",
    "--reporter",
    path.join(root, "test/harness/reporter.cjs"),
  ];
  return counted(name, (file) =>
    run(process.execPath, [...args, ...specs], { env: { ...process.env, GRAFT_COUNTS: file } }),
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
  title("format, lint, types");
  await one("biome", [bin("@biomejs/biome/bin/biome"), "check", "--error-on-warnings", "."]);
  for (const project of [".", "src", "webview"])
    await one(`types of ${project}`, [bin("typescript/bin/tsc"), "-p", path.join(root, project)]);
}

/** @param {"node" | "web"} host */
function integration(host) {
  title(
    `integration tests in code-server ${CODE_SERVER}, ${host === "node" ? "node" : "web worker"} extension host`,
  );
  return counted(host, (file) =>
    run(process.execPath, [
      "--import",
      "tsx",
      path.join(root, "test/harness/integration.mjs"),
      host,
      file,
    ]),
  );
}

/** Runs a suite of mocha's. @param {string} name @param {string} heading @param {string[]} specs */
function suite(name, heading, specs) {
  title(heading);
  return mocha(name, specs);
}

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

// Two lanes for two cores, the longest first.
const jobs = [
  wanted("unit") &&
    (() => suite("unit", "unit tests", ["test/unit/**/*.test.ts", "test/*.test.ts"])),
  inWindow &&
    wanted("ui") &&
    (() =>
      suite("ui", "UI tests with the packed extension", [
        "test/ui/*.test.ts",
        ...[...panelTests, ...voiceTests].flatMap(ignored),
      ])),
  // The other lane is what the machine is busy with.
  inWindow &&
    wanted("load") &&
    (() => {
      if (only.size !== 1) process.env.GRAFT_LOAD_LOOPS ??= "0";
      return suite("load", "UI tests on a busy machine", ["test/load/*.test.ts"]);
    }),
  inBrowser &&
    wanted("panel") &&
    (() => suite("panel", "panel tests in a real browser", panelTests)),
  inEditor && wanted("web") && (() => integration("web")),
  inEditor && wanted("node") && (() => integration("node")),
  wanted("attacks") && (() => suite("attacks", "attacks", ["test/attacks/*.test.ts"])),
  wanted("check") && check,
].filter((job) => job !== false);
const lane = async () => {
  for (let job = jobs.shift(); job; job = jobs.shift()) await job();
};
await Promise.all([lane(), lane()]);

// What measures has the machine for itself.
const measuring = voiceTests.filter((file) =>
  file === VOICE_PAGE ? inBrowser && wanted("panel") : inWindow && wanted("ui"),
);
if (measuring.length > 0) await suite("voice", "voice with real speech", measuring);

// Once more at the end, where the last lines of a long log still show it.
for (const each of total.failed) console.log(`\n✘ ${each.slice(0, LONGEST_FAILURE)}`);
if (total.skipped > 0) console.log(`\n${total.skipped} skipped; each says why above`);
console.log(`\n${total.passes} passed, ${total.failures} failed`);
process.exit(total.failures ? 1 : 0);
