import type { ApprovalRequest } from "../../ports/approval.ts";

/** A rule of the setting graft.permissions.rules. */
export interface PermissionRule {
  /** A tool's name; with a final `*` every name that starts with it. */
  readonly tool: string;
  /** For run_command, the command lines that it covers; see {@link matchesCommand}. */
  readonly match?: string | undefined;
  readonly allow: "always" | "ask" | "never";
}

/** The length, in UTF-16 units, above which a command line is not searched for a forbidden part. */
const LONG = 2_000;

/** What a rule says about a request: null where it does not apply, and `ask` where that cannot be told. */
export function ruleVerdict(rule: PermissionRule, request: ApprovalRequest): PermissionRule["allow"] | null {
  const { tool, match, allow } = rule;
  if (tool.endsWith("*") ? !request.tool.startsWith(tool.slice(0, -1)) : request.tool !== tool) return null;
  if (match === undefined) return allow;
  if (!request.command) return null;
  const { text } = request.command;
  const fits = matchesCommand(match, text);
  if (allow === "always") return fits && (isOneCommand(text) || !match.trim().endsWith("*")) ? allow : null;
  if (fits) return allow;
  // A forbidden command may be part of this one, or be spelled differently: with a path, after `env` or an assignment, as a glob.
  if (text.length > LONG || !isOneCommand(text) || /["'\\]|^\S*[?*[]/.test(text)) return "ask";
  const ends = [...text.matchAll(/(?<=[\s/=])[^\s/=]/g)].map(({ index }) => text.slice(index));
  return ends.some((end) => matchesCommand(match, end)) ? "ask" : null;
}

/** A rule as the user reads it: `run_command npm test*: always`. */
export function describeRule({ tool, match, allow }: PermissionRule): string {
  return `${tool}${match === undefined ? "" : ` ${match}`}: ${allow}`;
}

/** Characters that start no second command in any common shell. */
const ONE_COMMAND = /^[\p{L}\p{N} \t_./:=,@+~*?"'#[\]\\-]*$/u;

/** False where a shell might run more than one command: `&&`, `;`, pipes, redirections, substitutions, several lines. */
export function isOneCommand(text: string): boolean {
  return ONE_COMMAND.test(text);
}

/** Whether a command line is `match`, or with a final `*` starts with it; ` *` also fits no arguments. Runs of spaces count as one. */
function matchesCommand(match: string, command: string): boolean {
  const [wanted, text] = [withSingleBlanks(match), withSingleBlanks(command)];
  if (!wanted.endsWith("*")) return text === wanted;
  const start = wanted.slice(0, -1);
  return text.startsWith(start) || text === start.trimEnd();
}

function withSingleBlanks(text: string): string {
  return text.trim().replace(/[ \t]+/g, " ");
}
