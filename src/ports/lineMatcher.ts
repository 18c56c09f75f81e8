import type { Result } from "../base/result.ts";
import type { TextSearch } from "./workspace.ts";

/** Finds the 0-based numbers of the lines that match; an error is a sentence about the pattern. */
export type LineMatcher = (lines: readonly string[]) => Result<readonly number[], string>;

/** Compiles a search, in the way of the host it runs in; the error is a sentence about the pattern. */
export type CompileMatcher = (search: Pick<TextSearch, "pattern" | "isRegExp" | "caseSensitive">) => Result<LineMatcher, string>;
