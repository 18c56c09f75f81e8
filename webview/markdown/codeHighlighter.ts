import DOMPurify from "dompurify";

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
  let highlight: Highlight | null = null;
  let requested = false;
  const queue: { code: HTMLElement; language: string }[] = [];

  function run(deadline: { timeRemaining(): number }): void {
    while (highlight && queue.length > 0 && deadline.timeRemaining() > 2) {
      const next = queue.shift();
      if (next) paint(highlight, next.code, next.language);
    }
    if (queue.length > 0) whenIdle(run);
  }

  function load(address: string): void {
    requested = true;
    window.addEventListener(highlightReady, (event) => {
      if (!(event instanceof CustomEvent)) return;
      const detail: unknown = event.detail;
      if (!isHighlight(detail)) return;
      highlight = detail;
      whenIdle(run);
    });
    const script = document.createElement("script");
    script.nonce = nonce;
    script.src = address;
    document.head.append(script);
  }

  return (code, language) => {
    const text = code.textContent ?? "";
    if (src === null || language === "" || text.length > MAX_LENGTH) return;
    queue.push({ code, language });
    if (!requested) load(src);
    else if (highlight && queue.length === 1) whenIdle(run);
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

function whenIdle(run: (deadline: { timeRemaining(): number }) => void): void {
  // Safari has no idle callbacks.
  if ("requestIdleCallback" in window) window.requestIdleCallback(run, { timeout: 500 });
  else setTimeout(() => run({ timeRemaining: () => 10 }), 0);
}
