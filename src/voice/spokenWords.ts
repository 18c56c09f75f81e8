/** Sounds that recognizers describe: `[BLANK_AUDIO]`, `(upbeat music)`, `*coughs*`, notes. */
const DESCRIBED = /\[[^\]]*\]|\([^)]*\)|\*[^*]+\*|<\|?[^>]*>|[♪♫]+/g;
/** What recognizers invent for silence and noise. As a whole message it asks for nothing. */
const INVENTED = new RegExp(
  `^(?:${[
    "you|bye(?: bye)?|uh|um|hm+|mm+|ah|oh",
    "thank you(?: (?:so|very) much)?(?: for (?:watching|listening))?|thanks(?: for (?:watching|listening))?",
    "(?:please )?(?:like and )?subscribe(?: to .*)?|(?:see|i'll see) you (?:in the )?next (?:time|video)",
    "vielen dank(?: fürs (?:zuschauen|zuhören))?|danke(?: fürs (?:zuschauen|zuhören))?|tschüss|ähm?",
    "(?:subtitles|captions|untertitel|untertitelung)\\b.*",
  ].join("|")})$`,
);
/** Words that no sentence ends with, in English and German; recognizers add a period anyway. */
const CONNECTING = new Set(
  (
    "a an the my your our their its and or but because whole entire every um uh " +
    "einen einem einer eines und oder aber weil dass ganze ganzen ähm äh"
  ).split(" "),
);
/** Words that may end a sentence, but seldom do. */
const SELDOM_LAST = new Set(
  (
    "this of to into onto from with without for at by as than if whether when while where which who whose " +
    "then also each very delete remove rename replace change add called named " +
    "der die das den dem des ein eine mein meine dein deine wenn ob während wo welche welcher welches " +
    "von zu zum zur für ohne bei mit im am ins sehr lösche entferne"
  ).split(" "),
);

/** What the user said, without what the recognizer made up. "" where nothing is left. */
export function saidWords(recognized: string): string {
  const words = recognized.replace(DESCRIBED, " ").replace(/\s+/g, " ").trim();
  const plain = comparableWords(words);
  return plain === "" || INVENTED.test(plain) ? "" : words;
}

/** Whether more must follow, as after "and" or a comma. */
export function isUnfinished(words: string): boolean {
  if (/(?:[,:;–—-]|\.\.\.|…)$/.test(words)) return true;
  const last = comparableWords(words).split(" ").at(-1) ?? "";
  return CONNECTING.has(last) || (SELDOM_LAST.has(last) && !/[.!?]$/.test(words));
}

/** Words in lower case, without marks. */
export function comparableWords(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}' ]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
}
