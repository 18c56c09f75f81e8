import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Locator, Page } from "playwright-core";
import { startFullServer } from "../fakes/model/fullServer.ts";
import type { ListServer } from "../fakes/model/listServer.ts";
import { startProxy } from "../fakes/model/secureServer.ts";
import { selfSigned } from "../fakes/model/selfSigned.ts";
import {
  composer,
  openWorkbench,
  panel,
  runCommand,
  screenshot,
  screenshotsOfFailures,
  until,
  type Workbench,
  type WorkbenchOptions,
} from "./workbench.ts";

/** A new user's window. Counts the clicks and the pastes. */
class NewUser {
  readonly workbench: Workbench;
  readonly page: Page;
  clicks = 0;
  pastes = 0;

  constructor(workbench: Workbench) {
    this.workbench = workbench;
    this.page = workbench.page;
  }

  async click(target: Locator): Promise<void> {
    this.clicks++;
    await target.click();
  }

  async paste(text: string): Promise<void> {
    this.pastes++;
    // The list before it closes only when the box for the key is there.
    await this.page.locator('.quick-input-widget input[type="password"]').fill(text);
    await this.page.keyboard.press("Enter");
  }

  /** Types into the box with this title. */
  async type(title: string, text: string): Promise<void> {
    await this.page.locator(".quick-input-title", { hasText: title }).waitFor();
    await this.page.locator(".quick-input-widget input").first().fill(text);
    await this.page.keyboard.press("Enter");
  }

  /** Clicks a row of a QuickPick. */
  async pick(text: string): Promise<void> {
    await this.click(this.row(text));
  }

  row(text: string): Locator {
    return this.page.locator(".quick-input-list .monaco-list-row", { hasText: text }).first();
  }

  offer(name: string): Locator {
    return panel(this.page).getByRole("button", { name });
  }

  openGraft(): Promise<void> {
    return this.click(this.page.locator('.activitybar .action-label[aria-label^="Graft"]'));
  }

  /** Types a question, sends it with Enter and waits for the answer. */
  async ask(question: string, answer: string): Promise<void> {
    await composer(this.page).fill(question);
    await composer(this.page).press("Enter");
    await panel(this.page).getByText(answer).first().waitFor();
  }
}

/** The files under a folder that contain a text. */
function filesWith(folder: string, text: string): readonly string[] {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => fs.readFileSync(file).includes(text));
}

const ollama = {
  "GET /api/tags": { models: [{ name: "qwen3:8b" }, { name: "gemma3:4b" }] },
  "POST /api/show": {
    capabilities: ["completion", "tools"],
    model_info: { "qwen3.context_length": 40960 },
  },
};

