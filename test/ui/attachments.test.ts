import assert from "node:assert/strict";
import type { PanelMessage, Suggestion } from "../../src/protocol/messages.ts";
import type { AttachmentRef } from "../../src/turns/attachment.ts";
import { TurnScript } from "../fakes/turns/turnScript.ts";
import { readyStatus } from "./panelPage.ts";
import { withPanel } from "./withPanel.ts";

const ref = (kind: AttachmentRef["kind"], more: Partial<AttachmentRef> = {}): AttachmentRef => ({
  ...{ kind, path: null, lines: null, name: "", text: null },
  ...more,
});
const CART = ref("file", { path: "src/cart.ts" });
const item = (of: AttachmentRef, label: string, detail = "src"): Suggestion => ({
  label,
  detail,
  ref: of,
  insert: `@${label} `,
});

describe("Attachments in the panel", () => {
  const panel = withPanel();
  const box = () => panel.page.getByRole("textbox", { name: "Message to Graft" });
  const options = () => panel.page.locator("[role=option]:visible");
  const chips = () => panel.page.getByRole("list", { name: "Attached" }).getByRole("listitem");
  const last = async <Type extends PanelMessage["type"]>(type: Type) =>
    (await panel.sent()).findLast((message) => message.type === type);

  async function suggest(items: Suggestion[], complete = true): Promise<void> {
    const asked = await last("suggest");
    assert.ok(asked?.type === "suggest");
    await panel.post({ type: "suggestions", id: asked.id, items, complete });
  }

  it("are found after @ by keyboard alone, become chips with their tokens, and are sent", async () => {
    await panel.snapshot([]);
    await box().fill("Compare ");
    await box().press("End");
    await box().pressSequentially("@ca");
    assert.deepEqual(await last("suggest"), { type: "suggest", id: 3, trigger: "@", query: "ca" });
    await suggest([item(CART, "cart.ts"), item(ref("folder", { path: "src/cart" }), "cart/")]);
    const active = await box().getAttribute("aria-activedescendant");
    assert.equal(await panel.page.locator(`#${active}`).getAttribute("aria-selected"), "true");
    await box().press("ArrowDown");
    await box().press("ArrowDown");
    await box().press("Enter");
    assert.equal(await box().inputValue(), "Compare @cart.ts ");
    assert.deepEqual(await last("measure"), { type: "measure", refs: [CART] });
    await panel.post({ type: "measured", items: [{ ref: CART, tokens: 1234, clipped: false }] });
    assert.match((await chips().first().textContent()) ?? "", /cart\.ts 1\.2k/);
    assert.equal(await options().count(), 0);
    await box().press("Enter");
    assert.deepEqual((await panel.sent()).at(-1), {
      type: "send",
      text: "Compare @cart.ts",
      attached: [CART],
    });
    await panel.post({ type: "measured", items: [{ ref: CART, tokens: 1234, clipped: false }] });
    assert.equal(
      await panel.page.locator(".composer .chip").count(),
      0,
      "a late answer attaches nothing",
    );
  });

  it("leave keys alone where the list has no answer, is closed with Escape, or belongs to #", async () => {
    await panel.snapshot([]);
    await box().pressSequentially("@zz");
    await suggest([]);
    await box().press("Enter");
    assert.deepEqual((await panel.sent()).at(-1), { type: "send", text: "@zz" });
    await box().pressSequentially("@c");
    await suggest([item(CART, "cart.ts")]);
    await box().press("Escape");
    await box().pressSequentially("a");
    assert.equal(await options().count(), 0);
    await box().press("Enter");
    assert.deepEqual((await panel.sent()).at(-1), { type: "send", text: "@ca" });
    await box().pressSequentially("Fix #12");
    await suggest([item(CART, "12.ts")]);
    await box().press("Enter");
    assert.deepEqual((await panel.sent()).at(-1), { type: "send", text: "Fix #12" });
  });

  it("show only the answer to what was typed last", async () => {
    await panel.snapshot([]);
    await box().pressSequentially("@c");
    const early = await last("suggest");
    await box().pressSequentially("a");
    await suggest([item(CART, "cart.ts")]);
    assert.ok(early?.type === "suggest");
    await panel.post({ type: "suggestions", id: early.id, items: [], complete: true });
    assert.equal(await options().count(), 1);
    await options().first().click();
    assert.equal(await box().inputValue(), "@cart.ts ");
  });

  it("are removed by their button, or with Backspace in an empty box; a click opens them", async () => {
    await panel.snapshot([]);
    const odd = ref("file", { path: "src/a\u202e\u200bst.ts" });
    const folder = ref("folder", { path: "src" });
    await panel.post({
      type: "attach",
      items: [CART, odd, folder].map((each) => ({ ref: each, tokens: 5, clipped: false })),
      refused: [],
    });
    assert.equal(
      await chips().nth(1).locator(".chip-label").textContent(),
      "a\\u{202e}\\u{200b}st.ts",
    );
    await chips().first().locator(".chip-open").click();
    assert.deepEqual(await last("open-attachment"), { type: "open-attachment", ref: CART });
    await panel.page.getByRole("button", { name: "Remove cart.ts" }).click();
    assert.equal(await panel.page.evaluate("document.activeElement.tagName"), "TEXTAREA");
    await box().press("Backspace");
    assert.equal(await chips().count(), 1);
  });

  it("say why they cannot be read, without markup or hidden characters", async () => {
    await panel.snapshot([]);
    const log = ref("file", { path: "large.log" });
    await box().pressSequentially("@la");
    await suggest([item(log, "large.log", "")]);
    await box().press("Enter");
    await panel.post({
      type: "measured",
      items: [{ ref: log, tokens: null, clipped: false, why: "<b>large\u202e.log has 30.0 MB." }],
    });
    assert.equal(
      await panel.page.locator(".composer-hint").textContent(),
      "<b>large\\u{202e}.log has 30.0 MB.",
    );
    assert.equal(
      await chips().getByRole("button", { name: "<b>large\\u{202e}.log has 30.0 MB." }).count(),
      1,
    );
    await box().press("Enter");
    assert.deepEqual((await panel.sent()).at(-1), {
      type: "send",
      text: "@large.log",
      attached: [log],
    });
  });

  it("survive a reload with the draft", async () => {
    await panel.snapshot([]);
    await panel.post({
      type: "attach",
      items: [{ ref: CART, tokens: 5, clipped: false }],
      refused: [],
    });
    await box().fill("Look");
    await panel.page.reload();
    assert.deepEqual(await last("measure"), { type: "measure", refs: [CART] });
    await panel.snapshot([]);
    await box().press("Enter");
    assert.deepEqual((await panel.sent()).at(-1), { type: "send", text: "Look", attached: [CART] });
  });

  it("offer the active file as a ghost that Alt+Enter or a click keeps", async () => {
    await panel.snapshot([]);
    await panel.post({ type: "active-file", ref: CART });
    assert.equal(await panel.page.getByRole("button", { name: "Attach cart.ts" }).count(), 1);
    await box().fill("Look");
    await box().press("Enter");
    assert.deepEqual((await panel.sent()).at(-1), { type: "send", text: "Look" });
    await box().press("Alt+Enter");
    assert.deepEqual(await last("measure"), { type: "measure", refs: [CART] });
    assert.equal(await panel.page.getByRole("button", { name: "Attach cart.ts" }).count(), 0);
    await panel.page.getByRole("button", { name: "Remove cart.ts" }).click();
    await panel.page.getByRole("button", { name: "Attach cart.ts" }).click();
    assert.equal(await chips().count(), 1);
  });

  const drop = (type: "paste" | "drop", data: Record<string, string>) =>
    panel.page.evaluate(
      `(() => {
        const data = new DataTransfer();
        for (const [type, text] of Object.entries(${JSON.stringify(data)})) data.setData(type, text);
        const target = document.querySelector(".composer textarea");
        const init = { bubbles: true, cancelable: true };
        target.dispatchEvent(${JSON.stringify(type)} === "drop" ? new DragEvent("drop", { ...init, dataTransfer: data }) : new ClipboardEvent("paste", { ...init, clipboardData: data }));
      })()`,
    );

  it("are made of long pasted text, pasted paths, and dropped files of the workspace", async () => {
    await panel.snapshot([]);
    await drop("paste", { "text/plain": "x".repeat(4_001) });
    assert.match((await chips().first().textContent()) ?? "", /Pasted text 1\.1k/);
    await drop("paste", { "text/plain": "see @src/cart.ts:3 please" });
    assert.deepEqual(await last("attach-paths"), {
      type: "attach-paths",
      paths: ["src/cart.ts:3"],
    });
    await drop("drop", { "text/uri-list": "file:///w/src/cart.ts\r\nhttps://example.com/a.png" });
    assert.deepEqual(await last("attach-uris"), {
      type: "attach-uris",
      uris: ["file:///w/src/cart.ts", "https://example.com/a.png"],
    });
    await panel.post({
      type: "attach",
      items: [],
      refused: [{ code: "not-in-workspace", name: "<b>a\u202e.png" }],
    });
    assert.ok(
      await panel.page
        .getByText("<b>a\\u{202e}.png is not a file in the workspace")
        .first()
        .isVisible(),
    );
  });

  it("stand under the request that they were sent with, and in the queue", async () => {
    const sent = { ...CART, text: "1\tcart", omitted: 0, view: { first: 1, last: 1, total: 1 } };
    const script = new TurnScript();
    script.add({
      ...{
        type: "turn-start",
        role: "user",
        parentTurnId: null,
        text: "Look",
        model: null,
        editFile: null,
        activeFile: null,
      },
      attachments: [sent, { ...ref("folder", { path: "gone" }), text: null, omitted: 0 }],
    });
    script.queue([{ id: "m1", text: "And then", attached: [CART] }]);
    await panel.snapshot(
      script.events.map((event, at) => (at === 0 ? { ...event, turnId: "u" } : event)),
      { ...readyStatus, busy: true },
    );
    const under = panel.page.locator(".user-text").getByRole("list", { name: "Attached" });
    assert.deepEqual(await under.getByRole("button").allTextContents(), ["cart.ts", "gone/"]);
    assert.equal(await under.getByRole("button", { name: /Cannot be read/ }).count(), 1);
    await under.getByRole("button").first().click();
    assert.deepEqual(await last("open-attachment"), { type: "open-attachment", ref: CART });
    assert.equal(
      await panel.page.locator(".queue").getByRole("img", { name: "Attached: cart.ts" }).count(),
      1,
    );
    await panel.post({ type: "compose", text: "And then", attached: [CART] });
    assert.deepEqual(await last("measure"), { type: "measure", refs: [CART] });
  });

  it("list commands after / at the beginning; a name typed in full is sent by Enter", async () => {
    await panel.snapshot([]);
    await box().pressSequentially("/exp");
    const command = (name: string): Suggestion => ({
      label: `/${name}`,
      detail: "Explain",
      ref: null,
      insert: `/${name} `,
    });
    await suggest([command("explain")]);
    await box().press("Tab");
    assert.equal(await box().inputValue(), "/explain ");
    await box().fill("");
    await box().pressSequentially("/new");
    await suggest([command("new")]);
    await box().press("Enter");
    assert.equal(await box().inputValue(), "");
  });
});
