import { comparableWords } from "./spokenWords.ts";

const COMMANDS = [
  ["stop", /^(?:stopp?|halt|cancel|abort|abbrechen|aufhören)(?: it| that| now)?$/],
  ["hush", /^(?:hush|(?:be )?quiet|silence|shut up|ruhe|(?:sei )?still|leise)$/],
  ["show", /^(?:show (?:it|that|me)|zeige? (?:es|das|her|mir das))$/],
  ["read", /^(?:read (?:it|that|it all|all of it|the rest)|go on)$/],
  ["read", /^(?:lies (?:es|das)(?: vor)?|(?:lies )?weiter)$/],
] as const;
const POLITE = /^(?:please|bitte) | (?:please|bitte)$/g;
const YES = /^(?:yes|yeah|yep|sure|ok|okay|correct|right|ja|jawohl|gerne|klar|genau|richtig)\b/;
const NO = /^(?:no|nope|not|never|don't|nein|nicht|nee|niemals)\b/;
const ALLOW = /^(?:allow|approve|accept|deny|reject|run it|do it|erlaube|ablehnen|mach)\b/;

/**
 * Recognizes a command to Graft itself, in English or German: stop the turn, be silent, show what
 * waits, or read the rest aloud. Null for anything else.
 */
export function voiceCommand(words: string): "stop" | "hush" | "show" | "read" | null {
  const plain = comparableWords(words).replace(POLITE, "");
  return COMMANDS.find(([, pattern]) => pattern.test(plain))?.[0] ?? null;
}

/** Whether the user decides on an approval in a few words, which only a click or a key can. */
export function isDecision(words: string): boolean {
  const plain = comparableWords(words);
  return plain.split(" ").length <= 4 && (YES.test(plain) || NO.test(plain) || ALLOW.test(plain));
}
