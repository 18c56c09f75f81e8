import { errorCodes, errorText } from "./errorText.ts";

/** What a refusal is about, whatever its status. */
export type RefusalKind =
  | "content-filter"
  | "no-credit"
  | "key-rejected"
  | "rate-limited"
  | "server-error";

interface KindRow {
  readonly kind: RefusalKind;
  /** Codes and types beside the message, one a line. */
  readonly codes: RegExp;
  readonly words: RegExp | null;
}

/** Codes are what APIs document; words are of servers that have no code for it. The first fits. */
const KINDS: readonly KindRow[] = [
  {
    kind: "content-filter",
    codes:
      /content_?(?:filter|policy|moderation)|data_?inspection|responsible_?ai|sensitive_?content|^invalid_prompt$|prohibited_?content/im,
    words:
      /\bflagged\b|inappropriate content|content exists risk|(?<!case[- ])\bsensitive (?:information|content|words?)\b|\bviolat\w* (?:\w+ ){0,3}(?:usage|content) (?:polic|guideline)|敏感|违规/i,
  },
  {
    kind: "no-credit",
    codes:
      /insufficient_?(?:quota|balance|credits?|funds)|arrear|overdue|not_?enough_?balance|exceeded_current_quota|credit_?balance|billing|payment/im,
    words:
      /\b(?:credits?|balance|funds)\b[^.]{0,40}\b(?:too low|insufficient|exhausted|depleted|used up)\b|\b(?:insufficient|not enough|out of|all (?:available )?)\s?(?:\w+ ){0,2}(?:credits?|balance|funds|usage)\b|spending limit|\bbilling\b|\binvoices?\b|limit exhausted|余额|欠费/i,
  },
  {
    kind: "key-rejected",
    codes:
      /invalid_?api_?key|api_?key_?invalid|authentication_?error|unauthenticated|invalid_?(?:access_?)?token|invalid_?authentication/im,
    words:
      /\b(?:api|access|secret)[ _-]?(?:secret )?(?:key|token)s?\b[^.]{0,40}\b(?:not valid|no longer valid|invalid|incorrect|expired|revoked|leaked|missing|disabled|wrong)\b|\b(?:invalid|incorrect|wrong|expired|missing|unknown|no) (?:\w+ ){0,2}(?:api[ _-]?|access |x-api-)(?:key|token)\b|\blogin fail/i,
  },
  {
    kind: "rate-limited",
    codes: /rate_?limit|rate_?quota|throttl|too_?many_?requests|resource_?exhausted/im,
    words: /\brate[ -]?limit|\bthrottl|too many requests|\brequest rate\b|\brequest limit\b/i,
  },
  {
    kind: "server-error",
    codes: /overload|unavailable|internal|server_?error|api_?error|upstream|time_?out/im,
    words: null,
  },
];

/** What the codes or the words of a refusal say that it is about; null where they do not. */
export function refusalKind(body: string): RefusalKind | null {
  const said = errorText(body);
  // A text alone may be a code, or hold those of a body that a gateway passed on.
  const codes = errorCodes(body) || said;
  const named = KINDS.find((row) => row.codes.test(codes));
  const worded = KINDS.find(({ words }) => words?.test(said));
  return (named?.kind === "server-error" ? (worded ?? named) : (named ?? worded))?.kind ?? null;
}

const WAITS =
  /(?:try again|retry|retrying)[^.\d]{0,20}(?:in|after) (?:(\d+) ?h\w*)? ?(?:(\d+) ?m(?:in\w*)?(?!s))? ?(?:(\d+(?:\.\d+)?) ?(ms|s)?)?/i;
const DELAY = /"retryDelay": ?"(\d+(?:\.\d+)?)s"/;

/** How long a refusal says to wait, in milliseconds; null where it does not. */
export function saidWait(body: string): number | null {
  const delay = DELAY.exec(body)?.[1];
  if (delay !== undefined) return Number(delay) * 1000;
  const [, hours, minutes, seconds, unit] = WAITS.exec(errorText(body)) ?? [];
  const last = Number(seconds ?? 0) * (unit === "ms" ? 1 : 1000);
  const ms = Number(hours ?? 0) * 3_600_000 + Number(minutes ?? 0) * 60_000 + last;
  return ms > 0 ? ms : null;
}
