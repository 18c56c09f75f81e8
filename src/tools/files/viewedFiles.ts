import { countLines, countTextLines, splitLines } from "../../base/text/lines.ts";
import { lineBreaksBetween, lineEnd, lineStart, skipSpaceBack } from "../../base/text/scan.ts";
import type { LineSpan } from "../../ports/editorState.ts";
import type { Proposal } from "../../ports/review.ts";
import type { EditStatus } from "../../turns/editBlock.ts";
import type { Turn, TurnTree, UserTurn } from "../../turns/turn.ts";
import type { FileView } from "../../turns/turnEvent.ts";

/**
 * One view that the model had of a file: the lines `first` to `last` of `text`, 1-based and
 * inclusive; none where `last` < `first`.
 */
export interface View {
  readonly turnId: string;
  /** The file's path in the workspace. */
  readonly path: string;
  /** The whole text at that time, without a byte order mark; null where it is no longer known. */
  readonly text: string | null;
  /** The document's version, or 0 when it was not open in an editor. */
  readonly version: number;
  readonly first: number;
  readonly last: number;
  /**
   * True for lines that a block of the model wrote; its numbers are not known to the model. Without
   * lines, the place where it removed some.
   */
  readonly written?: true;
  /** What the model wrote, where other code that it did not see stands on its lines. */
  readonly own?: string;
  /** True where the model's own edits changed the file; shows no lines. */
  readonly edited?: true;
}

/** The texts that line numbers of the model may refer to. */
export interface ViewedTexts {
  /**
   * The distinct texts in which it saw the lines, newest first; null for one that is no longer
   * known. Empty where it never saw the file.
   */
  readonly texts: readonly (string | null)[];
  /** True when the model itself changed the file after it saw one of these texts. */
  readonly editedSince: boolean;
}

/** The most that is kept of all texts together, in UTF-16 units. */
const MAX_REMEMBERED = 16 * 1024 * 1024;

/**
 * Which texts of which files the model of one chat has seen, by turn. Views on other branches do
 * not count.
 */
export class ViewedFiles {
  private entries: View[] = [];
  /** Views that requests no longer hold. */
  private forgotten: ReadonlySet<View> = new Set();
  /** The outline of each file that the model saw last, and the turn in which it did. */
  private readonly outlines = new Map<
    string,
    { readonly turnId: string; readonly outline: string }
  >();
  private readonly branch: (turnId: string) => Iterable<string>;

  /** `branch` returns the turns that lead to a turn, including that turn. */
  constructor(branch: (turnId: string) => Iterable<string> = (turnId) => [turnId]) {
    this.branch = branch;
  }

  /** Records a view. One that includes the last line also covers every line after it. */
  add(view: View): void {
    const before = this.entries.findLast(({ path, edited }) => path === view.path && !edited);
    // Equal texts are kept once.
    const text = before?.text === view.text ? before.text : view.text;
    const toEnd = text !== null && view.first <= view.last && view.last >= countTextLines(text);
    const added = { ...view, text, last: toEnd ? Number.POSITIVE_INFINITY : view.last };
    this.entries = this.entries.filter((entry) => entry.edited || !repeatsView(added, entry));
    this.entries.push(added);
    this.forgetOldest();
  }

  /** Records that the model wrote the whole text of a file. */
  wroteAll(path: string, turnId: string, text: string): void {
    const lines = { first: 1, last: countTextLines(text) };
    this.add({ turnId, path, text, version: 0, ...lines, written: true });
  }

  /** Records that what is at one path, a file or a folder, is at another one, too. */
  isAlsoAt(path: string, other: string): void {
    const isFrom = (entry: View) => entry.path === path || entry.path.startsWith(`${path}/`);
    const also = (entry: View) => ({ ...entry, path: other + entry.path.slice(path.length) });
    this.entries.push(...this.entries.filter(isFrom).map(also));
  }

  /** Records that edits of the model changed the file. */
  edited(path: string, turnId: string): void {
    this.entries.push({ turnId, path, text: null, version: 0, first: 1, last: 0, edited: true });
  }

