import type { ToolSpec } from "../../model/message.ts";

/** How much of the tools a request offers, from the most to nothing. */
export const TOOL_OFFERS = ["all", "few", "brief", "none"] as const;

/** `few`: to read, search and edit; `brief`: the same, described in a sentence each. */
export type ToolOffer = (typeof TOOL_OFFERS)[number];

/** What is needed to answer a question about a file, and to edit it. */
const FEW: ReadonlySet<string> = new Set([
  ...["read_file", "list_directory", "search_in_files", "edit_mode"],
  ...["patch_source_file", "read_result"],
]);

/** The tools as an offer has them. Others still run where the model calls them. */
export function offeredTools(tools: readonly ToolSpec[], offer: ToolOffer): readonly ToolSpec[] {
  if (offer === "all") return tools;
  const few = offer === "none" ? [] : tools.filter(({ name }) => FEW.has(name));
  return offer === "few" ? few : few.map(briefly);
}

function briefly({ name, description, parameters }: ToolSpec): ToolSpec {
  const [sentence = description] = description.split(/(?<=\.)\s/);
  return { name, description: sentence, parameters: fieldsOf(withoutDescriptions(parameters)) };
}

function withoutDescriptions(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutDescriptions);
  if (typeof schema !== "object" || schema === null) return schema;
  // A parameter may have this name; its schema is an object.
  const kept = Object.entries(schema).filter(
    ([key, value]) => key !== "description" || typeof value === "object",
  );
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutDescriptions(value)]));
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
