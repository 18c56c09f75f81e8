import * as z from "zod/mini";
import type { ApprovalRequest, CommandLine } from "../../ports/approval.ts";
import { programName, takesMoreWords } from "./starPrograms.ts";

/** {@link PermissionRule} as the user writes it. */
export const permissionRuleSchema = z.strictObject({
  /** A tool's name; with a final `*` every name that starts with it. */
  tool: z.string().check(z.minLength(1)),
  /**
   * For run_command, the command lines: for `always` those of {@link coversCommand}, else also
   * whatever begins with it.
   */
  match: z.optional(z.string().check(z.minLength(1))),
  /**
   * With `match` and `always`, the folder of the commands, relative to the workspace; `*` for any.
   * Default: the workspace itself.
   */
  folder: z.optional(z.string().check(z.minLength(1))),
  /**
   * With `match` and `always`, true for commands that run on what is proposed, too; `copy` also for
   * those that do so in a copy.
   */
  onProposals: z.optional(z.union([z.boolean(), z.literal("copy")])),
  allow: z.enum(["always", "ask", "never"]),
});

/** A rule of the setting graft.permissions.rules. */
export type PermissionRule = Readonly<z.infer<typeof permissionRuleSchema>>;

/** The length, in UTF-16 units, above which a command line is not searched for a forbidden part. */
const LONG = 2_000;

/**
 * What a rule says about a request: null where it does not apply, and `ask` where that cannot be
 * told.
 */
export function ruleVerdict(
  rule: PermissionRule,
  request: ApprovalRequest,
): PermissionRule["allow"] | null {
  const { tool, match, allow } = rule;
  // Whoever names a server also names its tools, so a name is only the user's where the server is.
  if (allow === "always" && request.mcp?.own === false && tool !== "*") return null;
  if (tool.endsWith("*") ? !request.tool.startsWith(tool.slice(0, -1)) : request.tool !== tool)
    return null;
  if (match === undefined) return allow;
  if (!request.command) return null;
  const { text } = request.command;
  if (allow === "always") {
    // What is proposed is code that the user has not seen.
    if (request.onProposals && !rule.onProposals) return null;
    // In a copy it could change the user's files by their paths.
    if (request.onProposals?.backend === "copy" && rule.onProposals !== "copy") return null;
    return coversCommand(match, text) && isInFolder(rule, request.command) ? allow : null;
  }
  if (matchesCommand(match, text)) return allow;
  // A forbidden command may be part of this one, or be spelled differently: with a path, after
  // `env` or an assignment, as a glob.
  if (text.length > LONG || !isOneCommand(text) || /["'\\]|^\S*[?*[]/.test(text)) return "ask";
  const ends = [...text.matchAll(/(?<=[\s/=])[^\s/=]/g)].map(({ index }) => text.slice(index));
  return ends.some((end) => matchesCommand(match, end)) ? "ask" : null;
}

/** A rule holds for the folder that it names, by default for the workspace's own folders. */
function isInFolder({ folder = "." }: PermissionRule, command: CommandLine): boolean {
  return (
    folder === "*" ||
    plainFolder(folder) === plainFolder(command.folder) ||
    (folder === "." && command.isRoot === true)
  );
}

function plainFolder(folder: string): string {
  const parts = folder.split("/").filter((part) => part !== "" && part !== ".");
  return parts.join("/") || ".";
}

/** A rule as the user reads it: `run_command npm test*: always`. */
export function describeRule({ tool, match, folder, allow }: PermissionRule): string {
  return `${tool}${match === undefined ? "" : ` ${match}`}${folder === undefined ? "" : ` (${folder})`}: ${allow}`;
}

/** Characters that start no second command in any common shell. */
const ONE_COMMAND = /^[\p{L}\p{N} \t_./:=,@+~*?"'#[\]\\-]*$/u;

/**
 * False where a shell might run more than one command: `&&`, `;`, pipes, redirections,
 * substitutions, several lines.
 */
export function isOneCommand(text: string): boolean {
  return ONE_COMMAND.test(text);
}

/**
 * A word that no common program takes for an option, an assignment, or a place outside the folder
 * (`../x`, `C:/x`, a web address), and no shell for more than itself.
 */
const PLAIN_WORD =
  /^(?!.*\/\/|(?:.*\/)?\.\.(?:\/|$)|[a-z]:)[\p{L}\p{N}_.:][\p{L}\p{N}_.:/,@+-]*$/iu;

/**
 * Whether a permission covers a command line: exactly `match`, or with a final `*` its words and
 * further plain words after them. Options that `match` does not name are never covered, nor are
 * assignments, quotes, globs and chained commands.
 */
export function coversCommand(match: string, command: string): boolean {
  const [wanted, text] = [withSingleBlanks(match), withSingleBlanks(command)];
  if (!wanted.endsWith("*")) return text === wanted;
  const start = wanted.slice(0, -1).trimEnd();
  if (!isOneCommand(text) || !`${text} `.startsWith(start === "" ? "" : `${start} `)) return false;
  if (!takesMoreWords(start === "" ? text : start)) return false;
  const rest = text.slice(start.length).trim();
  return rest === "" || rest.split(" ").every((word) => PLAIN_WORD.test(word));
}

/** Commands that run a project's tests and checks, whose further words only say which. */
const CHECKS =
  /^(?:(?:npm|pnpm|yarn|bun)(?: run)?|cargo|go|dotnet|swift|flutter|mix) (?:test|check|lint|vet|clippy|typecheck|build)(?::[\w:-]+)?(?= |$)|^(?:pytest|vitest run|jest)(?= |$)/;

/**
 * The beginning of a command that can be allowed with any further words, such as `npm test`; null
 * where that would allow too much.
 */
export function commandPrefix(command: string): string | null {
  const prefix = CHECKS.exec(withSingleBlanks(command))?.[0] ?? null;
  return prefix !== null && coversCommand(`${prefix} *`, command) ? prefix : null;
}

/**
 * Whether a command line is `match`, or with a final `*` starts with it; ` *` also fits no
 * arguments. Runs of spaces count as one.
 */
function matchesCommand(match: string, command: string): boolean {
  const [wanted, text] = [withPlainProgram(match), withPlainProgram(command)];
  if (!wanted.endsWith("*")) return text === wanted;
  const start = wanted.slice(0, -1);
  return text.startsWith(start) || text === start.trimEnd();
}

/** A command line whose program is written as a disk that ignores case finds it. */
function withPlainProgram(command: string): string {
  const text = withSingleBlanks(command);
  const end = text.indexOf(" ");
  if (text === "*") return text;
  const [program, rest] = end < 0 ? [text, ""] : [text.slice(0, end), text.slice(end)];
  return (
    (program.includes("/") ? program.toUpperCase().toLowerCase() : programName(program)) + rest
  );
}

/** Other white space is part of a word for some shells. Linear, also for very many blanks. */
function withSingleBlanks(text: string): string {
  const isBlank = (at: number) => " \t\n".includes(text.charAt(at));
  let [start, end] = [0, text.length];
  while (start < end && isBlank(start)) start++;
  while (end > start && isBlank(end - 1)) end--;
  return text.slice(start, end).replace(/[ \t]+/g, " ");
}
