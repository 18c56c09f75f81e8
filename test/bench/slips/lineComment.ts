const SLASHES = new Set([
  "ts",
  "tsx",
  "js",
  "jsx",
  "go",
  "rs",
  "java",
  "c",
  "cc",
  "cpp",
  "h",
  "cs",
  "kt",
  "swift",
  "scala",
  "dart",
  "php",
  "scss",
]);
const MARKUP = new Set(["html", "md"]);

/** A line with this text as a comment; JSON has none, so models write `//` there. */
export function lineComment(lang: string, text: string): string {
  if (SLASHES.has(lang) || lang === "json") return `// ${text}`;
  if (lang === "css") return `/* ${text} */`;
  if (lang === "lua") return `-- ${text}`;
  return MARKUP.has(lang) ? `<!-- ${text} -->` : `# ${text}`;
}
