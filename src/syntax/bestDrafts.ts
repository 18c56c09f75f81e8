import type { Draft, NodePlace, Place, SymbolMatch, Wrapper } from "./symbolMatches.ts";

/** A draft of an element with its wrappers around it. */
export interface WrappedDraft {
  readonly draft: Draft;
  /** The outermost node. */
  readonly outer: NodePlace;
  /** What the outermost wrapper that tells a kind says; else the draft's own. */
  readonly kind: string;
  /** The draft's own body; else the innermost wrapper's that tells one. */
  readonly body: Place | null;
}

/** More wrappers than an element can have; a guard against nodes that only seem to be each other's. */
const MAX_WRAPPERS = 200;

function isSameNode(a: NodePlace, b: NodePlace): boolean {
  return a.start === b.start && a.end === b.end && a.type === b.type;
}

/** What was found for one node; `next` is for another node that starts there. */
interface Found<T> {
  item: T;
  pattern: number;
  readonly next: Found<T> | null;
}

type Wrappers = ReadonlyMap<number, Found<Wrapper>>;

/** True when the first of two for one node counts: the one that tells its body, else the one whose pattern stands first in the query. */
export function isBetter(
  a: { readonly body: Place | null },
  aPattern: number,
  b: { readonly body: Place | null },
  bPattern: number,
): boolean {
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

function withWrappers(draft: Draft, wrappers: Wrappers): WrappedDraft {
  let { node: outer, kind, body } = draft;
  let wrapper = wrapperAround(outer, wrappers);
  for (let count = 0; wrapper && count < MAX_WRAPPERS; count++) {
    outer = wrapper.node;
    kind = wrapper.kind ?? kind;
    body ??= wrapper.body;
    wrapper = wrapperAround(outer, wrappers);
  }
  return { draft, outer, kind, body };
}

/** Where a body begins; behind everything for none. */
export function bodyStart({ body }: Pick<Draft, "body">): number {
  return body?.start ?? Number.MAX_SAFE_INTEGER;
}

function isSameDraft(a: Draft, b: Draft): boolean {
  return isSameNode(a.node, b.node) && a.nameNode?.start === b.nameNode?.start;
}

/** One draft for each node and name, the one that {@link isBetter}, in its wrappers. */
export function bestDrafts(matches: readonly SymbolMatch[]): readonly WrappedDraft[] {
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
  const wrappers = wrappersOf(matches);
  return best.map(({ item }) => withWrappers(item, wrappers));
}
