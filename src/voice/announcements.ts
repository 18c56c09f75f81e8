import type { EditBlock } from "../turns/editBlock.ts";
import type { TurnEvent } from "../turns/turnEvent.ts";

/** A spoken announcement besides the answer. */
export type Announcement =
  | {
      readonly code: "approval";
      readonly callId: string;
      readonly summary: string;
      /** The command line, or null where it is no command. */
      readonly command: string | null;
    }
  /** A voice cannot decide on an approval. */
  | { readonly code: "by-hand" }
  /** A call takes long; `command` is the command line, or null. */
  | {
      readonly code: "running";
      readonly callId: string;
      readonly tool: string;
      readonly command: string | null;
    }
  /** A long answer has more than was spoken; `command` is the last one of the turn. */
  | { readonly code: "more"; readonly command: CommandOutcome | null }
  | { readonly code: "question"; readonly question: string; readonly options: readonly string[] }
  /** The user must click to answer it. */
  | { readonly code: "question-on-screen" }
  /** Changes await review. */
  | { readonly code: "review"; readonly changes: number; readonly files: readonly string[] }
  | { readonly code: "error" }
  /** The answer has nothing to speak. */
  | { readonly code: "on-screen" };

/** What is announced only if its call is still open after {@link announcementDue}. */
export type CallAnnouncement = Extract<Announcement, { readonly callId: string }>;

/** A command of the turn, and whether it succeeded. */
export interface CommandOutcome {
  readonly text: string;
  readonly passed: boolean;
}

/** An approval still open after this is announced, in milliseconds. Settings decide most at once. */
const ASKED_MS = 300;
/** A call that takes longer than this is named, in milliseconds. */
const LONG_CALL_MS = 4_000;

/** How long to wait before an announcement on a call, in milliseconds. */
export function announcementDue({ code }: CallAnnouncement): number {
  return code === "approval" ? ASKED_MS : LONG_CALL_MS;
}

/**
 * The tool with which the model asks the user. Other questions are like approvals, which a voice in
 * the room must not answer.
 */
const ASKING_TOOL = "ask_user";

/** Tracks what a chat's turns need from the user. */
export class Announcements {
  private readonly tools = new Map<string, { readonly name: string; command: string | null }>();
  /** What each open approval asks for, by its call. */
  private readonly approvals = new Map<string, string>();
  private readonly running = new Set<string>();
  private lastCommand: CommandOutcome | null = null;
  /** Whether the user may answer each open question by voice, by its call. */
  private readonly questions = new Map<string, boolean>();
  private readonly edits = new Map<string, Map<string, EditBlock>>();

  /** Whether a question or an approval is open. */
  get isWaiting(): boolean {
    return this.approvals.size > 0 || this.questions.size > 0;
  }

  /** The call of the open question that the user may answer by voice, or null. */
  get question(): string | null {
    return [...this.questions].findLast(([, isModels]) => isModels)?.[0] ?? null;
  }

  /** What the open approvals ask for, or null. */
  get asked(): string | null {
    return this.approvals.size > 0 ? [...this.approvals.values()].join(" ") : null;
  }

  /** The last command that ended in the last turn, or null. */
  get command(): CommandOutcome | null {
    return this.lastCommand;
  }

  /** Whether the call `callId` waits for approval, or runs. */
  isOpen({ code, callId }: CallAnnouncement): boolean {
    return (code === "approval" ? this.approvals : this.running).has(callId);
  }

  /** Returns the announcements for an event. See {@link announcementDue} for when they are due. */
  takeEvent(event: TurnEvent): Announcement[] {
    switch (event.type) {
      case "turn-start":
        if (event.role !== "agent") return [];
        this.clear();
        this.lastCommand = null;
        return [];
      case "tool-call-start":
        this.tools.set(event.callId, { name: event.name, command: null });
        return [];
      case "tool-call": {
        const { callId, name, input } = event;
        const isCommand = typeof input === "object" && input !== null && "command" in input;
        const command = isCommand && typeof input.command === "string" ? input.command : null;
        this.tools.set(callId, { name, command });
        return [];
      }
      case "tool-start": {
        const { callId } = event;
        const { name: tool, command } = this.tools.get(callId) ?? { name: "", command: null };
        this.running.add(callId);
        return tool === ASKING_TOOL ? [] : [{ code: "running", callId, tool, command }];
      }
      case "approval-request": {
        const { callId, summary, command } = event;
        const text = command?.text ?? null;
        this.approvals.set(callId, text ?? summary);
        return [{ code: "approval", callId, summary, command: text }];
      }
      case "approval-decision":
        this.approvals.delete(event.callId);
        return [];
      case "question": {
        const { callId, question, options, about } = event;
        const isModels = !about && this.tools.get(callId)?.name === ASKING_TOOL;
        this.questions.set(callId, isModels);
        return [
          isModels ? { code: "question", question, options } : { code: "question-on-screen" },
        ];
      }
      case "tool-result":
        for (const open of [this.approvals, this.questions, this.running])
          open.delete(event.callId);
        this.takeOutcome(event);
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

  private takeOutcome({ callId, command }: TurnEvent & { type: "tool-result" }): void {
    const text = this.tools.get(callId)?.command ?? null;
    if (text !== null && command?.code === "exited")
      this.lastCommand = { text, passed: command.exitCode === 0 };
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
    const { tools, approvals, running, questions, edits } = this;
    for (const each of [tools, approvals, running, questions, edits]) each.clear();
  }
}
