import * as z from "zod/mini";
import { err, ok, type Result } from "../../base/result.ts";
import type { McpElicitation } from "../../ports/mcp.ts";
import type { QuestionAnswer, QuestionRequest } from "../../ports/question.ts";

/** Asks the user one question on a server's behalf. */
export type AskUser = (question: Pick<QuestionRequest, "kind" | "question" | "options">) => Promise<QuestionAnswer>;

/** UTF-16 units of a server's words that the user sees at once. */
const MAX_MESSAGE = 2_000;
const MAX_LABEL = 600;
const MAX_FIELDS = 20;

/** Words in the names of fields that ask for a secret. */
const SECRET =
  /\b(passwords?|passwd|passphrase|passcode|secret|credentials?|token|api key|apikey|private key|access key|secret key|pin|cvv|card number)\b/i;

const requestSchema = z.object({
  message: z.string(),
  requestedSchema: z.object({
    properties: z.record(z.string(), z.unknown()).check(z.refine((properties) => Object.keys(properties).length <= MAX_FIELDS)),
    required: z.optional(z.array(z.string())),
  }),
});

const choices = z.array(z.string()).check(z.minLength(1), z.maxLength(100));
const fieldSchema = z.object({
  type: z.enum(["string", "number", "integer", "boolean"]),
  title: z.optional(z.string()),
  description: z.optional(z.string()),
  enum: z.optional(choices),
  oneOf: z.optional(z.array(z.object({ const: z.string() }))),
});

/** A field of a server's form (https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation). */
interface Field extends Pick<QuestionRequest, "kind" | "options"> {
  readonly name: string;
  readonly type: z.infer<typeof fieldSchema>["type"];
  /** The title and the description. */
  readonly label: string;
  readonly required: boolean;
}

/**
 * Asks the user to fill in a server's form, one question per field, and to confirm several. Skipping a required field declines. The
 * error tells the server why. The server itself checks the values.
 */
export async function askElicitation(
  server: string,
  request: unknown,
  ask: AskUser,
  signal: AbortSignal,
): Promise<Result<McpElicitation, string>> {
  const form = parseForm(request);
  if (!form.ok) return form;
  const { message, fields } = form.value;
  const head = `The MCP server ${server} asks: ${message.slice(0, MAX_MESSAGE)}`;
  const content = new Map<string, string | number | boolean>();
  for (const { name, type, label, kind, options, required } of fields) {
    const declines = required || fields.length === 1;
    const hint = declines ? "Your answer goes to the server. Skip to decline." : "Skip to leave it empty.";
    const answer = await ask({ kind, question: [head, label, hint].join("\n"), options });
    if (signal.aborted) return ok({ action: "cancel" });
    if (!answer.answered && declines) return ok({ action: "decline" });
    if (!answer.answered) continue;
    const [text = ""] = answer.values;
    if (type === "string") content.set(name, text);
    else if (type === "boolean") content.set(name, text === "yes");
    else if (text.trim() !== "" && Number.isFinite(Number(text))) content.set(name, Number(text));
    else return err(`The user entered no number for ${name}.`);
  }
  if (fields.length !== 1) {
    const shown = [...content].map(([name, value]) => `${name}: ${value}`);
    const question = fields.length === 0 ? head : [`This goes to the MCP server ${server}:`, ...shown].join("\n");
    const answer = await ask({ kind: "confirm", question, options: [] });
    if (signal.aborted) return ok({ action: "cancel" });
    if (!answer.answered || answer.values[0] !== "yes") return ok({ action: "decline" });
  }
  return ok({ action: "accept", content: Object.fromEntries(content) });
}

function parseForm(request: unknown): Result<{ readonly message: string; readonly fields: readonly Field[] }, string> {
  const parsed = z.safeParse(requestSchema, request);
  if (!parsed.success) return err(`Graft supports only forms with up to ${MAX_FIELDS} fields.`);
  const { message, requestedSchema } = parsed.data;
  const { properties, required = [] } = requestedSchema;
  const fields: Field[] = [];
  for (const [name, schema] of Object.entries(properties)) {
    const field = z.safeParse(fieldSchema, schema).data;
    if (!field) return err(`Graft cannot ask for the field ${name}: it is not a text, a number, a boolean or a choice.`);
    const { type, title = name, description } = field;
    const options = field.enum ?? field.oneOf?.map((choice) => choice.const) ?? [];
    const kind = type === "boolean" ? "confirm" : options.length > 0 ? "choice" : "text";
    if (kind === "text" && (isSecretName(name) || isSecretName(title))) {
      return err(`Graft does not ask the user for secrets such as ${name} on behalf of a server. They belong in an input of mcp.json.`);
    }
    const label = [title, description].filter(Boolean).join(": ").slice(0, MAX_LABEL);
    fields.push({ name, type, label, kind, options, required: required.includes(name) });
  }
  return ok({ message, fields });
}

/** Whether a field with this name or title asks for a secret; `maxTokens` does not. */
export function isSecretName(name: string): boolean {
  return SECRET.test(name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/[_-]+/g, " "));
}
