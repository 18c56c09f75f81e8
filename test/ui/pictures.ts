// Takes the pictures of the walkthrough and of the README anew, with out/graft.vsix:
//   node --import tsx test/ui/pictures.ts
// The animation of the README needs ffmpeg.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Locator, Page } from "playwright-core";
import { startFullServer } from "../fakes/model/fullServer.ts";
import { type ModelStep, startModelServer } from "../fakes/model/modelServer.ts";
import { launchChromium } from "../harness/browser.mjs";
import { root } from "../harness/root.mjs";
import { lenses } from "./editorInFront.ts";
import { screenshot } from "./screenshot.ts";
import {
  composer,
  openFile,
  openPanel,
  openWorkbench,
  panel,
  runCommand,
  until,
  type Workbench,
} from "./workbench.ts";

/** VS Code's themes, and what a picture in each is called. */
const THEMES = {
  "Default Light Modern": "light",
  "Default High Contrast": "hc",
  "Default High Contrast Light": "hcLight",
  "Default Dark Modern": "dark",
} as const;
const BODIES = {
  light: "light",
  hc: "high-contrast",
  hcLight: "high-contrast-light",
  dark: "dark",
};
const SETTINGS = {
  // Not the first theme of a picture: the switch to each is waited for.
  "workbench.colorTheme": "Default Dark Modern",
  "editor.minimap.enabled": false,
  "breadcrumbs.enabled": false,
  "window.commandCenter": false,
  "workbench.layoutControl.enabled": false,
  "workbench.startupEditor": "none",
  "graft.diff.inline": "never",
  // Other servers of this machine are none of the user's.
  "remote.autoForwardPorts": false,
};
const cart = fs.readFileSync(path.join(root, "test/fixtures/sample/src/cart.js"), "utf8");
const MODELS = {
  "GET /api/tags": { models: [{ name: "qwen3-coder:30b" }, { name: "gemma3:12b" }] },
  "POST /api/show": {
    capabilities: ["completion", "tools"],
    model_info: { "qwen3.context_length": 262144 },
  },
};

/** An area of the window in CSS pixels. */
interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Saves an area of the window in each theme as a picture of the walkthrough. */
async function take({ page, home }: Workbench, name: string, clip: Area): Promise<void> {
  await page.mouse.move(clip.x + clip.width + 20, 5);
  await page
    .locator(".notification-list-item, .monaco-hover:not(.hidden)")
    .first()
    .waitFor({ state: "hidden" });
  for (const [theme, short] of Object.entries(THEMES)) {
    fs.writeFileSync(path.join(home, "theme.txt"), theme);
    await panel(page).locator(`body.vscode-${BODIES[short]}`).waitFor();
    const png = await page.screenshot({ clip, animations: "disabled", caret: "hide" });
    const file = path.join(root, "media/walkthrough", `${name}-${short}.webp`);
    fs.writeFileSync(file, await webp(png));
    console.log(`${path.relative(root, file)}: ${Math.round(fs.statSync(file).size / 1000)} kB`);
  }
}

/** Chromium is the encoder: it is there. */
async function webp(png: Buffer): Promise<Buffer> {
  const browser = await launchChromium([]);
  try {
    const page = await browser.newPage();
    const url = await page.evaluate(`(async () => {
      const image = new Image();
      image.src = "data:image/png;base64,${png.toString("base64")}";
      await image.decode();
      const canvas = document.createElement("canvas");
      canvas.width = image.width;
      canvas.height = image.height;
      canvas.getContext("2d").drawImage(image, 0, 0);
      return canvas.toDataURL("image/webp", 0.7);
    })()`);
    return Buffer.from(String(url).split(",")[1] ?? "", "base64");
  } finally {
    await browser.close();
  }
}

async function areaOf(locator: Locator): Promise<Area> {
  const box = await locator.boundingBox();
  if (!box) throw new Error("It is not shown.");
  return box;
}

/** Choosing a model, with two on this machine. */
async function takeModel(): Promise<void> {
  const server = await startFullServer(MODELS, [], 11434);
  const workbench = await openWorkbench({
    settings: SETTINGS,
    files: { "src/cart.js": cart },
    env: { OPENAI_API_KEY: "", ANTHROPIC_API_KEY: "" },
    width: 1000,
    height: 660,
    scale: 2,
    extension: "themeSwitch",
  });
  const { page } = workbench;
  try {
    await runCommand(page, "Graft: Open Chat");
    await panel(page)
      .getByRole("button", { name: "Use qwen3-coder:30b on this machine" })
      .waitFor();
    await take(workbench, "model", await areaOf(page.locator(".part.sidebar")));
  } catch (error) {
    await screenshot(page, "failed-pictures");
    throw error;
  } finally {
    await workbench.close();
    await server.close();
  }
}

const DISCOUNT = `\`\`\`js:ast-path:subtotal
/** The sum of all items, without those that are free. */
export function subtotal(items) {
  return items
    .filter((item) => item.price > 0)
    .reduce((sum, item) => sum + item.price * item.quantity, 0);
}
\`\`\`
`;
const STEPS: readonly ModelStep[] = [
  {
    text: "I read the cart first.",
    toolCalls: [{ name: "read_file", args: { file_path: "src/cart.js" } }],
  },
  {
    text: "`subtotal` adds every item.",
    toolCalls: [{ name: "edit_mode", args: { file_path: "src/cart.js" } }],
  },
  { text: `Free items are left out now:\n\n${DISCOUNT}`, chunkSize: 6 },
  { text: "`subtotal` now leaves free items out. The change waits for you." },
];

