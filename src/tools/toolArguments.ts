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

/**
 * The arguments as `properties`, a JSON Schema, has them: null is left out, `path` may stand for
 * `file_path`, a list may be JSON text.
 */
export function normalizeArguments(
  input: unknown,
  properties: Readonly<Record<string, unknown>>,
): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  const given = new Map<string, unknown>(
    Object.entries(input).filter(([, value]) => value !== null),
  );
  return Object.fromEntries(
    [...given].map(([name, value]) => {
      const other = SYNONYMS[name];
      const known =
        name in properties || other === undefined || !(other in properties) || given.has(other)
          ? name
          : other;
      return [known, isListType(properties[known]) ? listOf(value) : value];
    }),
  );
}

function isListType(schema: unknown): boolean {
  return (
    typeof schema === "object" && schema !== null && "type" in schema && schema.type === "array"
  );
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
