import * as z from "zod/mini";

/** What Graft checks of a JSON Schema; its other words are left to who wrote it. */
const schemaSchema = z.looseObject({
  type: z.optional(z.union([z.string(), z.array(z.string())])),
  enum: z.optional(z.array(z.unknown())),
  const: z.optional(z.unknown()),
  required: z.optional(z.array(z.string())),
  properties: z.optional(z.record(z.string(), z.unknown())),
  additionalProperties: z.optional(z.unknown()),
  items: z.optional(z.unknown()),
});

/** How deep values are checked. */
const MOST_DEPTH = 20;

/**
 * Where a value does not fit a JSON Schema, as a path such as `edits[0].at`, "" for the value itself,
 * and what was expected; null where it fits. Never throws, whatever the schema is.
 */
export function jsonSchemaFault(
  schema: unknown,
  value: unknown,
  path = "",
  depth = 0,
): { readonly path: string; readonly expected: string } | null {
  const parsed = schemaSchema.safeParse(schema);
  if (!parsed.success || depth > MOST_DEPTH) return null;
  const { type, enum: allowed, required = [], properties = {}, items } = parsed.data;
  const types = type === undefined ? [] : [type].flat();
  if (types.length > 0 && !types.some((each) => isOfType(value, each)))
    return { path, expected: types.join(" or ") };
  const isConst = "const" in parsed.data && !isSameJson(value, parsed.data.const);
  if (isConst) return { path, expected: JSON.stringify(parsed.data.const) };
  if (allowed && !allowed.some((each) => isSameJson(value, each)))
    return { path, expected: `one of ${JSON.stringify(allowed)}` };
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const fault = jsonSchemaFault(items, item, `${path}[${index}]`, depth + 1);
      if (fault) return fault;
    }
    return null;
  }
  if (typeof value !== "object" || value === null) return null;
  const given = new Map<string, unknown>(Object.entries(value));
  const at = (name: string) => (path === "" ? name : `${path}.${name}`);
  const missing = required.find((name) => !given.has(name));
  if (missing !== undefined) return { path: at(missing), expected: "a value" };
  for (const [name, each] of given) {
    const known = Object.hasOwn(properties, name);
    if (!known && parsed.data.additionalProperties === false)
      return { path: at(name), expected: "nothing" };
    const fault = known ? jsonSchemaFault(properties[name], each, at(name), depth + 1) : null;
    if (fault) return fault;
  }
  return null;
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "integer":
      return Number.isInteger(value);
    case "string":
    case "number":
    case "boolean":
      return typeof value === type;
    default:
      return true;
  }
}

function isSameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
