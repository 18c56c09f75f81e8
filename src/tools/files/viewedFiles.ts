import { countLines } from "../../base/text/lines.ts";
import { lineEnd, lineStart, skipSpaceBack } from "../../base/text/scan.ts";
import type { Proposal } from "../../ports/review.ts";
import type { TurnTree } from "../../turns/turn.ts";

/** One view that the model had of a file: the lines `first` to `last` of `text`, 1-based and inclusive; none where `last` < `first`. */
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
  /** True for lines that a block of the model wrote; its numbers are not known to the model. Without lines, the place where it removed some. */
  readonly written?: true;
}

/** The texts that line numbers of the model may refer to. */
export interface ViewedTexts {
  /** The distinct texts in which it saw the lines, newest first; null for one that is no longer known. Empty where it never saw the file. */
  readonly texts: readonly (string | null)[];
  /** True when the model itself changed the file after it saw one of these texts. */
  readonly editedSince: boolean;
}

/** The most that is kept of all texts together, in UTF-16 units. */
const MAX_REMEMBERED = 16 * 1024 * 1024;

/** The model's own edits changed the file. */
interface Edited {
  readonly turnId: string;
  readonly path: string;
}

type Entry = { readonly type: "shown"; showing: View } | ({ readonly type: "edited" } & Edited);

/** Which texts of which files the model of one chat has seen, by turn. Views on other branches do not count. */
export class ViewedFiles {
  private entries: Entry[] = [];
  /** The outline of each file that the model saw last, and the turn in which it did. */
  private readonly outlines = new Map<string, { readonly turnId: string; readonly outline: string }>();
  private readonly branch: (turnId: string) => Iterable<string>;

  /** `branch` returns the turns that lead to a turn, including that turn. */
  constructor(branch: (turnId: string) => Iterable<string> = (turnId) => [turnId]) {
    this.branch = branch;
  }

  /** Records a view. One that includes the last line also covers every line after it. */
  add(showing: View): void {
    const before = this.entries.findLast((entry) => entry.type === "shown" && entry.showing.path === showing.path);
    // Equal texts are kept once.
    const known = before?.type === "shown" && before.showing.text === showing.text ? before.showing.text : showing.text;
    const toEnd = showing.text !== null && showing.first <= showing.last && showing.last >= countLines(showing.text);
    const added = { ...showing, text: known, last: toEnd ? Number.POSITIVE_INFINITY : showing.last };
    this.entries = this.entries.filter((entry) => entry.type === "edited" || !repeats(added, entry.showing));
    this.entries.push({ type: "shown", showing: added });
    this.forgetOldest();
  }

  /** Records that edits of the model changed the file. */
  edited(path: string, turnId: string): void {
    this.entries.push({ type: "edited", path, turnId });
  }

  /** Records that the model knows the lines of these blocks, as it wrote them: what the user changed in them counts as a change. */
  wrote(path: string, turnId: string, proposal: Proposal, written: ReadonlySet<string>): void {
    const bom = proposal.text.startsWith("\uFEFF") ? 1 : 0;
    const text = proposal.text.slice(bom);
    for (const { blockId, start, end } of proposal.blocks) {
      if (written.has(blockId)) this.add({ turnId, path, text, version: 0, ...wholeLines(text, start - bom, end - bom), written: true });
    }
  }

  /** The newest view of the file on the branch of `turnId`, or null. */
  latest(path: string, turnId: string): View | null {
    return this.views(path, turnId).find(({ written }) => !written) ?? null;
  }

  /** What the model has seen and written of the file, newest first. */
  views(path: string, turnId: string): readonly View[] {
    return [...this.newestFirst(path, turnId)].flatMap((entry) => (entry.type === "shown" ? [entry.showing] : []));
  }

  /** What the lines `first` to `last` may refer to in turn `turnId`: each line's newest view, else the newest view of the file. */
  looks(path: string, turnId: string, first: number, last: number): ViewedTexts {
    const texts = new Set<string | null>();
    let unseen: LineSpan[] = [{ first, last }];
    let edited = false;
    let editedSince = false;
    for (const entry of this.newestFirst(path, turnId)) {
      if (entry.type === "edited") edited = true;
      if (entry.type === "edited" || entry.showing.written) continue;
      const rest = unseen.flatMap((span) => without(span, entry.showing));
      if (same(rest, unseen)) continue;
      texts.add(entry.showing.text);
      editedSince ||= edited;
      unseen = rest;
      if (rest.length === 0) break;
    }
    if (texts.size > 0) return { texts: [...texts], editedSince };
    const latest = this.latest(path, turnId);
    return { texts: latest ? [latest.text] : [], editedSince: false };
  }

