import assert from "node:assert/strict";
import * as z from "zod/mini";
import type { Tool } from "../../../../src/tools/tool.ts";
import { type RecordedRequest, startModelServer } from "../../../fakes/model/modelServer.ts";
import { testTool } from "../../../fakes/testTool.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";
import { openChat } from "./chatHarness.ts";

const toolsSchema = z.object({
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })),
});
const names = ({ body }: RecordedRequest) =>
  z.parse(toolsSchema, body).tools.map((tool) => tool.function.name);

describe("tools that come and go", () => {
  let folder: TempFolder;

  before(async () => {
    folder = await tempFolder();
  });
  after(() => folder.remove());

  it("are the same in every request of a turn, after the others, and may change in the next", async () => {
    const server = await startModelServer([
      { toolCalls: [{ name: "mcp__a__first", args: {} }] },
      { text: "Done." },
      { text: "Again." },
    ]);
    const offered: Tool[] = [testTool("mcp__a__first", async () => ({ ok: true, output: "one" }))];
    let asked = 0;
    const chat = await openChat(server, folder.root, {
      async turnTools() {
        asked += 1;
        const now = [...offered];
        offered.push(testTool(`mcp__b__later${asked}`, async () => ({ ok: true, output: "two" })));
        return now;
      },
    });
    try {
      await chat.send("Go");
      await chat.send("Go on");
      const [first, second, third] = server.requests.map(names);
      assert.ok(first && second && third);
      assert.deepEqual(second, first);
      assert.equal(first.at(-1), "mcp__a__first");
      assert.deepEqual(third, [...first, "mcp__b__later1"]);
      assert.equal(asked, 2);
    } finally {
      await chat.dispose();
      await server.close();
    }
  });
});
