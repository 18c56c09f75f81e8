import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { createPendingReviewer } from "../../../../src/edits/review/pendingReviewer.ts";
import { startAcpAgent } from "../../../../src/node/agents/acpAgent.ts";
import { createNodeWorkspace } from "../../../../src/node/files/nodeWorkspace.ts";
import { createNodeGit } from "../../../../src/node/processes/nodeGit.ts";
import { createNodeShell } from "../../../../src/node/processes/nodeShell.ts";
import type { AgentProgram } from "../../../../src/ports/commands/chatAgent.ts";
import { type ProcessTools, processTools } from "../../../../src/tools/processTools.ts";
import type { TurnEvent } from "../../../../src/turns/turnEvent.ts";
import { bundledScript } from "../../../fakes/bundledScript.ts";
import { comes } from "../../../fakes/comes.ts";
import { gitRepository } from "../../../fakes/workspace/gitRepository.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";
import { needsShadows, shadowsOn } from "../../node/shadow/shadowWorkspace.ts";
import { chat, chatsIn, folder, lastAnswer, open } from "./chatHarness.ts";

const ADD = "function add(a, b) {\n  return a - b;\n}\n";
const SUB = "function sub(a, b) {\n  return a - b;\n}\n";
const FILES = { "math.js": `${ADD}\n${SUB}`, "notes.md": "# One\n\nText\n", ".env": "A=1\n" };
const ADDS = ADD.replace("a - b", "a + b");

const SCRIPT = "test/fakes/agents/scriptedAgent.ts";

type Steps = readonly Readonly<Record<string, unknown>>[];

/** A block as its text comes in pieces. */
const block = (info: string, body: string) =>
  [`\`\`\`${info.slice(0, 6)}`, `${info.slice(6)}\n`, body, "```\n"].map((say) => ({ say }));

