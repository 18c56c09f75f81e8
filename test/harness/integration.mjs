// Runs the bundled mocha suite in a real VS Code, each test for so many milliseconds, and tells of
// its tests in the file GRAFT_RESULTS:
//   node --import tsx test/harness/integration.mjs node|web TIMEOUT [GREP]
import fs from "node:fs";
import path from "node:path";
import { startMcpHttpServer } from "../fakes/mcp/mcpHttpServer.ts";
import { startModelServer } from "../fakes/model/modelServer.ts";
import { promptedModel } from "../fakes/model/promptedModel.ts";
import { threeBlockReply } from "../fakes/model/recordedReply.ts";
import { replyModel } from "../fakes/model/replyModel.ts";
import { startProxy, startSecureServer } from "../fakes/model/secureServer.ts";
import { selfSigned } from "../fakes/model/selfSigned.ts";
import { launchChromium, reloadWithoutHost } from "./browser.mjs";
import { createProfile, startCodeServer } from "./codeServer.mjs";
import { root } from "./root.mjs";

const host = process.argv[2] === "web" ? "web" : "node";
const timeout = Number(process.argv[3]);
const grep = process.argv[4] ?? "";
const resultFile = process.env.GRAFT_RESULTS;
/** A run that says nothing for so long has failed, however slow the machine is. */
const SILENCE_MS = 180_000;
/** How long a test took is printed from so many milliseconds on. */
const SLOW_MS = 500;
/** What nobody looks at here need not be drawn. */
const PLAIN = {
  "breadcrumbs.enabled": false,
  "editor.cursorBlinking": "solid",
  "editor.minimap.enabled": false,
  "editor.occurrencesHighlight": "off",
  "editor.stickyScroll.enabled": false,
  "workbench.localHistory.enabled": false,
  "workbench.reduceMotion": "on",
};
const profile = createProfile({
  workspace: path.join(root, "test/fixtures/sample"),
  settings: {
    ...PLAIN,
    ...(host === "web"
      ? {
          "remote.extensionKind": {
            "graft-edits.graft": ["web"],
            "graft-tests.language-models": ["web"],
          },
        }
      : {}),
  },
});
// An extension that provides language models, as Copilot does.
const models = path.join(profile.home, "extensions/graft-tests.language-models-0.0.1");
fs.symlinkSync(path.join(root, "test/fixtures/languageModels"), models, "dir");
// A benchmark asks for a large workspace.
for (let at = 0; at < Number(process.env.GRAFT_FILES ?? 0); at++) {
  const folder = path.join(profile.workspace, `many/package${at % 97}/feature${at % 1013}`);
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, `someComponent${at}.view.txt`), "");
}
const reply = threeBlockReply();
const model = await startModelServer(promptedModel(replyModel(reply)));
const { prompt, before, after } = reply;
const mcp = await startMcpHttpServer();
const { url, authorization } = mcp;
// What stands between a company's machine and a model: a proxy, and certificates of its own.
// 127.0.0.2 is not loopback to VS Code's proxy.
const trusted = selfSigned(["models.test", "127.0.0.2"]);
const authorities = path.join(profile.home, "authorities.pem");
fs.writeFileSync(authorities, trusted.cert);
const { origin } = new URL(model.url);
const secure = await startSecureServer(origin, trusted, "127.0.0.2");
const untrusted = await startSecureServer(origin, selfSigned(["127.0.0.2"]), "127.0.0.2");
const proxies = { open: await startProxy(origin, trusted), closed: await startProxy(origin, null) };
const network = {
  secure: secure.url,
  untrusted: untrusted.url,
  proxy: proxies.open.url,
  closedProxy: proxies.closed.url,
};
const scenario = {
  baseUrl: model.url,
  prompt,
  path: reply.path,
  before,
  after,
  host,
  mcp: { url, authorization },
  network,
  grep,
  timeout,
};
fs.writeFileSync(path.join(profile.workspace, "graft-scenario.json"), JSON.stringify(scenario));
const server = await startCodeServer(profile, { tests: true, env: { SSL_CERT_FILE: authorities } });
const browser = await launchChromium();
const context = await browser.newContext({
  viewport: { width: 640, height: 480 },
  reducedMotion: "reduce",
});
reloadWithoutHost(context);
const page = await context.newPage();

/** @type {(outcome: { code: number, why: string }) => void} */
let finish = () => {};
/** @type {Promise<{ code: number, why: string }>} */
const finished = new Promise((resolve) => {
  finish = resolve;
});
let hasPassed = false;
/** @param {{ state: string, title?: string, group?: string, isHook?: boolean, ms?: number, error?: string }} event */
function tell(event) {
  if (resultFile) fs.appendFileSync(resultFile, `${JSON.stringify(event)}\n`);
  const marks = { passed: "✔", failed: "✘", skipped: "- skipped:" };
  if (!(event.state in marks)) return;
  const mark = marks[/** @type {keyof typeof marks} */ (event.state)];
  const time = (event.ms ?? 0) >= SLOW_MS ? ` (${event.ms}ms)` : "";
  console.log(`    ${mark} ${event.title}${time}${event.error ? `\n${event.error}` : ""}`);
  hasPassed ||= event.state === "passed";
}
await page.exposeFunction("codeAutomationExit", (/** @type {number} */ code) =>
  finish({ code, why: "" }),
);
page.on("crash", () => finish({ code: 1, why: "the page crashed" }));
page.on("console", (message) => {
  const text = message.text();
  const event = /GRAFT-TEST (\{.*\})/s.exec(text)?.[1];
  const measured = /GRAFT-MEASURED (.*)/.exec(text)?.[1];
  if (event) {
    limit.refresh();
    tell(JSON.parse(event));
  } else if (measured) console.log(`      ${measured}`);
  // Of an edit that it did not make, VS Code tells an extension no reason.
  else if (process.env.VERBOSE || text.includes("IGNORING workspace edit"))
    console.log(`    [console] ${text.slice(0, 400)}`);
});

const uri = (/** @type {string} */ place) => `vscode-remote://${server.authority}${place}`;
const payload = [
  ["extensionDevelopmentPath", uri(root)],
  ["extensionTestsPath", uri(path.join(root, "dist/test", host))],
  ["skipWelcome", "true"],
];
const limit = setTimeout(
  () => finish({ code: 1, why: `no test ended for ${SILENCE_MS / 1000} s` }),
  SILENCE_MS,
);
await page.goto(
  `${server.url}/?folder=${profile.workspace}&payload=${encodeURIComponent(JSON.stringify(payload))}`,
  { timeout: SILENCE_MS },
);
const outcome = await finished;
clearTimeout(limit);

if (outcome.code !== 0) {
  fs.mkdirSync(path.join(root, "out"), { recursive: true });
  await page
    .screenshot({ path: path.join(root, `out/integration-${host}-failed.png`) })
    .catch(() => undefined);
  if (outcome.why)
    console.log(`    ${outcome.why}; a screenshot is in out/integration-${host}-failed.png`);
}
await browser.close();
await server.stop();
await model.close();
for (const each of [secure, untrusted, proxies.open, proxies.closed]) await each.close();
await mcp.close();
profile.remove();
if (outcome.why)
  tell({
    state: "failed",
    title: `the ${host} host`,
    group: "",
    isHook: false,
    error: outcome.why,
  });
if (outcome.why) tell({ state: "ended" });
process.exit(outcome.code === 0 && hasPassed ? 0 : 1);
