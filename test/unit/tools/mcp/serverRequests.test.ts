import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { setImmediate as nextTick } from "node:timers/promises";
import { ok } from "../../../../src/base/result.ts";
import { prepareServer } from "../../../../src/node/mcp/mcpMachine.ts";
import type { McpConnection, McpRoot, McpServer } from "../../../../src/ports/mcp.ts";
import type { Question, QuestionAnswer, QuestionRequest } from "../../../../src/ports/question.ts";
import { callTool, mcpHarness, toolContext } from "./mcpHarness.ts";

/** A user who is asked, and answers when the test says so. */
function user(): Question & {
  readonly asked: QuestionRequest[];
  readonly withdrawn: QuestionRequest[];
  answer(values: readonly string[]): void;
} {
  let settle: (answer: QuestionAnswer) => void = () => undefined;
  const asked: QuestionRequest[] = [];
  const withdrawn: QuestionRequest[] = [];
  return {
    asked,
    withdrawn,
    answer: (values) => settle({ answered: true, values }),
    ask: (request, signal) =>
      new Promise((resolve) => {
        asked.push(request);
        settle = resolve;
        signal.addEventListener("abort", () => {
          withdrawn.push(request);
          resolve({ answered: false, why: "stopped" });
        });
      }),
  };
}

const until = async (check: () => boolean) => {
  while (!check()) await nextTick();
};

describe("requests of MCP servers", () => {
  const harness = mcpHarness();
  const { lines, stdio, start } = harness;

  it("ask the user in the server's name, while the time limit pauses", async () => {
    const question = user();
    const { tools } = start([stdio("asks"), stdio("other")], { question, callMs: 2_000 });
    const listed = await tools();
    const used = toolContext();
    const asking = callTool(listed, "mcp__asks__ask", {}, used);
    await until(() => question.asked.length === 1);
    // Another call runs into the same limit meanwhile.
    assert.match(await callTool(listed, "mcp__other__hang"), /^Error \(timeout\): hang timed out after 2 seconds/);
    question.answer(["green"]);
    assert.equal(await asking, '{"action":"accept","content":{"colour":"green"}}');
    const [asked] = question.asked;
    assert.deepEqual([asked?.turnId, asked?.callId, asked?.kind, asked?.options], ["t", "c", "choice", ["red", "green"]]);
    assert.match(asked?.question ?? "", /^The MCP server asks asks: Which colour\?/);
    assert.deepEqual(
      used.events.map(({ type }) => type).filter((type) => type.startsWith("question")),
      ["question", "question-end"],
    );
  });

  it("are cancelled when the turn is stopped", async () => {
    const question = user();
    const { tools } = start([stdio("stopped")], { question });
    const listed = await tools();
    const stop = new AbortController();
    const used = toolContext(stop.signal);
    const asking = callTool(listed, "mcp__stopped__ask", {}, used);
    await until(() => question.asked.length === 1);
    stop.abort();
    assert.match(await asking, /^Error \(cancelled\)/);
    assert.equal(question.withdrawn.length, 1);
    assert.equal(await callTool(listed, "mcp__stopped__add", { a: 1, b: 1 }), "2");
    assert.equal(lines("stopped").filter((line) => line.startsWith("start")).length, 1);
    assert.ok(lines("stopped").includes("cancelled ask"));
  });

  it("are withdrawn when the server dies", async () => {
    const question = user();
    const { tools } = start([stdio("dies")], { question });
    const listed = await tools();
    const asking = callTool(listed, "mcp__dies__ask");
    await until(() => question.asked.length === 1);
    const dying = callTool(listed, "mcp__dies__die");
    assert.match(await asking, /^Error \(network\): The connection to the MCP server dies was lost/);
    await dying;
    assert.equal(question.withdrawn.length, 1);
  });

  it("are refused for a password, or when non-interactive", async () => {
    const question = user();
    const { tools } = start([stdio("secret")], { question });
    assert.match(
      await callTool(await tools(), "mcp__secret__ask", { secret: true }),
      /Graft does not ask the user for secrets such as password/,
    );
    assert.deepEqual(question.asked, []);
    const nobody = start([stdio("nobody")]);
    assert.match(await callTool(await nobody.tools(), "mcp__nobody__ask"), /Method not found/);
  });

  it("return the workspace's folders, as they are now", async () => {
    let roots: readonly McpRoot[] = [{ uri: "file:///one", name: "one" }];
    const { tools } = start([stdio("roots")], { roots: () => roots });
    assert.equal(await callTool(await tools(), "mcp__roots__roots"), JSON.stringify(roots));
    roots = [...roots, { uri: "file:///two", name: "two" }];
    assert.equal(await callTool(await tools(), "mcp__roots__roots"), JSON.stringify(roots));
  });

  it("are refused for sampling", async () => {
    const { tools } = start([stdio("sample")]);
    assert.match(await callTool(await tools(), "mcp__sample__sample"), /-32601: Method not found/);
  });
});

