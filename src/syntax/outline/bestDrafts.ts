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
  const drafts = new BestByNode<Draft>();
  const wrappers = new BestByNode<Wrapper>();
  for (const { draft, wrapper, pattern } of matches) {
    if (draft) drafts.add(draft.node, draft.nameNode?.start ?? -1, draft, pattern);
    if (wrapper) wrappers.add(wrapper.wrapped, -1, wrapper, pattern);
  }
  return drafts.all().map(({ item }) => withWrappers(item, (node) => wrappers.get(node, -1)?.item));
}

/**
 * True when `a` wins over `b`: the one with a body, else the one whose pattern comes first in the
 * query.
 */
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
  readonly node: NodePlace;
  readonly name: number;
  item: T;
  pattern: number;
}

/** The best item of each node and name, in the order in which they came. */
class BestByNode<T extends { readonly body: Place | null }> {
  private readonly byStart = new Map<number, Best<T>[]>();
  private readonly order: Best<T>[] = [];

  add(node: NodePlace, name: number, item: T, pattern: number): void {
    const known = this.get(node, name);
    if (!known) {
      const best = { node, name, item, pattern };
      const there = this.byStart.get(node.start);
      if (there) there.push(best);
      else this.byStart.set(node.start, [best]);
      this.order.push(best);
    } else if (isBetter(item, pattern, known.item, known.pattern)) {
      known.item = item;
      known.pattern = pattern;
    }
  }

  get({ start, end, type }: NodePlace, name: number): Best<T> | undefined {
    return this.byStart
      .get(start)
      ?.find(({ node, name: own }) => node.end === end && node.type === type && own === name);
  }

  all(): readonly Best<T>[] {
    return this.order;
  }
}

function withWrappers(
  draft: Draft,
  wrapperAround: (node: NodePlace) => Wrapper | undefined,
): WrappedDraft {
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
