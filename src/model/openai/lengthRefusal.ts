/** What is known of a request that was sent: its tokens, by estimate. */
export interface SentSize {
  readonly tokens: number;
}

/** That a request was too long, and the most tokens it may have, where the server says so. */
export interface LengthRefusal {
  readonly limit: number | null;
}

/**
 * How servers say it, besides numbers: OpenAI, OpenRouter and vLLM; Anthropic; Gemini; llama.cpp,
 * LM Studio and Ollama; Mistral; SGLang; Copilot; xAI; Together.
 */
const TOO_LONG: readonly RegExp[] = [
  /exceed_context_size|context_?(?:length|window|size)_?exceeded/i,
  /'(?:messages\[\d+\]\.content|input)[^']*': string too long/i,
  /(?:maximum|max|model'?s) (?:allowed )?context (?:length|window|size)/i,
  /\bmax(?:imum)? (?:allowed |total |supported |permitted )?(?:prompt|input|inputs|sequence|model|request|conversation)[ _-](?:length|len|size|window|tokens?|limit)/i,
  /(?:exceed\w*|larger than|longer than|greater than|overflow\w*|too (?:large|long|big) for|outside)\b[^.]{0,60}\b(?:context|model|sequence|prompt|input)(?: (?:length|window|size|limit))\b/i,
  /(?:exceed\w*|overflow\w*|too (?:large|long|big) for|outside)\b[^.]{0,60}\bcontext\b/i,
  /\b(?:prompt|input|request|conversation)(?: \w+){0,2} (?:is|are|was) too (?:long|large)\b/i,
  /\bcontext (?:\w+ ){0,2}(?:over(?:flow|ran|run)|exceed)/i,
  /token count\b[^.]{0,60}\bexceeds|exceeds? (?:the )?token limit/i,
  /(?:reduce|shorten) (?:the )?(?:length of )?(?:your |the )?(?:messages|prompt|input)/i,
  /too many (?:input |prompt )?tokens(?! per)/i,
  /\b(?:inputs?|prompt|messages?)\b[^.]{0,60}\btokens?\b[^.]{0,60}\bmust be (?:<|less|at most|smaller|shorter|within|no more)/i,
  /\binputs?\b\W{0,3}must have (?:less|fewer) than\b[^.]{0,30}\btokens?\b/i,
  /\b(?:input|prompt|sequence) (?:token )?length (?:should|must) be\b/i,
];

/** Words of a message that is about a length. */
const ABOUT_LENGTH =
  /token|context|prompt|input|sequence|length|window|\blong|\blarge|too (?:many|big)|exceed|limit|\bmax/i;
const SAYS_LIMIT =
  /exceed|limit|\bmax|\btoo\b|\bover|longer|larger|greater|reduce|shorten|at most|only/i;
/** What a message about another length names. */
const ABOUT_OUTPUT =
  /max_(?:completion_|output_|new_)?tokens|\boutput\b|completion tokens|n_predict/i;

/** What a request has too much of, and what a message about its size names. */
const NAMES_REQUEST = /\btokens?\b|\bcontext\b|\bprompts?\b|\binputs?\b|\bsequence\b/i;
const NAMES_INPUT = /\bprompts?\b|\binputs?\b|\bcontext\b|\bmessages\b/i;
/** Other things with a limit: files, lists, rates. */
const OF_OTHERS =
  /\bbytes?\b|\bimages?\b|\bcharacters?\b|\barray\b|\bquota\b|\bper (?:second|minute|hour|day)\b|\b[RT]PM\b/i;

/** The smallest request, in tokens, whose refusal is read by its numbers alone. */
const SMALLEST = 500;
/** What a server counts, as shares of the estimate: tokenizers and chat templates differ. */
const NEAR = [0.66, 1.5] as const;
/** The smallest number that may be a limit. */
const LEAST_LIMIT = 256;

/**
 * Whether a refusal's message says that a request of this size was too long; null where it does not.
 * The proof is a number near our own estimate, or the words of a known server.
 */
export function lengthRefusal(text: string, sent: SentSize | null): LengthRefusal | null {
  const isWorded = saysTooLong(text);
  const numbers = numbersIn(text);
  const size = sent?.tokens ?? 0;
  const counted = numbers.filter((each) => isNear(each, size));
  const smaller = numbers.filter((each) => each >= LEAST_LIMIT && each < size * NEAR[0]);
  if (size >= SMALLEST && counted.length > 0) {
    // A request just above the limit: both numbers are near.
    const least = Math.min(...counted);
    const isPair = least < Math.max(...counted);
    if (smaller.length > 0) return { limit: Math.max(...smaller) };
    if (isPair) return { limit: least };
    if (isWorded || ABOUT_LENGTH.test(text)) return { limit: null };
  }
  const namesLimit = ABOUT_LENGTH.test(text) && SAYS_LIMIT.test(text) && !ABOUT_OUTPUT.test(text);
  if (size >= SMALLEST && smaller.length > 0 && (isWorded || namesLimit))
    return { limit: Math.max(...smaller) };
  return isWorded ? { limit: null } : statedSizes(text, numbers);
}

/**
 * A message that names two sizes of a request and says that there is a limit: a count and its limit,
 * whatever we estimated.
 */
function statedSizes(text: string, numbers: readonly number[]): LengthRefusal | null {
  const sizes = [...new Set(numbers)].filter((each) => each >= LEAST_LIMIT);
  const isOther = OF_OTHERS.test(text) || (ABOUT_OUTPUT.test(text) && !NAMES_INPUT.test(text));
  if (sizes.length < 2 || isOther || !NAMES_REQUEST.test(text) || !SAYS_LIMIT.test(text))
    return null;
  return { limit: sizes.length === 2 ? Math.min(...sizes) : null };
}

/** True for the words by which servers refuse a request that is too long. */
export function saysTooLong(text: string): boolean {
  return TOO_LONG.some((pattern) => pattern.test(text));
}

function isNear(number: number, size: number): boolean {
  return number >= size * NEAR[0] && number <= size * NEAR[1];
}

/** The whole numbers of a text, without dates, times, addresses, file sizes and parts of words. */
function numbersIn(text: string): readonly number[] {
  const plain = text.replace(
    /https?:\S+|\d{4}-\d\d-\d\d\S*|\b\d{1,2}:\d\d(?::\d\d)?\b|\b\d[\d.,]*\s?(?:ms|s|sec(?:ond)?s?|minutes?|bytes?|[KMG]i?B)\b/g,
    " ",
  );
  const found = plain.matchAll(/(?<![\w.,'-])(\d{1,3}(?:[,_']\d{3})+|\d+)(?![\w-]|[.,]\d)/g);
  return [...found].map(([, digits = ""]) => Number(digits.replace(/[,_']/g, "")));
}
