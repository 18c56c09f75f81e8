/** What is known of a request that was sent: its tokens, by estimate. */
export interface SentSize {
  readonly tokens: number;
}

/** That a request was too long, and the most tokens it may have, where the server says so. */
export interface LengthRefusal {
  readonly limit: number | null;
}

/** Codes beside a message. */
const CODES =
  /exceed_context_size|(?:prompt|input|context|tokens?|messages?|request|conversation)_?(?:is_?)?(?:length|window|size|limit)?_?(?:too_?(?:long|large|many)|exceed(?:s|ed)?(?:_?limit)?(?:\b|_?error)|limit_?(?:reached|exceeded)|length_?error)/i;

/** How servers say it in words that no rule for sentences finds. */
const TOO_LONG: readonly RegExp[] = [
  CODES,
  /'(?:messages\[\d+\]\.content|input)[^']*': string too long/i,
  /(?:maximum|max|model'?s) (?:allowed )?context (?:length|window|size)/i,
  /\bmax(?:imum)? (?:allowed |total |supported |permitted )?(?:prompt|input|inputs|sequence|model|request|conversation)[ _-](?:length|len|size|window|tokens?|limit)/i,
  /(?:reduce|shorten) (?:the )?(?:length of )?(?:your |the )?(?:messages|prompt|input)/i,
  /\b(?:inputs?|prompt|messages?)\b[^.]{0,60}\btokens?\b[^.]{0,60}\bmust be (?:<|less|at most|smaller|shorter|within|no more)/i,
  /\binputs?\b\W{0,3}must have (?:less|fewer) than\b[^.]{0,30}\btokens?\b/i,
  /\b(?:input|prompt|sequence) (?:token )?length (?:should|must) be\b/i,
  // vLLM and TensorRT-LLM: no tokens are left for the answer.
  /\bmax_tokens\b[^.]{0,40}\b(?:at least|greater than)\b[^.]{0,30}-\d/i,
  /max_tokens \(-\d+\) should be greater than 0/i,
  // llama.cpp and LM Studio, by their cache.
  /n_keep\b[^.]{0,40}\bn_ctx\b|context shift is disabled|(?:free (?:space|slot)|\bslot) (?:in|for) (?:the )?KV cache/i,
  /too many total text bytes/i,
];

/** All other servers say in one sentence what is too large, and that it is. */
const SUBJECT =
  /\b(?:prompts?|inputs?|context(?! (?:deadline|canceled|manager))|conversation|messages?|history|tokens?|request(?! (?:id|rate))|texts?)\b/i;
const EXCESS =
  /\btoo (?:long|large|big)\b|\btoo many (?:\w+ ){0,2}(?:tokens|words|characters|messages)\b|\bexceed|\boverflow|\boversized?\b|(?<!be )\b(?:longer|larger|greater|bigger) than\b|\bmore (?:\w+ ){0,2}tokens than\b|\bmore than (?:the |its )?(?:max|limit)|\bover (?:the|its|this) (?:\w+ ){0,3}(?:limit|max\w*|window|length)|\bbeyond (?:the|its|this)\b|\b(?:does|do|did|will|would|can)(?:n't|n’t|not| not)\b(?: \w+)? fit\b|\bnot enough (?:\w+ ){0,3}(?:space|room)\b|\bout of (?:context|tokens)\b|\blimit (?:was |is |has been )?(?:reached|hit)\b/i;
const EXCESS_EAST_ASIAN =
  /(?:输入|提示|上下文|内容|消息|长度|令牌|入力|トークン|입력|토큰|tokens?|prompt)[^。]{0,20}(?:过长|超长|太长|超出|超过|超限|过大|超え|長すぎ|초과)/i;
/** What else has a limit, or is too long. */
const OTHER_LIMIT =
  /\brate\b|\bquota\b|throttl|\bplease wait\b|\b(?:daily|weekly|monthly)\b|\brequest limit\b|\bper (?:second|sec|minute|min|hour|day)\b|\b[RT]P[MD]\b|concurren|in flight|in parallel|\bbilling\b|\bcredits?\b|\bbalance\b|deadline|time[ -]?out|timed out|\bretr(?:y|ies)\b|attempts|\bmemory\b|\bqueue|\bexpir|\bthinking\b/i;
const OTHER_INPUT = /\bfiles?\b|attachment|\bURL\b|\bheaders?\b/i;
const OF_MEDIA = /\bimages?\b|pixel|\baudio\b|\bvideos?\b/i;
const OF_TEXT = /\btokens?\b|\bcontext\b|\bprompts?\b/i;
/** Fields of a request, as messages about one of them name it. */
const FIELD = /\b\w+(?:\.\w+|\[[^\]]{0,40}\])+|\b\w+_\w+\b/g;

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
  /\bbudget|\bbytes?\b|\bimages?\b|\bcharacters?\b|\barray\b|\bquota\b|\bper (?:second|minute|hour|day)\b|\b[RT]PM\b/i;

