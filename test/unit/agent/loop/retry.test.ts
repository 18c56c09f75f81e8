import assert from "node:assert/strict";
import { DEFAULT_RETRY, retryWait } from "../../../../src/agent/loop/retry.ts";
import { modelError } from "../../../../src/model/modelFailure.ts";
import type { ModelStep } from "../../../fakes/model/modelServer.ts";
import { testTool } from "../../../fakes/testTool.ts";
import { type LoopHarness, loopHarness } from "./loopHarness.ts";

describe("a request that fails before its answer began", () => {
  let harness: LoopHarness;
  afterEach(() => harness.close());

  const retries = () =>
    harness.turn.parts.flatMap((part) =>
      part.type === "notice" && part.code === "retry" ? [[part.attempt, part.maxAttempts]] : [],
    );

  for (const [what, step] of [
    ["too many requests", { status: 429, headers: { "retry-after": "0.01" } }],
    ["a server that fails", { status: 503 }],
    ["a connection that is closed", { dieAfter: 0 }],
    [
      "an error in place of the first chunk",
      { body: 'data: {"error":{"message":"overloaded","code":529}}\n\n' },
    ],
  ] as const satisfies readonly (readonly [string, ModelStep])[]) {
    it(`is retried: ${what}`, async () => {
      harness = await loopHarness([step, step, { text: "Hello." }]);
      assert.equal(await harness.run([]), "done");
      assert.equal(harness.server.requests.length, 3);
      assert.deepEqual(harness.server.requests[2]?.body, harness.server.requests[0]?.body);
      assert.deepEqual(retries(), [
        [1, 3],
        [2, 3],
      ]);
      assert.equal(harness.turn.retryAt, null);
    });
  }

  it("ends the turn with the last failure", async () => {
    harness = await loopHarness(() => ({ status: 500 }));
    assert.equal(await harness.run([]), "error");
    assert.equal(harness.turn.error?.kind, "server");
    assert.equal(harness.server.requests.length, 4);
  });

  for (const step of [
    { status: 401 },
    { status: 400 },
    { status: 404 },
    { status: 429, headers: { "retry-after": "3600" } },
  ]) {
    it(`is not retried when that is useless or takes too long: ${step.status}`, async () => {
      harness = await loopHarness(() => step);
      assert.equal(await harness.run([]), "error");
      // A refusal that names nothing is asked about once, by the plainest request.
      assert.equal(harness.server.requests.length, step.status === 400 ? 2 : 1);
    });
  }

  for (const [what, step] of [
    ["thinking", { reasoning: "Let me think.", dieAfter: 2 }],
    ["text", { text: "Once upon a time", dieAfter: 2 }],
  ] as const) {
    it(`is not retried once ${what} arrived, which is kept`, async () => {
      harness = await loopHarness([step]);
      assert.equal(await harness.run([]), "error");
      assert.equal(harness.turn.error?.kind, "interrupted");
      assert.equal(harness.turn.parts.length, 1);
      assert.equal(harness.server.requests.length, 1);
    });
  }
});

describe("the wait before a request is made again", () => {
  const error = modelError({ code: "server-error", status: 503 }, { baseUrl: "", model: "" });
  const policy = { ...DEFAULT_RETRY, jitter: () => 1 };

  it("doubles, three times at most", () => {
    assert.deepEqual(
      [0, 1, 2, 3].map((retries) => retryWait(policy, error, retries, 0)),
      [1_000, 2_000, 4_000, null],
    );
    assert.equal(retryWait({ ...policy, jitter: () => 0 }, error, 0, 0), 500);
  });

  it("follows Retry-After, within a minute in total", () => {
    assert.equal(retryWait(policy, { ...error, retryAfterMs: 20_000 }, 0, 0), 20_000);
    assert.equal(retryWait(policy, { ...error, retryAfterMs: 20_000 }, 1, 40_000), 20_000);
    assert.equal(retryWait(policy, { ...error, retryAfterMs: 20_000 }, 1, 40_001), null);
    assert.equal(retryWait(policy, { ...error, retryAfterMs: 61_000 }, 0, 0), null);
  });
});

describe("a model that was told to write its calls as text", () => {
  it("gets results like any other, and the call's text is not shown", async () => {
    const harness = await loopHarness(({ body }, index) => {
      const [, nonce = ""] =
        /<call (\w+) TOOL_NAME>/.exec(JSON.stringify(body.messages.at(-1))) ?? [];
      const call = `Let me look.\n<call ${nonce} read>\n{"text": "a"}\n</call ${nonce}>\n`;
      return { text: index === 0 ? call : "There it is.", chunkSize: 3 };
    });
    harness.toolForm = "text";
    const read = testTool("read", async (text) => ({ ok: true, output: `contents of ${text}` }));
    assert.equal(await harness.run([read]), "done");
    assert.deepEqual(
      harness.turn.parts.map((part) => ("text" in part ? part.text : part.type)),
      ["Let me look.\n", "tool-call", "There it is."],
    );
    const [first, second] = harness.server.requests.map(({ body }) => JSON.stringify(body));
    assert.match(second ?? "", /Result of read .*contents of a/);
    const nonces = [first, second].map(
      (body = "") => /<call (\w+) TOOL_NAME>/.exec(body)?.[1] ?? "",
    );
    assert.equal(second?.includes(nonces[0] ?? ""), false);
    assert.ok(harness.server.requests.every(({ body }) => body.tools === undefined));
    await harness.close();
  });
});
