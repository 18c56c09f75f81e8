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
