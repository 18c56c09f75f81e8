import type { Syntax } from "../../../src/syntax/syntax.ts";

/** A syntax without grammars. */
export const noSyntax: Syntax = {
  openFile: async () => null,
  languageOf: () => null,
  open: async () => null,
};
