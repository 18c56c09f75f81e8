import type { ToolCall } from "../model/message.ts";

/** So many calls in a row that are the same and have the same result are worth a question. */
const WORTH_ASKING = 3;

/** Watches one turn for a model that goes round in circles. */
export class RepeatedCalls {
  private last = "";
  private count = 0;
  private readonly reads = new Set<string>();

  /** Notes a call with its result: true for the third of the same in a row, and for every third one after that. */
  isRepeated({ name, argsText }: ToolCall, output: string): boolean {
    const key = JSON.stringify([name, argsText.trim(), output]);
    this.count = key === this.last ? this.count + 1 : 1;
    this.last = key;
    return this.count % WORTH_ASKING === 0;
  }

  /** Notes that a read was called: false where the same one was called before in the turn. */
  isNewRead({ name, argsText }: ToolCall): boolean {
    const { size } = this.reads;
    return this.reads.add(JSON.stringify([name, argsText.trim()])).size > size;
  }
}
