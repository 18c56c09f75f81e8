import * as z from "zod/mini";
import type { ModelInfo, ModelPrice } from "../modelInfo.ts";
import { lenient } from "../openai/openaiChunk.ts";
import { namedModel } from "./connection.ts";

/** The most models of a list; the names that requests can use. */
const MAX_MODELS = 5_000;
const modelId = z.string().check(z.minLength(1), z.maxLength(500));

const count = z.union([
  z.number().check(z.positive()),
  z.pipe(z.string(), z.coerce.number<string>().check(z.positive())),
]);
const dollars = z.union([
  z.number(),
  z.pipe(z.string().check(z.minLength(1)), z.coerce.number<string>()),
]);

/** `GET /models`, with what OpenRouter, Groq, vLLM, Mistral and others add. */
const listedSchema = z.object({
  id: modelId,
  name: lenient(z.string()),
  created: lenient(z.number()),
  context_length: lenient(count),
  context_window: lenient(count),
  max_model_len: lenient(count),
  max_context_length: lenient(count),
  pricing: lenient(
    z.object({ prompt: dollars, completion: dollars, input_cache_read: lenient(dollars) }),
  ),
  supported_parameters: lenient(z.array(z.string())),
  architecture: lenient(z.object({ input_modalities: lenient(z.array(z.string())) })),
  // Together, and gateways of its kind.
  type: lenient(z.string()),
  mode: lenient(z.string()),
  capabilities: lenient(
    z.object({
      completion_chat: lenient(z.boolean()),
      function_calling: lenient(z.boolean()),
      vision: lenient(z.boolean()),
    }),
  ),
});

/** Models that answer no chat, by how OpenAI, Gemini and others name them. */
const NOT_CHAT =
  /embed|\b(?:bge|gte|e5|colbert|paraphrase|all-mpnet)\b|minilm|text-similarity|whisper|\btts\b|dall-e|moderation|transcribe|gpt-image|imagen|\bveo\b|\bsora\b|davinci|babbage|rerank|audio|realtime/i;

/** What a list says of models for something else. */
const OTHER_USE = /embed|rerank|moderation|\bimage\b|audio|speech|transcri/i;

/** True unless the name says that a model is for something else than chat. */
export function isChatModel({ id }: Pick<ModelInfo, "id">): boolean {
  return !NOT_CHAT.test(id);
}

/**
 * The models of an OpenAI-compatible list, newest first where dates are given; null when it is no
 * such list.
 */
