import assert from "node:assert/strict";
import { runAgentTurn } from "../../../../src/agent/loop/agentLoop.ts";
import type { ToolForm } from "../../../../src/agent/loop/partSupport.ts";
import { DEFAULT_RETRY } from "../../../../src/agent/loop/retry.ts";
import { StreamHub } from "../../../../src/agent/loop/streamHub.ts";
import { ok } from "../../../../src/base/result.ts";
import type { ModelPrice } from "../../../../src/model/modelInfo.ts";
import { createOpenaiClient } from "../../../../src/model/openai/openaiClient.ts";
import type { Approval } from "../../../../src/ports/approval.ts";
import type { Question, QuestionAnswer } from "../../../../src/ports/question.ts";
import type { Tool } from "../../../../src/tools/tool.ts";
import { createToolRouter } from "../../../../src/tools/toolRouter.ts";
import { branch } from "../../../../src/turns/branch.ts";
import { conversation } from "../../../../src/turns/conversation.ts";
import type { AgentTurn } from "../../../../src/turns/turn.ts";
import type { TurnEndReason, TurnEvent } from "../../../../src/turns/turnEvent.ts";
import { TurnStore } from "../../../../src/turns/turnStore.ts";
import { allowAll } from "../../../fakes/allowAll.ts";
import {
  type ModelHandler,
  type ModelServer,
  type ModelStep,
  startModelServer,
} from "../../../fakes/model/modelServer.ts";
import { pluck } from "../../../fakes/pluck.ts";
import { RecordingLogger } from "../../../fakes/recordingLogger.ts";
import { MemoryEventLog } from "../../../fakes/turns/memoryEventLog.ts";
import { GENEROUS } from "../../model/collect.ts";

const UNKNOWN = {
  id: "test-model",
  label: "Test",
  contextWindow: null,
  tools: null,
  images: null,
  reasoning: null,
};

/** A chat's inner parts around a scripted model that answers over a real connection. */
export interface LoopHarness {
  readonly server: ModelServer;
  readonly hub: StreamHub;
  readonly store: TurnStore;
  readonly events: readonly TurnEvent[];
  readonly logger: RecordingLogger;
  /** Aborts the turn. */
  readonly stop: AbortController;
  /** Settles with the first event that fits, past ones included. */
  event(matches: (event: TurnEvent) => boolean): Promise<TurnEvent>;
  /** Runs one turn with these tools (null: none in the requests). */
  run(
    tools: readonly Tool[] | null,
    maxSteps?: number,
    approval?: Approval,
  ): Promise<TurnEndReason>;
  /** The model's price, and what a turn may cost. */
  price: ModelPrice | null;
  maxCost: number | null;
  /** How requests offer tools. */
  toolForm: ToolForm;
  /**
   * What the user says about a model that repeats itself or costs too much; by default nobody can
   * be asked.
   */
  answers: (question: string) => QuestionAnswer | Promise<QuestionAnswer>;
  readonly turn: AgentTurn;
  /**
   * Closes the server, and asserts what holds after every turn: no request left, one end, history
   * that a next request can use.
   */
  close(): Promise<void>;
}

export async function loopHarness(
  handler: ModelHandler | readonly ModelStep[],
): Promise<LoopHarness> {
  const server = await startModelServer(handler);
  const client = createOpenaiClient({ baseUrl: server.url, apiKey: "key", limits: GENEROUS });
  const logger = new RecordingLogger();
  const store = await TurnStore.load(new MemoryEventLog(), logger);
  const hub = new StreamHub(0, (event) => store.append(event), logger);
  const events: TurnEvent[] = [];
  hub.subscribe((event) => events.push(event));
  const stop = new AbortController();
  const question: Question = { ask: async ({ question: text }) => harness.answers(text) };
  const common = { text: null, model: null, editFile: null, activeFile: null };

  function turn(): AgentTurn {
    const found = store.tree.turns.get("agent");
    assert.ok(found?.role === "agent");
    return found;
  }

  const harness: LoopHarness = {
    server,
    price: null,
    maxCost: null,
    toolForm: "native",
    answers: () => ({ answered: false, why: "nobody" }),
    hub,
    store,
    events,
    logger,
    stop,
    event(matches) {
      const past = events.find(matches);
      if (past) return Promise.resolve(past);
      return new Promise((resolve) => {
        const subscription = hub.subscribe((event) => {
          if (!matches(event)) return;
          subscription.dispose();
          resolve(event);
        });
      });
    },
    run(tools, maxSteps = 10, approval = allowAll) {
      hub.emit("user", {
        ...common,
        type: "turn-start",
        role: "user",
        parentTurnId: null,
        text: "Please.",
      });
      hub.emit("agent", {
        ...common,
        type: "turn-start",
        role: "agent",
        parentTurnId: "user",
        model: "test-model",
      });
      const router = tools && createToolRouter(tools, approval);
      return runAgentTurn({
        turnId: "agent",
        connection: { client, model: "test-model", info: { ...UNKNOWN, price: harness.price } },
        hub,
        emit: hub.emitter("agent"),
        tools: router,
        toolForm: harness.toolForm,
        requests: {
          messages: async (form, closing) =>
            ok(conversation(branch(store.tree, "agent"), form === "native", closing)),
          offered: async (form) => (form === null ? [] : (router?.specs ?? [])),
          measured: () => undefined,
          tellUse: () => undefined,
          outgrown: () => false,
          mayFillWindow: () => false,
        },
        begin: async () => null,
        toolSupport: { isCertain: () => true, refused: () => undefined },
        tellQueued: () => undefined,
        question,
        budget:
          harness.maxCost === null
            ? null
            : { limit: harness.maxCost, spent: () => turn().cost ?? 0 },
        retry: { ...DEFAULT_RETRY, firstMs: 1, totalMs: 100 },
        maxSteps,
        signal: stop.signal,
      });
    },
    get turn() {
      return turn();
    },
    async close() {
      await store.flush();
      await server.close();
      assert.equal(hub.activeRequests, 0);
      assert.equal(events.filter(({ type }) => type === "turn-end").length, 1);
      assert.equal(events.at(-1)?.type, "turn-end");
      for (const call of turn().toolCalls.values())
        assert.ok(["success", "error", "cancelled"].includes(call.status), call.status);
      assert.deepEqual(
        pluck(events, "seq"),
        events.map((_, index) => index + 1),
      );
    },
  };
  return harness;
}
