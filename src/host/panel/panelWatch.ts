import { type Disposable, disposable } from "../../base/disposable.ts";

interface PanelWatchSources {
  visible(): boolean;
  /** Asks the panel for a sign of life. */
  ask(): void;
  /** The panel is silent: the user may want to reload it. */
  silent(): void;
}

/** Calls `task` every few seconds until it is disposed of. */
export type Repeat = (task: () => void) => Disposable;

/** Questions without an answer after which a panel counts as silent: half a minute. */
const MOST_UNANSWERED = 6;

const everyFiveSeconds: Repeat = (task) => {
  const timer = setInterval(task, 5_000);
  return disposable(() => clearInterval(timer));
};

/** Asks a visible panel whether it is alive, and tells once when it stays silent. Reloading is up to the user. */
export class PanelWatch implements Disposable {
  private readonly timer: Disposable;
  private unanswered = 0;

  constructor(sources: PanelWatchSources, repeat: Repeat = everyFiveSeconds) {
    this.timer = repeat(() => {
      if (!sources.visible()) {
        this.heard();
        return;
      }
      this.unanswered += 1;
      if (this.unanswered <= MOST_UNANSWERED) sources.ask();
      else if (this.unanswered === MOST_UNANSWERED + 1) sources.silent();
    });
  }

  /** The panel said something. */
  heard(): void {
    this.unanswered = 0;
  }

  dispose(): void {
    this.timer.dispose();
  }
}
