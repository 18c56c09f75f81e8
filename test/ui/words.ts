import type { Locator } from "playwright-core";

/** The text of an element with single spaces. */
export async function words(element: Locator): Promise<string> {
  return ((await element.textContent()) ?? "").replace(/\s+/g, " ");
}
