import fs from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import { root } from "../harness/root.mjs";

/** Saves the page as out/screenshots/<name>.png. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const dir = path.join(root, "out/screenshots");
  fs.mkdirSync(dir, { recursive: true });
  await page.screenshot({ path: path.join(dir, `${name}.png`) });
}

/**
 * Takes a screenshot when a test of the surrounding `describe` fails, and prints which tabs, lists,
 * dialogs and notifications there are: where nobody sees the picture, that tells why.
 */
export function screenshotsOfFailures(page: () => Page): void {
  afterEach(async function () {
    if (this.currentTest?.state !== "failed") return;
    await screenshot(page(), `failed-${this.currentTest.title.replace(/\W+/g, "-")}`);
    for (const line of await shown(page())) console.log(`      shown at the failure: ${line}`);
  });
}

async function shown(page: Page): Promise<string[]> {
  // What was told more than ten seconds ago is only in the list behind the bell.
  await page
    .locator("[id='status.notifications'] a")
    .click({ timeout: 10_000 })
    .catch(() => undefined);
  const places = {
    tab: ".tabs-container .tab",
    list: ".quick-input-widget",
    dialog: ".monaco-dialog-box",
    notification: ".notification-list-item",
  };
  const lines = Object.entries(places).map(([place, selector]) =>
    page.locator(selector).evaluateAll(
      (found, name) =>
        found
          .filter((each) => each.checkVisibility())
          .map((each) => {
            const states = ["active", "dirty"].filter((state) => each.classList.contains(state));
            let text = each.textContent ?? "";
            // A list holds its style sheet.
            for (const style of each.querySelectorAll("style"))
              text = text.replace(style.textContent ?? "", "");
            text = text.replace(/\s+/g, " ").trim();
            return [name, ...states, text.slice(0, 300)].join(" ");
          }),
      place,
    ),
  );
  return [...new Set((await Promise.all(lines)).flat())];
}
