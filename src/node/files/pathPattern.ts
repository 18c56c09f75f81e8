import { boundedIgnore } from "../../base/boundedIgnore.ts";

/**
 * Compiles a glob into a predicate for workspace-relative paths. Follows the rules of ignore files,
 * plus braces.
 */
export function createPathPattern(glob: string): (path: string) => boolean {
  const written = alternatives(glob.normalize("NFC").replace(/^\.?\//, "/")).map((pattern) =>
    pattern.replace(/^[!#]/, "\\$&"),
  );
  // Frameworks name folders `[slug]`: brackets stand for themselves, too.
  const literal = written
    .filter((each) => each.includes("["))
    .map((each) => each.replace(/\[/g, "\\["));
  const rules = boundedIgnore([...written, ...literal]);
  // The same name may be composed in two ways.
  return (path) => rules.test(path.normalize("NFC")).ignored;
}

const MAX_ALTERNATIVES = 64;

/** Expands braces, which ignore files do not support: `*.{ts,js}` becomes two patterns. */
function alternatives(glob: string): readonly string[] {
  let patterns = [glob];
  for (;;) {
    const open = patterns.flatMap((pattern) => {
      const braces = /(?<!\[)\{([^{}]*)\}/.exec(pattern);
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
