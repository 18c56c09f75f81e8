const EXTENSIONS =
  "tsx?|mts|cts|jsx?|mjs|cjs|pyi?|pyw|java|go|mdx?|markdown|json|css|scss|html?|rs|c|h|cpp|cc|hpp|cs|rb|php|kt|swift|scala|lua|sh|dart|ya?ml|toml|vue|svelte|txt";

/** The file a request names, null when it names none. */
export function namedFile(request: string): string | null {
  const quoted = new RegExp(`[\`"']([^\`"'\\n]+\\.(?:${EXTENSIONS}))[\`"']`, "i").exec(request)?.[1];
  const bare = new RegExp(
    `(?<![\\w./\\\\@-])((?:[\\w.@~\\-]*[/\\\\])*[\\w@\\-][\\w.@\\-]*\\.(?:${EXTENSIONS}))(?![\\w/\\\\-]|\\.\\w)`,
    "i",
  ).exec(request)?.[1];
  return (quoted ?? bare)?.replaceAll("\\", "/") ?? null;
}

/** True for the names of files the demonstration edits; declaration files are not among them. */
export function isEditableName(name: string): boolean {
  return /\.(?:tsx?|mts|cts|jsx?|mjs|cjs|py)$/i.test(name) && !/\.d\.[mc]?ts$/i.test(name);
}
