import { indentAt, lineStart, skipSpace, skipSpaceBack } from "./surroundings.ts";
import {
  type CapturedRange,
  type Draft,
  type NodePlace,
  nameOf,
  type Place,
  type RangeCapture,
  type SymbolMatch,
  type Wrapper,
} from "./symbolMatches.ts";
import type { OffsetRange } from "./syntaxTypes.ts";

/** One element as the symbol query found it, not yet placed among the others. */
export interface Definition {
  readonly start: number;
  readonly end: number;
  /** Where the outermost node ends: with its export keyword, its decorators, its declaration. */
  readonly nodeEnd: number;
  /** True when the outermost node's subtree holds a syntax error. */
  readonly hasError: boolean;
  /** The name in a path; "" for what has none. */
  readonly name: string;
  readonly nameStart: number;
  readonly kind: string;
  /** The types it belongs to besides the element around it, the outermost first: a Go receiver's, those before a C++ member's `::`. */
  readonly owners: readonly string[];
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

/** More wrappers than an element can have; a guard against nodes that only seem to be each other's. */
const MAX_WRAPPERS = 200;

function isSameNode(a: NodePlace, b: NodePlace): boolean {
  return a.start === b.start && a.end === b.end && a.type === b.type;
}

function inOrder(ranges: readonly OffsetRange[]): OffsetRange[] {
  return [...ranges].sort((a, b) => a.start - b.start || b.end - a.end);
}

/** What was found for one node; `next` is for another node that starts there. */
interface Found<T> {
  item: T;
  pattern: number;
  readonly next: Found<T> | null;
}

type Wrappers = ReadonlyMap<number, Found<Wrapper>>;

function isBetter(a: { readonly body: Place | null }, aPattern: number, b: { readonly body: Place | null }, bPattern: number): boolean {
  if (Boolean(a.body) !== Boolean(b.body)) return a.body !== null;
  return aPattern === bPattern ? bodyStart(a) < bodyStart(b) : aPattern < bPattern;
}

/** The wrappers by where the wrapped node starts. Of two of one node, the one with a body counts, else the pattern that stands first. */
function wrappersOf(matches: readonly SymbolMatch[]): Wrappers {
  const byStart = new Map<number, Found<Wrapper>>();
  for (const { wrapper, pattern } of matches) {
    if (!wrapper) continue;
    const { start } = wrapper.wrapped;
    const first = byStart.get(start) ?? null;
    let known = first;
    while (known && !isSameNode(known.item.wrapped, wrapper.wrapped)) known = known.next;
    if (!known) byStart.set(start, { item: wrapper, pattern, next: first });
    else if (isBetter(wrapper, pattern, known.item, known.pattern)) {
      known.item = wrapper;
      known.pattern = pattern;
    }
  }
  return byStart;
}

function wrapperAround(node: NodePlace, wrappers: Wrappers): Wrapper | null {
  let found = wrappers.get(node.start) ?? null;
  while (found && !isSameNode(found.item.wrapped, node)) found = found.next;
  return found?.item ?? null;
}

/** The outermost node, and what the wrappers say of kind and body. */
function withWrappers(draft: Draft, wrappers: Wrappers): { outer: NodePlace; kind: string; body: Place | null } {
  let { node: outer, kind, body } = draft;
  let wrapper = wrapperAround(outer, wrappers);
  for (let count = 0; wrapper && count < MAX_WRAPPERS; count++) {
    outer = wrapper.node;
    kind = wrapper.kind ?? kind;
    body ??= wrapper.body;
    wrapper = wrapperAround(outer, wrappers);
  }
  return { outer, kind, body };
}

function bodyStart({ body }: Pick<Draft, "body">): number {
  return body?.start ?? Number.MAX_SAFE_INTEGER;
}

/** An element with what goes on where its node ends. */
interface Whole {
  end: number;
  hasError: boolean;
  body: Place | null;
}

/** Where the word ends that stands behind `offset` on its line. */
function wordEnd(text: string, offset: number): number {
  const word = /[ \t]*[^\s;]*/y;
  word.lastIndex = offset;
  return word.test(text) ? word.lastIndex : offset;
}

/** No language's comments begin with `@`: the mask made one of an annotation. */
function isMaskedAttribute({ capture, place }: CapturedRange, text: string): boolean {
  return capture === "comment" && text[place.start] === "@";
}

function isSameDraft(a: Draft, b: Draft): boolean {
  return isSameNode(a.node, b.node) && a.nameNode?.start === b.nameNode?.start;
}

/** One draft for each node and name: the one that tells its body, else the one that stands first in the query. */
function bestDrafts(matches: readonly SymbolMatch[]): readonly Found<Draft>[] {
  const best: Found<Draft>[] = [];
  const byStart = new Map<number, Found<Draft>>();
  for (const { draft, pattern } of matches) {
    if (!draft) continue;
    const { start } = draft.node;
    const first = byStart.get(start) ?? null;
    let known = first;
    while (known && !isSameDraft(known.item, draft)) known = known.next;
    if (!known) {
      const found: Found<Draft> = { item: draft, pattern, next: first };
      byStart.set(start, found);
      best.push(found);
    } else if (isBetter(draft, pattern, known.item, known.pattern)) {
      known.item = draft;
      known.pattern = pattern;
    }
  }
  return best;
}

/** Puts together what a symbol query found. The result does not depend on the order of `matches`; `captureNames` are the query's. */
export function definitionsOf(matches: readonly SymbolMatch[], text: string, captureNames: readonly string[]): Definitions {
  const wrappers = wrappersOf(matches);
  const lists: Record<Exclude<RangeCapture, "tail" | "marker">, OffsetRange[]> = {
    local: [],
    comment: [],
    attribute: [],
    import: [],
    "imports.after": [],
  };
  const tails = new Map<number, CapturedRange>();
  const bodyHeads = new Map<number, OffsetRange>();
  let packageClause: SymbolMatch["packageName"] = null;

  for (const { ranges, head, packageName } of matches) {
    for (const range of ranges) {
      if (range.capture === "tail" || range.capture === "marker") {
        const at = skipSpaceBack(text, range.place.start);
        const known = tails.get(at);
        if (!known || isBetter(range, range.place.end, known, known.place.end)) tails.set(at, range);
      } else lists[isMaskedAttribute(range, text) ? "attribute" : range.capture].push(range.place);
    }
    if (head) {
      const { start } = head.first;
      bodyHeads.set(start, { start, end: Math.max(head.last.end, bodyHeads.get(start)?.end ?? 0) });
    }
    if (packageName && packageName.place.start >= (packageClause?.place.start ?? 0)) packageClause = packageName;
  }
  const drafts = bestDrafts(matches);
  const namespaces = new Set<number>();
  for (const { draft } of matches) if (draft?.kind === "namespace" && draft.body) namespaces.add(draft.body.start);

  // A JavaScript statement without a semicolon takes the comment behind it along; in an indented block it is content.
  const commentStarts = new Map(lists.comment.map(({ start, end }) => [end, start]));
  const withoutComments = (end: number, isContent?: (commentStart: number) => boolean): number => {
    let at = end;
    for (let start = commentStarts.get(at); start !== undefined && !isContent?.(start); start = commentStarts.get(at)) {
      at = skipSpaceBack(text, start);
    }
    return at;
  };
  // YAML's blocks take the comments above the next element along, which stand further left.
  const isInBlock = (start: number, block: number) => (comment: number) => {
    const indent = indentAt(text, comment)?.length ?? Number.POSITIVE_INFINITY;
    return indent >= block - lineStart(text, block) && indent > start - lineStart(text, start);
  };

  const tailEnd = ({ capture, place }: CapturedRange): number =>
    capture === "tail" ? skipSpaceBack(text, place.end) : wordEnd(text, place.end);
  const withTails = ({ start, end, hasError }: NodePlace): Whole => {
    const all: Whole = { end: skipSpaceBack(text, end), hasError, body: null };
    for (let tail = tails.get(all.end); tail && tail.place.end > all.end; tail = tails.get(all.end)) {
      // What ends several elements that end together stands below the first word of its own.
      if (tail.capture === "marker" && indentAt(text, tail.place.start) !== indentAt(text, start)) break;
      const end = tailEnd(tail);
      if (end <= all.end) break;
      all.end = end;
      all.hasError ||= tail.hasError;
      all.body ??= tail.body;
    }
    return all;
  };
  // A block behind a colon begins with its first member, not with what is left of the colon's line.
  const commentEnds = new Map(lists.comment.map(({ start, end }) => [start, end]));
  const firstMember = ({ start, end }: OffsetRange): OffsetRange => {
    const next = skipSpace(text, start, end);
    const comment = /[\r\n]/.test(text.slice(start, next)) ? undefined : commentEnds.get(next);
    return { start: comment === undefined || next === start ? next : skipSpace(text, comment, end), end };
  };

  const definitionOf = (draft: Draft): Definition => {
    const { nameNode, node, owners, bodyStyle, level } = draft;
    const { outer, kind, body } = withWrappers(draft, wrappers);
    const { start, end: nodeEnd } = outer;
    const whole = withTails(outer);
    // Python's comments take the CR of a CRLF along, and so do the blocks that end with one; HTML's open elements take the white space.
    const trimmed = Math.max(start, whole.end);
    const block = bodyStyle === "indent" && body ? firstMember(body) : null;
    const end = withoutComments(trimmed, block ? isInBlock(start, block.start) : undefined);
    const nameStart = nameNode?.start ?? node.start;
    const { hasError } = whole;
    return {
      start,
      end,
      nodeEnd,
      hasError,
      name: nameOf(draft),
      nameStart,
      kind,
      owners,
      body: block ?? body ?? whole.body,
      bodyStyle,
      level,
    };
  };
  const definitions: Definition[] = [];
  const ends = new Map<number, number>();
  for (const { item } of drafts) {
    if (item.kind === "statement") continue;
    const definition = definitionOf(item);
    definitions.push(definition);
    ends.set(definition.start, Math.max(definition.end, ends.get(definition.start) ?? 0));
  }
  // Most statements are other definitions too.
  for (const { item } of drafts) {
    if (item.kind === "statement" && (ends.get(item.node.start) ?? 0) < item.node.end) definitions.push(definitionOf(item));
  }
  // Of two elements of one range (`struct S { … } s = { … };`) the members are inside the one that comes later here.
  definitions.sort((a, b) => a.start - b.start || b.end - a.end || bodyStart(b) - bodyStart(a) || a.nameStart - b.nameStart);
  return {
    definitions,
    locals: inOrder(lists.local.filter((range) => !namespaces.has(range.start))),
    comments: inOrder(lists.comment),
    attributes: inOrder(lists.attribute),
    imports: inOrder(lists.import.map(({ start, end }) => ({ start, end: withoutComments(skipSpaceBack(text, end)) }))),
    importsAfter: inOrder(lists["imports.after"]),
    bodyHeads,
    packageName: packageClause?.text ?? null,
    hasImports: captureNames.includes("import"),
  };
}
