import assert from "node:assert/strict";
import { readImageHeader } from "../../src/base/imageHeader.ts";
import type { PanelMessage, Suggestion } from "../../src/protocol/messages.ts";
import type { AttachmentRef } from "../../src/turns/attachment.ts";
import { PNG_DOT } from "../fakes/images.ts";
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

describe("attachments in the panel", () => {
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
        .getByText("<b>a\\u{202e}.png is not a file of the workspace")
        .first()
        .isVisible(),
    );
  });

  /**
   * Pastes or drops files; `make` is the body of an async function in the page that returns them.
   */
  const give = (type: "paste" | "drop", make: string, uris = "") =>
    panel.page.evaluate(
      `(async () => {
        const data = new DataTransfer();
        for (const file of await (async () => { ${make} })()) data.items.add(file);
        if (${JSON.stringify(uris)}) data.setData("text/uri-list", ${JSON.stringify(uris)});
        const init = { bubbles: true, cancelable: true };
        const event = ${JSON.stringify(type)} === "drop" ? new DragEvent("drop", { ...init, dataTransfer: data }) : new ClipboardEvent("paste", { ...init, clipboardData: data });
        document.querySelector(".composer textarea").dispatchEvent(event);
      })()`,
    );
  const drawing = (width: number, height: number, type: string, name: string) =>
    `const canvas = new OffscreenCanvas(${width}, ${height});
     const context = canvas.getContext("2d");
     context.fillStyle = "#2a6"; context.fillRect(0, 0, ${width}, ${height});
     context.fillStyle = "#fff"; context.fillRect(${width} / 4, ${height} / 4, ${width} / 2, ${height} / 8);
     const blob = await canvas.convertToBlob({ type: "image/${type}" });
     return [new File([blob], ${JSON.stringify(name)}, { type: blob.type })];`;

  /** Waits for the panel's next scaled image, and answers as the host does. */
  async function stored(
    id: number,
  ): Promise<{ readonly ref: AttachmentRef; readonly bytes: Uint8Array }> {
    const posted = async () =>
      (await panel.sent()).find((message) => message.type === "attach-image" && message.id === id);
    let scaled = await posted();
    for (; scaled?.type !== "attach-image"; scaled = await posted())
      await panel.page.evaluate("window.drawn()");
    const bytes = Uint8Array.from(Buffer.from(scaled.data, "base64"));
    const header = readImageHeader(bytes);
    assert.ok(header.ok);
    const { type, width, height } = header.value;
    const image = { id: `${"0".repeat(63)}${id}.${type}`, width, height, preview: scaled.preview };
    const attached = ref("image", { path: scaled.path, name: scaled.name, image });
    await panel.post({
      type: "attach",
      items: [{ ref: attached, tokens: 1_500, clipped: false }],
      refused: [],
      answers: id,
    });
    return { ref: attached, bytes };
  }

  it("are made of pasted and dropped images, scaled and without metadata, with a thumbnail", async () => {
    await panel.snapshot([]);
    await give("paste", drawing(3_000, 2_000, "png", "image.png"));
    await box().fill("What is this?");
    await box().press("Enter");
    assert.equal(await last("send"), undefined, "nothing is sent before the image is attached");
    const pasted = await stored(1);
    assert.deepEqual(
      [pasted.ref.name, pasted.ref.image?.width, pasted.ref.image?.height],
      ["", 1_568, 1_045],
    );
    const chip = chips().first();
    assert.match((await chip.textContent()) ?? "", /^Pasted image 1\.5k$/);
    assert.match(
      (await chip.locator(".chip-open").getAttribute("title")) ?? "",
      /1568 × 1045 pixels · about 1,500 tokens/,
    );
    const drawn = await panel.page.evaluate(
      "(async ([image]) => (await image.decode(), image.naturalWidth))(document.querySelectorAll('.composer .chip img'))",
    );
    assert.equal(drawn, 96, "the thumbnail is drawn");
    // A JPEG with a comment and a place.
    const tagged = `${drawing(40, 20, "jpeg", "holiday.jpg").replace("return [", "const files = [")}
      const bytes = new Uint8Array(await files[0].arrayBuffer());
      const note = new TextEncoder().encode("Exif__GPS 47.1 N");
      const parts = [bytes.slice(0, 2), Uint8Array.of(0xff, 0xe1, 0, note.length + 2), note, bytes.slice(2)];
      return [new File(parts, "holiday.jpg", { type: "image/jpeg" })];`;
    await give("drop", tagged, "file:///home/me/holiday.jpg");
    const dropped = await stored(2);
    assert.equal(dropped.ref.name, "holiday.jpg");
    assert.ok(!Buffer.from(dropped.bytes).includes("GPS"));
    assert.equal(await last("attach-uris"), undefined, "its address is not asked for as well");
    await chips().nth(1).locator(".chip-open").click();
    assert.deepEqual(await last("open-attachment"), { type: "open-attachment", ref: dropped.ref });
    await panel.page.reload();
    await panel.snapshot([], { ...readyStatus, noImages: "model" });
    assert.equal(await chips().locator("img").count(), 2);
    assert.equal(await chips().locator(".chip-tokens").count(), 0, "what is not sent takes none");
    assert.ok(
      await panel.page
        .getByText("test-model does not accept images. Graft sends only the file names.")
        .isVisible(),
    );
    await panel.page.getByRole("button", { name: "Remove holiday.jpg" }).click();
    await box().press("Enter");
    assert.deepEqual(await last("send"), {
      type: "send",
      text: "What is this?",
      attached: [pasted.ref],
    });
    assert.equal(await panel.page.getByText("Graft sends only the file names.").count(), 0);
  });

  it("that are images are read by the host; what is no image, or too large, is said, and nothing is lost", async () => {
    await panel.snapshot([]);
    const photo = ref("file", { path: "media/photo.PNG" });
    await box().pressSequentially("@pho");
    await suggest([item(photo, "photo.PNG", "media")]);
    await box().press("Enter");
    assert.deepEqual(await last("attach-paths"), {
      type: "attach-paths",
      paths: ["media/photo.PNG"],
      id: 1,
    });
    await panel.post({
      type: "scale-image",
      name: "photo.PNG",
      path: "media/photo.PNG",
      data: Buffer.from(PNG_DOT).toString("base64"),
    });
    assert.equal((await stored(2)).ref.path, "media/photo.PNG");
    await box().press("Enter");
    assert.equal(await last("send"), undefined, "the host may still be reading");
    await panel.post({ type: "attach", items: [], refused: [], answers: 1 });
    const png = (bytes: string) =>
      `[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, ${bytes}]`;
    const cases: readonly (readonly [string, string, RegExp])[] = [
      [
        `new Blob(["<svg xmlns='http://www.w3.org/2000/svg'/>"], { type: "image/svg+xml" })`,
        "a.svg",
        /a\.svg is not a PNG, JPEG/,
      ],
      [`"\0\0\0\x18ftypheic"`, "b.heic", /b\.heic is not a PNG, JPEG/],
      [
        `Uint8Array.from(${png("0, 1, 0, 0, 0, 1, 0, 0")})`,
        "bomb.png",
        /bomb\.png has more than 64 million pixels/,
      ],
      [
        `Uint8Array.from(${png("0, 0, 0, 9, 0, 0, 0, 9")})`,
        "torn.png",
        /torn\.png cannot be read as an image/,
      ],
      ["new Uint8Array(20 * 1024 * 1024 + 1)", "huge.jpg", /huge\.jpg is larger than 20 MB/],
    ];
    for (const [content, name, sentence] of cases) {
      const type = name.endsWith("svg") ? "image/svg+xml" : "";
      await give(
        "drop",
        `return [new File([${content}], ${JSON.stringify(name)}, { type: ${JSON.stringify(type)} })];`,
      );
      await panel.page.locator(".composer-hint").getByText(sentence).waitFor();
    }
    assert.equal(await chips().count(), 1);
    assert.equal(await box().inputValue(), "@photo.PNG ");
    await box().press("Enter");
    assert.equal((await last("send"))?.type, "send");
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

  for (const [theme, style] of [
    [
      "dark",
      ":root{--vscode-foreground:#ccc;--vscode-descriptionForeground:#9d9d9d;--vscode-editor-background:#1f1f1f;--vscode-input-background:#313131;--vscode-input-foreground:#ccc;--vscode-widget-border:#454545;--vscode-editorWidget-background:#202020;--vscode-list-activeSelectionBackground:#04395e;--vscode-list-activeSelectionForeground:#fff;--vscode-focusBorder:#0078d4;--vscode-font-size:13px;--vscode-font-family:sans-serif} body{background:#181818}",
    ],
    [
      "light",
      ":root{--vscode-foreground:#3b3b3b;--vscode-descriptionForeground:#616161;--vscode-editor-background:#fff;--vscode-input-background:#fff;--vscode-input-foreground:#3b3b3b;--vscode-widget-border:#cecece;--vscode-editorWidget-background:#f8f8f8;--vscode-list-activeSelectionBackground:#e4e6f1;--vscode-list-activeSelectionForeground:#000;--vscode-focusBorder:#005fb8;--vscode-font-size:13px;--vscode-font-family:sans-serif} body{background:#f8f8f8}",
    ],
  ] as const) {
    it(`fit into 240 px, ${theme}`, async () => {
      await panel.reopen({
        width: 240,
        height: 480,
        themeStyle: style,
        bodyClass: `vscode-${theme}`,
      });
      await panel.snapshot([]);
      const long = ref("file", {
        path: "src/features/orders/aVeryLongComponentNameThatIsTooLong.view.test.ts",
      });
      await give("paste", drawing(900, 700, "png", "image.png"));
      await stored(1);
      const items = [CART, long, ref("changes")].map((each, at) => ({
        ref: each,
        tokens: at === 2 ? null : 12_345,
        clipped: at === 1,
      }));
      await panel.post({ type: "status", status: { ...readyStatus, noImages: "model" } });
      await panel.post(
        { type: "attach", items, refused: [] },
        {
          type: "active-file",
          ref: { ...CART, kind: "selection", lines: { first: 12, last: 40 } },
        },
      );
      await box().pressSequentially("Fix @or");
      await suggest([
        item(CART, "orders.ts", "src/features/orders"),
        item(long, "aVeryLongComponentNameThatIsTooLong.view.test.ts", "src/features/orders"),
        item(ref("folder", { path: "src/features/orders" }), "orders/", "src/features"),
        item(ref("symbol", { name: "orderTotal" }), "orderTotal", "function · src/order.ts:4"),
        item(ref("terminal"), "Terminal output", "Selection in the terminal"),
      ]);
      assert.equal(await panel.page.evaluate("document.documentElement.scrollWidth <= 240"), true);
      await panel.page.screenshot({ path: `out/screenshots/attachments-${theme}.png` });
    });
  }
});
