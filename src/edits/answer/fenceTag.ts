import { languageById, languageOfFile } from "../../syntax/grammar/languages.ts";

/** How the language after a fence relates to a file: its own, another one, or not known. */
export type TagRelation = "same" | "other" | "unknown";

/** Names that models use for languages besides the editor's ids and file extensions. */
const ALIASES: Readonly<Record<string, string>> = {
  shell: "bash",
  golang: "go",
  python3: "python",
  py3: "python",
  "c#": "csharp",
  node: "javascript",
  ecmascript: "javascript",
};

/** Languages that models take for one another. */
const FAMILIES: readonly (readonly string[])[] = [
  ["typescript", "tsx", "javascript"],
  ["c", "cpp"],
];

const NO_LANGUAGE = new Set(["text", "txt", "plain", "plaintext", "code", "file", "none", "raw"]);

/** Files that hold pieces in other languages. */
const HOSTS = /\.(?:md|mdx|markdown|rst|txt|adoc|html?|vue|svelte|astro|php|erb|ejs|ya?ml|ipynb)$/i;

/** The first word after a fence; "" for none. */
export function tagOf(info: string): string {
  return /^[\w+#.-]*/.exec(info.trim())?.[0].toLowerCase() ?? "";
}

/** How a block with this tag relates to the whole of a file. */
export function tagRelation(tag: string, path: string): TagRelation {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  if (tag !== "" && (tag === name || tag === name.slice(name.lastIndexOf(".") + 1))) return "same";
  if (tag === "" || NO_LANGUAGE.has(tag)) return "unknown";
  const own = languageOfFile(path, "")?.id;
  if (own === undefined) return "unknown";
  const named = languageOfTag(tag);
  return named !== undefined && isSameLanguage(own, named) ? "same" : "other";
}

/** True where a tag proves that no lines of a file are meant: it names another known language. */
export function excludesFile(tag: string, path: string): boolean {
  const own = languageOfFile(path, "")?.id;
  const named = languageOfTag(tag);
  return (
    own !== undefined && named !== undefined && !isSameLanguage(own, named) && !HOSTS.test(path)
  );
}

function languageOfTag(tag: string): string | undefined {
  return (
    languageById(ALIASES[tag] ?? tag) ?? (tag === "" ? null : languageOfFile(`x.${tag}`, tag))
  )?.id;
}

function isSameLanguage(a: string, b: string): boolean {
  return a === b || FAMILIES.some((family) => family.includes(a) && family.includes(b));
}
