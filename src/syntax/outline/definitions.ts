import {
  indentAt,
  lineStart,
  type OffsetRange,
  skipSpace,
  skipSpaceBack,
} from "../../base/text/scan.ts";
import { type Element, UNNAMED } from "../paths/element.ts";
import { commentEndAt, type Marks, tailsAt, withoutComments } from "./marks.ts";
import type { CapturedNode, Match } from "./matches.ts";

/** More wrappers than an element can have: a guard against cycles. */
const MAX_WRAPPERS = 200;

/** The definitions among `matches`, whatever their order, in that in which they nest. */
export function definitionsOf(matches: readonly Match[], marks: Marks): readonly Element[] {
  const wrappers = bestOf(matches.filter(({ wrapped }) => wrapped));
  const found = bestOf(matches.filter(({ wrapped }) => !wrapped));
  const definitions = [...found.values()]
    .flat()
    .flatMap((match) => (match.node ? [definitionOf(match, match.node, wrappers, marks)] : []));
  // When two elements share a range (`struct S { … } s = { … };`), the later one here gets the
  // members.
  return definitions.sort(
    (a, b) =>
      a.start - b.start ||
      b.end - a.end ||
      bodyStart(b.body) - bodyStart(a.body) ||
      a.nameStart - b.nameStart,
  );
}

/** Where a body begins; after everything for none. */
function bodyStart(body: OffsetRange | null): number {
  return body?.start ?? Number.MAX_SAFE_INTEGER;
}

/** The best match of each definition, or of the wrapper of each node, by where that begins. */
function bestOf(matches: readonly Match[]): ReadonlyMap<number, readonly Match[]> {
  const byStart = new Map<number, Match[]>();
  for (const match of matches) {
    const subject = match.wrapped ?? match.node;
    if (!subject) continue;
    const there = byStart.get(subject.start);
    const at = there?.findIndex((other) => isSame(other, match)) ?? -1;
    const known = there?.[at];
    if (!there) byStart.set(subject.start, [match]);
    else if (!known) there.push(match);
    else if (isBetter(match.node, match.pattern, known.node, known.pattern)) there[at] = match;
  }
  return byStart;
}

function isSame(a: Match, b: Match): boolean {
  const [one, other] = [a.wrapped ?? a.node, b.wrapped ?? b.node];
  return (
    one?.end === other?.end &&
    one?.type === other?.type &&
    (a.nameNode?.start ?? -1) === (b.nameNode?.start ?? -1)
  );
}

/**
 * True when `a` wins over `b`: the one with a body, else the one of the lower rank, such as that of
 * the pattern that comes first in the query.
 */
function isBetter(
  a: CapturedNode | null,
  aRank: number,
  b: CapturedNode | null,
  bRank: number,
): boolean {
  const [one, other] = [a?.body ?? null, b?.body ?? null];
  if (Boolean(one) !== Boolean(other)) return one !== null;
  return aRank === bRank ? bodyStart(one) < bodyStart(other) : aRank < bRank;
}

function wrapperOf(
  { start, end, type }: CapturedNode,
  wrappers: ReadonlyMap<number, readonly Match[]>,
): Match | undefined {
  return wrappers.get(start)?.find(({ wrapped }) => wrapped?.end === end && wrapped.type === type);
}

function definitionOf(
  match: Match,
  node: CapturedNode,
  wrappers: ReadonlyMap<number, readonly Match[]>,
  marks: Marks,
): Element {
  const { nameNode, name, owners, bodyStyle, level } = match;
  let outer = node;
  let kind = match.kind ?? "";
  let { body } = node;
  for (let count = 0; count < MAX_WRAPPERS; count++) {
    const wrapper = wrapperOf(outer, wrappers);
    if (!wrapper?.node) break;
    outer = wrapper.node;
    kind = wrapper.kind ?? kind;
    body ??= outer.body;
  }
  const { start, end: nodeEnd } = outer;
  const whole = withTails(outer, marks);
  // Nodes may end with white space: a CR after Python's comments, anything after HTML's open
  // elements.
  const trimmed = Math.max(start, whole.end);
  const block = bodyStyle === "indent" && body ? firstMember(body, marks) : null;
  const own = body ?? whole.body;
  const isContent = block ? isInBlock(marks.text, start, block.start) : undefined;
  const end = withoutComments(marks, trimmed, isContent);
  return {
    start,
    end,
    nodeEnd,
    isUncertain: whole.hasError,
    name,
    nameStart: nameNode?.start ?? node.start,
    kind,
    owners,
    // A copy: what a match has moves with later edits.
    body: block ?? (own && { start: own.start, end: own.end }),
    bodyStyle,
    level,
    // Outside of its class, a member is defined.
    isDeclaration: match.isDeclaration || (kind === "declaration" && owners.length === 0),
    range: { start, end },
    parent: -1,
    path: "",
    segmentStarts: UNNAMED,
    names: UNNAMED,
  };
}

/** The node with what continues it: its tails, with their body, and an end marker of its own. */
function withTails(
  node: CapturedNode,
  marks: Marks,
): Pick<CapturedNode, "end" | "hasError" | "body"> {
  const { text } = marks;
  let { hasError } = node;
  let end = skipSpaceBack(text, node.end);
  let body: CapturedNode["body"] = null;
  for (let tail = bestTail(marks, end); tail; tail = bestTail(marks, end)) {
    // Of several elements that end together, an end marker belongs to the one with its indent.
    if (tail.capture === "marker" && indentAt(text, tail.start) !== indentAt(text, node.start))
      break;
    const next = tail.capture === "tail" ? skipSpaceBack(text, tail.end) : wordEnd(text, tail.end);
    if (next <= end) break;
    end = next;
    hasError ||= tail.hasError;
    body ??= tail.body;
  }
  return { end, hasError, body };
}

/** Of the tails that continue what ends at `offset` the best. */
function bestTail(marks: Marks, offset: number): CapturedNode | undefined {
  const [first, ...others] = tailsAt(marks, offset);
  return (
    first &&
    others.reduce((best, tail) => (isBetter(tail, tail.end, best, best.end) ? tail : best), first)
  );
}

/** The end of the word after `offset` on its line. */
function wordEnd(text: string, offset: number): number {
  const word = /[ \t]*[^\s;]*/y;
  word.lastIndex = offset;
  return word.test(text) ? word.lastIndex : offset;
}

/**
 * Tells which comments, by their start, belong to the indented block at `block` of the element at
 * `start`: YAML's blocks include the less indented comments above the next element.
 */
function isInBlock(text: string, start: number, block: number): (commentStart: number) => boolean {
  return (comment) => {
    const indent = indentAt(text, comment)?.length ?? Number.POSITIVE_INFINITY;
    return indent >= block - lineStart(text, block) && indent > start - lineStart(text, start);
  };
}

/** An indented block from its first member on, without the rest of the colon's line. */
function firstMember({ start, end }: OffsetRange, marks: Marks): OffsetRange {
  const { text } = marks;
  const next = skipSpace(text, start, end);
  if (next === start || /[\r\n]/.test(text.slice(start, next))) return { start: next, end };
  return { start: skipSpace(text, commentEndAt(marks, next), end), end };
}
