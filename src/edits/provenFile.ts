import type { Opener } from "./blocks/parseOpener.ts";
import { linesOf } from "./drafts/address.ts";

/**
 * The file of an opener that is an edit in any text, also of one who only may know the format: it
 * names an element and the file, or lines and how the first and the last of them begin, and the
 * file. Null for any other.
 */
export function provenFile(opener: Opener): string | null {
  if (opener.kind !== "address") return null;
  const lines = linesOf(opener.address);
  const ends = lines && lines.start < lines.end ? 2 : lines ? 1 : 0;
  return opener.checks.length < ends ? null : opener.file;
}
