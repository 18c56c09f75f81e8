import ignore, { type Ignore } from "ignore";

/** Each `**` may match any number of folders, so these two bound the time of a test. */
const MAX_DEPTH = 64;
const MAX_ANY_FOLDERS = 3;

/** The rules of an ignore file for untrusted patterns: one with more than three `**` has no effect, and too deep paths are ignored. */
export function boundedIgnore(patterns: readonly string[]): Pick<Ignore, "test"> {
  const rules = ignore().add(patterns.filter((pattern) => pattern.split("**").length - 1 <= MAX_ANY_FOLDERS));
  return {
    test: (path) => (path.split("/").length > MAX_DEPTH ? { ignored: true, unignored: false } : rules.test(path)),
  };
}
