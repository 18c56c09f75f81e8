import assert from "node:assert/strict";
import fs from "node:fs";
import { createRequire } from "node:module";
import type { Browser, BrowserContext, Page } from "playwright-core";
import * as z from "zod/mini";
import { openVoiceLine } from "../../src/node/voice/openVoiceLine.ts";
import type { AudioLine } from "../../src/ports/audioLine.ts";
import type { VoicePage } from "../../src/protocol/voicePage.ts";
import { fromVoicePageSchema } from "../../src/protocol/voicePageMessages.ts";
import { builtPage } from "../fakes/voice/builtPage.ts";
import { withOwnHome } from "../fakes/voice/ownHome.ts";
import { findChromium, launchChromium } from "../harness/browser.mjs";
import { screenshot } from "./screenshot.ts";
import { until } from "./workbench.ts";

const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const violationsSchema = z.array(z.object({ id: z.string() }));
const german = z
  .record(z.string(), z.string())
  .parse(JSON.parse(fs.readFileSync("l10n/bundle.l10n.de.json", "utf8")));
/** `npm run test:all` plays all themes. */
const THEMES = process.env.GRAFT_LONG
  ? (["dark", "light", "high-contrast", "high-contrast-light"] as const)
  : (["dark", "high-contrast-light"] as const);
/** As wide as a narrow editor beside another, and that at a zoom of 200 %. */
const WIDTHS = [320, 180] as const;

describe("The voice page for everybody", () => {
  let files: ReadonlyMap<string, Uint8Array> = new Map();
  let browser: Browser | null = null;
  const open: BrowserContext[] = [];
  const ended: AbortController[] = [];
  withOwnHome();

  before(async function () {
    if (!findChromium()) this.skip();
    files = await builtPage();
    browser = await launchChromium(["--use-fake-device-for-media-stream"]);
  });
  after(async () => {
    await browser?.close();
  });
  afterEach(async () => {
    for (const each of ended.splice(0)) each.abort();
    for (const each of open.splice(0)) await each.close();
  });

  async function begin(look: Partial<VoicePage> = {}) {
    assert.ok(browser);
    const context = await browser.newContext({ viewport: { width: 320, height: 480 } });
    open.push(context);
    const page = await context.newPage();
    const controller = new AbortController();
    ended.push(controller);
    const talks: boolean[] = [];
    const opening = openVoiceLine(
      {
        readFile: async (name) => files.get(name) ?? new Uint8Array(),
        language: "en",
        translations: {},
        theme: "dark",
        handsFree: false,
        talk: (on) => talks.push(on),
        parse: (message) => fromVoicePageSchema.safeParse(message).data ?? null,
        refused: () => undefined,
        show: async (url, token) => Boolean(await page.goto(`${url}#${token}`)),
        ...look,
      },
      controller.signal,
    );
    return { page, context, opening, talks };
  }

  /** Allows the microphone in the page that was denied it. */
  async function allow({ page, context, opening }: Awaited<ReturnType<typeof begin>>) {
    await context.grantPermissions(["microphone"]);
    await page.locator("button:visible").first().click();
    const opened = await opening;
    assert.ok(opened.ok);
    return opened.value;
  }

  const isIn = (page: Page, state: string) =>
    page.locator(`html[data-state="${state}"]`).waitFor({ state: "attached" });

  /** What is wrong with what the page shows, and a picture of it where they are asked for. */
  async function faults(page: Page, name: string): Promise<readonly string[]> {
    const found: string[] = [];
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 480 });
      if (process.env.GRAFT_SCREENSHOTS) await screenshot(page, `voice page ${name} ${width}`);
      const isWide = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
      if (isWide === true) found.push(`${name} does not fit in ${width} px`);
    }
    const { violations } = z
      .object({ violations: violationsSchema })
      .parse(await page.evaluate(`${axe}; axe.run()`));
    return [...found, ...violations.map(({ id }) => `${name}: ${id}`)];
  }

  for (const theme of THEMES)
    it(`has no axe violation and fits in each of its states, ${theme}`, async () => {
      const first = await begin({ theme });
      const { page } = first;
      const found: string[] = [];
      const state = async (name: string) => {
        await isIn(page, name);
        found.push(...(await faults(page, `${theme} ${name}`)));
      };
      await state("refused");
      const line: AudioLine = await allow(first);
      await state("paused");
      await line.listen(true);
      await state("listening");
      line.close();
      await state("stopped");
      assert.equal(await page.getByText("Keep this page open").isVisible(), false);
      assert.deepEqual(found, []);
    });

  it("speaks the user's language, and says which it is", async () => {
    const first = await begin({ language: "de", translations: german });
    const { page } = first;
    await page.locator('html[lang="de"]').waitFor({ state: "attached" });
    const texts: string[] = [];
    const read = async (state: string) => {
      await isIn(page, state);
      texts.push(...(await page.locator("h1, p, button").allTextContents()), await page.title());
    };
    await read("refused");
    const line = await allow(first);
    await read("paused");
    await line.listen(true);
    await read("listening");
    line.close();
    await read("stopped");
    const english = Object.keys(german).filter((each) => german[each] !== each && each.length > 12);
    assert.deepEqual(
      english.filter((each) => texts.includes(each)),
      [],
    );
    assert.ok(texts.includes(german["Talk with Graft"] ?? "?"));
  });

  it("says so where another window listens", async () => {
    const first = await begin();
    await isIn(first.page, "refused");
    const line = await allow(first);
    await line.listen(true);
    const second = await begin();
    assert.deepEqual(await line.closed, { code: "taken" });
    await isIn(first.page, "taken");
    await first.page.getByRole("status").getByText("Another window").waitFor();
    assert.equal(await first.page.locator("button:visible").count(), 0);
    assert.deepEqual(await faults(first.page, "dark taken"), []);
    await isIn(second.page, "refused");
    (await allow(second)).close();
  });

  it("works by keyboard alone: each state has the focus on what is to be done next", async () => {
    const first = await begin();
    const { page, talks } = first;
    const focused = () => page.evaluate("document.activeElement.textContent");
    await isIn(page, "refused");
    assert.equal(await focused(), "Try again");
    await first.context.grantPermissions(["microphone"]);
    await page.keyboard.press("Enter");
    const opened = await first.opening;
    assert.ok(opened.ok);
    await isIn(page, "paused");
    await until("it has the focus", async () => (await focused()) === "Talk");
    await page.keyboard.press("Enter");
    await until("it talks", () => talks.length === 1);
    await opened.value.listen(true);
    await isIn(page, "listening");
    assert.equal(await focused(), "Send what you said", "the same button sends");
    assert.equal(await page.locator("button:focus").getAttribute("aria-pressed"), "true");
    await page.keyboard.press("Space");
    await until("it sends", () => talks.length === 2);
    assert.deepEqual(talks, [true, false]);
    await page.keyboard.press("Tab");
    assert.equal(await focused(), "Stop voice");
    await page.keyboard.press("Enter");
    assert.deepEqual(await opened.value.closed, { code: "closed" });
    await isIn(page, "stopped");
  });
});
