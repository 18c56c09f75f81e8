/** A stretch of a file as `read_file` shows it; lines are 1-based and inclusive. */
export interface NumberedSource {
  readonly path: string;
  readonly from: number;
  /** Lines of the whole file. */
  readonly total: number;
  readonly lines: readonly string[];
}

/** Recovers the text under the line `path (lines A-B of N)`, wherever it stands; null when there is none. Ends where the numbering ends. */
export function parseNumberedSource(text: string): NumberedSource | null {
  const header = /^(?:File:? )?[`']?(\S.*?)[`']? \(lines (\d+)-(\d+) of (\d+)\)[^\n]*\n/m.exec(text);
  if (!header) return null;
  const [from, total] = [Number(header[2]), Number(header[4])];
  const lines: string[] = [];
  for (const line of text.slice(header.index + header[0].length).split("\n")) {
    const numbered = /^\s*(\d+)\t(.*)$/s.exec(line);
    if (Number(numbered?.[1]) !== from + lines.length) break;
    // A byte order mark belongs to the file, not to its first line.
    lines.push((numbered?.[2] ?? "").replace(/\r$/, "").replace(/^\uFEFF/, ""));
  }
  return { path: header[1] ?? "", from, total, lines };
}
