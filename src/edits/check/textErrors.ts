import type { OffsetRange } from "../../base/text/scan.ts";
import { jsonKind } from "./jsonText.ts";
import { addedPythonErrors, PYTHON_LINES } from "./pythonLines.ts";

/** JSON files that may have comments and a comma at an end. */
const LOOSE_JSON =
  /(?:^|\/)(?:[jt]sconfig[^/]*\.json|\.(?:babel|eslint|jshint|prettier|stylelint|swc)rc(?:\.json)?|(?:deno|devcontainer)\.json|[^/]*\.(?:jsonc|json5|code-workspace|code-snippets))$|(?:^|\/)\.(?:vscode|devcontainer|zed)\//i;
/** JSON files by other names than the grammar's. */
const JSON_NAME =
  /\.(?:ipynb|sarif|har|avsc|gltf|topojson|jsonld|tfstate)$|(?:^|\/)(?:composer|flake|pipfile)\.lock$/i;

/** The blocks, by their ranges in `after`, that add an error to Python's lines or to JSON. */
export function addedTextErrors(
  path: string,
  before: string,
  after: string,
  ranges: ReadonlyMap<string, OffsetRange>,
): ReadonlySet<string> {
  if (PYTHON_LINES.test(path)) return addedPythonErrors(before, after, ranges);
  const at = addedJsonError(path, before, after);
  return at === null ? new Set() : nearest(at, ranges);
}

/** The offset in `after` where it is no longer the JSON that `before` is; null if it is. */
function addedJsonError(path: string, before: string, after: string): number | null {
  const isNew = before.trim() === "" && JSON_NAME.test(path);
  if (!isNew && !/^\s*[[{]/.test(before)) return null;
  const was = isNew ? "strict" : jsonKind(before).kind;
  if (was === "none" || after.trim() === "") return null;
  const { kind, at } = jsonKind(after);
  if (kind === "none") return at;
  return was === "strict" && kind === "loose" && !LOOSE_JSON.test(path) ? at : null;
}

/** The blocks that an offset is in, or the nearest to it. */
function nearest(at: number, ranges: ReadonlyMap<string, OffsetRange>): ReadonlySet<string> {
  const distances = [...ranges].map(([blockId, { start, end }]) => ({
    blockId,
    distance: Math.max(0, start - at, at - end),
  }));
  const least = Math.min(...distances.map(({ distance }) => distance));
  return new Set(
    distances.flatMap(({ blockId, distance }) => (distance === least ? [blockId] : [])),
  );
}
