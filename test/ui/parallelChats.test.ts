import assert from "node:assert/strict";
import type { FrameLocator, Locator } from "playwright-core";
import type { ModelHandler, ModelStep } from "../fakes/model/modelServer.ts";
import { lenses } from "./editorInFront.ts";
import { gallery } from "./gallery.ts";
import { screenshot } from "./screenshot.ts";
import { stored } from "./storedState.ts";
import {
  ask,
  modelWorkbench,
  openFile,
  openPanel,
  PATIENCE,
  panel,
  runCommand,
  side,
  soon,
  tab,
  until,
} from "./workbench.ts";

const editMode = (path: string): ModelStep => ({
  toolCalls: [{ name: "edit_mode", args: { file_path: path, use_line_numbers: true } }],
});
const block = (path: string, text: string): ModelStep => ({
  text: `\`\`\`ts:1:1 ${path}\n${text}\n\`\`\`\n`,
});

/** A promise, and what settles it. */
function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

const slow = gate();
const unseen = gate();
const A = "Double a";
const B = "Treble b";

/** The steps of each request, whichever chat it comes from. */
const SCRIPTS: Readonly<Record<string, readonly ModelStep[]>> = {
  [A]: [
    { ...editMode("a.ts"), text: "Looking at a first.", stallAfter: 2, resume: slow.opened },
    block("a.ts", "export const a = 2;"),
    { toolCalls: [{ name: "run_command", args: { command: "node --version" } }] },
    { text: "A is ready." },
  ],
  [B]: [editMode("b.ts"), block("b.ts", "export const b = 3;"), { text: "B is ready." }],
  "Make it four": [{ text: "Four it is." }],
  "Tell me more": [{ text: "More about a, later.", stallAfter: 2, resume: unseen.opened }],
  "While I look": [{ text: "You saw it." }],
  "While I am away": [{ text: "You were away." }],
  "In its window": [{ text: "Said in its window." }],
  "In a tab": [{ text: "Said in the tab." }],
};

const answer: ModelHandler = ({ body: { messages } }) => {
  const asked = messages.findLastIndex(
    ({ role, content }) => role === "user" && Object.hasOwn(SCRIPTS, keyOf(content)),
  );
  const steps = SCRIPTS[keyOf(messages[asked]?.content)] ?? [];
  const done = messages.slice(asked).filter(({ role }) => role === "assistant").length;
  return steps[done] ?? { text: "There is nothing left to say." };
};

function keyOf(content: string | null | undefined): string {
  return Object.keys(SCRIPTS).find((key) => content?.includes(key)) ?? "";
}

