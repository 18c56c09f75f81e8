import * as z from "zod/mini";
import type { Memory } from "../ports/memory.ts";

const PARTS = [
  ...(["tools", "images", "stream-options", "provider-data", "cache-control"] as const),
  ...(["system-role", "streaming", "null-content", "text-with-calls", "parallel-calls"] as const),
  ...(["temperature", "reasoning-effort", "no-max-tokens", "max-tokens-name"] as const),
  ...(["call-ids", "user-after-calls", "empty-content", "tool-names"] as const),
  ...(["unsigned-calls", "no-reasoning-content", "reasoning-with-tools"] as const),
  ...(["ollama-chat", "chat-api"] as const),
] as const;

/**
 * A part of a request, or a way to write it, that some endpoints refuse. `no-max-tokens`: they want
 * a limit of the answer; `max-tokens-name`: a limit by the name `max_completion_tokens`; `call-ids`:
 * they want ids of nine letters and digits; `tool-names`: the tool's name with each result;
 * `unsigned-calls`: a signature of the thinking with each call; `no-reasoning-content`: the thinking
 * with each answer; `reasoning-with-tools`: they think only where no tools are offered; `ollama-chat`:
 * they have no chat API of Ollama's own; `chat-api`: they want the Responses API.
 */
export type RequestPart = (typeof PARTS)[number];

/** How edit blocks address their place: elements, lines, or the whole file. */
export type EditFormat = "ast" | "lines" | "complete";

/** How a model can be asked for edits: in blocks, or by search and replace (`patch_source_file`). */
export type MeasuredFormat = EditFormat | "patch";

/** What became of a model's edit blocks in one format. */
export type FormatCounts = Readonly<z.infer<typeof countsSchema>>;

/** What one model at one endpoint turned out to refuse, and how it edits. */
export interface LearnedCapabilities {
  readonly refused: ReadonlySet<RequestPart>;
  readonly formats: Readonly<Record<EditFormat, FormatCounts>>;
  /** What a test of its edits found to be best; null before one. */
  readonly best: MeasuredFormat | null;
  /** Remembers what a test found. Settles when it is stored. */
  setBest(format: MeasuredFormat | null): PromiseLike<void>;
  /**
   * Counts a block: its place was found (`resolved`) or not (`refused`), or the user later rejected
   * it.
   */
  count(format: EditFormat, outcome: keyof FormatCounts): void;
  /** Remembers a refusal. One that may have had another cause counts from the second time on. */
  refuse(part: RequestPart, certain?: boolean): void;
}

/** What was learned of a model, as the user can see it. */
export type LearnedModel = Readonly<Omit<Entry, "suspected">>;

const KEY = "graft.learnedCapabilities";
/** Blocks of one format after which the counts are halved, so that later ones count more. */
const MAX_BLOCKS = 40;
const NO_BLOCKS = { resolved: 0, refused: 0, rejected: 0 };
const NO_FORMATS = { ast: NO_BLOCKS, lines: NO_BLOCKS, complete: NO_BLOCKS };

const partsSchema = z.array(z.enum(PARTS));
const count = z.int().check(z.nonnegative());
const countsSchema = z.object({ resolved: count, refused: count, rejected: count });
const modelSchema = z.object({
  baseUrl: z.string(),
  model: z.string(),
  refused: partsSchema,
  suspected: z._default(partsSchema, []),
  formats: z._default(
    z.object({ ast: countsSchema, lines: countsSchema, complete: countsSchema }),
    NO_FORMATS,
  ),
  best: z.catch(z.optional(z.enum(["ast", "lines", "complete", "patch"])), undefined),
});

/** Everything that was learned. Entries that another version wrote are left out. */
export function listLearned(store: Memory): readonly LearnedModel[] {
  return storedEntries(store).filter(
    ({ refused, formats, best }) => refused.length > 0 || hasBlocks(formats) || best !== undefined,
  );
}

