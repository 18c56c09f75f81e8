import type { OpenQuestion } from "./announcements.ts";

const STOP =
  /^(?:(?:please |bitte )?(?:stop|stopp|halt|cancel|abort|abbrechen|aufhören)(?: it| that| now| bitte| please)?)$/;
const HUSH =
  /^(?:(?:please |bitte )?(?:hush|quiet|be quiet|silence|shut up|ruhe|still|leise|sei still)(?: please| bitte)?)$/;
const YES = /^(?:yes|yeah|yep|sure|ok|okay|correct|right|ja|jawohl|gerne|klar|genau|richtig)\b/;
const NO = /^(?:no|nope|not|never|don't|nein|nicht|nee|niemals)\b/;
const ORDINALS: readonly RegExp[] = [
  /\b(?:one|first|1|eins|erste[rns]?)\b/,
  /\b(?:two|second|2|zwei|zweite[rns]?)\b/,
  /\b(?:three|third|3|drei|dritte[rns]?)\b/,
  /\b(?:four|fourth|4|vier|vierte[rns]?)\b/,
  /\b(?:five|fifth|5|fünf|fünfte[rns]?)\b/,
];

/**
 * Recognizes a command to Graft itself, in English or German: stop the turn, or be silent. Null for
 * anything else.
 */
export function voiceCommand(words: string): "stop" | "hush" | null {
  const plain = comparableWords(words);
  if (STOP.test(plain)) return "stop";
  return HUSH.test(plain) ? "hush" : null;
}

/**
 * Maps the user's words to an answer: options by name or number, `yes` or `no`, or free text. Null
 * if nothing matches.
 */
export function spokenChoice(
  { kind, options }: Pick<OpenQuestion, "kind" | "options">,
  words: string,
): readonly string[] | null {
  const plain = comparableWords(words);
  if (kind === "text") return plain === "" ? null : [words.trim()];
  if (kind === "confirm") return YES.test(plain) ? ["yes"] : NO.test(plain) ? ["no"] : null;
  const named = options.filter(
    (option) =>
      comparableWords(option) !== "" && ` ${plain} `.includes(` ${comparableWords(option)} `),
  );
  // "The second one" does not mean option one.
  const counting = plain.replace(/(?<=\b(?:first|second|third|fourth|fifth|this|that) )one\b/g, "");
  const counted = options.filter((_, index) => ORDINALS[index]?.test(counting));
  const chosen = named.length > 0 ? longest(named) : counted;
  if (kind === "choice") return chosen.length === 1 ? chosen : null;
  return chosen.length > 0 ? chosen : null;
}

/** Drops options that are part of another: "tests" in "all tests". */
function longest(named: readonly string[]): readonly string[] {
  return named.filter(
    (option) =>
      !named.some(
        (other) =>
          other !== option &&
          ` ${comparableWords(other)} `.includes(` ${comparableWords(option)} `),
      ),
  );
}

function comparableWords(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}' ]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
}
