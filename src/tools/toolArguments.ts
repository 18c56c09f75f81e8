import type * as z from "zod/mini";
import { err, ok, type Result } from "../base/result.ts";

/** Parses the JSON of a tool call's arguments. The error is the parser's. */
export function parseArguments(argsText: string): Result<unknown, string> {
  try {
    const value: unknown = JSON.parse(argsText);
    // Some models encode the object twice.
    return ok(typeof value === "string" && value.trimStart().startsWith("{") ? JSON.parse(value) : value);
  } catch (reason) {
    return err(reason instanceof Error ? reason.message : String(reason));
  }
}

/** Names that models use for each other. */
const SYNONYMS: Readonly<Record<string, string>> = { file_path: "path", path: "file_path" };

/**
 * The arguments of a call as `properties`, its JSON Schema, has them. Null counts as left out, since models write it for "not given".
 * `path` stands for `file_path` and the reverse, where the tool knows only one of them. A list may be written as JSON text.
 */
export function normalizeArguments(input: unknown, properties: Readonly<Record<string, unknown>>): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  const given = new Map<string, unknown>(Object.entries(input).filter(([, value]) => value !== null));
  return Object.fromEntries(
    [...given].map(([name, value]) => {
      const other = SYNONYMS[name];
      const known = name in properties || other === undefined || !(other in properties) || given.has(other) ? name : other;
      return [known, isListType(properties[known]) ? listOf(value) : value];
    }),
  );
}

function isListType(schema: unknown): boolean {
  return typeof schema === "object" && schema !== null && "type" in schema && schema.type === "array";
}

function listOf(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const parsed = parseArguments(value);
  return parsed.ok && Array.isArray(parsed.value) ? parsed.value : value;
}

/**
 * What is wrong with each field: `start_line: must be a number, not a string; file_path: is required`. The error must come from a parse
 * with `reportInput`. Zod's own locales cannot be bundled one at a time.
 */
export function describeSchemaError(error: z.core.$ZodError): string {
  return error.issues
    .map((issue) => (issue.path.length === 0 ? issueText(issue) : `${issue.path.join(".")}: ${issueText(issue)}`))
    .join("; ");
}

function issueText(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is required" : `must be ${withArticle(issue.expected)}, not ${typeName(issue.input)}`;
    case "too_small":
      return issue.origin === "string" && issue.minimum === 1 ? "must not be empty" : amount("at least", issue.minimum, issue.origin);
    case "too_big":
      return amount("at most", issue.maximum, issue.origin);
    case "invalid_value":
      return `${issue.input === undefined ? "is required:" : "must be"} one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
    case "unrecognized_keys":
      return `unknown parameter ${issue.keys.join(", ")}`;
    default:
      return issue.message;
  }
}

function amount(bound: string, limit: number | bigint, origin: string): string {
  if (origin === "array") return `must have ${bound} ${limit} ${limit === 1 ? "entry" : "entries"}`;
  return `must be ${bound} ${limit}${origin === "string" ? " characters long" : ""}`;
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "number" ? `the number ${value}` : withArticle(typeof value);
}

function withArticle(type: string): string {
  const word = type === "int" ? "integer" : type;
  return /^[aeio]/.test(word) ? `an ${word}` : `a ${word}`;
}
