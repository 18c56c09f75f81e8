import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import type { Locator, Page } from "playwright-core";
import * as z from "zod/mini";
import { composer, openWorkbench, panel, soon, type Workbench } from "../ui/workbench.ts";
import { DIFF_TAB } from "./lensTexts.ts";

/** How long the user waits for what they should see on a busy machine, in milliseconds. */
const BUSY_PATIENCE = Number(process.env.GRAFT_LOAD_PATIENCE ?? 180) * 1000;

/** How long a click on a lens may take to show, in milliseconds, before it counts as lost. */
const PATIENCE_FOR_CLICK_MS = 8000;

/** The sides of a diff: the user's file, and what Graft proposes. */
export type Side = "original" | "modified";

/**
 * Keys bound to commands, as users do who use them much: the palette takes seconds on a busy
 * machine.
 */
const KEYS = {
  saveAll: { key: "ctrl+alt+s", command: "workbench.action.files.saveAll" },
  closeAll: { key: "ctrl+alt+w", command: "workbench.action.closeAllEditors" },
  closeTab: { key: "ctrl+alt+q", command: "workbench.action.closeActiveEditor" },
  acceptFile: { key: "ctrl+alt+f", command: "graft.acceptFile" },
  rejectFile: { key: "ctrl+alt+r", command: "graft.rejectFile" },
  acceptAll: { key: "ctrl+alt+a", command: "graft.acceptAll" },
  showProposal: { key: "ctrl+alt+d", command: "graft.showProposals" },
  newChat: { key: "ctrl+alt+n", command: "graft.newChat" },
  clearToasts: { key: "ctrl+alt+t", command: "notifications.clearAll" },
} as const;

const linesSchema = z.array(z.object({ text: z.string(), y: z.number(), right: z.number() }));
const diffSchema = z.object({
  original: linesSchema,
  modified: linesSchema,
  lenses: z.array(z.string()),
  cursor: z.number(),
});

/**
 * What the diff in front shows. `y` and `right` are where a click goes into a line, beside its
 * text; `cursor` is the top of the one that has the focus.
 */
export type ShownDiff = z.infer<typeof diffSchema>;

/**
 * Opens a window that shows whole files on both sides, small as drawing costs time, with an editor
 * that adds nothing to what is typed; with another `extension` of test/fixtures.
 */
export async function openLoadWindow(
  files: Readonly<Record<string, string>>,
  settings: Record<string, unknown>,
  extension?: string,
): Promise<Workbench> {
  const quiet = {
    "graft.diff.inline": "never",
    "diffEditor.renderSideBySide": true,
    "diffEditor.useInlineViewWhenSpaceIsLimited": false,
    "editor.fontSize": 9,
    "editor.lineHeight": 11,
    "editor.cursorBlinking": "solid",
    "workbench.reduceMotion": "on",
    "editor.scrollBeyondLastLine": false,
    "editor.minimap.enabled": false,
    "editor.stickyScroll.enabled": false,
    "editor.unicodeHighlight.ambiguousCharacters": false,
    "editor.unicodeHighlight.invisibleCharacters": false,
    "editor.autoClosingBrackets": "never",
    "editor.autoClosingComments": "never",
    "editor.quickSuggestions": { other: "off", comments: "off", strings: "off" },
    "editor.suggestOnTriggerCharacters": false,
    "editor.hover.enabled": false,
    "editor.formatOnSave": false,
  };
  const keybindings = { "../data/User/keybindings.json": JSON.stringify(Object.values(KEYS)) };
  const workbench = await openWorkbench({
    files: { ...files, ...keybindings },
    settings: { ...quiet, ...settings },
    width: 1300,
    height: 1000,
    ...(extension !== undefined && { extension }),
  });
  workbench.page.setDefaultTimeout(BUSY_PATIENCE);
  return workbench;
}

