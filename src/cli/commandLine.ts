import { parseArgs } from "node:util";
import { err, ok, type Result } from "../base/result.ts";
import { thrownText } from "../base/text/sentence.ts";
import { APPLY_MODES, type ApplyMode } from "../edits/propose/applyMode.ts";
import { isHttp } from "../model/endpoint.ts";
import type { MeasuredFormat } from "../model/learnedCapabilities.ts";
import { CHAT_MODES, type ChatMode, DEFAULT_MODE } from "../turns/plan/chatMode.ts";

/** A command with valid arguments. */
export type CliCommand =
  | { readonly name: "help" | "version" }
  | {
      readonly name: "apply";
      readonly root: string;
      readonly file: string;
      readonly mode: ApplyMode;
      /** The chunk size of the message in UTF-16 units, infinite for a single chunk. */
      readonly chunk: number;
      readonly write: boolean;
      readonly json: boolean;
    }
  | {
      readonly name: "apply-batch";
      /** The file with the rows, or `-` for stdin. */
      readonly file: string;
    }
  | {
      readonly name: "outline";
      readonly root: string;
      readonly file: string;
      readonly json: boolean;
    }
  | {
      readonly name: "mcp";
      readonly root: string;
      /** The port of HTTP, 0 for any; null for stdin and stdout. */
      readonly port: number | null;
      /** Whether edits only go to files, only to an editor, or to an editor where there is one. */
      readonly where: "alone" | "beside" | "either";
    }
  | {
      readonly name: "eval";
      readonly baseUrl: string;
      readonly model: string;
      /** Null for all of them, and for elements alone with `tasks`. */
      readonly formats: readonly MeasuredFormat[] | null;
      /** A folder of exercises, or null for Graft's own tasks. */
      readonly tasks: string | null;
      /** Whether the exercises' tests run, on what the model wrote. */
      readonly runTests: boolean;
      /** The first so many tasks only; null for all. */
      readonly limit: number | null;
      /** Where the run stops; null for three times the estimate. */
      readonly maxTokens: number | null;
      readonly contextWindow?: number;
      readonly json: boolean;
    }
  | {
      readonly name: "review";
      readonly root: string;
      /** A file that Graft exported proposals to. */
      readonly file: string;
      readonly accept: "all" | "none" | "ask";
      readonly json: boolean;
    }
  | ({ readonly name: "acp" } & ModelArguments)
  | ({
      readonly name: "run";
      readonly root: string;
      readonly accept: "all" | "none";
      /** The file that gets what is proposed as a patch, or null. */
      readonly patch: string | null;
      /** Whether events are printed as JSON lines, not as text. */
      readonly json: boolean;
      /** Null where it is read from standard input. */
      readonly prompt: string | null;
    } & ModelArguments);

/** Which model answers, and what it may do. */
export interface ModelArguments {
  /** `demo`, or an HTTP(S) URL without a trailing slash. */
  readonly baseUrl: string;
  readonly model: string;
  /** Whether the model may run commands, switch branches and commit, unasked. */
  readonly allowCommands: boolean;
  /** A file that defines MCP servers, or null. */
  readonly mcp: string | null;
  readonly maxSteps: number;
  /** What the model may do; in `ask` and `plan` it changes nothing. */
  readonly mode: ChatMode;
  /** The model's tokens, request and answer together; absent where the server says. */
  readonly contextWindow?: number;
}

