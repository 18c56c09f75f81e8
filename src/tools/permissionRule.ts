import type { ApprovalRequest } from "../ports/approval.ts";
import { fitsCommand, isOneCommand } from "./commandPattern.ts";

/** A rule of the setting graft.permissions.rules. */
export interface PermissionRule {
  /** A tool's name; with `*` at its end every name that begins like this. */
  readonly tool: string;
  /** For run_command, the command lines that are meant; see `fitsCommand`. */
  readonly match?: string | undefined;
  readonly allow: "always" | "ask" | "never";
}

/** A command line that is not looked through for what is forbidden, in UTF-16 units. */
const LONG = 2_000;

/** What a permission rule says about a request: it does not speak of it, its own word, or `ask` where nobody can tell whether it does. */
export function ruleVerdict(rule: PermissionRule, request: ApprovalRequest): PermissionRule["allow"] | null {
  const { tool, match, allow } = rule;
  if (tool.endsWith("*") ? !request.tool.startsWith(tool.slice(0, -1)) : request.tool !== tool) return null;
  if (match === undefined) return allow;
  if (!request.command) return null;
  const { text } = request.command;
  const fits = fitsCommand(match, text);
  if (allow === "always") return fits && (isOneCommand(text) || !match.trim().endsWith("*")) ? allow : null;
  if (fits) return allow;
  // What is forbidden alone may be part of this one, or be spelled in another way: with a path, behind `env` or an assignment, as a glob.
  if (text.length > LONG || !isOneCommand(text) || /["'\\]|^\S*[?*[]/.test(text)) return "ask";
  const ends = [...text.matchAll(/(?<=[\s/=])[^\s/=]/g)].map(({ index }) => text.slice(index));
  return ends.some((end) => fitsCommand(match, end)) ? "ask" : null;
}

/** A rule in words: `run_command npm test*: always`. */
export function ruleText({ tool, match, allow }: PermissionRule): string {
  return `${tool}${match === undefined ? "" : ` ${match}`}: ${allow}`;
}
