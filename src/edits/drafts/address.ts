import type { EditBlock } from "../../turns/editBlock.ts";

/** What a block does at its address, `replace` by default; `complete` where it is the whole file. */
export type EditOp = Exclude<
  EditBlock["op"],
  "delete" | "rename" | "make-executable" | "make-plain"
>;

/** Lines as an address names them: 1-based and inclusive. */
export interface AddressedLines {
  readonly start: number;
  readonly end: number;
}

/**
 * The place a block is for: lines, 1-based and inclusive, or an element, or lines of the snapshot
 * inside an element.
 */
export type Address =
  | ({ readonly kind: "lines" } & AddressedLines)
  | { readonly kind: "ast"; readonly path: string; readonly lines?: AddressedLines };

/** The lines that an address names; null for a whole element. */
export function linesOf(address: Address): AddressedLines | null {
  return address.kind === "lines" ? address : (address.lines ?? null);
}

/** The address with other lines. */
export function withLines(address: Address, { start, end }: AddressedLines): Address {
  return address.kind === "lines"
    ? { kind: "lines", start, end }
    : { ...address, lines: { start, end } };
}
