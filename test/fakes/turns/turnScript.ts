import type { EditBlock } from "../../../src/turns/editBlock.ts";
import type { TurnError } from "../../../src/turns/turnError.ts";
import type {
  QueuedMessage,
  SearchHits,
  TurnEvent,
  TurnEventBody,
} from "../../../src/turns/turnEvent.ts";

/**
 * Writes the events of a chat as the stream hub would stamp them: numbered from 1, a millisecond
 * apart.
 */
export class TurnScript {
  readonly events: TurnEvent[] = [];
  private turns = 0;
  private turnId = "";
  private userId: string | null = null;

  /** A user turn and the beginning of its agent turn. */
  ask(text: string, editFile: string | null = null): this {
    const parent = this.turnId === "" ? null : this.turnId;
    this.userId = this.begin();
    this.add({
      type: "turn-start",
      role: "user",
      parentTurnId: parent,
      text,
      model: null,
      editFile,
      activeFile: null,
    });
    return this.answer();
  }

  /** Another agent turn under the last user turn. */
  answer(): this {
    this.begin();
    this.add({
      type: "turn-start",
      role: "agent",
      parentTurnId: this.userId,
      text: null,
      model: "demo",
      editFile: null,
      activeFile: null,
    });
    return this.add({ type: "step-start", step: 0 });
  }

  add(...bodies: readonly TurnEventBody[]): this {
    for (const body of bodies)
      this.events.push({
        seq: this.events.length + 1,
        turnId: this.turnId,
        at: 1_700_000_000_000 + this.events.length,
        ...body,
      });
    return this;
  }

  /** The text in pieces of `size` characters. */
  text(text: string, size = text.length): this {
    for (let at = 0; at < text.length; at += size)
      this.add({ type: "text-delta", text: text.slice(at, at + size) });
    return this;
  }

  /** A whole tool call with its answer. */
  call(
    callId: string,
    name: string,
    input: unknown,
    output: string,
    durationMs: number,
    hits?: SearchHits,
  ): this {
    const argsText = JSON.stringify(input);
    return this.add(
      { type: "tool-call-start", callId, name },
      { type: "tool-call", callId, name, argsText, input },
      { type: "tool-start", callId },
      { type: "tool-result", callId, status: "success", output, error: null, durationMs, hits },
    );
  }

  /** What waits to be sent, of no turn. */
  queue(messages: readonly QueuedMessage[]): this {
    this.add({ type: "queue", messages: [...messages] });
    return this;
  }

  edit(edit: Partial<EditBlock> & { readonly textStart: number }): this {
    return this.add({
      type: "edit-update",
      edit: {
        blockId: "block-1",
        callId: "call-1",
        path: "src/shapes.ts",
        index: 1,
        target: "lines 3-4",
        ...(edit.target === undefined && { line: 3 }),
        op: "replace",
        status: "streaming",
        reason: null,
        warnings: [],
        addedLines: 0,
        removedLines: 0,
        step: 0,
        textEnd: null,
        ...edit,
      },
    });
  }

  end(reason: "done" | "cancelled" | "step-limit" | "length" | "interrupted" = "done"): this {
    return this.add({ type: "turn-end", reason, error: null });
  }

  fail(error: TurnError): this {
    return this.add({ type: "turn-end", reason: "error", error });
  }

  /** The events from the one behind `mark` on. */
  since(mark: number): TurnEvent[] {
    return this.events.slice(mark);
  }

  private begin(): string {
    this.turns += 1;
    this.turnId = `turn-${this.turns}`;
    return this.turnId;
  }
}
