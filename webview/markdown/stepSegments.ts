/** Displays a run of Markdown. */
export interface MarkdownSink {
  push(text: string): void;
  /** Removes and returns this run's text from `offset` on. */
  cut(offset: number): string;
  finish(): void;
}

/** Displays the source of an edit block. */
export interface CardSink {
  push(text: string): void;
  /** Ends the block. `source` is its exact text if too much was pushed, else null. */
  finish(source: string | null): void;
}

/**
 * Creates the views for the parts of a step's text. `Container` is the location of a part among
 * tool calls and notices.
 */
export interface SegmentFactory<Container> {
  markdown(container: Container): MarkdownSink;
  card(blockId: string, container: Container): CardSink;
}

/** The half-open range of an edit block in its step's text. `end` is null while it streams. */
export interface EditSpan {
  readonly blockId: string;
  readonly start: number;
  readonly end: number | null;
}

type Segment<Container> =
  | {
      readonly kind: "markdown";
      readonly start: number;
      readonly container: Container;
      readonly sink: MarkdownSink;
    }
  | {
      readonly kind: "card";
      readonly start: number;
      readonly container: Container;
      readonly sink: CardSink;
      readonly span: EditSpan;
      /**
       * The pushed text. It is kept until the end is known, because some of it may belong after the
       * block.
       */
      source: string[];
    };

/**
 * Splits the streaming text of one step into Markdown and edit blocks. The text and the event with
 * a block's range may arrive in any order. The result is the same. The host knows a block only at
 * the end of its opening line, and in a Markdown file its end only from later lines; holding back
 * the text until then would delay the answer.
 */
export class StepSegments<Container> {
  private readonly factory: SegmentFactory<Container>;
  private length = 0;
  private current: Segment<Container> | null = null;
  /** Blocks whose text has not arrived yet, sorted by start. */
  private waiting: EditSpan[] = [];
  private readonly opened = new Set<string>();

  constructor(factory: SegmentFactory<Container>) {
    this.factory = factory;
  }

  /** Adds the next text of the step. Markdown in another container starts a new run. */
  append(text: string, container: Container): void {
    let rest = text;
    while (rest !== "") {
      const segment = this.segmentFor(container);
      const limit = segment.kind === "card" ? segment.span.end : (this.waiting[0]?.start ?? null);
      const size =
        limit === null ? rest.length : Math.min(rest.length, Math.max(0, limit - this.length));
      segment.sink.push(rest.slice(0, size));
      if (segment.kind === "card" && segment.span.end === null)
        segment.source.push(rest.slice(0, size));
      this.length += size;
      rest = rest.slice(size);
      if (segment.kind === "card" && limit !== null && this.length >= limit) this.close();
    }
  }

  /** Adds an edit block, or sets its end. */
  setEdit(span: EditSpan): void {
    if (!this.opened.has(span.blockId)) {
      this.waiting = [...this.waiting.filter((each) => each.blockId !== span.blockId), span].sort(
        (a, b) => a.start - b.start,
      );
      if (span.start < this.length) this.carve(span);
    } else if (
      span.end !== null &&
      this.current?.kind === "card" &&
      this.current.span.blockId === span.blockId
    )
      this.endCard(this.current, span);
  }

  /** Ends the step. Blocks without text are shown in `container`. An open block stays open. */
  finish(container: Container): void {
    for (const span of this.waiting.splice(0)) this.open(span, container);
    this.close();
  }

  /** Ends the current run of Markdown because something else follows. An open block continues. */
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
    this.current = {
      kind: "markdown",
      start: this.length,
      container,
      sink: this.factory.markdown(container),
    };
    return this.current;
  }

  private open(span: EditSpan, container: Container): Segment<Container> {
    this.close();
    this.opened.add(span.blockId);
    this.current = {
      kind: "card",
      start: span.start,
      container,
      sink: this.factory.card(span.blockId, container),
      span,
      source: [],
    };
    return this.current;
  }

  private close(): void {
    if (this.current?.kind === "markdown") this.current.sink.finish();
    else this.current?.sink.finish(null);
    this.current = null;
  }

  /** Moves a block's text out of the Markdown as which it was shown before the block was known. */
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
