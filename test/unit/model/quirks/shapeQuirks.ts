import { choice, content, done, path, type Quirk, read, stop } from "./quirk.ts";

const line = (value: unknown) => `${JSON.stringify(value)}\n`;
const whole = { choices: [{ message: { content: "one" }, finish_reason: "stop" }] };
const events = (...values: readonly unknown[]) => [...values, done];

/** JSON where a stream of events was asked for, and chunks inside of other objects. */
export const shapeQuirks: readonly Quirk[] = [
  {
    // https://github.com/hackclub/ai/issues/17
    what: "an object a line",
    body: [content("one "), content("two"), stop].map(line),
    text: "one two",
  },
  {
    what: "an object a line, with blank lines and the end mark",
    body: [line(content("one")), "\r\n", line(stop), "\n[DONE]\n"],
    text: "one",
  },
  {
    what: "an object a line, the last without its end",
    body: [line(content("one")), JSON.stringify(stop)],
    text: "one",
  },
  {
    // https://github.com/mudler/LocalAI/issues/648
    what: "objects on several lines, without data",
    body: [content("one {"), content('"}\\'), stop].map((each) => JSON.stringify(each, null, 2)),
    text: 'one {"}\\',
  },
  {
    what: "a list of chunks that grows",
    body: ["[", line(content("one ")), ",\n", line(content("two")), ",", line(stop), "]"],
    text: "one two",
  },
  {
    // https://github.com/decolua/9router/issues/3492
    what: "a whole completion with the end mark of a stream",
    body: [JSON.stringify(whole), "\n\ndata: [DONE]\n\n"],
    text: "one",
  },
  {
    what: "a call in an object a line",
    body: [
      choice({
        tool_calls: [{ index: 0, id: "c", function: { name: "read_file", arguments: "" } }],
      }),
      choice({ tool_calls: [{ index: 0, function: { arguments: path } }] }),
      choice({}, "tool_calls"),
    ].map(line),
    calls: [read("c")],
  },
  {
    what: "an object a line, cut in the middle",
    body: [line(content("one")), '{"choices":[{"del'],
    text: "one",
    error: ["interrupted", "interrupted"],
  },
  {
    what: "an object a line, without a reason at the end",
    body: [line(content("one")), line(content(" two"))],
    text: "one two",
    error: ["interrupted", "interrupted"],
  },
  {
    what: "an error in an object a line, after text",
    body: [line(content("one")), line({ error: { message: "Worker lost", code: 502 } })],
    text: "one",
    error: ["interrupted", "stream-error", "Worker lost"],
  },
  {
    what: "an error in an object a line, as the first",
    body: [line({ error: "model is loading" })],
    error: ["server", "stream-error", "model is loading"],
  },
  {
    what: "text between objects",
    body: [line(content("one")), "upstream lost\n", line(content("two"))],
    text: "onetwo",
    error: ["interrupted", "invalid-json", "upstream lost"],
  },
  {
    what: "events without blank lines between them",
    body: [...[content("one "), content("two"), stop].map((each) => `data: ${line(each)}`), done],
    text: "one two",
  },
  {
    what: "a list of chunks in one event",
    body: events([content("one "), content("two"), stop]),
    text: "one two",
  },
  ...["data", "result", "response", "output", "body", "payload"].flatMap((name): Quirk[] => [
    {
      what: `chunks in ${name}`,
      body: events(
        { code: 0, msg: "success", [name]: content("one ") },
        { code: 0, msg: "success", [name]: content("two") },
        { code: 0, msg: "success", [name]: stop },
      ),
      text: "one two",
    },
    {
      what: `a whole completion in ${name}, with its usage beside`,
      body: [
        JSON.stringify({
          success: true,
          message: "OK",
          [name]: whole,
          usage: { prompt_tokens: 1, completion_tokens: 7 },
        }),
      ],
      text: "one",
      outputTokens: 7,
    },
  ]),
  {
    what: "chunks two deep",
    body: events({ data: { result: content("one") } }, { data: { result: stop } }),
    text: "one",
  },
  {
    what: "a whole completion as JSON text, as API gateways wrap it",
    body: [JSON.stringify({ statusCode: 200, headers: {}, body: JSON.stringify(whole) })],
    text: "one",
  },
  {
    what: "an error as JSON text",
    body: [
      JSON.stringify({ statusCode: 200, body: JSON.stringify({ error: { message: "No quota" } }) }),
    ],
    error: ["server", "stream-error", "No quota"],
  },
  {
    what: "an error in data",
    body: events({ data: { error: { message: "Worker lost" } } }),
    error: ["server", "stream-error", "Worker lost"],
  },
  {
    what: "an error beside data without choices",
    body: [JSON.stringify({ code: 500, msg: "Worker lost", data: { choices: [] } })],
    error: ["server", "server-error", "Worker lost"],
  },
  {
    what: "an error beside data that is null",
    body: [JSON.stringify({ code: 500, msg: "Worker lost", data: null })],
    error: ["server", "server-error", "Worker lost"],
  },
  {
    what: "Cloudflare: a text in result.response",
    body: [
      JSON.stringify({ result: { response: "one" }, success: true, errors: [], messages: [] }),
    ],
    text: "one",
    finish: "unknown",
  },
  {
    what: "Cloudflare: texts in response",
    body: events({ response: "one " }, { response: "two" }, { response: "", usage: {} }),
    text: "one two",
    finish: "unknown",
  },
  {
    what: "DashScope: a text in output",
    body: [
      JSON.stringify({
        output: { text: "one", finish_reason: "stop" },
        usage: { input_tokens: 3, output_tokens: 1 },
      }),
    ],
    text: "one",
    outputTokens: 1,
    finish: "unknown",
  },
  {
    // https://github.com/mudler/LocalAI/issues/648
    what: "LocalAI: the text of a completion in a choice",
    body: [
      { choices: [{ text: "one" }] },
      { choices: [{ text: "", finish_reason: "stop" }] },
      done,
    ],
    text: "one",
  },
  {
    what: "Baidu: texts in result",
    body: [
      { id: "a", result: "one ", is_end: false },
      { id: "a", result: "two", is_end: true, finish_reason: "normal" },
    ],
    text: "one two",
  },
  {
    // https://github.com/SillyTavern/SillyTavern/issues/5128
    what: "Ollama: messages of its own API",
    body: [
      { model: "m", message: { role: "assistant", content: "", thinking: "hm" }, done: false },
      { model: "m", message: { role: "assistant", content: "one" }, done: false },
      {
        ...{ model: "m", message: { role: "assistant", content: "" }, done: true },
        ...{ done_reason: "stop", prompt_eval_count: 3, eval_count: 2 },
      },
    ].map(line),
    text: "one",
    reasoning: "hm",
    outputTokens: 2,
  },
  {
    what: "Ollama: responses of its own API",
    body: [
      { model: "m", response: "one", done: false },
      { model: "m", response: "", done: true, done_reason: "stop" },
    ].map(line),
    text: "one",
  },
  {
    // https://github.com/BerriAI/litellm/pull/24373
    what: "Zhipu: a refusal without a word",
    body: [choice({ role: "assistant", content: "" }, "sensitive"), done],
    finish: "content-filter",
  },
  {
    what: "Zhipu: a failure without a word",
    body: [choice({ role: "assistant", content: "" }, "network_error"), done],
    error: ["server", "provider-failure", "network_error"],
  },
  {
    what: "Zhipu: no room in the window",
    body: [content("one"), choice({}, "model_context_window_exceeded"), done],
    text: "one",
    finish: "length",
  },
  {
    what: "Zhipu: an error in place of the first chunk",
    body: [
      { error: { code: "1301", message: "系统检测到输入或生成内容可能包含不安全或敏感内容" } },
    ],
    error: ["content-filter", "content-filter", "敏感"],
  },
  {
    what: "JSON of another form",
    body: ['{"candidates":[{"content":{"parts":[{"text":"one"}]}}]}'],
    error: ["server", "unreadable", "candidates"],
  },
];