describe("the first run, in a real VS Code with the packed extension", () => {
  let user: NewUser;
  const servers: { close(): Promise<void> }[] = [];

  async function begin(options: Partial<WorkbenchOptions> = {}): Promise<void> {
    const env = {
      OPENAI_API_KEY: "",
      ANTHROPIC_API_KEY: "",
      GEMINI_API_KEY: "",
      GOOGLE_API_KEY: "",
      OPENROUTER_API_KEY: "",
      ...options.env,
    };
    user = new NewUser(
      await openWorkbench({
        settings: {},
        files: { "a.ts": "export const a = 1;\n" },
        ...options,
        env,
      }),
    );
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
    const started = Date.now();
    await user.openGraft();
    await user.offer("Use qwen3:8b on this machine").waitFor();
    await screenshot(user.page, "20-first-run-local-server");
    await user.click(user.offer("Use qwen3:8b on this machine"));
    await user.ask("Who are you?", "Hello from qwen.");
    await panel(user.page).getByRole("button", { name: "qwen3:8b", exact: true }).waitFor();
    console.log(
      `      a server on this machine: ${user.clicks} clicks, ${Date.now() - started} ms`,
    );
    assert.ok(user.clicks <= 3);
    assert.equal(server.requests.filter(({ path }) => path.includes("chat")).length, 1);
    // A setting of the machine, which is the server's here.
    const saved: unknown = JSON.parse(
      fs.readFileSync(path.join(user.workbench.home, "data/Machine/settings.json"), "utf8"),
    );
    assert.deepEqual(Object(saved)["graft.connections"], [
      { name: "Ollama", kind: "ollama", baseUrl: "http://127.0.0.1:11434/v1" },
    ]);
    await user.page.reload();
    await panel(user.page)
      .getByRole("button", { name: "qwen3:8b", exact: true })
      .waitFor({ timeout: 60_000 });
    await panel(user.page).getByRole("button", { name: "qwen3:8b", exact: true }).click();
    await user.row("gemma3:4b").waitFor();
    await user.row("Test connection").waitFor();
    await screenshot(user.page, "21-choose-model");
    await user.pick("gemma3:4b");
    await panel(user.page).getByRole("button", { name: "gemma3:4b", exact: true }).waitFor();
    await user.ask("And you?", "Hello from gemma.");
    assert.equal(JSON.parse(server.requests.at(-1)?.body ?? "{}").model, "gemma3:4b");
    await runCommand(user.page, "Graft: Test Connection");
    await user.page
      .locator(".notification-list-item", {
        hasText: /gemma3:4b from Ollama works: round trip \d+ ms/,
      })
      .waitFor();
    await screenshot(user.page, "22-test-connection");
  });

  it("takes two clicks with a model of another extension", async () => {
    await begin({ extension: "assistant" });
    await user.openGraft();
    await user.offer("Use Assistant One from assistant").waitFor();
    await screenshot(user.page, "23-first-run-vscode-lm");
    await user.click(user.offer("Use Assistant One from assistant"));
    await panel(user.page).getByRole("button", { name: "Assistant One", exact: true }).waitFor();
    await composer(user.page).fill("Who are you?");
    await composer(user.page).press("Enter");
    const allow = user.page.locator(".monaco-dialog-box").getByRole("button", { name: "Allow" });
    const answer = panel(user.page).getByText("Hello from the assistant.").first();
    await answer.or(allow).first().waitFor();
    if (await allow.isVisible()) await user.click(allow);
    await answer.waitFor();
    console.log(`      a model of VS Code: ${user.clicks} clicks`);
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
    await panel(user.page).getByRole("button", { name: "Mistral", exact: true }).click();
    await user.page
      .locator(".quick-input-widget", { hasText: "sent only to https://api.mistral.ai" })
      .waitFor();
    await user.page.keyboard.press("Escape");
    await user.click(user.offer("Use OpenAI with the key in the environment"));
    await user.pick("team-model");
    await panel(user.page).getByRole("button", { name: "team-model", exact: true }).waitFor();
    await user.ask("Who are you?", "Hello from the team.");
    console.log(`      a key in the environment: ${user.clicks} clicks`);
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
    const started = Date.now();
    await user.openGraft();
    await user.offer("Try demo mode").waitFor();
    await panel(user.page).getByText("Which model should answer?").waitFor();
    await screenshot(user.page, "25-first-run-nothing");
    await user.click(user.offer("Enter an API key"));
    await user.paste(`"${key}"`);
    await user.pick("gpt-test");
    await panel(user.page).getByRole("button", { name: "gpt-test", exact: true }).waitFor();
    await user.ask("Who are you?", "Hello from OpenAI.");
    console.log(
      `      a key: ${user.clicks} clicks, ${user.pastes} pastes, ${Date.now() - started} ms`,
    );
    assert.deepEqual([user.clicks, user.pastes], [3, 1]);

    let answer: () => void = () => undefined;
    mayList = new Promise((resolve) => {
      answer = resolve;
    });
    await panel(user.page).getByRole("button", { name: "gpt-test", exact: true }).click();
    const add = user.row("Add a connection…");
    await add.waitFor();
    const top = async () => (await add.boundingBox())?.y ?? Number.NaN;
    const before = await top();
    answer();
    // When the connection's models arrive, the model is there twice.
    await user.page
      .locator(".quick-input-list .monaco-list-row", { hasText: "gpt-test" })
      .nth(1)
      .waitFor();
    // The list grows a little while it opens.
    assert.ok(Math.abs((await top()) - before) < 5, "no row moves when models arrive");
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
    await panel(user.page).getByRole("button", { name: "gateway-model", exact: true }).waitFor();
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
