import { pluralize, sentence } from "../base/text/sentence.ts";
import type { ApprovalDecision } from "../ports/approval.ts";
import type { ProcessFailure } from "../ports/commands/process.ts";
import type { ShadowProblem } from "../ports/commands/shadow.ts";
import type { McpProblem } from "../ports/mcp.ts";
import type { Unanswered } from "../ports/question.ts";
import { outlineUnavailableMessage, pathErrorMessage } from "../syntax/messages.ts";
import type { OutlineUnavailable } from "../syntax/outlineUnavailable.ts";
import type { PathError } from "../syntax/syntax.ts";
import { shadowReason } from "./command/messages.ts";
import { mcpProblemMessage } from "./mcp/messages.ts";
import type { ToolError, ToolResult } from "./tool.ts";
import { webFailureMessage } from "./web/messages.ts";
import type { WebFailure } from "./web/web.ts";

/**
 * Why a tool failed: the facts of each code. A `detail` is what the system, git or a server said.
 */
export interface ToolFailures {
  "unknown-tool": { readonly name: string; readonly known: readonly string[] };
  /** The mode is one of Graft's own, or an agent's name. */
  "not-in-mode": { readonly name: string; readonly mode: string };
  "no-agents": object;
  /** `broken` are the files whose front matter cannot be read. */
  "unknown-agent": {
    readonly name: string;
    readonly known: readonly string[];
    readonly broken: readonly string[];
  };
  /** The agent used up its budget; `report` is what it said last, or "". */
  "agent-spent": { readonly over: "tokens" | "time"; readonly report: string };
  "agent-error": { readonly report: string };
  "invalid-json": { readonly tool: string; readonly detail: string };
  "invalid-arguments": {
    readonly tool: string;
    readonly detail: string;
    readonly parameters: readonly string[];
  };
  /** `advice` is the tool's own, or null. */
  "timed-out": { readonly tool: string; readonly seconds: number; readonly advice: string | null };
  /** `begun` when the call may have changed something. */
  cancelled: { readonly tool: string; readonly begun: boolean };
  crashed: { readonly tool: string; readonly detail: string };
  /** `rule` is the setting or flag that denied it. */
  denied: {
    readonly tool: string;
    readonly by: ApprovalDecision["by"];
    readonly rule: string | null;
  };

  "unknown-result": { readonly id: string; readonly offset: number };

  "element-and-lines": object;
  "start-past-end": { readonly start: number; readonly lines: number };
  "end-before-start": { readonly start: number; readonly end: number };
  "unknown-element": { readonly error: PathError };
  /** `use` says how to read the file instead. */
  "no-outline": { readonly why: OutlineUnavailable; readonly use: "read_file" | "lines" };
  "no-file-read": { readonly detail: string };

  /** The limit is in UTF-16 units. */
  "too-large-arguments": { readonly tool: string; readonly limit: number };
  "mixed-edits": object;
  /** The report has a line for each edit. */
  "nothing-proposed": { readonly path: string; readonly report: string };

  "symbol-not-in-line": { readonly path: string; readonly line: number; readonly symbol: string };
  /** `detail` is null where there are no language extensions. */
  "no-references": { readonly detail: string | null };
  "no-diagnostics": { readonly detail: string | null };
  "too-few-options": { readonly kind: string };
  "schema-not-asked": { readonly path: string };
  "no-answer": { readonly why: Unanswered["why"] };

  "not-fetched": { readonly url: string; readonly failure: WebFailure };

  "nul-in-command": object;
  "too-many-commands": { readonly running: readonly string[] };
  "not-run": { readonly failure: ProcessFailure };
  "no-shadow": { readonly problem: ShadowProblem };
  /** The path is of a folder that is in no copy. */
  "outside-copy": { readonly path: string };
  "unknown-command": { readonly id: string; readonly known: readonly string[] };

  "git-untrusted": object;
  "not-a-repository": { readonly folder: string };
  "repository-not-open": { readonly top: string };
  /** `leads` is where its settings or links lead. */
  "repository-elsewhere": { readonly leads: string };
  /** The path of a pipe or device. */
  "settings-proposed": object;
  "git-waits": { readonly path: string };
  /** The absolute path of the folder where git ran. */
  "git-silent": { readonly path: string };
  /** The repository's own settings that name programs. */
  "runs-program": { readonly settings: readonly string[] };
  "git-failed": { readonly code: number; readonly detail: string };
  "not-a-revision": { readonly parameter: string };
  "path-outside-folder": { readonly path: string; readonly folder: string };

