// npm test: all checks, also on a fresh clone. The last line is "N passed, N failed".
//   npm test [-- PHASE ...]     only some phases: check unit node web panel ui load
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { installChromium } from "./browser.mjs";
import { CODE_SERVER, installCodeServer } from "./codeServer.mjs";
import { installDependencies, requireNode } from "./dependencies.mjs";
import { run } from "./exec.mjs";
import { root } from "./root.mjs";

requireNode();
const phases = ["check", "unit", "node", "web", "panel", "ui", "load"];
const only = new Set(process.argv.slice(2));
const unknown = [...only].filter((phase) => !phases.includes(phase));
if (unknown.length > 0) {
  console.error(`Unknown phase: ${unknown.join(", ")}. Phases: ${phases.join(", ")}.`);
  process.exit(2);
}
const wanted = (/** @type {string} */ phase) => only.size === 0 || only.has(phase);
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "graft-test-"));
process.on("exit", () => fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
// All temporary files go there, also those of interrupted tests.
for (const name of ["TMPDIR", "TEMP", "TMP"]) process.env[name] = scratch;
const bin = (/** @type {string} */ name) => path.join(root, "node_modules", name);
/** Tests of the panel alone: they need a browser but no editor. */
const panelTests = ["panel", "answer", "review", "queueAndVersions", "toolCalls"].map((name) => `test/ui/${name}.test.ts`);
const total = { passes: 0, failures: 0, skipped: 0 };
const title = (/** @type {string} */ text) => console.log(`\n== ${text}`);

/** Runs a program that counts as one test. @param {string} name @param {string[]} args */
async function one(name, args) {
  const code = await run(process.execPath, args, { quiet: name });
  if (code === 0) total.passes++;
  else total.failures++;
  return code === 0;
}

/** Runs a program that writes its test counts to a file. @param {string} name @param {(counts: string) => Promise<number>} program */
async function counted(name, program) {
  const file = path.join(scratch, `${name}.json`);
  const code = await program(file);
  const counts = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, "utf8")) : { passes: 0, failures: 1, skipped: 0 };
  if (code !== 0 && counts.failures === 0) counts.failures = 1;
  total.passes += counts.passes;
  total.failures += counts.failures;
  total.skipped += counts.skipped;
}

/** @param {string} name @param {string[]} specs */
function mocha(name, specs) {
  const args = [bin("mocha/bin/mocha.js"), "--timeout", "60000", "--reporter", path.join(root, "test/harness/reporter.cjs")];
  return counted(name, (file) => run(process.execPath, [...args, ...specs], { env: { ...process.env, GRAFT_COUNTS: file } }));
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

/** Reports tests that cannot run as a failure: silence would look like success. @param {string} phase @param {string} why */
function missing(phase, why) {
  console.log(`  Cannot run ${phase}: ${why}`);
  total.failures++;
}

title("setting up");
await installDependencies();
const built = await one("building", [path.join(root, "esbuild.mjs"), "--tests"]);

if (wanted("check")) {
  title("format, lint, types");
  await one("biome", [bin("@biomejs/biome/bin/biome"), "check", "--error-on-warnings", "."]);
  for (const project of [".", "src", "webview"])
    await one(`types of ${project}`, [bin("typescript/bin/tsc"), "-p", path.join(root, project)]);
}
if (wanted("unit")) {
  title("unit tests");
  await mocha("unit", ["test/unit/**/*.test.ts", "test/*.test.ts"]);
}
if (built && ["node", "web", "panel", "ui", "load"].some(wanted)) {
  const noBrowser = await installChromium();
  if (noBrowser) missing("the tests in a browser", noBrowser);
  else if (wanted("panel")) {
    title("panel tests in a real browser");
    await mocha("panel", panelTests);
  }
  const needsEditor = !noBrowser && ["node", "web", "ui", "load"].some(wanted);
  const noServer = needsEditor ? await installCodeServer() : null;
  if (noServer) missing("the tests in the editor", noServer);
  else if (needsEditor) {
    for (const host of ["node", "web"]) {
      if (!wanted(host)) continue;
      title(`integration tests in code-server ${CODE_SERVER}, ${host === "node" ? "node" : "web worker"} extension host`);
      await counted(host, (file) =>
        run(process.execPath, ["--import", "tsx", path.join(root, "test/harness/integration.mjs"), host, file]),
      );
    }
    if (["ui", "load"].some(wanted) && (await packed())) {
      if (wanted("ui")) {
        title("UI tests with the packed extension");
        await mocha("ui", ["test/ui/*.test.ts", ...panelTests.flatMap((file) => ["--ignore", file])]);
      }
      if (wanted("load")) {
        title("UI tests on a busy machine");
        await mocha("load", ["test/load/*.test.ts"]);
      }
    }
  }
}

if (total.skipped > 0) console.log(`\n${total.skipped} skipped; each says why above`);
console.log(`\n${total.passes} passed, ${total.failures} failed`);
process.exit(total.failures ? 1 : 0);
