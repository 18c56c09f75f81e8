import assert from "node:assert/strict";
import { OpenAI } from "openai";
import { framingQuirks } from "./quirks/framingQuirks.ts";
import { content, done, type Quirk, stop } from "./quirks/quirk.ts";

/** What the iterator of OpenAI's client makes of a body; null where it throws. */
async function iterated({ body }: Quirk): Promise<string | null> {
  const whole = body
    .map((part) => (typeof part === "string" ? part : `data: ${JSON.stringify(part)}\n\n`))
    .join("");
  const api = new OpenAI({
    apiKey: "none",
    baseURL: "http://127.0.0.1:9/v1",
    maxRetries: 0,
    logLevel: "off",
    fetch: async () => new Response(whole, { headers: { "content-type": "text/event-stream" } }),
  });
  const request = { model: "m", messages: [{ role: "user" as const, content: "hi" }] };
  try {
    let text = "";
    for await (const chunk of await api.chat.completions.create({ ...request, stream: true }))
      for (const choice of chunk.choices) text += choice.delta.content ?? "";
    return text;
  } catch {
    return null;
  }
}

const LOST = [
  "a byte order mark before a whole completion",
  "a whole completion in lines, after white space",
  "events of data that are empty, as relays keep a connection alive",
  "a comment that a gateway sends on as data",
  "events without data: a name, an id, a time to wait",
  "blanks around the end mark",
];

/**
 * Why Graft reads streams itself, which `wireQuirks.test.ts` shows for the same bodies. Once these
 * fail, the client's iterator can take over.
 */
describe("the iterator of OpenAI's client loses", () => {
  for (const what of LOST)
    it(what, async () => {
      const quirk = framingQuirks.find((each) => each.what === what);
      assert.ok(quirk?.text !== undefined);
      assert.notEqual(await iterated(quirk), quirk.text);
    });

  it("nothing of a plain stream", async () => {
    const plain = { what: "", body: [content("one "), content("two"), stop, done] };
    assert.equal(await iterated(plain), "one two");
  });
});
