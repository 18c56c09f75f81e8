import { err } from "../base/result.ts";
import type { LanguageServices } from "../ports/languageServices.ts";
import type { Question } from "../ports/question.ts";

/** Language services for the command line, which has no language extensions. */
export const noLanguageServices: LanguageServices = {
  findSymbols: async () => err(null),
  findReferences: async () => err(null),
  diagnostics: async () => err(null),
};

/** Questions on the command line, where there is no user to ask. */
export const nonInteractiveQuestion: Question = {
  ask: async () => ({ answered: false, why: "nobody" }),
};
