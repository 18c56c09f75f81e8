import * as z from "zod/mini";
import type { ModelHandler } from "./modelServer.ts";

const answersSchema = z.array(
  z.object({
    text: z._default(z.string(), ""),
    toolCalls: z._default(z.array(z.object({ name: z.string(), args: z.unknown() })), []),
  }),
);

/**
 * A model that gives the answers that its prompt holds, one after the other: a line `ANSWERS: [{
 * "text": … }]`. It lets a test speak for it that runs where no server can be started. Other
 * prompts are answered by `otherwise`.
 */
export function promptedModel(otherwise: ModelHandler): ModelHandler {
  return (request, index) => {
    const { messages } = request.body;
    const at = messages.findLastIndex(
      ({ role, content }) => role === "user" && content?.includes("ANSWERS: "),
    );
    const answers = /^ANSWERS: (.*)$/m.exec(messages[at]?.content ?? "")?.[1];
    if (answers === undefined) return otherwise(request, index);
    const given = messages.slice(at).filter(({ role }) => role === "assistant").length;
    const answer = answersSchema.parse(JSON.parse(answers))[given];
    return answer ? { ...answer, chunkSize: 5 } : { text: "That is all." };
  };
}
