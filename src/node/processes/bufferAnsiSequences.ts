/** Longer text is not a control sequence. In UTF-16 units. */
const LONGEST = 4_000;

/**
 * Buffers program output so that ANSI sequences stay whole. `push` returns the complete part, and
 * `rest` returns the remainder at the end.
 */
export function bufferAnsiSequences(): { push(piece: string): string; rest(): string } {
  let held = "";
  return {
    push(piece) {
      const text = held + piece;
      const at = openAt(text);
      const cut = at !== null && text.length - at < LONGEST ? at : text.length;
      held = text.slice(cut);
      return text.slice(0, cut);
    },
    rest() {
      const text = held;
      held = "";
      return text;
    },
  };
}

/**
 * The start of an unfinished sequence, or null. `ESC ]` ends with a bell or `ESC \`, `ESC [` with a
 * letter.
 */
function openAt(text: string): number | null {
  const command = text.lastIndexOf("\u001b]");
  const behind = command < 0 ? "" : text.slice(command);
  if (command >= 0 && !behind.includes("\u0007") && !behind.includes("\u001b\\")) return command;
  const at = text.lastIndexOf("\u001b");
  return at >= 0 && /^(\[[0-9;?]*)?$/.test(text.slice(at + 1)) ? at : null;
}
