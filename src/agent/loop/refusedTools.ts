import type { ToolSpec } from "../../model/message.ts";
import type { TurnError } from "../../turns/turnError.ts";
import { mayRefusePart } from "./partSupport.ts";

/** How a refusal names a tool by its place in the request; of Gemini's places the inner one counts. */
const PLACES = [
  /\bfunction_?declarations\W{1,3}(\d+)/i,
  /\b(?:tools?|functions?)\s*(?:\[|\.|->|→)\s*(\d+)/i,
  /\b(?:tools?|functions?)(?: at)? (?:index |#)(\d+)/i,
];
const ABOUT_TOOLS = /tool|function|schema/i;

/**
 * The tools for which a request was refused: those that the refusal names, by name or by place, or
 * where it only speaks of tools those that are not Graft's own (`isForeign`). None for another
 * failure.
 */
export function refusedTools(
  error: TurnError | null,
  sent: readonly ToolSpec[],
  isForeign: (name: string) => boolean,
): readonly string[] {
  if (error === null || mayRefusePart(error) !== "request") return [];
  const said = ("said" in error && error.said) || "";
  const named = sent.filter(({ name }) => namesTool(said, name)).map(({ name }) => name);
  if (named.length > 0) return named;
  for (const place of PLACES) {
    const at = place.exec(said)?.[1];
    const tool = at === undefined ? undefined : sent[Number(at)];
    if (tool) return [tool.name];
  }
  return ABOUT_TOOLS.test(said) ? sent.map(({ name }) => name).filter(isForeign) : [];
}

function namesTool(said: string, name: string): boolean {
  const literal = name.replace(/[^\w]/g, "\\$&");
  return new RegExp(`(?<![\\w-])${literal}(?![\\w-])`).test(said);
}
