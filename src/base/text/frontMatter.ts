/** What stands at the beginning of a Markdown file between two lines of dashes, and what follows. */
export interface FrontMatter {
  /** By name in lower case; a list where several values stand there. */
  readonly fields: ReadonlyMap<string, string | readonly string[]>;
  readonly body: string;
}

/**
 * Reads the front matter of a Markdown file: plain, quoted and folded texts, and lists of texts.
 * No fields where there is none; null where it does not end, or a line is anything else.
 */
export function readFrontMatter(text: string): FrontMatter | null {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  if (lines[0]?.trimEnd() !== "---") return { fields: new Map(), body: text.trim() };
  const end = lines.findIndex((line, at) => at > 0 && line.trimEnd() === "---");
  if (end === -1) return null;
  const fields = matterFields(lines.slice(1, end));
  return (
    fields && {
      fields,
      body: lines
        .slice(end + 1)
        .join("\n")
        .trim(),
    }
  );
}

/** The text of a field; null where it has none, or a list. */
export function fieldText({ fields }: FrontMatter, name: string): string | null {
  const value = fields.get(name);
  return typeof value === "string" && value !== "" ? value : null;
}

/** A list, also where it is written with commas; null where the field is missing or empty. */
export function fieldList({ fields }: FrontMatter, name: string): readonly string[] | null {
  const value = fields.get(name);
  if (value === undefined || value === "") return null;
  return typeof value === "string" ? splitList(value) : value;
}

function matterFields(lines: readonly string[]): Map<string, string | readonly string[]> | null {
  const fields = new Map<string, string | readonly string[]>();
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (/^\s*(?:#.*)?$/.test(line)) continue;
    const [, name, value = ""] = /^([A-Za-z][\w-]*):(?:\s+(.*)|\s*)$/.exec(line) ?? [];
    if (name === undefined) return null;
    const inner: string[] = [];
    while (/^\s+\S|^\s*-\s|^\s*$/.test(lines[at + 1] ?? "x")) inner.push(lines[++at] ?? "");
    const read = readValue(value.trim(), inner);
    if (read === null) return null;
    fields.set(name.toLowerCase(), read);
  }
  return fields;
}

function readValue(value: string, inner: readonly string[]): string | readonly string[] | null {
  const more = inner.filter((line) => line.trim() !== "" && !line.trim().startsWith("#"));
  if (/^[>|][+-]?$/.test(value))
    return inner
      .map((line) => line.trim())
      .join(" ")
      .trim();
  if (value === "" && more.length > 0 && more.every((line) => /^\s*-\s/.test(line)))
    return more.map((line) => unquoted(line.replace(/^\s*-\s+/, "").trim()));
  // Settings of other programs, such as hooks: nothing here reads them.
  if (value === "") return "";
  if (value.startsWith("["))
    return value.endsWith("]") && more.length === 0 ? splitList(value.slice(1, -1)) : null;
  if (/^["']/.test(value) && (value.length < 2 || !value.endsWith(value[0] ?? ""))) return null;
  return [unquoted(value), ...more.map((line) => line.trim())].join(" ");
}

function splitList(text: string): readonly string[] {
  return text
    .split(",")
    .map((item) => unquoted(item.trim()))
    .filter((item) => item !== "");
}

function unquoted(text: string): string {
  const [, , inner] = /^(["'])(.*)\1$/.exec(text) ?? [];
  return inner ?? text;
}
