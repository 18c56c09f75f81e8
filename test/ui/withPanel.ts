import assert from "node:assert/strict";
import type { Browser } from "playwright-core";
import { findChromium, launchChromium } from "../harness/browser.mjs";
import { buildPanel, type PanelFiles, PanelPage, type PanelPageOptions } from "./panelPage.ts";

/** What all test files of a process share: the panel's files, a browser, and its page. */
let files: PanelFiles = new Map();
let browser: Browser | null = null;
let panel: PanelPage | null = null;
after(() => browser?.close());

/** The panel of the running test. */
export interface TestedPanel
  extends Pick<PanelPage, "page" | "post" | "snapshot" | "events" | "sent" | "posted" | "markup"> {
  readonly files: PanelFiles;
  /** Opens a new panel in the middle of a test. */
  reopen(options?: PanelPageOptions): Promise<void>;
}

/**
 * Shows a new panel in a real browser for each test of the surrounding `describe`. A test fails
 * when the browser reports an error. Without a browser the tests are skipped with a message.
 */
export function withPanel(): TestedPanel {
  async function open(options?: PanelPageOptions): Promise<void> {
    assert.ok(browser);
    if (panel) await panel.show(options);
    else panel = await PanelPage.open(browser, files, options);
  }

  function complainsOfNothing(): void {
    const complaints = panel?.complaints.splice(0) ?? [];
    assert.deepEqual(complaints, [], "the browser reports no errors");
  }

  before(async function () {
    if (!findChromium()) {
      console.log("      No Chromium found; set CHROMIUM to one. Skipping the panel tests.");
      this.skip();
    }
    if (files.size === 0) files = await buildPanel();
    browser ??= await launchChromium();
  });
  beforeEach(() => open());
  afterEach(async function () {
    // What a failed test still does must not reach the next one's panel.
    if (this.currentTest?.state === "failed") {
      await panel?.close();
      panel = null;
    } else complainsOfNothing();
  });

  function current(): PanelPage {
    assert.ok(panel);
    return panel;
  }

  return {
    get page() {
      return current().page;
    },
    get files() {
      return files;
    },
    post: (...messages) => current().post(...messages),
    snapshot: (events, status) => current().snapshot(events, status),
    events: (events) => current().events(events),
    sent: () => current().sent(),
    posted: () => current().posted(),
    markup: () => current().markup(),
    async reopen(options) {
      complainsOfNothing();
      await open(options);
    },
  };
}
