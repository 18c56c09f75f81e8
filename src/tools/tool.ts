import * as z from "zod/mini";
import { english, type Localize } from "../base/localize.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { ApprovalRequest, CommandLine, CommitContent } from "../ports/approval.ts";
import type { DiskGap } from "../ports/savedFiles.ts";
import type { FileError } from "../ports/workspace.ts";
import type { EmitTurnEvent, StreamRegistry } from "../turns/streamRegistry.ts";
import type { CommandState, FileView } from "../turns/turnEvent.ts";
import { diskGapNote, toolError } from "./messages.ts";
import { normalizeArguments, parseValue } from "./toolArguments.ts";

/** Why a tool failed, in a form the model can act on. */
export interface ToolError {
  readonly category: "validation" | "not-found" | "permission" | "timeout" | "cancelled" | "execution" | "network";
  /** What exactly happened, for code that has to know; absent where none does. */
  readonly code?: string;
  /** Why a file cannot be used, where that is the error. */
  readonly file?: FileError;
  /** One or two sentences: what happened and why. */
  readonly message: string;
  /** What to do instead, or null. */
  readonly recovery: string | null;
}

/** A tool's answer: text for the model with the lines of files that it shows and the state of its command, or an error. */
export type ToolResult = (
  | { readonly ok: true; readonly output: string; readonly views?: readonly FileView[]; readonly command?: CommandState }
  | { readonly ok: false; readonly error: ToolError }
) & {
  /** What the tool did not see, since it is not on the disk. */
  readonly gap?: DiskGap;
};

/** How a call went. */
export interface ToolMetadata {
  /** From the tool's start to its result, including retries and their waits; 0 for a call that never started. */
  readonly executionTimeMs: number;
  readonly retriesUsed: number;
}

/** A result as the router returns it. */
export type ToolOutcome = ToolResult & { readonly metadata: ToolMetadata };

/** A result as the model reads it. */
export function toolResultText(result: ToolResult): string {
  const note = result.gap ? `[${diskGapNote(result.gap)}]\n` : "";
  if (result.ok) return note + result.output;
  const { category, message, recovery } = result.error;
  // A message of several lines may end with a line of a file.
  const gap = message.includes("\n") ? "\n" : " ";
  return `${note}Error (${category}): ${message}${recovery === null ? "" : gap + recovery}`;
}

/** What a running call may use. */
export interface ToolContext {
  readonly turnId: string;
  readonly callId: string;
  /** Aborts when the user stops the turn or the tool times out. */
  readonly signal: AbortSignal;
  readonly emit: EmitTurnEvent;
  /** For tools that receive the answer's stream after they returned; shared by all calls of a turn. Cancelled calls must not register. */
  readonly streams: StreamRegistry;
  /** True where the call was let through to propose what it does, see {@link PreparedCall.isProposed}. */
  readonly proposed?: boolean;
  /** True where the user was asked about this very call, see {@link PreparedCall.caution}. */
  readonly asked?: boolean;
}

/** What the user is asked about, as far as the call itself knows. */
type Subject = Pick<
  ApprovalRequest,
  "summary" | "effect" | "command" | "server" | "mcp" | "arguments" | "eachTime" | "pendingFiles" | "unsavedFiles"
>;

/** Why a call is asked about each time: it changes a protected file, or reads one that may hold keys. */
export type Caution = "protected" | "secret";

/** A call with valid arguments, ready to run. Its summary is the tool's name where no approval is needed, its effect the tool's or less. */
export interface PreparedCall extends Subject {
  /** For a tool that does some things at once: true where this call only proposes, so that it needs no approval. */
  isProposed?(): Promise<boolean>;
  /** Why this call is asked about each time; null where it is not. What it reads is asked about also in a tool that only proposes. */
  caution?(): Promise<Caution | null>;
  /** Reads what the call would commit, for the approval prompt. */
  readonly commit?: (signal: AbortSignal) => Promise<CommitContent>;
  /** The hooks and settings of a repository by which the call may run programs, for the approval prompt. */
  readonly programs?: (signal: AbortSignal) => Promise<readonly string[]>;
  /** Runs the call. May throw; the router turns that into a result. */
  run(context: ToolContext): Promise<ToolResult>;
}

/** What a tool does: changes nothing, changes files, or anything else. */
export type Effect = "read" | "write" | "execute";

