import * as z from "zod/mini";
import { err, ok, type Result } from "../../../base/result.ts";
import type { McpElicitation } from "../../../ports/mcp.ts";
import type { QuestionAnswer, QuestionRequest } from "../../../ports/question.ts";
import { type ElicitedField, type ElicitedValue, elicitedField } from "./elicitedField.ts";

/** Asks the user one question on a server's behalf. */
export type AskUser = (question: Pick<QuestionRequest, "kind" | "question" | "options">) => Promise<QuestionAnswer>;

const MAX_MESSAGE = 2_000;
const MAX_FIELDS = 20;
const SEND = "Send this";
const CHANGE = "Enter it again";
const REFUSE = "Send nothing";

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

type Content = ReadonlyMap<string, ElicitedValue>;

/** Asks the user to fill in a server's form, one question per field. Skipping a required field declines. The error tells the server why. */
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
  for (;;) {
    const content = fields.length === 0 ? await confirmed(head, ask) : await filledIn(head, fields, ask);
    if (signal.aborted) return ok({ action: "cancel" });
    if (content === null) return ok({ action: "decline" });
    const accepted = ok({ action: "accept" as const, content: Object.fromEntries(content) });
    if (fields.length < 2) return accepted;
    const lines = fields.flatMap(({ name, title, shown }) => {
      const value = content.get(name);
      return value === undefined ? [] : [`${title}: ${shown(value)}`];
    });
    const question = `This goes to the MCP server ${server}:\n${lines.length === 0 ? "(nothing entered)" : lines.join("\n")}`;
    const answer = await ask({ kind: "choice", question, options: [SEND, CHANGE, REFUSE] });
    if (signal.aborted) return ok({ action: "cancel" });
    if (!answer.answered || answer.values[0] === REFUSE) return ok({ action: "decline" });
    if (answer.values[0] === SEND) return accepted;
  }
}

function parseForm(request: unknown): Result<{ readonly message: string; readonly fields: readonly ElicitedField[] }, string> {
  const parsed = z.safeParse(requestSchema, request);
  if (!parsed.success) return err(`Graft supports only forms with up to ${MAX_FIELDS} fields.`);
  const { message, requestedSchema } = parsed.data;
  const { properties, required = [] } = requestedSchema;
  const fields: ElicitedField[] = [];
  for (const [name, schema] of Object.entries(properties)) {
    const field = elicitedField(name, schema, required.includes(name));
    if (!field) return err(`Graft cannot ask for the field ${name}: it is not a text, a number, a boolean or a choice.`);
    if (field.kind === "text" && (isSecretName(name) || isSecretName(field.title))) {
      return err(`Graft does not ask the user for secrets such as ${name} on behalf of a server. They belong in an input of mcp.json.`);
    }
    fields.push(field);
  }
  return ok({ message, fields });
}

async function confirmed(question: string, ask: AskUser): Promise<Content | null> {
  const answer = await ask({ kind: "confirm", question, options: [] });
  return answer.answered && answer.values[0] === "yes" ? new Map() : null;
}

async function filledIn(head: string, fields: readonly ElicitedField[], ask: AskUser): Promise<Content | null> {
  const content = new Map<string, ElicitedValue>();
  const only = fields.length === 1;
  for (const field of fields) {
    const value = await fieldValue(head, field, only, ask);
    if (value !== null) content.set(field.name, value);
    else if (only || field.required) return null;
  }
  return content;
}

/** The value of a field; null where the user gives none and it has no default. Asks again until the value fits. */
async function fieldValue(head: string, field: ElicitedField, only: boolean, ask: AskUser): Promise<ElicitedValue | null> {
  for (let wrong = ""; ; ) {
    const question = [head, field.label, hint(field, only), wrong].filter(Boolean).join("\n");
    const answer = await ask({ kind: field.kind, question, options: field.options });
    if (!answer.answered) return only ? null : field.fallback;
    const value = field.read(answer.values);
    if (value.ok) return value.value;
    wrong = `The value does not fit: ${value.error}.`;
  }
}

function hint({ required, fallback, shown }: ElicitedField, only: boolean): string {
  if (only) return "Your answer goes to the server. Skip to decline.";
  if (fallback !== null) return `Skip for the default: ${shown(fallback)}`;
  return required ? "Skip to decline." : "Skip to leave it empty.";
}

/** Whether a field with this name or title asks for a secret; `maxTokens` does not. */
export function isSecretName(name: string): boolean {
  return SECRET.test(name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/[_-]+/g, " "));
}