export function listedModels(value: unknown): readonly ModelInfo[] | null {
  const data = listedEntries(value, "data");
  if (data === null) return null;
  const models = data
    .flatMap((raw) => listedSchema.safeParse(raw).data ?? [])
    .filter(({ capabilities }) => capabilities?.completion_chat !== false)
    .filter(({ type, mode }) => !OTHER_USE.test(`${type ?? ""} ${mode ?? ""}`));
  return models
    .sort((a, b) => (b.created ?? 0) - (a.created ?? 0))
    .map((model) => {
      const { pricing, supported_parameters: parameters, architecture, capabilities } = model;
      const modalities = architecture?.input_modalities;
      // Gemini's names begin with `models/`, which requests need not have.
      const id = model.id.replace(/^models\//, "");
      return {
        id,
        label: model.name || id,
        contextWindow:
          model.max_model_len ??
          model.context_length ??
          model.context_window ??
          model.max_context_length ??
          null,
        tools: parameters?.includes("tools") ?? capabilities?.function_calling ?? null,
        images: modalities?.includes("image") ?? capabilities?.vision ?? null,
        reasoning: parameters?.includes("reasoning") ?? null,
        price: pricing
          ? perMillion(pricing.prompt, pricing.completion, pricing.input_cache_read ?? null)
          : null,
      };
    });
}

const supported = lenient(z.object({ supported: lenient(z.boolean()) }));
const anthropicSchema = z.object({
  id: modelId,
  display_name: lenient(z.string()),
  max_input_tokens: lenient(count),
  capabilities: lenient(z.object({ image_input: supported, thinking: supported })),
});

/** Anthropic's own list. All of its models call tools. */
export function anthropicModel(value: unknown): readonly ModelInfo[] {
  return (listedEntries(value, "data") ?? [])
    .flatMap((raw) => anthropicSchema.safeParse(raw).data ?? [])
    .map(({ id, display_name: name, max_input_tokens: window, capabilities }) => ({
      id,
      label: name || id,
      contextWindow: window ?? 200_000,
      tools: true,
      images: capabilities?.image_input?.supported ?? null,
      reasoning: capabilities?.thinking?.supported ?? null,
      price: null,
    }));
}

/** The names in Ollama's `/api/tags`, the last changed first; null when it is no such list. */
export function ollamaNames(value: unknown): readonly string[] | null {
  const schema = z.object({ name: modelId });
  return (
    listedEntries(value, "models")?.flatMap((raw) => schema.safeParse(raw).data?.name ?? []) ?? null
  );
}

/** The windows of the models that Ollama has loaded, from `/api/ps`. */
export function ollamaRunning(value: unknown): ReadonlyMap<string, number> {
  const schema = z.object({ name: modelId, context_length: count });
  const running = (listedEntries(value, "models") ?? []).flatMap(
    (raw) => schema.safeParse(raw).data ?? [],
  );
  return new Map(running.map(({ name, context_length }) => [name, context_length]));
}

const showSchema = z.object({
  capabilities: lenient(z.array(z.string())),
  parameters: lenient(z.string()),
  model_info: lenient(z.record(z.string(), z.unknown())),
});

/**
 * The window, in tokens, with which Ollama loads a model unless it is told else
 * (https://docs.ollama.com/faq).
 */
export const OLLAMA_WINDOW = 4_096;

/**
 * A model by Ollama's `/api/show`; null when it answers no chat. Ollama cuts a request at the
 * window it loaded the model with, so that counts before `num_ctx`, and that before its default.
 * What the model could take says nothing.
 */
export function ollamaModel(
  name: string,
  shown: unknown,
  running: number | null,
): ModelInfo | null {
  const { capabilities, parameters, model_info: info } = showSchema.safeParse(shown).data ?? {};
  if (capabilities && !capabilities.includes("completion")) return null;
  const set = /^num_ctx\s+"?(\d+)/m.exec(parameters ?? "")?.[1];
  const most = Object.entries(info ?? {}).find(([key]) => key.endsWith(".context_length"))?.[1];
  const unset = Math.min(OLLAMA_WINDOW, count.safeParse(most).data ?? OLLAMA_WINDOW);
  return {
    ...namedModel(name),
    contextWindow: running ?? (set === undefined ? unset : Number(set)),
    tools: capabilities?.includes("tools") ?? null,
    images: capabilities?.includes("vision") ?? null,
    reasoning: capabilities?.includes("thinking") ?? null,
  };
}

const lmStudioSchema = z.object({
  id: modelId,
  type: lenient(z.string()),
  state: lenient(z.string()),
  max_context_length: lenient(count),
  loaded_context_length: lenient(count),
  capabilities: lenient(z.array(z.string())),
});

/**
 * LM Studio's `/api/v0/models`, loaded ones first, or those alone (`onlyLoaded`); null when it is no
 * such list. A loaded model's window counts.
 */
export function lmStudioModels(value: unknown, onlyLoaded = false): readonly ModelInfo[] | null {
  const data = listedEntries(value, "data");
  if (data === null) return null;
  const models = data
    .flatMap((raw) => lmStudioSchema.safeParse(raw).data ?? [])
    .filter(({ type }) => !type?.startsWith("embed"))
    .filter(({ loaded_context_length: now }) => !onlyLoaded || typeof now === "number");
  return models
    .sort((a, b) => Number(b.state === "loaded") - Number(a.state === "loaded"))
    .map((model) => ({
      ...namedModel(model.id),
      contextWindow: model.loaded_context_length ?? model.max_context_length ?? null,
      tools: model.capabilities?.includes("tool_use") ?? null,
      images: typeof model.type === "string" ? model.type === "vlm" : null,
    }));
}

const propsSchema = z.object({
  default_generation_settings: lenient(z.object({ n_ctx: lenient(count) })),
  modalities: lenient(z.object({ vision: lenient(z.boolean()) })),
  chat_template_caps: lenient(
    z.object({ supports_tools: lenient(z.boolean()), supports_tool_calls: lenient(z.boolean()) }),
  ),
});

/** A model with what llama.cpp's `/props` says. A path of a file is shown by its name. */
export function llamaCppModel(model: ModelInfo, props: unknown): ModelInfo {
  const {
    default_generation_settings: settings,
    modalities,
    chat_template_caps: template,
  } = propsSchema.safeParse(props).data ?? {};
  return {
    ...model,
    label: model.label.replace(/^.*[\\/](?=[^\\/]+\.gguf$)/i, ""),
    contextWindow: settings?.n_ctx ?? model.contextWindow,
    tools: template?.supports_tool_calls ?? template?.supports_tools ?? null,
    images: modalities?.vision ?? null,
  };
}

const litellmSchema = z.object({
  model_name: modelId,
  model_info: z.object({
    mode: lenient(z.string()),
    max_input_tokens: lenient(count),
    max_tokens: lenient(count),
    input_cost_per_token: lenient(dollars),
    output_cost_per_token: lenient(dollars),
    cache_read_input_token_cost: lenient(dollars),
    supports_function_calling: lenient(z.boolean()),
    supports_vision: lenient(z.boolean()),
    supports_reasoning: lenient(z.boolean()),
  }),
});

/** LiteLLM's `/v1/model/info`, each name once; null when it is no such list. */
export function litellmModels(value: unknown): readonly ModelInfo[] | null {
  const data = listedEntries(value, "data");
  if (data === null) return null;
  const models = data.flatMap((raw) => litellmSchema.safeParse(raw).data ?? []);
  const chat = models.filter(
    ({ model_info: { mode } }) =>
      !mode || mode === "chat" || mode === "completion" || mode === "responses",
  );
  const named = chat.map(({ model_name: name, model_info: info }): readonly [string, ModelInfo] => {
    const { input_cost_per_token: input, output_cost_per_token: output } = info;
    const model: ModelInfo = {
      ...namedModel(name),
      contextWindow: info.max_input_tokens ?? info.max_tokens ?? null,
      tools: info.supports_function_calling ?? null,
      images: info.supports_vision ?? null,
      reasoning: info.supports_reasoning ?? null,
      price:
        typeof input === "number" && typeof output === "number"
          ? perMillion(input, output, info.cache_read_input_token_cost ?? null)
          : null,
    };
    return [name, model];
  });
  return [...new Map(named).values()];
}

/**
 * Prices a token as prices a million tokens; null for one that cannot be: -1 at a router means that
 * it varies.
 */
function perMillion(input: number, output: number, cachedInput: number | null): ModelPrice | null {
  if (![input, output, cachedInput ?? 0].every((price) => price >= 0 && price <= 1)) return null;
  const million = (price: number) => Number((price * 1_000_000).toPrecision(6));
  return {
    input: million(input),
    output: million(output),
    cachedInput: cachedInput === null ? null : million(cachedInput),
  };
}

function listedEntries(value: unknown, field: "data" | "models"): readonly unknown[] | null {
  const parsed = z.object({ [field]: z.array(z.unknown()) }).safeParse(value);
  return parsed.success ? (parsed.data[field]?.slice(0, MAX_MODELS) ?? null) : null;
}
