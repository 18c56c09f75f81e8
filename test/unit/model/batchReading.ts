/** What a recording says, read as a whole and with nothing of the code under test. */
export interface BatchReading {
  text: string;
  reasoning: string;
  readonly calls: {
    readonly id: string;
    readonly index: unknown;
    readonly name: string;
    args: string;
  }[];
  readonly finishes: string[];
  outputTokens: unknown;
  error: boolean;
  /** True once the end mark came. */
  done: boolean;
}

/** Reads a whole recorded body. */
export function batchReading(body: string): BatchReading {
  return batchReadings(body).at(-1) ?? nothingRead();
}

/** What has been said before the first event of a recorded body, after the first, and so on. */
export function batchReadings(body: string): readonly BatchReading[] {
  const read = nothingRead();
  const readings = [structuredClone(read)];
  for (const event of body.replaceAll("\r\n", "\n").split("\n\n")) {
    const data = dataOf(event);
    if (data === "[DONE]") read.done = true;
    else if (data !== "" && !read.error) {
      const chunk: unknown = JSON.parse(data);
      if (at(chunk, "error")) read.error = true;
      else readChunk(chunk, read);
    }
    readings.push(structuredClone(read));
  }
  return readings;
}

/** The data of an event, or of its beginning; "" where there is none. */
export function dataOf(event: string): string {
  return event
    .split("\n")
    .filter((line) => line.startsWith("data:"))
    .map((line) => line.slice(5).trim())
    .join("\n");
}

function nothingRead(): BatchReading {
  return {
    text: "",
    reasoning: "",
    calls: [],
    finishes: [],
    outputTokens: null,
    error: false,
    done: false,
  };
}

function readChunk(chunk: unknown, read: BatchReading): void {
  const delta = at(chunk, "choices", 0, "delta");
  const content = at(delta, "content");
  for (const part of Array.isArray(content) ? content : [{ text: content }]) {
    read.text += string(at(part, "text"));
    read.reasoning += string(at(part, "thinking", 0, "text"));
  }
  const details = at(delta, "reasoning_details");
  const detailed = list(details).map(
    (detail) => string(at(detail, "text")) || string(at(detail, "summary")),
  );
  read.reasoning +=
    string(at(delta, "reasoning_content")) || string(at(delta, "reasoning")) || detailed.join("");
  for (const piece of list(at(delta, "tool_calls"))) {
    const id = string(at(piece, "id"));
    const name = string(at(piece, "function", "name"));
    const index = at(piece, "index");
    const call =
      read.calls.find((known) => id !== "" && known.id === id) ??
      (name === "" ? read.calls.findLast((known) => known.index === index) : undefined);
    const args = string(at(piece, "function", "arguments"));
    if (call) call.args += args;
    else read.calls.push({ id, index, name, args });
  }
  const finish = string(at(chunk, "choices", 0, "finish_reason"));
  if (finish !== "") read.finishes.push(finish);
  read.outputTokens =
    at(chunk, "usage", "completion_tokens") ??
    at(chunk, "x_groq", "usage", "completion_tokens") ??
    read.outputTokens;
}

function at(value: unknown, ...path: (string | number)[]): unknown {
  let current = value;
  for (const key of path) {
    if (typeof current !== "object" || current === null) return undefined;
    current = Object.entries(current).find(([name]) => name === String(key))?.[1];
  }
  return current;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function string(value: unknown): string {
  return typeof value === "string" ? value : "";
}
