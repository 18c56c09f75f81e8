import { setTimeout as delay } from "node:timers/promises";
import type { ModelHandler, RecordedRequest } from "../fakes/model/modelServer.ts";
import type { AnswerPlan } from "./answerPlan.ts";

/** A model that writes one planned answer after the other, and waits in them for the user. */
export interface PacedModel {
  readonly handler: ModelHandler;
  /** The next request is for this answer. */
  plan(plan: AnswerPlan): void;
  /** The user is done with a file: the answer goes on beyond it. */
  release(path: string): void;
  /**
   * What Graft told the model of its blocks: in the rest of the answer's turn, and with the message
   * behind it; null until then.
   */
  report(): string | null;
}

interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

function gate(): Gate {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

/** The last words of the turn of an answer. */
export function lastWords({ number }: AnswerPlan): string {
  return `Done with ${number}.`;
}

/** Asks for edit mode for each file, writes the answer at its pace, then says that it is done. */
export function pacedModel(): PacedModel {
  let current: AnswerPlan | null = null;
  let gates = new Map<string, Gate>();
  let told: string | null = null;
  return {
    handler(request) {
      const plan = current;
      if (!plan) return { text: "Nothing is planned." };
      const turn = turnOf(request, plan);
      const answers = turn.flatMap(({ role }, at) => (role === "assistant" ? [at] : []));
      if (answers.length === 0) {
        return {
          toolCalls: plan.files.map(({ path }) => ({
            name: "edit_mode",
            args: { file_path: path, use_line_numbers: true },
          })),
        };
      }
      if (answers.length === 2 && plan.command !== undefined) {
        const args = { command: plan.command, timeout_seconds: 3_600 };
        return { toolCalls: [{ name: "run_command", args }] };
      }
      if (answers.length === 2) return { text: lastWords(plan) };
      if (answers.length > 2) {
        told = turn
          .slice((answers[1] ?? 0) + 1)
          .map(({ content }) => content ?? "")
          .join("\n");
        return { text: "So I hear." };
      }
      const held = new Map(plan.files.map(({ path, holdAt }) => [holdAt, gates.get(path)?.opened]));
      return {
        pieces: plan.pieces,
        async pace(chunk) {
          await held.get(chunk - 1);
          if (plan.paceMs > 0) await delay(plan.paceMs);
        },
      };
    },
    plan(plan) {
      current = plan;
      told = null;
      gates = new Map(plan.files.map(({ path }) => [path, gate()]));
    },
    release: (path) => gates.get(path)?.open(),
    report: () => told,
  };
}

function turnOf({ body }: RecordedRequest, { prompt }: AnswerPlan) {
  return body.messages.slice(
    body.messages.findLastIndex(
      ({ role, content }) => role === "user" && content?.includes(prompt),
    ),
  );
}
