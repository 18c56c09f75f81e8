import { stat } from "node:fs/promises";
import * as path from "node:path";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import {
  type AgentContext,
  agent,
  type ContentBlock,
  type McpServer,
  methods,
  type NewSessionRequest,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
  type RequestPermissionRequest,
  type SessionUpdate,
  type StopReason,
  type ToolCallContent,
  type ToolKind,
} from "@agentclientprotocol/sdk";
import { newId } from "../../base/ids.ts";
import type { Localize } from "../../base/localize.ts";
import type { Result } from "../../base/result.ts";
import { untilAborted } from "../../base/untilAborted.ts";
import { wireValue } from "../../model/wireText.ts";
import type { GuestEdit } from "../../ports/guest.ts";
import { outerEvents } from "../../turns/plan/outerEvents.ts";
import type { TurnEndReason, TurnEvent } from "../../turns/turnEvent.ts";
import type { EarlierSession } from "./earlierSessions.ts";
import { editsMeta, placeOf, textContent, turnUpdates } from "./turnUpdates.ts";

/** The most chats that one client has open. */
const MOST_SESSIONS = 100;

/** A call that needs the user's permission, or whose permission was decided on. */
export interface AskedCall {
  readonly callId: string;
  readonly kind: ToolKind;
  readonly title: string;
  /** More about it; "" for nothing. */
  readonly text: string;
  /** The files that it changes, with their texts; null where there is no file. */
  readonly diffs: readonly {
    readonly path: string;
    readonly before: string | null;
    readonly after: string | null;
  }[];
  /** The edits that it is about, for programs. */
  readonly edits: readonly GuestEdit[];
}

/** How a chat reaches its client. */
export interface ChatClient {
  hear(event: TurnEvent): void;
  /** The user's decision, or null where there is none. */
  permit(call: AskedCall, signal: AbortSignal): Promise<boolean | null>;
  /** Shows what became of a call that was asked about. */
  show(call: AskedCall, status: "completed" | "failed"): void;
}

/** A chat as a client sees it. */
export interface ServedChat {
  /** What happened in it before, from its log. */
  readonly earlier: readonly TurnEvent[];
  /** Answers; the error is a sentence. */
  prompt(text: string, signal: AbortSignal): Promise<Result<TurnEndReason, string>>;
  dispose(): Promise<void>;
}

/** What serves. */
export interface AcpFacts {
  readonly version: string;
  readonly t: Localize;
  /**
   * Opens a chat in the folder `cwd`, new or from its log, with MCP servers as `mcp.json` defines them
   * by name; the error is a sentence.
   */
  open(
    sessionId: string,
    cwd: string,
    client: ChatClient,
    servers: Readonly<Record<string, unknown>>,
  ): Promise<Result<ServedChat, string>>;
  /** The chats of a folder, or of all, the latest first. */
  list(cwd: string | null): Promise<readonly EarlierSession[]>;
}

const STOPS: Readonly<Record<TurnEndReason, StopReason>> = {
  done: "end_turn",
  length: "max_tokens",
  "step-limit": "max_turn_requests",
  cancelled: "cancelled",
  interrupted: "cancelled",
  error: "end_turn",
};

interface Session {
  readonly chat: ServedChat;
  readonly client: SessionClient;
  /** Ends the prompt that is being answered; null where none is. */
  running: AbortController | null;
}

/** The chats that a client has open. */
class ServedSessions {
  private readonly sessions = new Map<string, Session>();
  private opening = 0;
  private readonly facts: AcpFacts;

  constructor(facts: AcpFacts) {
    this.facts = facts;
  }

  find(id: string): Session | undefined {
    return this.sessions.get(id);
  }

  /** Throws where there is none. */
  of(id: string): Session {
    const session = this.sessions.get(id);
    if (!session) throw RequestError.sessionNotFound(id);
    return session;
  }

  /** Opens a chat, new or from its log. */
  async open(
    sessionId: string,
    { cwd, mcpServers }: NewSessionRequest,
    client: AgentContext,
  ): Promise<Session> {
    await checkFolder(cwd);
    if (this.sessions.size + this.opening >= MOST_SESSIONS)
      throw refusal(`At most ${MOST_SESSIONS} sessions are open at once. Close one first.`);
    this.opening++;
    try {
      const told = new SessionClient(client, sessionId, cwd, this.facts.t);
      const servers = Object.fromEntries(mcpServers.map(defined));
      const chat = await this.facts.open(sessionId, cwd, told, servers);
      if (!chat.ok) throw refusal(chat.error);
      const session = { chat: chat.value, client: told, running: null };
      this.sessions.set(sessionId, session);
      return session;
    } finally {
      this.opening--;
    }
  }

