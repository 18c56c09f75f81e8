import type { Message, ToolSpec } from "../message.ts";
import type { RealtimeSocket } from "./realtimeClient.ts";
import { parseRealtimeEvent, type RealtimeEvent } from "./realtimeEvent.ts";

/** A Realtime connection and what its server knows of the conversation. */
export class RealtimeSession {
  private readonly socket: RealtimeSocket;
  private readonly inbox: RealtimeEvent[] = [];
  /** The messages that the server has, by what makes them the same. */
  private known: readonly string[] = [];
  private wake: () => void = () => undefined;
  private isOver = false;
  isBeta = false;
  /** The responses that are over: what still comes of them is late. */
  readonly finished = new Set<string>();

  constructor(socket: RealtimeSocket) {
    this.socket = socket;
    socket.onMessage((text) => {
      const event = parseRealtimeEvent(text);
      if (event?.type === "session") this.isBeta = event.isBeta;
      if (event) this.inbox.push(event);
      this.wake();
    });
    socket.onClosed(() => {
      this.isOver = true;
      this.wake();
    });
  }

  /** The next event, null when the connection is over. */
  async next(): Promise<RealtimeEvent | null> {
    while (this.inbox.length === 0 && !this.isOver) await new Promise<void>((resolve) => (this.wake = resolve));
    return this.inbox.shift() ?? null;
  }

  send(event: Readonly<Record<string, unknown>>): void {
    this.socket.send(JSON.stringify(event));
  }

  close(): void {
    this.isOver = true;
    this.socket.close();
    this.wake();
  }

  /** True where the server's conversation is the beginning of this one. */
  continues(messages: readonly Message[]): boolean {
    const keys = messages.map(keyOf);
    return !this.isOver && this.known.length < keys.length && this.known.every((key, index) => key === keys[index]);
  }

  /** Tells the server what it does not know yet, and asks for an answer in sound or in text. */
  ask(instructions: string, messages: readonly Message[], tools: readonly ToolSpec[], voice: string | null): void {
    const { isBeta } = this;
    this.send({ type: "session.update", session: { instructions, ...sessionFields(isBeta, voice), tools: tools.map(toolFields) } });
    for (const message of messages.slice(this.known.length)) {
      for (const item of itemsOf(message, isBeta)) this.send({ type: "conversation.item.create", item });
    }
    this.known = messages.map(keyOf);
    const modalities = voice === null ? ["text"] : isBeta ? ["audio", "text"] : ["audio"];
    this.send({ type: "response.create", response: isBeta ? { modalities } : { output_modalities: modalities } });
  }

  /** The server's answer is part of the conversation. */
  answered(message: Message): void {
    this.known = [...this.known, keyOf(message)];
  }
}

function sessionFields(isBeta: boolean, voice: string | null): Readonly<Record<string, unknown>> {
  // Graft's own loop decides when the model answers.
  if (isBeta) return { turn_detection: null, output_audio_format: "pcm16", ...(voice !== null && { voice }) };
  const output = { format: { type: "audio/pcm", rate: 24_000 }, ...(voice !== null && { voice }) };
  return { type: "realtime", audio: { input: { turn_detection: null }, output } };
}

function toolFields({ name, description, parameters }: ToolSpec): Readonly<Record<string, unknown>> {
  return { type: "function", name, description, parameters };
}

function itemsOf(message: Message, isBeta: boolean): readonly Readonly<Record<string, unknown>>[] {
  switch (message.role) {
    case "system":
      return [{ type: "message", role: "system", content: [{ type: "input_text", text: message.text }] }];
    case "user":
      return [{ type: "message", role: "user", content: [{ type: "input_text", text: message.text }] }];
    case "tool":
      return [{ type: "function_call_output", call_id: message.callId, output: message.text }];
    case "assistant": {
      const content = [{ type: isBeta ? "text" : "output_text", text: message.text }];
      const calls = message.toolCalls.map(({ callId, name, argsText }) => {
        return { type: "function_call", call_id: callId, name, arguments: argsText };
      });
      return message.text.trim() === "" ? calls : [{ type: "message", role: "assistant", content }, ...calls];
    }
  }
}

function keyOf(message: Message): string {
  if (message.role !== "assistant") return JSON.stringify([message.role, message.text, message.role === "tool" ? message.callId : ""]);
  return JSON.stringify([message.role, message.text, message.toolCalls.map(({ callId, name }) => [callId, name])]);
}
