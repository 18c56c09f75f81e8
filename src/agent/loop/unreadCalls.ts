import { FenceScanner } from "../../base/text/fenceScanner.ts";
import { parseJson } from "../../base/text/parseJson.ts";
import type { ToolSpec } from "../../model/message.ts";
import { WRITTEN_CALL } from "../../model/textCalls/textCallScanner.ts";

/** How models write calls that their server's chat template should have read. */
const MARKERS = [
  /<(?:minimax:)?tool_calls?>|<function=|<function_calls>|<invoke name=|<\|(?:python_tag|tool_call)\|>|\[TOOL_CALLS\]|<｜DSML｜/,
  /<[|｜]tool[_▁]calls?(?:[_▁]section)?[_▁]begin[|｜]>|<\|channel\|>commentary|to=functions\./,
];
/** How far after a marker a tool's name may stand, in UTF-16 units. */
const MAX_DISTANCE = 300;
/** An answer longer than this, in UTF-16 units, is no call in JSON. */
const MAX_JSON = 100_000;

/**
 * Whether an answer seems to hold a call of one of `tools` that nobody read: in a model family's
 * own format, or as JSON alone. Only warns.
 */
export function hasUnreadCall(answer: string, tools: readonly ToolSpec[]): boolean {
  const names = tools.map(({ name }) => name);
  const text = proseOf(answer);
  const marker = MARKERS.map((pattern) => text.search(pattern)).filter((at) => at >= 0);
  const begun = marker.some((at) =>
    names.some((name) => text.slice(at, at + MAX_DISTANCE).includes(name)),
  );
  return begun || WRITTEN_CALL.test(answer) || isJsonCall(answer, names);
}

/** The text without code and quotations. */
function proseOf(answer: string): string {
  const scanner = new FenceScanner();
  let inFence = false;
  const lines = answer.split("\n").map((line) => {
    const wasInside = inFence;
    for (const { type } of scanner.push(`${line}\n`))
      inFence = type === "open" || (inFence && type !== "close");
    return wasInside || inFence || /^ {0,3}>|^ {4}/.test(line) ? "" : line.replace(/`[^`]*`/g, "");
  });
  return lines.join("\n");
}

function isJsonCall(answer: string, names: readonly string[]): boolean {
  const text = answer.trim();
  if (text.length > MAX_JSON) return false;
  const [call]: unknown[] = [
    parseJson(/^```[\w-]*[ \t]*\n([\s\S]*)```$/.exec(text)?.[1] ?? text),
  ].flat();
  if (typeof call !== "object" || call === null || !("name" in call)) return false;
  return names.some((name) => name === call.name) && ("arguments" in call || "parameters" in call);
}
