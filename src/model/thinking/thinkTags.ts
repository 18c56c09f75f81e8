/** A pair of tags around thinking. */
export interface ThinkTag {
  readonly open: string;
  readonly close: string;
}

/**
 * How models mark thinking in their content. Where no source stands beside a pair, it is in
 * https://github.com/sgl-project/sglang/blob/main/python/sglang/srt/parser/reasoning_parser.py
 * or https://github.com/mudler/LocalAI/blob/master/pkg/reasoning/reasoning.go. Granite 3.2 and gpt-oss
 * have no tags: plain words, and channels (`harmonyReader`).
 */
const THINK_TAGS: readonly ThinkTag[] = [
  // DeepSeek, Qwen, QwQ, GLM, Kimi K2, MiniMax M1 and M2, Granite 3.3, Hunyuan A13B, Step, Nemotron.
  { open: "<think>", close: "</think>" },
  // Claude by a prompt, and models that learned from it.
  { open: "<thinking>", close: "</thinking>" },
  // EXAONE Deep: https://huggingface.co/LGAI-EXAONE/EXAONE-Deep-7.8B
  { open: "<thought>", close: "</thought>" },
  // Reka Flash 3: https://huggingface.co/RekaAI/reka-flash-3, and models trained by its recipe.
  { open: "<reasoning>", close: "</reasoning>" },
  // Seed-OSS.
  { open: "<seed:think>", close: "</seed:think>" },
  // MiniMax M3.
  { open: "<mm:think>", close: "</mm:think>" },
  // Hy3: https://huggingface.co/tencent/Hy3-preview
  { open: "<think:opensource>", close: "</think:opensource>" },
  // Magistral, Ministral: https://docs.mistral.ai/capabilities/reasoning/
  { open: "[THINK]", close: "[/THINK]" },
  // Kimi-VL and the first Kimi that thinks.
  { open: "◁think▷", close: "◁/think▷" },
  // Command A and R7B.
  { open: "<|START_THINKING|>", close: "<|END_THINKING|>" },
  // Apertus.
  { open: "<|inner_prefix|>", close: "<|inner_suffix|>" },
  // Gemma 4.
  { open: "<|channel>thought", close: "<channel|>" },
];

/** A tag that stands in a text. */
export interface FoundTag {
  readonly pair: ThinkTag;
  readonly isOpen: boolean;
  readonly length: number;
}

/**
 * The tag at `at`. Tags of letters count in any case and with blanks before their `>`, as models
 * write them; those that are one token of a model only as they are. `cut`: what follows the text
 * decides, which never holds where `isEnd`.
 */
export function thinkTagAt(text: string, at: number, isEnd: boolean): FoundTag | "cut" | null {
  if (!FIRST.has(text[at] ?? "")) return null;
  const rest = text.slice(at, at + LONGEST_TAG);
  const [written = "", name = ""] = WRITTEN.exec(rest) ?? [];
  for (const { tag, ...found } of TAGS) {
    if (rest.startsWith(tag)) return { ...found, length: tag.length };
    if (name !== "" && tag === `${name.toLowerCase()}>`)
      return { ...found, length: written.length };
  }
  if (isEnd || at + rest.length < text.length || rest.length === LONGEST_TAG) return null;
  const plain = rest.toLowerCase().replace(/[ \t]+$/, "");
  const isCut = TAGS.some(
    ({ tag }) => tag.startsWith(rest) || (/^<[/a-z]/.test(tag) && tag.startsWith(plain)),
  );
  return isCut ? "cut" : null;
}

/** The next place where a tag may be, or a line ends; the text's length without one. */
export function nextThinkSign(text: string, from: number): number {
  SIGN.lastIndex = from;
  return SIGN.exec(text)?.index ?? text.length;
}

/** The most that a look at a tag reads, in UTF-16 units. */
export const LONGEST_TAG = 32;
const SIGN = /[\n<[◁]/g;
const FIRST: ReadonlySet<string> = new Set(["<", "[", "◁"]);
/** A tag of letters and what it is without blanks and `>`. */
const WRITTEN = /^(<\/?[a-z:]+)[ \t]*>/i;
const TAGS = THINK_TAGS.flatMap((pair) => [
  { tag: pair.open, pair, isOpen: true },
  { tag: pair.close, pair, isOpen: false },
]);
