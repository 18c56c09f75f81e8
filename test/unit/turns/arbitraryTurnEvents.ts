import * as fc from "fast-check";
import type { EditBlock } from "../../../src/turns/editBlock.ts";
import type { TurnEvent, TurnEventBody } from "../../../src/turns/turnEvent.ts";

const turnIds = fc.constantFrom("u1", "a1", "u2", "a2", "a3");
const callIds = fc.constantFrom("c1", "c2");
const pieces = fc.string({ maxLength: 8 });

const arbitraryBody: fc.Arbitrary<TurnEventBody> = fc.oneof(
  fc.record({
    type: fc.constant("turn-start" as const),
    role: fc.constantFrom("user" as const, "agent" as const),
    parentTurnId: fc.option(turnIds),
    text: fc.option(pieces),
    model: fc.option(pieces),
    editFile: fc.constant(null),
    activeFile: fc.constantFrom(null, "src/a.ts"),
    editor: fc.option(
      fc.record({
        selection: fc.constant(null),
        visible: fc.constant({ first: 1, last: 40 }),
        tabs: fc.array(pieces),
      }),
      {
        nil: undefined,
      },
    ),
    attachments: fc.option(
      fc.array(
        fc.record({
          kind: fc.constantFrom("file" as const, "paste" as const),
          path: fc.option(pieces),
          lines: fc.constant(null),
          name: pieces,
          text: fc.option(pieces),
          omitted: fc.nat(9),
        }),
        { maxLength: 2 },
      ),
      { nil: undefined },
    ),
  }),
  fc.record({
    type: fc.constant("candidates" as const),
    candidates: fc.array(fc.record({ chatId: callIds, model: pieces }), { maxLength: 4 }),
  }),
  fc.record({
    type: fc.constant("candidate-end" as const),
    chatId: callIds,
    reason: fc.constantFrom("done" as const, "cancelled" as const),
    error: fc.constant(null),
    files: fc.array(fc.record({ path: pieces, base: fc.option(pieces), text: fc.option(pieces) }), {
      maxLength: 2,
    }),
    left: fc.array(pieces, { maxLength: 1 }),
  }),
  fc.record({ type: fc.constant("step-start" as const), step: fc.nat(3) }),
  fc.record({ type: fc.constant("text-delta" as const), text: pieces }),
  fc.record({ type: fc.constant("reasoning-delta" as const), text: pieces }),
  fc.record({ type: fc.constant("tool-call-start" as const), callId: callIds, name: pieces }),
  fc.record({ type: fc.constant("tool-call-delta" as const), callId: callIds, argsText: pieces }),
  fc.record({
    type: fc.constant("tool-call" as const),
    callId: callIds,
    name: pieces,
    argsText: pieces,
    input: fc.constant({}),
  }),
  fc.record({ type: fc.constant("tool-start" as const), callId: callIds }),
  fc.record(
    {
      type: fc.constant("tool-progress" as const),
      callId: callIds,
      text: pieces,
      copied: fc.record({ files: fc.nat(), bytes: fc.nat() }),
    },
    { requiredKeys: ["type", "callId", "text"] },
  ),
  fc.record({
    type: fc.constant("approval-request" as const),
    callId: callIds,
    tool: pieces,
    effect: fc.constant("write" as const),
    summary: pieces,
  }),
  fc.record({
    type: fc.constant("approval-decision" as const),
    callId: callIds,
    allowed: fc.boolean(),
    by: fc.constant("user" as const),
  }),
  fc.record({
    type: fc.constant("tool-result" as const),
    callId: callIds,
    status: fc.constantFrom("success" as const, "error" as const, "cancelled" as const),
    output: pieces,
    error: fc.constant(null),
    durationMs: fc.nat(),
  }),
  fc.record({
    type: fc.constant("edit-update" as const),
    edit: fc.record({
      blockId: fc.constantFrom("b1", "b2"),
      callId: callIds,
      path: pieces,
      index: fc.nat(),
      target: pieces,
      op: fc.constant("replace" as const),
      status: fc.constantFrom(
        "streaming" as const,
        "captured" as const,
        "pending" as const,
        "applied" as const,
      ),
      reason: fc.constant(null),
      warnings: fc.constant<EditBlock["warnings"]>([]),
      addedLines: fc.nat(),
      removedLines: fc.nat(),
      step: fc.nat(),
      textStart: fc.nat(),
      textEnd: fc.constant(null),
    }),
  }),
  fc.record({ type: fc.constant("edit-report" as const), text: pieces }),
  fc.record({
    type: fc.constant("notice" as const),
    level: fc.constant("info" as const),
    code: fc.constant("compacted" as const),
  }),
  fc.record({
    type: fc.constant("files-restored" as const),
    request: pieces,
    files: fc.array(fc.record({ path: pieces, deleted: fc.boolean() }), { maxLength: 2 }),
    undone: fc.boolean(),
  }),
  fc.record({
    type: fc.constant("usage" as const),
    usage: fc.record(
      {
        inputTokens: fc.option(fc.nat()),
        outputTokens: fc.option(fc.nat()),
        cachedInputTokens: fc.nat(),
        cost: fc.nat(),
      },
      { requiredKeys: ["inputTokens", "outputTokens"] },
    ),
  }),
  fc.record({
    type: fc.constant("context-use" as const),
    use: fc.record({
      window: fc.nat(),
      reserve: fc.nat(),
      system: fc.nat(),
      tools: fc.nat(),
      attachments: fc.nat(),
      history: fc.nat(),
    }),
  }),
  fc.record({
    type: fc.constant("tool-processing-start" as const),
    callIds: fc.array(callIds, { maxLength: 2 }),
  }),
  fc.record({ type: fc.constant("tool-processing-complete" as const) }),
  fc.record({
    type: fc.constant("retry" as const),
    attempt: fc.nat(3),
    maxAttempts: fc.constant(3),
    waitMs: fc.nat(),
    error: fc.record({
      code: fc.constant("internal" as const),
      kind: fc.constant("internal" as const),
      retryable: fc.boolean(),
      said: pieces,
    }),
  }),
  fc.record({ type: fc.constant("user-message" as const), text: pieces }),
  fc.record({
    type: fc.constant("user-message" as const),
    text: pieces,
    spoken: fc.constant(true as const),
  }),
  fc.record({
    type: fc.constant("speech-end" as const),
    step: fc.nat(3),
    heard: fc.nat(9),
    total: fc.nat(9),
    reason: fc.constantFrom("done" as const, "interrupted" as const, "failed" as const),
  }),
  fc.record({
    type: fc.constant("provider-data" as const),
    source: pieces,
    message: fc.constant({ reasoning_details: [{ type: "reasoning.text" }] }),
    calls: fc.dictionary(callIds, fc.constant({ extra_content: {} })),
  }),
  fc.record({ type: fc.constant("compaction-start" as const) }),
  fc.record({ type: fc.constant("compaction" as const), summary: pieces }),
  fc.record({
    type: fc.constant("compaction" as const),
    summary: pieces,
    before: fc.integer({ min: 0, max: 4 }),
  }),
  fc.record({ type: fc.constant("rules" as const), path: pieces, text: pieces }),
  fc.record({ type: fc.constant("head" as const) }),
  fc.record({
    type: fc.constant("queue" as const),
    messages: fc.array(fc.record({ id: callIds, text: pieces }), { maxLength: 2 }),
  }),
  fc.record({ type: fc.constant("tools-refused" as const), address: pieces }),
  fc.record({
    type: fc.constant("turn-end" as const),
    reason: fc.constantFrom("done" as const, "cancelled" as const),
    error: fc.constant(null),
  }),
);

/** Any events in any order, numbered from 1: mostly nonsense, as after a damaged history. */
export const arbitraryTurnEvents: fc.Arbitrary<TurnEvent[]> = fc
  .array(fc.record({ turnId: turnIds, body: arbitraryBody }), { maxLength: 60, size: "max" })
  .map((entries) =>
    entries.map(({ turnId, body }, index) => ({ ...body, seq: index + 1, turnId, at: index })),
  );
