import type { ModelHandler, WireRequest } from "../model/modelServer.ts";

/**
 * What a strict provider has to complain about in a request's history, or null: each call has its
 * result right behind it, and nothing is empty.
 */
export function strictHistory({ messages }: WireRequest): string | null {
  const open: string[] = [];
  for (const [
    index,
    { role, content, tool_calls: calls = [], tool_call_id: id },
  ] of messages.entries()) {
    const at = `messages[${index}] (${role})`;
    if (role === "tool") {
      if (id === undefined || open.shift() !== id)
        return `${at} answers no call that is open, or not in order`;
      if (!content) return `${at} is empty`;
      continue;
    }
    if (open.length > 0) return `${at} comes before the results of ${open.join(", ")}`;
    if (!content && calls.length === 0) return `${at} is empty`;
    if (role === "user" && messages[index - 1]?.role === "user")
      return `${at} follows a user message`;
    for (const call of calls) {
      const args: unknown = JSON.parse(call.function.arguments);
      if (typeof args !== "object" || args === null || Array.isArray(args))
        return `${at} has arguments that are no object`;
      open.push(call.id);
    }
  }
  if (open.length > 0) return `there are no results of ${open.join(", ")}`;
  return messages.at(-1)?.role === "assistant" ? "the last message is the assistant's" : null;
}

/** A model behind a provider that refuses every history it finds fault with. */
export function strictModel(model: ModelHandler): ModelHandler {
  return (request, index) => {
    const complaint = strictHistory(request.body);
    if (complaint === null) return model(request, index);
    return { status: 400, body: JSON.stringify({ error: { message: complaint } }) };
  };
}
