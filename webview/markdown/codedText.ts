import { h } from "../dom.ts";

/** A sentence in which words between backticks are code. */
export function codedText(text: string): readonly (Node | string)[] {
  return text
    .split(/`([^`\n]+)`/)
    .map((part, index) => (index % 2 === 1 ? h("code", {}, part) : part));
}
