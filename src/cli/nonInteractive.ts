import { err } from "../base/result.ts";
import type { LanguageServices } from "../ports/languageServices.ts";
import type { Question } from "../ports/question.ts";

/** No language extensions, as on the command line. */
export const noLanguageServices: LanguageServices = {
  findSymbols: async () => err(null),
  findReferences: async () => err(null),
  diagnostics: async () => err(null),
};

/** Nobody to ask, as on the command line. */
export const nonInteractiveQuestion: Question = {
  ask: async () => ({ answered: false, why: "nobody" }),
};
