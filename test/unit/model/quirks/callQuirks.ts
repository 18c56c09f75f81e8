import { call, called, choice, content, done, path, type Quirk, read, stop } from "./quirk.ts";

/** A piece of a call in one of several choices; its id comes with its name. */
const ofChoice = (
  choice: number,
  index: number | null,
  name: string | undefined,
  args: string,
) => ({
  choices: [
    {
      index: choice,
      delta: {
        tool_calls: [
          {
            ...(index !== null && { index }),
            ...(name !== undefined && { id: `c${choice}` }),
            function: { ...(name !== undefined && { name }), arguments: args },
          },
        ],
      },
    },
  ],
});

/** How calls are divided and marked. */
export const callQuirks: readonly Quirk[] = [
  {
    what: "vLLM: id and name once more with the last piece and the reason",
    body: [
      call({ index: 0, id: "chatcmpl-tool-1" }, "read_file", ""),
      call({ index: 0 }, undefined, '{"path":'),
      choice(
        {
          tool_calls: [
            {
              index: 0,
              id: "chatcmpl-tool-1",
              type: "function",
              function: { name: "read_file", arguments: '"a.ts"}' },
            },
          ],
        },
        "tool_calls",
      ),
      done,
    ],
    calls: [read("chatcmpl-tool-1")],
  },
  {
    what: "vLLM and LMDeploy: index 0 for every call, empty ids for what continues",
    body: [
      call({ index: 0, id: "c1" }, "read_file", ""),
      call({ index: 0, id: "" }, null, path),
      call({ index: 0, id: "c2" }, "grep", ""),
      call({ index: 0, id: "" }, null, '{"q":"x"}'),
      stop,
      done,
    ],
    calls: [read("c1"), 'c2 grep {"q":"x"}'],
  },
  {
    what: "SGLang: ids that count from 0, repeated with every piece",
    body: [
      call({ index: 0, id: "0" }, "read_file", ""),
      call({ index: 0, id: "0" }, null, path),
      call({ index: 0, id: "1" }, "grep", ""),
      call({ index: 0, id: "1" }, null, "{}"),
      called,
      done,
    ],
    calls: [read("0"), "1 grep {}"],
  },
  {
    what: "Gemini: whole calls one chunk each, without index, a signature with the first, `stop` as the reason",
    body: [
      call(
        { id: "function-call-1", extra_content: { google: { thought_signature: "c2ln" } } },
        "read_file",
        path,
      ),
      call({ id: "function-call-2" }, "read_file", '{"path":"b.ts"}'),
      choice({ role: "assistant" }, "stop"),
      done,
    ],
    calls: [read("function-call-1"), 'function-call-2 read_file {"path":"b.ts"}'],
  },
  {
    what: "Gemini: arguments in pieces without index",
    body: [call({ id: "f1" }, "read_file", '{"path"'), call({}, undefined, ':"a.ts"}'), stop, done],
    calls: [read("f1")],
  },
  {
    what: "Qwen on Alibaba: empty name and id with every further piece",
    body: [
      call({ index: 0, id: "c1" }, "read_file", '{"path"'),
      call({ index: 0, id: "" }, "", ':"a.ts"}'),
      call({ index: 0, id: "" }, "", null),
      called,
      done,
    ],
    calls: [read("c1")],
  },
  {
    what: "Kimi: ids made of name and place",
    body: [
      call({ index: 0, id: "functions.read_file:0" }, "read_file", ""),
      call({ index: 0 }, undefined, path),
      call({ index: 1, id: "functions.grep:1" }, "grep", "{}"),
      called,
      done,
    ],
    calls: [read("functions.read_file:0"), "functions.grep:1 grep {}"],
  },
  {
    what: "GLM: a whole call in one chunk beside the reason",
    body: [
      choice(
        {
          role: "assistant",
          content: "One.",
          tool_calls: [
            {
              id: "call_-1",
              index: 0,
              type: "function",
              function: { name: "read_file", arguments: path },
            },
          ],
        },
        "tool_calls",
      ),
      done,
    ],
    text: "One.",
    calls: [read("call_-1")],
  },
  {
    what: "Mistral: calls without index or type, all in the chunk of the reason",
    body: [
      choice(
        {
          content: "",
          tool_calls: [
            { id: "D681PevKs", function: { name: "read_file", arguments: path } },
            { id: "null", function: { name: "grep", arguments: "{}" } },
          ],
        },
        "tool_calls",
      ),
      done,
    ],
    calls: [read("D681PevKs"), "null grep {}"],
  },
  {
    what: "OpenRouter with DeepInfra: the reason with each of several calls",
    body: [
      choice({ role: "assistant", content: "" }),
      choice(
        {
          tool_calls: [
            {
              index: 0,
              id: "0",
              type: "function",
              function: { name: "read_file", arguments: path },
            },
          ],
        },
        "tool_calls",
      ),
      choice(
        {
          tool_calls: [
            { index: 1, id: "1", type: "function", function: { name: "grep", arguments: "{}" } },
          ],
        },
        "tool_calls",
      ),
      {
        ...choice({ role: "assistant", content: "" }),
        usage: { prompt_tokens: 1, completion_tokens: 12 },
      },
      done,
    ],
    calls: [read("0"), "1 grep {}"],
    outputTokens: 12,
  },
  {
    what: "vLLM with gpt-oss: tokens behind the name",
    body: [call({ index: 0, id: "c1" }, "read_file<|channel|>commentary", path), called, done],
    calls: [read("c1")],
  },
  {
    what: "an endpoint for Claude: text before the call, an empty first piece",
    body: [
      content("One."),
      call({ index: 0, id: "toolu_1" }, "read_file", ""),
      call({ index: 0 }, undefined, ""),
      call({ index: 0 }, undefined, path),
      choice({}, "tool_use"),
      done,
    ],
    text: "One.",
    calls: [read("toolu_1")],
  },
  {
    what: "llama.cpp: null content, the id with the first piece only",
    body: [
      choice({ role: "assistant", content: null }),
      call({ index: 0, id: "Xk2" }, "read_file", "{"),
      call({ index: 0 }, undefined, '"path":"a.ts"}'),
      called,
      done,
    ],
    calls: [read("Xk2")],
  },
  {
    what: "Ollama, older: no index at all",
    body: [
      call({ id: "call_1" }, "read_file", path),
      call({ id: "call_2" }, "grep", "{}"),
      stop,
      done,
    ],
    calls: [read("call_1"), "call_2 grep {}"],
  },
  {
    what: "arguments as an object, in two calls at index 0",
    body: [
      call({ index: 0, id: "" }, "read_file", { path: "a.ts" }),
      call({ index: 0, id: "" }, "grep", { q: "x" }),
      stop,
      done,
    ],
    calls: [read("*"), '* grep {"q":"x"}'],
  },
  {
    what: "null for arguments",
    body: [call({ index: 0, id: "c1" }, "grep", null), called, done],
    calls: ["c1 grep {}"],
  },
  {
    what: "`tool_calls` as the reason, without any",
    body: [content("one"), called, done],
    text: "one",
    finish: "tool-calls",
  },
  {
    what: "`function_call` as the reason, without any",
    body: [content("one"), choice({}, "function_call"), done],
    text: "one",
    finish: "tool-calls",
  },
  {
    what: "calls as text, which nobody knows to read",
    body: [content("one"), choice({ tool_calls: `[{"name":"read_file"}]` }, "stop"), done],
    text: "one",
    finish: "tool-calls",
  },
  {
    what: "calls by their numbers, which nobody knows to read",
    body: [choice({ content: "one", tool_calls: { 0: { id: "c1", name: "grep" } } }), stop, done],
    text: "one",
    finish: "tool-calls",
  },
  {
    what: "one call that is no list",
    body: [
      choice({ tool_calls: { id: "c1", function: { name: "read_file", arguments: path } } }),
      called,
      done,
    ],
    calls: [read("c1")],
  },
  {
    what: "one call that is no list, in pieces",
    body: [
      choice({ tool_calls: { index: 0, id: "c1", function: { name: "read_file" } } }),
      choice({ tool_calls: { index: 0, function: { arguments: '{"path":' } } }),
      choice({ tool_calls: { index: 0, function: { arguments: '"a.ts"}' } } }),
      called,
      done,
    ],
    calls: [read("c1")],
  },
  {
    // https://docs.anthropic.com/en/api/messages
    what: "calls among the parts of content",
    body: [
      choice({
        content: [
          { type: "text", text: "one" },
          { type: "tool_use", id: "toolu_1", name: "read_file", input: { path: "a.ts" } },
          { type: "tool_use", id: "toolu_2", name: "grep", input: {} },
        ],
      }),
      choice({}, "tool_use"),
      done,
    ],
    text: "one",
    calls: [read("toolu_1"), "toolu_2 grep {}"],
    finish: "tool-calls",
  },
  {
    what: "the same, whole, the call as the only part",
    body: [
      JSON.stringify({
        choices: [
          {
            message: {
              content: { type: "tool_use", id: "c1", name: "read_file", input: { path: "a.ts" } },
            },
            finish_reason: "tool_use",
          },
        ],
      }),
    ],
    calls: [read("c1")],
    finish: "tool-calls",
  },
  {
    what: "calls among the parts of content, as other gateways have them",
    body: [
      choice({
        content: [
          { type: "tool_call", id: "c1", name: "read_file", arguments: path },
          { type: "function_call", call_id: "c2", name: "read_file", arguments: path },
          { type: "function", id: "c3", function: { name: "read_file", arguments: path } },
        ],
      }),
      stop,
      done,
    ],
    calls: [read("c1"), read("c2"), read("c3")],
  },
  ...["parameters", "input"].map(
    (field): Quirk => ({
      what: `arguments in \`${field}\``,
      body: [
        choice({
          tool_calls: [
            { index: 0, id: "c1", function: { name: "read_file", [field]: { path: "a.ts" } } },
          ],
        }),
        called,
        done,
      ],
      calls: [read("c1")],
    }),
  ),
  {
    what: "a call among the parts of content and in its list, once",
    body: [
      choice({
        content: [{ type: "tool_use", id: "c1", name: "read_file", input: { path: "a.ts" } }],
        tool_calls: [{ id: "c1", function: { name: "read_file", arguments: path } }],
      }),
      called,
      done,
    ],
    calls: [read("c1")],
  },
  ...[0, null].map(
    (index): Quirk => ({
      what: `the calls of two choices in turns, with index ${index}`,
      body: [
        ...["read_file", "grep"].map((name, at) => ofChoice(at, index, name, "")),
        ...['{"path":', '"a.ts"}'].flatMap((args, piece) => [
          ofChoice(0, index, undefined, args),
          ofChoice(1, index, undefined, ['{"q":', '"x"}'][piece] ?? ""),
        ]),
        { choices: [0, 1].map((at) => ({ index: at, delta: {}, finish_reason: "tool_calls" })) },
        done,
      ],
      calls: [read("c0"), 'c1 grep {"q":"x"}'],
    }),
  ),
  {
    what: "empty and null lists of calls",
    body: [
      choice({ content: "one", tool_calls: [] }),
      choice({ content: "", tool_calls: null }),
      stop,
      done,
    ],
    text: "one",
  },
  {
    what: "Qwen and Hermes on a local server: the call as text, which stays text",
    body: [
      content("One.\n<tool_"),
      content(`call>\n{"name": "read_file", "arguments": ${path}}\n</tool`),
      content("_call>"),
      stop,
      done,
    ],
    text: `One.\n<tool_call>\n{"name": "read_file", "arguments": ${path}}\n</tool_call>`,
  },
  {
    what: "vLLM with Command A: an empty name and arguments before the name",
    body: [
      call({ index: 0, id: "c1" }, "", '{"path"'),
      call({ index: 0 }, "read_file", ""),
      call({ index: 0 }, undefined, ':"a.ts"}'),
      called,
      done,
    ],
    calls: [read("c1")],
  },
  {
    what: "LiteLLM: indices that begin with 1",
    body: [
      call({ index: 1, id: "c1" }, "read_file", ""),
      call({ index: 1, id: null }, null, path),
      called,
      done,
    ],
    calls: [read("c1")],
  },
  {
    what: "pieces of no call at all beside the text",
    body: [
      choice({
        content: "one",
        tool_calls: [{ index: 0, id: null, type: null, function: { name: null, arguments: "" } }],
      }),
      stop,
      done,
    ],
    text: "one",
  },
  {
    what: "pieces of no call at all behind the calls",
    body: [
      call({ index: 0, id: "c1" }, "read_file", path),
      call({ index: 0, id: "" }, null, ""),
      choice({ tool_calls: [{}] }),
      called,
      done,
    ],
    calls: [read("c1")],
  },
  {
    // https://platform.openai.com/docs/api-reference/chat: `function_call` is deprecated, not gone.
    what: "an older server: one call in `function_call`, in pieces",
    body: [
      choice({ role: "assistant", content: null, function_call: { name: "read_file" } }),
      choice({ function_call: { arguments: '{"path":' } }),
      choice({ function_call: { arguments: '"a.ts"}' } }),
      choice({}, "function_call"),
      done,
    ],
    calls: [read("*")],
    finish: "tool-calls",
  },
  {
    what: "the same, whole",
    body: [
      JSON.stringify({
        object: "chat.completion",
        choices: [
          {
            index: 0,
            message: {
              role: "assistant",
              content: null,
              function_call: { name: "read_file", arguments: path },
            },
            finish_reason: "function_call",
          },
        ],
      }),
    ],
    calls: [read("*")],
    finish: "tool-calls",
  },
  ...[
    "functions.read_file",
    " read_file ",
    "functions::read_file",
    "tool:Read_File",
    "read-file:0",
  ].map(
    (name): Quirk => ({
      what: `a name that the model knows otherwise: ${JSON.stringify(name)}`,
      body: [call({ index: 0, id: "c1" }, name, path), called, done],
      calls: [read("c1")],
    }),
  ),
  {
    what: "a name that no tool has",
    body: [call({ index: 0, id: "c1" }, "functions.format_disk", path), called, done],
    calls: [`c1 functions.format_disk ${path}`],
  },
  {
    what: "one id for two calls, without index",
    body: [
      call({ id: "c1" }, "read_file", path),
      call({ id: "c1" }, "read_file", '{"path":"b.ts"}'),
      called,
      done,
    ],
    calls: [read("c1"), '* read_file {"path":"b.ts"}'],
  },
  {
    what: "one id for two calls in one chunk",
    body: [
      choice({
        tool_calls: [
          { index: 0, id: "c1", function: { name: "read_file", arguments: path } },
          { index: 1, id: "c1", function: { name: "grep", arguments: '{"pattern":"a"}' } },
        ],
      }),
      called,
      done,
    ],
    calls: [read("c1"), '* grep {"pattern":"a"}'],
  },
  {
    what: "one id for two calls at one index",
    body: [
      call({ index: 0, id: "c1" }, "read_file", path),
      call({ index: 0, id: "c1" }, "grep", '{"pattern":"a"}'),
      called,
      done,
    ],
    calls: [read("c1"), '* grep {"pattern":"a"}'],
  },
  {
    what: "a call whose name and arguments are not in `function`",
    body: [
      choice({
        tool_calls: [{ index: 0, id: "c1", name: "read_file", arguments: { path: "a.ts" } }],
      }),
      called,
      done,
    ],
    calls: [read("c1")],
  },
  {
    what: "two calls without ids",
    body: [
      choice({
        tool_calls: [
          { function: { name: "read_file", arguments: path } },
          { function: { name: "grep", arguments: '{"pattern":"a"}' } },
        ],
      }),
      called,
      done,
    ],
    calls: [read("*"), '* grep {"pattern":"a"}'],
  },
];