  /** True when views of this turn show every line of a text, and none shows a line of another text. */
  showsAll(path: string, turnId: string, text: string): boolean {
    let unseen: LineSpan[] = [{ first: 1, last: countLines(text) }];
    for (const view of this.views(path, turnId)) {
      if (view.turnId !== turnId || (view.text !== text && !view.written)) return false;
      if (!view.written) unseen = unseen.flatMap((span) => without(span, view));
      if (unseen.length === 0) return true;
    }
    return false;
  }

  /** True when the turn has shown the model this outline. Else records that it sees it now, unless it exceeds `budget` UTF-16 units. */
  outlined(path: string, turnId: string, outline: string, budget: number): boolean {
    const before = this.outlines.get(path);
    if (outline !== "" && before?.turnId === turnId && before.outline === outline) return true;
    if (outline.length <= budget) this.outlines.set(path, { turnId, outline });
    return false;
  }

  private *newestFirst(path: string, turnId: string): Generator<Entry> {
    const turns = new Set(this.branch(turnId));
    for (const entry of this.entries.toReversed()) {
      const { path: file, turnId: turn } = entry.type === "shown" ? entry.showing : entry;
      if (file === path && turns.has(turn)) yield entry;
    }
  }

  private forgetOldest(): void {
    const remembered = new Set<string>();
    let size = 0;
    for (const entry of this.entries.toReversed()) {
      if (entry.type === "edited" || entry.showing.text === null) continue;
      const { text } = entry.showing;
      if (!remembered.has(text)) size += text.length;
      if (size > MAX_REMEMBERED && remembered.size > 0) entry.showing = { ...entry.showing, text: null };
      else remembered.add(text);
    }
  }
}

/** The views on record in the turns of a log. Their texts are not on record, so their line numbers are known to be from an earlier text. */
export function viewsOnRecord(tree: TurnTree): readonly View[] {
  return [...tree.turns.values()].flatMap((turn) => {
    const views = turn.role === "agent" ? [...turn.toolCalls.values()].flatMap((call) => call.views) : [];
    return views.map(({ path, first, last, total }) => {
      const end = last === total ? Number.POSITIVE_INFINITY : last;
      return { turnId: turn.id, path, text: null, version: 0, first, last: end };
    });
  });
}

interface LineSpan {
  readonly first: number;
  readonly last: number;
}

/** The lines that hold nothing but the range and separators: 1-based, inclusive; without lines for an empty range. */
function wholeLines(text: string, start: number, end: number): LineSpan {
  const others = (from: number, to: number) => /[^\s,;]/.test(text.slice(from, to));
  const first = countLines(text.slice(0, start)) + (others(lineStart(text, start), start) ? 1 : 0);
  if (start === end) return { first, last: first - 1 };
  // A range that ends at the beginning of a line does not hold that line.
  const stop = skipSpaceBack(text, end);
  return { first, last: countLines(text.slice(0, stop)) - (others(stop, lineEnd(text, stop)) ? 1 : 0) };
}

/** True for a view that shows, in the same turn, all that an earlier one showed. */
function repeats(later: View, earlier: View): boolean {
  const same = later.turnId === earlier.turnId && later.path === earlier.path && later.text === earlier.text;
  return same && later.written === earlier.written && later.first <= earlier.first && earlier.last <= later.last;
}

function without(span: LineSpan, seen: LineSpan): LineSpan[] {
  if (seen.last < span.first || span.last < seen.first || seen.last < seen.first) return [span];
  const parts = [
    { first: span.first, last: seen.first - 1 },
    { first: seen.last + 1, last: span.last },
  ];
  return parts.filter(({ first, last }) => first <= last);
}

function same(a: readonly LineSpan[], b: readonly LineSpan[]): boolean {
  return a.length === b.length && a.every((span, index) => span.first === b[index]?.first && span.last === b[index]?.last);
}
