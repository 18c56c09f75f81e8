import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import * as z from "zod/mini";
import { ChunkDecoder } from "../../../../src/model/openai/chunkDecoder.ts";
import { namedTool } from "../../../../src/tools/defineTool.ts";
import type { ModelStep } from "../../../fakes/model/modelServer.ts";
import { testTool } from "../../../fakes/testTool.ts";
import { chat, chatsIn, folder, lastAnswer, open, server } from "./chatHarness.ts";

const CODE = "function one() {\n  return 1;\n}\nfunction two() {\n  return 2;\n}\n";
const block = (path: string, text: string) => `\`\`\`ts ast-path:${path}\n${text}\n\`\`\`\n`;
const activate: ModelStep = { toolCalls: [{ name: "edit_mode", args: { file_path: "a.ts" } }] };

describe("Texts in a request", () => {
  chatsIn({
    "long.txt": `x${"🚀".repeat(3_000)}\n`,
    "zero.txt": `${"y".repeat(9_000)}\n\0\n`,
  });

  /** The second request, after a call whose result holds the odd text. */
  async function sentAfter(step: ModelStep, output = ""): Promise<string> {
    const odd = testTool("odd", async () => ({ ok: true, output }));
    await open([step, { text: "ok" }], { tools: [odd] });
    await chat.send("Go \ud83d now\0");
    return JSON.stringify(server.requests[1]?.body);
  }

  for (const [what, step, output = ""] of [
    ["a long line", { toolCalls: [{ name: "read_file", args: { file_path: "long.txt" } }] }],
    ["a file with NUL", { toolCalls: [{ name: "read_file", args: { file_path: "zero.txt" } }] }],
    ["a result", { toolCalls: [{ name: "odd", args: {} }] }, "a\0b \udc00 c"],
    ["a long result", { toolCalls: [{ name: "odd", args: {} }] }, `x${"🚀".repeat(40_000)}`],
    ["arguments", { toolCalls: [{ name: "odd", args: '{"text":"a\\u0000b \\ud83d"}' }] }],
    ["an answer", { text: "Half \ud83d", toolCalls: [{ name: "odd", args: {} }] }],
  ] as const)
    it(`are whole characters without NUL: ${what}`, async () => {
      const sent = await sentAfter(step, output);
      assert.doesNotMatch(sent, /\\u0000|\\u[dD][89a-fA-F]|\p{Cs}/u);
      assert.ok(sent.includes("now␀"), "NUL is not shown");
    });

  it("do not lose a character that a server splits between two pieces", () => {
    const decoder = new ChunkDecoder({ messages: [] });
    const piece = (content: string) => ({ choices: [{ index: 0, delta: { content } }] });
    const parts = ["Go \ud83d", "\ude80!"].flatMap((text) => decoder.push(piece(text)));
    assert.deepEqual(parts, [
      { type: "text-delta", text: "Go " },
      { type: "text-delta", text: "🚀!" },
    ]);
  });
});

describe("Thinking that only has its end", () => {
  chatsIn({ "a.ts": CODE });

  it("proposes nothing of what stands in it, and leaves the history", async () => {
    const draft = `Maybe:\n${block("one", "function one() {\n  return 9;\n}")}No.\n</think>\n`;
    const real = `Here:\n${block("two", "function two() {\n  return 3;\n}")}`;
    const read: ModelStep = { toolCalls: [{ name: "read_file", args: { file_path: "a.ts" } }] };
    await open([read, activate, { text: draft + real, chunkSize: 5 }, { text: "Done." }]);
    await chat.send("Go");
    const { edits, parts } = lastAnswer();
    assert.deepEqual(
      [...edits.values()].map(({ status, reason, target }) => [target, status, reason?.code]),
      [
        ["ast-path:one", "withdrawn", "was-reasoning"],
        ["ast-path:two", "applied", undefined],
      ],
    );
    const text = await readFile(`${folder.root}/a.ts`, "utf8");
    assert.equal(text, CODE.replace("return 2", "return 3"));
    const sent = JSON.stringify(server.requests.at(-1)?.body.messages);
    assert.ok(!sent.includes("Maybe"), "the thinking is in the history");
    assert.ok(sent.includes("Here:"));
    assert.ok(parts.some((part) => part.type === "reasoning" && part.text.includes("Maybe")));
  });

  for (const [what, before, after] of [
    ["behind a sentence", "Fine.</think>", "Done."],
    ["in a line of prose", "It ends with </think>", "\nDone."],
  ] as const)
    it(`accepts no block by itself where the end can be read both ways: ${what}`, async () => {
      const real = block("one", "function one() {\n  return 9;\n}");
      const more = block("two", "function two() {\n  return 3;\n}");
      const text = `Here:\n${real}${before}${after}\n${more}`;
      const read: ModelStep = { toolCalls: [{ name: "read_file", args: { file_path: "a.ts" } }] };
      await open([read, activate, { text, chunkSize: 5 }, { text: "Done." }]);
      await chat.send("Go");
      assert.deepEqual(
        [...lastAnswer().edits.values()].map(({ status, reason, warnings, target }) => [
          target,
          status,
          reason?.code,
          warnings.map(({ code }) => code),
        ]),
        [
          ["ast-path:one", "rejected", "not-accepted-automatically", ["maybe-reasoning"]],
          ["ast-path:two", "applied", undefined, []],
        ],
      );
      const file = await readFile(`${folder.root}/a.ts`, "utf8");
      assert.equal(file, CODE.replace("return 2", "return 3"));
    });

  it("drops the calls that it holds as text", async () => {
    let calls = 0;
    const tool = testTool("odd", async () => ({ ok: true, output: String(++calls) }));
    await open(
      ({ body }) => {
        if (body.tools) return { status: 400, body: '{"error":{"message":"no tools"}}' };
        const nonce = /<call ([0-9a-f]{12}) /.exec(JSON.stringify(body))?.[1] ?? "";
        return server.requests.length > 2
          ? { text: "ok" }
          : { text: `<call ${nonce} odd>\n{}\n</call ${nonce}>\nNo.\n</think>\nFine.` };
      },
      { tools: [tool] },
    );
    await chat.send("Go");
    assert.equal(calls, 0);
    assert.equal(lastAnswer().toolCalls.size, 0);
  });
});

