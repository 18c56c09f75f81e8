/** Where a run of ordinary Markdown is shown. */
export interface MarkdownSink {
  push(text: string): void;
  /** Takes back the text from `offset` of this run on and returns it. */
  cut(offset: number): string;
  /** The run is over. */
  finish(): void;
}

/** Where an edit block's source is shown. */
export interface CardSink {
  push(text: string): void;
  /** The block is over. `source` is its exact text where more had been pushed than belongs to it, else null. */
  finish(source: string | null): void;
}

/** Makes the places where the parts of a step's text are shown; `Container` is where a part stands among tool calls and the rest. */
export interface SegmentFactory<Container> {
  markdown(container: Container): MarkdownSink;
  card(blockId: string, container: Container): CardSink;
}

/** The place of an edit block in its step's text, half-open; `end` is null while it streams. */
export interface EditSpan {
  readonly blockId: string;
  readonly start: number;
  readonly end: number | null;
}

type Segment<Container> =
  | { readonly kind: "markdown"; readonly start: number; readonly container: Container; readonly sink: MarkdownSink }
  | {
      readonly kind: "card";
      readonly start: number;
      readonly container: Container;
      readonly sink: CardSink;
      readonly span: EditSpan;
      /** What was pushed, kept while the end is not known: some of it may lie behind the block. */
      source: string[];
    };

/**
 * Divides the text of one step (one answer of the model) into Markdown and edit blocks while it streams. Text may arrive before
 * or after the event that says where a block begins or ends; the division is the same either way.
 */
export class StepSegments<Container> {
  private readonly factory: SegmentFactory<Container>;
  private length = 0;
  private current: Segment<Container> | null = null;
  /** Blocks whose text has not arrived, by start. */
  private waiting: EditSpan[] = [];
  private readonly opened = new Set<string>();

  constructor(factory: SegmentFactory<Container>) {
    this.factory = factory;
  }

  /** Adds the next text of the step; Markdown that follows in another container begins anew there. */
  append(text: string, container: Container): void {
    let rest = text;
    while (rest !== "") {
      const segment = this.segmentFor(container);
      const limit = segment.kind === "card" ? segment.span.end : (this.waiting[0]?.start ?? null);
      const size = limit === null ? rest.length : Math.min(rest.length, Math.max(0, limit - this.length));
      segment.sink.push(rest.slice(0, size));
      if (segment.kind === "card" && segment.span.end === null) segment.source.push(rest.slice(0, size));
      this.length += size;
      rest = rest.slice(size);
      if (segment.kind === "card" && limit !== null && this.length >= limit) this.close();
    }
  }

  /** An edit block was found, or its end became known. */
  setEdit(span: EditSpan): void {
    if (!this.opened.has(span.blockId)) {
      this.waiting = [...this.waiting.filter((each) => each.blockId !== span.blockId), span].sort((a, b) => a.start - b.start);
      if (span.start < this.length) this.carve(span);
    } else if (span.end !== null && this.current?.kind === "card" && this.current.span.blockId === span.blockId)
      this.endCard(this.current, span);
  }

  /** The step is over: nothing is held back any longer, and an open block stays as it is. */
  finish(container: Container): void {
    for (const span of this.waiting.splice(0)) this.open(span, container);
    this.close();
  }

  /** The run of Markdown shown last is over, as something else follows it; an open block goes on. */
  interrupt(): void {
    if (this.current?.kind === "markdown") this.close();
  }

  private segmentFor(container: Container): Segment<Container> {
    const next = this.waiting[0];
    if (this.current?.kind === "card") return this.current;
    if (next && next.start <= this.length) {
      this.waiting.shift();
      return this.open(next, container);
    }
    if (this.current?.container === container) return this.current;
    this.close();
    this.current = { kind: "markdown", start: this.length, container, sink: this.factory.markdown(container) };
    return this.current;
  }

  private open(span: EditSpan, container: Container): Segment<Container> {
    this.close();
    this.opened.add(span.blockId);
    this.current = { kind: "card", start: span.start, container, sink: this.factory.card(span.blockId, container), span, source: [] };
    return this.current;
  }

  private close(): void {
    if (this.current?.kind === "markdown") this.current.sink.finish();
    else this.current?.sink.finish(null);
    this.current = null;
  }

  /** The text of a block was taken for Markdown before the block was announced. */
  private carve(span: EditSpan): void {
    const segment = this.current;
    if (segment?.kind !== "markdown" || span.start < segment.start) return;
    if (this.waiting[0]?.blockId !== span.blockId) return;
    const text = segment.sink.cut(span.start - segment.start);
    this.length -= text.length;
    this.append(text, segment.container);
  }

  private endCard(card: Segment<Container> & { readonly kind: "card" }, span: EditSpan): void {
    const text = card.source.join("");
    const length = (span.end ?? this.length) - card.start;
    if (text.length < length) {
      this.current = { ...card, span };
      return;
    }
    card.sink.finish(text.length > length ? text.slice(0, length) : null);
    this.current = null;
    this.length = card.start + length;
    this.append(text.slice(length), card.container);
  }
}
