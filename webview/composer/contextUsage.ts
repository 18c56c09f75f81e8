import type { PanelStatus } from "../../src/protocol/messages.ts";
import type { AgentTurn } from "../../src/turns/turn.ts";
import type { ContextUse } from "../../src/turns/turnEvent.ts";
import { t } from "../l10n.ts";
import { contextParts, tokenCount } from "../messages.ts";

/** The share of a request's limit from which the meter warns. */
const NEARLY_FULL = 0.8;

/** What is known of the request that the user writes. */
export interface NextRequest extends Pick<PanelStatus, "next"> {
  /** The display name of the model. */
  readonly model: string;
  /** Tokens of the draft's attachments. */
  readonly draft: number;
}

/** How full the context window is. */
export interface ContextUsage {
  readonly percent: number;
  readonly isNearlyFull: boolean;
  /** `39k of 128k tokens`. */
  readonly total: string;
  /** What takes the window, with its tokens. */
  readonly parts: ReturnType<typeof contextParts>;
  /** Names the model of the last answer, where the next is another's; else null. */
  readonly answered: string | null;
  /** The display name of the next request's model. */
  readonly model: string;
}

/**
 * Estimates the usage of the next request: that of the last one, sent by `turn` (null if none),
 * plus the draft's attachments. Null before the first request.
 */
export function contextUsage(
  turn: AgentTurn | null,
  { model, next, draft }: NextRequest,
): ContextUsage | null {
  if (!turn?.contextUse) return null;
  const isOther = next !== undefined && next.model !== turn.model;
  const use = isOther ? inWindow(turn.contextUse, next.window) : turn.contextUse;
  const used = use.system + use.tools + use.attachments + use.history + draft;
  return {
    percent: Math.min(100, Math.round((100 * used) / use.window)),
    isNearlyFull: used > (use.window - use.reserve) * NEARLY_FULL,
    total: t("{used} of {window} tokens", {
      used: tokenCount(used),
      window: tokenCount(use.window),
    }),
    parts: contextParts(use, draft),
    answered: isOther ? t("Last answer: {model}", { model: turn.model }) : null,
    model,
  };
}

/** The same usage in another model's window. */
function inWindow(use: ContextUse, window: number): ContextUse {
  return { ...use, window, reserve: Math.min(use.reserve, Math.floor(window / 4)) };
}
