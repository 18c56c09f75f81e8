import fs from "node:fs";
import type { Locator, Page } from "playwright-core";
import { readDiff, tryLens, typeInProposal } from "../load/screen.ts";
import { screenshot } from "../ui/screenshot.ts";
import { panel, soon, until, waits } from "../ui/workbench.ts";

/** The bar over the composer with everything to review. */
export function bar(page: Page): Locator {
  return panel(page).getByRole("group", { name: "Changes to review", exact: true });
}

/** Waits until the bar names so many files. */
export function untilPending(page: Page, files: string): Promise<void> {
  const sum = bar(page).locator(".review-files").getByText(files, { exact: true });
  return untilSeen(`${files} wait for review`, sum);
}

/** Waits until nothing waits for review. */
export function untilDecided(page: Page): Promise<void> {
  return until("nothing waits for review", async () => !(await bar(page).isVisible()));
}

/** Waits for words of an answer in the chat. */
export function untilSaid(page: Page, words: string): Promise<void> {
  const said = panel(page).locator(".turns").getByText(words, { exact: true });
  return untilSeen(`the model says “${words}”`, said);
}

/** Waits for the tab of a file's proposal to be in front. */
export function untilProposed(page: Page, file: string): Promise<void> {
  const tab = page.locator(".tab.active", { hasText: `${file} (Graft proposal)` });
  return untilSeen(`the proposal for ${file} is in front`, tab);
}

/** Waits until something shows. */
export function untilSeen(what: string, target: Locator): Promise<void> {
  return until(what, () => target.first().isVisible());
}

/** Presses a button until something else shows: it may be drawn again under the click. */
export async function pressUntil(
  what: string,
  button: Locator,
  isDone: () => Promise<boolean> | boolean,
): Promise<void> {
  await until(what, async () => {
    if (await isDone()) return true;
    await button.click({ timeout: 5_000 }).catch(() => undefined);
    return within(5_000, isDone);
  });
}

/** The lines of both sides of the diff in front. */
export async function shownTexts(page: Page): Promise<{ file: string; proposal: string }> {
  const { original, modified } = await readDiff(page);
  const textOf = (lines: typeof original) => lines.map(({ text }) => text).join("\n");
  return { file: textOf(original), proposal: textOf(modified) };
}

/**
 * Clicks the lens with these words above a 0-based line of the proposal until `isDone`. One that is
 * just redrawn loses the click.
 */
export async function clickLens(
  page: Page,
  words: string,
  line: number,
  isDone: () => Promise<boolean> | boolean,
): Promise<void> {
  await until(`a click on “${words}” above line ${line + 1} has its effect`, async () => {
    if (await isDone()) return true;
    return (await tryLens(page, words, line)) !== "none" && within(3_000, isDone);
  });
}

/** Whether `isDone` comes true soon. */
export async function within(ms: number, isDone: () => Promise<boolean> | boolean) {
  return until("a click or key has its effect", isDone, ms).then(
    () => true,
    () => false,
  );
}

/** The blocks of a file's card that are in a state. */
export function blocks(page: Page, status: string): Locator {
  return panel(page).locator(`li.block:has([data-status="${status}"])`);
}

/** Undoes the last answer by its button, and agrees to the files that it lists. */
export async function undoTurn(page: Page): Promise<void> {
  const button = panel(page).getByRole("button", { name: "Undo this turn's changes", exact: true });
  const list = page.locator(".quick-input-widget", { hasText: "Undo changes since" });
  const note = panel(page).locator(".note", { hasText: "Undid the changes since" });
  await until("the turn's changes are undone", async () => {
    if (!(await list.isVisible()))
      await button
        .last()
        .press("Enter", { timeout: 5_000 })
        .catch(() => undefined);
    if (!(await soon(list, "visible", 5_000))) return note.isVisible();
    await list
      .locator(".quick-input-box input")
      .press("Enter", { timeout: 5_000 })
      .catch(() => undefined);
    return soon(note, "visible", 5_000);
  });
}

/**
 * Presses Ctrl+K and then `key`. VS Code loses a key while it moves the focus: the second one alone
 * would be typed, so it comes once VS Code says that it waits for it.
 */
export async function pressChord(page: Page, key: string): Promise<void> {
  await page.keyboard.press("Control+K");
  const waiting = page.locator(".statusbar-item", { hasText: "Waiting for second key" });
  if (await soon(waiting, "visible", 3_000)) await page.keyboard.press(key);
}

/**
 * Presses Ctrl+K and `key` until something shows. A decision that comes late would be made twice, so
 * only a long time tells that the keys were lost.
 */
export async function chordUntil(
  page: Page,
  key: string,
  what: string,
  isDone: () => Promise<boolean> | boolean,
  lostAfterMs = 15_000,
): Promise<void> {
  await until(what, async () => {
    if (await isDone()) return true;
    await pressChord(page, key);
    return within(lostAfterMs, isDone);
  });
}

/** Types at the end of a 0-based line of the proposal in front. */
export async function typeInto(page: Page, line: number, text: string): Promise<void> {
  const what = `“${text}” is typed in the proposal`;
  waits.add(what);
  await typeInProposal(page, line, text);
  waits.delete(what);
}

/** The text of a file, or null where there is none. */
export function read(file: string): string | null {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return null;
  }
}

/** A picture of the window for people to look at, with GRAFT_SCREENSHOTS set. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env.GRAFT_SCREENSHOTS) await screenshot(page, `journey-${name}`);
}

/** Accepts everything by the button of the bar. */
export function acceptAll(page: Page): Promise<void> {
  return pressUntil(
    "everything is accepted",
    bar(page).getByText("Accept all", { exact: true }),
    async () => !(await bar(page).isVisible()),
  );
}

/** Shows the list of files in the bar. */
export async function unfoldBar(page: Page): Promise<void> {
  await pressUntil("the bar lists the files", bar(page).locator(".review-toggle"), async () =>
    bar(page).locator(".review-list").isVisible(),
  );
}
