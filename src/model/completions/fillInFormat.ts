import * as z from "zod/mini";
import type { ConnectionKindName } from "../connections/connectionKinds.ts";

/** A place in a text, by what stands before and after it. */
export interface Gap {
  readonly prefix: string;
  readonly suffix: string;
}

/** How a kind of server is asked to fill a gap. */
export interface FillInFormat {
  /** Where the request goes. `baseUrl` has no slash at its end. */
  address(baseUrl: string): string;
  body(model: string, gap: Gap): object;
  /** The text in the answer's JSON. */
  readonly answer: z.ZodMiniType<string>;
}

/** The longest completion in tokens. */
const MOST_TOKENS = 160;

const choice = z.pipe(
  z.object({ choices: z.tuple([z.object({ text: z.string() })], z.unknown()) }),
  z.transform(({ choices }) => choices[0].text),
);

const root = (baseUrl: string) => baseUrl.replace(/\/v1$/, "");

/** `/completions` of the OpenAI API, with `suffix`. */
const completions: FillInFormat = {
  address: (baseUrl) => `${baseUrl}/completions`,
  body: (model, { prefix, suffix }) => ({
    ...{ model, prompt: prefix, suffix },
    ...{ max_tokens: MOST_TOKENS, temperature: 0, stream: false },
  }),
  answer: choice,
};

const FORMATS: Partial<Record<ConnectionKindName, FillInFormat | null>> = {
  "llama.cpp": {
    address: (baseUrl) => `${root(baseUrl)}/infill`,
    body: (model, { prefix, suffix }) => ({
      ...(model === "" ? {} : { model }),
      ...{ input_prefix: prefix, input_suffix: suffix },
      ...{ n_predict: MOST_TOKENS, temperature: 0, cache_prompt: true, stream: false },
    }),
    answer: z.pipe(
      z.object({ content: z.string() }),
      z.transform(({ content }) => content),
    ),
  },
  ollama: {
    address: (baseUrl) => `${root(baseUrl)}/api/generate`,
    body: (model, { prefix, suffix }) => ({
      ...{ model, prompt: prefix, suffix, stream: false },
      options: { num_predict: MOST_TOKENS, temperature: 0 },
    }),
    answer: z.pipe(
      z.object({ response: z.string() }),
      z.transform(({ response }) => response),
    ),
  },
  mistral: {
    ...completions,
    address: (baseUrl) => `${baseUrl}/fim/completions`,
    answer: z.pipe(
      z.object({
        choices: z.tuple([z.object({ message: z.object({ content: z.string() }) })], z.unknown()),
      }),
      z.transform(({ choices }) => choices[0].message.content),
    ),
  },
  deepseek: { ...completions, address: (baseUrl) => `${root(baseUrl)}/beta/completions` },
  anthropic: null,
  gemini: null,
  groq: null,
  xai: null,
};

/** How servers of a kind fill gaps; null for those that cannot. */
export function fillInFormat(kind: ConnectionKindName): FillInFormat | null {
  const format = FORMATS[kind];
  return format === undefined ? completions : format;
}
