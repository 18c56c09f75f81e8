import { linearPattern } from "../../src/tools/search/linearPattern.ts";
import { MarkdownStream } from "../../webview/markdown/markdownStream.ts";
import { attacks } from "./attacks.ts";

const SIZE = 40_000;
const repeat = (text: string) => text.repeat(Math.ceil(SIZE / text.length));
/** Of the processor's time, far above what work in proportion to the text needs. */
const LIMIT_MS = 15_000;

function inTime(work: () => void): string | null {
  const start = process.cpuUsage();
  work();
  const took = process.cpuUsage(start).user / 1000;
  return took < LIMIT_MS ? null : `it took ${Math.round(took)} ms`;
}

attacks(
  "a search that never ends",
  [
    "(?!x)a*a*a*a*a*a*b",
    "(a+)+$",
    "(a|a)*b",
    "(a|aa)+$",
    "a*a*a*a*a*a*a*c",
    "(.*)*x",
    "(\\w+\\s?)+!",
    "(a?){40}a{40}b",
    "(?=a)(a+)+$",
    "(a+)\\1b",
  ].map((pattern) => ({
    name: pattern,
    play: () =>
      inTime(() => {
        const compiled = linearPattern(pattern, true);
        if (compiled.ok) compiled.value("a".repeat(SIZE));
      }),
  })),
);

attacks(
  "Markdown that is never drawn",
  [
    ">",
    "> ",
    "_a",
    "*a",
    "**a",
    "*a_b",
    "- ",
    "1. ",
    "> - ",
    "[",
    "[a](",
    "![",
    "`a",
    "<a ",
    "~~a",
    "https://a.b/(",
    ">a\nb\n",
    "***a",
    "a*",
    "\\_",
  ].map((text) => ({
    name: JSON.stringify(text),
    play: () =>
      inTime(() => {
        const markdown = new MarkdownStream();
        for (let at = 0; at < SIZE; at += 100) {
          markdown.push(repeat(text).slice(at, at + 100));
          markdown.update();
        }
        markdown.finish();
      }),
  })),
);
