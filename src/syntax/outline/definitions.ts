import { type OffsetRange, skipSpaceBack } from "../../base/text/scan.ts";
import type { Definition } from "../paths/definition.ts";
import { bestDrafts, bodyStart, type WrappedDraft } from "./bestDrafts.ts";
import { type ElementEnds, elementEnds } from "./elementEnds.ts";
import type { CapturedRange, Match, Place, RangeCapture } from "./matches.ts";

/** What a symbol query says about one text besides its elements. Ranges are in source order. */
export interface Marks {
  /** Ranges whose variables are local, so not elements. */
  readonly locals: readonly OffsetRange[];
  readonly comments: readonly OffsetRange[];
  readonly attributes: readonly OffsetRange[];
  readonly imports: readonly OffsetRange[];
  /** What an import section must follow, such as a package clause. */
  readonly importsAfter: readonly OffsetRange[];
  /** What must stay first in a body, such as a docstring, by start. */
  readonly bodyHeads: ReadonlyMap<number, OffsetRange>;
  readonly packageName: string | null;
  /** Where elements end. */
  readonly ends: ElementEnds;
}

/** Collects the marks among `matches`, in any order. */
export function marksOf(matches: readonly Match[], text: string): Marks {
  const { lists, tails } = sortedRanges(matches, text);
  const ends = elementEnds(text, lists.comment, tails);
  const namespaces = namespaceStarts(matches);
  return {
    locals: inOrder(lists.local.filter((range) => !namespaces.has(range.start))),
    comments: inOrder(lists.comment),
    attributes: inOrder(lists.attribute),
    imports: inOrder(
      lists.import.map(({ start, end }) => ({
        start,
        end: ends.withoutComments(skipSpaceBack(text, end)),
      })),
    ),
    importsAfter: inOrder(lists["imports.after"]),
    bodyHeads: bodyHeadsOf(matches),
    packageName: packageNameOf(matches),
    ends,
  };
}

/** The definitions among `matches`, whatever their order, in that in which they nest. */
export function definitionsOf(matches: readonly Match[], ends: ElementEnds): readonly Definition[] {
  return inNestingOrder(bestDrafts(matches).map((wrapped) => definitionOf(wrapped, ends)));
}

type Lists = Record<Exclude<RangeCapture, "tail" | "marker">, OffsetRange[]>;

/** The captured ranges by capture; tails and markers with all their facts. */
function sortedRanges(
  matches: readonly Match[],
  text: string,
): { readonly lists: Lists; readonly tails: readonly CapturedRange[] } {
  const lists: Lists = { local: [], comment: [], attribute: [], import: [], "imports.after": [] };
  const tails: CapturedRange[] = [];
  for (const { ranges } of matches) {
    for (const range of ranges) {
      if (range.capture === "tail" || range.capture === "marker") tails.push(range);
      else lists[isMaskedAttribute(range, text) ? "attribute" : range.capture].push(range.place);
    }
  }
  return { lists, tails };
}

/** No language's comments begin with `@`: this is an annotation that the mask turned into one. */
function isMaskedAttribute({ capture, place }: CapturedRange, text: string): boolean {
  return capture === "comment" && text[place.start] === "@";
}

function inOrder(ranges: readonly OffsetRange[]): OffsetRange[] {
  return [...ranges].sort((a, b) => a.start - b.start || b.end - a.end);
}

/** Where the bodies of namespaces begin: their contents are not local. */
function namespaceStarts(matches: readonly Match[]): ReadonlySet<number> {
  const starts = new Set<number>();
  for (const { draft } of matches)
    if (draft?.kind === "namespace" && draft.body) starts.add(draft.body.start);
  return starts;
}

function bodyHeadsOf(matches: readonly Match[]): ReadonlyMap<number, OffsetRange> {
  const heads = new Map<number, OffsetRange>();
  for (const { head } of matches) {
    if (!head) continue;
    const { start } = head.first;
    heads.set(start, { start, end: Math.max(head.last.end, heads.get(start)?.end ?? 0) });
  }
  return heads;
}

/** The last package clause wins. */
function packageNameOf(matches: readonly Match[]): string | null {
  let last: Match["packageName"] = null;
  for (const { packageName } of matches) {
    if (packageName && packageName.place.start >= (last?.place.start ?? 0)) last = packageName;
  }
  return last?.text ?? null;
}

/**
 * When two elements share a range (`struct S { … } s = { … };`), the later one here gets the
 * members.
 */
function inNestingOrder(definitions: readonly Definition[]): readonly Definition[] {
  return [...definitions].sort(
    (a, b) =>
      a.start - b.start ||
      b.end - a.end ||
      bodyStart(b) - bodyStart(a) ||
      a.nameStart - b.nameStart,
  );
}

/** A copy: places move with later edits. */
function ownRange(place: Place | null): OffsetRange | null {
  return place && { start: place.start, end: place.end };
}

function definitionOf({ draft, outer, kind, body }: WrappedDraft, ends: ElementEnds): Definition {
  const { nameNode, node, owners, bodyStyle, level, isDeclaration } = draft;
  const { start, end: nodeEnd } = outer;
  const whole = ends.withTails(outer);
  // Nodes may end with white space: a CR after Python's comments, anything after HTML's open
  // elements.
  const trimmed = Math.max(start, whole.end);
  const block = bodyStyle === "indent" && body ? ends.firstMember(body) : null;
  return {
    start,
    end: ends.withoutComments(trimmed, block ? ends.isInBlock(start, block.start) : undefined),
    nodeEnd,
    isUncertain: whole.hasError,
    name: draft.name,
    nameStart: nameNode?.start ?? node.start,
    kind,
    owners,
    body: block ?? ownRange(body ?? whole.body),
    bodyStyle,
    level,
    // Outside of its class, a member is defined.
    isDeclaration: isDeclaration || (kind === "declaration" && owners.length === 0),
  };
}
