import * as z from "zod/mini";
import { err, ok, type Result } from "../../../base/result.ts";
import type { QuestionRequest } from "../../../ports/question.ts";
import { parseValue } from "../../toolArguments.ts";

/** The value of a field. */
export type ElicitedValue = string | number | boolean | readonly string[];

/** A field of a server's form, as a question to the user. */
export interface ElicitedField {
  readonly name: string;
  readonly title: string;
  /** The title and the description. */
  readonly label: string;
  readonly kind: QuestionRequest["kind"];
  readonly options: readonly string[];
  readonly required: boolean;
  /** The field's default, or null. */
  readonly fallback: ElicitedValue | null;
  /** The value of the user's answer. The error says what is wrong with it. */
  read(answer: readonly string[]): Result<ElicitedValue, string>;
  /** A value as the user reads it. */
  shown(value: ElicitedValue): string;
}

const MAX_TITLE = 100;
const MAX_LABEL = 600;
const MAX_OPTIONS = 100;
const common = { title: z.optional(z.string()), description: z.optional(z.string()) };
const choices = z.array(z.string()).check(z.minLength(1), z.maxLength(MAX_OPTIONS));
const titledChoices = z.array(z.object({ const: z.string(), title: z.string() })).check(z.minLength(1), z.maxLength(MAX_OPTIONS));
const stringSchema = z.object({
  ...common,
  type: z.literal("string"),
  enum: z.optional(choices),
  oneOf: z.optional(titledChoices),
  minLength: z.optional(z.int()),
  maxLength: z.optional(z.int()),
  default: z.optional(z.string()),
});
const severalSchema = z.object({
  ...common,
  type: z.literal("array"),
  minItems: z.optional(z.int()),
  maxItems: z.optional(z.int()),
  items: z.union([z.object({ enum: choices }), z.object({ anyOf: titledChoices })]),
  default: z.optional(z.array(z.string())),
});
const numberSchema = z.object({
  ...common,
  type: z.enum(["number", "integer"]),
  minimum: z.optional(z.number()),
  maximum: z.optional(z.number()),
  default: z.optional(z.number()),
});
const yesOrNoSchema = z.object({ ...common, type: z.literal("boolean"), default: z.optional(z.boolean()) });
const fieldSchema = z.discriminatedUnion("type", [stringSchema, severalSchema, numberSchema, yesOrNoSchema]);

/** A field by its schema (https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation); null for one of another type. */
export function elicitedField(name: string, schema: unknown, required: boolean): ElicitedField | null {
  const parsed = z.safeParse(fieldSchema, schema);
  if (!parsed.success) return null;
  const field = parsed.data;
  const title = (field.title ?? name).slice(0, MAX_TITLE);
  const label = [title, field.description].filter(Boolean).join(": ").slice(0, MAX_LABEL);
  const base = { name, title, label, required, fallback: field.default ?? null, options: [], shown: String };
  switch (field.type) {
    case "boolean":
      return { ...base, kind: "confirm", read: ([answer]) => ok(answer === "yes"), shown: (value) => (value === true ? "yes" : "no") };
    case "array":
      return { ...base, ...several(field) };
    case "string":
      return field.enum || field.oneOf
        ? { ...base, ...one(field) }
        : { ...base, kind: "text", read: ([answer]) => parseValue(textCheck(field), answer) };
    default:
      return { ...base, kind: "text", read: ([answer = ""]) => readNumber(field, answer) };
  }
}

type Choosing = Pick<ElicitedField, "kind" | "options" | "read" | "shown">;

function one(field: z.infer<typeof stringSchema>): Choosing {
  const values = field.oneOf?.map((choice) => choice.const) ?? field.enum ?? [];
  const titles = field.oneOf?.map((choice) => choice.title) ?? [];
  const names = optionNames(values, titles);
  return {
    kind: "choice",
    options: [...names.keys()],
    read: ([answer = ""]) => ok(names.get(answer) ?? answer),
    shown: (value) => nameOf(names, value),
  };
}

function several({ items, minItems, maxItems }: z.infer<typeof severalSchema>): Choosing {
  const values = "enum" in items ? items.enum : items.anyOf.map((choice) => choice.const);
  const names = optionNames(values, "enum" in items ? [] : items.anyOf.map(({ title }) => title));
  const check = z.array(z.string()).check(z.minLength(minItems ?? 0), z.maxLength(maxItems ?? values.length));
  return {
    kind: "multi-choice",
    options: [...names.keys()],
    read: (answers) =>
      parseValue(
        check,
        answers.map((answer) => names.get(answer) ?? answer),
      ),
    shown: (value) => (Array.isArray(value) ? value.map((each) => nameOf(names, each)).join(", ") : String(value)),
  };
}

/** The options that the user sees, with their values. A title used twice is followed by its value. */
function optionNames(values: readonly string[], titles: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [index, value] of values.entries()) {
    const title = titles[index] ?? value;
    names.set(titles.filter((each) => each === title).length > 1 ? `${title} (${value})` : title, value);
  }
  return names;
}

function nameOf(names: ReadonlyMap<string, string>, value: unknown): string {
  for (const [name, each] of names) if (each === value) return name;
  return String(value);
}

function textCheck({ minLength = 0, maxLength = Number.POSITIVE_INFINITY }: z.infer<typeof stringSchema>): z.ZodMiniType<string> {
  return z.string().check(z.minLength(minLength), z.maxLength(maxLength));
}

function readNumber({ type, minimum, maximum }: z.infer<typeof numberSchema>, answer: string): Result<number, string> {
  const value = Number(answer.trim());
  if (!Number.isFinite(value)) return err("expected a number");
  const number = type === "integer" ? z.int() : z.number();
  return parseValue(number.check(z.minimum(minimum ?? Number.NEGATIVE_INFINITY), z.maximum(maximum ?? Number.POSITIVE_INFINITY)), value);
}
