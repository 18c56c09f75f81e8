import { t } from "../l10n.ts";
import { lazyScript, whenIdle } from "./lazyScript.ts";
import { texOf } from "./mathTokens.ts";

/** The event with which the lazily loaded script provides its function. */
export const mathReady = "graft-math-ready";

/** Draws TeX into an element, and returns false for what is no TeX, which draws nothing. */
export type DrawMath = (tex: string, display: boolean, into: HTMLElement) => boolean;

/**
 * Draws formulas in idle time, by a script and a style sheet that load with the first one. A click
 * on a formula shows its source, and the next one the formula.
 */
export function createTypesetter(
  scripts: string | null,
  nonce: string,
): (formula: HTMLElement) => void {
  const script = lazyScript(scripts && `${scripts}/math.js`, nonce, mathReady, isDrawMath);
  const queue: HTMLElement[] = [];
  let styled = false;

  function run(deadline: { timeRemaining(): number }): void {
    while (script.value && queue.length > 0 && deadline.timeRemaining() > 2) {
      const next = queue.shift();
      if (next) drawFormula(next, script.value);
    }
    if (queue.length > 0) whenIdle(run);
  }

  return (formula) => {
    if (scripts === null) return;
    if (!styled) addStyles(`${scripts}/math.css`, nonce);
    styled = true;
    queue.push(formula);
    if (queue.length === 1) script.load(() => whenIdle(run));
  };
}

function isDrawMath(value: unknown): value is DrawMath {
  return typeof value === "function";
}

function drawFormula(formula: HTMLElement, drawMath: DrawMath): void {
  const source = formula.textContent ?? "";
  const display = formula.classList.contains("display");
  const drawn = document.createElement("span");
  if (!drawMath(texOf(source), display, drawn)) return;
  // A formula may put its parts anywhere: only into its own run of Markdown.
  formula.closest(".markdown")?.classList.add("with-math");
  formula.classList.add("drawn");
  formula.replaceChildren(drawn);
  formula.title = t("Click to see the source");
  formula.tabIndex = display ? 0 : -1;
  const toggle = () => {
    const isDrawn = formula.classList.toggle("drawn");
    formula.replaceChildren(isDrawn ? drawn : source);
  };
  formula.addEventListener("click", toggle);
  formula.addEventListener("keydown", ({ key }) => {
    if (key === "Enter") toggle();
  });
}

function addStyles(href: string, nonce: string): void {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = href;
  link.nonce = nonce;
  document.head.append(link);
}
