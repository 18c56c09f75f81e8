import type { Locator } from "playwright-core";

/** The text of an element as screen readers get it. */
export async function words(element: Locator): Promise<string> {
  return ((await element.textContent()) ?? "").replace(/\s+/g, " ");
}
