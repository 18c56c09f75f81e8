import { estimateTokens } from "../base/text/estimateTokens.ts";
import { imageTokens } from "./imageParts.ts";
import type { Message, ToolSpec } from "./message.ts";

/** Tokens of a message besides its texts. */
export const MESSAGE_TOKENS = 6;

/** Estimates the tokens of a message, with its images and calls. */
export function messageTokens(message: Message): number {
  let count = MESSAGE_TOKENS + estimateTokens(message.text);
  if (message.role === "user")
    for (const image of message.images ?? []) count += imageTokens(image);
  if (message.role === "assistant") {
    for (const { name, argsText } of message.toolCalls)
      count += MESSAGE_TOKENS + estimateTokens(name + argsText);
    if (message.reasoning) count += estimateTokens(message.reasoning);
  }
  return count;
}

/** Estimates the tokens of the tools' descriptions. */
export function toolTokens(tools: readonly ToolSpec[]): number {
  return tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools));
}

/** Estimates the tokens of a request. */
export function requestTokens({
  messages,
  tools,
}: {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
}): number {
  return messages.reduce((sum, message) => sum + messageTokens(message), toolTokens(tools));
}

/** No tokenizer makes fewer tokens of text whose runs of one character are shortened. */
const MOST_CHARS_PER_TOKEN = 6;

/** The fewest tokens that a request can have, without its images: a lower count is not of all of it. */
export function leastTokens({
  messages,
  tools,
}: {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
}): number {
  const texts = messages.map(({ text }) => text);
  if (tools.length > 0) texts.push(JSON.stringify(tools));
  const length = texts.reduce((sum, text) => sum + text.replace(/\s+|(.)\1{2,}/g, " ").length, 0);
  return length / MOST_CHARS_PER_TOKEN;
}
