/** The outline's words for the editor's kinds, in the order of https://code.visualstudio.com/api/references/vscode-api#SymbolKind. */
const KINDS = [
  "file",
  "module",
  "namespace",
  "package",
  "class",
  "method",
  "property",
  "property",
  "constructor",
  "enum",
  "interface",
  "function",
  "variable",
  "constant",
  "string",
  "number",
  "boolean",
  "array",
  "object",
  "key",
  "null",
  "enum-member",
  "struct",
  "event",
  "operator",
  "type-parameter",
] as const;

/** The outline's word for one of the editor's kinds of symbols. */
export function symbolKind(kind: number): string {
  return KINDS[kind] ?? "symbol";
}
