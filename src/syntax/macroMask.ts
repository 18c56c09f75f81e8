/**
 * Gives a function that replaces what `pattern` matches by an attribute of the same length: `class LIB_EXPORT A` becomes
 * `class [[xxxxxx]] A`, which a grammar that never sees the macro's definition can read. Offsets stay as they are; matches shorter
 * than five characters stay too.
 */
export function macroMask(pattern: string | undefined): (text: string) => string {
  if (pattern === undefined) return (text) => text;
  const macros = new RegExp(pattern, "gm");
  return (text) => text.replace(macros, (macro) => (macro.length < 5 ? macro : `[[${"x".repeat(macro.length - 4)}]]`));
}
