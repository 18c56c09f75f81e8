import type * as z from "zod/mini";
import type { EmitTurnEvent, StreamRegistry } from "../turns/streamRegistry.ts";

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

/** What a call may use while it runs. */
export interface ToolContext {
  readonly turnId: string;
  readonly callId: string;
  /** Aborts when the user stops the turn or the tool's time limit is over. */
  readonly signal: AbortSignal;
  readonly emit: EmitTurnEvent;
  /** For tools that go on receiving the answer's stream after they returned. */
  readonly streams: StreamRegistry;
}

/** A tool, whatever its origin. `execute` may throw; the router turns that into a result. */
export interface Tool<Schema extends z.ZodMiniType = z.ZodMiniType> {
  readonly name: string;
  readonly description: string;
  readonly category: "file" | "search" | "ui" | "nav" | "git" | "terminal" | "mcp";
  readonly effect: "read" | "write" | "execute";
  readonly schema: Schema;
  /** Milliseconds after which the call is aborted. */
  readonly timeoutMs: number;
  /** A line for the approval question of tools that write or execute. */
  summary(args: z.infer<Schema>): string;
  execute(args: z.infer<Schema>, context: ToolContext): Promise<ToolResult>;
}

/** Gives a tool its argument types from its schema and forgets them, so that tools of different arguments fit one list. */
export type AnyTool = Omit<Tool, "summary" | "execute"> & {
  summary(args: never): string;
  execute(args: never, context: ToolContext): Promise<ToolResult>;
};

/** The default time limit of a tool, in milliseconds. */
export const DEFAULT_TOOL_TIMEOUT_MS = 30_000;
