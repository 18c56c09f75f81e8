import type { SessionUpdate, ToolCallContent, ToolCallUpdate } from "@agentclientprotocol/sdk";
import * as z from "zod/mini";
import { newId } from "../../base/ids.ts";
import { MAX_IMAGE_BYTES } from "../../base/imageHeader.ts";
import {
  AGENT_CALL_KINDS,
  type AgentCall,
  type AgentCallKind,
  type AgentDiff,
  type AgentUpdate,
} from "../../ports/commands/chatAgent.ts";
import type { AgentPlaces } from "./agentPlaces.ts";

/** The most of a call's output and arguments that is kept, in UTF-16 units. */
const MOST_OUTPUT = 60_000;
const MOST_TITLE = 500;
const MOST_PATHS = 200;
const MOST_PLANNED = 200;
/** The most files, and UTF-16 units of their texts, of which differences are shown. */
const MOST_DIFFS = 20;
const MOST_DIFFED = 2_000_000;
const MOST_IMAGE = Math.ceil(MAX_IMAGE_BYTES / 3) * 4;

const commandSchema = z.object({ command: z.union([z.string(), z.array(z.string())]) });

/** The calls of a session as their updates tell more and more of them, by the agent's ids. */
export class AcpCalls {
  private readonly calls = new Map<string, AgentCall>();
  private readonly outputs = new Map<string, string>();
  private readonly over = new Set<string>();
  private readonly places: AgentPlaces;

  constructor(places: AgentPlaces) {
    this.places = places;
  }

  /** True for a call of which nothing was told yet. */
  isNew(toolCallId: string): boolean {
    return !this.calls.has(toolCallId);
  }

  /** What is known of a call now. One that has ended begins anew: agents count from 1 again. */
  told(update: Partial<ToolCallUpdate> & { readonly toolCallId: string }): AgentCall {
    const { toolCallId, kind, title, rawInput, content, locations } = update;
    const before = this.calls.get(toolCallId);
    const input = storable(rawInput) ?? before?.input ?? {};
    const call: AgentCall = {
      callId: before?.callId ?? newId("call"),
      kind: callKind(kind) ?? before?.kind ?? "other",
      title: callTitle(this.places.shown(title ?? before?.title ?? "")),
      command: runCommandLine(input) ?? before?.command ?? null,
      paths: [
        ...new Set([
          ...(before?.paths ?? []),
          ...namedPaths(locations, content).map((named) => this.places.own(named)),
        ]),
      ].slice(0, MOST_PATHS),
      input,
      diffs: content ? this.diffsOf(content) : (before?.diffs ?? []),
    };
    this.over.delete(toolCallId);
    this.calls.set(toolCallId, call);
    if (content) this.outputs.set(toolCallId, writtenText(content));
    return call;
  }

  private diffsOf(content: readonly ToolCallContent[]): readonly AgentDiff[] {
    const diffs = content.filter((each) => each.type === "diff").slice(0, MOST_DIFFS);
    const length = diffs.reduce(
      (sum, { oldText, newText }) => sum + (oldText?.length ?? 0) + newText.length,
      0,
    );
    if (length > MOST_DIFFED) return [];
    return diffs.map(({ path, oldText, newText }) => ({
      ...{ path: this.places.own(path), before: oldText ?? null, after: newText },
    }));
  }

  /** True for a call that has ended: what is told of it later changes nothing. */
  isOver(toolCallId: string): boolean {
    return this.over.has(toolCallId);
  }

  /** Ends a call; what it wrote. */
  ended(toolCallId: string, rawOutput: unknown): string {
    const written = this.outputs.get(toolCallId) || plainOutput(rawOutput);
    this.over.add(toolCallId);
    this.outputs.delete(toolCallId);
    this.calls.delete(toolCallId);
    return written.slice(0, MOST_OUTPUT);
  }
}

/** What an update of the protocol tells; nothing for what Graft does not show. */
export function updatesOf(update: SessionUpdate, calls: AcpCalls): readonly AgentUpdate[] {
  switch (update.sessionUpdate) {
    case "agent_message_chunk":
    case "agent_thought_chunk": {
      const type = update.sessionUpdate === "agent_message_chunk" ? "text" : "thought";
      const { content } = update;
      if (content.type === "image" && type === "text")
        return content.data.length > MOST_IMAGE ? [] : [{ type: "image", data: content.data }];
      return content.type === "text" ? [{ type, text: content.text }] : [];
    }
    case "tool_call":
    case "tool_call_update": {
      const { sessionUpdate, toolCallId, status, rawOutput } = update;
      if (sessionUpdate === "tool_call_update" && calls.isOver(toolCallId)) return [];
      const isNew = calls.isNew(toolCallId);
      const call = calls.told(update);
      const begun: AgentUpdate = { type: "call", call, isNew };
      if (status !== "completed" && status !== "failed") return [begun];
      const output = calls.ended(toolCallId, rawOutput);
      const { callId } = call;
      return [begun, { type: "call-end", callId, ok: status === "completed", output }];
    }
    case "plan":
      return [
        {
          type: "plan",
          entries: update.entries.slice(0, MOST_PLANNED).map(({ content, status }) => ({
            text: callTitle(content),
            state: status,
          })),
        },
      ];
    case "usage_update":
      return isCount(update.used) && isCount(update.size)
        ? [{ type: "context", used: update.used, size: update.size }]
        : [];
    default:
      return [];
  }
}

function isCount(tokens: number): boolean {
  return Number.isSafeInteger(tokens) && tokens >= 0;
}

/** Arguments that can be kept; nothing where there are none, `{}` for too many. */
function storable(input: unknown): unknown {
  if (input === undefined || input === null) return undefined;
  const text = asJson(input);
  return text === "" || text.length > MOST_OUTPUT ? {} : input;
}

/** "" for what is nested deeper than can be written. */
function asJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "";
  }
}

function callKind(kind: string | null | undefined): AgentCallKind | null {
  return AGENT_CALL_KINDS.find((each) => each === kind) ?? null;
}

function callTitle(text: string): string {
  return text.replace(/\s+/g, " ").trim().slice(0, MOST_TITLE);
}

function runCommandLine(input: unknown): string | null {
  const found = commandSchema.safeParse(input).data?.command;
  return found === undefined || typeof found === "string" ? (found ?? null) : found.join(" ");
}

function namedPaths(
  locations: ToolCallUpdate["locations"],
  content: ToolCallUpdate["content"],
): readonly string[] {
  const changed = (content ?? []).flatMap((each) => (each.type === "diff" ? [each.path] : []));
  return [...(locations ?? []).map(({ path }) => path), ...changed];
}

function writtenText(content: readonly ToolCallContent[]): string {
  return content
    .flatMap((each) => {
      if (each.type === "diff") return [`Changed ${each.path}`];
      return each.type === "content" && each.content.type === "text" ? [each.content.text] : [];
    })
    .join("\n");
}

function plainOutput(output: unknown): string {
  if (output === undefined || output === null) return "";
  return typeof output === "string" ? output : asJson(output);
}
