import { withDocumentLineEnds } from "../../edits/text/lineEnds.ts";
import type { BlockSource, Proposal, ReviewOrigin } from "../../ports/review.ts";
import { keyOf } from "./outcomeReporter.ts";

/** Milliseconds between two updates of the preview while an answer streams. */
const UPDATE_INTERVAL_MS = 100;

/** A message's part in a file's proposal while it streams. */
export class StreamedPart {
  readonly origin: ReviewOrigin;
  /** Its complete blocks, once there are any. */
  complete: Proposal | null = null;
  private readonly lineEnd: "\n" | "\r\n";
  private readonly show: (proposal: Proposal) => void;
  private latest: (() => Proposal) | null = null;
  /** The last text that was shown, where a document shows it as it is. */
  private shownText: string | null = null;
  private shownAt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `show` gets what came last, now and then. */
  constructor(origin: ReviewOrigin, lineEnd: "\n" | "\r\n", show: (proposal: Proposal) => void) {
    this.origin = origin;
    this.lineEnd = lineEnd;
    this.show = show;
  }

  /** The part has grown. */
  update(proposal: () => Proposal): void {
    this.latest = proposal;
    this.timer ??= setTimeout(
      () => this.flush(),
      Math.max(0, this.shownAt + UPDATE_INTERVAL_MS - Date.now()),
    );
  }

  /** Shows what came last. */
  flush(): void {
    const proposal = this.latest?.() ?? null;
    this.stop();
    this.shownAt = Date.now();
    if (!proposal) return;
    const shown = withDocumentLineEnds(proposal, this.lineEnd, this.shownText);
    this.shownText = shown === proposal ? proposal.text : null;
    this.show(this.named(shown));
  }

  /** Shows nothing more of what came. */
  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.latest = null;
  }

  /**
   * The blocks that are complete, and the proposal with them, as documents and the review have it.
   */
  get kept(): { readonly proposal: Proposal; readonly blocks: readonly BlockSource[] } | null {
    if (!this.complete) return null;
    const blocks = this.complete.blocks.map(({ blockId }) => ({ origin: this.origin, blockId }));
    return { proposal: this.named(withDocumentLineEnds(this.complete, this.lineEnd)), blocks };
  }

  private named(proposal: Proposal): Proposal {
    return {
      ...proposal,
      blocks: proposal.blocks.map((block) => ({
        ...block,
        blockId: keyOf(this.origin, block.blockId),
      })),
    };
  }
}