  async close(id: string): Promise<void> {
    const { chat, running } = this.of(id);
    this.sessions.delete(id);
    running?.abort();
    await chat.dispose();
  }

  /** Ends all; settles when nothing is left. */
  async dispose(): Promise<void> {
    for (const { running } of this.sessions.values()) running?.abort();
    await Promise.all([...this.sessions.values()].map(({ chat }) => chat.dispose()));
  }
}

/**
 * Is an agent for one client, by the Agent Client Protocol, version 1. Settles when the client is gone
 * or `signal` aborts, and nothing is left. A message of more than 32 MB ends it too.
 */
export async function serveAcp(
  input: Readable,
  output: Writable,
  facts: AcpFacts,
  signal: AbortSignal,
): Promise<"gone" | "message-too-large"> {
  const sessions = new ServedSessions(facts);
  const stream = ndJsonStream(Writable.toWeb(output), Readable.toWeb(input));
  const connection = servedAgent(sessions, facts).connect(stream);
  const close = () => connection.close();
  output.once("error", close);
  signal.addEventListener("abort", close);
  if (signal.aborted) close();
  await connection.closed;
  signal.removeEventListener("abort", close);
  await sessions.dispose();
  const reason: unknown = connection.signal.reason;
  return reason instanceof Error && "maxMessageBytes" in reason ? "message-too-large" : "gone";
}

/** What answers the client's requests. */
function servedAgent(sessions: ServedSessions, { version, list }: AcpFacts) {
  return agent({ name: "graft" })
    .onRequest(methods.agent.initialize, () => ({
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: "graft", title: "Graft", version },
      agentCapabilities: {
        loadSession: true,
        mcpCapabilities: { http: true, sse: true },
        sessionCapabilities: { close: {}, list: {} },
      },
      authMethods: [],
    }))
    .onRequest(methods.agent.session.new, async ({ params, client }) => {
      const sessionId = newId("session");
      await sessions.open(sessionId, params, client);
      return { sessionId };
    })
    .onRequest(methods.agent.session.load, async ({ params, client }) => {
      const { sessionId, cwd } = params;
      if (sessions.find(sessionId)) throw refusal("This session is open.");
      await checkFolder(cwd);
      if (!(await list(cwd)).some((each) => each.sessionId === sessionId))
        throw RequestError.resourceNotFound(sessionId);
      const { chat, client: told } = await sessions.open(sessionId, params, client);
      chat.earlier.forEach(outerEvents((event) => told.hear(event, true)));
      await told.sent();
      return {};
    })
    .onRequest(methods.agent.session.list, async ({ params: { cwd = null } }) => ({
      sessions: (await list(cwd)).map(({ changedAt, ...session }) => ({
        ...session,
        updatedAt: new Date(changedAt).toISOString(),
      })),
    }))
    .onRequest(methods.agent.session.close, async ({ params: { sessionId } }) => {
      await sessions.close(sessionId);
      return {};
    })
    .onNotification(methods.agent.session.cancel, ({ params: { sessionId } }) => {
      sessions.find(sessionId)?.running?.abort();
    })
    .onRequest(methods.agent.session.prompt, ({ params, signal }) =>
      answerPrompt(sessions.of(params.sessionId), params.prompt, signal),
    );
}

async function answerPrompt(
  session: Session,
  prompt: readonly ContentBlock[],
  cancelled: AbortSignal,
): Promise<{ stopReason: StopReason }> {
  if (session.running)
    throw RequestError.invalidRequest(undefined, "This session is answering another prompt.");
  const text = prompt.map((part) => promptText(part, session.client.cwd)).join("\n");
  if (text.trim() === "") throw refusal("The prompt is empty.");
  const running = new AbortController();
  const abort = () => running.abort();
  session.running = running;
  cancelled.addEventListener("abort", abort);
  try {
    const reason = await session.chat.prompt(text, running.signal);
    await session.client.sent();
    if (!reason.ok) throw new RequestError(-32603, reason.error);
    return { stopReason: running.signal.aborted ? "cancelled" : STOPS[reason.value] };
  } finally {
    cancelled.removeEventListener("abort", abort);
    session.running = null;
  }
}

async function checkFolder(cwd: string): Promise<void> {
  if (!path.isAbsolute(cwd)) throw refusal(`cwd must be an absolute path, not ${cwd}.`);
  const found = await stat(cwd).catch(() => null);
  if (!found?.isDirectory()) throw refusal(`cwd must be an existing folder. ${cwd} is not one.`);
}

/** Sends a chat's updates in their order. */
class SessionClient implements ChatClient {
  readonly cwd: string;
  private readonly client: AgentContext;
  private readonly sessionId: string;
  private readonly t: Localize;
  private readonly waiting: SessionUpdate[] = [];
  private readonly begun = new Set<string>();
  private sending: Promise<void> = Promise.resolve();