  "server-refused": { readonly tool: string; readonly server: string; readonly detail: string };
  "server-lost": { readonly server: string; readonly detail: string; readonly wrote: string };
  /** `detail` is the tool's own error, or "". */
  "server-tool-failed": { readonly tool: string; readonly detail: string };
  "not-an-object": { readonly tool: string };
  "not-a-tool-result": { readonly tool: string };
  "server-unavailable": { readonly problem: McpProblem };
}

type Wording = readonly [
  category: ToolError["category"],
  message: string,
  recovery?: string | null,
];

const WORDINGS: { readonly [Code in keyof ToolFailures]: (facts: ToolFailures[Code]) => Wording } =
  {
    "unknown-tool": ({ name, known }) => [
      "not-found",
      `There is no tool named ${JSON.stringify(name)}.`,
      `The tools are: ${known.join(", ")}.`,
    ],
    "not-in-mode": ({ name, mode }) => [
      "permission",
      `${name} was not run: the user chose the mode ${JSON.stringify(mode)}, which has no such tool.`,
      "Go on without it. Only the user can choose another mode.",
    ],
    "no-agents": () => [
      "permission",
      "run_agent was not run: an agent starts no other agents.",
      "Do the task yourself.",
    ],
    "unknown-agent": ({ name, known, broken }) => [
      "not-found",
      `There is no agent named ${JSON.stringify(name)}.${broken.length > 0 ? ` The front matter of these files cannot be read: ${broken.join(", ")}.` : ""}`,
      known.length > 0
        ? `The agents are: ${known.join(", ")}. Or leave the name out.`
        : "Leave the name out.",
    ],
    "agent-spent": ({ over, report }) => [
      "timeout",
      `The agent was ended: it used all its ${over}.${report === "" ? "" : ` It said last: ${report}`}`,
      "Give it a smaller task, or go on without it. What it proposed stays proposed.",
    ],
    "agent-error": ({ report }) => [
      "execution",
      `The agent failed before its report.${report === "" ? "" : ` It said last: ${report}`}`,
      "Go on without it.",
    ],
    "invalid-json": ({ tool, detail }) => [
      "validation",
      `The arguments are not valid JSON (${detail}).`,
      `Call ${tool} again with one JSON object.`,
    ],
    "invalid-arguments": ({ tool, detail, parameters }) => [
      "validation",
      `The arguments of ${tool} are not valid: ${detail}.`,
      `Call ${tool} again. Its parameters are: ${parameters.join(", ")}.`,
    ],
    "timed-out": ({ tool, seconds, advice }) => [
      "timeout",
      `${tool} timed out after ${pluralize(seconds, "second")}.`,
      advice ?? "Try again with a smaller folder or fewer files, or go on without it.",
    ],
    cancelled: ({ tool, begun }) => [
      "cancelled",
      `${tool} was cancelled because the turn was stopped.`,
      begun
        ? "It had started, so it may have taken effect in part or in full. Check before you rely on either."
        : null,
    ],
    crashed: ({ tool, detail }) => ["execution", `${tool} failed: ${sentence(detail)}`],
    denied: ({ tool, by, rule }) => ["permission", ...deniedText(tool, by, rule)],

    "unknown-result": ({ id, offset }) => [
      "not-found",
      `This turn has no result ${JSON.stringify(id)} that goes beyond ${offset}. Results are kept for one turn.`,
      "Call the tool again.",
    ],

    "element-and-lines": () => [
      "validation",
      "ast_path cannot be combined with start_line or end_line.",
      "Give an element or lines.",
    ],
    "start-past-end": ({ start, lines }) => [
      "validation",
      `start_line is ${start}, but the file has ${pluralize(lines, "line")}.`,
      "Read within the file.",
    ],
    "end-before-start": ({ start, end }) => [
      "validation",
      `end_line ${end} is before start_line ${start}.`,
      "Swap them.",
    ],
    "unknown-element": ({ error }) => ["not-found", pathErrorMessage(error)],
    "no-outline": ({ why, use }) => [
      "validation",
      outlineUnavailableMessage(why),
      use === "lines" ? "Read it by start_line and end_line." : "Read it with read_file.",
    ],
    "too-large-arguments": ({ tool, limit }) => [
      "validation",
      `The arguments of ${tool} have more than ${limit} characters.`,
      "Make several calls with less in each.",
    ],
    "mixed-edits": () => [
      "validation",
      "The edits of one call name either only elements, or only lines, or one of them is the whole file.",
      "Make a call for each kind, and read the file again before you name lines of it.",
    ],
    "nothing-proposed": ({ path, report }) => [
      "validation",
      `Nothing was changed or proposed in '${path}'.\n${report}`,
    ],
    "no-file-read": ({ detail }) => ["not-found", detail],

    "symbol-not-in-line": ({ path, line, symbol }) => [
      "validation",
      `Line ${line} of ${path} does not contain ${JSON.stringify(symbol)}.`,
      "Find the line with find_symbol or search_in_files.",
    ],
    "no-references": ({ detail }) => [
      "execution",
      editorFailure("find references", detail),
      "Search for the name with search_in_files.",
    ],
    "no-diagnostics": ({ detail }) => [
      "execution",
      editorFailure("read its problems", detail),
      "Run the project's own checks if you can run commands.",
    ],
    "too-few-options": ({ kind }) => [
      "validation",
      `${kind} needs at least two different options.`,
      "Call ask_user again.",
    ],
    "schema-not-asked": ({ path }) => [
      "permission",
      `${path} changed and now names a schema that VS Code would fetch, so it was not opened.`,
      "Call open_file again; the user is asked.",
    ],
    "no-answer": ({ why }) => [
      "execution",
      NO_ANSWER[why],
      "Make a sensible assumption, and say which.",
    ],

    "not-fetched": ({ url, failure }) => ["network", ...webFailureMessage(url, failure)],

    "nul-in-command": () => [
      "validation",
      "A command line cannot contain a NUL character.",
      "Remove it.",
    ],
    "too-many-commands": ({ running }) => [
      "execution",
      `${running.length} commands are already running (${running.join(", ")}).`,
      "End one with kill_command.",
    ],
    "not-run": ({ failure }) => [
      "execution",
      PROCESS_SENTENCES[failure.code](failure.program, failure.detail ?? ""),
    ],
    "no-shadow": ({ problem }) => [
      "execution",
      `The command did not run: ${shadowReason(problem)}`,
      "Run it with on=workspace, or ask the user to accept the changes first.",
    ],
    "outside-copy": ({ path }) => [
      "execution",
      `The command did not run: commands run in a copy of the workspace now, and ${path} is not in it.`,
      "Run it with on=workspace, or in a folder of the workspace.",
    ],
    "unknown-command": ({ id, known }) => [
      "not-found",
      `There is no command ${JSON.stringify(id)}.`,
      known.length === 0
        ? "None has been run since Graft started, and earlier ones have ended."
        : `The commands are: ${known.join(", ")}. Earlier ones have ended.`,
    ],

    "git-untrusted": () => [
      "permission",
      "This workspace is not trusted, so git does not run in it.",
      "The user can trust it.",
    ],
    "not-a-repository": ({ folder }) => [
      "not-found",
      `${folder === "" ? "The workspace" : folder} is not in a git repository.`,
      "Go on without git, or ask the user.",
    ],
    "repository-not-open": ({ top }) => [
      "permission",
      `The git repository ${top} is neither a workspace folder nor open in the editor, so Graft does not start git in it.`,
      "Go on without it, or ask the user to open it in the Source Control view or as a workspace folder.",
    ],
    "repository-elsewhere": ({ leads }) => [
      "permission",
      `This git repository leads to files outside its folder (${leads}), so Graft does not start git in it.`,
      "Go on without git. run_command can run git, and asks the user.",
    ],
    "settings-proposed": () => [
      "permission",
      "Git's settings are among the proposed changes, so Graft does not start git on these.",
      "Go on without git, or ask the user to accept or reject them first.",
    ],
    "git-waits": ({ path }) => [
      "permission",
      `Git would wait for ${path}, which is a pipe or a device, so Graft does not start it.`,
      "Go on without git, or ask the user to remove it.",
    ],
    "git-silent": ({ path }) => [
      "timeout",
      `Git gave no answer in ${path}, so Graft ended it.`,
      "Name fewer paths, or go on without git.",
    ],
    "runs-program": ({ settings }) => [
      "permission",
      `Git would have to run a program that the repository's own settings name (${settings.join(", ")}), so Graft does not read this.`,
      "Name paths that need no such program. run_command can run git, and asks the user.",
    ],
    "git-failed": ({ code, detail }) => ["execution", detail || `git ended with code ${code}.`],
    "not-a-revision": ({ parameter }) => [
      "validation",
      `${parameter} must be one name without spaces, and must not start with a dash.`,
      "Give a branch, a tag or a commit.",
    ],
    "path-outside-folder": ({ path, folder }) => [
      "validation",
      `${path} is not in ${folder}.`,
      "Name the folder that contains it.",
    ],

    "server-refused": ({ tool, server, detail }) => [
      "execution",
      `The MCP server ${server} rejected ${tool}: ${sentence(detail)}`,
    ],
    "server-lost": ({ server, detail, wrote }) => [
      "network",
      `The connection to the MCP server ${server} was lost${detail === "" ? "" : ` (${detail})`}.${wrote === "" ? "" : ` It wrote: ${sentence(wrote)}`} It is restarted at its next use.`,
    ],
    "server-tool-failed": ({ tool, detail }) => [
      "execution",
      detail || `${tool} failed without an error message.`,
    ],
    "not-an-object": ({ tool }) => [
      "validation",
      `The arguments of ${tool} must be an object.`,
      `Call ${tool} again with one JSON object.`,
    ],
    "not-a-tool-result": ({ tool }) => [
      "execution",
      `${tool} returned something other than a tool result.`,
    ],
    "server-unavailable": ({ problem }) => [
      "permission",
      mcpProblemMessage(problem),
      "Go on without it, and tell the user.",
    ],
  };

