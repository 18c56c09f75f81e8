/** The relevant part of a keyboard event. `timeStamp` is in milliseconds. */
export interface KeyStroke {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly timeStamp: number;
}

/** How long VS Code waits for the second key of a chord, in milliseconds. */
const CHORD_LIMIT = 5000;
const MODIFIERS = new Set(["Control", "Meta", "Shift", "Alt", "AltGraph", "CapsLock"]);

/**
 * Recognizes the second key of chords such as Ctrl+K N. VS Code runs the command but also lets the
 * key be typed.
 */
export class ChordKeys {
  private started = Number.NEGATIVE_INFINITY;

  completes({ key, ctrlKey, metaKey, altKey, timeStamp }: KeyStroke): boolean {
    if (MODIFIERS.has(key)) return false;
    const isOpen = timeStamp - this.started < CHORD_LIMIT;
    this.started =
      !isOpen && (ctrlKey || metaKey) && !altKey && key.toLowerCase() === "k"
        ? timeStamp
        : Number.NEGATIVE_INFINITY;
    return isOpen;
  }
}