/** Presses the keys of a command. */
export async function pressFor(page: Page, command: keyof typeof KEYS): Promise<void> {
  await page.keyboard.press(
    KEYS[command].key
      .replace(/(^|\+)(\w)/g, (_match, plus: string, letter: string) => plus + letter.toUpperCase())
      .replace("Ctrl", "Control"),
  );
}

/** Closes every tab, and drops what is not saved. */
export async function closeEverything(page: Page): Promise<void> {
  await untilSeen("no tab is left", async () => {
    await pressFor(page, "closeAll");
    const drop = page.locator(".monaco-dialog-box").getByRole("button", { name: "Don't Save" });
    if (await drop.isVisible()) await drop.click({ timeout: 5_000 }).catch(() => undefined);
    return (await page.locator(".tabs-container .tab").count()) === 0;
  });
}

/** Waits until `check` answers true; the error says what `found` tells. */
export async function untilSeen(
  what: string,
  check: () => Promise<boolean> | boolean,
  found?: () => Promise<string> | string,
): Promise<void> {
  const deadline = Date.now() + BUSY_PATIENCE;
  while (!(await check())) {
    if (Date.now() > deadline)
      throw new Error(
        `Waited ${BUSY_PATIENCE / 1000} s in vain until ${what}${found ? `; found:\n${await found()}` : ""}`,
      );
    await delay(60);
  }
}

/** What the diff in front shows; without one that is nothing. */
export async function readDiff(page: Page): Promise<ShownDiff> {
  const read: unknown = await page.evaluate(`(() => {
    const diff = [...document.querySelectorAll(".monaco-diff-editor")].find((one) => one.offsetParent !== null);
    const side = (name) => {
      const editor = diff?.querySelector(".editor." + name);
      const right = (editor?.getBoundingClientRect().right ?? 0) - 90;
      return [...(editor?.querySelectorAll(".view-lines > .view-line") ?? [])]
        .map((line) => ({ text: line.textContent.replaceAll("\\u00a0", " ").replace(/[\\u200b\\u200c]/g, ""), y: line.getBoundingClientRect().top + 5, right }))
        .sort((a, b) => a.y - b.y);
    };
    const lenses = [...(diff?.querySelectorAll(".codelens-decoration") ?? [])].filter((lens) => lens.offsetParent !== null).map((lens) => lens.textContent);
    const cursor = diff?.querySelector(".monaco-editor.focused .cursors-layer .cursor")?.getBoundingClientRect().top ?? -1;
    return { original: side("original"), modified: side("modified"), lenses, cursor };
  })()`);
  return diffSchema.parse(read);
}

/** What a diff should show. */
export interface Expected {
  readonly original?: readonly string[];
  readonly modified?: readonly string[];
  /** Words of a lens. */
  readonly lens?: string;
  /** The file whose diff is brought to the front again when another one opens over it. */
  readonly file?: string;
}

/** Waits until the diff in front shows all of this. */
export async function untilShown(page: Page, what: string, expected: Expected): Promise<void> {
  let wrong = "";
  const check = async () => {
    if (expected.file !== undefined) await bringToFront(page, expected.file);
    const shown = await readDiff(page);
    wrong = [
      ...(["original", "modified"] as const).map((side) =>
        differs(side, shown[side], expected[side]),
      ),
      expected.lens === undefined || shown.lenses.some((text) => text.includes(expected.lens ?? ""))
        ? ""
        : `no lens “${expected.lens}” but “${shown.lenses.join("”, “")}”`,
    ].join("");
    return wrong === "";
  };
  await untilSeen(what, check, () => wrong);
}

function differs(
  side: Side,
  shown: ShownDiff[Side],
  expected: readonly string[] | undefined,
): string {
  const [is, wanted] = [shown.map(({ text }) => text).join("\n"), onScreen(expected ?? [])];
  return expected === undefined || is === wanted
    ? ""
    : `${side}:\n${is}\n--- instead of\n${wanted}\n`;
}

/**
 * Lines as the editor draws them: without the mark that joins emoji, so that both are compared
 * alike.
 */