/** What every tool declares about itself. */
interface ToolTraits {
  readonly name: string;
  readonly description: string;
  readonly category: "file" | "search" | "ui" | "nav" | "git" | "terminal" | "mcp";
  /** The most that a call does. */
  readonly effect: Effect;
  /** The time limit of a call in milliseconds, with retries but not the wait for approval; infinite for a tool that waits for the user. */
  readonly timeoutMs?: number;
  /** What the model is told to do after a timeout; by default, to try less at once. */
  readonly timeoutRecovery?: string;
  /** How often the router retries after a passing failure; above 0 only where a second run is harmless. */
  readonly maxRetries?: number;
  /** True when the tool only proposes: the user reviews its changes before they are written, so it needs no approval. */
  readonly reviewed?: boolean;
  /** True when the tool needs no approval because it affects only what the model itself started. */
  readonly unasked?: boolean;
}

/** A tool of any origin. Its argument types are erased, so that different tools fit one list. */
export interface Tool extends ToolTraits {
  /** The JSON Schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Checks the arguments; the error names each wrong field. `t` words what the user reads, in English by default. */
  prepare(input: unknown, t?: Localize): Result<PreparedCall, ToolError>;
}

/** A tool's effect; where there is one, the line in which the user is asked for approval. */
type Asked<Args> =
  | { readonly effect: "read"; summary?(args: Args, t: Localize): string }
  | { readonly effect: "write" | "execute"; summary(args: Args, t: Localize): string };

/** A tool written in TypeScript, with its arguments described by a schema. */
export type ToolDefinition<Schema extends z.ZodMiniType> = DefinedTraits<Schema> & Asked<z.infer<Schema>>;

interface DefinedTraits<Schema extends z.ZodMiniType> extends Omit<ToolTraits, "effect"> {
  readonly schema: Schema;
  /** What a call with these arguments does, where it can be less than `effect`. */
  effectOf?(args: z.infer<Schema>): Effect;
  /** The command line that a call would run. */
  commandOf?(args: z.infer<Schema>): CommandLine;
  /** What a call would commit. */
  commitOf?(args: z.infer<Schema>, signal: AbortSignal): Promise<CommitContent>;
  /** See {@link PreparedCall.caution}. */
  caution?(args: z.infer<Schema>): Promise<Caution | null>;
  /** The hooks and settings by which a call may run programs. */
  programsOf?(args: z.infer<Schema>, signal: AbortSignal): Promise<readonly string[]>;
  /** See {@link PreparedCall.isProposed}; the answer is `proposed` in the context. */
  isProposed?(args: z.infer<Schema>): Promise<boolean>;
  execute(args: z.infer<Schema>, context: ToolContext): Promise<ToolResult>;
}

/** Turns a definition into a tool. Slips of models in the arguments are corrected, see {@link normalizeArguments}. */
export function defineTool<Schema extends z.ZodMiniType>(definition: ToolDefinition<Schema>): Tool {
  const { name, effect, schema } = definition;
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, { io: "input", override: withoutSafeLimits });
  return {
    ...definition,
    parameters,
    prepare(input, t = english) {
      const parsed = parseValue(schema, normalizeArguments(input, parameters.properties ?? {}));
      if (!parsed.ok) {
        const known = Object.keys(parameters.properties ?? {});
        return err(toolError("invalid-arguments", { tool: name, detail: parsed.error, parameters: known }));
      }
      const args = parsed.value;
      const command = definition.commandOf?.(args);
      const commitOf = definition.commitOf?.bind(definition);
      const programsOf = definition.programsOf?.bind(definition);
      return ok({
        summary: definition.summary?.(args, t) ?? name,
        effect: definition.effectOf?.(args) ?? effect,
        ...(command && { command }),
        ...(commitOf && { commit: (signal) => commitOf(args, signal) }),
        ...(definition.caution && { caution: () => definition.caution?.(args) ?? Promise.resolve(null) }),
        ...(programsOf && { programs: (signal) => programsOf(args, signal) }),
        ...(definition.isProposed && { isProposed: () => definition.isProposed?.(args) ?? Promise.resolve(false) }),
        run: (context) => definition.execute(args, context),
      });
    },
  };
}

/** `tool` with its prepared calls `changed`. */
export function withCalls(tool: Tool, changed: (call: PreparedCall) => PreparedCall): Tool {
  return {
    ...tool,
    prepare(...args) {
      const prepared = tool.prepare(...args);
      return prepared.ok ? ok(changed(prepared.value)) : prepared;
    },
  };
}

/** Removes the bounds of safe integers, which tell the model nothing. */
function withoutSafeLimits({ jsonSchema }: { readonly jsonSchema: { maximum?: number; minimum?: number } }): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}
