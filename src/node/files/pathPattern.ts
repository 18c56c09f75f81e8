import { boundedIgnore } from "../../base/boundedIgnore.ts";

/**
 * Compiles a glob into a predicate for workspace-relative paths. Follows the rules of ignore files,
 * plus braces.
 */
export function createPathPattern(glob: string): (path: string) => boolean {
  const patterns = alternatives(glob.replace(/^\.?\//, "/")).map((pattern) =>
    pattern.replace(/^[!#]/, "\\$&"),
  );
  const rules = boundedIgnore(patterns);
  return (path) => rules.test(path).ignored;
}

const MAX_ALTERNATIVES = 64;

/** Expands braces, which ignore files do not support: `*.{ts,js}` becomes two patterns. */
function alternatives(glob: string): readonly string[] {
  let patterns = [glob];
  for (;;) {
    const open = patterns.flatMap((pattern) => {
      const braces = /\{([^{}]*)\}/.exec(pattern);
      if (!braces) return [pattern];
      return (braces[1] ?? "").split(",").map((part) => pattern.replace(braces[0], () => part));
    });
    if (
      open.length > MAX_ALTERNATIVES ||
      open.every((pattern, index) => pattern === patterns[index])
    )
      return patterns;
    patterns = open;
  }
}
