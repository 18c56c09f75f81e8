import { counted } from "../base/counted.ts";
import { type DemoElement, type DemoSource, demoElements, isCallable, isType } from "./demoSource.ts";
import { readSignature } from "./signature.ts";

const MAX_SHOWN = 60;

/** Says in Markdown what a file holds, by its outline alone. */
export function explainOutline(source: DemoSource): string {
  const { path, text, document } = source;
  const elements = demoElements(source);
  const top = elements.filter(({ topLevel }) => topLevel);
  const errors = document.errorCount();
  const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  const head = `\`${path}\` has ${counted(lines, "line")} and ${counted(top.length, "top-level element")}${top.length > 0 ? `: ${kinds(top)}` : ""}.`;
  const shown = top.slice(0, MAX_SHOWN).map((element) => describeElement(source, element, elements));
  const rest = top.length > shown.length ? [`- … and ${top.length - shown.length} more`] : [];
  const warning = errors > 0 ? [`The parser stumbles over ${counted(errors, "place")}, so the outline may not be complete.`] : [];
  return [head, [...shown, ...rest].join("\n"), ...warning].filter((part) => part !== "").join("\n\n");
}

function kinds(elements: readonly DemoElement[]): string {
  const counts = new Map<string, number>();
  for (const { kind } of elements) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => counted(count, kind)).join(", ");
}

function describeElement(source: DemoSource, element: DemoElement, all: readonly DemoElement[]): string {
  const members = all.filter(({ path }) => path.startsWith(`${element.path}-`) && !path.slice(element.path.length + 1).includes("-"));
  const inside = isType(element) || element.kind === "heading" ? members.map((member) => `\`${shownName(source, member)}\``) : [];
  const listed = inside.length > 8 ? [...inside.slice(0, 7), `${inside.length - 7} more`] : inside;
  const where = element.startLine === element.endLine ? `line ${element.startLine}` : `lines ${element.startLine}–${element.endLine}`;
  return `- ${element.kind} **\`${shownName(source, element)}\`**, ${where}${listed.length > 0 ? `: ${listed.join(", ")}` : ""}`;
}

function shownName({ text }: DemoSource, { kind, name, path, element }: DemoElement): string {
  if (kind === "heading" || kind === "test") return path;
  if (!isCallable({ kind, path, startLine: 0, endLine: 0 })) return name;
  const head = text.slice(element.range.start, element.body?.inner.start ?? element.range.end);
  const names = (readSignature(head, name)?.parameters ?? []).flatMap((parameter) => parameter.names);
  return `${name}(${names.join(", ")})`;
}
