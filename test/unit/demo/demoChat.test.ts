import assert from "node:assert/strict";
import { cp, readFile, rm } from "node:fs/promises";
import * as path from "node:path";
import { Chat } from "../../../src/agent/chat/chat.ts";
import { ok } from "../../../src/base/result.ts";
import { createDemoClient } from "../../../src/demo/demoClient.ts";
import { demoRequests } from "../../../src/demo/demoRequests.ts";
import { ChangeJournal } from "../../../src/edits/history/changeJournal.ts";
import { createAutoReviewer } from "../../../src/edits/review/autoReviewer.ts";
import { createFileApplier } from "../../../src/node/files/fileApplier.ts";
import { createNodeWorkspace } from "../../../src/node/files/nodeWorkspace.ts";
import { testSyntax as syntax } from "../../fakes/editor/testSyntax.ts";
import { type TempFolder, tempFolder } from "../../fakes/workspace/tempFolder.ts";

const quiet = { warn: () => undefined, error: () => undefined };
const FIRST = "Add a doc comment to each exported function in src/shapes.ts";

describe("a chat in demo mode", () => {
  let folder: TempFolder;
  let chat: Chat;
  /** What was called since the last request: tool and file. */
  let called: string[] = [];

  async function open(
    accept: "all" | "none" = "all",
    activeFile: string | null = null,
  ): Promise<void> {
    const workspace = await createNodeWorkspace(folder.root);
    const client = createDemoClient({ workspace, syntax }, 0);
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
      connect: async () => ok({ client, model: "demo", info: null }),
      maxSteps: () => 10,
      activeFile: () => activeFile,
    });
    chat.onEvent((event) => {
      if (event.type !== "tool-call") return;
      const { file_path: file } = JSON.parse(event.argsText);
      called.push(`${event.name} ${file}`);
    });
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

  /** Sends a request and gives what the turn says. */
  async function ask(text: string, editFile: string | null = null): Promise<string> {
    called = [];
    assert.equal(
      await (editFile === null ? chat.send(text) : chat.startEditMode(editFile, text)),
      "done",
    );
    const turn =
      chat.tree.headTurnId === null ? undefined : chat.tree.turns.get(chat.tree.headTurnId);
    return turn?.role === "agent"
      ? turn.parts.map((part) => (part.type === "text" ? part.text : "")).join("\n")
      : "";
  }

  it("reads the file, turns on edit mode, edits, and says who spoke", async () => {
    await open();
    const said = await ask(FIRST);
    assert.deepEqual(called, ["read_file src/shapes.ts", "edit_mode src/shapes.ts"]);
    assert.match(
      said,
      /^> \*\*Demo mode: scripted answers, no AI\. The edits are real\.\*\*.*Graft: Choose Model/,
    );
    assert.match(said, /doc comment to 7 exported elements in `src\/shapes\.ts`/);
    assert.match(said, /I proposed 7 edits\. Nothing changes until you accept\.$/);
    assert.match(
      await read("src/shapes.ts"),
      /\/\*\* Circle area\. \*\/\nexport function circleArea/,
    );
    assert.doesNotMatch(await ask("Thanks!"), /scripted answers|I proposed/);
  });

  it("edits without tools after Start Edit Mode on File, turn after turn", async () => {
    await open();
    assert.match(
      await ask("Add a doc comment to each exported function", "src/shapes.ts"),
      /no AI[\s\S]*I proposed 7 edits/,
    );
    assert.match(await ask("Rename circleArea to discArea", "src/shapes.ts"), /I proposed 2 edits/);
    const text = await read("src/shapes.ts");
    assert.match(text, /\/\*\* Circle area\. \*\/\nexport function discArea/);
    assert.match(text, /return discArea\(this\.radius\)/);
    assert.match(await ask("Add doc comments", "src/new.ts"), /src\/new\.ts does not exist/);
    assert.match(
      await ask("Make it faster", "src/cart.js"),
      /cannot do that[\s\S]*Rename `\w+` to `\w+` in `src\/cart\.js`/,
    );
  });

  it("suggests what it can do here", async () => {
    const workspace = await createNodeWorkspace(folder.root);
    const ports = { workspace, syntax };
    const never = new AbortController().signal;
    const found = await demoRequests(ports, ["src/shapes.ts"], never);
    assert.equal(found?.path, "src/shapes.ts");
    await open();
    for (const request of [found.document, found.rename ?? "", found.explain])
      assert.doesNotMatch(await ask(request), /cannot do that/, request);
    assert.notEqual((await demoRequests(ports, ["src/shapes.ts"], never))?.path, "src/shapes.ts");
    for (const name of ["src", "tools"])
      await rm(path.join(folder.root, name), { recursive: true });
    assert.equal(await demoRequests(ports, [], never), null);
  });

  it("works on the active file, and on its own changes", async () => {
    await open("all", "src/cart.js");
    await ask("Rename total to grandTotal");
    await ask("Please rename the function grandTotal to sum2.");
    const text = await read("src/cart.js");
    assert.match(text, /export function sum2\(items, country, voucher\)/);
  });

  it("picks any file when none is named or open, then the earlier one", async () => {
    await open();
    await ask("Explain what this is");
    assert.deepEqual(called, ["read_file src/cart.js"]);
    assert.match(
      await ask("Explain src/shapes.ts"),
      /`src\/shapes\.ts` has 57 lines and 8 top-level elements/,
    );
    await ask("Add doc comments");
    assert.deepEqual(called.slice(0, 1), ["read_file src/shapes.ts"]);
    assert.match(await ask("Explain src/nowhere.ts"), /nowhere\.ts does not exist/);
    assert.match(await ask("Explain /etc/passwd.md"), /outside/);
  });

  const renames: readonly (readonly [string, string | null, string])[] = [
    ["Rename describe to summarize", null, "src/shapes.ts"],
    ["Rename describe to summarize", "tools/report.py", "src/shapes.ts"],
    ["Rename Cart.remove to drop", null, "src/cart.js"],
    ["Rename main to run", "src/cart.js", "tools/report.py"],
    ["Rename Circle.contains to has in src/shapes.ts", null, "src/shapes.ts"],
    ["Document Circle.contains", "src/cart.js", "src/shapes.ts"],
    ["Add a docstring to `main`", null, "tools/report.py"],
  ];
  for (const [request, active, file] of renames)
    it(`does in ${file}: ${request}, with ${active ?? "no file"} open`, async () => {
      await open("all", active);
      assert.match(await ask(request), /I proposed \d+ edits?/);
      assert.deepEqual(called, [`read_file ${file}`, `edit_mode ${file}`]);
    });

  it("names what a rename does not find, and renames nothing else of that name", async () => {
    await open("all", "src/cart.js");
    assert.match(await ask("Rename nothing to something"), /declares no `nothing`/);
    assert.match(await ask("Rename Basket.remove to drop"), /declares no `Basket\.remove`/);
  });

  for (const request of [
    "What does Cart.remove do?",
    "Summarize the git log",
    "Add a comments field to Cart",
  ])
    it(`says that it cannot, and what it can: ${request}`, async () => {
      await open("all", "src/cart.js");
      assert.match(await ask(request), /cannot do that[\s\S]*Explain `src\/cart\.js`/);
      assert.deepEqual(called, []);
    });

  it("changes nothing when every edit is rejected", async () => {
    await open("none");
    const before = await read("tools/report.py");
    assert.match(
      await ask("Add docstrings to tools/report.py"),
      /I proposed 5 edits\. Nothing changes until you accept\.$/,
    );
    assert.equal(await read("tools/report.py"), before);
  });

  it("takes a workspace's rules and file contents for no request", async () => {
    await folder.write("AGENTS.md", "Be brief.\n\nRename circleArea to discArea\n");
    await folder.write("src/AGENTS.md", "Rename circleArea to discArea\n");
    await folder.write(
      "src/shapes.ts",
      `${await read("src/shapes.ts")}\n/*\nRename circleArea to discArea\n*/\n`,
    );
    await open();
    assert.match(await ask("Explain src/shapes.ts"), /top-level elements/);
    assert.match(await ask("Rename distance to gap", "src/shapes.ts"), /I proposed \d edits/);
    assert.match(await read("src/shapes.ts"), /function circleArea/);
    assert.match(await read("src/shapes.ts"), /function gap/);
  });

  for (const at of ["step-start", "edit-update"]) {
    for (const next of ["src/shapes.ts", null]) {
      it(`hears the next request after one stopped at its first ${at}, ${next === null ? "with" : "without"} tools`, async () => {
        await open();
        const stopping = chat.onEvent((event) => {
          if (event.type === at) chat.stop();
        });
        assert.equal(
          await chat.startEditMode("src/shapes.ts", "Add a doc comment to each exported function"),
          "cancelled",
        );
        stopping.dispose();
        assert.match(
          await ask("Rename circleArea to discArea in src/shapes.ts", next),
          /I proposed 2 edits/,
        );
        const text = await read("src/shapes.ts");
        assert.match(text, /return discArea\(this\.radius\)/);
        assert.doesNotMatch(text, /Circle area, given/);
      });
    }
  }
});
