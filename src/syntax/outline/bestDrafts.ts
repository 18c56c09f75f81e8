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
  const drafts = best(
    matches,
    ({ draft }) => draft,
    ({ node, nameNode }) => `${keyOf(node)}:${nameNode?.start}`,
  );
  const wrappers = best(
    matches,
    ({ wrapper }) => wrapper,
    ({ wrapped }) => keyOf(wrapped),
  );
  return [...drafts.values()].map(({ item }) => withWrappers(item, (node) => wrappers.get(keyOf(node))?.item));
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
  readonly item: T;
  readonly pattern: number;
}

/** The best item of each key. */
function best<T extends { readonly body: Place | null }>(
  matches: readonly Match[],
  itemOf: (match: Match) => T | null,
  keyOfItem: (item: T) => string,
): ReadonlyMap<string, Best<T>> {
  const found = new Map<string, Best<T>>();
  for (const match of matches) {
    const item = itemOf(match);
    if (!item) continue;
    const { pattern } = match;
    const key = keyOfItem(item);
    const known = found.get(key);
    if (!known || isBetter(item, pattern, known.item, known.pattern)) found.set(key, { item, pattern });
  }
  return found;
}

function keyOf({ start, end, type }: NodePlace): string {
  return `${start}:${end}:${type}`;
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