describe("A call as servers send it", () => {
  chatsIn();

  const args = { line: 1, names: ["a"] };
  const exact = JSON.stringify(args);
  const probe = (fields: object) => ({ id: "c1", function: { name: "probe", ...fields } });
  for (const [what, message, runs = 1] of [
    ["exactly", { tool_calls: [probe({ arguments: exact })] }],
    ["with its namespace", { tool_calls: [probe({ name: "functions.probe", arguments: exact })] }],
    [
      "with blanks around its name",
      { tool_calls: [probe({ name: " Probe\n", arguments: exact })] },
    ],
    ["with text for a number", { tool_calls: [probe({ arguments: { ...args, line: "1" } })] }],
    ["with nothing for an option", { tool_calls: [probe({ arguments: { ...args, name: "" } })] }],
    ["with null for an option", { tool_calls: [probe({ arguments: { ...args, name: null } })] }],
    ["with a list as text", { tool_calls: [probe({ arguments: { line: 1, names: '["a"]' } })] }],
    ["twice as JSON", { tool_calls: [probe({ arguments: JSON.stringify(exact) })] }],
    ["without an id", { tool_calls: [{ function: { name: "probe", arguments: exact } }] }],
    [
      "with the id of another",
      { tool_calls: [probe({ arguments: exact }), probe({ arguments: { ...args, line: 2 } })] },
      2,
    ],
    ["outside a list", { tool_calls: probe({ arguments: exact }) }],
    ["in the former field", { function_call: { name: "probe", arguments: exact } }],
    [
      "among the content",
      { content: [{ type: "tool_use", id: "c1", name: "probe", input: args }] },
    ],
    ["with its arguments as parameters", { tool_calls: [probe({ parameters: args })] }],
  ] as const)
    for (const isWhole of [true, false])
      it(`is run as the model meant it: ${what}${isWhole ? ", whole" : ""}`, async () => {
        const inputs: unknown[] = [];
        const tool = namedTool("probe", {
          ...{ description: "", category: "ui", effect: "read" },
          schema: z.object({
            line: z.int(),
            names: z.array(z.string()),
            name: z.optional(z.string()),
          }),
          question: () => ({ summary: "" }),
          execute: async (input) => {
            inputs.push(input);
            return { ok: true, output: `${inputs.length}` };
          },
        });
        const choice = isWhole ? { message } : { delta: message };
        const answer = JSON.stringify({
          choices: [{ index: 0, ...choice, finish_reason: "stop" }],
        });
        const body = isWhole ? answer : `data: ${answer}\n\ndata: [DONE]\n\n`;
        await open([{ body }, { text: "ok" }], { tools: [tool] });
        await chat.send("Go");
        assert.deepEqual(inputs, [args, { ...args, line: 2 }].slice(0, runs));
        const results = server.requests[1]?.body.messages.filter(({ role }) => role === "tool");
        assert.equal(new Set(results?.map((result) => result.tool_call_id)).size, runs);
      });
});

describe("A server that refuses one tool", () => {
  chatsIn();

  for (const [what, message, left] of [
    ["by its name", "Invalid schema for function 'bad_tool': None is not of type 'array'.", "bad"],
    ["by its place", "tools.INDEX.custom.input_schema: JSON schema is invalid", "bad"],
    ["among Gemini's", "tools[0].function_declarations[INDEX].parameters: invalid", "bad"],
    ["by none", "A tool has an invalid schema.", "both"],
  ] as const)
    it(`gets the others without it, and the user is told: ${what}`, async () => {
      const own = { origin: { tool: "t", server: "s" } };
      const made = (name: string) => ({
        ...testTool(name, async () => ({ ok: true, output: "used" })),
        ...own,
      });
      await open(
        ({ body }) => {
          const index = body.tools?.findIndex((each) => each.function.name === "bad_tool") ?? -1;
          if (index >= 0)
            return {
              status: 400,
              body: JSON.stringify({ error: { message: message.replace("INDEX", `${index}`) } }),
            };
          return { text: "ok" };
        },
        { turnTools: async () => [made("bad_tool"), made("good_tool")] },
      );
      assert.equal(await chat.send("Go"), "done");
      const names = server.requests.at(-1)?.body.tools?.map((each) => each.function.name) ?? [];
      assert.ok(names.includes("read_file"));
      assert.equal(names.includes("good_tool"), left === "bad");
      const notices = chat.events().flatMap((event) => (event.type === "notice" ? [event] : []));
      assert.deepEqual(
        notices.map((notice) => notice.code === "tools-left-out" && notice.tools),
        [left === "bad" ? ["bad_tool"] : ["bad_tool", "good_tool"]],
      );
    });
});
