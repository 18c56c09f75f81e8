import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import * as z from "zod/mini";
import type { AnthropicServer, AnthropicStep } from "./anthropicServer.ts";

const requestSchema = z.looseObject({
  tools: z.optional(z.array(z.looseObject({ functionDeclarations: z.optional(z.array(z.any())) }))),
  contents: z.optional(z.array(z.unknown())),
});

/** Answers the CLI's own questions, such as who speaks next. */
const OWN = JSON.stringify({
  reasoning: "x",
  next_speaker: "user",
  complexity_score: 10,
  complexity_reasoning: "x",
  model_choice: "flash",
});

/** A server of Gemini's API with a model whose steps are given. */
export async function startGeminiServer(steps: readonly AnthropicStep[]): Promise<AnthropicServer> {
  const heard: string[] = [];
  const http = createServer(async (request, response) => {
    const body = requestSchema.safeParse(JSON.parse((await text(request)) || "{}")).data;
    const { url = "" } = request;
    const isStream = url.includes("stream");
    const json = (value: unknown) =>
      response.setHeader("content-type", "application/json").end(JSON.stringify(value));
    if (!body || url.includes("countTokens")) return void json({ totalTokens: 10 });
    const isMain = isStream && (body.tools ?? []).some((each) => each.functionDeclarations?.length);
    const step: AnthropicStep = isMain ? (steps[heard.length] ?? { text: "done" }) : { text: OWN };
    if (isMain) heard.push(JSON.stringify(body.contents ?? []));
    const part =
      "text" in step
        ? { text: step.text }
        : { functionCall: { name: step.tool, args: step.input } };
    const answer = {
      candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
    };
    if (!isStream) return void json(answer);
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`data: ${JSON.stringify(answer)}\n\n`);
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const address = http.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    heard,
    async close() {
      http.closeAllConnections();
      http.close();
      await once(http, "close");
    },
  };
}
