/** A sequence that is not over after this many UTF-16 units is none. */
const LONGEST = 4_000;

/** Puts the pieces of a terminal's output together so that no control sequence is cut in two: gives what is complete, and keeps the rest. */
export function wholeControls(): (piece: string) => string {
  let held = "";
  return (piece) => {
    const text = held + piece;
    const at = openAt(text);
    const cut = at !== null && text.length - at < LONGEST ? at : text.length;
    held = text.slice(cut);
    return text.slice(0, cut);
  };
}

/** Where a sequence begins that is not over: `ESC ]` ends with a bell or `ESC \`, `ESC [` with a letter. */
function openAt(text: string): number | null {
  const command = text.lastIndexOf("\u001b]");
  const behind = command < 0 ? "" : text.slice(command);
  if (command >= 0 && !behind.includes("\u0007") && !behind.includes("\u001b\\")) return command;
  const at = text.lastIndexOf("\u001b");
  return at >= 0 && /^(\[[0-9;?]*)?$/.test(text.slice(at + 1)) ? at : null;
}
