// Runs the bundled mocha suite in a real VS Code: node --import tsx test/harness/integration.mjs node|web RESULT.json
import fs from "node:fs";
import path from "node:path";
import { startMcpHttpServer } from "../fakes/mcp/mcpHttpServer.ts";
import { startModelServer } from "../fakes/model/modelServer.ts";
import { promptedModel } from "../fakes/model/promptedModel.ts";
import { threeBlockReply } from "../fakes/model/recordedReply.ts";
import { replyModel } from "../fakes/model/replyModel.ts";
import { launchChromium } from "./browser.mjs";
import { createProfile, startCodeServer } from "./codeServer.mjs";
import { root } from "./root.mjs";

const host = process.argv[2] === "web" ? "web" : "node";
const resultFile = process.argv[3];
const profile = createProfile({
  workspace: path.join(root, "test/fixtures/sample"),
  settings: host === "web" ? { "remote.extensionKind": { "graft-edits.graft": ["web"] } } : {},
});
const reply = threeBlockReply();
const model = await startModelServer(promptedModel(replyModel(reply)));
const { prompt, before, after } = reply;
const mcp = await startMcpHttpServer();
const { url, authorization } = mcp;
const scenario = { baseUrl: model.url, prompt, path: reply.path, before, after, host, mcp: { url, authorization } };
fs.writeFileSync(path.join(profile.workspace, "graft-scenario.json"), JSON.stringify(scenario));
const server = await startCodeServer(profile, { tests: true });
const browser = await launchChromium();
const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();

/** @type {(outcome: { code: number, why: string }) => void} */
let finish = () => {};
/** @type {Promise<{ code: number, why: string }>} */
const finished = new Promise((resolve) => {
  finish = resolve;
});
/** @type {{ passes: number, failures: number, skipped: number } | null} */
let counts = null;
await page.exposeFunction("codeAutomationExit", (/** @type {number} */ code) => finish({ code, why: "" }));
page.on("crash", () => finish({ code: 1, why: "the page crashed" }));
page.on("console", (message) => {
  const text = message.text();
  const summary = /GRAFT-TESTS (\{.*\})/.exec(text);
  if (summary?.[1]) counts = JSON.parse(summary[1]);
  const line = /GRAFT-TEST (.*)/s.exec(text);
  if (line) console.log(`    ${line[1]}`);
  else if (process.env.VERBOSE) console.log(`    [console] ${text.slice(0, 400)}`);
});

const uri = (/** @type {string} */ place) => `vscode-remote://${server.authority}${place}`;
const payload = [
  ["extensionDevelopmentPath", uri(root)],
  ["extensionTestsPath", uri(path.join(root, "dist/test", host))],
  ["skipWelcome", "true"],
];
const limit = setTimeout(() => finish({ code: 1, why: "timed out after 180 s" }), 180_000);
await page.goto(`${server.url}/?folder=${profile.workspace}&payload=${encodeURIComponent(JSON.stringify(payload))}`);
const outcome = await finished;
clearTimeout(limit);

if (outcome.code !== 0) {
  fs.mkdirSync(path.join(root, "out"), { recursive: true });
  await page.screenshot({ path: path.join(root, `out/integration-${host}-failed.png`) }).catch(() => undefined);
  if (outcome.why) console.log(`    ${outcome.why}; a screenshot is in out/integration-${host}-failed.png`);
}
await browser.close();
await server.stop();
await model.close();
await mcp.close();
profile.remove();
const result = counts ?? { passes: 0, failures: 1, skipped: 0 };
// A run without tests did not succeed.
if (result.passes === 0 && result.failures === 0) result.failures = 1;
if (outcome.code !== 0 && result.failures === 0) result.failures = 1;
if (resultFile) fs.writeFileSync(resultFile, JSON.stringify(result));
process.exit(result.failures ? 1 : 0);
