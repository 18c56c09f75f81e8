import * as z from "zod/mini";
import { withDeadline } from "../../base/deadline.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { parseJson } from "../../base/text/parseJson.ts";
import type { ConnectionKindName } from "../connections/connectionKinds.ts";
import { type Endpoint, parseEndpoint } from "../endpoint.ts";
import type { ModelServer } from "../modelClient.ts";
import type { ModelFailure } from "../modelFailure.ts";
import { responseFailure } from "../openai/errorResponse.ts";
import { networkFailure } from "../openai/networkFailure.ts";
import { readAll, textReader } from "../openai/readChunks.ts";
import { readRefusal } from "../openai/sendRequest.ts";
import { wireValue } from "../wireText.ts";
import { type FillInFormat, fillInFormat, type Gap } from "./fillInFormat.ts";

/** The most that is read of an answer, in UTF-16 units. */
const MAX_ANSWER = 1_000_000;

/** Why nothing was filled in; `no-fill-in` for a server that cannot. */
export type FillInFailure = ModelFailure | { readonly code: "no-fill-in"; readonly said?: string };

/** Where completions are asked for. */
export interface FillInServer extends Omit<ModelServer, "limits"> {
  readonly kind: ConnectionKindName;
  readonly model: string;
}

/**
 * Asks a server what stands in a gap of a text, the way its kind is asked. The key goes to it and to
 * no other. May take `ms`.
 */
export async function fillIn(
  server: FillInServer,
  gap: Gap,
  send: typeof fetch,
  signal: AbortSignal,
  ms: number,
): Promise<Result<string, FillInFailure>> {
  const format = fillInFormat(server.kind);
  if (format === null) return err({ code: "no-fill-in" });
  const parsed = parseEndpoint(server, server.model);
  if (!parsed.ok) return parsed;
  const endpoint = parsed.value;
  const { askServer } = await import("../openai/askServer.ts");
  const path = format.address(endpoint.baseUrl);
  const body = wireValue(format.body(server.model, gap));
  try {
    const answer = await withDeadline(signal, ms, async (limited) => {
      const request = (api: Parameters<Parameters<typeof askServer>[3]>[0]) =>
        api.post(path, { body });
      const response = await askServer(endpoint, send, limited, request);
      if (!response.ok) return fillInRefusal(await readRefusal(response, limited), endpoint);
      const text = response.body
        ? await readAll(textReader(response.body, limited), MAX_ANSWER)
        : "";
      return gapText(format, text);
    });
    if (answer.ok) return answer.value;
    return err(signal.aborted ? { code: "aborted" } : { code: "connect-timeout", limitMs: ms });
  } catch (thrown) {
    return err(signal.aborted ? { code: "aborted" } : networkFailure(thrown, false, endpoint));
  }
}

/** A server that has no such address, or refuses what only this request has, cannot fill in. */
function fillInRefusal(
  answer: Parameters<typeof responseFailure>[0],
  endpoint: Endpoint,
): Result<never, FillInFailure> {
  const failure = responseFailure(answer, endpoint);
  const { said } = failure;
  const hasNone = [404, 405, 501].includes(answer.status) && failure.code !== "model-not-found";
  const refuses = /suffix|insert|infill|fim\b|fill.in/i.test(said ?? "");
  if (!hasNone && !refuses) return err(failure);
  return err({ code: "no-fill-in", ...(said !== undefined && { said }) });
}

function gapText({ answer }: FillInFormat, text: string): Result<string, FillInFailure> {
  const value = parseJson(text);
  if (value === undefined)
    return err({ code: text.trimStart().startsWith("<") ? "web-page" : "unreadable" });
  const read = z.safeParse(answer, value);
  return read.success ? ok(read.data) : err({ code: "unreadable" });
}