describe("edit blocks in the text of another maker's agent", () => {
  let machine: ProcessTools;
  let reviewer: ReturnType<typeof createPendingReviewer>;
  let events: TurnEvent[];
  let side: TempFolder;
  chatsIn(FILES);

  before(async function () {
    await needsShadows(this, "overlay");
  });
  beforeEach(async () => {
    await gitRepository(folder.root, "-A");
    side = await tempFolder({});
    events = [];
  });
  afterEach(async () => {
    await machine?.dispose();
    await side.remove();
  });

  /** Opens a chat with an agent that plays one list of steps a prompt. */
  async function begin(...steps: readonly Steps[]): Promise<void> {
    machine = processTools({
      workspace: await createNodeWorkspace(folder.root),
      shell: createNodeShell(),
      git: createNodeGit(async () => ({ folders: [folder.root], opened: null })),
      ...{ shadows: await shadowsOn("overlay", [folder.root]), startAgent: startAcpAgent },
    });
    reviewer = createPendingReviewer();
    const agent: AgentProgram = {
      ...{ name: "Scripted", command: process.execPath, args: [bundledScript(SCRIPT)] },
      env: { STEPS: JSON.stringify(steps), PROMPTS: path.join(side.root, "prompts") },
    };
    await open([], {
      reviewer,
      chatAgent: machine.agentOf,
      connect: async () => ({ ok: true, value: { agent } }),
    });
    chat.onEvent((event) => events.push(event));
  }

  const prompts = (): readonly string[] =>
    fs
      .readFileSync(path.join(side.root, "prompts"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  const proposed = () =>
    Object.fromEntries(reviewer.allPending().map(({ file, text }) => [file.path, text]));
  const states = () =>
    [...lastAnswer().edits.values()].map(({ path: file, status, warnings, reason }) =>
      [file, status, ...warnings.map(({ code }) => code), reason?.code ?? ""].join(" ").trim(),
    );
  const reports = () =>
    lastAnswer().parts.flatMap((part) => (part.type === "edit-report" ? [part.text] : []));
  function assertUntouched(): void {
    for (const [name, text] of Object.entries(FILES))
      assert.equal(fs.readFileSync(path.join(folder.root, name), "utf8"), text, name);
  }

  it("grow while it writes, and nothing is left of one that it does not end", async () => {
    const [opener, rest] = block("js:ast-path:add math.js", "");
    await begin([{ say: "I add.\n\n" }, opener, rest, { say: ADDS }, { wait: "cancel" }] as Steps);
    const done = chat.send("Please.");
    const grows = () =>
      events.some((event) => event.type === "edit-update" && event.edit.status === "streaming");
    await comes("a block that grows", grows);
    chat.stop();
    assert.equal(await done, "cancelled");
    assert.deepEqual(proposed(), {});
    assert.deepEqual(states(), ["math.js stopped stopped"]);
    assertUntouched();
  });

  it("are proposed before the turn ends, under its name, and where they stand in the text", async () => {
    await begin([
      { think: "Look." },
      { read: "math.js" },
      { say: "I add.\n\n" },
      ...block("js:ast-path:add math.js", ADDS),
      { run: "cat math.js" },
      { say: "Done." },
      { wait: "cancel" },
    ]);
    const done = chat.send("Please.");
    await comes("the proposal", () => "math.js" in proposed());
    const isOver = events.some(({ type, turnId }) => type === "turn-end" && turnId !== "");
    assert.equal(isOver, false);
    chat.stop();
    await done;
    assert.deepEqual(proposed(), { "math.js": `${ADDS}\n${SUB}` });
    assert.deepEqual(states(), ["math.js pending"], "what it has read needs no warning");
    const [proposal] = reviewer.allPending();
    assert.deepEqual(
      proposal?.blocks.map(({ origin }) => origin.agent),
      ["Scripted"],
    );
    const turn = lastAnswer();
    const [edit] = turn.edits.values();
    const said = turn.parts
      .map((part) => (part.type === "text" && part.step === edit?.step ? part.text : ""))
      .join("");
    assert.equal(
      said.slice(edit?.textStart, edit?.textEnd ?? 0),
      `\`\`\`js:ast-path:add math.js\n${ADDS}\`\`\``,
    );
    assertUntouched();
  });

  it("take lines by how they begin, and several files, and warn of what was never read", async () => {
    await begin([
      ...block('js:2:2 "return a" math.js', "  return a + b;\n"),
      ...block('md:3:3 "Text" ./notes.md', "Words\n"),
      ...block('js:6:6 "return a" math.js', "  return b - a;\n"),
    ]);
    await chat.send("Please.");
    assert.deepEqual(proposed(), {
      "math.js": `${ADDS}\n${SUB.replace("a - b", "b - a")}`,
      "notes.md": "# One\n\nWords\n",
    });
    await begin(block("js:ast-path:sub math.js", SUB.replace("a - b", "b - a")));
    await chat.send("Please.");
    assert.deepEqual(states(), ["math.js pending never-read"]);
    assertUntouched();
  });

  it("may change what the agent's own command wrote, without a warning", async () => {
    const mul = "function mul(a, b) {\n  return a;\n}\n";
    await begin([
      { run: `printf '${`\n${mul}`.replaceAll("\n", "\\n")}' >> math.js` },
      ...block("js:ast-path:mul math.js", mul.replace("return a", "return a * b")),
    ]);
    await chat.send("Please.");
    assert.match(proposed()["math.js"] ?? "", /return a \* b/);
    assert.equal(states().at(-1), "math.js pending");
    assertUntouched();
  });

  it("that only show something stay a text", async () => {
    const outer = ["````md\n", "```js:ast-path:add math.js\n", "x\n", "```\n", "````\n"];
    await begin([
      ...block("js", ADDS),
      ...block("js:ast-path:add", ADDS),
      ...block("js:1:3", ADDS),
      ...block("diff", "--- a/math.js\n+++ b/math.js\n"),
      ...outer.map((say) => ({ say })),
    ]);
    assert.equal(await chat.send("Please."), "done");
    assert.deepEqual([proposed(), states(), reports()], [{}, [], []]);
  });

  it("reach no file outside, none that is secret, and none that there is not, and it hears why", async () => {
    const outside = path.join(side.root, "victim.js");
    fs.writeFileSync(outside, ADD);
    fs.symlinkSync(outside, path.join(folder.root, "link.js"));
    await begin(
      [
        ...block("js:ast-path:add ../victim.js", ADDS),
        ...block(`js:ast-path:add ${outside}`, ADDS),
        ...block("js:ast-path:add link.js", ADDS),
        ...block('sh:1:1 "A" .env', "A=2\n"),
        ...block("js:ast-path:add none.js", ADDS),
        ...block('git:1:1 "[core" .git/config', "[core]\n"),
      ],
      [{ say: "I see." }],
    );
    await chat.send("Please.");
    assert.deepEqual([proposed(), states()], [{}, []]);
    assertUntouched();
    assert.equal(fs.readFileSync(outside, "utf8"), ADD);
    await chat.send("And?");
    const told = prompts()[1] ?? "";
    for (const name of ["../victim.js", outside, "link.js", ".env", "none.js", ".git/config"])
      assert.ok(told.includes(name), name);
  });

  it("that are damaged are refused, the others proposed, and it hears of both, and of decisions", async () => {
    await begin(
      [
        ...block("js:ast-path:sub math.js", "// ... rest unchanged\n"),
        ...block("js:ast-path:nothing math.js", "x\n"),
        ...block("js:1:3 math.js", ADDS),
        ...block("js:ast-path:add math.js", ADDS),
        { say: "```js:ast-path:sub math.js\nfunction sub() {" },
      ],
      [{ run: "cat math.js" }],
    );
    await chat.send("Please.");
    assert.deepEqual(proposed(), { "math.js": `${ADDS}\n${SUB}` });
    const first = lastAnswer();
    assert.deepEqual(
      [...first.edits.values()].map(({ status }) => status),
      ["held", "refused", "pending", "incomplete"],
    );
    const edit = [...first.edits.values()].find(({ status }) => status === "pending");
    assert.ok(edit);
    const origin = { chatId: "chat-1", turnId: first.id, callId: edit.callId };
    const decided = { status: "rejected", reason: { code: "rejected-by-user" } } as const;
    chat.decided(origin, "math.js", [{ blockId: edit.blockId, ...decided }] as never, null);
    await chat.send("And?");
    const told = prompts()[1] ?? "";
    assert.match(told, /nothing[\s\S]*1:3[\s\S]*reject[\s\S]*And\?$/);
    // What waits is on its disk from the next prompt on.
    const [call] = lastAnswer().toolCalls.values();
    assert.equal(call?.output, `${ADDS}\n${SUB}`);
    assertUntouched();
  });

  it("are taught once, and not after a command, whose arguments they would be", async () => {
    await begin([{ say: "One." }], [{ say: "Two." }], [{ say: "Three." }]);
    for (const text of ["/init", "First.", "Second."]) await chat.send(text);
    const [command, first = "", second] = prompts();
    assert.equal(command, "/init");
    assert.match(first, /ast-path:[\s\S]*\n\nFirst\.$/);
    assert.equal(second, "Second.");
  });
});
