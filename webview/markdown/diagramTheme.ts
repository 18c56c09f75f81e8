/** The colors and the font of a diagram, as the theme has them now. */
export interface DiagramTheme {
  readonly isDark: boolean;
  readonly font: string;
  readonly background: string;
  readonly text: string;
  readonly box: string;
  readonly line: string;
  readonly accent: string;
}

/** Reads the theme. VS Code has its colors on the page, which a picture cannot see. */
export function diagramTheme(): DiagramTheme {
  const probe = document.createElement("span");
  probe.hidden = true;
  document.body.append(probe);
  const pixel = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  /** The color as it shows on the editor's background, in the one notation that all can read. */
  const color = (value: string): string => {
    for (const each of ["var(--vscode-editor-background)", value]) {
      probe.style.color = each;
      if (pixel) pixel.fillStyle = getComputedStyle(probe).color;
      pixel?.fillRect(0, 0, 1, 1);
    }
    const [red = 0, green = 0, blue = 0] = pixel?.getImageData(0, 0, 1, 1).data ?? [];
    return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, "0")).join("")}`;
  };
  const { classList } = document.body;
  const theme = {
    isDark: classList.contains("vscode-dark") || isDarkContrast(classList),
    font: getComputedStyle(document.body).fontFamily,
    background: color("var(--vscode-editor-background)"),
    text: color("var(--vscode-foreground)"),
    box: color("var(--vscode-textCodeBlock-background)"),
    line: color("var(--soft)"),
    accent: color("var(--vscode-textLink-foreground)"),
  };
  probe.remove();
  return theme;
}

function isDarkContrast(classes: DOMTokenList): boolean {
  return (
    classes.contains("vscode-high-contrast") && !classes.contains("vscode-high-contrast-light")
  );
}
