import { comparableWords } from "./spokenWords.ts";

const COMMANDS = [
  ["stop", /^(?:stopp?|halt|cancel|abort|abbrechen|aufhören)(?: it| that| now)?$/],
  ["hush", /^(?:hush|(?:be )?quiet|silence|shut up|ruhe|(?:sei )?still|leise)$/],
  ["show", /^(?:show (?:it|that|me)|zeige? (?:es|das|her|mir das))$/],
  ["read", /^(?:read (?:it|that|it all|all of it|the rest)|go on)$/],
  ["read", /^(?:lies (?:es|das)(?: vor)?|(?:lies )?weiter)$/],
] as const;
const POLITE = /^(?:please|bitte) | (?:please|bitte)$/g;
/** Words that decide, and those that only go with them. */
const DECIDING = wordSet(
  "yes yeah yep yup no nope nah never not don't ok okay sure fine right correct alright absolutely " +
    "definitely certainly agree agreed good course go do run allow approve approved accept permit " +
    "confirm grant deny reject refuse decline ja jawohl jo klar gerne genau richtig nein nee nicht " +
    "niemals einverstanden natürlich passt ordnung gut mach tu führ führe ausführen erlaube erlauben " +
    "erlaubt genehmige genehmigt ablehnen abgelehnt oui ouais non d'accord sí si vale claro sim não " +
    "tak nie да нет はい いいえ 是 不 好 네 아니요",
);
const BESIDE = wordSet(
  "please it that that's it's this so all sounds looks ahead on for me now just once always time " +
    "turn chat session the command of course i we you can may to thanks thank great and then und bitte " +
    "das es in auf jeden fall keinen doch mal aus zu den befehl danke s'il te vous plaît por favor " +
    "お願いします",
);

/**
 * Recognizes a command to Graft itself, in English or German: stop the turn, be silent, show what
 * waits, or read the rest aloud. Null for anything else.
 */
export function voiceCommand(words: string): "stop" | "hush" | "show" | "read" | null {
  const plain = comparableWords(words).replace(POLITE, "");
  return COMMANDS.find(([, pattern]) => pattern.test(plain))?.[0] ?? null;
}

/**
 * Whether the words only decide on the approvals that ask for `asked`, which only a click or a key
 * can.
 */
export function isDecision(words: string, asked: string): boolean {
  const all = comparableWords(words).split(" ");
  const named = wordSet(comparableWords(asked));
  return (
    all.some((word) => DECIDING.has(word)) &&
    all.every((word) => DECIDING.has(word) || BESIDE.has(word) || named.has(word))
  );
}

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(" "));
}