/** What was learned of a model. What is learned from here on is remembered in `store`. */
export function learnedCapabilities(
  store: Memory,
  baseUrl: string,
  model: string,
): LearnedCapabilities {
  const known = () =>
    storedEntries(store).find((one) => one.baseUrl === baseUrl && one.model === model) ??
    unknown(baseUrl, model);
  // What cannot be stored is learned again.
  const remember = (entry: Entry) => void replace(store, entry).then(undefined, () => undefined);
  return {
    get refused() {
      return new Set(known().refused);
    },
    refuse(part, certain = true) {
      const entry = known();
      const { refused, suspected } = entry;
      const counts = certain || suspected.includes(part);
      remember({
        ...entry,
        refused: counts ? withPart(refused, part) : refused,
        suspected: withPart(suspected, part),
      });
    },
    get best() {
      return known().best ?? null;
    },
    setBest(format) {
      const { best: _, ...entry } = known();
      return replace(store, format === null ? entry : { ...entry, best: format });
    },
    get formats() {
      return known().formats;
    },
    count(format, outcome) {
      const entry = known();
      const counts = counted(entry.formats[format], outcome);
      remember({ ...entry, formats: { ...entry.formats, [format]: counts } });
    },
  };
}

/** Forgets what was learned of a model, so that everything is tried again. */
export function forgetLearned(
  store: Memory,
  { baseUrl, model }: Pick<LearnedModel, "baseUrl" | "model">,
): PromiseLike<void> {
  return replace(store, unknown(baseUrl, model));
}

/** Forgets that a model refused these parts, so that they are tried again. */
export function forgetRefusals(
  store: Memory,
  { baseUrl, model }: Pick<LearnedModel, "baseUrl" | "model">,
  parts: readonly RequestPart[],
): PromiseLike<void> {
  const entry = storedEntries(store).find((one) => one.baseUrl === baseUrl && one.model === model);
  const others = (list: readonly RequestPart[]) => list.filter((part) => !parts.includes(part));
  if (!entry) return Promise.resolve();
  const { refused, suspected } = entry;
  return replace(store, { ...entry, refused: others(refused), suspected: others(suspected) });
}

/** A store that lasts as long as the process. */
export function memoryStore(): Memory {
  const values = new Map<string, unknown>();
  return {
    get: (key) => values.get(key),
    update: async (key, value) => void values.set(key, value),
  };
}

type Entry = z.infer<typeof modelSchema>;

function storedEntries(store: Memory): readonly Entry[] {
  const stored = z.array(z.unknown()).safeParse(store.get(KEY)).data ?? [];
  return stored.flatMap((one) => modelSchema.safeParse(one).data ?? []);
}

function unknown(baseUrl: string, model: string): Entry {
  return { baseUrl, model, refused: [], suspected: [], formats: NO_FORMATS };
}

function replace(store: Memory, entry: Entry): PromiseLike<void> {
  const others = storedEntries(store).filter(
    ({ baseUrl, model }) => baseUrl !== entry.baseUrl || model !== entry.model,
  );
  const isEmpty =
    entry.suspected.length === 0 && !hasBlocks(entry.formats) && entry.best === undefined;
  return store.update(KEY, isEmpty ? others : [...others, entry]);
}

function counted(counts: FormatCounts, outcome: keyof FormatCounts): FormatCounts {
  const next: FormatCounts = { ...counts, [outcome]: counts[outcome] + 1 };
  const { resolved, refused, rejected } = next;
  if (resolved + refused < MAX_BLOCKS) return next;
  return {
    resolved: Math.floor(resolved / 2),
    refused: Math.floor(refused / 2),
    rejected: Math.floor(rejected / 2),
  };
}

function hasBlocks(formats: Entry["formats"]): boolean {
  return Object.values(formats).some(({ resolved, refused }) => resolved + refused > 0);
}

function withPart(parts: readonly RequestPart[], part: RequestPart): RequestPart[] {
  return [...new Set([...parts, part])];
}
