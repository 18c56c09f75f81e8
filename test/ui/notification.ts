import type { Locator, Page } from "playwright-core";
import { runCommand, soon, until } from "./workbench.ts";

/** Waits for a notification, also one that VS Code has put away. */
export async function notification(page: Page, text: string | RegExp): Promise<Locator> {
  const told = page.locator(".notification-list-item", { hasText: text }).first();
  await until(`a notification says ${text}`, async () => {
    if (await soon(told)) return true;
    await runCommand(page, "Notifications: Show Notifications");
    return told.isVisible();
  });
  return told;
}

/**
 * Presses a button of a notification. Its toast goes after ten seconds, so this opens the list of
 * all, where it stays until it is answered.
 */
export async function answerNotification(page: Page, text: string, button: string): Promise<void> {
  const row = page.locator(".notifications-center .notification-list-item", { hasText: text });
  await until(`the notification “${text}” is listed`, async () => {
    if (await row.first().isVisible()) return true;
    await runCommand(page, "Notifications: Show Notifications");
    return soon(row.first());
  });
  await until(`“${button}” of the notification “${text}” is pressed`, async () => {
    await row
      .first()
      .getByText(button, { exact: true })
      .click({ timeout: 5_000 })
      .catch(() => undefined);
    return (await row.count()) === 0;
  });
}
