interface PanelWatchSources {
  visible(): boolean;
  /** Asks the panel for a sign of life. */
  ask(): void;
  /** The panel is silent: the user may want to reload it. */
  silent(): void;
}

/** Milliseconds between two questions. */
export const ASKS_MS = 5_000;
/** Questions without an answer after which a panel counts as silent: half a minute. */
const MOST_UNANSWERED = 6;

/** Asks a visible panel whether it is alive, and tells once when it stays silent. Reloading is up to the user. */
export class PanelWatch {
  private readonly sources: PanelWatchSources;
  private unanswered = 0;

  constructor(sources: PanelWatchSources) {
    this.sources = sources;
  }

  /** To be called every {@link ASKS_MS}. */
  tick(): void {
    const { visible, ask, silent } = this.sources;
    this.unanswered = visible() ? this.unanswered + 1 : 0;
    if (this.unanswered > 0 && this.unanswered <= MOST_UNANSWERED) ask();
    else if (this.unanswered === MOST_UNANSWERED + 1) silent();
  }

  /** The panel said something. */
  heard(): void {
    this.unanswered = 0;
  }
}