  constructor(client: AgentContext, sessionId: string, cwd: string, t: Localize) {
    this.client = client;
    this.sessionId = sessionId;
    this.cwd = cwd;
    this.t = t;
  }

  /** What the client showed itself is only told of an earlier run. */
  hear(event: TurnEvent, isEarlier = false): void {
    if (isEarlier && event.type === "turn-start" && event.role === "user") {
      const content = { type: "text" as const, text: event.text ?? "" };
      this.send({ sessionUpdate: "user_message_chunk", content });
    }
    for (const update of turnUpdates(event, this.cwd, this.t)) this.send(this.anew(update));
  }

  async permit(call: AskedCall, signal: AbortSignal): Promise<boolean | null> {
    const { sessionId, client } = this;
    const toolCall = this.toolCall(call);
    await this.sent();
    if (signal.aborted) return null;
    const question: RequestPermissionRequest = {
      ...{ sessionId, toolCall: { ...toolCall, status: "pending" } },
      options: [
        { optionId: "allow", name: "Allow", kind: "allow_once" },
        { optionId: "reject", name: "Reject", kind: "reject_once" },
      ],
    };
    const asking = client.request(methods.client.session.requestPermission, question);
    const answer = await untilAborted(
      asking.then(({ outcome }) => outcome).catch(() => null),
      signal,
    );
    if (!answer.ok || answer.value?.outcome !== "selected") return null;
    return answer.value.optionId === "allow";
  }

  show(call: AskedCall, status: "completed" | "failed"): void {
    this.send({ sessionUpdate: "tool_call_update", ...this.toolCall(call), status });
  }

  /** Settles when the client has everything, or is gone. */
  async sent(): Promise<void> {
    await this.sending;
  }

  /** A call begins once; what is told of it again is an update. */
  private anew(update: SessionUpdate): SessionUpdate {
    if (update.sessionUpdate !== "tool_call") return update;
    const isKnown = this.begun.has(update.toolCallId);
    this.begun.add(update.toolCallId);
    return isKnown ? { ...update, sessionUpdate: "tool_call_update" } : update;
  }

  private send(update: SessionUpdate): void {
    const last = this.waiting.at(-1);
    const joined = last && joinedText(last, update);
    // A client that reads slowly gets larger pieces.
    if (joined) this.waiting[this.waiting.length - 1] = joined;
    else this.waiting.push(update);
    const { sessionId } = this;
    this.sending = this.sending.then(async () => {
      for (let next = this.waiting.shift(); next; next = this.waiting.shift())
        await this.client
          .notify(methods.client.session.update, { sessionId, update: wireValue(next) })
          .catch(() => undefined);
    });
  }

  private toolCall({ callId: toolCallId, kind, title, text, diffs, edits }: AskedCall) {
    const content: ToolCallContent[] = [
      ...(text === "" ? [] : [textContent(text)]),
      ...diffs.flatMap(({ path: name, before, after }) =>
        placeOf(this.cwd, name).map((at) => ({
          ...{ type: "diff" as const, path: at, oldText: before, newText: after ?? "" },
        })),
      ),
    ];
    const locations = diffs.flatMap(({ path: name }) => placeOf(this.cwd, name));
    return {
      ...{ toolCallId, kind, title, content },
      ...(edits.length > 0 && { _meta: editsMeta(edits) }),
      ...(locations.length > 0 && { locations: locations.map((at) => ({ path: at })) }),
    };
  }
}

function joinedText(last: SessionUpdate, next: SessionUpdate): SessionUpdate | null {
  for (const kind of ["agent_message_chunk", "agent_thought_chunk"] as const)
    if (last.sessionUpdate === kind && next.sessionUpdate === kind)
      return last.content.type === "text" && next.content.type === "text"
        ? { ...last, content: { type: "text", text: last.content.text + next.content.text } }
        : null;
  return null;
}

/** A server as `mcp.json` has it. */
function defined(server: McpServer): readonly [string, unknown] {
  const record = (pairs: readonly { readonly name: string; readonly value: string }[]) =>
    Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
  if ("url" in server) {
    const { name, type, url, headers } = server;
    return [name, { type, url, headers: record(headers) }];
  }
  const { name, command, args, env } = server;
  return [name, { command, args, env: record(env) }];
}

/** Text, and the names of files that the user links to. */
function promptText(part: ContentBlock, cwd: string): string {
  if (part.type === "text") return part.text;
  if (part.type !== "resource_link") throw refusal("A prompt has texts and links to files only.");
  const { uri } = part;
  try {
    return `@${path.relative(cwd, fileURLToPath(uri))}`;
  } catch {
    return uri;
  }
}

function refusal(sentence: string): RequestError {
  return RequestError.invalidParams(undefined, sentence);
}
