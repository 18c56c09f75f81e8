import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { Readable, Writable } from "node:stream";
import {
  type ClientConnection,
  client,
  methods,
  type NewSessionRequest,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { bundledScript } from "../../fakes/bundledScript.ts";
import { buildCli, type CliBundle } from "../../fakes/cliBundle.ts";
import { type RunningHere, startHere } from "../../fakes/commandLineHere.ts";
import {
  type ModelServer,
  type ModelStep,
  startModelServer,
} from "../../fakes/model/modelServer.ts";
import { type TempFolder, tempFolder } from "../../fakes/workspace/tempFolder.ts";
import { needsShadows } from "../node/shadow/shadowWorkspace.ts";
import { fileWithText, isRunning, processGone } from "../tools/processes.ts";

const APP = "export function a() {\n  return 1;\n}\n";
const AFTER = APP.replace("1", "2");
const OTHER = "export const b = 1;\n";

/** Like those of no other program of the machine. */
const SECONDS = `${100_000 + process.pid}`;

const patch = (file_path: string, search: string, replace: string) => ({
  name: "patch_source_file",
  args: { file_path, edits: [{ search, replace }] },
});
const run = (command: string): ModelStep => ({
  toolCalls: [{ name: "run_command", args: { command } }],
});
const look: ModelStep = {
  toolCalls: [{ name: "read_file", args: { file_path: "src/app.ts" } }],
};
const edit: ModelStep = { toolCalls: [patch("src/app.ts", "return 1", "return 2")] };

describe("graft acp", () => {
  let cli: CliBundle;
  let folder: TempFolder;
  let home: TempFolder;
  let model: ModelServer;
  let child: ChildProcess | null;
  let here: RunningHere | null;
  let connection: ClientConnection;
  let updates: SessionUpdate[];
  let asked: RequestPermissionRequest[];
  let decide: (request: RequestPermissionRequest) => Promise<RequestPermissionResponse> | boolean;

  before(async () => {
    cli = await buildCli();
  });
  after(() => cli.remove());
  beforeEach(async () => {
    folder = await tempFolder({ "src/app.ts": APP, "src/other.ts": OTHER });
    home = await tempFolder();
    [updates, asked] = [[], []];
    [child, here] = [null, null];
    decide = () => true;
  });
  afterEach(async () => {
    connection?.close();
    here?.stdin.end();
    await here?.ended;
    if (child && child.exitCode === null && child.signalCode === null) {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
    await model?.close();
    await folder.remove();
    await home.remove();
  });

  const at = (name: string) => path.join(folder.root, name);
  const app = () => readFile(at("src/app.ts"), "utf8");

  const mark = () => path.join(home.root, "mark");
  /** A command that goes on for long, once it has left a mark. */
  const long = () => run(`echo begun > ${mark()}; sleep ${SECONDS}`);

  /** The arguments for a model that gives these answers. */
  async function argumentsFor(steps: readonly ModelStep[], flags: readonly string[]) {
    model = await startModelServer(steps);
    return ["acp", "--base-url", model.url, "--model", "m", ...flags];
  }

  /** Starts it in this process, with a model that gives these answers. */
  async function start(steps: readonly ModelStep[], ...flags: readonly string[]): Promise<void> {
    here = startHere(home.root, await argumentsFor(steps, flags), "key");
    await connect(here.stdin, here.stdout);
  }

  /** Starts the program itself, for a test of its end. */
  async function startProgram(
    steps: readonly ModelStep[],
    ...flags: readonly string[]
  ): Promise<ChildProcess> {
    const env = { HOME: home.root, OPENAI_API_KEY: "key" };
    const program = cli.start(await argumentsFor(steps, flags), env);
    child = program;
    const { stdin, stdout } = program;
    assert.ok(stdin && stdout);
    await connect(stdin, stdout);
    return program;
  }

  async function connect(stdin: Writable, stdout: Readable): Promise<void> {
    stdin.on("error", () => undefined);
    connection = client({ name: "test" })
      .onRequest(methods.client.session.requestPermission, async ({ params }) => {
        asked.push(params);
        const decision = await decide(params);
        if (typeof decision !== "boolean") return decision;
        const kind = decision ? "allow_once" : "reject_once";
        const option = params.options.find((each) => each.kind === kind);
        assert.ok(option);
        return { outcome: { outcome: "selected", optionId: option.optionId } };
      })
      .onNotification(methods.client.session.update, ({ params }) => {
        updates.push(params.update);
      })
      .connect(ndJsonStream(Writable.toWeb(stdin), Readable.toWeb(stdout)));
    await connection.agent.request(methods.agent.initialize, {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: {},
    });
  }

  async function session(mcpServers: NewSessionRequest["mcpServers"] = []): Promise<string> {
    const created = await connection.agent.request(methods.agent.session.new, {
      cwd: folder.root,
      mcpServers,
    });
    return created.sessionId;
  }

  const prompt = async (sessionId: string, text: string) =>
    (
      await connection.agent.request(methods.agent.session.prompt, {
        sessionId,
        prompt: [{ type: "text", text }],
      })
    ).stopReason;
  const saidText = (kind: "agent_message_chunk" | "agent_thought_chunk") =>
    updates
      .map((update) =>
        update.sessionUpdate === kind && update.content.type === "text" ? update.content.text : "",
      )
      .join("");
  /** What the client knows last of each call. */
  const calls = () => {
    const known = new Map<string, Record<string, unknown>>();
    for (const update of updates)
      if (update.sessionUpdate === "tool_call" || update.sessionUpdate === "tool_call_update")
        known.set(update.toolCallId, { ...known.get(update.toolCallId), ...update });
    return [...known.values()].map(({ kind, status, locations }) => ({ kind, status, locations }));
  };
  const diffs = () => asked.flatMap(({ toolCall }) => toolCall.content ?? []);
  /** What the model was sent last. */
  const lastRequest = () => JSON.stringify(model.requests.at(-1)?.body.messages);
  /** The code of the error that a request ends with. */
  const codeOf = async (request: Promise<unknown>) => {
    try {
      await request;
      return null;
    } catch (error) {
      assert.ok(error instanceof RequestError, String(error));
      return error.code;
    }
  };

  it("says what it thinks and does, asks with the difference, and writes what is allowed", async () => {
    await start([
      { reasoning: "Let me see.", ...look },
      edit,
      { toolCalls: [patch("src/other.ts", "b = 1", "b = 2")] },
      { text: "Both are changed." },
    ]);
    const before: string[] = [];
    decide = async ({ toolCall, options }) => {
      before.push(await app());
      const isApp = toolCall.locations?.[0]?.path === at("src/app.ts");
      const option = options.find(({ kind }) => kind === (isApp ? "allow_once" : "reject_once"));
      return { outcome: { outcome: "selected", optionId: option?.optionId ?? "" } };
    };
    assert.equal(await prompt(await session(), "Change both."), "end_turn");
    assert.equal(saidText("agent_thought_chunk"), "Let me see.");
    assert.equal(saidText("agent_message_chunk"), "Both are changed.");
    assert.deepEqual(diffs(), [
      { type: "diff", path: at("src/app.ts"), oldText: APP, newText: AFTER },
      {
        ...{ type: "diff", path: at("src/other.ts"), oldText: OTHER },
        newText: OTHER.replace("1", "2"),
      },
    ]);
    const inApp = [{ path: at("src/app.ts") }];
    assert.deepEqual(calls(), [
      { kind: "read", status: "completed", locations: [{ path: at("src/app.ts"), line: 1 }] },
      { kind: "edit", status: "completed", locations: inApp },
      { kind: "edit", status: "completed", locations: [{ path: at("src/other.ts") }] },
      { kind: "edit", status: "completed", locations: inApp },
      { kind: "edit", status: "failed", locations: [{ path: at("src/other.ts") }] },
    ]);
    assert.deepEqual(before, [APP, AFTER]);
    assert.equal(await app(), AFTER);
    assert.equal(await readFile(at("src/other.ts"), "utf8"), OTHER);
  });

  it("asks once for a file that several calls change, and tells the model a rejection", async () => {
    await start([
      look,
      edit,
      { toolCalls: [patch("src/app.ts", "return 2", "return 3")] },
      { text: "Done." },
      { text: "I see." },
    ]);
    decide = () => false;
    const id = await session();
    await prompt(id, "Change it.");
    assert.deepEqual(diffs(), [
      {
        ...{ type: "diff", path: at("src/app.ts"), oldText: APP },
        newText: APP.replace("1", "3"),
      },
    ]);
    assert.equal(await app(), APP);
    assert.equal(await prompt(id, "And?"), "end_turn");
    assert.match(lastRequest(), /'src\/app\.ts'[^"]*rejected by the user/);
    assert.equal(asked.length, 1);
  });

  it("creates, renames and deletes files when that is allowed", async () => {
    await folder.write("old.txt", "old\n");
    await start([
      {
        toolCalls: [
          { name: "create_file", args: { file_path: "new/made.txt", content: "made\n" } },
          { name: "rename_file", args: { from: "src/other.ts", to: "src/moved.ts" } },
          { name: "delete_file", args: { file_path: "old.txt" } },
        ],
      },
      { text: "Done." },
    ]);
    assert.equal(await prompt(await session(), "Tidy up."), "end_turn");
    assert.equal(await readFile(at("new/made.txt"), "utf8"), "made\n");
    assert.equal(await readFile(at("src/moved.ts"), "utf8"), OTHER);
    assert.equal(existsSync(at("src/other.ts")), false);
    assert.equal(existsSync(at("old.txt")), false);
    assert.deepEqual(
      asked.map(({ toolCall }) => toolCall.kind),
      ["edit", "move", "delete"],
    );
  });

  it("refuses to write a file that changed meanwhile, and says so", async () => {
    await start([look, edit, { text: "Done." }, { text: "I see." }]);
    decide = async () => {
      await writeFile(at("src/app.ts"), "// the user's\n");
      const [option] = asked.at(-1)?.options ?? [];
      return { outcome: { outcome: "selected", optionId: option?.optionId ?? "" } };
    };
    const id = await session();
    await prompt(id, "Change it.");
    assert.equal(await app(), "// the user's\n");
    assert.equal(calls().at(-1)?.status, "failed");
    await prompt(id, "And?");
    assert.match(lastRequest(), /'src\/app\.ts', line 2: not accepted/);
  });

  it("does not delete a file that changed while the user was asked", async () => {
    await start([
      { toolCalls: [{ name: "delete_file", args: { file_path: "src/app.ts" } }] },
      { text: "Done." },
    ]);
    decide = async ({ options: [option] }) => {
      await writeFile(at("src/app.ts"), "// the user's\n");
      return { outcome: { outcome: "selected", optionId: option?.optionId ?? "" } };
    };
    await prompt(await session(), "Delete it.");
    assert.equal(await app(), "// the user's\n");
    assert.equal(calls().at(-1)?.status, "failed");
  });

  it("runs a command on what is proposed when the user allows that", async function () {
    await needsShadows(this, null);
    const mark = path.join(home.root, "ran");
    const command = `cat src/app.ts > ${mark}`;
    await start([look, edit, run(command), run(command), { text: "Done." }]);
    let times = 0;
    decide = ({ toolCall }) => toolCall.kind === "execute" && ++times === 2;
    await prompt(await session(), "Try it.");
    assert.deepEqual(
      asked.map(({ toolCall }) => toolCall.kind),
      ["execute", "execute", "edit"],
    );
    assert.ok(asked.slice(0, 2).every((each) => JSON.stringify(each).includes(mark)));
    assert.equal(await readFile(mark, "utf8"), AFTER);
    assert.equal(await app(), APP);
  });

  it("does not ask for commands with --allow-commands", async () => {
    const mark = path.join(home.root, "ran");
    await start([run(`echo ran > ${mark}`), { text: "Done." }], "--allow-commands");
    await prompt(await session(), "Run it.");
    assert.deepEqual(asked, []);
    assert.equal(await readFile(mark, "utf8"), "ran\n");
  });

  it("says why an edit was refused", async () => {
    await start([
      look,
      { toolCalls: [patch("src/app.ts", "nowhere", "x")] },
      { text: "It is not there." },
    ]);
    assert.equal(await prompt(await session(), "Change it."), "end_turn");
    assert.ok(calls().some(({ kind, status }) => kind === "edit" && status === "failed"));
    assert.deepEqual(asked, []);
  });

  it("stops a turn and its command when the client cancels, and asks for nothing", async () => {
    await start([look, edit, long()], "--allow-commands");
    const id = await session();
    const answer = prompt(id, "Run it.");
    await fileWithText(mark());
    await connection.agent.notify(methods.agent.session.cancel, { sessionId: id });
    assert.equal(await answer, "cancelled");
    assert.ok(!isRunning("sleep", SECONDS), "the command is gone before the answer comes");
    assert.deepEqual(asked, []);
    assert.equal(await app(), APP);
  });

  it("keeps what the user did not decide on, and asks again after the next turn", async () => {
    await start([look, edit, { text: "Done." }, { text: "Still there." }]);
    const id = await session();
    decide = async () => {
      await connection.agent.notify(methods.agent.session.cancel, { sessionId: id });
      return { outcome: { outcome: "cancelled" } };
    };
    assert.equal(await prompt(id, "Change it."), "cancelled");
    assert.equal(await app(), APP);
    decide = () => true;
    assert.equal(await prompt(id, "Go on."), "end_turn");
    assert.equal(asked.length, 2);
    assert.equal(await app(), AFTER);
  });

  it("goes on with a chat of an earlier run, which it lists and tells again", async () => {
    const steps = [{ reasoning: "Hm.", ...look }, { text: "It returns 1." }];
    const child = await startProgram(steps);
    const id = await session();
    await prompt(id, "What does it return?\nSay it.");
    connection.close();
    child.kill("SIGKILL");
    await once(child, "exit");
    await model.close();
    updates = [];
    await start([{ text: "Still 1." }]);
    const { agent } = connection;
    const { sessions } = await agent.request(methods.agent.session.list, { cwd: folder.root });
    assert.deepEqual(
      sessions.map(({ sessionId, cwd, title }) => [sessionId, cwd, title]),
      [[id, folder.root, "What does it return?"]],
    );
    assert.equal((await agent.request(methods.agent.session.list, {})).sessions.length, 1);
    const load = (sessionId: string, cwd = folder.root) =>
      agent.request(methods.agent.session.load, { sessionId, cwd, mcpServers: [] });
    for (const wrong of ["session-nowhere", "../../x", ""])
      assert.equal(await codeOf(load(wrong)), -32002, wrong);
    assert.equal(await codeOf(load(id, home.root)), -32002, "in another folder");
    await load(id);
    const asked = updates.flatMap((update) =>
      update.sessionUpdate === "user_message_chunk" && update.content.type === "text"
        ? [update.content.text]
        : [],
    );
    assert.deepEqual(asked, ["What does it return?\nSay it."]);
    assert.equal(saidText("agent_message_chunk"), "It returns 1.");
    assert.deepEqual(
      calls().map(({ kind, status }) => [kind, status]),
      [["read", "completed"]],
    );
    assert.equal(await codeOf(load(id)), -32602, "it is open");
    assert.equal(await prompt(id, "And now?"), "end_turn");
    assert.match(lastRequest(), /What does it return[\s\S]*It returns 1\.[\s\S]*And now/);
  });

  it("refuses sessions it does not know, folders that are none, and two prompts at once", async () => {
    await start([{ text: "Slow.", stallAfter: 1 }, { text: "Again." }]);
    const { agent } = connection;
    assert.equal(await codeOf(prompt("session-nowhere", "Hi")), -32002);
    for (const cwd of ["src", at("nowhere"), at("src/app.ts")])
      assert.equal(
        await codeOf(agent.request(methods.agent.session.new, { cwd, mcpServers: [] })),
        -32602,
        cwd,
      );
    await agent.notify(methods.agent.session.cancel, { sessionId: "session-nowhere" });
    const id = await session();
    assert.equal(await codeOf(prompt(id, "  ")), -32602);
    const first = prompt(id, "Wait.");
    await model.request(0);
    assert.equal(await codeOf(prompt(id, "Hurry.")), -32600);
    await agent.notify(methods.agent.session.cancel, { sessionId: id });
    assert.equal(await first, "cancelled");
    assert.equal(await prompt(id, "Now?"), "end_turn");
    assert.equal(model.requests.length, 2);
  });

  it("answers a prompt with an error that names the flag where the model refuses", async () => {
    await start([{ status: 401 }]);
    await assert.rejects(prompt(await session(), "Hi"), /OPENAI_API_KEY/);
  });

  it("serves two sessions at once, each in its folder", async () => {
    const second = await tempFolder({ "src/app.ts": "second\n" });
    await start([look, { text: "One." }, look, { text: "Two." }]);
    const one = await session();
    const { sessionId: two } = await connection.agent.request(methods.agent.session.new, {
      cwd: second.root,
      mcpServers: [],
    });
    await prompt(one, "Read.");
    assert.match(lastRequest(), /return 1/);
    await prompt(two, "Read.");
    assert.match(lastRequest(), /second/);
    assert.doesNotMatch(lastRequest(), /return 1/);
    await second.remove();
  });

  it("gives the model the tools of the client's MCP servers, and asks for them", async () => {
    const server = {
      ...{ name: "t", command: process.execPath },
      args: [bundledScript("test/fakes/mcp/mcpServer.ts")],
      env: [{ name: "MCP_LOG", value: path.join(home.root, "log") }],
    };
    const add = { name: "mcp__t__add", args: { a: 1, b: 2 } };
    await start([{ toolCalls: [add] }, { text: "Three." }]);
    assert.equal(await prompt(await session([server]), "Add."), "end_turn");
    assert.deepEqual(
      asked.map(({ toolCall }) => toolCall.kind),
      ["other"],
    );
    assert.match(JSON.stringify(asked), /a: 1\\nb: 2/);
    assert.equal(calls().at(-1)?.status, "completed");
  });

  it("shows what speaks against a change in its question", async () => {
    const opener = { name: "edit_mode", args: { file_path: "src/app.ts" } };
    const text = "\n```ts:ast-path:a\nexport function a() {\n  retrun 1;\n}\n```\n";
    await start([look, { toolCalls: [opener] }, { text }, { text: "Done." }]);
    decide = () => false;
    await prompt(await session(), "Change it.");
    assert.deepEqual(
      asked.map(({ toolCall }) => toolCall.content?.map(({ type }) => type)),
      [["content", "diff"]],
    );
  });

  it("goes on after rubbish on its input", async () => {
    await start([{ text: "Hello." }]);
    here?.stdin.write('rubbish\n[1]\n{"jsonrpc":"2.0","id":7,"method":"no/such"}\n"text"\n\n');
    assert.equal(await prompt(await session(), "Hi"), "end_turn");
    assert.equal(saidText("agent_message_chunk"), "Hello.");
  });

  it("ends with an error where a message is too large", async () => {
    await start([]);
    here?.stdin.write(Buffer.alloc(33 * 1024 * 1024, "a"));
    assert.equal(await here?.ended, 1);
  });

  it("ends with its client, and with it its commands", async () => {
    const child = await startProgram([look, edit, long()], "--allow-commands");
    const answer = prompt(await session(), "Run it.").catch(() => null);
    await fileWithText(mark());
    const gone = once(child, "exit");
    child.stdin?.destroy();
    child.stdout?.destroy();
    const [status] = await gone;
    assert.equal(status, 0);
    connection.close();
    await answer;
    assert.ok(!isRunning("sleep", SECONDS));
    assert.equal(await app(), APP);
  });

  it("ends when it is interrupted", async () => {
    const child = await startProgram([{ text: "Slow.", stallAfter: 1 }]);
    const answer = prompt(await session(), "Wait.").catch(() => null);
    await model.request(0);
    const gone = once(child, "exit");
    child.kill("SIGINT");
    assert.deepEqual(await gone, [130, null]);
    await answer;
    await processGone(child.pid ?? 0);
  });
});
