import assert from "node:assert/strict";
import * as z from "zod/mini";
import { disposable } from "../../../src/base/disposable.ts";
import type { Approval, ApprovalRequest } from "../../../src/ports/approval.ts";
import { namedTool, type ToolDefinition } from "../../../src/tools/defineTool.ts";
import { createToolProgress } from "../../../src/tools/results/toolProgress.ts";
import type { Tool, ToolContext, ToolError } from "../../../src/tools/tool.ts";
import { readCall } from "../../../src/tools/toolArguments.ts";
import { toolResultText } from "../../../src/tools/toolResultText.ts";
import { createToolRouter, MAX_RESULT_LENGTH } from "../../../src/tools/toolRouter.ts";
import type { TurnEventBody } from "../../../src/turns/turnEvent.ts";
import { pluck } from "../../fakes/pluck.ts";
import { runCall } from "../../fakes/runCall.ts";

const schema = z.object({
  text: z.string().check(z.minLength(1)),
  times: z.optional(z.int().check(z.minimum(1))),
});

type Traits = ToolDefinition<typeof schema> & Tool;

function echo({ effect = "read", name = "echo", ...traits }: Partial<Traits> = {}): Tool {
  return namedTool(name, {
    description: "Says it again.",
    category: "ui",
    effect,
    timeoutMs: 60_000,
    schema,
    question: ({ text }) => ({ summary: `Say ${text}` }),
    execute: async ({ text, times = 1 }) => ({ ok: true, output: text.repeat(times) }),
    ...traits,
  });
}

const allow: Approval = { request: async () => ({ allowed: true, by: "user" }) };

function context(
  signal = new AbortController().signal,
): ToolContext & { readonly events: TurnEventBody[] } {
  const events: TurnEventBody[] = [];
  const streams = { register: () => disposable(() => undefined) };
  return { turnId: "t", callId: "c", signal, emit: (event) => events.push(event), streams, events };
}

async function answer(
  tool: Tool,
  argsText: string,
  approval = allow,
  used = context(),
): Promise<string> {
  return toolResultText(
    await runCall(
      createToolRouter([tool], approval),
      { callId: "c", name: "echo", argsText },
      used,
    ),
  );
}

