import grammars from "../../../grammars/grammars.json" with { type: "json" };
import type { MacroRule } from "./macroMask.ts";

/** One line of the language table, `grammars/grammars.json`. */
export interface Language {
  /** The grammar's id and folder name. */
  readonly id: string;
  /** The query files that name its elements, relative to the grammar folder, read in this order. */
  readonly queries: readonly string[];
  /** The editor's language ids it serves. */
  readonly languageIds: readonly string[];
  /**
   * File name extensions, lower case, without the dot; also whole names of files, such as
   * `rakefile` and `cargo.lock`.
   */
  readonly extensions: readonly string[];
  /**
   * A multi-line pattern of texts that overflow the grammar's scanner, which would crash every
   * grammar.
   */
  readonly unsafe?: string | undefined;
  /**
   * Macros, and syntax newer than the grammar, which it parses as something else of the same
   * length.
   */
  readonly macros?: readonly MacroRule[] | undefined;
}

const LANGUAGES: readonly Language[] = grammars.languages;

/** The language with this grammar id, or null. */
export function languageById(id: string): Language | null {
  return LANGUAGES.find((language) => language.id === id) ?? null;
}

/**
 * The language of a file by the editor's language id, else by its extension; null without a
 * grammar.
 */
export function languageOfFile(path: string, languageId: string): Language | null {
  const byId = LANGUAGES.find((language) => language.languageIds.includes(languageId));
  if (byId) return byId;
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  const lower = name.toLowerCase();
  const extension = lower.slice(lower.lastIndexOf(".") + 1);
  const has = (word: string) => LANGUAGES.find((language) => language.extensions.includes(word));
  return has(lower) ?? has(extension) ?? null;
}
