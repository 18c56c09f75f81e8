/** Kinds of elements whose inside is their own matter. */
export const CALLABLE: ReadonlySet<string> = new Set([
  ...["accessor", "constructor", "function", "method"],
]);

/** Kinds that hold statements, which may repeat. */
export const HOLDS_STATEMENTS: ReadonlySet<string> = new Set([...CALLABLE, "file", "test"]);
