import type { ProviderData } from "../providerData.ts";
import type { OpenaiChunk } from "./openaiChunk.ts";

/** The most that is kept for one answer, in UTF-16 units of JSON. */
const MAX_DATA = 256_000;

/** The field of each kind of detail that comes in pieces. */
const PIECES: ReadonlyMap<unknown, string> = new Map([
  ["reasoning.text", "text"],
  ["reasoning.summary", "summary"],
]);

/** Collects what a provider wants back with an answer from its chunks. */
export class ProviderDataCollector {
  private readonly details: Record<string, unknown>[] = [];
  private extraContent: Readonly<Record<string, unknown>> | null = null;
  private reasoningContent = false;
  private length = 0;

  /** Takes the next chunk. */
  push({ reasoningDetails, extraContent, reasoningContent }: OpenaiChunk): void {
    this.reasoningContent ||= reasoningContent;
    this.extraContent = extraContent ?? this.extraContent;
    for (const detail of this.length > MAX_DATA ? [] : reasoningDetails) {
      this.length += JSON.stringify(detail).length;
      this.add(detail);
    }
  }

  /** All data, with that of the calls. Null if there is none, or too much. */
  data(source: string, calls: ProviderData["calls"]): ProviderData | null {
    const details = this.details.length > 0 && { reasoning_details: this.details };
    const message = { ...details, ...(this.extraContent && { extra_content: this.extraContent }) };
    const nothing =
      Object.keys(message).length === 0 &&
      Object.keys(calls).length === 0 &&
      !this.reasoningContent;
    const data = { source, message, calls };
    if (nothing || this.length > MAX_DATA || JSON.stringify(data).length > MAX_DATA) return null;
    return this.reasoningContent ? { ...data, reasoningField: "reasoning_content" } : data;
  }

  /** Joins the pieces of a detail (https://openrouter.ai/docs/use-cases/reasoning-tokens). */
  private add(detail: Readonly<Record<string, unknown>>): void {
    const last = this.details.at(-1);
    const key = PIECES.get(detail.type);
    if (!last || key === undefined || last.type !== detail.type || last.index !== detail.index) {
      this.details.push({ ...detail });
      return;
    }
    const { [key]: piece, ...rest } = detail;
    for (const [name, value] of Object.entries(rest))
      if (value !== null && value !== undefined) last[name] = value;
    if (typeof piece === "string")
      last[key] = (typeof last[key] === "string" ? last[key] : "") + piece;
  }
}
