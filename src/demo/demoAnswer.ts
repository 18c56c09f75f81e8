/** A tool call the demonstration makes. */
export interface DemoToolCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** One answer of the demonstration: text, then calls. */
export interface DemoAnswer {
  readonly text: string;
  readonly calls: readonly DemoToolCall[];
}

/** An answer of words alone, which ends the turn. */
export function sayOnly(text: string): DemoAnswer {
  return { text, calls: [] };
}
