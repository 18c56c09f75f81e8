import type { EditBlock, TurnEvent } from "../turns/turnEvent.ts";

/** What a turn tells the user aloud besides its answer. */
export type Announcement =
  | { readonly code: "approval"; readonly summary: string }
  | { readonly code: "question"; readonly question: string; readonly options: readonly string[] }
  /** Only a click answers it. */
  | { readonly code: "question-on-screen" }
  /** Changes wait for review. */
  | { readonly code: "review"; readonly changes: number; readonly files: readonly string[] }
  | { readonly code: "error" }
  /** The answer has nothing to speak. */
  | { readonly code: "on-screen" }
  /** The user's answer fits no option. */
  | { readonly code: "no-option" };

/** The model's question that the user may answer by voice. */
export interface OpenQuestion {
  readonly callId: string;
  readonly kind: (TurnEvent & { type: "question" })["kind"];
  readonly options: readonly string[];
}

/** The tool by which the model asks. Any other question is like an approval: a voice in the room must not answer it. */
const ASKING_TOOL = "ask_user";

/** Follows what a chat's turns want from the user. */
export class Announcements {
  private readonly tools = new Map<string, string>();
  private readonly approvals = new Set<string>();
  private readonly questions = new Map<string, OpenQuestion | null>();
  private readonly edits = new Map<string, EditBlock>();

  /** True while the user is asked something. */
  get isWaiting(): boolean {
    return this.approvals.size > 0 || this.questions.size > 0;
  }

  /** The question that a voice may answer, or null. */
  get question(): OpenQuestion | null {
    return [...this.questions.values()].findLast((question) => question !== null) ?? null;
  }

  /** True while permission for the call `callId` is asked. */
  isAsked(callId: string): boolean {
    return this.approvals.has(callId);
  }

  /** What there is to say of an event; an approval only if it is still asked a moment later, because settings may decide. */
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
        return [isModels ? { code: "question", question, options } : { code: "question-on-screen" }];
      }
      case "tool-result":
        this.approvals.delete(event.callId);
        this.questions.delete(event.callId);
        return [];
      case "edit-update":
        // A decision on an earlier turn's block has nothing to do with this turn.
        this.edits.set(`${event.turnId} ${event.edit.blockId}`, event.edit);
        return [];
      case "turn-end":
        return this.end(event);
      default:
        return [];
    }
  }

  private end({ turnId, reason }: TurnEvent & { type: "turn-end" }): Announcement[] {
    const pending = [...this.edits].flatMap(([key, edit]) => (key.startsWith(`${turnId} `) && edit.status === "pending" ? [edit] : []));
    this.clear();
    const files = [...new Set(pending.map(({ path }) => path))];
    const review = pending.length > 0 ? [{ code: "review" as const, changes: pending.length, files }] : [];
    return reason === "error" ? [...review, { code: "error" }] : review;
  }

  private clear(): void {
    for (const map of [this.tools, this.approvals, this.questions, this.edits]) map.clear();
  }
}