function onScreen(lines: readonly string[]): string {
  return lines.map((line) => line.replace(/[\u200b\u200c]/g, "")).join("\n");
}

/** Types a word at the end of a 0-based line of one side of the diff in front. */
export async function typeInDiff(
  page: Page,
  side: Side,
  line: number,
  text: string,
): Promise<void> {
  await untilSeen(`the cursor is in line ${line + 1}`, async () => {
    const target = (await readDiff(page))[side][line];
    if (!target) return false;
    await page.mouse.click(target.right, target.y);
    // The lines may have moved meanwhile: then again. Before they are drawn the cursor is where the
    // click before left it.
    await page.evaluate(
      "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))",
    );
    const after = await readDiff(page);
    return (
      Math.abs((after[side][line]?.y ?? -99) - after.cursor) < 8 && (await focused(page, side))
    );
  });
  await page.keyboard.press("End");
  await page.keyboard.type(text);
}

/**
 * Types a word at the end of a 0-based line of a complete proposal. VS Code may take it for
 * read-only a moment longer, and says so: then again.
 */
export async function typeInProposal(page: Page, line: number, text: string): Promise<void> {
  const refusal = page.locator(".monaco-editor-overlaymessage", { hasText: "read-only" });
  const lineNow = async () => (await readDiff(page)).modified[line]?.text;
  let refused = true;
  while (refused) {
    const before = await lineNow();
    await typeInDiff(page, "modified", line, text.slice(0, 1));
    await untilSeen("what is typed is in the proposal, or refused", async () => {
      refused = await refusal.isVisible();
      return refused || (await lineNow()) === `${before}${text.slice(0, 1)}`;
    });
    if (refused) await page.keyboard.press("Escape");
  }
  await page.keyboard.type(text.slice(1));
}

async function focused(page: Page, side: Side): Promise<boolean> {
  return (
    (await page
      .locator(`.monaco-diff-editor .editor.${side} .monaco-editor.focused`)
      .filter({ visible: true })
      .count()) > 0
  );
}

/** Sends a request; the panel may not be ready for Enter yet. */
export async function send(page: Page, text: string): Promise<void> {
  const box = composer(page);
  let isWritten = false;
  await untilSeen(`“${text}” is sent`, async () => {
    if ((await box.inputValue()) !== text) {
      // What has left the box is sent, and drawn perhaps much later.
      const shown = panel(page).locator(".turns", { hasText: text });
      if (isWritten && (await soon(shown, "visible", 60_000))) return true;
      await box.fill(text);
      isWritten = true;
    }
    await box.press("Enter");
    return false;
  });
}

/** Begins a chat, and waits until the panel shows it. */
export async function newChat(page: Page): Promise<void> {
  await untilSeen("the new chat is empty", async () => {
    await pressFor(page, "newChat");
    return soon(panel(page).locator(".empty h2"), "visible", 5_000);
  });
}

/**
 * Opens a file by its name. The list may close again when another part of the window takes the
 * focus: then it is opened anew.
 */
export async function openByName(page: Page, name: string): Promise<void> {
  await untilSeen(`${name} is open`, async () => {
    await page.keyboard.press("Control+P");
    const input = page.locator(".quick-input-widget input").first();
    const row = page.locator(".quick-input-list .monaco-list-row", { hasText: name }).first();
    const picked = input.fill(name, { timeout: 5_000 }).then(() => row.click({ timeout: 5_000 }));
    await picked.catch(() => page.keyboard.press("Escape"));
    return soon(page.locator(".tab.active", { hasText: name }), "visible", 10_000);
  });
}

/** Types a word at the end of a 0-based line of the editor that has the focus. */
export async function typeAtLine(page: Page, line: number, text: string): Promise<void> {
  await page.keyboard.press("Control+Home");
  for (let down = 0; down < line; down++) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
  await page.keyboard.type(text);
}

