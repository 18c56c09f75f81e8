import type { Draft, Match, NodePlace, Place, Wrapper } from "./matches.ts";

/** A draft of an element with its wrappers around it. */
export interface WrappedDraft {
  readonly draft: Draft;
  /** The outermost node. */
  readonly outer: NodePlace;
  /** The outermost wrapper's kind that has one; else the draft's own. */
  readonly kind: string;
  /** The draft's own body; else the innermost wrapper's that has one. */
  readonly body: Place | null;
}

/** More wrappers than an element can have: a guard against cycles. */
const MAX_WRAPPERS = 200;

/** The best draft for each node and name, with its wrappers. */
export function bestDrafts(matches: readonly Match[]): readonly WrappedDraft[] {
  const isSameDraft = (a: Draft, b: Draft) => isSameNode(a.node, b.node) && a.nameNode?.start === b.nameNode?.start;
  const drafts = bestByStart(
    matches,
    ({ draft }) => draft,
    ({ node }) => node.start,
    isSameDraft,
  );
  const wrappers = bestByStart(
    matches,
    ({ wrapper }) => wrapper,
    ({ wrapped }) => wrapped.start,
    (a, b) => isSameNode(a.wrapped, b.wrapped),
  );
  const wrapperAround = (node: NodePlace) => wrappers.get(node.start)?.find(({ item }) => isSameNode(item.wrapped, node))?.item;
  return [...drafts.values()].flatMap((best) => best.map(({ item }) => withWrappers(item, wrapperAround)));
}

/** True when `a` wins over `b`: the one with a body, else the one whose pattern comes first in the query. */
export function isBetter(
  a: { readonly body: Place | null },
  aPattern: number,
  b: { readonly body: Place | null },
  bPattern: number,
): boolean {
  if (Boolean(a.body) !== Boolean(b.body)) return a.body !== null;
  return aPattern === bPattern ? bodyStart(a) < bodyStart(b) : aPattern < bPattern;
}

/** Where a body begins; after everything for none. */
export function bodyStart({ body }: Pick<Draft, "body">): number {
  return body?.start ?? Number.MAX_SAFE_INTEGER;
}

interface Best<T> {
  item: T;
  pattern: number;
}

/** The best item of each group that `isSame`, by start: building a key for each item would cost too much. */
function bestByStart<T extends { readonly body: Place | null }>(
  matches: readonly Match[],
  itemOf: (match: Match) => T | null,
  startOf: (item: T) => number,
  isSame: (a: T, b: T) => boolean,
): ReadonlyMap<number, readonly Best<T>[]> {
  const byStart = new Map<number, Best<T>[]>();
  for (const match of matches) {
    const item = itemOf(match);
    if (!item) continue;
    const { pattern } = match;
    const there = byStart.get(startOf(item));
    const known = there?.find((best) => isSame(best.item, item));
    if (!there) byStart.set(startOf(item), [{ item, pattern }]);
    else if (!known) there.push({ item, pattern });
    else if (isBetter(item, pattern, known.item, known.pattern)) Object.assign(known, { item, pattern });
  }
  return byStart;
}

function isSameNode(a: NodePlace, b: NodePlace): boolean {
  return a.start === b.start && a.end === b.end && a.type === b.type;
}

function withWrappers(draft: Draft, wrapperAround: (node: NodePlace) => Wrapper | undefined): WrappedDraft {
  let { node: outer, kind, body } = draft;
  let wrapper = wrapperAround(outer);
  for (let count = 0; wrapper && count < MAX_WRAPPERS; count++) {
    outer = wrapper.node;
    kind = wrapper.kind ?? kind;
    body ??= wrapper.body;
    wrapper = wrapperAround(outer);
  }
  return { draft, outer, kind, body };
}
