import * as z from "zod/mini";
import { english, type Localize } from "../base/localize.ts";
import { err, ok } from "../base/result.ts";
import type { ToolName } from "../turns/toolNames.ts";
import { toolError } from "./messages.ts";
import type {
  ActingTraits,
  CallQuestion,
  ReadingTraits,
  Tool,
  ToolContext,
  ToolResult,
  ToolTraits,
} from "./tool.ts";
import { normalizeArguments, parseValue } from "./toolArguments.ts";

interface Described<Schema extends z.ZodMiniType> extends ToolTraits {
  readonly schema: Schema;
  execute(args: z.infer<Schema>, context: ToolContext): Promise<ToolResult>;
}

/** A tool that changes nothing. */
interface ReadingTool<Schema extends z.ZodMiniType> extends Described<Schema>, ReadingTraits {
  readonly effect: "read";
  /** Only for a tool that may read what is asked about, such as a file that may hold keys. */
  question?(args: z.infer<Schema>, t: Localize): CallQuestion;
}

/** A tool that changes files or runs something. */
interface ActingTool<Schema extends z.ZodMiniType> extends Described<Schema>, ActingTraits {
  readonly effect: "write" | "execute";
  /** What the user is asked before a call. */
  question(args: z.infer<Schema>, t: Localize): CallQuestion;
}

/** A tool written in TypeScript, with its arguments described by a schema. */
export type ToolDefinition<Schema extends z.ZodMiniType> = ReadingTool<Schema> | ActingTool<Schema>;

/**
 * Turns a definition into a tool of Graft. Slips of models in the arguments are corrected, see
 * {@link normalizeArguments}.
 */
export function defineTool<Schema extends z.ZodMiniType>(
  definition: ToolDefinition<Schema> & { readonly name: ToolName },
): Tool {
  return namedTool(definition.name, definition);
}

/** A tool under any name, see {@link defineTool}. */
export function namedTool<Schema extends z.ZodMiniType>(
  name: string,
  definition: ToolDefinition<Schema>,
): Tool {
  const { effect, schema } = definition;
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, {
    io: "input",
    override: withoutSafeLimits,
  });
  const { properties = {}, required = [] } = parameters;
  return {
    ...definition,
    name,
    parameters,
    prepare(input, t = english) {
      const parsed = parseValue(schema, normalizeArguments(input, { properties, required }));
      if (!parsed.ok) {
        const known = Object.keys(properties);
        const facts = { tool: name, detail: parsed.error, parameters: known };
        return err(toolError("invalid-arguments", facts));
      }
      const args = parsed.value;
      return ok({
        ...{ summary: name, effect },
        ...definition.question?.(args, t),
        run: (context) => definition.execute(args, context),
      });
    },
  };
}

/** Removes the bounds of safe integers, which tell the model nothing. */
function withoutSafeLimits({
  jsonSchema,
}: {
  readonly jsonSchema: { maximum?: number; minimum?: number };
}): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}
