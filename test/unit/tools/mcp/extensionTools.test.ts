import assert from "node:assert/strict";
import type { ApprovalRequest } from "../../../../src/ports/approval.ts";
import { extensionTools, type OfferedTool } from "../../../../src/tools/mcp/extensionTools.ts";
import { createToolRouter } from "../../../../src/tools/toolRouter.ts";
import { runCall } from "../../../fakes/runCall.ts";

const inputSchema = {
  type: "object",
  required: ["query"],
  properties: { query: { type: "string" } },
};
const tool = (name: string): OfferedTool => ({ name, description: `Does ${name}.`, inputSchema });

describe("tools of other extensions", () => {
  let asked: ApprovalRequest[];
  let invoked: unknown[];

  const routerOf = (
    offered: readonly OfferedTool[],
    allowed: readonly string[],
    isAllowed = true,
  ) => {
    [asked, invoked] = [[], []];
    const tools = extensionTools(offered, allowed, async (name, input) => {
      invoked.push([name, input]);
      return [{ type: "text", text: "found" }, { type: "image/png" }];
    });
    return createToolRouter(tools, {
      async request(request) {
        asked.push(request);
        return { allowed: isAllowed, by: "user" };
      },
    });
  };
  const call = (router: ReturnType<typeof routerOf>, input: object) =>
    runCall(
      router,
      { callId: "call-1", name: "extension__usages", argsText: JSON.stringify(input) },
      {
        ...{ turnId: "turn-1", callId: "call-1", signal: new AbortController().signal },
        emit: () => undefined,
        streams: { register: () => ({ dispose() {} }) },
      },
    );
  const names = (offered: readonly OfferedTool[], allowed: readonly string[]) =>
    routerOf(offered, allowed)
      .specs.map(({ name }) => name)
      .filter((name) => name !== "read_result");

  it("are offered where the user named them, under a name of their own", () => {
    const offered = ["copilot_usages", "copilot_rename", "read_file", "run tests!"].map(tool);
    assert.deepEqual(names(offered, []), []);
    assert.deepEqual(names(offered, ["copilot_*", "read_file"]), [
      ...["extension__copilot_usages", "extension__copilot_rename", "extension__read_file"],
    ]);
    const [odd = ""] = names(offered, ["run tests!"]);
    assert.match(odd, /^extension__run_tests__\w+$/);
    const long = names([tool("a".repeat(100)), tool(`${"a".repeat(100)}b`)], ["a*"]);
    assert.equal(new Set(long).size, 2);
    assert.ok(long.every((name) => name.length <= 64));
  });

  it("are left out where they would cost too much of every request", () => {
    const wide = { ...inputSchema, description: "x".repeat(9_000) };
    const offered = ["one", "two", "three", "four"].map((name) => ({
      ...tool(name),
      inputSchema: wide,
    }));
    assert.deepEqual(names(offered, ["*"]), ["extension__one", "extension__two"]);
  });

  it("run once the user allowed it, with arguments that fit, and give text", async () => {
    const router = routerOf([tool("usages")], ["usages"]);
    const result = await call(router, { query: "a" });
    assert.deepEqual(invoked, [["usages", { query: "a" }]]);
    assert.equal(asked[0]?.effect, "execute");
    assert.match(asked[0]?.arguments ?? "", /^query: a$/m);
    assert.ok(result.ok);
    assert.match(result.output, /found[\s\S]*image\/png/);
  });

  it("do not run with other arguments, or against the user", async () => {
    const router = routerOf([tool("usages")], ["usages"], false);
    const wrong = await call(router, { query: 1 });
    assert.ok(!wrong.ok && wrong.error.code === "invalid-arguments");
    assert.deepEqual(asked, []);
    const denied = await call(router, { query: "a" });
    assert.ok(!denied.ok && denied.error.code === "denied");
    assert.deepEqual(invoked, []);
  });
});
