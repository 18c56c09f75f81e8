import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { createOpenaiClient } from "../../../src/model/openaiClient.ts";
import { batchReading } from "./batchReading.ts";
import { answerOf, GENEROUS, HELLO } from "./collect.ts";

const folder = resolve(import.meta.dirname, "../../../../shared/data/sse");
/** Every byte of so much of a recording, and some of what follows; with CUTS=all in the environment, every byte up to 1,500 and more of the rest. */
const [EVERY_BYTE, ENDS] = process.env.CUTS === "all" ? [1_500, 60] : [40, 4];

const tools = [{ name: "grep", description: "", parameters: { type: "object" } }];

describe("an answer that ends at any byte", () => {
  it("gives what had come until then, and says that it is not all", async function () {
    this.timeout(process.env.CUTS === "all" ? 900_000 : 60_000);
    if (!existsSync(folder)) {
      console.log("      skipped: the recordings are not beside the repository (../shared/data/sse)");
      this.skip();
    }
    let cut = 0;
    for (const name of readdirSync(folder).filter((each) => each.endsWith(".sse"))) {
      const body = readFileSync(resolve(folder, name), "utf8").replaceAll("\r\n", "\n");
      const bytes = Buffer.from(body);
      const whole = batchReading(body);
      const said = [whole.text, whole.calls.map(({ args }) => args)];
      for (const length of cutsOf(bytes)) {
        const sent = bytes.subarray(0, length);
        const client = createOpenaiClient({
          baseUrl: "http://cut.invalid/v1",
          apiKey: null,
          limits: GENEROUS,
          fetch: async () => new Response(new Blob([new Uint8Array(sent)]).stream()),
        });
        const answer = await answerOf(client, { ...HELLO, tools });
        const at = `${name} cut at ${length}`;
        const lastEvent = sent.lastIndexOf("\n\n");
        const complete = batchReading(lastEvent < 0 ? "" : sent.subarray(0, lastEvent).toString("utf8"));
        assert.ok(answer.text.startsWith(complete.text) && whole.text.startsWith(answer.text), `${at}: text`);
        assert.ok(answer.reasoning.startsWith(complete.reasoning) && whole.reasoning.startsWith(answer.reasoning), `${at}: reasoning`);
        assert.ok(answer.calls.length >= complete.calls.length, `${at}: calls`);
        for (const [k, call] of answer.calls.entries()) {
          assert.equal(call.name, whole.calls[k]?.name, `${at}: call ${k}`);
          assert.ok(
            call.deltas.startsWith(complete.calls[k]?.args ?? "") && whole.calls[k]?.args.startsWith(call.deltas),
            `${at}: call ${k}`,
          );
        }
        assert.ok(complete.finishes.length > 0 || complete.error || answer.error !== null || answer.finish !== null, at);
        // A provider that said why it stopped need not say so again.
        const finished = /"finish_reason": ?"/.test(sent.toString("utf8"));
        if (answer.error === null && !finished)
          assert.deepEqual([answer.text, answer.calls.map(({ deltas }) => deltas)], said, `${at}: counts as complete`);
        cut += 1;
      }
    }
    console.log(`      ${cut} cuts`);
  });
});

function cutsOf(bytes: Buffer): number[] {
  const cuts = Array.from({ length: Math.min(bytes.length, EVERY_BYTE) }, (_, at) => at);
  const ends: number[] = [];
  for (let at = bytes.indexOf("\n\n", EVERY_BYTE); at >= 0; at = bytes.indexOf("\n\n", at + 1)) ends.push(at);
  const stride = Math.ceil(ends.length / ENDS);
  return [...cuts, ...ends.filter((_, index) => index % stride === 0 || index > ends.length - 4).flatMap((end) => [end - 1, end, end + 2])];
}
