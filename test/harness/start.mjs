// npm start: opens a sample workspace in a real VS Code with Graft in demo mode.
//   npm start [-- --web] [-- --port N]
console.log("Starting Graft. Ctrl-C ends it.");

import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { createProfile, installCodeServer, linkExtension, startCodeServer } from "./codeServer.mjs";
import { installDependencies, requireNode } from "./dependencies.mjs";
import { desktopUnavailable, openDesktop } from "./desktop.mjs";
import { run } from "./exec.mjs";
import { root } from "./root.mjs";

requireNode();
const args = process.argv.slice(2);
const portAt = args.indexOf("--port");
const port = portAt >= 0 ? Number(args[portAt + 1]) : undefined;
if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65536)) {
  console.error("--port needs a number from 1 to 65535.");
  process.exit(2);
}

/** @type {(() => void)[]} */
const cleanups = [];
process.on("exit", () => {
  for (const cleanup of cleanups) cleanup();
});
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]))
  process.on(signal, () => (process.exitCode ??= 130));

await installDependencies();
if ((await run(process.execPath, [path.join(root, "esbuild.mjs")], { quiet: "building" })) !== 0)
  process.exit(1);

const sample = path.join(root, "test/fixtures/sample");
const noDesktop = args.includes("--web") ? "--web was given" : await desktopUnavailable();
if (noDesktop === null) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "graft-sample-"));
  cleanups.push(() => fs.rmSync(folder, { recursive: true, force: true }));
  fs.cpSync(sample, folder, { recursive: true });
  console.log("  opening VS Code with a sample workspace; close its window to quit");
  process.exit(await openDesktop(folder));
}

console.log(`  using VS Code in the browser, because ${noDesktop}`);
const unavailable = await installCodeServer();
if (unavailable) {
  console.error(
    `  ${unavailable}\n  Open this folder in VS Code and press F5 (Run Graft) instead.`,
  );
  process.exit(1);
}
const profile = createProfile({ workspace: sample, settings: { "files.autoSave": "afterDelay" } });
cleanups.push(profile.remove);
linkExtension(profile);
const server = await startCodeServer(profile, port === undefined ? {} : { port });
console.log(`
  Graft is ready. Open this address in a browser on this machine:

    ${server.url}/?folder=${profile.workspace}

  Then click the Graft icon in the activity bar and ask, for example:
    Add a doc comment to each exported function in src/shapes.ts

  Demo mode: scripted answers, no AI. The edits are real. Ctrl-C ends it.
`);
await server.exited;
