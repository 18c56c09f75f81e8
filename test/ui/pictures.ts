// Takes the walkthrough's picture anew, with out/graft.vsix: node --import tsx test/ui/pictures.ts
// Reduce it to 128 colors afterwards: it must stay below 150 kB.
import fs from "node:fs";
import path from "node:path";
import { startFullServer } from "../fakes/model/fullServer.ts";
import { root } from "../harness/root.mjs";
import {
  openFile,
  openWorkbench,
  panel,
  runCommand,
  screenshot,
  type Workbench,
} from "./workbench.ts";

const ollama = {
  "GET /api/tags": { models: [{ name: "qwen3-coder:30b" }, { name: "gemma3:12b" }] },
  "POST /api/show": {
    capabilities: ["completion", "tools"],
    model_info: { "qwen3.context_length": 262144 },
  },
};
const before = fs.readFileSync(path.join(root, "test/fixtures/sample/src/cart.js"), "utf8");

/** Saves what the window shows as a picture of the walkthrough. */
async function take({ page }: Workbench, name: string): Promise<void> {
  await page.mouse.move(640, 5);
  await page
    .locator(".notification-list-item, .monaco-hover:not(.hidden)")
    .first()
    .waitFor({ state: "hidden" });
  const file = path.join(root, "media/walkthrough", `${name}.png`);
  await page.screenshot({ path: file, animations: "disabled", caret: "hide" });
  console.log(`${path.relative(root, file)}: ${Math.round(fs.statSync(file).size / 1000)} kB`);
}

async function main(): Promise<void> {
  const server = await startFullServer(ollama, [], 11434);
  const settings = {
    "workbench.colorTheme": "Default Light Modern",
    "editor.minimap.enabled": false,
    "window.commandCenter": false,
    "workbench.layoutControl.enabled": false,
  };
  const env = { OPENAI_API_KEY: "", ANTHROPIC_API_KEY: "" };
  const files = { "src/cart.js": before };
  const workbench = await openWorkbench({
    settings,
    files,
    env,
    width: 1000,
    height: 640,
    scale: 1.5,
  });
  const { page } = workbench;
  try {
    await openFile(page, "src/cart.js");
    await runCommand(page, "Graft: Open Chat");
    const offer = panel(page).getByRole("button", { name: "Use qwen3-coder:30b on this machine" });
    await offer
      .waitFor()
      .catch((error: unknown) =>
        screenshot(page, "failed-pictures").then(() => Promise.reject(error)),
      );
    await take(workbench, "model");
  } finally {
    await workbench.close();
    await server.close();
  }
}

void main();
