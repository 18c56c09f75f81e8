import { english } from "../src/base/localize.ts";
import { turnErrorMessage } from "../src/turns/messages.ts";
import type { AgentTurn } from "../src/turns/turn.ts";

/** What the user can do about a turn that did not go as hoped. */
export type OutcomeAction = "retry" | "continue" | "set-api-key" | "open-settings";

/** How a turn ended, in words, where there is anything to say; `error` stands out, `info` does not. */
export interface TurnOutcome {
  readonly level: "error" | "info";
  readonly title: string;
  readonly detail: string;
  readonly actions: readonly OutcomeAction[];
}

/** The box at the end of a turn: null while it runs and when it simply finished. */
export function turnOutcome(turn: Pick<AgentTurn, "endReason" | "error">): TurnOutcome | null {
  switch (turn.endReason) {
    case null:
    case "done":
      return null;
    case "error":
      return failure(turn.error);
    case "cancelled":
      return { level: "info", title: "Stopped", detail: "", actions: ["retry"] };
    case "interrupted":
      return {
        level: "info",
        title: "Interrupted",
        detail: "The window was closed or reloaded while this answer was under way. What had arrived is kept.",
        actions: ["retry"],
      };
    case "length":
      return {
        level: "info",
        title: "Cut off",
        detail: "The model reached its length limit before it was done.",
        actions: ["continue", "retry"],
      };
    case "step-limit":
      return {
        level: "info",
        title: "Step limit reached",
        detail: "",
        actions: ["continue", "open-settings"],
      };
  }
}

const titles = new Map(
  Object.entries({
    "no-key": "No API key",
    auth: "The key was not accepted",
    "not-found": "Not found",
    "bad-request": "The server refused the request",
    "rate-limit": "Too many requests",
    server: "The server has a problem",
    network: "No connection",
    "connect-timeout": "The server does not answer",
    "first-token-timeout": "The model does not begin to answer",
    "idle-timeout": "The answer stalled",
    interrupted: "The connection broke off",
    "content-filter": "The answer was held back",
    "context-length": "Too long for the model",
    validation: "This cannot be edited",
    permission: "Not permitted",
    timeout: "It took too long",
  }),
);

const remedies = new Map<string, readonly OutcomeAction[]>([
  ["no-key", ["set-api-key", "retry", "open-settings"]],
  ["auth", ["set-api-key", "retry", "open-settings"]],
  ["not-found", ["retry", "open-settings"]],
  ["network", ["retry", "open-settings"]],
  ["connect-timeout", ["retry", "open-settings"]],
  ["context-length", ["retry", "open-settings"]],
]);

function failure(error: AgentTurn["error"]): TurnOutcome {
  if (!error) return { level: "error", title: "Something went wrong", detail: "", actions: ["retry"] };
  return {
    level: "error",
    title: titles.get(error.kind) ?? "Something went wrong",
    detail: turnErrorMessage(error, english),
    actions: remedies.get(error.kind) ?? ["retry"],
  };
}
