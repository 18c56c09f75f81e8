import type { Message } from "../../model/message.ts";
import type { ModelError } from "../../model/modelFailure.ts";
import type { TurnError } from "../../turns/turnError.ts";

/** A part of requests that servers may refuse: tools, or images. */
export interface PartSupport {
  /** True where a failure cannot be about this part. */
  isCertain(): boolean;
  /** A request with the part failed with `error`, and the same one without it was answered. */
  refused(error: ModelError): void;
}

/** The images of a turn's requests. */
export interface ImageSupport extends PartSupport {
  /** The bytes of the messages' images, by id, as far as they still exist. */
  load(messages: readonly Message[]): Promise<ReadonlyMap<string, Uint8Array>>;
}

/** Statuses of a request that the server will never take as it is. */
const REFUSED: ReadonlySet<number> = new Set([400, 404, 405, 422, 501]);
/** Failures that servers also use for a request of which they do not know a part. */
const CODES: ReadonlySet<TurnError["code"]> = new Set(["rejected", "model-not-found", "api-not-found", "server-error", "stream-error"]);

/**
 * Whether a failed request may succeed without tools or images, whatever the server says: `request` where it will never succeed as it
 * is, `server` where it may also succeed later (llama.cpp refuses tools with 500). Null for other failures.
 */
export function mayRefusePart(error: TurnError | null): "request" | "server" | null {
  if (error?.code === "tools-refused") return "request";
  if (error === null || !CODES.has(error.code) || !("model" in error) || error.begun) return null;
  const { status = 500 } = error;
  return REFUSED.has(status) ? "request" : status === 500 ? "server" : null;
}
