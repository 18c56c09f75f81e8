// npm run test:desktop: the integration suite in a desktop VS Code, which it downloads.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { installDependencies, requireNode } from "./dependencies.mjs";
import { desktopUnavailable } from "./desktop.mjs";
import { run } from "./exec.mjs";
import { cacheDir, root } from "./root.mjs";

requireNode();
await installDependencies();
const why = await desktopUnavailable();
if (why) {
  console.error(
    `The desktop tests cannot run here: ${why}. On Linux, npm test runs the same suite in code-server.`,
  );
  process.exit(1);
}
if (
  (await run(process.execPath, [path.join(root, "esbuild.mjs"), "--tests"], {
    quiet: "building",
  })) !== 0
)
  process.exit(1);
const workspace = fs.mkdtempSync(path.join(os.tmpdir(), "graft-workspace-"));
fs.cpSync(path.join(root, "test/fixtures/sample"), workspace, { recursive: true });
const { runTests } = await import("@vscode/test-electron");
let failed = 0;
try {
  await runTests({
    version: "stable",
    cachePath: path.join(cacheDir, "vscode-desktop"),
    extensionDevelopmentPath: root,
    extensionTestsPath: path.join(root, "dist/test/node"),
    launchArgs: [workspace, "--disable-workspace-trust", "--disable-extensions"],
  });
} catch (error) {
  failed = 1;
  console.error(error instanceof Error ? error.message : error);
}
fs.rmSync(workspace, { recursive: true, force: true });
console.log(failed ? "0 passed, 1 failed" : "1 passed, 0 failed");
process.exit(failed);
