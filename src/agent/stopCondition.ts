import type { FinishReason } from "../model/streamPart.ts";

/** What one answer of the model left to do. */
export interface StepOutcome {
  /** 0-based number of the answer in its turn. */
  readonly step: number;
  /** How the answer ended. */
  readonly reason: FinishReason | "error" | "cancelled";
  /** Calls the model made; every one of them has a result by now. */
  readonly calls: number;
  /** Reports that the model has not seen yet. */
  readonly reports: number;
}

/** True when a turn should stop after the given answer. */
export type StopCondition = (outcome: StepOutcome) => boolean;

/** The answer broke off: nothing can be built on it. */
export const brokenOff: StopCondition = ({ reason }) => reason === "error" || reason === "cancelled" || reason === "content-filter";

/** Nothing is left that the model would have to know. */
export const answered: StopCondition = ({ calls, reports }) => calls === 0 && reports === 0;

/** The turn has had `maxSteps` answers. */
export function stepLimit(maxSteps: number): StopCondition {
  return ({ step }) => step + 1 >= maxSteps;
}

/** True when the calls of an answer that ended so are complete and may run. */
export function callsMayRun(reason: StepOutcome["reason"]): boolean {
  return reason === "stop" || reason === "tool-calls" || reason === "unknown";
}