/** The help text. */
export const USAGE = `Usage:
  graft apply --file REL [--root DIR] [--mode auto|lines|ast|complete] [--chunk N] [--write] [--json]
      Reads an assistant's message on stdin, applies its edit blocks to the file and prints the file with them.
      --write writes the file and prints a report; --json prints the result of each block. --chunk N feeds the
      message N characters at a time.
  graft apply --batch FILE|-
      Applies answers to texts, without files: one JSON object a line, {id, path, before, answer, mode?}, with null
      as before for a new file. Prints {id, after, blocks: [{status, reason?, warnings, repairs}]} for each, with
      codes, and {line, error} for a line that is no such object.
  graft outline --file REL [--root DIR] [--json]
      Prints the file's elements, by the AST paths that edits address.
  graft run --base-url URL|demo --model NAME [--root DIR] [--accept all|none] [--allow-commands]
            [--mode ask|plan|edit] [--mcp FILE] [--patch FILE] [--max-steps N] [--context-window N] [--json]
            PROMPT|-
      Runs a turn and prints the answer, its calls and its edits; --json prints events as JSON lines. With -,
      reads the prompt from stdin. Reads the API key from OPENAI_API_KEY.
      --accept all writes the model's changes to files. With none, the default, they are kept aside: the
      model's commands run on them, by an overlay (Linux) or in a copy; --patch writes them for "git apply".
      Whole folders are moved, copied and deleted with all only, and so is what replaces another file by a move.
      --allow-commands allows commands, git commits, and tools of MCP servers that are not read-only. --mcp names
      a file in the format of VS Code's mcp.json, whose servers run during the turn. --max-steps defaults to 25.
      --context-window is what the model takes in tokens, request and answer together; Ollama loads the model
      with it. In the modes ask and plan no tool is offered or run that changes anything; plan ends with a plan.
  graft eval --base-url URL --model NAME [--format LIST] [--limit N] [--max-tokens N] [--context-window N]
             [--json] [--tasks DIR [--run-tests]]
      Gives twenty small tasks to the model in each format (elements, lines, wholeFile, searchReplace), after the
      number of tokens that this takes, and prints how many were right, repaired, refused and wrong. They are
      checked by text and by parser, in memory. Of two formats or more the best one is kept for this model, in
      ~/.graft/models, and run and acp ask for it. --tasks takes exercises in the layout of Exercism's tracks
      (LANG/exercises/practice/NAME) instead, in copies, and prints pass rates and the rate of well-formed answers;
      their tests, which run what the model wrote, run only with --run-tests.
  graft review FILE [--root DIR] [--accept all|none|ask] [--json]
      Shows each change of a file that "Graft: Export Proposals" wrote, rebased on the files here, and asks which
      to accept. --accept none only shows them; all accepts those that nothing speaks against: no conflict, no
      warning, no file that an editor or a build acts on. --json prints what was decided.
  graft mcp [--root DIR] [--alone|--beside] [--http [--port N]]
      Serves Graft's tools to another agent by MCP, over stdin and stdout until that agent ends. Beside an editor
      that has this folder open with Graft, edits become proposals there; without one they are written. --alone
      always writes them, and --beside never does. --http serves 127.0.0.1 instead, and prints the address and
      the authorization it asks for; GRAFT_MCP_TOKEN sets its token.
  graft acp --base-url URL|demo --model NAME [--mode ask|plan|edit] [--allow-commands] [--mcp FILE]
            [--max-steps N] [--context-window N]
      Is an agent for an editor that speaks the Agent Client Protocol, over stdin and stdout until that editor
      ends. The editor names the folder of each session. It is asked for each file that the model changed, with
      the difference, after the turn; nothing is written before. It is also asked for commands, which run on what
      is proposed, but with --allow-commands. The other options and OPENAI_API_KEY are those of run.
  graft --help | --version
--root, the folder that paths are relative to, defaults to the current one.
Exit status: 0 success, 1 failure or partial success (an edit was refused or needs a look), 2 wrong usage,
130 interrupted.
`;

const DEFAULT_MAX_STEPS = 25;
const ACCEPT = ["all", "none"] as const;
const ASKED = [...ACCEPT, "ask"] as const;

/** Parses the arguments after the program name. The error is a sentence. */
export function parseCommandLine(args: readonly string[]): Result<CliCommand, string> {
  const [name, ...rest] = args;
  switch (name) {
    case undefined:
      return err("No command given. Use apply, outline, run, review, eval, mcp or acp.");
    case "help":
    case "--help":
    case "-h":
      return ok({ name: "help" });
    case "--version":
      return ok({ name: "version" });
    case "apply":
    case "outline":
    case "run":
    case "eval":
    case "mcp":
    case "acp":
    case "review":
      try {
        return rest.includes("--help") ? ok({ name: "help" }) : parsers[name](rest);
      } catch (error) {
        const [sentence = "The arguments cannot be read."] = thrownText(error).split(/(?<=\.)\s/);
        return err(sentence);
      }
    default:
      return err(
        `There is no command ${JSON.stringify(name)}. Use apply, outline, run, review, eval, mcp or acp.`,
      );
  }
}

const shared = {
  root: { type: "string", default: "." },
  json: { type: "boolean", default: false },
} as const;
const file = { ...shared, file: { type: "string" } } as const;

