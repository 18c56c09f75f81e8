/** The least contrast of text with what is behind it (WCAG 2.2, 1.4.3). */
const LEAST = 4.5;
/** How much nearer to black or white each attempt is. */
const STEP = 0.05;

/**
 * Two colors that the panel shows together. `change` gives way where a theme has too little contrast
 * between them. Of several names the first that the theme has counts.
 */
interface Pair {
  readonly change: readonly string[];
  readonly against: readonly string[];
  /** What is behind `against` where that is transparent. */
  readonly over?: readonly string[];
}

const ON_EDITOR = [
  "editor-foreground",
  "debugTokenExpression-name",
  "debugTokenExpression-string",
  "debugTokenExpression-number",
  "debugTokenExpression-boolean",
  "symbolIcon-functionForeground",
  "symbolIcon-variableForeground",
];

const PAIRS: readonly Pair[] = [
  { change: ["button-background"], against: ["button-foreground"] },
  { change: ["button-hoverBackground"], against: ["button-foreground"] },
  {
    change: ["editorSuggestWidget-foreground", "foreground"],
    against: ["editorSuggestWidget-background", "editorWidget-background"],
  },
  {
    change: ["editorSuggestWidget-selectedForeground", "list-activeSelectionForeground"],
    against: ["editorSuggestWidget-selectedBackground", "list-activeSelectionBackground"],
    over: ["editorSuggestWidget-background", "editorWidget-background"],
  },
  ...ON_EDITOR.map((name) => ({ change: [name], against: ["editor-background"] })),
];

/** Red, green and blue from 0 to 255. */
type Rgb = readonly number[];

/**
 * Gives the panel's text enough contrast in every theme, now and when the theme changes: a color
 * that lacks it becomes darker or lighter.
 */
export function keepColorsReadable(): void {
  const { documentElement: page } = document;
  adjust();
  // VS Code has the theme's colors on the page, and its name on the body.
  const watching = { attributes: true, attributeFilter: ["style", "class"] };
  new MutationObserver(adjust).observe(page, watching);
}

function adjust(): void {
  const theme = getComputedStyle(document.documentElement);
  const { body } = document;
  for (const { change, against, over = [] } of PAIRS) {
    const name = firstOf(change, theme);
    const own = name === null ? null : parseColor(theme.getPropertyValue(name));
    const other = backdrop([firstOf(against, theme), firstOf(over, theme)], theme);
    for (const each of change) body.style.removeProperty(variable(each));
    const readable = own?.alpha === 1 && other ? readableColor(own.rgb, other) : null;
    if (name && readable) body.style.setProperty(name, readable);
  }
}

function variable(name: string): string {
  return `--vscode-${name}`;
}

/** The variable of the first of these names that the theme has. */
function firstOf(names: readonly string[], theme: CSSStyleDeclaration): string | null {
  return names.map(variable).find((each) => theme.getPropertyValue(each) !== "") ?? null;
}

/** The color of layers, of which the last one must be opaque; null where none is. */
function backdrop(layers: readonly (string | null)[], theme: CSSStyleDeclaration): Rgb | null {
  const [first, ...below] = layers;
  const top = first ? parseColor(theme.getPropertyValue(first)) : null;
  if (!top || top.alpha === 1) return top?.rgb ?? null;
  const under = backdrop(below, theme);
  return under && top.rgb.map((part, at) => part * top.alpha + (under[at] ?? 0) * (1 - top.alpha));
}

/** `#rrggbb`, `#rrggbbaa`, `rgb(…)` or `rgba(…)`; null for anything else. */
function parseColor(text: string): { readonly rgb: Rgb; readonly alpha: number } | null {
  const color = text.trim();
  const hex = /^#([0-9a-f]{6})([0-9a-f]{2})?$/i.exec(color);
  const numbers = /^rgba?\(([\d., /]+)\)$/
    .exec(color)?.[1]
    ?.match(/[\d.]+/g)
    ?.map(Number);
  const [red, green, blue, alpha = 1] = hex
    ? [...color.slice(1).matchAll(/../g)].map(([two], at) =>
        at === 3 ? Number.parseInt(two, 16) / 255 : Number.parseInt(two, 16),
      )
    : (numbers ?? []);
  return red === undefined || green === undefined || blue === undefined
    ? null
    : { rgb: [red, green, blue], alpha };
}

/** `color`, or the nearest to it with enough contrast; null where it has that. */
function readableColor(color: Rgb, other: Rgb): string | null {
  if (contrast(color, other) >= LEAST) return null;
  const end = luminance(other) > 0.18 ? 0 : 255;
  for (let share = STEP; share < 1; share += STEP) {
    const mixed = color.map((part) => Math.round(part + (end - part) * share));
    if (contrast(mixed, other) >= LEAST) return `rgb(${mixed.join(" ")})`;
  }
  return `rgb(${end} ${end} ${end})`;
}

function contrast(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Relative luminance by WCAG, from 0 (black) to 1 (white). */
function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
