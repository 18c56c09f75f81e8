/** Replaces text that a grammar cannot parse. */
export interface MacroRule {
  /** A multi-line pattern whose matches contain no line break. */
  readonly pattern: string;
  /** The replacement; its middle character is repeated to the length of the match. */
  readonly as: string;
}

function stretched(as: string, length: number): string {
  const middle = Math.floor(as.length / 2);
  return (
    as.slice(0, middle) + as.charAt(middle).repeat(length - as.length + 1) + as.slice(middle + 1)
  );
}

/**
 * Returns a function that applies the rules in order: with `[[x]]` for an export macro, `class
 * LIB_EXPORT A` becomes `class [[xxxxxx]] A`, which the grammar can parse. Offsets do not change; a
 * match shorter than its replacement stays.
 */
export function macroMask(rules: readonly MacroRule[] | undefined): (text: string) => string {
  const compiled = (rules ?? []).map(({ pattern, as }) => ({
    macros: new RegExp(pattern, "gm"),
    as,
  }));
  return (text) =>
    compiled.reduce(
      (masked, { macros, as }) =>
        masked.replace(macros, (macro) =>
          macro.length < as.length ? macro : stretched(as, macro.length),
        ),
      text,
    );
}
