import * as z from "zod/mini";
import { err, ok, type Result } from "../base/result.ts";
import type { CommandLine } from "../ports/approval.ts";
import type { EmitTurnEvent, StreamRegistry } from "../turns/streamRegistry.ts";
import { schemaErrorText } from "./schemaErrorText.ts";
import { steersEditor } from "./steersEditor.ts";

/** Why a tool failed, in a form the model can act on. */
export interface ToolError {
  readonly category: "validation" | "not-found" | "permission" | "timeout" | "cancelled" | "execution" | "network";
  /** One or two sentences: what happened and why. */
  readonly message: string;
  /** What to do instead, or null. */
  readonly recovery: string | null;
}

/** What a tool answers: text for the model, or an error. */
export type ToolResult = { readonly ok: true; readonly output: string } | { readonly ok: false; readonly error: ToolError };

/** How a call went. */
export interface ToolMetadata {
  /** From the start of the tool to its result, retries and the waits between them included; 0 for a call that never started. */
  readonly executionTimeMs: number;
  readonly retriesUsed: number;
}

/** A result as the router gives it. */
export type ToolOutcome = ToolResult & { readonly metadata: ToolMetadata };

/** What a call may use while it runs. */
export interface ToolContext {
  readonly turnId: string;
  readonly callId: string;
  /** Aborts when the user stops the turn or the tool's time limit is over. */
  readonly signal: AbortSignal;
  readonly emit: EmitTurnEvent;
  /** For tools that go on receiving the answer's stream after they returned; one and the same for all calls of a turn. Look at `signal` before registering: a call that was given up on must not. */
  readonly streams: StreamRegistry;
}

/** A call whose arguments are valid, ready to run. */
export interface PreparedCall {
  /** A line for the approval question; the name of a tool that the user is not asked about. */
  readonly summary: string;
  /** What this very call does: the tool's effect, or less. */
  readonly effect: Effect;
  /** The command line that would run. */
  readonly command?: CommandLine;
  /** Set for a reading tool of an MCP server: the user is asked all the same, once for all of them. */
  readonly server?: string;
  /** Set where the call changes what steers the editor: the user is asked each time. */
  readonly eachTime?: true;
  /** Runs the call. May throw; the router turns that into a result. */
  run(context: ToolContext): Promise<ToolResult>;
}

/** What a tool does: changes nothing, changes files, or anything else. */
export type Effect = "read" | "write" | "execute";

/** What every tool tells about itself. */
export interface ToolTraits {
  readonly name: string;
  readonly description: string;
  readonly category: "file" | "search" | "ui" | "nav" | "git" | "terminal" | "mcp";
  /** The most that a call does. */
  readonly effect: Effect;
  /** Milliseconds after which a running call is aborted, retries included; waiting for the user's approval is not counted. Infinity for a tool that waits for the user. */
  readonly timeoutMs: number;
  /** What the model is told to do when the limit is over; default: to try less at once. */
  readonly timeoutRecovery?: string;
  /** How often the router runs the tool again after a passing failure; more than 0 only where a second run does no harm. */
  readonly maxRetries: number;
  /** True when the tool only proposes: the user reviews what it does before anything is written, so that he need not be asked first. */
  readonly reviewed: boolean;
  /** True where nobody is asked about what the tool does, since it concerns only what the model itself has begun. */
  readonly unasked: boolean;
}

/** A tool of whatever origin, its argument types forgotten, so that tools of different arguments fit one list. */
export interface Tool extends ToolTraits {
  /** The JSON Schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Checks the arguments; the error names each field that is wrong. */
  prepare(input: unknown): Result<PreparedCall, ToolError>;
}

/** What a call does to the user's files and machine; where it does anything, the line in which he is asked about it. */
type Asked<Args> = { readonly effect: "read" } | { readonly effect: "write" | "execute"; summary(args: Args): string };

/** A tool written in TypeScript, with its arguments described by a schema. */
export type ToolDefinition<Schema extends z.ZodMiniType> = DefinedTraits<Schema> & Asked<z.infer<Schema>>;

interface DefinedTraits<Schema extends z.ZodMiniType>
  extends Omit<ToolTraits, "effect" | "timeoutMs" | "maxRetries" | "reviewed" | "unasked"> {
  readonly schema: Schema;
  /** Default {@link DEFAULT_TOOL_TIMEOUT_MS}. */
  readonly timeoutMs?: number;
  /** Default 0. */
  readonly maxRetries?: number;
  /** Default false. */
  readonly reviewed?: boolean;
  /** Default false. */
  readonly unasked?: boolean;
  /** What a call with these arguments does, where it can be less than `effect`. */
  effectOf?(args: z.infer<Schema>): Effect;
  /** The command line that a call would run. */
  commandOf?(args: z.infer<Schema>): CommandLine;
  /** What a call writes at once, as the model spells it; the user is asked each time where the editor acts upon it. */
  pathsOf?(args: z.infer<Schema>): readonly string[];
  execute(args: z.infer<Schema>, context: ToolContext): Promise<ToolResult>;
}

/** Turns a definition into a tool. Top-level arguments that are null count as left out, since models write null for "not given". */
export function defineTool<Schema extends z.ZodMiniType>(definition: ToolDefinition<Schema>): Tool {
  const { name, description, category, effect, timeoutMs = DEFAULT_TOOL_TIMEOUT_MS, maxRetries = 0, reviewed = false, schema } = definition;
  const { timeoutRecovery, unasked = false } = definition;
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, { io: "input", override: withoutSafeLimits });
  return {
    name,
    description,
    category,
    effect,
    timeoutMs,
    ...(timeoutRecovery !== undefined && { timeoutRecovery }),
    maxRetries,
    reviewed,
    unasked,
    parameters,
    prepare(input) {
      const parsed = z.safeParse(schema, withoutNulls(input), { reportInput: true });
      if (!parsed.success) return err(invalidArguments(name, parsed.error, parameters.properties));
      const args = parsed.data;
      const command = definition.commandOf?.(args);
      return ok({
        summary: "summary" in definition ? definition.summary(args) : name,
        effect: definition.effectOf?.(args) ?? effect,
        ...(command && { command }),
        ...(definition.pathsOf?.(args).some(steersEditor) && { eachTime: true }),
        run: (context) => definition.execute(args, context),
      });
    },
  };
}

/** That an integer must be a safe one tells the model nothing. */
function withoutSafeLimits({ jsonSchema }: { readonly jsonSchema: { maximum?: number; minimum?: number } }): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}

function invalidArguments(name: string, error: z.core.$ZodError, properties: object = {}): ToolError {
  return {
    category: "validation",
    message: `The arguments of ${name} are not valid: ${schemaErrorText(error)}.`,
    recovery: `Call ${name} again with the parameters it has: ${Object.keys(properties).join(", ")}.`,
  };
}

function withoutNulls(input: unknown): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
}

/** The default time limit of a tool, in milliseconds. */
export const DEFAULT_TOOL_TIMEOUT_MS = 30_000;
