import * as z from "zod/mini";
import { diagramTheme } from "./diagramTheme.ts";
import type { DrawnDiagram } from "./drawnDiagram.ts";
import { lazyScript } from "./lazyScript.ts";

/** The event with which the lazily loaded script provides what runs in the frame. */
const diagramReady = "graft-diagram-ready";

/** Longer sources stay text. */
const LONGEST = 20_000;
/** A picture as an address, in characters. */
const LARGEST = 2_000_000;
/** How long a diagram may take before it stays text, on a machine that does other things too. */
const GIVE_UP_MS = 30_000;

const answerSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("drawn"),
    svg: z.string(),
    width: z.number().check(z.positive(), z.maximum(100_000)),
    height: z.number().check(z.positive(), z.maximum(100_000)),
  }),
  z.object({ type: z.literal("invalid"), detail: z.string() }),
]);

interface Job {
  readonly owner: Element;
  readonly source: string;
  readonly show: (drawn: DrawnDiagram) => void;
}

/** Draws a diagram for `owner`, and again when the theme changes, as long as that is shown. */
export type DrawDiagram = (
  owner: Element,
  source: string,
  show: (drawn: DrawnDiagram) => void,
) => void;

/**
 * Draws diagrams one after the other, in a frame that reaches neither the panel nor the network,
 * and has a process of its own. One that takes too long ends with its frame. What comes out is a
 * picture, in which no script runs.
 */
export function createDiagramDrawer(scripts: string | null, nonce: string): DrawDiagram {
  const script = lazyScript(scripts && `${scripts}/diagram.js`, nonce, diagramReady, isInFrame);
  const queue: Job[] = [];
  let shown: Job[] = [];
  let frame: DiagramFrame | null = null;
  let running = false;

  async function run(): Promise<void> {
    if (running || script.value === null) return;
    running = true;
    for (let job = queue.shift(); job; job = queue.shift()) {
      frame ??= new DiagramFrame(script.value, nonce);
      const drawn = await frame.draw(job.source);
      if (drawn.type === "gave-up" || queue.length === 0) {
        frame.close();
        frame = null;
      }
      job.show(drawn);
    }
    running = false;
  }

  new MutationObserver(() => {
    shown = shown.filter(({ owner }) => owner.isConnected);
    queue.push(...shown.filter((job) => !queue.includes(job)));
    void run();
  }).observe(document.body, { attributeFilter: ["class"] });

  return (owner, source, show) => {
    if (source.length > LONGEST) {
      show({ type: "too-long" });
      return;
    }
    const job = { owner, source, show };
    shown.push(job);
    queue.push(job);
    script.load(() => void run());
  };
}

type InFrame = (port: MessagePort, nonce: string) => void;

function isInFrame(value: unknown): value is InFrame {
  return typeof value === "function";
}

/** A frame that draws one diagram at a time. */
class DiagramFrame {
  private readonly element = document.createElement("iframe");
  private readonly port: MessagePort;

  constructor(inFrame: InFrame, nonce: string) {
    const { port1, port2 } = new MessageChannel();
    this.port = port1;
    this.element.setAttribute("sandbox", "allow-scripts");
    this.element.setAttribute("aria-hidden", "true");
    this.element.tabIndex = -1;
    this.element.className = "diagram-frame";
    this.element.srcdoc = `<!DOCTYPE html><meta charset="utf-8"><body><script nonce="${nonce}">
      addEventListener("message", ({ data, ports: [port] }) => {
        self.graftPort = port;
        const script = document.createElement("script");
        script.nonce = "${nonce}";
        script.textContent = data;
        document.body.append(script);
      }, { once: true });
    </script></body>`;
    const code = `(${inFrame})(graftPort, "${nonce}")`;
    this.element.addEventListener("load", () =>
      this.element.contentWindow?.postMessage(code, "*", [port2]),
    );
    document.body.append(this.element);
  }

  draw(source: string): Promise<DrawnDiagram> {
    return new Promise((done) => {
      const timer = setTimeout(() => done({ type: "gave-up" }), GIVE_UP_MS);
      this.port.onmessage = ({ data }: MessageEvent<unknown>) => {
        clearTimeout(timer);
        const answer = answerSchema.safeParse(data);
        done(answer.success ? drawnFrom(answer.data) : { type: "gave-up" });
      };
      this.port.postMessage({ source, theme: diagramTheme() });
    });
  }

  close(): void {
    this.port.close();
    this.element.remove();
  }
}

function drawnFrom(answer: z.infer<typeof answerSchema>): DrawnDiagram {
  if (answer.type === "invalid") return answer;
  const { svg, width, height } = answer;
  const src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  return src.length > LARGEST ? { type: "too-long" } : { type: "drawn", src, width, height };
}
