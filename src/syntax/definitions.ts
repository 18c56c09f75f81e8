import type { Node, Query, QueryMatch } from "web-tree-sitter";
import { indentAt, lineStart, skipSpaceBack } from "./surroundings.ts";
import type { OffsetRange } from "./syntaxTypes.ts";

/** One element as the symbol query found it, not yet placed among the others. */
export interface Definition {
  /** The outermost node: with its export keyword, its decorators, its declaration. */
  readonly node: Node;
  readonly start: number;
  readonly end: number;
  /** The name as it stands in the source. */
  readonly rawName: string;
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

interface Draft extends Omit<Definition, "node" | "start" | "end"> {
  readonly node: Node;
  readonly pattern: number;
}

function rangeOf(node: Node): OffsetRange {
  return { start: node.startIndex, end: node.endIndex };
}

function inOrder(ranges: readonly OffsetRange[]): OffsetRange[] {
  return [...ranges].sort((a, b) => a.start - b.start || b.end - a.end);
}

function rawNameOf(match: QueryMatch, captures: ReadonlyMap<string, Node>, definition: Node, text: string): string | null {
  const name = captures.get("name");
  const prefix = match.setProperties?.prefix ?? "";
  if (name) return text.slice(name.startIndex + (text.startsWith(prefix, name.startIndex) ? prefix.length : 0), name.endIndex);
  const end = captures.get("name.end");
  if (end) return text.slice(definition.startIndex, end.startIndex);
  return match.setProperties?.name ?? null;
}

function bodyOf(captures: ReadonlyMap<string, Node>): Pick<Draft, "body" | "bodyStyle"> {
  const indented = captures.get("body.indent");
  if (indented) return { body: rangeOf(indented), bodyStyle: "indent" };
  const head = captures.get("body.rest");
  if (head) return { body: { start: head.endIndex, end: Number.POSITIVE_INFINITY }, bodyStyle: "rest" };
  const open = captures.get("body.open");
  const close = captures.get("body.close");
  if (open && close) return { body: { start: open.endIndex, end: close.startIndex }, bodyStyle: "between" };
  const body = captures.get("body");
  return { body: body ? rangeOf(body) : null, bodyStyle: "braces" };
}

/** What stands around an element and is part of it. A C++ function's also tells the kind and the body of its declarator. */
interface Wrapper {
  readonly node: Node;
  readonly kind: string | null;
  readonly body: OffsetRange | null;
}

function wrapperOf(node: Node, captures: ReadonlyMap<string, Node>): Wrapper {
  const definition = [...captures.keys()].find((capture) => capture.startsWith("definition."));
  return { node, kind: definition?.slice("definition.".length) ?? null, body: bodyOf(captures).body };
}

function withWrappers(draft: Draft, wrappers: ReadonlyMap<number, Wrapper>): Draft {
  let { node, kind, body } = draft;
  for (let outer = wrappers.get(node.id); outer; outer = wrappers.get(node.id)) {
    node = outer.node;
    kind = outer.kind ?? kind;
    body ??= outer.body;
  }
  return { ...draft, node, kind, body };
}

function draftOf(match: QueryMatch, captures: ReadonlyMap<string, Node>, text: string): Draft | null {
  const owners = match.captures.filter(({ name }) => name === "owner").map(({ node }) => text.slice(node.startIndex, node.endIndex));
  const common = { owners, pattern: match.patternIndex };
  for (const [capture, node] of captures) {
    const isSection = capture === "section";
    if (!isSection && !capture.startsWith("definition.")) continue;
    const rawName = rawNameOf(match, captures, node, text);
    if (rawName === null) return null;
    if (isSection) {
      const level = Number(match.setProperties?.level ?? 1);
      return { ...common, rawName, node, kind: "heading", body: null, bodyStyle: "section", level };
    }
    return { ...common, rawName, node, kind: capture.slice("definition.".length), ...bodyOf(captures), level: 0 };
  }
  return null;
}

function isBetter(draft: Draft, known: Draft): boolean {
  return Boolean(draft.body) === Boolean(known.body) ? draft.pattern < known.pattern : draft.body !== null;
}

function bodyStart({ body }: Pick<Draft, "body">): number {
  return body?.start ?? Number.MAX_SAFE_INTEGER;
}

/**
 * Runs a symbol query over a tree. Where several patterns find the same element, one that tells its body counts, else the one that
 * stands first in the query.
 */
export function collectDefinitions(query: Query, root: Node, text: string, giveUp: () => boolean): Definitions {
  const drafts = new Map<string, Draft>();
  const wrappers = new Map<number, Wrapper>();
  const lists: Record<"local" | "comment" | "attribute" | "import" | "imports.after", OffsetRange[]> = {
    local: [],
    comment: [],
    attribute: [],
    import: [],
    "imports.after": [],
  };
  const namespaces = new Set<number>();
  const tails = new Map<number, number>();
  const bodyHeads = new Map<number, OffsetRange>();
  let packageName: string | null = null;

  for (const match of query.matches(root, { progressCallback: giveUp })) {
    const captures = new Map<string, Node>();
    for (const { name, node } of match.captures) {
      captures.set(name, node);
      if (name === "local" || name === "comment" || name === "attribute" || name === "import" || name === "imports.after") {
        lists[name].push(rangeOf(node));
      } else if (name === "body.head") bodyHeads.set(node.startIndex, rangeOf(node));
      else if (name === "tail") tails.set(node.startIndex, node.endIndex);
      else if (name === "package") packageName = text.slice(node.startIndex, node.endIndex);
    }
    const head = captures.get("body.head");
    const headEnd = captures.get("body.head.end");
    if (head) bodyHeads.set(head.startIndex, { start: head.startIndex, end: (headEnd ?? head).endIndex });
    const wrapper = captures.get("wrapper");
    const wrapped = captures.get("wrapped");
    if (wrapper && wrapped && !wrappers.get(wrapped.id)?.body) wrappers.set(wrapped.id, wrapperOf(wrapper, captures));
    const draft = draftOf(match, captures, text);
    if (!draft) continue;
    if (draft.kind === "namespace" && draft.body) namespaces.add(draft.body.start);
    const key = `${draft.node.id}:${captures.get("name")?.startIndex}`;
    const known = drafts.get(key);
    if (!known || isBetter(draft, known)) drafts.set(key, draft);
  }

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

  const withTails = (end: number): number => {
    let at = end;
    for (let tail = tails.get(at); tail !== undefined && tail > at; tail = tails.get(at)) at = tail;
    return at;
  };

  const definitions = [...drafts.values()].map((inner): Definition => {
    const draft = withWrappers(inner, wrappers);
    const { node } = draft;
    // Python's comments take the CR of a CRLF along, and so do the blocks that end with one; HTML's open elements take the white space.
    const end = Math.max(node.startIndex, skipSpaceBack(text, withTails(node.endIndex)));
    const block = draft.bodyStyle === "indent" ? draft.body : null;
    return {
      ...draft,
      node,
      start: node.startIndex,
      end: withoutComments(end, block ? isInBlock(node.startIndex, block.start) : undefined),
    };
  });
  // Of two elements of one range (`struct S { … } s = { … };`) the members are inside the one that comes later here.
  definitions.sort((a, b) => a.start - b.start || b.end - a.end || bodyStart(b) - bodyStart(a));
  return {
    definitions,
    locals: inOrder(lists.local.filter((range) => !namespaces.has(range.start))),
    comments: inOrder(lists.comment),
    attributes: inOrder(lists.attribute),
    imports: inOrder(lists.import.map(({ start, end }) => ({ start, end: withoutComments(skipSpaceBack(text, end)) }))),
    importsAfter: inOrder(lists["imports.after"]),
    bodyHeads,
    packageName,
    hasImports: query.captureNames.includes("import"),
  };
}
