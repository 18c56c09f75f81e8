import type { SessionUpdate, ToolCallContent, ToolCallUpdate } from "@agentclientprotocol/sdk";
import * as z from "zod/mini";
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
/** The most files, and UTF-16 units of their texts, of which differences are shown. */
const MOST_DIFFS = 20;
const MOST_DIFFED = 2_000_000;
const MOST_IMAGE = Math.ceil(MAX_IMAGE_BYTES / 3) * 4;

const commandSchema = z.object({ command: z.union([z.string(), z.array(z.string())]) });

/** The calls of a session as their updates tell more and more of them. */
export class AcpCalls {
  private readonly calls = new Map<string, AgentCall>();
  private readonly outputs = new Map<string, string>();
  private readonly over = new Set<string>();
  private readonly places: AgentPlaces;

  constructor(places: AgentPlaces) {
    this.places = places;
  }

  /** What is known of a call now. */
  told(update: Partial<ToolCallUpdate> & { readonly toolCallId: string }): AgentCall {
    const { toolCallId: callId, kind, title, rawInput, content, locations } = update;
    const before = this.calls.get(callId);
    const input = rawInput ?? before?.input ?? {};
    const call: AgentCall = {
      callId,
      kind: callKind(kind) ?? before?.kind ?? "other",
      title: callTitle(this.places.shown(title ?? before?.title ?? "")),
      command: runCommandLine(input) ?? before?.command ?? null,
      paths: [
        ...new Set([
          ...(before?.paths ?? []),
          ...namedPaths(locations, content).map((named) => this.places.own(named)),
        ]),
      ],
      input: JSON.stringify(input).length > MOST_OUTPUT ? {} : input,
      diffs: content ? this.diffsOf(content) : (before?.diffs ?? []),
    };
    this.calls.set(callId, call);
    if (content) this.outputs.set(callId, writtenText(content));
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

  /** True for a call that has ended: what comes later changes nothing. */
  isOver(callId: string): boolean {
    return this.over.has(callId);
  }

  /** Ends a call; what it wrote. */
  ended(callId: string, rawOutput: unknown): string {
    const written = this.outputs.get(callId) || plainOutput(rawOutput);
    this.over.add(callId);
    this.outputs.delete(callId);
    this.calls.delete(callId);
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
      const { toolCallId: callId, status, rawOutput } = update;
      if (calls.isOver(callId)) return [];
      const begun: AgentUpdate = { type: "call", call: calls.told(update) };
      if (status !== "completed" && status !== "failed") return [begun];
      const output = calls.ended(callId, rawOutput);
      return [begun, { type: "call-end", callId, ok: status === "completed", output }];
    }
    case "plan":
      return [
        {
          type: "plan",
          entries: update.entries.map(({ content, status }) => ({
            text: callTitle(content),
            state: status,
          })),
        },
      ];
    case "usage_update":
      return [{ type: "context", used: update.used, size: update.size }];
    default:
      return [];
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
  return typeof output === "string" ? output : JSON.stringify(output);
}
