import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { startFullServer } from "../fakes/model/fullServer.ts";
import type { ListServer } from "../fakes/model/listServer.ts";
import { startProxy } from "../fakes/model/secureServer.ts";
import { selfSigned } from "../fakes/model/selfSigned.ts";
import { type NewUser, openAsNewUser } from "./newUser.ts";
import { notification } from "./notification.ts";
import { screenshot, screenshotsOfFailures } from "./screenshot.ts";
import { ask, panel, runCommand, soon, until, type WorkbenchOptions } from "./workbench.ts";

/** The files under a folder that contain a text. */
function filesWith(folder: string, text: string): readonly string[] {
  // Files that go while it reads are none of them.
  const { stdout } = spawnSync("grep", ["-rlsaF", "-D", "skip", "--", text, folder], {
    encoding: "utf8",
  });
  return stdout.split("\n").filter((file) => file !== "");
}

const ollama = {
  "GET /api/tags": {
    models: [{ name: "qwen3:8b" }, { name: "gemma3:4b" }, { name: "nomic-embed-text" }],
  },
  "POST /api/show": {
    capabilities: ["completion", "tools"],
    model_info: { "qwen3.context_length": 40960 },
  },
};

describe("the first run, in a real VS Code with the packed extension", () => {
  let user: NewUser;
  const servers: { close(): Promise<void> }[] = [];

  async function begin(options: Partial<WorkbenchOptions> = {}): Promise<void> {
    user = await openAsNewUser(options);
  }

  async function serve(...given: Parameters<typeof startFullServer>): Promise<ListServer> {
    const server = await startFullServer(...given);
    servers.push(server);
    return server;
  }

  screenshotsOfFailures(() => user.page);
  afterEach(async function () {
    if (this.currentTest?.isPending()) return;
    await user.workbench.close();
    for (const server of servers.splice(0)) await server.close();
  });

  it("shows a proposed diff with the first click on demo mode, and says what it cannot do", async () => {
    await begin({
      files: { "src/sum.ts": "export function sum(a: number, b: number) {\n  return a + b;\n}\n" },
    });
    const opened = Date.now();
    await user.openGraft();
    await user.offer("Try demo mode").waitFor();
    const started = Date.now();
    const marks = [`the panel took ${started - opened}; then`];
    const mark = (what: string) => marks.push(`${what} ${Date.now() - started}`);
    await user.click(user.offer("Try demo mode"));
    await panel(user.page).locator(".user-text").waitFor();
    mark("sent");
    await panel(user.page).locator(".tool-row, .explored").first().waitFor();
    mark("first call");
    await panel(user.page).locator(".card").first().waitFor();
    mark("first code");
    await user.page.locator(".tab", { hasText: "sum.ts (Graft proposal)" }).waitFor();
    mark("diff");
    await panel(user.page).locator(".review-bar").getByText("Accept all").waitFor();
    mark("decision");
    console.log(`      a diff to decide on: ${user.clicks} clicks, ms: ${marks.join(", ")}`);
    await screenshot(user.page, "28-demo");
    await user.ask("Write me a compiler", "cannot do that");
    await panel(user.page).getByText("Rename sum to sum2 in src/sum.ts").waitFor();
  });

  it("takes two clicks with a server on this machine, and remembers the choice over a reload", async function () {
    const server = await serve(
      ollama,
      [{ text: "Hello from qwen." }, { text: "Hello from gemma." }],
      11434,
    ).catch(() => null);
    if (server === null) {
      console.log(
        "      Port 11434 is taken, probably by an Ollama. Skipping the test of a server on this machine.",
      );
      this.skip();
    }
    await begin();
    await user.openGraft();
    await user.offer("Use qwen3:8b on this machine").waitFor();
    await screenshot(user.page, "20-first-run-local-server");
    await user.click(user.offer("Use qwen3:8b on this machine"));
    await user.model("qwen3:8b").waitFor();
    await user.ask("Who are you?", "Hello from qwen.");
    user.report("a server on this machine");
    assert.ok(user.clicks <= 3);
    assert.equal(server.requests.filter(({ path }) => path.includes("chat")).length, 1);
    // A setting of the machine, which is the server's here.
    const machine = path.join(user.workbench.home, "data/Machine");
    await until("the connection is saved", () => filesWith(machine, "11434/v1").length > 0);
    const saved: unknown = JSON.parse(fs.readFileSync(path.join(machine, "settings.json"), "utf8"));
    assert.deepEqual(Object(saved)["graft.connections"], [
      { name: "Ollama", kind: "ollama", baseUrl: "http://127.0.0.1:11434/v1" },
    ]);
    await user.page.reload();
    await until("the models are listed", async () => {
      await user.model("qwen3:8b").click();
      return soon(user.row("gemma3:4b"));
    });
    await user.row("Test connection").waitFor();
    assert.equal(await user.row("nomic-embed-text").count(), 0, "an embedding model");
    await user.focusedRow("qwen3:8b").waitFor();
    await screenshot(user.page, "21-choose-model");
    await user.pick("gemma3:4b");
    await user.model("gemma3:4b").waitFor();
    await user.ask("And you?", "Hello from gemma.");
    assert.equal(JSON.parse(server.requests.at(-1)?.body ?? "{}").model, "gemma3:4b");
    await runCommand(user.page, "Graft: Test Connection");
    await notification(user.page, /gemma3:4b from Ollama works: round trip \d+ ms/);
    await screenshot(user.page, "22-test-connection");
    const asked = server.requests.length;
    const budget = user.page.locator(".monaco-dialog-box", { hasText: /80 small tasks.*tokens/ });
    await runCommand(user.page, "Graft: Test This Model's Edits");
    await budget.waitFor();
    await screenshot(user.page, "22-test-edits");
    await budget.getByRole("button", { name: "Cancel" }).click();
    assert.equal(
      server.requests.slice(asked).filter(({ path }) => path.includes("chat")).length,
      0,
    );
  });

  it("sends nothing where the chosen model is gone, and says so", async () => {
    const server = await serve({ "GET /v1/models": { data: [{ id: "atlas-large" }] } }, [
      { text: "Hello from Atlas." },
    ]);
    const other = await serve({ "GET /v1/models": { data: [{ id: "b" }] } }, [
      { text: "I was not chosen." },
    ]);
    const rest = [{ name: "Other", kind: "other", baseUrl: `${other.origin}/v1`, models: ["b"] }];
    const atlas = { name: "Atlas", kind: "other", baseUrl: `${server.origin}/v1` };
    // Where a setting of a machine counts in every window of a server.
    const kept = "../data/Machine/settings.json";
    const connections = (list: readonly object[]) => JSON.stringify({ "graft.connections": list });
    await begin({ files: { "a.ts": "", [kept]: connections([...rest, atlas]) } });
    await user.openGraft();
    await until("the model is chosen", async () => {
      // The panel that opens may take the focus from the list, which then closes, or leave one open
      // that listed the models before they were known.
      await runCommand(user.page, "Graft: Choose Model");
      await user
        .row("atlas-large")
        .click({ timeout: 15_000 })
        .catch(() => undefined);
      return soon(user.model("atlas-large"));
    });
    await user.ask("Who are you?", "Hello from Atlas.");
    fs.writeFileSync(path.join(user.workbench.folder, kept), connections(rest));
    const sent = server.requests.length;
    await user.page.reload();
    await user.model("atlas-large").waitFor();
    await user.ask("And now?", "atlas-large is not available");
    await screenshot(user.page, "27-model-gone");
    assert.equal(server.requests.length, sent);
    assert.equal(other.requests.filter(({ path }) => path.includes("chat")).length, 0);
  });

  it("takes two clicks with a model of another extension", async () => {
    await begin({ extension: "assistant" });
    await user.openGraft();
    await user.offer("Use Assistant One from Assistant").waitFor();
    await screenshot(user.page, "23-first-run-vscode-lm");
    await user.click(user.offer("Use Assistant One from Assistant"));
    await user.model("Assistant One").waitFor();
    await ask(user.page, "Who are you?");
    const allow = user.page.locator(".monaco-dialog-box").getByRole("button", { name: "Allow" });
    const answer = panel(user.page).getByText("Hello from the assistant.").first();
    await answer.or(allow).first().waitFor();
    if (await allow.isVisible()) await user.click(allow);
    await answer.waitFor();
    user.report("a model of VS Code");
    assert.ok(user.clicks <= 3);
  });

  it("takes three clicks with a key in the environment, which goes only to the server of the environment", async () => {
    const key = "sk-environment-4711";
    const server = await serve({ "GET /v1/models": { data: [{ id: "team-model" }] } }, [
      { text: "Hello from the team." },
    ]);
    await begin({ env: { OPENAI_API_KEY: key, OPENAI_BASE_URL: `${server.origin}/v1` } });
    await user.openGraft();
    await user.offer("Use OpenAI with the key in the environment").waitFor();
    assert.equal(server.requests.length, 0);
    await screenshot(user.page, "24-first-run-environment");
    await runCommand(user.page, "Graft: Add Connection");
    await user.type("Add a connection", "Mistral");
    const box = user.page.locator(".quick-input-widget", {
      hasText: "sent only to https://api.mistral.ai",
    });
    await box.waitFor();
    await box.locator(".quick-input-box input").press("Escape");
    await box.waitFor({ state: "hidden" });
    await user.click(user.offer("Use OpenAI with the key in the environment"));
    await user.pick("team-model");
    await user.model("team-model").waitFor();
    await user.ask("Who are you?", "Hello from the team.");
    user.report("a key in the environment");
    assert.ok(user.clicks <= 3);
    assert.ok(server.requests.every(({ headers }) => headers.authorization === `Bearer ${key}`));
    assert.deepEqual(filesWith(user.workbench.home, key), []);
  });

  it("takes three clicks and a paste for a key, which goes only to its provider, and keeps keys out of every file and message", async () => {
    const [key, gatewayKey] = ["sk-proj-4711-secret", "sk-pasted-0815-secret"];
    let wrong = true;
    let mayList = Promise.resolve();
    const refuse = {
      status: 401,
      text: JSON.stringify({ error: { message: `Incorrect API key provided: ${gatewayKey}` } }),
    };
    const list = {
      data: [
        { model_name: "gateway-model", model_info: { mode: "chat", max_input_tokens: 64000 } },
      ],
    };
    const server = await serve(
      {
        "GET /v1/model/info": () => (wrong ? refuse : list),
        "GET /v1/models": ({ headers }) =>
          mayList.then(() =>
            headers.authorization === `Bearer ${key}` ? { data: [{ id: "gpt-test" }] } : refuse,
          ),
      },
      [{ text: "Hello from OpenAI." }, { text: "Hello from the team's gateway." }],
    );
    // The real address, through a company's proxy that ends on this machine.
    const certificate = selfSigned(["api.openai.com"]);
    const proxy = await startProxy(server.origin, certificate);
    servers.push(proxy);
    const authorities = path.join(
      fs.mkdtempSync(path.join(os.tmpdir(), "graft-ca-")),
      "authorities.pem",
    );
    fs.writeFileSync(authorities, certificate.cert);
    await begin({ env: { SSL_CERT_FILE: authorities }, settings: { "http.proxy": proxy.url } });
    await user.openGraft();
    await user.offer("Try demo mode").waitFor();
    await panel(user.page).getByText("Which model should answer?").waitFor();
    await screenshot(user.page, "25-first-run-nothing");
    await user.click(user.offer("Enter an API key"));
    await user.paste(`"${key}"`);
    await user.pick("gpt-test");
    await user.model("gpt-test").waitFor();
    await user.ask("Who are you?", "Hello from OpenAI.");
    user.report("a key");
    assert.deepEqual([user.clicks, user.pastes], [3, 1]);

    let answer: () => void = () => undefined;
    mayList = new Promise((resolve) => {
      answer = resolve;
    });
    // The last model is there at once and preselected: Enter keeps it.
    const last = user.row("gpt-test");
    await until("the last model is listed", async () => {
      await user.model("gpt-test").click();
      return soon(last);
    });
    await user.focusedRow("gpt-test").waitFor();
    assert.equal(await user.row("Add a connection…").count(), 0, "set-up comes below the models");
    const top = async () => (await last.boundingBox())?.y ?? Number.NaN;
    const before = await top();
    answer();
    // When the connection's models arrive, the model is there twice, and the rest below.
    await user.page
      .locator(".quick-input-list .monaco-list-row", { hasText: "gpt-test" })
      .nth(1)
      .waitFor();
    // The list grows a little while it opens.
    assert.ok(Math.abs((await top()) - before) < 5, "no row moves when models arrive");
    await user.row("Add a connection…").waitFor();
    const rows = await user.page.locator(".quick-input-list .monaco-list-row").allTextContents();
    const at = (text: string) => rows.findLastIndex((row) => row.includes(text));
    assert.ok(at("Add a connection…") > at("gpt-test"), rows.join(" | "));
    await user.pick("Add a connection…");
    await user.type("Add a connection", "LiteLLM");
    await user.type("Address of LiteLLM", "http://127.0.0.1:9/v1/chat/completions");
    await user.pick("Change the address");
    await user.type("Address of LiteLLM", server.origin);
    await user.pick("Enter API key");
    await user.paste(gatewayKey);
    await user.row("Check it and set it again").waitFor();
    // What was typed is not lost by a click elsewhere.
    await user.page.locator(".editor-group-watermark").first().click();
    await screenshot(user.page, "26-wrong-key");
    assert.ok(
      !((await user.page.locator(".quick-input-widget").textContent()) ?? "").includes(gatewayKey),
    );
    wrong = false;
    await user.pick("Enter API key");
    await user.paste(gatewayKey);
    await user.pick("gateway-model");
    await user.model("gateway-model").waitFor();
    await user.ask("And who are you?", "Hello from the team's gateway.");
    await until(
      "the settings name the connection",
      () => filesWith(path.join(user.workbench.home, "data/Machine"), "LiteLLM").length > 0,
    );

    const receivers = (sent: string) =>
      new Set(
        server.requests
          .filter(({ headers }) => headers.authorization === `Bearer ${sent}`)
          .map(({ headers }) => headers.host),
      );
    assert.deepEqual([...receivers(key)], ["api.openai.com"]);
    assert.deepEqual([...receivers(gatewayKey)], [`127.0.0.1:${server.port}`]);
    assert.deepEqual(
      [...new Set(proxy.hosts)].filter((host) => host !== "api.openai.com:443"),
      [],
    );
    const shown = (await panel(user.page).locator("body").textContent()) ?? "";
    for (const secret of [key, gatewayKey]) {
      assert.ok(!shown.includes(secret));
      assert.deepEqual(filesWith(user.workbench.home, secret), []);
    }
  });
});
