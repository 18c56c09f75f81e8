import * as z from "zod/mini";

/** The longest schema that the model sees, as JSON. */
const MAX_SCHEMA = 20_000;

/** The parameters of a tool as a request has them. */
export interface ToolSchema {
  readonly parameters: Readonly<Record<string, unknown>>;
  /** What is left out of them, for the model, as the end of the tool's description; "" for nothing. */
  readonly note: string;
}

const objectSchema = z.looseObject({
  type: z.nullish(z.union([z.literal("object"), z.array(z.unknown())])),
  properties: z.catch(z.nullish(z.record(z.string(), z.unknown())), null),
});

/**
 * A tool's schema as every provider takes it: one of an object, in which null is absent. Null for a
 * schema of anything else. What is too long loses its descriptions first.
 */
export function toolSchema(schema: unknown): ToolSchema | null {
  if (schema === undefined || schema === null || schema === true)
    return { parameters: { type: "object", properties: {} }, note: "" };
  const parsed = objectSchema.safeParse(schema);
  if (!parsed.success) return null;
  const { type } = parsed.data;
  if (Array.isArray(type) && !type.includes("object")) return null;
  const { $schema: _, ...rest } = cleanFields(parsed.data);
  const properties = parsed.data.properties ? cleanMap(parsed.data.properties) : {};
  const whole = { ...rest, type: "object", properties };
  if (isShort(whole)) return { parameters: whole, note: "" };
  const brief = fieldsOf(withoutDescriptions(whole));
  if (isShort(brief))
    return {
      parameters: brief,
      note: "\n(The descriptions of its parameters are left out, since they are too long.)",
    };
  const names = Object.keys(properties).join(", ").slice(0, 1_000);
  return {
    parameters: { type: "object", properties: {} },
    note: `\n(The schema of its parameters is too long to show. They are: ${names}.)`,
  };
}

function isShort(schema: object): boolean {
  return JSON.stringify(schema).length <= MAX_SCHEMA;
}

/** Fields of a schema whose values are values of the tool, and may be null. */
const VALUES: ReadonlySet<string> = new Set(["default", "const", "enum", "examples"]);
/** Fields that hold schemas by names. */
const MAPS: ReadonlySet<string> = new Set([
  ...["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"],
]);

function cleanSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(cleanSchema);
  return typeof schema === "object" && schema !== null ? cleanFields(schema) : schema;
}

function cleanFields(schema: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([name, value]): [string, unknown][] => {
      if (value === null && name !== "default" && name !== "const") return [];
      if (VALUES.has(name)) return [[name, value]];
      const isMap = MAPS.has(name) && typeof value === "object" && !Array.isArray(value);
      return [[name, isMap ? cleanMap(value) : cleanSchema(value)]];
    }),
  );
}

function cleanMap(schemas: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, cleanSchema(schema ?? {})]),
  );
}

/** A parameter may be named `description`: its schema is an object. */
function withoutDescriptions(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutDescriptions);
  if (typeof schema !== "object" || schema === null) return schema;
  const kept = Object.entries(schema).filter(
    ([name, value]) => name !== "description" || typeof value === "object",
  );
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutDescriptions(value)]));
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
