import fs from "node:fs";
import path from "node:path";
import { screenshot } from "./screenshot.ts";
import { panel, type Workbench } from "./workbench.ts";

/** VS Code's themes by name, and the class that the panel's body has in each. */
const THEMES = {
  "Default Light Modern": "vscode-light",
  "Default High Contrast": "vscode-high-contrast",
  "Default High Contrast Light": "vscode-high-contrast-light",
  "Default Dark Modern": "vscode-dark",
};

/**
 * Screenshots of the page in four themes, and with a side bar of 240 px, as
 * out/screenshots/<name>.png. Only with GRAFT_SCREENSHOTS set: they are for people to look at.
 * Needs the extension `themeSwitch`.
 */
export async function gallery({ page, home }: Workbench, name: string): Promise<void> {
  if (!process.env.GRAFT_SCREENSHOTS) return;
  for (const [theme, bodyClass] of Object.entries(THEMES)) {
    fs.writeFileSync(path.join(home, "theme.txt"), theme);
    await panel(page).locator(`body.${bodyClass}`).waitFor();
    await screenshot(page, `${name}, ${bodyClass.slice("vscode-".length)}`);
  }
  const drag = async (from: number, to: number) => {
    await page.mouse.move(from, 400);
    await page.mouse.down();
    await page.mouse.move(to, 400, { steps: 4 });
    await page.mouse.up();
  };
  const end = async () =>
    Number(
      await page.locator(".part.sidebar").evaluate((each) => each.getBoundingClientRect().right),
    );
  const wide = await end();
  await drag(wide, wide - 60);
  await screenshot(page, `${name} 240 px`);
  await drag(await end(), wide);
}
