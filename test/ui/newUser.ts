import type { Locator, Page } from "playwright-core";
import {
  ask,
  fillBox,
  openWorkbench,
  panel,
  soon,
  until,
  type Workbench,
  type WorkbenchOptions,
} from "./workbench.ts";

/** A new user's window. Counts the clicks and the pastes. */
export class NewUser {
  readonly workbench: Workbench;
  readonly page: Page;
  clicks = 0;
  pastes = 0;
  private emptyAt = 0;

  constructor(workbench: Workbench) {
    this.workbench = workbench;
    this.page = workbench.page;
  }

  async click(target: Locator): Promise<void> {
    this.clicks++;
    await target.click();
  }

  async paste(text: string): Promise<void> {
    this.pastes++;
    // The list before it closes only when the box for the key is there.
    const key = this.page.locator('.quick-input-widget input[type="password"]');
    await key.fill(text);
    await key.press("Enter");
  }

  /** Types into the box with this title. */
  type(title: string, text: string): Promise<void> {
    return fillBox(this.page, title, text);
  }

  /** Clicks a row of a QuickPick. A click on a list that just changes is lost. */
  async pick(text: string): Promise<void> {
    this.clicks++;
    await this.row(text).waitFor();
    await until(`“${text}” is taken`, async () => {
      await this.row(text)
        .click({ timeout: 10_000 })
        .catch(() => undefined);
      return soon(this.row(text), "hidden");
    });
  }

  /** The panel's button that names the model. */
  model(name: string): Locator {
    return panel(this.page).getByRole("button", { name, exact: true });
  }

  row(text: string): Locator {
    return this.page.locator(".quick-input-list .monaco-list-row", { hasText: text }).first();
  }

  /** The row that Enter takes. */
  focusedRow(text: string): Locator {
    return this.page.locator(".quick-input-list .monaco-list-row.focused", { hasText: text });
  }

  offer(name: string): Locator {
    return panel(this.page).getByRole("button", { name });
  }

  /** Opens the empty panel. */
  async openGraft(): Promise<void> {
    await this.click(this.page.locator('.activitybar .action-label[aria-label^="Graft"]'));
    await panel(this.page).getByText("Ask for a change").first().waitFor();
    this.emptyAt = Date.now();
  }

  /** Prints what the first answer took. */
  report(start: string): void {
    const ms = Date.now() - this.emptyAt;
    console.log(
      `      ${start}: from the empty panel ${this.clicks - 1} clicks, ${this.pastes} pastes, ${ms} ms`,
    );
  }

  /** Types a question, sends it with Enter and waits for the answer. */
  async ask(question: string, answer: string): Promise<void> {
    await ask(this.page, question);
    await panel(this.page).getByText(answer).first().waitFor();
  }
}

/** Opens a window without any choice, and without keys and proxies of the machine. */
export async function openAsNewUser(options: Partial<WorkbenchOptions> = {}): Promise<NewUser> {
  const env = {
    OPENAI_API_KEY: "",
    ANTHROPIC_API_KEY: "",
    GEMINI_API_KEY: "",
    GOOGLE_API_KEY: "",
    OPENROUTER_API_KEY: "",
    ...options.env,
  };
  const files = { "a.ts": "export const a = 1;\n" };
  return new NewUser(await openWorkbench({ settings: {}, files, ...options, env }));
}
