import DOMPurify from "dompurify";
import { lazyScript, whenIdle } from "./lazyScript.ts";

/** The event with which the lazily loaded script provides its function. */
export const highlightReady = "graft-highlight-ready";

/** Longer code stays plain, because highlighting it would cause a visible pause. */
const MAX_LENGTH = 60_000;

type Highlight = (code: string, language: string) => string | null;

/**
 * Highlights closed code blocks in idle time. `src` is the URL of the script with the languages,
 * loaded on first use.
 */
export function createCodeHighlighter(
  src: string | null,
  nonce: string,
): (code: HTMLElement, language: string) => void {
  const script = lazyScript(src, nonce, highlightReady, isHighlight);
  const queue: { code: HTMLElement; language: string }[] = [];

  function run(deadline: { timeRemaining(): number }): void {
    while (script.value && queue.length > 0 && deadline.timeRemaining() > 2) {
      const next = queue.shift();
      if (next) paint(script.value, next.code, next.language);
    }
    if (queue.length > 0) whenIdle(run);
  }

  return (code, language) => {
    const text = code.textContent ?? "";
    if (src === null || language === "" || text.length > MAX_LENGTH) return;
    queue.push({ code, language });
    if (queue.length === 1) script.load(() => whenIdle(run));
  };
}

function isHighlight(value: unknown): value is Highlight {
  return typeof value === "function";
}

function paint(highlight: Highlight, code: HTMLElement, language: string): void {
  const html = highlight(code.textContent ?? "", language);
  if (html === null) return;
  code.replaceChildren(
    DOMPurify.sanitize(html, {
      RETURN_DOM_FRAGMENT: true,
      ALLOWED_TAGS: ["span"],
      ALLOWED_ATTR: ["class"],
    }),
  );
}