const NO_ANSWER: Readonly<Record<Unanswered["why"], string>> = {
  skipped: "The user skipped the question.",
  stopped: "The user stopped the turn before answering.",
  nobody: "Nobody can be asked on the command line.",
};

function deniedText(
  tool: string,
  by: ApprovalDecision["by"],
  rule: string | null,
): readonly [message: string, recovery: string] {
  const goOn = "Do not try the same again. Go on without it, or ask the user.";
  switch (by) {
    case "user":
      return [
        `The user denied ${tool}.`,
        "Do not try the same again unless the user asks for it. Go on without it.",
      ];
    case "settings":
      return [
        `The user's settings do not allow ${tool} (${rule}).`,
        "Do not try another way; say what would be needed.",
      ];
    case "flags":
      if (rule === null)
        return [
          `${tool} needs the user's approval for this file each time, and nobody can be asked.`,
          goOn,
        ];
      return [`${tool} is only allowed with ${rule}.`, goOn];
    case "trust":
      return [
        "This workspace is not trusted, so nothing can be changed or run.",
        "Go on without it. The user can trust it with Workspaces: Manage Workspace Trust.",
      ];
    case "candidates":
      return [`${tool} would do more than propose, which the user wants of no model here.`, goOn];
    case "cancel":
      return [`The user stopped the turn before deciding about ${tool}.`, goOn];
  }
}

const PROCESS_SENTENCES: Readonly<
  Record<ProcessFailure["code"], (program: string, detail: string) => string>
> = {
  "not-on-disk": (program) =>
    `This folder is not on the disk of this machine, so ${program} cannot run in it.`,
  "not-found": (program) => `${program} was not found on the PATH. Is it installed?`,
  "not-started": (program, detail) => `${program} could not be started: ${sentence(detail)}`,
  stopped: (program) => `${program} was stopped before it was done.`,
  ended: (program, detail) => `${program} was ended by ${detail}.`,
};

function editorFailure(attempt: string, detail: string | null): string {
  return detail === null
    ? "There are no language extensions here."
    : `The editor could not ${attempt}: ${sentence(detail)}`;
}

/** The error for a failure, worded for the model. */
export function toolError<Code extends keyof ToolFailures>(
  code: Code,
  facts: ToolFailures[Code],
): ToolError {
  const [category, message, recovery = null] = WORDINGS[code](facts);
  return { category, code, message, recovery };
}

/** The result of a call that failed. */
export function failed<Code extends keyof ToolFailures>(
  code: Code,
  facts: ToolFailures[Code],
): ToolResult {
  return { ok: false, error: toolError(code, facts) };
}
