/** Milliseconds between two pings. */
export const ASKS_MS = 5_000;
/** Unanswered pings before a panel counts as unresponsive (half a minute). */
const MOST_UNANSWERED = 6;

/** Pings a visible panel and reports once if it stops responding. Reloading is up to the user. */
export class PanelWatch {
  private readonly visible: () => boolean;
  private readonly ask: () => void;
  private readonly silent: () => void;
  private unanswered = 0;

  /**
   * `ask` asks the panel for a sign of life. `silent` is called when it does not respond and the
   * user may want to reload it.
   */
  constructor(visible: () => boolean, ask: () => void, silent: () => void) {
    this.visible = visible;
    this.ask = ask;
    this.silent = silent;
  }

  /** Call every {@link ASKS_MS}. */
  tick(): void {
    this.unanswered = this.visible() ? this.unanswered + 1 : 0;
    if (this.unanswered > 0 && this.unanswered <= MOST_UNANSWERED) this.ask();
    else if (this.unanswered === MOST_UNANSWERED + 1) this.silent();
  }

  /** Call for every message of the panel. */
  answered(): void {
    this.unanswered = 0;
  }
}
