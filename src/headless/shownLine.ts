const LONGEST_SHOWN = 500;

/** A line that matched, as far as it is shown. */
export function shownLine(line: string): string {
  return line.length <= LONGEST_SHOWN ? line : `${line.slice(0, LONGEST_SHOWN)}…`;
}
