import mermaid from "mermaid";
import { allowStyles } from "./frameStyles.ts";
import type { DiagramTheme } from "./markdown/diagramTheme.ts";

// What runs in the frame of `diagramDrawer`. The build wraps it into a function of these two.
declare const graftPort: MessagePort;
declare const graftNonce: string;

interface Request {
  readonly source: string;
  readonly theme: DiagramTheme;
}

allowStyles(graftNonce);
let drawn = 0;
graftPort.onmessage = async ({ data }: MessageEvent<Request>) => {
  try {
    graftPort.postMessage(await drawSvg(data));
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    graftPort.postMessage({ type: "invalid", detail: detail.slice(0, 500) });
  }
};

async function drawSvg({ source, theme }: Request): Promise<object> {
  mermaid.initialize({
    startOnLoad: false,
    suppressErrorRendering: true,
    securityLevel: "strict",
    htmlLabels: false,
    maxTextSize: 20_000,
    maxEdges: 400,
    fontFamily: theme.font,
    look: "classic",
    theme: "base",
    themeVariables: {
      darkMode: theme.isDark,
      fontFamily: theme.font,
      background: theme.background,
      mainBkg: theme.box,
      primaryColor: theme.box,
      primaryTextColor: theme.text,
      primaryBorderColor: theme.line,
      textColor: theme.text,
      titleColor: theme.text,
      lineColor: theme.line,
      edgeLabelBackground: theme.background,
      clusterBkg: theme.background,
      clusterBorder: theme.line,
      noteBkgColor: theme.background,
      noteTextColor: theme.text,
      noteBorderColor: theme.accent,
    },
    // What a diagram may not decide about itself.
    secure: [
      ...["secure", "securityLevel", "startOnLoad", "maxTextSize", "maxEdges", "layout"],
      ...["suppressErrorRendering", "fontFamily", "htmlLabels"],
    ],
  });
  drawn += 1;
  const { svg: markup } = await mermaid.render(`diagram-${drawn}`, source);
  const svg = new DOMParser().parseFromString(markup, "text/html").querySelector("svg");
  const [, , width = 0, height = 0] = (svg?.getAttribute("viewBox") ?? "")
    .split(/[ ,]+/)
    .map(Number);
  if (!svg || !(width > 0 && height > 0)) throw new Error("Nothing was drawn.");
  svg.setAttribute("width", String(width));
  svg.setAttribute("height", String(height));
  svg.style.removeProperty("max-width");
  for (const sheet of svg.querySelectorAll("style")) sheet.removeAttribute("nonce");
  return { type: "drawn", svg: new XMLSerializer().serializeToString(svg), width, height };
}
