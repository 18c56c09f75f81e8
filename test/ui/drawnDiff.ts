import type { Locator } from "playwright-core";
import * as z from "zod/mini";

const lineSchema = z.object({
  /** 0-based. */
  line: z.number(),
  top: z.number(),
  bottom: z.number(),
  /** VS Code's diff marks it. */
  byVscode: z.boolean(),
  /** Graft's bar along a hunk. */
  bar: z.boolean(),
  /** Graft's place of removed lines: above or below the line. */
  cut: z.nullable(z.enum(["above", "below"])),
  /** What is written into the boxes around whitespace. */
  blanks: z.array(z.string()),
  note: z.string(),
});

const editorSchema = z.object({
  lines: z.array(lineSchema),
  /** Each with the 0-based line below it, or null. */
  lenses: z.array(z.object({ text: z.string(), line: z.nullable(z.number()) })),
  /** The removed lines that an inline diff shows between its own. */
  removed: z.array(z.string()),
});

/** One editor as it is drawn. */
export type DrawnEditor = z.infer<typeof editorSchema>;

/**
 * Runs in the page. Extensions' decorations have generated class names, so they are told by their
 * computed style.
 */
const READ = `(root) => {
  const plain = (text) => (text ?? "").replace(/\\u00a0/g, " ");
  const content = (element, which) => {
    const { content } = getComputedStyle(element, which);
    return content === "none" || content === "normal" ? "" : plain(JSON.parse(content));
  };
  const rows = new Map();
  const box = (element) => element.getBoundingClientRect();
  const visible = ({ height, width }) => height > 0 && width > 0;
  for (const row of root.querySelectorAll(":scope .margin-view-overlays > div")) {
    const numbers = row.querySelector(".line-numbers");
    const number = Number(numbers?.textContent);
    if (number > 0) rows.set(row.style.top, { line: number - 1, place: box(row) });
  }
  const texts = new Map([...root.querySelectorAll(":scope .view-lines > .view-line")].map((line) => [line.style.top, line]));
  const lines = [...root.querySelectorAll(":scope .view-overlays > div")].flatMap((row) => {
    const known = rows.get(row.style.top);
    if (!known) return [];
    const marks = [...row.querySelectorAll(".cdr")].map((mark) => ({ mark, style: getComputedStyle(mark) }));
    const byVscode = marks.some(({ mark }) => /\\b(?:line|char)-(?:insert|delete)\\b/.test(mark.className));
    const bar = marks.some(({ style }) => style.borderLeftStyle === "solid" && style.borderLeftWidth === "3px" && style.borderTopWidth === "0px");
    const dashed = (side) => marks.some(({ style }) => style["border" + side + "Style"] === "dashed" && style["border" + side + "Width"] === "2px");
    const cut = dashed("Top") ? "above" : dashed("Bottom") ? "below" : null;
    const boxes = marks.filter(({ style }) => style.borderLeftWidth === "1px" && style.borderTopWidth === "1px" && style.borderTopStyle === "solid").length;
    const spans = [...(texts.get(row.style.top)?.querySelectorAll("span") ?? [])];
    const before = spans.map((span) => content(span, "::before")).filter((text) => text !== "");
    const note = spans.map((span) => content(span, "::after")).filter((text) => text !== "").join(" ");
    const { top, bottom } = known.place;
    return [{ line: known.line, top, bottom, byVscode, bar, cut, blanks: boxes === 0 ? [] : before, note }];
  }).sort((a, b) => a.top - b.top);
  const lenses = [...root.querySelectorAll(".codelens-decoration > *")].filter((lens) => visible(box(lens))).map((lens) => {
    const { top, height } = box(lens);
    const below = lines.find((line) => line.top >= top + height / 2);
    return { text: plain(lens.textContent), line: below ? below.line : null, top };
  }).sort((a, b) => a.top - b.top).map(({ text, line }) => ({ text, line }));
  const removed = [...root.querySelectorAll(".view-zones .view-lines.line-delete .view-line")].map((line) => plain(line.textContent));
  return { lines, lenses, removed };
}`;

/** Reads an editor as it is drawn now; null where it is not there. */
export async function readEditor(editor: Locator): Promise<DrawnEditor | null> {
  // A text runs in the page only, not on an element of it.
  await editor.evaluateAll(([root]) => root?.setAttribute("data-read", ""));
  const read = `[...document.querySelectorAll("[data-read]")].map((root) => (root.removeAttribute("data-read"), root)).map(${READ})[0] ?? null`;
  return z.nullable(editorSchema).parse(await editor.page().evaluate(read));
}
