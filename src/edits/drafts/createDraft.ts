import type { SyntaxDocument } from "../../syntax/syntax.ts";
import type { Address } from "./address.ts";
import { AstDraft } from "./astDraft.ts";
import { CompleteDraft } from "./completeDraft.ts";
import type { Draft } from "./draft.ts";
import { LineDraft } from "./lineDraft.ts";

/**
 * An empty draft for addresses of a kind, `complete` for the whole file; null for AST paths without
 * a document. `document` holds `text`, with its paths pinned for AST paths, and is used up by the
 * draft. `isNamed` tells whether the answer so far speaks of a word as code.
 */
export function createDraft(
  kind: Address["kind"] | "complete",
  text: string,
  document: SyntaxDocument | null,
  isNamed?: (word: string) => boolean,
): Draft | null {
  if (kind === "complete") return new CompleteDraft(text, document);
  if (kind === "lines") return new LineDraft(text, document);
  return document ? new AstDraft(document, isNamed) : null;
}
