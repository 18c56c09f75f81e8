import { content, done, type Quirk, stop } from "./quirk.ts";

/** How events are written, kept apart and ended. */
export const framingQuirks: readonly Quirk[] = [
  {
    what: "a byte order mark before the first event",
    body: ["\ufeff", content("one"), stop, done],
    text: "one",
  },
  {
    what: "a byte order mark before a whole completion",
    body: ["\ufeff", '{"choices":[{"message":{"content":"one"},"finish_reason":"stop"}]}'],
    text: "one",
  },
  { what: "blank lines first", body: ["\n\n\n", content("one"), stop, done], text: "one" },
  {
    what: "OpenRouter: comments before and between the events",
    body: [
      ": OPENROUTER PROCESSING\n\n",
      content("one "),
      ": OPENROUTER PROCESSING\n\n",
      content("two"),
      stop,
      done,
    ],
    text: "one two",
  },
  {
    what: "a comment right above the data, as DeepSeek keeps a connection alive",
    body: [": keep-alive\n", content("one"), stop, done],
    text: "one",
  },
  {
    what: "events of data that are empty, as relays keep a connection alive",
    body: [content("one "), "data:\n\n", "data: \n\n", content("two"), stop, done],
    text: "one two",
  },
  {
    what: "a comment that a gateway sends on as data",
    body: ["data: : OPENROUTER PROCESSING\n\n", content("one"), stop, done],
    text: "one",
  },
  {
    what: "events without data: a name, an id, a time to wait",
    body: [
      "retry: 3000\n\n",
      "event: ping\n\n",
      "id: 7\n\n",
      content("one"),
      "event: ping\ndata: {}\n\n",
      stop,
      done,
    ],
    text: "one",
  },
  {
    what: "names, ids and unknown fields beside the data",
    body: [
      "event: completion.chunk\nid: 1\nmeta: x\n",
      content("one"),
      "id: 2\n",
      stop,
      "event: done\n",
      done,
    ],
    text: "one",
  },
  {
    what: "JSON on several lines of data",
    body: [
      JSON.stringify(content("one"), null, 1)
        .split("\n")
        .map((line) => `data: ${line}\n`)
        .join(""),
      "\n",
      stop,
      done,
    ],
    text: "one",
  },
  {
    what: "lines that end with CR alone",
    body: [`data: ${JSON.stringify(content("one"))}\r\r`, `data: ${JSON.stringify(stop)}\r\r`],
    text: "one",
  },
  {
    what: "no blank line at the end, as llama.cpp sends it",
    body: [content("one"), stop, "data: [DONE]"],
    text: "one",
  },
  {
    what: "anything at all after the end mark",
    body: [content("one"), done, "data: {nonsense\n\n", "<html>\n\n"],
    text: "one",
    finish: "unknown",
  },
  { what: "no end mark but a reason", body: [content("one"), stop], text: "one" },
  {
    what: "blanks around the end mark",
    body: [content("one"), "data:  [DONE] \n\n"],
    text: "one",
    finish: "unknown",
  },
  {
    what: "a whole completion in lines, after white space",
    body: [
      `\n  ${JSON.stringify({ choices: [{ message: { content: "one" }, finish_reason: "stop" }] }, null, 2)}\n`,
    ],
    text: "one",
  },
];
