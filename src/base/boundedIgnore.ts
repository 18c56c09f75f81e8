import ignore, { type Ignore } from "ignore";

/** Each `**` of a pattern may stand for any number of a path's folders, so these two say how long a look takes at most. */
const MAX_DEPTH = 64;
const MAX_ANY_FOLDERS = 3;

/**
 * The rules of an ignore file, https://git-scm.com/docs/gitignore, for patterns that nobody has looked at: one with more than three `**`
 * counts for nothing, and a path of more than 64 segments is ignored.
 */
export function boundedIgnore(patterns: readonly string[]): Pick<Ignore, "test"> {
  const rules = ignore().add(patterns.filter((pattern) => pattern.split("**").length - 1 <= MAX_ANY_FOLDERS));
  return {
    test: (path) => (path.split("/").length > MAX_DEPTH ? { ignored: true, unignored: false } : rules.test(path)),
  };
}
