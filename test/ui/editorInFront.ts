import type { Locator, Page } from "playwright-core";
import { soon, until } from "./workbench.ts";

/**
 * Types the last line of the file in front, in place of what stands there. The focus may go to the
 * chat later than the click into the editor.
 */
export async function typeLastLine(page: Page, text: string): Promise<void> {
  await until(`“${text}” is typed`, async () => {
    await page.locator(".editor-instance .view-lines").first().click();
    for (const key of ["Control+End", "Shift+Home", "Shift+Home"]) await page.keyboard.press(key);
    await page.keyboard.type(text);
    return soon(page.locator(".editor-instance .view-line", { hasText: text.trim() }).first());
  });
}

/**
 * Saves the file in front by its key, until `isSaved`: after the last decision the focus goes to the
 * chat, perhaps later than the click into the editor.
 */
export async function saveInFront(page: Page, isSaved: () => boolean): Promise<void> {
  await until("the file is saved", async () => {
    // Something may lie over the text for a while; the key works without the click, too.
    await page
      .locator(".editor-instance .view-lines")
      .first()
      .click({ timeout: 5_000 })
      .catch(() => undefined);
    await page.keyboard.press("Control+S");
    return isSaved();
  });
  // VS Code restores unsaved text over a reload that comes before it knows of the save.
  await page.locator(".tab.active.dirty").waitFor({ state: "detached" });
}

/** The visible CodeLenses with this text, from top to bottom. */
export async function lenses(page: Page, text: string): Promise<Locator[]> {
  const found = page.locator(".codelens-decoration a", { hasText: text });
  // At one moment: one that goes meanwhile would be waited for.
  const tops = await found.evaluateAll((links) =>
    links.map((link) => {
      const { top, width, height } = link.getBoundingClientRect();
      return width > 0 && height > 0 && link.checkVisibility({ visibilityProperty: true })
        ? top
        : null;
    }),
  );
  const shown = tops.flatMap((top, at) => (top === null ? [] : [{ lens: found.nth(at), top }]));
  return shown.sort((a, b) => a.top - b.top).map(({ lens }) => lens);
}

/**
 * Accepts a file by the action in the title bar of its diff in front. The bar loses a click while it
 * is redrawn.
 */
export async function acceptFile(page: Page, file: string): Promise<void> {
  const proposal = page.locator(".tab.active", { hasText: `${file} (Graft proposal)` });
  const action = page.locator('.editor-actions .action-label[aria-label^="Accept File"]');
  await proposal.waitFor();
  await action.waitFor();
  await until(`${file} is accepted`, async () => {
    if (!(await proposal.isVisible())) return true;
    await action.click({ timeout: 10_000 }).catch(() => undefined);
    return soon(proposal, "hidden");
  });
}
