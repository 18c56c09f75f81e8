import { visibleText } from "../../src/base/text/visibleText.ts";
import { t } from "../l10n.ts";
import { lineRange } from "../messages.ts";

const MAX_LENGTH = 120;
/** Longer values, such as a file's content, are left out. */
const MAX_FLAG_LENGTH = 40;

/**
 * A tool call's arguments on one line: the command or question, the path with its lines, the
 * pattern, else all short values. Empty while the arguments stream.
 */
export function toolSummary(input: unknown): string {
  if (typeof input === "string") return clipToLine(input);
  if (!isRecord(input)) return "";
  const used = new Set<string>();
  const text = (key: string): string | null => {
    const value = input[key];
    if (typeof value !== "string" && typeof value !== "number") return null;
    used.add(key);
    return String(value);
  };
  const question = text("question");
  if (question !== null) return clipToLine(question);
  const said = text("command") ?? text("message") ?? text("glob") ?? text("name");
  const from = text("from");
  const to = text("to");
  const pattern = text("pattern") ?? text("query");
  const path = text("file_path") ?? text("path");
  const place = [path, lineRange(text("start_line"), text("end_line")), text("ast_path")]
    .filter((part) => part !== null)
    .join(" ");
  const flags = Object.keys(input)
    .filter((key) => !used.has(key))
    .map((key) => flag(key, input[key]));
  const target = pattern === null ? place : quoted(pattern, place);
  const parts = [said, from === null ? null : `${from} → ${to ?? "…"}`, target, ...flags];
  return clipToLine(parts.filter((part) => part !== null && part !== "").join(" · "));
}

/** A search: `“area”`, or with a place `“area” in src`. */
export function quoted(pattern: string, place: string): string {
  return place === "" ? `“${pattern}”` : t("“{pattern}” in {place}", { pattern, place });
}

/** Lines as numbers: `240–470`, `240–` to the end, `7`; "" for all. */
export function rangeText(start: string, end: string): string {
  if (start === "" && end === "") return "";
  return start === end ? start : `${start || 1}–${end}`;
}

function flag(key: string, value: unknown): string | null {
  const name = key.replaceAll("_", " ");
  if (value === true) return name;
  if (typeof value === "number" || isShort(value)) return `${name} ${value}`;
  if (Array.isArray(value) && value.every((item) => typeof item === "string"))
    return value.join(", ");
  return null;
}

function isShort(value: unknown): value is string {
  return typeof value === "string" && value.length <= MAX_FLAG_LENGTH && !value.includes("\n");
}

/** A text on one line, of at most `most` characters. */
export function clipToLine(text: string, most = MAX_LENGTH): string {
  const line = visibleText(text.slice(0, 20 * most))
    .replace(/\s+/g, " ")
    .trim();
  // By code points: none is cut in half.
  const start = [...line.slice(0, most * 2)];
  return start.length > most || line.length > most * 2
    ? `${start.slice(0, most - 1).join("")}…`
    : line;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