/** Asking, reviewing and accepting, and the animation of all three. */
async function takeEdit(): Promise<void> {
  const frames = fs.mkdtempSync(path.join(os.tmpdir(), "graft-frames-"));
  const slow = STEPS.map((step) => ({
    ...step,
    pace: () => new Promise((resolve) => setTimeout(resolve, 25)),
  }));
  const server = await startModelServer(slow);
  const workbench = await openWorkbench({
    settings: { ...SETTINGS, "graft.baseUrl": server.url, "graft.model": "qwen3-coder" },
    files: { "src/cart.js": cart },
    width: 1000,
    height: 600,
    scale: 2,
    extension: "themeSwitch",
  });
  const { page } = workbench;
  const film = new Film(page, frames);
  const side = () => areaOf(page.locator(".part.sidebar"));
  const editor = () => areaOf(page.locator(".part.editor"));
  try {
    await openFile(page, "src/cart.js");
    await openPanel(page);
    await composer(page).pressSequentially("Leave free items out of @cart");
    await panel(page).locator(".suggestion").first().waitFor();
    await take(workbench, "ask", await side());
    await composer(page).fill("");
    film.start();
    await composer(page).pressSequentially("Leave free items out of the subtotal", { delay: 25 });
    await composer(page).press("Enter");
    await panel(page).locator(".markdown", { hasText: "The change waits for you." }).waitFor();
    await page.locator(".tab.active", { hasText: "cart.js (Graft proposal)" }).waitFor();
    await until("the lenses are there", async () => (await lenses(page, "Accept")).length > 0);
    await film.pause();
    await take(workbench, "review", await editor());
    film.start();
    // The proposal is a document: it can be edited.
    await page.locator(".editor.modified .view-line", { hasText: "without those" }).click();
    await page.keyboard.press("End");
    for (const _ of " */") await page.keyboard.press("ArrowLeft");
    for (const letter of " Free gifts count nothing.")
      await page.keyboard.type(letter, { delay: 30 });
    await film.pause();
    await panel(page).locator(".review-bar").getByText("Accept all").hover();
    await take(workbench, "accept", await side());
    film.start();
    await panel(page).locator(".review-bar").getByText("Accept all").click();
    await page.locator(".tab.active", { hasText: /^cart\.js/ }).waitFor();
    await film.hold(1_500);
    await film.pause();
    film.save(path.join(root, "media/edit.gif"));
  } catch (error) {
    await screenshot(page, "failed-pictures");
    throw error;
  } finally {
    await film.pause();
    await workbench.close();
    await server.close();
    fs.rmSync(frames, { recursive: true, force: true });
  }
}

/** Takes frames of the window while it runs. */
class Film {
  private readonly page: Page;
  private readonly folder: string;
  private readonly taken: { readonly file: string; readonly at: number }[] = [];
  private running: Promise<void> | null = null;
  private goes = false;
  /** Milliseconds that passed while no frame was taken. */
  private skipped = 0;
  private pausedAt = 0;

  constructor(page: Page, folder: string) {
    this.page = page;
    this.folder = folder;
  }

  start(): void {
    if (this.pausedAt > 0) this.skipped += Date.now() - this.pausedAt;
    this.goes = true;
    // A window that is closed while a frame is taken says what failed.
    this.running = this.take().catch(() => undefined);
  }

  async pause(): Promise<void> {
    this.goes = false;
    await this.running;
    this.pausedAt = Date.now();
  }

  async hold(ms: number): Promise<void> {
    await this.page.waitForTimeout(ms);
  }

  /** Each frame is shown as long as it took until the next one. */
  save(file: string): void {
    const list = this.taken.flatMap(({ file: frame, at }, index) => {
      const next = this.taken[index + 1]?.at ?? at + 2_000;
      return [`file '${frame}'`, `duration ${(next - at) / 1000}`];
    });
    const listed = path.join(this.folder, "frames.txt");
    fs.writeFileSync(listed, list.join("\n"));
    const filter =
      "fps=8,scale=1000:-1:flags=lanczos,split[a][b];[a]palettegen=max_colors=96[p];[b][p]paletteuse=dither=none";
    const input = ["-y", "-loglevel", "error", "-f", "concat", "-safe", "0", "-i", listed];
    execFileSync("ffmpeg", [...input, "-vf", filter, "-loop", "0", file]);
    console.log(`${path.relative(root, file)}: ${Math.round(fs.statSync(file).size / 1000)} kB`);
  }

  private async take(): Promise<void> {
    while (this.goes) {
      const file = path.join(this.folder, `${this.taken.length}.png`);
      const at = Date.now() - this.skipped;
      await this.page.screenshot({ path: file, scale: "css" });
      this.taken.push({ file, at });
    }
  }
}

async function main(): Promise<void> {
  await takeModel();
  await takeEdit();
}

void main();
