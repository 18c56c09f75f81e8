import { pluralize } from "../base/text/pluralize.ts";
import { sentence } from "../base/text/sentence.ts";
import type { ApprovalDecision } from "../ports/approval.ts";
import type { ProcessFailure } from "../ports/commands/process.ts";
import type { ShadowProblem } from "../ports/commands/shadow.ts";
import type { McpProblem } from "../ports/mcp.ts";
import { fileErrorMessage } from "../ports/messages.ts";
import type { Unanswered } from "../ports/question.ts";
import type { DiskGap } from "../ports/savedFiles.ts";
import { outlineUnavailableMessage, pathErrorMessage } from "../syntax/messages.ts";
import type { OutlineUnavailable } from "../syntax/outlineUnavailable.ts";
import type { PathError } from "../syntax/syntax.ts";
import { mcpProblemMessage } from "./mcp/messages.ts";
import type { ShadowResult, ToolError, ToolResult } from "./tool.ts";

/**
 * Why a tool failed: the facts of each code. A `detail` is what the system, git or a server said.
 */
export interface ToolFailures {
  "unknown-tool": { readonly name: string; readonly known: readonly string[] };
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

  "symbol-not-in-line": { readonly path: string; readonly line: number; readonly symbol: string };
  /** `detail` is null where there are no language extensions. */
  "no-references": { readonly detail: string | null };
  "no-diagnostics": { readonly detail: string | null };
  "too-few-options": { readonly kind: string };
  "no-answer": { readonly why: Unanswered["why"] };

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
    "no-answer": ({ why }) => [
      "execution",
      NO_ANSWER[why],
      "Make a sensible assumption, and say which.",
    ],

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
      `The command did not run: ${SHADOW_SENTENCES[problem.code]?.(problem) ?? notInPlace(problem)}`,
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
      known.length === 0 ? "No command has been run." : `The commands are: ${known.join(", ")}.`,
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
      `The connection to the MCP server ${server} was lost${detail === "" ? "" : ` (${detail})`}.${wrote === "" ? "" : ` It wrote: ${sentence(wrote)}`}`,
      "It is restarted at its next use.",
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

/**
 * What the model reads from tools that succeeded, besides the data: what they did, did not find, or
 * left out.
 */
export const NOTES = {
  written: (path: string) => `${path} was written.`,
  created: (path: string) => `${path}/ was created.`,
  deleted: (path: string) => `${path} was deleted.`,
  renamed: (from: string, to: string) => `${from} is now ${to}.`,
  deletionProposed: (path: string) =>
    `Deleting ${path} is proposed and not done yet: the user decides while you go on, and you will be told. For your reads and searches it is gone; on the disk, where commands look, it is still there.`,
  renameProposed: (from: string, to: string) =>
    `Renaming ${from} to ${to} is proposed and not done yet: the user decides while you go on, and you will be told. Your reads and searches find it as ${to}; on the disk, where commands look, it is still ${from}.`,
  copied: (from: string, to: string) => `${from} was copied to ${to}.`,
  opened: (path: string) => `${path} is open in the editor.`,
  revealed: (path: string) => `${path || "The workspace"} is selected in the explorer.`,

  proposed: (changes: number) =>
    changes === 1
      ? "[The text includes 1 proposed change that the user has not accepted yet.]"
      : `[The text includes ${changes} proposed changes that the user has not accepted yet.]`,

  renamedTo: (from: string, to: string) =>
    `[Renaming ${from} to ${to} is proposed, and the user has not accepted it yet. Until then edit it as ${from}.]`,

  emptyFolder: "The folder is empty.",
  noFiles: "There are no files here, or all of them are ignored.",
  noMatchingFile: "No file matches. Ignored files are not searched.",
  noMatches: (include: string | null) =>
    `No matches.${include === null ? "" : ` Only files that match ${JSON.stringify(include)} were searched.`}`,
  noElements: "The file has no elements.",
  noSymbol: "No symbol of that name was found. search_in_files finds it as text.",
  noReferences:
    "No references are known. The language extension may be missing; search_in_files finds the name as text.",
  noProblems: "The editor shows no problems.",
  noActiveFile: "No file of the workspace is active.",
  noChoice: "The user chose none of the options.",
  noDifferences: "No differences. Diffs do not include untracked files; git_status lists them.",
  noBranches: "There are no branches yet.",
  noCommits: "There are no such commits.",
  nothingChanged: "Nothing has changed.",

  omitted: (count: number, advice = "") =>
    `[${count} more omitted.${advice === "" ? "" : ` ${advice}`}]`,
  onlyFirst: (count: number, what: string, advice: string) =>
    `[Only the first ${count} ${what}. ${advice}]`,
  onlyLevels: (levels: number) => `[Only ${levels} levels fit. Name a folder to see more.]`,
  unfiltered: (names: readonly string[]) =>
    `[Without content filters (${names.join(", ")}): their files are compared as they are on the disk, so they may differ only in form.]`,
  diffClipped: "[The rest is omitted. Name paths.]",
  lineClipped: (length: number) => `… [line clipped: ${length} characters]`,
  linesClipped: (end: number) => `Clipped after line ${end}. Read on with start_line=${end + 1}.`,
  secretDiff: (names: readonly string[]) =>
    `[Left out, since they may hold keys or passwords: ${names.join(", ")}. Name them in paths: then the user is asked.]`,
  secretSelection: "The selected text is left out: the file may hold keys or passwords.",
  selectionClipped: (length: number) => `[Clipped: ${length} characters are selected.]`,
  fileOmitted: (path: string) =>
    `${path}: omitted, because it makes this result too long. Read it with another call.`,
  resultClipped: (end: number, length: number, next: string) =>
    `[Clipped: ${end} of ${length} characters shown so far. Read on with read_result ${next}, or ask for less.]`,

  running: (seconds: string, id: string) =>
    `Still running after ${seconds} s as ${id}. Read on with read_command_output, or end it with kill_command.`,
  endedBy: (signal: string | null) => `Ended by ${signal ?? "the system"}.`,
  exited: (code: number) => `Exit code ${code}.`,
  killed: (ran: boolean) => (ran ? "It was ended." : "It had already ended."),
  noOutput: "(no output)",
  withheld: (names: readonly string[]) =>
    `[Commands do not get secrets of the environment: ${names.join(", ")}. The user can list them in graft.commands.environment.]`,
  outputDropped: (count: number) => `[${count} earlier characters are no longer kept]`,
  outputOmitted: (count: number, next: string) =>
    `[${count} characters omitted. To see them: read_command_output ${next}]`,
};

/** The first `most` of these, a line each, and how many are omitted. */
export function firstLines<Item>(
  items: readonly Item[],
  most: number,
  lineOf: (item: Item) => string,
  advice = "",
): string {
  const rest = items.length > most ? [NOTES.omitted(items.length - most, advice)] : [];
  return [...items.slice(0, most).map(lineOf), ...rest].join("\n");
}

/** The most files that a note names. */
const MAX_NAMED = 20;

/** What a tool did not see, since it is not on the disk. */
export function diskGapNote({ pending, failed, unsaved }: DiskGap): string {
  const notes = [
    [pending, "This result does not include proposed changes that the user has not accepted yet"],
    [
      failed,
      "VS Code could not save accepted changes to these files, so the disk has their older text",
    ],
    [unsaved, "These files have unsaved edits, which are not on the disk"],
  ] as const;
  return notes
    .flatMap(([paths, note]) => (paths.length > 0 ? `${note}: ${named(paths)}.` : []))
    .join(" ");
}

/** Why commands cannot run on proposals, where that is about the workspace. */
const SHADOW_SENTENCES: Partial<Record<ShadowProblem["code"], (problem: ShadowProblem) => string>> =
  {
    "too-large": ({ size }) =>
      `the copy of the workspace that it needs would have at least ${megabytes(size?.bytes)} MB, and the user's limit is ${megabytes(size?.limit)} MB.`,
    "repository-outside": ({ path, detail }) =>
      `git in a copy of the workspace would change a repository outside of it (${path} leads to ${detail}).`,
  };

function megabytes(bytes = 0): number {
  return Math.ceil(bytes / 1_048_576);
}

function notInPlace({ detail, path }: ShadowProblem): string {
  return `the proposed files could not be put in place${path ? ` (${path})` : ""}. ${sentence(detail)}`;
}

/** What the model is told of a command that ran on the proposals. */
export function shadowNote(shadow: ShadowResult): string {
  const { ground, at, proposed, refused, unshown, ignored, repository, unproposed } = shadow;
  const refusals = refused.map(({ error }) => fileErrorMessage(error)).slice(0, MAX_NAMED);
  const notes = [
    ground === "copy"
      ? `It ran in a copy of the workspace with the proposed files${at ? ` (in ${at})` : ""}. Absolute paths lead to the user's own files, so use relative ones.`
      : "It ran on the proposed files; the user's own files did not change.",
    ...(proposed.length > 0
      ? [
          `It changed these, and the changes wait for the user like yours: ${named(proposed)}. Read such a file again before you edit it.`,
        ]
      : []),
    ...(unproposed > 0
      ? [
          `It changed ${unproposed} files, which is too many to propose: these changes are gone. Use on=workspace for such a command.`,
        ]
      : []),
    ...(unshown.length > 0
      ? [`These are no text, so they are only where commands run: ${named(unshown)}.`]
      : []),
    ...(ignored.length > 0
      ? [`Ignored files that it made are only where commands run: ${named(ignored)}.`]
      : []),
    ...(refusals.length > 0 ? [`Not proposed: ${refusals.join(" ")}`] : []),
    ...(repository
      ? ["What it changed in the git repository does not last. Use on=workspace for that."]
      : []),
  ];
  return notes.join(" ");
}

function named(paths: readonly string[]): string {
  const more = paths.length - MAX_NAMED;
  return [...paths.slice(0, MAX_NAMED), ...(more > 0 ? [`${more} more`] : [])].join(", ");
}
