import assert from "node:assert/strict";
import { readImageHeader } from "../../src/base/imageHeader.ts";
import type { PanelMessage, Suggestion } from "../../src/protocol/messages.ts";
import type { AttachmentRef } from "../../src/turns/attachment.ts";
import { PNG_DOT } from "../fakes/images.ts";
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

describe("Attached images in the panel", () => {
  const panel = withPanel();
  const box = () => panel.page.getByRole("textbox", { name: "Message to Graft" });
  const chips = () => panel.page.getByRole("list", { name: "Attached" }).getByRole("listitem");
  const last = async <Type extends PanelMessage["type"]>(type: Type) =>
    (await panel.sent()).findLast((message) => message.type === type);

  async function suggest(items: Suggestion[], complete = true): Promise<void> {
    const asked = await last("suggest");
    assert.ok(asked?.type === "suggest");
    await panel.post({ type: "suggestions", id: asked.id, items, complete });
  }

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
