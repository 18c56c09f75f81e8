import { EditedFile } from "../../../src/edits/place/editedFile.ts";
import type { SyntaxDocument } from "../../../src/syntax/syntax.ts";
import { fileSnapshot } from "../workspace/fileSnapshot.ts";

/** A file as edits find it. */
export function openFile(
  path: string,
  text: string,
  document: SyntaxDocument | null = null,
): EditedFile {
  return new EditedFile(fileSnapshot(path, text).file, text, document);
}