  /**
   * Records that the model knows the lines of these blocks, as it wrote them: what the user changed
   * in them counts as a change.
   */
  wrote(path: string, turnId: string, proposal: Proposal, written: ReadonlySet<string>): void {
    const bom = proposal.text.startsWith("\uFEFF") ? 1 : 0;
    const text = proposal.text.slice(bom);
    const views = this.views(path, turnId);
    for (const { blockId, start, end } of proposal.blocks) {
      if (!written.has(blockId)) continue;
      const [from, to] = [start - bom, end - bom];
      const span = wholeLineSpan(text, from, to, views);
      const isPart = from < to && span.last - span.first < lineBreaksBetween(text, from, to);
      const own = isPart ? { own: text.slice(from, to) } : {};
      this.add({ turnId, path, text, version: 0, ...span, written: true, ...own });
    }
  }

  /** The newest view of the file on the branch of `turnId`, or null. */
  latest(path: string, turnId: string): View | null {
    return this.views(path, turnId).find(({ written }) => !written) ?? null;
  }

  /** What the model has seen and written of the file, newest first. */
  views(path: string, turnId: string): readonly View[] {
    return this.newestFirst(path, turnId).filter(({ edited }) => !edited);
  }

  /**
   * What the lines `first` to `last` may refer to in turn `turnId`: each line's newest view, else
   * the newest view of the file.
   */
  looks(path: string, turnId: string, first: number, last: number): ViewedTexts {
    const texts = new Set<string | null>();
    let unseen: LineSpan[] = [{ first, last }];
    let edited = false;
    let editedSince = false;
    for (const entry of this.newestFirst(path, turnId)) {
      if (entry.edited) edited = true;
      if (entry.edited || entry.written) continue;
      const rest = unseen.flatMap((span) => spanWithout(span, entry));
      if (equalSpans(rest, unseen)) continue;
      texts.add(entry.text);
      editedSince ||= edited;
      unseen = rest;
      if (rest.length === 0) break;
    }
    if (texts.size > 0) return { texts: [...texts], editedSince };
    const latest = this.latest(path, turnId);
    return { texts: latest ? [latest.text] : [], editedSince: false };
  }

  /**
   * True when views of this turn and its request show every line of a text, and none shows a line
   * of another text.
   */
  showsAll(path: string, turnId: string, text: string): boolean {
    const turns = [...this.branch(turnId)].slice(-2);
    let unseen: LineSpan[] = [{ first: 1, last: countLines(text) }];
    for (const view of this.views(path, turnId)) {
      if (
        !turns.includes(view.turnId) ||
        this.forgotten.has(view) ||
        (view.text !== text && !view.written)
      )
        return false;
      if (!view.written) unseen = unseen.flatMap((span) => spanWithout(span, view));
      if (unseen.length === 0) return true;
    }
    return false;
  }

  /**
   * True when the turn has shown the model this outline. Else records that it sees it now, unless
   * it exceeds `budget` UTF-16 units.
   */
  outlined(path: string, turnId: string, outline: string, budget: number): boolean {
    const before = this.outlines.get(path);
    if (outline !== "" && before?.turnId === turnId && before.outline === outline) return true;
    if (outline.length <= budget) this.outlines.set(path, { turnId, outline });
    return false;
  }

  /**
   * Requests no longer hold what was viewed so far. Line numbers of the model still refer to it.
   */
  forget(): void {
    this.outlines.clear();
    this.forgotten = new Set(this.entries);
  }

  private newestFirst(path: string, turnId: string): readonly View[] {
    const turns = new Set(this.branch(turnId));
    return this.entries.filter((entry) => entry.path === path && turns.has(entry.turnId)).reverse();
  }

  private forgetOldest(): void {
    const remembered = new Set<string>();
    let size = 0;
    for (const [index, entry] of [...this.entries.entries()].reverse()) {
      const { text } = entry;
      if (text === null) continue;
      if (!remembered.has(text)) size += text.length;
      if (size > MAX_REMEMBERED && remembered.size > 0)
        this.entries[index] = { ...entry, text: null };
      else remembered.add(text);
    }
  }
}