describe("chats side by side, in a real VS Code", () => {
  const suite = modelWorkbench(
    answer,
    { "a.ts": "export const a = 1;\n", "b.ts": "export const b = 1;\n" },
    { "graft.notifications": "all" },
    "themeSwitch",
  );
  const others = () => panel(suite.page).getByRole("navigation", { name: "Other chats" });
  const other = (name: string) => others().getByRole("button", { name, exact: true });
  const said = (text: string, frame: FrameLocator = panel(suite.page)) =>
    frame.locator(".turns").getByText(text, { exact: true });

  before(() => openPanel(suite.page));

  const earlier = (name: string) =>
    suite.page.locator(".quick-input-list .monaco-list-row", { hasText: name });
  /** Opens the list of chats, which closes where the focus goes, until it has that one. */
  async function listChats(name: string): Promise<void> {
    await until(`${name} is listed`, async () => {
      await runCommand(suite.page, "Graft: Open Earlier Chat");
      return soon(earlier(name));
    });
  }
  /** Clicks one of the other chats; their list may be drawn again under the click. */
  async function show(name: string, what: Locator): Promise<void> {
    await until(`${name} is shown`, async () => {
      await other(name)
        .click({ timeout: 10_000 })
        .catch(() => undefined);
      return soon(what);
    });
  }
  async function openEarlier(name: string, last: string): Promise<void> {
    await until(`${name} is shown`, async () => {
      if (!(await earlier(name).isVisible())) await listChats(name);
      await earlier(name)
        .click({ timeout: 5_000 })
        .catch(() => undefined);
      return soon(said(last));
    });
  }

  it("go on while another one is shown, which has its own turn", async () => {
    const { page } = suite;
    await ask(page, A);
    await panel(page).getByText("Looking at a").waitFor();
    await runCommand(page, "Graft: New Chat");
    await other(`${A}: running`).waitFor();
    await ask(page, B);
    await said("B is ready.").waitFor();
    assert.equal(await panel(page).getByText("Looking at a").count(), 0);
    await panel(page).getByText("b.ts").first().waitFor();
    await screenshot(page, "parallel-1-running");
  });

  it("ask in their own chat, and wait there while another one is shown", async () => {
    const { page } = suite;
    slow.open();
    await other(`${A}: waits for your answer`).waitFor();
    assert.equal(await panel(page).getByText("node --version").count(), 0);
    await page.locator(".statusbar-item", { hasText: "Graft asks" }).waitFor();
    const bar = panel(page).getByRole("group", { name: "Changes to review" });
    await bar.getByText("2 files").waitFor();
    await bar.locator(".review-others", { hasText: `1 from "${A}"` }).waitFor();
    await bar.getByRole("button", { name: /2 files/ }).click();
    await bar.getByText(`from "${A}"`, { exact: true }).waitFor();
    await gallery(suite.workbench, "parallel-2-waiting");
    await screenshot(page, "parallel-2-waiting");
    await listChats(A);
    await screenshot(page, "parallel-3-list");
    await page.keyboard.press("Escape");
  });

  it("are shown by a click, and take the answer that was asked there", async () => {
    const { page } = suite;
    const allow = panel(page).getByRole("button", { name: "Run without them" });
    await show(`${A}: waits for your answer`, allow);
    // B was seen.
    await others().waitFor({ state: "hidden" });
    await screenshot(page, "parallel-4-question");
    await allow.click();
    await said("A is ready.").waitFor();
    assert.equal(await said("B is ready.").count(), 0);
  });

  it("are asked for a change of what they proposed, also while another one is in front", async () => {
    const { page } = suite;
    await openEarlier(B, "B is ready.");
    await openFile(page, "a.ts");
    await until("the lens asks what to change", async () => {
      const [lens] = await lenses(page, "Ask for a change…");
      await lens?.click({ timeout: 5_000 }).catch(() => undefined);
      // A click more would ask once more.
      return soon(page.getByText("What should change about these lines?"));
    });
    await page.locator(".quick-input-widget", { hasText: "proposal for a.ts" }).waitFor();
    const input = page.locator(".quick-input-widget input").first();
    await input.fill("Make it four");
    await input.press("Enter");
    await said("Four it is.").waitFor();
    assert.equal(await said("A is ready.").count(), 1);
    assert.equal(await said("B is ready.").count(), 0);
  });

  it("are marked as done where nobody has seen the end, until they are seen", async () => {
    const { page } = suite;
    await ask(page, "Tell me more");
    await panel(page).getByText("More about").waitFor();
    await runCommand(page, "Graft: New Chat");
    await other(`${A}: running`).waitFor();
    unseen.open();
    await other(`${A}: done`).waitFor();
    await screenshot(page, "parallel-5-done");
    const isMarked = /graft\.unseenChats[^\]]*chat-/;
    await until("VS Code has stored the mark", async () => page.evaluate(stored(isMarked)));
    await page.reload();
    await runCommand(page, "Graft: Open Chat");
    await show(`${A}: done`, said("More about a, later."));
    await until("nothing else goes on", async () => !(await others().isVisible()));
  });

  it("are searched, and the chosen line is shown in its chat", async () => {
    const { page } = suite;
    const hit = earlier("B is ready.");
    // The palette may be there still, and take the words.
    await until("the line is found", async () => {
      await runCommand(page, "Graft: Search All Chats");
      const input = page.locator(".quick-input-widget input").first();
      await input.fill("b is READY", { timeout: 5_000 }).catch(() => undefined);
      return soon(hit);
    });
    await screenshot(page, "parallel-8-search");
    await hit.click();
    await said("B is ready.").waitFor();
    await panel(page).getByRole("search").getByText("1 of 1").waitFor();
    await screenshot(page, "parallel-9-found");
  });

  it("tell by a notification that they are done, where the window is not in front", async () => {
    const { page } = suite;
    const told = page.locator(".notification-list-item", { hasText: /While I/ });
    // The event makes VS Code look whether its window has the focus.
    const inFront = (isInFront: boolean) =>
      page.evaluate(
        `document.hasFocus = () => ${isInFront}; document.dispatchEvent(new Event("visibilitychange"))`,
      );
    await runCommand(page, "Graft: New Chat");
    await panel(page).getByText("Graft streams edits into a diff").waitFor();
    // The last search is over.
    await panel(page).getByRole("search").waitFor({ state: "hidden" });
    await ask(page, "While I look");
    await said("You saw it.").waitFor();
    // Until then its end could still be told.
    await panel(page).getByRole("button", { name: "Send", exact: true }).waitFor();
    await inFront(false);
    try {
      await ask(page, "While I am away");
      await said("You were away.").waitFor();
      await told.first().waitFor();
      await screenshot(page, "parallel-10-told");
      assert.equal(await told.count(), 1);
      // A toast stays only while the window is not in front.
      await told.getByRole("button", { name: "Show chat" }).click();
      await told.waitFor({ state: "detached" });
    } finally {
      await inFront(true);
    }
  });

  it("are tabs of the editor beside the side bar, which come back after a reload", async () => {
    const { page } = suite;
    await openEarlier(A, "A is ready.");
    // The chat that was just shown takes the focus, and the palette may close under the click.
    await until("the chat has a tab", async () => {
      await runCommand(page, "Graft: Open Chat in Editor");
      return soon(page.locator(".tab", { hasText: A }));
    });
    await said("A is ready.", tab(page)).waitFor();
    await runCommand(page, "Graft: New Chat");
    await until("the side bar has a new chat", async () => {
      return (await said("A is ready.", side(page)).count()) === 0;
    });
    // The new chat takes the focus, perhaps later than the tab.
    await send("In a tab", tab(page));
    await said("Said in the tab.", tab(page)).waitFor();
    assert.equal(await said("Said in the tab.", side(page)).count(), 0);
    await screenshot(page, "parallel-6-tab");
    // VS Code stores a tab first without what its page keeps.
    const withChat = stored(/graft\.chatTab.*chatId/);
    await until("VS Code has stored its tabs", async () => page.evaluate(withChat));
    await page.reload();
    await runCommand(page, "Graft: Open Chat");
    await side(page).getByRole("textbox", { name: "Message to Graft" }).waitFor();
    await said("Said in the tab.", tab(page)).waitFor();
    assert.equal(await said("Said in the tab.", side(page)).count(), 0);
    await screenshot(page, "parallel-7-tab-after-reload");
  });

  it("go into a window of their own, and answer there", async () => {
    const { page } = suite;
    await page.locator(".tab", { hasText: A }).click();
    await page.locator(".tab.active", { hasText: A }).waitFor();
    const opening = page.waitForEvent("popup", { timeout: PATIENCE });
    await runCommand(page, "View: Move Editor into New Window");
    const own = await opening;
    own.setDefaultTimeout(PATIENCE);
    const chat = panel(own);
    await send("In its window", chat);
    await said("Said in its window.", chat).waitFor();
    await screenshot(own, "parallel-11-window");
  });
});

/** Sends a message to the chat of a frame; the focus may go elsewhere meanwhile. */
async function send(text: string, frame: FrameLocator): Promise<void> {
  const box = frame.getByRole("textbox", { name: "Message to Graft" });
  await until(`“${text}” is sent`, async () => {
    await box.fill(text);
    if ((await box.inputValue()) !== text) return false;
    await box.press("Enter");
    return (await box.inputValue()) === "";
  });
}