/** A number of a rate is no size: who waits may send the same again. */
const OF_RATE =
  /\brate[ -]?limit|\b(?:tokens|requests)(?: \w+)? per (?:second|sec|minute|min|hour|day)\b|\bper[ -](?:second|minute|hour|day)\b|\b[RT]P[MD]\b/i;

/** How much of a message is read, in UTF-16 units. */
const MOST_READ = 8_000;
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
export function lengthRefusal(said: string, sent: SentSize | null): LengthRefusal | null {
  const text = said.slice(0, MOST_READ);
  if (isOfOneField(text) || isOfAnswer(text) || OF_RATE.test(text)) return null;
  if (OF_MEDIA.test(text) && !OF_TEXT.test(text)) return null;
  const isWorded = saysTooLong(text) || isTooLarge(text);
  const numbers = numbersIn(text);
  const size = sent?.tokens ?? 0;
  const counted = numbers.filter((each) => isNear(each, size));
  const smaller = numbers.filter((each) => each >= LEAST_LIMIT && each < size * NEAR[0]);
  if (size >= SMALLEST && counted.length > 0) {
    // A request just above the limit: both numbers are near.
    const least = Math.min(...counted);
    const isPair = least < Math.max(...counted);
    if (smaller.length > 0) return { limit: statedLimit(text, smaller) ?? Math.max(...smaller) };
    if (isPair) return { limit: least };
    if (isWorded || NAMES_REQUEST.test(text)) return { limit: null };
  }
  const namesLimit =
    ABOUT_LENGTH.test(text) &&
    SAYS_LIMIT.test(text) &&
    !ABOUT_OUTPUT.test(text) &&
    !/\bbudget/i.test(text);
  if (size >= SMALLEST && smaller.length > 0 && (isWorded || namesLimit))
    return { limit: statedLimit(text, smaller) ?? Math.max(...smaller) };
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

/** True where a body has a code for a request that is too long. */
export function hasLengthCode(body: string): boolean {
  return CODES.test(body);
}

/** True for the words by which known servers refuse a request that is too long. */
function saysTooLong(text: string): boolean {
  return !/deadline exceeded/i.test(text) && TOO_LONG.some((pattern) => pattern.test(text));
}

/** True where a sentence says of the request, and of nothing else with a limit, that it is too large. */
function isTooLarge(text: string): boolean {
  return text.split(/[.;!?。](?=\s|$)|\n/).some((sentence) => {
    const isOther =
      OTHER_LIMIT.test(sentence) ||
      (OTHER_INPUT.test(sentence) && !OF_TEXT.test(sentence)) ||
      (ABOUT_OUTPUT.test(sentence) && !NAMES_INPUT.test(sentence));
    if (isOther) return false;
    if (EXCESS_EAST_ASIAN.test(sentence)) return true;
    const words = sentence.replace(FIELD, " ");
    return SUBJECT.test(words) && EXCESS.test(words);
  });
}

/** A message about the size of a field that is no message's text, such as a tool's description. */
function isOfOneField(text: string): boolean {
  const field =
    /['"`]((?:\w+)(?:\.\w+|\[[^\]]{0,40}\])*)['"`]\W{0,3}(?:(?:string|array|value) too long|(?:integer|number) above)/i.exec(
      text,
    );
  return field?.[1] !== undefined && !/^(?:messages\[\d+\]\.content|input|prompt)/.test(field[1]);
}

/** A message about how long the answer may be, which names no input. */
function isOfAnswer(text: string): boolean {
  return (
    /\bmaximum tokens? (?:value|you requested)/i.test(text) &&
    !/\b(?:prompts?|inputs?|context|messages)\b/i.test(text)
  );
}

/** The number that a message calls a limit, among `numbers`. */
function statedLimit(text: string, numbers: readonly number[]): number | null {
  const after = /(?:limit|max\w*|window|length|size|n_ctx|only|at most|up to|<=?|>=?)\D{0,30}$/i;
  const isLimit = (number: number) => {
    const at = text.indexOf(String(number));
    return at >= 0 && after.test(text.slice(0, at));
  };
  return numbers.find(isLimit) ?? null;
}

function isNear(number: number, size: number): boolean {
  return number >= size * NEAR[0] && number <= size * NEAR[1];
}

/** The whole numbers of a text, without dates, times, addresses, file sizes and parts of words. */
function numbersIn(text: string): readonly number[] {
  const plain = text.replace(
    /https?:\S+|\d{4}-\d\d-\d\d\S*|\b\d{1,2}:\d\d(?::\d\d)?\b|\b\d[\d.,]*\s?(?:ms|s|sec(?:ond)?s?|minutes?|bytes?|[KMG]i?B)\b|\b(?:id|code|port|line|column|status|error|by)\W{1,3}\d+|\b\d+ ?x ?\d+\b|\(20(?!48)\d\d\)\s*$/gi,
    " ",
  );
  const found = plain.matchAll(/(?<![\w.,'-])(\d{1,3}(?:[,_']\d{3})+|\d+)(?![\w-]|[.,]\d)/g);
  return [...found].map(([, digits = ""]) => Number(digits.replace(/[,_']/g, "")));
}
