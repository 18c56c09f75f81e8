/** What a grammar cannot read, and what it gets instead. */
export interface MacroRule {
  /** A multi-line pattern; what it matches holds no line break. */
  readonly pattern: string;
  /** What stands in its place, its middle character repeated to the length of the match. */
  readonly as: string;
}

function stretched(as: string, length: number): string {
  const middle = Math.floor(as.length / 2);
  return as.slice(0, middle) + as.charAt(middle).repeat(length - as.length + 1) + as.slice(middle + 1);
}

/**
 * Gives a function that applies the rules, one after the other: with `[[x]]` for an export macro, `class LIB_EXPORT A` becomes
 * `class [[xxxxxx]] A`, which a grammar that never sees the macro's definition can read. Offsets stay as they are; matches shorter
 * than what would stand in their place stay too.
 */
export function macroMask(rules: readonly MacroRule[] | undefined): (text: string) => string {
  const compiled = (rules ?? []).map(({ pattern, as }) => ({ macros: new RegExp(pattern, "gm"), as }));
  return (text) =>
    compiled.reduce(
      (masked, { macros, as }) => masked.replace(macros, (macro) => (macro.length < as.length ? macro : stretched(as, macro.length))),
      text,
    );
}
