import type { EditBlock, TurnEvent } from "../turns/turnEvent.ts";

/** A spoken announcement besides the answer. */
export type Announcement =
  | { readonly code: "approval"; readonly summary: string }
  | { readonly code: "question"; readonly question: string; readonly options: readonly string[] }
  /** The user must click to answer it. */
  | { readonly code: "question-on-screen" }
  /** Changes await review. */
  | { readonly code: "review"; readonly changes: number; readonly files: readonly string[] }
  | { readonly code: "error" }
  /** The answer has nothing to speak. */
  | { readonly code: "on-screen" }
  /** The user's answer matches no option. */
  | { readonly code: "no-option" };

/** A question that the user may answer by voice. */
export interface OpenQuestion {
  readonly callId: string;
  readonly kind: (TurnEvent & { type: "question" })["kind"];
  readonly options: readonly string[];
}

/**
 * The tool with which the model asks the user. Other questions are like approvals, which a voice in
 * the room must not answer.
 */
const ASKING_TOOL = "ask_user";

/** Tracks what a chat's turns need from the user. */
export class Announcements {
  private readonly tools = new Map<string, string>();
  private readonly approvals = new Set<string>();
  private readonly questions = new Map<string, OpenQuestion | null>();
  private readonly edits = new Map<string, Map<string, EditBlock>>();

  /** Whether a question or an approval is open. */
  get isWaiting(): boolean {
    return this.approvals.size > 0 || this.questions.size > 0;
  }

  /** The open question that the user may answer by voice, or null. */
  get question(): OpenQuestion | null {
    return [...this.questions.values()].findLast((question) => question !== null) ?? null;
  }

  /** Whether the approval of the call `callId` is open. */
  isAsked(callId: string): boolean {
    return this.approvals.has(callId);
  }

  /**
   * Returns the announcements for an event. The caller announces an approval only if it is still
   * open a moment later, because settings may decide it.
   */
  take(event: TurnEvent): Announcement[] {
    switch (event.type) {
      case "turn-start":
        if (event.role === "agent") this.clear();
        return [];
      case "tool-call-start":
      case "tool-call":
        this.tools.set(event.callId, event.name);
        return [];
      case "approval-request":
        this.approvals.add(event.callId);
        return [{ code: "approval", summary: event.summary }];
      case "approval-decision":
        this.approvals.delete(event.callId);
        return [];
      case "question": {
        const { callId, kind, question, options, about } = event;
        const isModels = !about && this.tools.get(callId) === ASKING_TOOL;
        this.questions.set(callId, isModels ? { callId, kind, options } : null);
        return [
          isModels ? { code: "question", question, options } : { code: "question-on-screen" },
        ];
      }
      case "tool-result":
        this.approvals.delete(event.callId);
        this.questions.delete(event.callId);
        return [];
      case "edit-update":
        // By turn, because a decision may concern an earlier turn's block.
        this.edits.set(
          event.turnId,
          new Map(this.edits.get(event.turnId)).set(event.edit.blockId, event.edit),
        );
        return [];
      case "turn-end":
        return this.end(event);
      default:
        return [];
    }
  }

  private end({ turnId, reason }: TurnEvent & { type: "turn-end" }): Announcement[] {
    const edits = [...(this.edits.get(turnId)?.values() ?? [])];
    const pending = edits.filter(({ status }) => status === "pending");
    this.clear();
    const files = [...new Set(pending.map(({ path }) => path))];
    const review =
      pending.length > 0 ? [{ code: "review" as const, changes: pending.length, files }] : [];
    return reason === "error" ? [...review, { code: "error" }] : review;
  }

  private clear(): void {
    for (const map of [this.tools, this.approvals, this.questions, this.edits]) map.clear();
  }
}
