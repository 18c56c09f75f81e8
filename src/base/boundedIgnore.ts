import ignore, { type Ignore } from "ignore";

/** Each `**` can match any number of folders. These two limits bound the matching time. */
const MAX_DEPTH = 64;
const MAX_ANY_FOLDERS = 3;

/**
 * Ignore-file rules for untrusted patterns. A pattern with more than three `**` has no effect.
 * Paths that are too deep count as ignored.
 */
export function boundedIgnore(patterns: readonly string[]): Pick<Ignore, "test"> {
  const rules = ignore().add(
    patterns.filter((pattern) => pattern.split("**").length - 1 <= MAX_ANY_FOLDERS),
  );
  return {
    test: (path) =>
      path.split("/").length > MAX_DEPTH ? { ignored: true, unignored: false } : rules.test(path),
  };
}
