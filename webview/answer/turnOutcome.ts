import { turnErrorMessage } from "../../src/turns/messages.ts";
import type { AgentTurn } from "../../src/turns/turn.ts";
import { failureRemedies } from "../../src/turns/turnError.ts";
import { isUndecided } from "../cards/editState.ts";
import { t } from "../l10n.ts";

/** What the user can do about a turn that did not finish. */
export type OutcomeAction =
  | ReturnType<typeof failureRemedies>[number]
  | "continue"
  | "open-settings";

/** How a turn ended. `error` stands out, `info` does not. */
export interface TurnOutcome {
  readonly level: "error" | "info";
  readonly title: string;
  readonly detail: string;
  readonly actions: readonly OutcomeAction[];
}

/** What the box at the end of a turn says, or null while the turn runs and when it finished. */
export function turnOutcome(
  turn: Pick<AgentTurn, "endReason" | "error" | "edits">,
): TurnOutcome | null {
  const kept = [...turn.edits.values()].some(isUndecided)
    ? t("The finished edits are kept for review.")
    : "";
  switch (turn.endReason) {
    case null:
    case "done":
      return null;
    case "error":
      return failure(turn.error);
    case "cancelled":
      return { level: "info", title: t("Stopped"), detail: kept, actions: ["retry"] };
    case "interrupted":
      return {
        level: "info",
        title: t("Interrupted"),
        detail:
          `${t("The window was closed or reloaded during this answer. The text so far is kept.")} ${kept}`.trimEnd(),
        actions: ["retry"],
      };
    case "length":
      return {
        level: "info",
        title: t("Cut off"),
        detail: t("The model reached its length limit."),
        actions: ["continue", "retry"],
      };
    case "step-limit":
      return {
        level: "info",
        title: t("Step limit reached"),
        detail: "",
        actions: ["continue", "open-settings"],
      };
  }
}

const titles = new Map(
  Object.entries({
    "no-key": t("No API key"),
    auth: t("API key rejected"),
    "not-found": t("Not found"),
    "bad-request": t("Request rejected"),
    "rate-limit": t("Rate limited"),
    server: t("Server error"),
    network: t("No connection"),
    "connect-timeout": t("Connection timed out"),
    "first-token-timeout": t("No response"),
    "idle-timeout": t("Response stalled"),
    interrupted: t("Connection lost"),
    "content-filter": t("Blocked by the content filter"),
    "context-length": t("Context window exceeded"),
    validation: t("File cannot be edited"),
    permission: t("Not permitted"),
    timeout: t("Timed out"),
  }),
);

/** What went wrong, in two or three words. */
export function errorTitle(error: AgentTurn["error"]): string {
  return titles.get(error?.kind ?? "") ?? t("Something went wrong");
}

function failure(error: AgentTurn["error"]): TurnOutcome {
  const title = errorTitle(error);
  if (!error) return { level: "error", title, detail: "", actions: ["retry"] };
  return {
    level: "error",
    title,
    detail: turnErrorMessage(error, t),
    actions: failureRemedies(error),
  };
}
