/**
 * The outline's words for {@link https://code.visualstudio.com/api/references/vscode-api#SymbolKind
 * | SymbolKind}, in its order.
 */
const KINDS =
  "file module namespace package class method property property constructor enum interface function variable constant string number boolean array object key null enum-member struct event operator type-parameter".split(
    " ",
  );

/** The outline's word for one of the editor's symbol kinds. */
export function symbolKind(kind: number): string {
  return KINDS[kind] ?? "symbol";
}
