import { lastPart } from "../../base/text/clip.ts";
import type { CommandState } from "../../turns/turnEvent.ts";
import { NOTES } from "../notes.ts";
import type { CommandJob } from "./commandJobs.ts";

/**
 * The most output in one result, in UTF-16 units: from the start, and more from the end, where
 * failures are.
 */
const HEAD = 6_000;
const TAIL = 18_000;
/** The lines at the end of a failed command's output that the panel shows, and their length. */
const FAILED_LINES = 10;
const FAILED_TAIL = 2_000;

/**
 * A command as the model reads it: its state, and its output from `offset` on. Offsets count UTF-16
 * units of the whole output.
 */
export function commandReport(job: CommandJob, offset: number): string {
  const { start, text } = job.output.from(offset);
  job.readTo = start + text.length;
  const missing = start > offset ? `${NOTES.outputDropped(start - offset)}\n` : "";
  return `${stateText(job)}\n${missing}${shortened(job, start, text)}${withheldNote(job, text)}`;
}

/** Names the secrets that a failed command misses. */
function withheldNote({ exit, withheld }: CommandJob, text: string): string {
  const named = exit?.code === 0 ? [] : withheld.filter((name) => text.includes(name));
  return named.length === 0 ? "" : `\n${NOTES.withheld(named)}`;
}

/** What became of a command, for the panel. */
export function commandState({ exit, output }: CommandJob): CommandState {
  if (exit === null) return { code: "running" };
  if (exit.code === 0) return { code: "exited", exitCode: 0 };
  const tail = lastLines(output.from(0).text);
  return exit.code === null
    ? { code: "killed", tail }
    : { code: "exited", exitCode: exit.code, tail };
}

/** npm's notices, such as that of an update, come after the failure and are none. */
function lastLines(text: string): string {
  const lines = withoutOverwritten(lastPart(text, FAILED_TAIL)).trimEnd().split("\n");
  while (/^(?:npm notice\b.*|\s*)$/.test(lines.at(-1) ?? "x")) lines.pop();
  return lines.slice(-FAILED_LINES).join("\n");
}

function stateText({ id, exit, startedAt }: CommandJob): string {
  if (exit === null) {
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(0);
    return NOTES.running(seconds, id);
  }
  return exit.code === null ? NOTES.endedBy(exit.signal) : NOTES.exited(exit.code);
}

function shortened({ id }: CommandJob, start: number, text: string): string {
  const plain = withoutOverwritten(text);
  if (plain === "") return NOTES.noOutput;
  if (text.length <= HEAD + TAIL) return plain;
  const head = text.slice(0, lineEndBefore(text, HEAD));
  const tail = text.slice(text.length - TAIL).replace(/^[^\n]*\n/, "");
  const left = text.length - head.length - tail.length;
  const arguments_ = JSON.stringify({ command_id: id, offset: start + head.length });
  return `${withoutOverwritten(head)}${NOTES.outputOmitted(left, arguments_)}\n${withoutOverwritten(tail)}`;
}

function lineEndBefore(text: string, limit: number): number {
  const at = text.lastIndexOf("\n", limit);
  return at < 0 ? limit : at + 1;
}

/** Drops what a carriage return overwrote, as progress bars do. */
function withoutOverwritten(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(/^[^\n]*\r(?=[^\n])/gm, "");
}
