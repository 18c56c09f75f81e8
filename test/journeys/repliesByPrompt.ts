import type { ModelStep, RecordedRequest } from "../fakes/model/modelServer.ts";

/**
 * A model that answers the last prompt it knows, step by step, whichever chat it comes from. Reports
 * of edits are messages of the user, too, but hold no prompt.
 */
export function repliesByPrompt(replies: Readonly<Record<string, readonly ModelStep[]>>) {
  const promptIn = (content: string | null | undefined) =>
    Object.keys(replies).find((prompt) => content?.includes(prompt));
  return ({ body: { messages } }: RecordedRequest): ModelStep => {
    const asked = messages.findLastIndex(
      ({ role, content }) => role === "user" && promptIn(content) !== undefined,
    );
    const steps = replies[promptIn(messages[asked]?.content) ?? ""] ?? [];
    const given = messages.slice(asked).filter(({ role }) => role === "assistant").length;
    return steps[given] ?? { text: "There is nothing left to say." };
  };
}

/** A call of one of Graft's tools. */
export function call(name: string, args: unknown): ModelStep {
  return { toolCalls: [{ name, args }] };
}

/** Replaces a text of a file. */
export function patch(file: string, ...edits: readonly (readonly [string, string])[]): ModelStep {
  return call("patch_source_file", {
    file_path: file,
    edits: edits.map(([search, replace]) => ({ search, replace })),
  });
}

/** Asks to write edit blocks for a file. */
export function editMode(file: string): ModelStep {
  return call("edit_mode", { file_path: file, use_line_numbers: true });
}

/** An answer that stops before some of its words until `goOn` is called. */
export function heldAnswer(text: string, before: string) {
  const size = 4;
  const at = text.indexOf(before);
  if (at < 0) throw new Error(`The answer has no “${before}”.`);
  let goOn: () => void = () => undefined;
  const resume = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  // The first chunk holds the role only.
  const step: ModelStep = { text, chunkSize: size, stallAfter: 1 + Math.floor(at / size), resume };
  return { step, goOn };
}
