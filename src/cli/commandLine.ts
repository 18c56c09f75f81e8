import { parseArgs } from "node:util";
import { err, ok, type Result } from "../base/result.ts";
import { thrownText } from "../base/text/sentence.ts";
import type { ApplyMode } from "../edits/applyMessage.ts";
import { isHttp } from "../tools/mcp/resolveEntry.ts";

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
    }
  | { readonly name: "outline"; readonly root: string; readonly file: string }
  | {
      readonly name: "run";
      readonly root: string;
      /** `demo`, or an HTTP(S) URL without a trailing slash. */
      readonly baseUrl: string;
      readonly model: string;
      readonly accept: "all" | "none";
      /** Whether the model may run commands, switch branches and commit. */
      readonly allowCommands: boolean;
      /** A file that defines MCP servers, or null. */
      readonly mcp: string | null;
      /** The file that gets what is proposed as a patch, or null. */
      readonly patch: string | null;
      readonly maxSteps: number;
      /** Null where it is read from standard input. */
      readonly prompt: string | null;
    };

/** The help text. */
export const USAGE = `Usage:
  graft apply --root DIR --file REL [--mode auto|lines|ast|complete] [--chunk N] [--write]
      Reads an assistant's message on stdin, applies its edit blocks to the file and prints the result as JSON.
      --chunk N feeds the message N characters at a time; --write also writes the file.
  graft outline --root DIR --file REL
      Prints the file's addressable elements as JSON.
  graft run --root DIR --base-url URL|demo --model NAME [--accept all|none] [--allow-commands]
            [--mcp FILE] [--patch FILE] [--max-steps N] PROMPT|-
      Runs a turn and prints its events as JSON lines. With -, reads the prompt from stdin. Reads the API key
      from OPENAI_API_KEY.
      --accept all writes the model's changes to files. With none, the default, they are kept aside: the
      model's commands run on them, by an overlay (Linux) or in a copy; --patch writes them for "git apply".
      --allow-commands allows commands, git commits, and tools of MCP servers that are not read-only. --mcp names
      a file in the format of VS Code's mcp.json, whose servers run during the turn. --max-steps defaults to 25.
  graft --help | --version
Exit status: 0 success, 1 failure or partial success (an edit was refused or held back), 2 wrong usage,
130 interrupted.
`;

const DEFAULT_MAX_STEPS = 25;
const APPLY_MODES: readonly ApplyMode[] = ["auto", "lines", "ast", "complete"];
const ACCEPT = ["all", "none"] as const;

/** Parses the arguments after the program name. The error is a sentence. */
export function parseCommandLine(args: readonly string[]): Result<CliCommand, string> {
  const [name, ...rest] = args;
  switch (name) {
    case undefined:
      return err("No command given. Use apply, outline or run.");
    case "help":
    case "--help":
    case "-h":
      return ok({ name: "help" });
    case "--version":
      return ok({ name: "version" });
    case "apply":
    case "outline":
    case "run":
      try {
        return rest.includes("--help") ? ok({ name: "help" }) : parsers[name](rest);
      } catch (error) {
        const [sentence = "The arguments cannot be read."] = thrownText(error).split(/(?<=\.)\s/);
        return err(sentence);
      }
    default:
      return err(`There is no command ${JSON.stringify(name)}. Use apply, outline or run.`);
  }
}

const file = { root: { type: "string" }, file: { type: "string" } } as const;

const parsers = {
  apply(args: string[]): Result<CliCommand, string> {
    const options = {
      ...file,
      mode: { type: "string", default: "auto" },
      chunk: { type: "string" },
      write: { type: "boolean", default: false },
    } as const;
    const { values } = parseArgs({ args, options });
    const mode = APPLY_MODES.find((known) => known === values.mode);
    if (!values.root || !values.file)
      return missing("apply", values.root ? "--file REL" : "--root DIR");
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
    });
  },

  outline(args: string[]): Result<CliCommand, string> {
    const { values } = parseArgs({ args, options: file });
    if (!values.root || !values.file)
      return missing("outline", values.root ? "--file REL" : "--root DIR");
    return ok({ name: "outline", root: values.root, file: values.file });
  },

  run(args: string[]): Result<CliCommand, string> {
    const options = {
      root: { type: "string" },
      "base-url": { type: "string" },
      model: { type: "string" },
      accept: { type: "string", default: "none" },
      mcp: { type: "string" },
      patch: { type: "string" },
      "allow-commands": { type: "boolean", default: false },
      "max-steps": { type: "string", default: String(DEFAULT_MAX_STEPS) },
    } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const { root, "base-url": baseUrl } = values;
    const [prompt] = positionals;
    if (!root || !baseUrl) return missing("run", root ? "--base-url URL" : "--root DIR");
    const demo = baseUrl === "demo";
    if (!demo && !isHttp(baseUrl))
      return err(`--base-url must be demo or an http(s) address, not ${JSON.stringify(baseUrl)}.`);
    if (!demo && !values.model) return missing("run", "--model NAME");
    const accept = ACCEPT.find((known) => known === values.accept);
    if (accept === undefined)
      return err(`--accept must be all or none, not ${JSON.stringify(values.accept)}.`);
    if (accept === "all" && values.patch !== undefined)
      return err("--patch needs --accept none: with all, the changes are in the files.");
    const maxSteps = positive(values["max-steps"]);
    if (maxSteps === undefined)
      return err(
        `--max-steps must be a whole number of at least 1, not ${JSON.stringify(values["max-steps"])}.`,
      );
    if (prompt === undefined || prompt.trim() === "")
      return missing("run", "a PROMPT, or - to read it from stdin");
    if (positionals.length > 1) return err("The prompt is one argument: put it in quotes.");
    const allowCommands = values["allow-commands"];
    const model = values.model ?? "demo";
    return ok({
      name: "run",
      root,
      baseUrl: baseUrl.replace(/\/+$/, ""),
      model,
      accept,
      allowCommands,
      mcp: values.mcp ?? null,
      patch: values.patch ?? null,
      maxSteps,
      prompt: prompt === "-" ? null : prompt,
    });
  },
};

function missing(command: string, what: string): Result<never, string> {
  return err(`${command} needs ${what}.`);
}

function positive(text: string): number | undefined {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  return number >= 1 ? number : undefined;
}
