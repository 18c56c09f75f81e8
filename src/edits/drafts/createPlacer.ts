import type { SyntaxDocument } from "../../syntax/syntax.ts";
import type { Address } from "./address.ts";
import { AstPlacer } from "./astPlacer.ts";
import { CompletePlacer } from "./completePlacer.ts";
import { LinePlacer } from "./linePlacer.ts";
import type { Placer } from "./placer.ts";

/**
 * A placer without blocks for addresses of a kind, `complete` for the whole file; null for AST paths
 * without a document. `document` holds `text`, with its paths pinned for AST paths, and is used up
 * by the placer. `isNamed` tells whether the answer so far speaks of a word as code.
 */
export function createPlacer(
  kind: Address["kind"] | "complete",
  text: string,
  document: SyntaxDocument | null,
  isNamed?: (word: string) => boolean,
): Placer | null {
  if (kind === "complete") return new CompletePlacer(text, document);
  if (kind === "lines") return new LinePlacer(text, document);
  return document ? new AstPlacer(document, isNamed) : null;
}
