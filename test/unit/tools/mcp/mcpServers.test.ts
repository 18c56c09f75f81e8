import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { connectMcp } from "../../../../src/node/mcp/connectMcp.ts";
import type { McpProblem, McpServer, McpTransport } from "../../../../src/ports/mcp.ts";
import { mcpProblemMessage } from "../../../../src/tools/mcp/messages.ts";
import type { Tool } from "../../../../src/tools/tool.ts";
import { comes } from "../../../fakes/comes.ts";
import { pluck } from "../../../fakes/pluck.ts";
import { processGone } from "../processes.ts";
import { callTool, mcpHarness, toolContext } from "./mcpHarness.ts";

const root = process.cwd();

describe("MCP servers", () => {
  const harness = mcpHarness();
  const { lines, stdio, start } = harness;

  it("offer their tools, and start at their first use", async () => {
    const { tools, problems } = start([stdio("one")]);
    const listed = await tools();
    assert.deepEqual(problems, []);
    assert.deepEqual(
      listed.slice(0, 2).map(({ name, category, effect, description }) => ({
        name,
        category,
        effect,
        description,
      })),
      [
        {
          name: "mcp__one__add",
          category: "mcp",
          effect: "execute",
          description: "Adds.\n(From the MCP server one.)",
        },
        {
          name: "mcp__one__look",
          category: "mcp",
          effect: "read",
          description: "Only looks.\n(From the MCP server one.)",
        },
      ],
    );
    assert.ok(listed.every(({ name }) => /^[A-Za-z0-9_-]{1,64}$/.test(name)));
    assert.equal(new Set(listed.map(({ name }) => name)).size, listed.length);
    assert.equal(await callTool(listed, "mcp__one__add", { a: 2, b: 3 }), "5");
    assert.deepEqual(
      pluck(await tools(), "name"),
      listed.map(({ name }) => name),
    );
    assert.equal(lines("one").filter((line) => line.startsWith("start")).length, 1);
  });

  it("need one approval for all read-only tools, and one for each call of others", async () => {
    const { tools } = start([stdio("asked")]);
    const listed = await tools();
    const used = toolContext();
    await callTool(listed, "mcp__asked__look", {}, used);
    await callTool(listed, "mcp__asked__add", { a: 1, b: 1 }, used);
    assert.deepEqual(
      used.events.flatMap((event) =>
        event.type === "approval-request" ? [[event.effect, event.server]] : [],
      ),
      [
        ["read", "asked"],
        ["execute", undefined],
      ],
    );
  });

  it("return other content, long results and errors as text", async () => {
    const { tools } = start([stdio("words")]);
    const listed = await tools();
    assert.equal(
      await callTool(listed, "mcp__words__picture"),
      "[An image. It follows the result.]",
    );
    const huge = await callTool(listed, "mcp__words__huge");
    assert.ok(huge.length < 61_000);
    assert.match(huge, /read_result/);
    assert.equal(await callTool(listed, "mcp__words__wrong"), "Error (execution): that is wrong");
    assert.match(
      await callTool(listed, "mcp__words__odd"),
      /^Error \(execution\): The MCP server words rejected odd: .*no tool odd/,
    );
    const odd = listed.find(({ name }) => name === "mcp__words__odd");
    assert.deepEqual(odd?.parameters.properties, {
      "a b": { $ref: "#/nowhere", anyOf: "no list" },
    });
    assert.equal(odd?.parameters.$schema, undefined);
  });

  it("show their progress", async () => {
    const { tools } = start([stdio("progress")]);
    const used = toolContext();
    assert.equal(await callTool(await tools(), "mcp__progress__count", {}, used), "counted");
    assert.deepEqual(
      used.events.flatMap((event) => (event.type === "tool-progress" ? [event.text] : [])),
      ["1 of 3: one\n"],
    );
  });

  it("are told when a call is cancelled, and keep running", async () => {
    const { tools } = start([stdio("cancel")]);
    const listed = await tools();
    const stop = new AbortController();
    const used = toolContext(stop.signal);
    const hanging = callTool(listed, "mcp__cancel__hang", {}, used);
    await comes("the call", () => lines("cancel").includes("call hang"));
    stop.abort();
    assert.match(await hanging, /^Error \(cancelled\)/);
    assert.equal(await callTool(listed, "mcp__cancel__add", { a: 1, b: 1 }), "2");
    assert.ok(lines("cancel").includes("cancelled hang"));
    assert.equal(lines("cancel").filter((line) => line.startsWith("start")).length, 1);
  });

  it("are restarted after a crash", async () => {
    const { tools } = start([stdio("mortal")]);
    const listed = await tools();
    assert.match(
      await callTool(listed, "mcp__mortal__die"),
      /^Error \(network\): The connection to the MCP server mortal was lost\. It wrote: out of memory\. It is restarted/,
    );
    assert.equal(await callTool(listed, "mcp__mortal__add", { a: 1, b: 1 }), "2");
    assert.equal(lines("mortal").filter((line) => line.startsWith("start")).length, 2);
  });

  it("list their tools again in the next turn after a change", async () => {
    const { tools } = start([stdio("grows")]);
    const before = await tools();
    await callTool(before, "mcp__grows__grow");
    assert.ok((await tools()).some(({ name }) => name === "mcp__grows__grown"));
    assert.ok(!before.some(({ name }) => name === "mcp__grows__grown"));
    assert.equal(lines("grows").filter((line) => line === "list").length, 2);
  });

  it("do not delay a turn when they hang, fail or are missing", async () => {
    const missing: McpTransport = {
      type: "stdio",
      command: "no-such-program-anywhere",
      args: [],
      env: {},
      cwd: root,
    };
    let wanted: readonly McpServer[] = [stdio("fails", "--fail"), stdio("works")];
    const problems: string[] = [];
    const { tools } = start([], {
      servers: async () => wanted,
      waitMs: 1_000,
      tell: (problem) => {
        if (problem.code !== "still-starting") problems.push(mcpProblemMessage(problem));
      },
    });
    const descriptionIn = (listed: readonly Tool[], name: string) =>
      listed.find((tool) => tool.name === name)?.description ?? "";
    let listed = await tools();
    // A busy machine starts neither of them within a second.
    await comes("the one that works, and the failure of the other", async () => {
      listed = await tools();
      return descriptionIn(listed, "mcp__works__add") !== "" && problems.length > 0;
    });
    assert.match(problems.join("\n"), /fails could not be started: .*the token is missing/);
    await tools();
    assert.equal(problems.length, 1);
    wanted = [
      stdio("hangs", "--hang-at-start"),
      { ...stdio("works"), name: "missing", transport: missing },
      stdio("works"),
    ];
    listed = await tools();
    await comes("the second failure", () => problems.length > 1);
    assert.match(problems.join("\n"), /missing could not be started: .*ENOENT/);
    assert.ok(descriptionIn(listed, "mcp__works__add"));
  });

  it("are ended with their descendants, even stubborn ones", async () => {
    const file = path.join(harness.folder, "child.pid");
    const { mcp, tools } = start([
      stdio("parent", "--child", file),
      stdio("stubborn", "--stubborn"),
    ]);
    await tools();
    const pids = [
      Number(readFileSync(file, "utf8")),
      ...["parent", "stubborn"].flatMap((name) =>
        lines(name).flatMap((line) => (line.startsWith("start") ? [Number(line.slice(6))] : [])),
      ),
    ];
    await mcp.dispose();
    await Promise.all(pids.map(processGone));
  });

  it("are ended also where they leave a process that keeps their pipes open", async () => {
    const file = path.join(harness.folder, "heir.pid");
    const { mcp, tools } = start([stdio("heir", "--heir", file)]);
    assert.ok((await tools()).length > 0);
    await mcp.dispose();
    const heir = Number(readFileSync(file, "utf8"));
    assert.ok(process.kill(heir, "SIGKILL"));
    const [pid] = lines("heir").map((line) => Number(line.slice(6)));
    await processGone(pid ?? 0);
  });

  it("are ended when removed, and restarted when redefined", async () => {
    let wanted: readonly McpServer[] = [stdio("first")];
    const { mcp } = start([], { servers: async () => wanted });
    const names = async () => [
      ...new Set(
        (await mcp.tools(new AbortController().signal)).map(({ name }) => name.split("__")[1]),
      ),
    ];
    assert.deepEqual(await names(), ["first"]);
    const [pid] = lines("first").map((line) => Number(line.slice(6)));
    wanted = [stdio("second")];
    assert.deepEqual(await names(), ["second"]);
    await processGone(pid ?? 0);
  });

  it("delay only the turn that starts them, and join a later one when slow, which is told", async () => {
    const told: McpProblem[] = [];
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { tools } = start([stdio("slow")], {
      connect: (server, callbacks, signal) =>
        held.then(() => connectMcp(server, callbacks, signal)),
      tell: (problem) => void told.push(problem),
      waitMs: 50,
    });
    const names = async () => (await tools()).map(({ name }) => name);
    assert.deepEqual(await names(), []);
    assert.deepEqual(await names(), []);
    release();
    await comes("its tools", async () => (await names()).length > 0);
    assert.equal(lines("slow").filter((line) => line.startsWith("start")).length, 1);
    assert.deepEqual(told, [{ code: "still-starting", name: "slow" }]);
  });
});