/**
 * The views on record in the turns of a log. Their texts are not on record, so their line numbers
 * are known to be from an earlier text.
 */
export function viewsOnRecord(tree: TurnTree): readonly View[] {
  return [...tree.turns.values()].flatMap((turn) => {
    const own = { turnId: turn.id, text: null, version: 0 };
    const seen = viewsOf(turn).map(({ path, first, last, total }): View => {
      const end = last === total ? Number.POSITIVE_INFINITY : last;
      return { ...own, path, first, last: end };
    });
    return [...seen, ...writtenIn(turn).map((path) => ({ ...own, path, ...WRITTEN }))];
  });
}

/** Some lines, of which no more is known. */
const WRITTEN = { first: 1, last: 1, written: true } as const;

/** The files to which a turn's blocks wrote. */
function writtenIn(turn: Turn): readonly string[] {
  if (turn.role === "user") return [];
  const kept = [...turn.edits.values()].filter(({ status }) => KEPT.has(status));
  return [...new Set(kept.map(({ path }) => path))];
}

const KEPT: ReadonlySet<EditStatus> = new Set([
  ...(["pending", "applied", "partly-applied", "conflict"] as const),
]);

function viewsOf(turn: Turn): readonly FileView[] {
  if (turn.role === "user") return attachedViews(turn);
  const told = turn.parts.flatMap((part) =>
    part.type === "user-message" ? attachedViews(part) : [],
  );
  return [...told, ...[...turn.toolCalls.values()].flatMap((call) => call.views)];
}

function attachedViews({ attachments = [] }: Pick<UserTurn, "attachments">): readonly FileView[] {
  return attachments.flatMap(({ path, view }) =>
    path !== null && view ? [{ path, ...view }] : [],
  );
}

/**
 * The lines that hold nothing but the range, separators, and code that these views show beside it:
 * 1-based, inclusive; without lines for an empty range.
 */
function wholeLineSpan(text: string, start: number, end: number, views: readonly View[]): LineSpan {
  const others = (from: number, to: number) => {
    const beside = text.slice(from, to);
    const [code, below] = [
      beside.replace(/[\s,;]+$/, ""),
      beside.replace(/^[\s,;]+/, "").trimEnd(),
    ];
    const holds = (line: string) => (to === start ? line.startsWith(code) : line.endsWith(below));
    return /[^\s,;]/.test(beside) && !views.some((view) => shownLines(view).some(holds));
  };
  const first = countLines(text.slice(0, start)) + (others(lineStart(text, start), start) ? 1 : 0);
  if (start === end) return { first, last: first - 1 };
  // A range that ends at the beginning of a line does not hold that line.
  const stop = skipSpaceBack(text, end);
  return {
    first,
    last: countLines(text.slice(0, stop)) - (others(stop, lineEnd(text, stop)) ? 1 : 0),
  };
}

/** The lines that a view shows, without blanks at their ends. */
function shownLines({ text, first, last }: View): readonly string[] {
  const lines = text === null ? [] : splitLines(text).slice(first - 1, Math.max(0, last));
  return lines.map((line) => line.text.trimEnd());
}

/** True for a view that shows, in the same turn, all that an earlier one showed. */
function repeatsView(later: View, earlier: View): boolean {
  const sameSpans =
    later.turnId === earlier.turnId && later.path === earlier.path && later.text === earlier.text;
  return (
    sameSpans &&
    later.written === earlier.written &&
    later.own === earlier.own &&
    later.first <= earlier.first &&
    earlier.last <= later.last
  );
}

function spanWithout(span: LineSpan, seen: LineSpan): LineSpan[] {
  if (seen.last < span.first || span.last < seen.first || seen.last < seen.first) return [span];
  const parts = [
    { first: span.first, last: seen.first - 1 },
    { first: seen.last + 1, last: span.last },
  ];
  return parts.filter(({ first, last }) => first <= last);
}

function equalSpans(a: readonly LineSpan[], b: readonly LineSpan[]): boolean {
  return (
    a.length === b.length &&
    a.every((span, index) => span.first === b[index]?.first && span.last === b[index]?.last)
  );
}
