import * as z from "zod/mini";
import { visibleLine } from "../../base/text/visibleText.ts";
import type { SignInWay } from "../../ports/commands/chatAgent.ts";

/** What an agent answered is not what the protocol says. */
export class UnreadableAnswer extends Error {}

const idSchema = z.string().check(z.minLength(1), z.maxLength(1_000));

/** A list without what cannot be read of it: another version of the protocol may have more. */
function readableItems<T>(item: z.ZodMiniType<T>) {
  return z.pipe(
    z.array(z.catch(z.nullable(item), null)),
    z.transform((items) => items.filter((each): each is NonNullable<typeof each> => each !== null)),
  );
}

/** What is not there counts as what cannot be read. */
function readable<T>(schema: z.ZodMiniType<T>) {
  return z.catch(z.nullable(schema), null);
}

const textSchema = readable(z.string());

/** An answer to `initialize`. */
export const initializedSchema = z.object({
  protocolVersion: z.number(),
  authMethods: readable(
    readableItems(
      z.object({ id: idSchema, name: z.string(), description: textSchema, type: textSchema }),
    ),
  ),
  agentInfo: readable(z.object({ name: z.string() })),
  agentCapabilities: readable(
    z.object({
      loadSession: readable(z.boolean()),
      promptCapabilities: readable(z.object({ image: readable(z.boolean()) })),
      sessionCapabilities: readable(
        z.object({ additionalDirectories: readable(z.looseObject({})) }),
      ),
    }),
  ),
});

const valueSchema = z.object({ value: idSchema, name: z.string(), description: textSchema });
const configOptionsSchema = readableItems(
  z.object({
    type: z.literal("select"),
    id: idSchema,
    name: z.string(),
    category: textSchema,
    currentValue: z.string(),
    options: z.union([
      z.array(valueSchema),
      z.array(z.object({ group: z.string(), name: z.string(), options: z.array(valueSchema) })),
    ]),
  }),
);
const offered = {
  modes: readable(
    z.object({
      currentModeId: z.string(),
      availableModes: readableItems(
        z.object({ id: idSchema, name: z.string(), description: textSchema }),
      ),
    }),
  ),
  configOptions: readable(configOptionsSchema),
};

/** An answer to `session/load`. */
export const loadedSchema = z.object(offered);
/** An answer to `session/new`. */
export const begunSchema = z.object({ sessionId: idSchema, ...offered });
/** An answer to `session/set_config_option`. */
export const chosenSchema = z.object({ configOptions: configOptionsSchema });
/** An answer to `session/prompt`. */
export const promptedSchema = z.object({ stopReason: z.string() });

/** The most ways to sign in that the user is asked about, and of their words, in UTF-16 units. */
const MOST_WAYS = 10;
const MOST_NAME = 100;
const MOST_DESCRIPTION = 300;

/** The ways to sign in that an agent has by itself, without a terminal or variables of the user's. */
export function signInWays({ authMethods }: z.infer<typeof initializedSchema>): SignInWay[] {
  const own = (authMethods ?? []).filter(({ type }) => type === null || type === "agent");
  return own.slice(0, MOST_WAYS).map(({ id, name, description }) => ({
    ...{ id, name: visibleLine(name.slice(0, MOST_NAME)) },
    description: (description ?? "").slice(0, MOST_DESCRIPTION),
  }));
}

/** Reads an answer; throws {@link UnreadableAnswer} for what is none. */
export function readAnswer<T>(schema: z.ZodMiniType<T>, answer: unknown): T {
  const read = schema.safeParse(answer);
  if (!read.success) throw new UnreadableAnswer();
  return read.data;
}
