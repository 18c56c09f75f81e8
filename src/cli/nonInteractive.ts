import { err } from "../base/result.ts";
import type { LanguageServices } from "../ports/languageServices.ts";
import type { Question } from "../ports/question.ts";

const NO_SERVICES = "There are no language services on the command line.";

/** No language extensions, as on the command line. */
export const noLanguageServices: LanguageServices = {
  findSymbols: async () => err(NO_SERVICES),
  findReferences: async () => err(NO_SERVICES),
  diagnostics: async () => err(NO_SERVICES),
};

/** Nobody to ask, as on the command line. */
export const nonInteractiveQuestion: Question = {
  ask: async () => ({ answered: false, reason: "Nobody can be asked on the command line." }),
};