describe("tool router", () => {
  it("runs a call with valid arguments, and ignores nulls", async () => {
    assert.equal(await answer(echo(), '{"text":"ab","times":2}'), "abab");
    assert.equal(await answer(echo(), '{"text":"ab","times":null}'), "ab");
    assert.equal(await answer(echo(), JSON.stringify('{"text":"ab"}')), "ab");
  });

  it("names the tools when the model calls an unknown one", async () => {
    const router = createToolRouter([echo(), echo({ name: "other" })], allow);
    const text = toolResultText(
      await runCall(router, { callId: "c", name: "shout", argsText: "{}" }, context()),
    );
    assert.equal(
      text,
      'Error (not-found): There is no tool named "shout". The tools are: echo, other, read_result.',
    );
  });

  it("says what is wrong with each argument", async () => {
    assert.equal(
      await answer(echo(), '{"times":"two"}'),
      "Error (validation): The arguments of echo are not valid: text: Invalid input: expected string, received undefined; times: Invalid input: expected number, received string. Call echo again. Its parameters are: text, times.",
    );
    assert.match(
      await answer(echo(), '{"text":"","times":0}'),
      /text: Too small: .*; times: Too small: expected number to be >=1\./,
    );
    assert.match(await answer(echo(), "[]"), /expected object, received array/);
    assert.match(
      await answer(echo(), '{"text":'),
      /^Error \(validation\): The arguments are not valid JSON \(.+\)\. Call echo again with one JSON object\.$/,
    );
  });

  it("omits from the JSON Schema what strict providers reject", () => {
    const [spec] = createToolRouter([echo()], allow).specs;
    assert.equal(spec?.parameters.$schema, undefined);
    assert.equal(spec?.parameters.type, "object");
    assert.deepEqual(spec?.parameters.required, ["text"]);
  });

  it("asks before a tool that writes, and returns the reason of a denial", async () => {
    const used = context();
    assert.equal(await answer(echo({ effect: "write" }), '{"text":"a"}', allow, used), "a");
    assert.deepEqual(used.events, [
      { type: "approval-request", callId: "c", tool: "echo", effect: "write", summary: "Say a" },
      { type: "approval-decision", callId: "c", allowed: true, by: "user" },
      { type: "tool-start", callId: "c" },
    ]);
    const deny: Approval = { request: async () => ({ allowed: false, by: "user" }) };
    const denied = context();
    assert.match(
      await answer(echo({ effect: "execute" }), '{"text":"a"}', deny, denied),
      /^Error \(permission\): The user denied echo\./,
    );
    assert.ok(!denied.events.some(({ type }) => type === "tool-start"));
  });

  it("asks by the effect of the call, not of its tool", async () => {
    const tool = echo({
      effect: "execute",
      question: ({ text, times = 1 }) => ({
        summary: `Say ${text}`,
        effect: times > 1 ? "execute" : "read",
      }),
    });
    const router = createToolRouter([tool], allow);
    const effectOf = (argsText: string) =>
      router.prepare(readCall({ callId: "c", name: "echo", argsText })).effect;
    assert.equal(effectOf('{"text":"a"}'), "read");
    assert.equal(effectOf('{"text":"a","times":2}'), "execute");
    assert.equal(effectOf("{"), "execute");
    for (const [argsText, asked] of [
      ['{"text":"a"}', false],
      ['{"text":"a","times":2}', true],
    ] as const) {
      const used = context();
      await answer(tool, argsText, allow, used);
      assert.equal(
        used.events.some(({ type }) => type === "approval-request"),
        asked,
      );
    }
  });

  it("adds tools for a turn at the end, replaces none, and shares clipped results", async () => {
    const long = echo({
      name: "long",
      execute: async () => ({ ok: true, output: "x\n".repeat(MAX_RESULT_LENGTH) }),
    });
    const router = createToolRouter([echo()], allow);
    const more = router.withTools([
      echo({ name: "other" }),
      long,
      echo({ description: "Another." }),
    ]);
    assert.deepEqual(
      more.specs
        .map(({ name, description }) => `${name}: ${description.split(".")[0]}`)
        .filter((text) => !text.startsWith("read_result")),
      ["echo: Says it again", "other: Says it again", "long: Says it again"],
    );
    assert.deepEqual(pluck(router.specs, "name"), ["echo", "read_result"]);
    await runCall(more, { callId: "c", name: "long", argsText: '{"text":"a"}' }, context());
    const next = await runCall(
      router,
      { callId: "d", name: "read_result", argsText: '{"result_id":"r1","offset":60000}' },
      context(),
    );
    assert.match(toolResultText(next), /^x\nx/);
  });

  it("puts the command, the deciding rule and its scope on record", async () => {
    const used = context();
    const tool = echo({
      effect: "execute",
      question: ({ text }) => ({ summary: `Say ${text}`, command: { text, folder: "web" } }),
    });
    const requests: ApprovalRequest[] = [];
    const approval: Approval = {
      async request(request) {
        requests.push(request);
        return { allowed: true, by: "user", rule: "echo make (in web)", scope: "workspace" };
      },
    };
    await answer(tool, '{"text":"make"}', approval, used);
    assert.deepEqual(requests[0]?.command, { text: "make", folder: "web" });
    assert.deepEqual(used.events.slice(0, 2), [
      {
        type: "approval-request",
        callId: "c",
        tool: "echo",
        effect: "execute",
        summary: "Say make",
        command: { text: "make", folder: "web" },
      },
      {
        type: "approval-decision",
        callId: "c",
        allowed: true,
        by: "user",
        rule: "echo make (in web)",
        scope: "workspace",
      },
    ]);
  });

  it("asks again, with what is pending by then, where the user's files were not ready", async () => {
    const pending = [["a.ts", "b.ts"], ["b.ts"], []];
    let parsed = 0;
    const withPending = echo({
      effect: "write",
      question: ({ text }) => {
        parsed += 1;
        return {
          summary: `Say ${text}`,
          details: async () => ({ pendingFiles: pending.shift() ?? [] }),
        };
      },
    });
    const asked: ApprovalRequest["pendingFiles"][] = [];
    const approval: Approval = {
      async request({ pendingFiles }) {
        asked.push(pendingFiles);
        return asked.length < 3
          ? { allowed: false, by: "user", reason: "not yet", again: true }
          : { allowed: true, by: "user", reason: null };
      },
    };
    assert.equal(await answer(withPending, '{"text":"made"}', approval), "made");
    assert.deepEqual(asked, [["a.ts", "b.ts"], ["b.ts"], []]);
    assert.equal(parsed, 1);
  });

  it("asks each time for what is protected or secret; of a proposal only for a secret", async () => {
    for (const [caution, proposed, eachTime] of [
      ["secret", false, true],
      ["secret", true, true],
      ["protected", false, true],
      ["protected", true, undefined],
      [null, true, undefined],
    ] as const) {
      const requests: ApprovalRequest[] = [];
      const seen: ToolContext[] = [];
      const tool = echo({
        effect: "write",
        question: ({ text }) => ({ summary: text, look: async () => ({ caution, proposed }) }),
        async execute(_args, used) {
          seen.push(used);
          return { ok: true, output: "" };
        },
      });
      const approval: Approval = {
        async request(request) {
          requests.push(request);
          return { allowed: true, by: "user" };
        },
      };
      await answer(tool, '{"text":"a"}', approval);
      assert.deepEqual(
        requests.map((request) => [request.eachTime, request.reviewed]),
        [[eachTime, proposed]],
      );
      assert.deepEqual([seen[0]?.asked, seen[0]?.proposed], [eachTime === true, proposed]);
    }
  });

  it("returns at once when the turn is stopped during approval or a hanging tool", async () => {
    const never = new Promise<never>(() => undefined);
    for (const [tool, approval] of [
      [echo({ effect: "write" }), { request: () => never }],
      [echo({ execute: () => never }), allow],
    ] as const) {
      const stop = new AbortController();
      const text = answer(tool, '{"text":"a"}', approval, context(stop.signal));
      setImmediate(() => stop.abort());
      assert.match(await text, /^Error \(cancelled\): echo was cancelled/);
    }
  });

  it("reports that a cancelled write may have taken effect", async () => {
    const never = new Promise<never>(() => undefined);
    for (const [effect, approval, sentence] of [
      ["write", allow, /was stopped\. It had started/],
      ["write", { request: () => never }, /was stopped\.$/],
      ["read", allow, /was stopped\.$/],
    ] as const) {
      const stop = new AbortController();
      setImmediate(() => stop.abort());
      assert.match(
        await answer(
          echo({ effect, execute: () => never }),
          '{"text":"a"}',
          approval,
          context(stop.signal),
        ),
        sentence,
      );
    }
  });

  it("aborts a tool at its time limit and says what to do", async () => {
    let told = false;
    const execute: ToolDefinition<typeof schema>["execute"] = (_args, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          told = true;
          resolve({ ok: true, output: "late" });
        });
      });
    assert.match(
      await answer(echo({ timeoutMs: 5, execute }), '{"text":"a"}'),
      /^Error \(timeout\): echo timed out after 0.005 seconds\. Try again with a smaller folder/,
    );
    const advised = echo({ timeoutMs: 5, timeoutRecovery: "Say it to somebody else.", execute });
    assert.match(await answer(advised, '{"text":"a"}'), / seconds\. Say it to somebody else\.$/);
    assert.ok(told);
  });

  it("turns a crash into an error", async () => {
    const crashing = echo({
      execute: () => {
        throw new Error("out of luck");
      },
    });
    assert.equal(
      await answer(crashing, '{"text":"a"}'),
      "Error (execution): echo failed: out of luck.",
    );
  });

  it("clips a huge result at a line, and reads on to its end within the turn", async () => {
    const output = Array.from({ length: 3_000 }, (_, index) => `${index} ${"x".repeat(60)}`).join(
      "\n",
    );
    const router = createToolRouter([echo({ execute: async () => ({ ok: true, output }) })], allow);
    const ask = async (name: string, args: object, turnId = "t") =>
      toolResultText(
        await runCall(
          router,
          { callId: "c", name, argsText: JSON.stringify(args) },
          { ...context(), turnId },
        ),
      );
    const note =
      /\n\[Clipped: \d+ of \d+ characters shown so far\. Read on with read_result (\{.*\}), or ask for less\.\]$/;
    let text = await ask("echo", { text: "a" });
    assert.ok(text.length < MAX_RESULT_LENGTH + 200);
    let whole = "";
    for (let part = note.exec(text); part; part = note.exec(text)) {
      const shown = text.slice(0, part.index);
      assert.match(shown, /x\n$/);
      whole += shown;
      text = await ask("read_result", JSON.parse(part[1] ?? ""));
    }
    assert.equal(whole + text, output);
    assert.match(
      await ask("read_result", { result_id: "r1", offset: output.length }),
      /^Error \(not-found\): .* beyond \d+\./,
    );
    assert.match(await ask("read_result", { result_id: "r9", offset: 0 }), /^Error \(not-found\)/);
    assert.match(
      await ask("read_result", { result_id: "r1", offset: 0 }, "next"),
      /^Error \(not-found\).*Call the tool again/s,
    );
  });

  it("retries after a passing failure where the tool allows it", async () => {
    const failure = {
      ok: false,
      error: { category: "network", message: "No answer.", recovery: null },
    } as const;
    const outcome = async (
      failures: number,
      category: ToolError["category"],
      maxRetries: number,
    ) => {
      let runs = 0;
      const execute = async () => {
        runs += 1;
        if (runs <= failures) return { ...failure, error: { ...failure.error, category } };
        return { ok: true as const, output: `run ${runs}` };
      };
      const router = createToolRouter([echo({ execute, maxRetries })], allow);
      return runCall(router, { callId: "c", name: "echo", argsText: '{"text":"a"}' }, context());
    };
    const twice = await outcome(2, "network", 2);
    assert.equal(toolResultText(twice), "run 3");
    assert.equal(twice.metadata.retriesUsed, 2);
    assert.ok(twice.metadata.executionTimeMs > 0);
    assert.match(toolResultText(await outcome(3, "network", 2)), /No answer/);
    for (const [category, retries] of [
      ["validation", 2],
      ["network", 0],
    ] as const) {
      const once = await outcome(1, category, retries);
      assert.equal(once.ok, false);
      assert.equal(once.metadata.retriesUsed, 0);
    }
  });

  it("emits the end of a running tool's output at a limited rate", async () => {
    const used = context();
    const talking = echo({
      execute: async (_args, { emit, callId }) => {
        const progress = createToolProgress({ emit, callId });
        for (let line = 0; line < 10_000; line++) progress.push(`line ${line}\n`);
        progress.dispose();
        return { ok: true, output: "done" };
      },
    });
    assert.equal(await answer(talking, '{"text":"a"}', allow, used), "done");
    const shown = used.events.filter(({ type }) => type === "tool-progress");
    assert.deepEqual(shown, [{ type: "tool-progress", callId: "c", text: "line 0\n" }]);
  });
});