describe("MCP servers that behave oddly", () => {
  const harness = mcpHarness();
  const { stdio, start } = harness;

  it("may write lines that are not messages", async () => {
    const { tools, problems } = start([stdio("noisy", "--noisy")]);
    assert.equal(await callTool(await tools(), "mcp__noisy__add", { a: 2, b: 2 }), "4");
    assert.deepEqual(problems, []);
  });

  it("show the model a limited amount of tool descriptions", async () => {
    const tool = (index: number) => ({
      name: `tool${index}`,
      inputSchema: { type: "object", properties: { text: { type: "string", description: "x".repeat(15_000) } } },
    });
    const connection: McpConnection = {
      closed: new Promise(() => undefined),
      listTools: async () => ok(Array.from({ length: 80 }, (_, index) => tool(index))),
      callTool: async () => ok({}),
      ping: async () => true,
      close: async () => undefined,
    };
    const { tools, problems } = start([stdio("large")], { connect: async () => ok(connection) });
    assert.ok(JSON.stringify(await tools()).length < 210_000);
    assert.match(problems.join(), /^The MCP servers have 80 tools in total\. The model sees the first 13; the others would take/);
  });

  it("show the model a limited number of tools, each once, and tell the user", async () => {
    const { tools, problems } = start([stdio("many", "--many")]);
    const names = (await tools()).map(({ name }) => name);
    assert.equal(names.length, 88);
    assert.equal(new Set(names).size, 88);
    assert.ok(!names.some((name) => name.endsWith("_2")));
    assert.deepEqual(problems, ["The MCP servers have 216 tools in total. The model sees the first 88."]);
  });

  it("time out, and are pinged before the next call", async () => {
    const { tools } = start([stdio("slow")], { callMs: 500 });
    const listed = await tools();
    assert.match(await callTool(listed, "mcp__slow__hang"), /^Error \(timeout\): hang timed out after 0.5 seconds/);
    assert.equal(await callTool(listed, "mcp__slow__add", { a: 1, b: 1 }), "2");
  });

  it("reveal no secrets in results or errors", async () => {
    const envFile = path.join(harness.folder, ".env");
    writeFileSync(envFile, "# ours\nAPI_TOKEN='s3cret-token-of-ours'\nPLAIN=\"two words\"\n");
    const server = stdio("env");
    assert.ok(server.transport.type === "stdio");
    const prepared = await prepareServer({ ...server, transport: { ...server.transport, envFile: ".env" } }, harness.folder);
    assert.ok(prepared.ok);
    const { tools } = start([prepared.value]);
    const listed = await tools();
    assert.equal(await callTool(listed, "mcp__env__tell", { name: "PLAIN" }), "It is two words.");
    assert.equal(await callTool(listed, "mcp__env__tell", { name: "API_TOKEN" }), "It is •••.");
    assert.match(await callTool(listed, "mcp__env__die", { say: "API_TOKEN" }), /was lost\. It wrote: •••/);
  });
});

describe("an MCP server's envFile and cwd", () => {
  const harness = mcpHarness();
  const server = (more: object): McpServer => ({
    name: "s",
    transport: { type: "stdio", command: "x", args: [], env: { B: "ours", C: null }, cwd: null, ...more },
    secrets: [],
  });

  it("are relative to the workspace, and the definition overrides the file", async () => {
    writeFileSync(path.join(harness.folder, "more.env"), "A=1\nB=theirs\nC=3\nexport D='a b' # why\n");
    const prepared = await prepareServer(server({ envFile: "more.env", cwd: "tools" }), harness.folder);
    assert.deepEqual(prepared.ok && prepared.value, {
      name: "s",
      transport: {
        type: "stdio",
        command: "x",
        args: [],
        env: { A: "1", B: "ours", C: null, D: "a b" },
        cwd: path.join(harness.folder, "tools"),
      },
      secrets: [],
    });
  });

  it("are named when the file is missing", async () => {
    const missing = path.join(harness.folder, "none.env");
    const prepared = await prepareServer(server({ envFile: missing }), harness.folder);
    assert.ok(!prepared.ok && prepared.error.code === "no-env-file");
    assert.equal(prepared.error.file, missing);
    assert.match(prepared.error.detail, /^ENOENT/);
  });
});
