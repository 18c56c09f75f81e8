import type { Localize } from "../../base/localize.ts";
import type { CodePlace } from "../../edits/propose/codePlaces.ts";
import type { LineSpan } from "../../ports/editorState.ts";

/** A place in a file, to choose among several: what would be done there, and where that is. */
export function placeLabel(
  t: Localize,
  place: Exclude<CodePlace, { kind: "address" }>,
): { readonly label: string; readonly description: string } {
  switch (place.kind) {
    case "element":
      return {
        label: t("Replace {element}", { element: place.path }),
        description: lines(t, place),
      };
    case "selection":
      return { label: t("Replace the selection"), description: lines(t, place) };
    case "cursor":
      return {
        label: t("Insert at the cursor"),
        description: t("line {line}", { line: place.line }),
      };
    case "end":
      return { label: t("Insert at the end of the file"), description: "" };
    case "file":
      return { label: t("Replace the whole file"), description: "" };
  }
}

function lines(t: Localize, { first, last }: LineSpan): string {
  return first === last
    ? t("line {line}", { line: first })
    : t("lines {first}–{last}", { first, last });
}
