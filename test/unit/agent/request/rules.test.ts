import assert from "node:assert/strict";
import { createRulesReader } from "../../../../src/agent/request/rules.ts";
import { createNodeWorkspace } from "../../../../src/node/files/nodeWorkspace.ts";
import {
  type ModelHandler,
  type ModelStep,
  type RecordedRequest,
  scripted,
} from "../../../fakes/model/modelServer.ts";
import { MemoryEventLog } from "../../../fakes/turns/memoryEventLog.ts";
import { strictModel } from "../../../fakes/turns/strictHistory.ts";
import { chat, chatsIn, folder, open as serve, server } from "../chat/chatHarness.ts";

const FILES = {
  "AGENTS.md": "Use tabs.",
  ".github/copilot-instructions.md": "Speak plainly.",
  "lib/AGENTS.md": "Lib: no dependencies.",
  "lib/deep/AGENTS.md": "Deep: test first.",
  "lib/deep/a.ts": "export const a = 1;\n",
  "other/AGENTS.md": "Other: never read.",
  "b.ts": "export const b = 2;\n",
};

const read = (...paths: string[]): ModelStep => ({
  toolCalls: paths.map((path) => ({ name: "read_file", args: { file_path: path } })),
});

describe("the workspace's rules", () => {
  chatsIn(FILES);

  const open = (answer: ModelHandler, options: Parameters<typeof serve>[1] = {}) =>
    serve(strictModel(answer), options);

  const shown = () =>
    [...chat.tree.turns.values()].map((turn) =>
      turn.role === "agent"
        ? turn.parts.flatMap((part) => (part.type === "rules" ? [part.path] : []))
        : [],
    );
  const said = (request: RecordedRequest | undefined) =>
    (request?.body.messages ?? []).map(({ content }) => content ?? "");
  const order = (text: string, ...words: string[]) => {
    const places = words.map((word) => text.indexOf(word));
    assert.ok(!places.includes(-1), text);
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
    );
  };

  it("are sent once, and again when they change, without changing the beginning of later requests", async () => {
    await open(scripted([{ text: "One." }, { text: "Two." }, { text: "Three." }]));
    await chat.send("First");
    await chat.send("Second");
    await folder.write("AGENTS.md", "Use spaces.");
    await chat.send("Third");
    const [first, second, third] = server.requests.map(said);
    assert.ok(first && second && third);
    order(first[1] ?? "", "First", "Speak plainly.", "Use tabs.");
    assert.deepEqual(second.slice(0, 2), first);
    assert.deepEqual(third.slice(0, 4), second);
    assert.match(
      third.at(-1) ?? "",
      /^Third\n\n\[Rules .*from its file AGENTS\.md.*\nUse spaces\./,
    );
    assert.deepEqual(shown(), [
      [],
      [".github/copilot-instructions.md", "AGENTS.md"],
      [],
      [],
      [],
      ["AGENTS.md"],
    ]);
    assert.ok(
      !said(server.requests[0])[0]?.includes("Use tabs"),
      "a file's words are no instructions of Graft's",
    );
  });

  it("of folders are sent when a file in them is touched, the nearest last", async () => {
    await open(scripted([read("./lib/deep/a.ts", "b.ts"), { text: "Read." }]));
    assert.equal(await chat.send("Read it"), "done");
    assert.deepEqual(shown()[1], [
      ".github/copilot-instructions.md",
      "AGENTS.md",
      "lib/AGENTS.md",
      "lib/deep/AGENTS.md",
    ]);
    const second = server.requests[1]?.body.messages ?? [];
    assert.equal(second.at(-1)?.role, "user");
    order(second.at(-1)?.content ?? "", "Lib: no dependencies.", "Deep: test first.");
    assert.ok(!JSON.stringify(second).includes("Other: never read."));
  });

  it("are sent for the open file, and again after compaction", async () => {
    await open(
      ({ body }) => ({
        text: body.messages[0]?.content?.startsWith("You sum up") ? "SUMMARY" : "An answer.",
        promptTokens: Math.ceil(JSON.stringify(body).length / 3.5),
      }),
      { contextWindow: () => 8_000, activeFile: () => "lib/x.ts", log: new MemoryEventLog() },
    );
    await chat.send(`First ${"word ".repeat(2000)}`);
    await chat.send(`Second ${"word ".repeat(2000)}`);
    const last = said(server.requests.at(-1));
    assert.match(last[1] ?? "", /SUMMARY/);
    order(
      last.join("\n"),
      "SUMMARY",
      "Second",
      "Speak plainly.",
      "Use tabs.",
      "Lib: no dependencies.",
    );
    assert.equal(last.join("\n").split("Use tabs.").length, 2);
  });

  const others = [
    { path: "CLAUDE.md", text: "Claude: short names.", told: true },
    { path: ".cursorrules", text: "Cursor: no any.", told: true },
    { path: ".clinerules", text: "Cline: tests first.", told: true },
    { path: ".clinerules/a.md", text: "Cline: in a folder.", told: true },
    {
      path: ".clinerules/b.md",
      text: "---\npaths:\n  - docs/**\n---\nCline: not here.",
      told: false,
    },
    {
      path: ".cursor/rules/a.mdc",
      text: "---\ndescription: x\nalwaysApply: true\n---\nCursor: always.",
      told: true,
    },
    { path: ".cursor/rules/b.mdc", text: "---\nglobs: *.ts\n---\nCursor: in TS.", told: true },
    { path: ".cursor/rules/c.mdc", text: "---\nglobs: *.py\n---\nCursor: in Python.", told: false },
    { path: ".cursor/rules/d.mdc", text: "---\nglobs: *.py\nCursor: broken.", told: true },
    { path: "lib/CLAUDE.md", text: "Lib: by Claude.", told: false },
    { path: "CLAUDE.md", text: "Use tabs.", told: false },
    {
      path: ".claude/skills/release/SKILL.md",
      text: "---\nname: release\ndescription: How to release.\n---\nLong steps.",
      told: ".claude/skills/",
    },
    { path: ".agents/skills/bad/SKILL.md", text: "---\nname: release\n", told: false },
    {
      path: ".github/agents/reviewer.md",
      text: "---\ndescription: Reviews.\n---\nYou review.",
      told: ".github/agents/",
    },
    { path: ".claude/agents/bad.md", text: '---\nname: "x\n---\nYou.', told: false },
  ];
  for (const { path, text, told } of others) {
    it(`${told ? "have" : "leave out"} ${path} with ${JSON.stringify(text)}`, async () => {
      await open(scripted([read("b.ts"), { text: "Read." }]));
      await folder.write(path, text);
      await chat.send("Read it");
      const wanted = told === true ? path : told;
      const others = shown()[1]?.filter(
        (each) => !each.endsWith("AGENTS.md") && !each.startsWith(".github/c"),
      );
      assert.deepEqual(others, wanted === false ? [] : [wanted]);
      assert.ok(!JSON.stringify(server.requests[1]?.body).includes("Long steps."));
    });
  }

  it("are clipped at their limit, and ignored in an untrusted workspace", async () => {
    await open(scripted([{ text: "One." }]));
    await folder.write("AGENTS.md", "A line.\n".repeat(5_000));
    await chat.send("First");
    const told = said(server.requests[0])[1] ?? "";
    assert.ok(told.length < 17_500);
    assert.match(
      told,
      /\[The rest of the file, 24000 characters, is left out\.\]\n\[End of AGENTS\.md\]$/,
    );
    const workspace = await createNodeWorkspace(folder.root);
    const { signal } = new AbortController();
    assert.equal(
      (await createRulesReader(workspace)(["lib/deep/a.ts", "../../etc/passwd"], signal)).length,
      4,
    );
    assert.deepEqual(await createRulesReader({ ...workspace, trusted: false })([], signal), []);
  });
});