const modelOptions = {
  "base-url": { type: "string" },
  model: { type: "string" },
  mcp: { type: "string" },
  "allow-commands": { type: "boolean", default: false },
  "context-window": { type: "string" },
  mode: { type: "string", default: DEFAULT_MODE },
  "max-steps": { type: "string", default: String(DEFAULT_MAX_STEPS) },
} as const;

/** What `eval` has in common with a turn, but for its limits. */
const NO_TURN = {
  "allow-commands": false,
  mode: DEFAULT_MODE,
  "max-steps": String(DEFAULT_MAX_STEPS),
} as const;

/** The formats of edits by the names of the setting graft.edits.format, and search and replace. */
const FORMATS: ReadonlyMap<string, MeasuredFormat> = new Map([
  ["elements", "ast"],
  ["lines", "lines"],
  ["wholeFile", "complete"],
  ["searchReplace", "patch"],
]);

const parsers = {
  apply(args: string[]): Result<CliCommand, string> {
    const options = {
      ...file,
      mode: { type: "string", default: "auto" },
      chunk: { type: "string" },
      write: { type: "boolean", default: false },
      batch: { type: "string" },
    } as const;
    const { values, tokens } = parseArgs({ args, options, tokens: true });
    if (values.batch !== undefined)
      return tokens.length > 1
        ? err("--batch takes no other options.")
        : ok({ name: "apply-batch", file: values.batch });
    const mode = APPLY_MODES.find((known) => known === values.mode);
    if (!values.file) return missing("apply", "--file REL");
    if (mode === undefined)
      return err(
        `--mode must be one of ${APPLY_MODES.join(", ")}, not ${JSON.stringify(values.mode)}.`,
      );
    const chunk = values.chunk === undefined ? Number.POSITIVE_INFINITY : positive(values.chunk);
    if (chunk === undefined)
      return err(
        `--chunk must be a whole number of at least 1, not ${JSON.stringify(values.chunk)}.`,
      );
    return ok({
      name: "apply",
      root: values.root,
      file: values.file,
      mode,
      chunk,
      write: values.write,
      json: values.json,
    });
  },

  outline(args: string[]): Result<CliCommand, string> {
    const { values } = parseArgs({ args, options: file });
    if (!values.file) return missing("outline", "--file REL");
    return ok({ name: "outline", root: values.root, file: values.file, json: values.json });
  },

  mcp(args: string[]): Result<CliCommand, string> {
    const options = {
      root: shared.root,
      alone: { type: "boolean", default: false },
      beside: { type: "boolean", default: false },
      http: { type: "boolean", default: false },
      port: { type: "string" },
    } as const;
    const { root, alone, beside, http, port } = parseArgs({ args, options }).values;
    if (alone && beside) return err("--alone and --beside exclude each other.");
    if (port !== undefined && !http) return err("--port needs --http.");
    const number = port === undefined ? 0 : /^\d{1,5}$/.test(port) ? Number(port) : 65_536;
    if (number > 65_535)
      return err(`--port must be a number of at most 65535, not ${JSON.stringify(port)}.`);
    const where = alone ? "alone" : beside ? "beside" : "either";
    return ok({ name: "mcp", root, port: http ? number : null, where });
  },

  eval(args: string[]): Result<CliCommand, string> {
    const options = {
      json: shared.json,
      "base-url": modelOptions["base-url"],
      model: modelOptions.model,
      format: { type: "string" },
      tasks: { type: "string" },
      limit: { type: "string" },
      "max-tokens": { type: "string" },
      "context-window": modelOptions["context-window"],
      "run-tests": { type: "boolean", default: false },
    } as const;
    const { values } = parseArgs({ args, options });
    const { tasks = null, "run-tests": runTests, json } = values;
    const server = modelArguments("eval", { ...values, ...NO_TURN });
    if (!server.ok) return server;
    const { baseUrl, model, contextWindow } = server.value;
    if (baseUrl === "demo") return err("eval needs a server: the demo is no model.");
    if (runTests && tasks === null) return err("--run-tests needs --tasks DIR.");
    const wanted = values.format?.split(",").map((name) => FORMATS.get(name.trim()) ?? null);
    const formats = wanted?.flatMap((format) => format ?? []) ?? null;
    if (wanted?.includes(null))
      return err(
        `--format must be a list of ${[...FORMATS.keys()].join(", ")}, not ${JSON.stringify(values.format)}.`,
      );
    const limit = values.limit === undefined ? null : positive(values.limit);
    const most = values["max-tokens"] === undefined ? null : positive(values["max-tokens"]);
    if (limit === undefined) return err("--limit must be a whole number of at least 1.");
    if (most === undefined) return err("--max-tokens must be a whole number of at least 1.");
    const window = contextWindow !== undefined && { contextWindow };
    const numbers = { limit, maxTokens: most, ...window };
    return ok({ name: "eval", baseUrl, model, formats, tasks, runTests, json, ...numbers });
  },

  review(args: string[]): Result<CliCommand, string> {
    const options = { ...shared, accept: { type: "string", default: "ask" } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [file] = positionals;
    const accept = ASKED.find((known) => known === values.accept);
    if (accept === undefined)
      return err(`--accept must be all, none or ask, not ${JSON.stringify(values.accept)}.`);
    if (!file) return missing("review", "a FILE of exported proposals");
    if (positionals.length > 1) return err("review takes one FILE.");
    return ok({ name: "review", root: values.root, file, accept, json: values.json });
  },

  acp(args: string[]): Result<CliCommand, string> {
    const { values } = parseArgs({ args, options: modelOptions });
    const model = modelArguments("acp", values);
    return model.ok ? ok({ name: "acp", ...model.value }) : model;
  },

  run(args: string[]): Result<CliCommand, string> {
    const options = {
      ...shared,
      ...modelOptions,
      accept: { type: "string", default: "none" },
      patch: { type: "string" },
    } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const { root, json, patch } = values;
    const [prompt] = positionals;
    const model = modelArguments("run", values);
    if (!model.ok) return model;
    const accept = ACCEPT.find((known) => known === values.accept);
    if (accept === undefined)
      return err(`--accept must be all or none, not ${JSON.stringify(values.accept)}.`);
    if (accept === "all" && patch !== undefined)
      return err("--patch needs --accept none: with all, the changes are in the files.");
    if (prompt === undefined || prompt.trim() === "")
      return missing("run", "a PROMPT, or - to read it from stdin");
    if (positionals.length > 1) return err("The prompt is one argument: put it in quotes.");
    return ok({
      ...{ name: "run", root, accept, json, patch: patch ?? null },
      ...model.value,
      prompt: prompt === "-" ? null : prompt,
    });
  },
};

function modelArguments(
  command: string,
  values: {
    readonly "base-url"?: string | undefined;
    readonly model?: string | undefined;
    readonly mcp?: string | undefined;
    readonly "allow-commands": boolean;
    readonly "max-steps": string;
    readonly mode: string;
    readonly "context-window"?: string | undefined;
  },
): Result<ModelArguments, string> {
  const { "base-url": baseUrl, mcp, "allow-commands": allowCommands } = values;
  if (!baseUrl) return missing(command, "--base-url URL");
  const demo = baseUrl === "demo";
  if (!demo && !isHttp(baseUrl))
    return err(`--base-url must be demo or an http(s) address, not ${JSON.stringify(baseUrl)}.`);
  if (!demo && !values.model) return missing(command, "--model NAME");
  const maxSteps = positive(values["max-steps"]);
  if (maxSteps === undefined)
    return err(
      `--max-steps must be a whole number of at least 1, not ${JSON.stringify(values["max-steps"])}.`,
    );
  const window = values["context-window"];
  const contextWindow = window === undefined ? undefined : (positive(window) ?? 0);
  if (contextWindow !== undefined && contextWindow < 1000)
    return err(
      `--context-window must be a whole number of at least 1000, not ${JSON.stringify(window)}.`,
    );
  const mode = CHAT_MODES.find((known) => known === values.mode);
  if (mode === undefined)
    return err(
      `--mode must be one of ${CHAT_MODES.join(", ")}, not ${JSON.stringify(values.mode)}.`,
    );
  const model = values.model ?? "demo";
  const address = baseUrl.replace(/\/+$/, "");
  return ok({
    ...{ baseUrl: address, model, allowCommands, mcp: mcp ?? null, maxSteps, mode },
    ...(contextWindow !== undefined && { contextWindow }),
  });
}

function missing(command: string, what: string): Result<never, string> {
  return err(`${command} needs ${what}.`);
}

function positive(text: string): number | undefined {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  return number >= 1 ? number : undefined;
}
