import * as z from "zod/mini";
import type { Result } from "../../base/result.ts";
import { firstPart } from "../../base/text/clip.ts";

const MAX_DESCRIPTION = 300;
/** The longest text of a prompt, in UTF-16 units. */
const MAX_TEXT = 48_000;

const infoSchema = z.object({
  name: z.string().check(z.regex(/^[\w.-]{1,60}$/)),
  title: z.optional(z.string()),
  description: z.optional(z.string()),
  arguments: z.optional(z.array(z.object({ name: z.string() }))),
});

const resultSchema = z.object({
  messages: z.array(
    z.object({
      content: z.object({
        text: z.optional(z.string()),
        resource: z.optional(z.object({ text: z.optional(z.string()) })),
      }),
    }),
  ),
});

/** A prompt as a server describes it. */
export interface McpPrompt {
  readonly name: string;
  readonly description: string;
  /** The names of its arguments, in order. */
  readonly parameters: readonly string[];
}

/** Prompts of MCP servers, as slash commands. */
export interface ServerPrompts {
  list(): Promise<readonly { readonly name: string; readonly description: string }[]>;
  /** A prompt's text, else why there is none; null where no server has it. */
  get(name: string, words: string, signal: AbortSignal): Promise<Result<string, string> | null>;
}

/** The prompts that can be commands: those whose names are single words. */
export function parseMcpPrompts(raw: readonly unknown[]): readonly McpPrompt[] {
  return raw.flatMap((each) => {
    const parsed = z.safeParse(infoSchema, each);
    if (!parsed.success) return [];
    const { name, title = "", description = title, arguments: given = [] } = parsed.data;
    const parameters = given.map((parameter) => parameter.name);
    return [{ name, description: firstPart(description, MAX_DESCRIPTION), parameters }];
  });
}

/**
 * The words after a command as its arguments: `name=value` where the prompt has that name, and all
 * other words as the first one that is not named.
 */
export function promptArguments(
  { parameters }: McpPrompt,
  words: string,
): Readonly<Record<string, string>> {
  const args: Record<string, string> = {};
  const rest: string[] = [];
  for (const word of words.split(/\s+/).filter((each) => each !== "")) {
    const [, name = "", value = ""] = /^([\w.-]+)=(.*)$/s.exec(word) ?? [];
    if (parameters.includes(name)) args[name] = value;
    else rest.push(word);
  }
  const first = parameters.find((name) => !(name in args));
  if (first !== undefined && rest.length > 0) args[first] = rest.join(" ");
  return args;
}

/** The text of a prompt's messages; null where there is none. */
export function mcpPromptText(raw: unknown): string | null {
  const parsed = z.safeParse(resultSchema, raw);
  const texts = parsed.data?.messages.flatMap(
    ({ content }) => content.text ?? content.resource?.text ?? [],
  );
  const text = (texts ?? []).join("\n\n").trim();
  return text === "" ? null : firstPart(text, MAX_TEXT);
}
