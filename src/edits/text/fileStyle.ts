/** How a file's lines are written. Lines in sets are without their indentation. */
export interface FileStyle {
  /** What indents the lines; null for both, or none. */
  readonly indentedBy: "tabs" | "spaces" | null;
  /** How many lines are indented. */
  readonly indented: number;
  /** The lines that are indented with tabs wherever they stand. */
  readonly tabbed: ReadonlySet<string>;
  /** The lines that end with blanks. */
  readonly blankEnded: ReadonlySet<string>;
  /** The lines that end without blanks. */
  readonly trimmed: ReadonlySet<string>;
}

/** The style of a text. */
export function fileStyle(text: string): FileStyle {
  const lines = text.split(/\r\n|\n|\r/);
  const isMixed = lines.some((line) => /^(?: +\t|\t+ +[^\s*])/.test(line));
  const hasTabs = lines.some((line) => /^\t+(?: \*|[^\s])/.test(line));
  const hasSpaces = lines.some((line) => /^ +[^\s*]/.test(line));
  const tabbed = new Set(lines.filter((line) => /^ *\t/.test(line)).map((line) => line.trim()));
  for (const line of lines) if (!/^ *\t/.test(line)) tabbed.delete(line.trim());
  const isBlankEnded = (line: string) => /[ \t]$/.test(line);
  return {
    indentedBy: isMixed || hasTabs === hasSpaces ? null : hasTabs ? "tabs" : "spaces",
    indented: lines.filter((line) => /^[ \t]+\S/.test(line)).length,
    tabbed,
    blankEnded: new Set(lines.filter(isBlankEnded).map((line) => line.trimStart())),
    trimmed: new Set(lines.filter((line) => !isBlankEnded(line)).map((line) => line.trim())),
  };
}
