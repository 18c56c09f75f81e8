import type { OpenaiChunk } from "./openaiChunk.ts";
import type { ProviderData } from "./providerData.ts";

/** More than this, in UTF-16 units of JSON, is not kept for one answer. */
const LONGEST_DATA = 256_000;

/** Puts together what a provider wants back with an answer, from its chunks. */
export class ProviderDataCollector {
  private readonly details: Record<string, unknown>[] = [];
  private extraContent: Readonly<Record<string, unknown>> | null = null;
  private reasoningContent = false;
  private length = 0;

  /** Takes the next chunk. */
  push({ reasoningDetails, extraContent, reasoningContent }: OpenaiChunk): void {
    this.reasoningContent ||= reasoningContent;
    this.extraContent = extraContent ?? this.extraContent;
    for (const detail of this.length > LONGEST_DATA ? [] : reasoningDetails) {
      this.length += JSON.stringify(detail).length;
      this.add(detail);
    }
  }

  /** The whole, with what the calls brought; null where there is nothing to give back, or too much. */
  data(source: string, calls: ProviderData["calls"]): ProviderData | null {
    const message: Record<string, unknown> = {};
    if (this.details.length > 0) message.reasoning_details = this.details;
    if (this.extraContent !== null) message.extra_content = this.extraContent;
    const nothing = Object.keys(message).length === 0 && Object.keys(calls).length === 0 && !this.reasoningContent;
    if (nothing || this.length > LONGEST_DATA) return null;
    const data = { source, message, calls };
    if (JSON.stringify(data).length > LONGEST_DATA) return null;
    return this.reasoningContent ? { ...data, reasoningField: "reasoning_content" } : data;
  }

  /** Pieces of one block are joined, as https://openrouter.ai/docs/use-cases/reasoning-tokens wants them back in one piece. */
  private add(detail: Readonly<Record<string, unknown>>): void {
    const last = this.details.at(-1);
    const key = PIECES.get(detail.type);
    const continues = key !== undefined && last?.type === detail.type && last?.index === detail.index;
    if (!last || !continues) {
      this.details.push({ ...detail });
      return;
    }
    const { [key]: piece, ...rest } = detail;
    for (const [name, value] of Object.entries(rest)) if (value !== null && value !== undefined) last[name] = value;
    if (typeof piece === "string") last[key] = (typeof last[key] === "string" ? last[key] : "") + piece;
  }
}

/** The field of each kind of block that comes in pieces. */
const PIECES: ReadonlyMap<unknown, string> = new Map([
  ["reasoning.text", "text"],
  ["reasoning.summary", "summary"],
]);
