import { countLines } from "../base/text.ts";

/** One look that the model had at a file: the lines `first` to `last` of `text`, 1-based and inclusive; none where `last` < `first`. */
export interface Showing {
  readonly turnId: string;
  /** The file's path in the workspace. */
  readonly path: string;
  /** The whole text at that moment, without a byte order mark. Null where it is no longer known. */
  readonly text: string | null;
  /** The document's version, or 0 when it was not open in an editor. */
  readonly version: number;
  readonly first: number;
  readonly last: number;
}

/** What the model can have meant by some lines' numbers. */
export interface Looks {
  /** The texts that it saw these lines in, newest first, each once; null for one that is no longer known. Empty where it saw nothing of the file. */
  readonly texts: readonly (string | null)[];
  /** True when changes of the model itself reached the file after it had seen one of these texts. */
  readonly editedSince: boolean;
}

/** Texts that are remembered, in UTF-16 units altogether; older ones are forgotten. */
const MAX_REMEMBERED = 16 * 1024 * 1024;

/** The file was changed by the model's own blocks. */
interface Edited {
  readonly turnId: string;
  readonly path: string;
}

type Entry = { readonly type: "shown"; showing: Showing } | ({ readonly type: "edited" } & Edited);

/** Remembers which text of which file the model of one chat was shown, turn by turn: what was shown on another branch counts for nothing. */
export class ShownTexts {
  private entries: Entry[] = [];
  private readonly branch: (turnId: string) => Iterable<string>;

  /** `branch` gives the turns that lead to a turn, that one included. */
  constructor(branch: (turnId: string) => Iterable<string> = (turnId) => [turnId]) {
    this.branch = branch;
  }

  /** The model is shown lines of a file. The editor's empty last line, once shown, stands for all that would come behind it. */
  add(showing: Showing): void {
    const before = this.entries.findLast((entry) => entry.type === "shown" && entry.showing.path === showing.path);
    // Equal texts are kept once.
    const known = before?.type === "shown" && before.showing.text === showing.text ? before.showing.text : showing.text;
    const toEnd = showing.text !== null && showing.first <= showing.last && showing.last >= countLines(showing.text);
    const added = { ...showing, text: known, last: toEnd ? Number.POSITIVE_INFINITY : showing.last };
    this.entries = this.entries.filter((entry) => entry.type === "edited" || !supersedes(added, entry.showing));
    this.entries.push({ type: "shown", showing: added });
    this.forgetOldest();
  }

  /** Changes of the model reached the file. */
  edited(path: string, turnId: string): void {
    this.entries.push({ type: "edited", path, turnId });
  }

  /** The newest look at the file on the branch of `turnId`, or null. */
  latest(path: string, turnId: string): Showing | null {
    for (const entry of this.newestFirst(path, turnId)) if (entry.type === "shown") return entry.showing;
    return null;
  }

  /** What the model of turn `turnId` can mean by the lines `first` to `last`: each line's newest look, else the newest one at the file. */
  looks(path: string, turnId: string, first: number, last: number): Looks {
    const texts = new Set<string | null>();
    let unseen: LineSpan[] = [{ first, last }];
    let edited = false;
    let editedSince = false;
    for (const entry of this.newestFirst(path, turnId)) {
      if (entry.type === "edited") {
        edited = true;
        continue;
      }
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

interface LineSpan {
  readonly first: number;
  readonly last: number;
}

/** In one turn, what shows the same lines again takes the place of what showed them before. */
function supersedes(later: Showing, earlier: Showing): boolean {
  return later.turnId === earlier.turnId && later.path === earlier.path && later.first <= earlier.first && earlier.last <= later.last;
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
