import { skipSpaceBack } from "../base/text/scan.ts";
import { bestDrafts, bodyStart, type WrappedDraft } from "./bestDrafts.ts";
import { type ElementEnds, elementEnds } from "./elementEnds.ts";
import type { Named } from "./elementPaths.ts";
import { type CapturedRange, nameOf, type RangeCapture, type SymbolMatch } from "./symbolMatches.ts";
import type { OffsetRange } from "./syntaxTypes.ts";

/** One element as the symbol query found it, not yet placed among the others. */
export interface Definition extends Named {
  /** Where the outermost node ends: with its export keyword, its decorators, its declaration. */
  readonly nodeEnd: number;
  /** True when the outermost node's subtree holds a syntax error. */
  readonly hasError: boolean;
  readonly nameStart: number;
  readonly kind: string;
  readonly body: OffsetRange | null;
  /** `between`: the body is what stands between two nodes, such as a parameter list and an `end`. */
  readonly bodyStyle: "braces" | "between" | "indent" | "rest" | "section";
  /** A heading's level from 1 to 6, else 0. */
  readonly level: number;
}

/** Everything a symbol query says about one text. Ranges are in source order. */
export interface Definitions {
  readonly definitions: readonly Definition[];
  /** Ranges in which variables are local and therefore no elements. */
  readonly locals: readonly OffsetRange[];
  readonly comments: readonly OffsetRange[];
  readonly attributes: readonly OffsetRange[];
  readonly imports: readonly OffsetRange[];
  /** What an import section stands behind. */
  readonly importsAfter: readonly OffsetRange[];
  /** What must stay first in a body, such as a docstring, by its start. */
  readonly bodyHeads: ReadonlyMap<number, OffsetRange>;
  readonly packageName: string | null;
  /** False in a language that knows no imports. */
  readonly hasImports: boolean;
}

/** Puts together what a symbol query found. The result does not depend on the order of `matches`; `captureNames` are the query's. */
export function definitionsOf(matches: readonly SymbolMatch[], text: string, captureNames: readonly string[]): Definitions {
  const { lists, tails } = sortedRanges(matches, text);
  const ends = elementEnds(text, lists.comment, tails);
  const namespaces = namespaceStarts(matches);
  return {
    definitions: placedDefinitions(bestDrafts(matches), ends),
    locals: inOrder(lists.local.filter((range) => !namespaces.has(range.start))),
    comments: inOrder(lists.comment),
    attributes: inOrder(lists.attribute),
    imports: inOrder(lists.import.map(({ start, end }) => ({ start, end: ends.withoutComments(skipSpaceBack(text, end)) }))),
    importsAfter: inOrder(lists["imports.after"]),
    bodyHeads: bodyHeadsOf(matches),
    packageName: packageNameOf(matches),
    hasImports: captureNames.includes("import"),
  };
}

type Lists = Record<Exclude<RangeCapture, "tail" | "marker">, OffsetRange[]>;

/** The captured ranges by what they are; of tails and markers all that was captured. */
function sortedRanges(matches: readonly SymbolMatch[], text: string): { readonly lists: Lists; readonly tails: readonly CapturedRange[] } {
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

/** No language's comments begin with `@`: the mask made one of an annotation. */
function isMaskedAttribute({ capture, place }: CapturedRange, text: string): boolean {
  return capture === "comment" && text[place.start] === "@";
}

function inOrder(ranges: readonly OffsetRange[]): OffsetRange[] {
  return [...ranges].sort((a, b) => a.start - b.start || b.end - a.end);
}

/** Where the bodies of namespaces begin: what is in them is not local. */
function namespaceStarts(matches: readonly SymbolMatch[]): ReadonlySet<number> {
  return new Set(matches.flatMap(({ draft }) => (draft?.kind === "namespace" && draft.body ? [draft.body.start] : [])));
}

function bodyHeadsOf(matches: readonly SymbolMatch[]): ReadonlyMap<number, OffsetRange> {
  const heads = new Map<number, OffsetRange>();
  for (const { head } of matches) {
    if (!head) continue;
    const { start } = head.first;
    heads.set(start, { start, end: Math.max(head.last.end, heads.get(start)?.end ?? 0) });
  }
  return heads;
}

/** The last one counts. */
function packageNameOf(matches: readonly SymbolMatch[]): string | null {
  let last: SymbolMatch["packageName"] = null;
  for (const { packageName } of matches) {
    if (packageName && packageName.place.start >= (last?.place.start ?? 0)) last = packageName;
  }
  return last?.text ?? null;
}

function placedDefinitions(drafts: readonly WrappedDraft[], elementEnds: ElementEnds): readonly Definition[] {
  const definitions: Definition[] = [];
  const ends = new Map<number, number>();
  for (const wrapped of drafts) {
    if (wrapped.draft.kind === "statement") continue;
    const definition = definitionOf(wrapped, elementEnds);
    definitions.push(definition);
    ends.set(definition.start, Math.max(definition.end, ends.get(definition.start) ?? 0));
  }
  // Most statements are other definitions too.
  for (const wrapped of drafts) {
    const { kind, node } = wrapped.draft;
    if (kind === "statement" && (ends.get(node.start) ?? 0) < node.end) definitions.push(definitionOf(wrapped, elementEnds));
  }
  // Of two elements of one range (`struct S { … } s = { … };`) the members are inside the one that comes later here.
  return definitions.sort((a, b) => a.start - b.start || b.end - a.end || bodyStart(b) - bodyStart(a) || a.nameStart - b.nameStart);
}

function definitionOf({ draft, outer, kind, body }: WrappedDraft, ends: ElementEnds): Definition {
  const { nameNode, node, owners, bodyStyle, level } = draft;
  const { start, end: nodeEnd } = outer;
  const whole = ends.withTails(outer);
  // Python's comments take the CR of a CRLF along, and so do the blocks that end with one; HTML's open elements take the white space.
  const trimmed = Math.max(start, whole.end);
  const block = bodyStyle === "indent" && body ? ends.firstMember(body) : null;
  return {
    start,
    end: ends.withoutComments(trimmed, block ? ends.isInBlock(start, block.start) : undefined),
    nodeEnd,
    hasError: whole.hasError,
    name: nameOf(draft),
    nameStart: nameNode?.start ?? node.start,
    kind,
    owners,
    body: block ?? body ?? whole.body,
    bodyStyle,
    level,
  };
}
