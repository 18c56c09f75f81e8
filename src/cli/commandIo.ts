import type { Readable, Writable } from "node:stream";
import type { GrammarSource } from "../ports/grammarSource.ts";
import type { Logger } from "../ports/logger.ts";

/** A command's environment: the real process, or a test. */
export interface CommandIo {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly grammars: GrammarSource;
  /** The API key for `run`, or null. */
  readonly apiKey: string | null;
  /** The token that `mcp --http` asks for, or null to make one. */
  readonly mcpToken: string | null;
  readonly version: string;
  /** Aborts when the user interrupts. */
  readonly interrupted: AbortSignal;
}

/** Writes `value` as one line of JSON. Settles when it is flushed or the reader is gone. */
export function printJson(io: CommandIo, value: unknown): Promise<void> {
  return print(io.stdout, `${JSON.stringify(value)}\n`);
}

/** Writes a sentence to stderr. */
export function complain(io: CommandIo, sentence: string): Promise<void> {
  return print(io.stderr, `graft: ${sentence}\n`);
}

/** Writes a sentence to stderr and returns the exit status. */
export async function fail(io: CommandIo, sentence: string, status: number): Promise<number> {
  await complain(io, sentence);
  return status;
}

/** Writes `text`. Settles like {@link printJson}. */
export function print(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      stream.off("error", settle);
      resolve();
    };
    stream.on("error", settle);
    stream.write(text, settle);
  });
}

/** Logs warnings and errors to stderr. */
export function stderrLogger(io: CommandIo): Logger {
  const write = (message: string) => void complain(io, message);
  return { warn: write, error: write };
}
