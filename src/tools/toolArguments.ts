import * as z from "zod/mini";
import en from "zod/v4/locales/en.js";
import { err, ok, type Result } from "../base/result.ts";
import { thrownText } from "../base/text/sentence.ts";
import type { ToolCall } from "../model/message.ts";

/** A call whose arguments were read; `input` is their JSON value, or the parser's error. */
export interface ReadCall extends ToolCall {
  readonly input: Result<unknown, string>;
}

/** Reads the arguments of a call, once for everyone who looks at them. */
export function readCall(call: ToolCall): ReadCall {
  return { ...call, input: parseArguments(call.argsText) };
}

function parseArguments(argsText: string): Result<unknown, string> {
  try {
    const value: unknown = JSON.parse(argsText);
    // Some models encode the object twice.
    return ok(
      typeof value === "string" && value.trimStart().startsWith("{") ? JSON.parse(value) : value,
    );
  } catch (reason) {
    return err(thrownText(reason));
  }
}

/** Names that models use for each other. */
const SYNONYMS: Readonly<Record<string, string>> = { file_path: "path", path: "file_path" };

/** What is read of a JSON Schema. */
interface ArgumentSchema {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

const schemaSchema = z.object({
  type: z.optional(z.unknown()),
  items: z.optional(z.unknown()),
  properties: z.optional(z.record(z.string(), z.unknown())),
  required: z.optional(z.array(z.string())),
});

/**
 * The arguments as a JSON Schema has them: null, and "" where it need not be there, are left out,
 * `path` may stand for `file_path`, a list may be JSON text, a number or a truth value text.
 */
export function normalizeArguments(
  input: unknown,
  { properties = {}, required = [] }: ArgumentSchema,
): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  const given = new Map<string, unknown>(
    Object.entries(input).filter(([, value]) => value !== null),
  );
  return Object.fromEntries(
    [...given].flatMap(([name, value]) => {
      const other = SYNONYMS[name];
      const known =
        name in properties || other === undefined || !(other in properties) || given.has(other)
          ? name
          : other;
      if (value === "" && known in properties && !required.includes(known)) return [];
      return [[known, argumentOf(value, properties[known])]];
    }),
  );
}

/** A value as its schema has it, where what was meant is certain. */
function argumentOf(value: unknown, schema: unknown): unknown {
  const { type, items, ...object } = schemaSchema.safeParse(schema).data ?? {};
  if (type === "array") {
    const list = listOf(value);
    return Array.isArray(list) && items ? list.map((each) => argumentOf(each, items)) : list;
  }
  const { properties, required } = object;
  if (type === "object" && properties)
    return normalizeArguments(value, { properties, ...(required && { required }) });
  if (typeof value !== "string") return value;
  const text = value.trim();
  if (type === "boolean" && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === "true";
  const isNumber = (type === "integer" || type === "number") && /^-?\d+(?:\.\d+)?$/.test(text);
  return isNumber ? Number(text) : value;
}

function listOf(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const parsed = parseArguments(value);
  return parsed.ok && Array.isArray(parsed.value) ? parsed.value : value;
}

/**
 * Parses a value. The error says what is wrong with each field: `start_line: Invalid input:
 * expected int, received string`.
 */
export function parseValue<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
): Result<z.infer<Schema>, string> {
  const parsed = z.safeParse(schema, value, ENGLISH);
  if (parsed.success) return ok(parsed.data);
  return err(
    parsed.error.issues
      .map(({ path, message }) => [path.join("."), message].filter(Boolean).join(": "))
      .join("; "),
  );
}

/** The mini version of Zod has no words of its own. */
const ENGLISH = { error: en().localeError };
