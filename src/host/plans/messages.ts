import type { Localize } from "../../base/localize.ts";

/** Why a plan was not started. */
export function planMessage(t: Localize, problem: "gone" | "empty"): string {
  return problem === "gone"
    ? t("The plan's file was deleted, so the plan was not started. Its text is still in the chat.")
    : t("The plan is empty, so it was not started.");
}

/** Asks the model to carry out a plan. The model reads it, so it is not translated. */
export function planRequest(plan: string): string {
  return `Carry out this plan:\n\n${plan}`;
}
