import assert from "node:assert/strict";
import { cp, readFile } from "node:fs/promises";
import * as path from "node:path";
import { Chat } from "../../../src/agent/chat.ts";
import { ok } from "../../../src/base/result.ts";
import { createDemoFetch } from "../../../src/demo/demoEndpoint.ts";
import { createAutoReviewer } from "../../../src/edits/autoReviewer.ts";
import { ChangeJournal } from "../../../src/edits/changeJournal.ts";
import { createFileApplier } from "../../../src/headless/fileApplier.ts";
import { createNodeWorkspace } from "../../../src/headless/nodeWorkspace.ts";
import { createOpenaiClient } from "../../../src/model/openaiClient.ts";
import { type TempFolder, tempFolder } from "../../fakes/tempFolder.ts";
import { syntax } from "./demoTalk.ts";

const quiet = { warn: () => undefined, error: () => undefined };

describe("a chat with the demonstration", () => {
  let folder: TempFolder;
  let chat: Chat;

  async function open(accept: "all" | "none", activeFile: string | null = null): Promise<Chat> {
    const workspace = await createNodeWorkspace(folder.root);
    const fetch = createDemoFetch({ syntax, delayMs: 0 });
    const limits = { connectMs: 5000, firstTokenMs: 5000, idleMs: 5000 };
    const client = createOpenaiClient({ baseUrl: "http://demo.invalid/v1", apiKey: null, fetch, limits });
    chat = await Chat.open({
      chatId: "chat",
      workspace,
      syntax,
      reviewer: createAutoReviewer(accept, createFileApplier(workspace)),
      approval: { request: async () => ({ allowed: true, by: "user", reason: null }) },
      tools: [],
      journal: new ChangeJournal({ read: async () => [], append: async () => undefined }, quiet),
      log: { read: async () => [], append: async () => undefined },
      logger: quiet,
      connect: async () => ok({ client, model: "demo" }),
      maxSteps: () => 10,
      activeFile: () => activeFile,
    });
    return chat;
  }

  beforeEach(async () => {
    folder = await tempFolder();
    await cp("test/fixtures/sample", folder.root, { recursive: true });
  });

  afterEach(async () => {
    assert.equal(chat.activeRequests, 0);
    await chat.dispose();
    await folder.remove();
  });

  const read = (name: string) => readFile(path.join(folder.root, name), "utf8");
  /** What the last agent turn said. */
  function said(): string {
    const turn = chat.tree.headTurnId === null ? undefined : chat.tree.turns.get(chat.tree.headTurnId);
    return turn?.role === "agent" ? turn.parts.map((part) => (part.type === "text" ? part.text : "")).join("\n") : "";
  }

  it("answers Start Edit Mode on File without any tool", async () => {
    await open("all");
    assert.equal(await chat.startEditMode("src/shapes.ts", "Add a doc comment to each exported function"), "done");
    assert.match(await read("src/shapes.ts"), /\/\*\* Circle area, given `radius`\. Returns `number`\. \*\/\nexport function circleArea/);
    assert.match(said(), /Done: 7 changes made in `src\/shapes\.ts`\./);
    assert.equal(await chat.startEditMode("src/shapes.ts", "Rename circleArea to discArea"), "done");
    assert.match(await read("src/shapes.ts"), /return discArea\(this\.radius\)/);
  });

  it("goes on in one conversation, on the active file, with what was changed before", async () => {
    await open("all", "src/cart.js");
    assert.equal(await chat.send("Rename total to grandTotal"), "done");
    assert.match(said(), /no AI/);
    assert.equal(await chat.send("Rename grandTotal to sum2"), "done");
    assert.equal(await chat.send("Extract a constant"), "done");
    assert.doesNotMatch(said(), /no AI/);
    const text = await read("src/cart.js");
    assert.match(text, /export function sum2\(items, country, voucher\)/);
    assert.match(text, /const TAX_RATE = 0\.19;/);
  });

  it("says so when every change is rejected, and changes nothing", async () => {
    await open("none");
    const before = await read("tools/report.py");
    assert.equal(await chat.send("Add docstrings to tools/report.py"), "done");
    assert.equal(await read("tools/report.py"), before);
    assert.match(said(), /You rejected all 5 changes, so `tools\/report\.py` is as it was\./);
  });

  for (const at of ["step-start", "edit-update"]) {
    it(`hears the next request after one that was stopped at its first ${at}`, async () => {
      await open("all");
      const stopping = chat.onEvent((event) => {
        if (event.type === at) chat.stop();
      });
      assert.equal(await chat.startEditMode("src/shapes.ts", "Add a doc comment to each exported function"), "cancelled");
      stopping.dispose();
      assert.equal(await chat.startEditMode("src/shapes.ts", "Rename circleArea to discArea"), "done");
      assert.match(said(), /Done: \d changes made/);
      const text = await read("src/shapes.ts");
      assert.match(text, /return discArea\(this\.radius\)/);
      assert.doesNotMatch(text, /Circle area, given/);
    });
  }

  it("hears a request of the chat after a stopped Start Edit Mode on File", async () => {
    await open("all");
    const stopping = chat.onEvent((event) => {
      if (event.type === "edit-update") chat.stop();
    });
    assert.equal(await chat.startEditMode("src/shapes.ts", "Add a doc comment to each exported function"), "cancelled");
    stopping.dispose();
    assert.equal(await chat.send("Rename total to sum2 in src/cart.js"), "done");
    assert.match(await read("src/cart.js"), /export function sum2\(/);
  });

  it("answers in words what Start Edit Mode on File cannot do", async () => {
    await open("all");
    assert.equal(await chat.startEditMode("src/new.ts", "Add doc comments"), "done");
    assert.match(said(), /not shown the file's text|empty/);
    assert.equal(await chat.startEditMode("src/cart.js", "Make it faster"), "done");
    assert.match(said(), /only a few requests/);
  });
});
