/** What is looked at of a keyboard event; `timeStamp` is in milliseconds. */
export interface KeyStroke {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly timeStamp: number;
}

/** Milliseconds for which the editor waits for the second key of a chord. */
const CHORD_LIMIT = 5000;
const MODIFIERS = new Set(["Control", "Meta", "Shift", "Alt", "AltGraph", "CapsLock"]);

/** The editor hears every key of a panel, but does not keep the second one of a chord such as Ctrl+K N from being typed. */
export class ChordKeys {
  private begun = Number.NEGATIVE_INFINITY;

  /** True for a key that belongs to a chord begun before it. */
  completes({ key, ctrlKey, metaKey, altKey, timeStamp }: KeyStroke): boolean {
    if (MODIFIERS.has(key)) return false;
    const waits = timeStamp - this.begun < CHORD_LIMIT;
    this.begun = !waits && (ctrlKey || metaKey) && !altKey && key.toLowerCase() === "k" ? timeStamp : Number.NEGATIVE_INFINITY;
    return waits;
  }
}