/** Puts the focus into one side of the diff in front. */
export async function focusSide(page: Page, side: Side): Promise<void> {
  await clickInto(page.locator(`.monaco-diff-editor .editor.${side}`).filter({ visible: true }));
}

/** Clicks into an editor where neither lenses nor notifications are. */
export async function clickInto(editor: Locator): Promise<void> {
  const box = await editor.boundingBox();
  assert.ok(box, "there is no editor to click in");
  await editor.click({ position: { x: box.width - 90, y: box.height * 0.8 }, force: true });
}

/** The tab of a file's proposal. */
export function diffTab(page: Page, file: string): Locator {
  return page.locator(".tab", { hasText: `${file} ${DIFF_TAB}` });
}

/**
 * Brings the diff of a file to the front by a click on its tab, unless it is there; again when
 * another one opens over it. The first diff of an answer opens by itself, the others by a click on
 * the file in the chat.
 */
export async function bringToFront(page: Page, file: string): Promise<void> {
  const tab = diffTab(page, file).first();
  const inFront = async () => /\bactive\b/.test((await tab.getAttribute("class")) ?? "");
  await untilSeen(`the diff of ${file} is in front`, async () => {
    if ((await tab.count()) === 0) {
      const shown = panel(page)
        .getByTitle(`Show proposed changes to ${file}`, { exact: true })
        .filter({ visible: true })
        .last();
      // Else it is not proposed yet.
      if (await shown.isVisible()) await shown.click();
      return false;
    }
    if (!(await inFront())) await tab.click({ position: { x: 30, y: 15 } });
    return inFront();
  });
}

/** What became of a click on a lens: there is none, or it took long and perhaps was not made. */
type LensClick = "clicked" | "late" | "none";

export async function tryLens(page: Page, text: string, line: number): Promise<LensClick> {
  const find = `(() => {
    const diff = [...document.querySelectorAll(".monaco-diff-editor")].find((one) => one.offsetParent !== null);
    const lines = [...(diff?.querySelectorAll(".editor.modified .view-lines > .view-line") ?? [])].sort((a, b) => parseInt(a.style.top) - parseInt(b.style.top));
    const top = lines[${line}]?.getBoundingClientRect().top;
    const above = lines[${line} - 1]?.getBoundingClientRect().top ?? -1;
    return [...(diff?.querySelectorAll(".editor.modified .codelens-decoration a") ?? [])].find((lens) => {
      const { top: y, height } = lens.getBoundingClientRect();
      return height > 0 && lens.textContent.includes(${JSON.stringify(text)}) && y > above && y < top;
    }) ?? null;
  })()`;
  const lens = (await page.evaluateHandle(find)).asElement();
  if (!lens) return "none";
  return lens.click({ timeout: 10_000 }).then(
    () => "clicked",
    () => "late",
  );
}

/**
 * Clicks a lens until the diff shows something else: a click on a lens that is just being redrawn
 * is lost on users too.
 */
export async function decideByLens(page: Page, text: string, line: number): Promise<void> {
  const hasClicked = async () => (await tryLens(page, text, line)) !== "none";
  await untilDecided(page, `a click on “${text}”`, hasClicked);
}

/** Decides on the file whose diff is in front, until the diff shows something else. */
export async function decideByKey(page: Page, key: "acceptFile" | "rejectFile"): Promise<void> {
  await untilDecided(page, `the key of ${key}`, () => pressFor(page, key).then(() => true));
}

/** `act` gives false where there was nothing to act on. */
async function untilDecided(page: Page, what: string, act: () => Promise<boolean>): Promise<void> {
  const shown = async () => {
    const { original, modified } = await readDiff(page);
    return JSON.stringify([original, modified].map((side) => side.map((one) => one.text)));
  };
  const before = await shown();
  await untilSeen(`${what} has an effect`, async () => {
    if (!(await act())) return (await shown()) !== before;
    const end = Date.now() + PATIENCE_FOR_CLICK_MS;
    while (Date.now() < end) if ((await shown()) !== before) return true;
    return false;
  });
}
