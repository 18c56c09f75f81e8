import type { Message, ToolSpec } from "../message.ts";
import type { ModelRequest } from "../modelClient.ts";

type ClientEvent = Readonly<Record<string, unknown>>;

/** What a new session is told: the conversation, and that an answer is wanted, in the sound of `voice` or with null in text. */
export function realtimeRequest({ messages, tools }: ModelRequest, voice: string | null, isBeta: boolean): readonly ClientEvent[] {
  const [first, ...rest] = messages;
  const instructions = first?.role === "system" ? first.text : "";
  const conversation = first?.role === "system" ? rest : messages;
  const modalities = voice === null ? ["text"] : isBeta ? ["audio", "text"] : ["audio"];
  return [
    { type: "session.update", session: { instructions, ...sessionFields(isBeta, voice), tools: tools.map(toolFields) } },
    ...conversation.flatMap((message) => itemsOf(message, isBeta)).map((item) => ({ type: "conversation.item.create", item })),
    { type: "response.create", response: isBeta ? { modalities } : { output_modalities: modalities } },
  ];
}

function sessionFields(isBeta: boolean, voice: string | null): ClientEvent {
  // Graft's own loop decides when the model answers.
  if (isBeta) return { turn_detection: null, output_audio_format: "pcm16", ...(voice !== null && { voice }) };
  const output = { format: { type: "audio/pcm", rate: 24_000 }, ...(voice !== null && { voice }) };
  return { type: "realtime", audio: { input: { turn_detection: null }, output } };
}

function toolFields({ name, description, parameters }: ToolSpec): ClientEvent {
  return { type: "function", name, description, parameters };
}

function itemsOf(message: Message, isBeta: boolean): readonly ClientEvent[] {
  switch (message.role) {
    case "system":
    case "user":
      return [{ type: "message", role: message.role, content: [{ type: "input_text", text: message.text }] }];
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
