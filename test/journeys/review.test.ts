import assert from "node:assert/strict";
import fs from "node:fs";
import { acceptFile, saveInFront } from "../ui/editorInFront.ts";
import { ask, fillBox, openFile, panel, soon, until } from "../ui/workbench.ts";
import { begin } from "./oneEditor.ts";
import { call, editMode, heldAnswer, patch } from "./repliesByPrompt.ts";
import {
  acceptAll,
  blocks,
  chordUntil,
  clickLens,
  picture,
  pressChord,
  pressUntil,
  read,
  shownTexts,
  typeInto,
  undoTurn,
  untilDecided,
  untilPending,
  untilProposed,
  untilSaid,
} from "./review.ts";

/** Twenty lines, of which the model doubles three. */
const PRICES = Array.from({ length: 20 }, (_, at) => `price_${at + 1} = ${at + 1}`);
const PRICES_BEFORE = `${PRICES.join("\n")}\n`;
const doubled = (line: number) =>
  `\`\`\`python:${line}:${line + 1}\n${PRICES[line - 1]} * 2\n${PRICES[line]} * 2\n\`\`\`\n`;
const withLines = (lines: Readonly<Record<number, string>>) =>
  `${PRICES.map((text, at) => lines[at + 1] ?? text).join("\n")}\n`;

it("an edit streams into a diff, is edited there, accepted hunk by hunk and undone", async () => {
  const answer = `I double some.\n\n${[3, 9, 15].map(doubled).join("\n")}\nThat is all.\n`;
  const { step, goOn } = heldAnswer(answer, "4 * 2");
  const { page, onDisk } = await begin({
    files: { "prices.py": PRICES_BEFORE },
    settings: { "graft.edits.save": "never" },
    replies: {
      "Double three prices": [editMode("prices.py"), step, { text: "Three are doubled." }],
    },
  });
  const isOnDisk = (text: string) => () => onDisk("prices.py") === text;

  await ask(page, "Double three prices");
  await untilProposed(page, "prices.py");
  await until("the first line streams in", async () =>
    (await shownTexts(page)).proposal.includes("price_3 = 3 * 2"),
  );
  await picture(page, "edit-1-streaming");
  assert.equal(onDisk("prices.py"), PRICES_BEFORE);
  goOn();
  await untilSaid(page, "Three are doubled.");
  await until("three changes wait", async () => (await blocks(page, "pending").count()) === 3);

  await typeInto(page, 2, "  # sale");
  await picture(page, "edit-2-edited");
  await clickLens(page, "✓ Accept", 2, async () =>
    (await shownTexts(page)).file.includes("price_3 = 3 * 2  # sale"),
  );
  await clickLens(
    page,
    "✗ Reject",
    8,
    async () => !(await shownTexts(page)).proposal.includes("9 = 9 * 2"),
  );
  assert.equal((await shownTexts(page)).file.includes("15 * 2"), false);
  assert.equal(onDisk("prices.py"), PRICES_BEFORE);
  await picture(page, "edit-3-decided");
  await clickLens(page, "✓ Accept", 14, () =>
    page.locator(".tab.active.dirty", { hasText: /^prices\.py$/ }).isVisible(),
  );
  const card = panel(page).locator(".card", { hasText: "accepted, not saved" });
  const decided = {
    ...{ 3: "price_3 = 3 * 2  # sale", 4: "price_4 = 4 * 2" },
    ...{ 15: "price_15 = 15 * 2", 16: "price_16 = 16 * 2" },
  };
  const save = card.getByRole("button", { name: "Save prices.py" });
  await pressUntil("the card saves it", save, isOnDisk(withLines(decided)));
  await until("the card says so", async () => !(await card.isVisible()));
  await undoTurn(page);
  await saveInFront(page, isOnDisk(PRICES_BEFORE));
  await picture(page, "edit-4-undone");
});

it("keys alone take the user through the changes, accept one and reject another", async () => {
  const { page, onDisk } = await begin({
    files: { "prices.py": PRICES_BEFORE },
    replies: {
      "Raise two prices": [
        patch(
          "prices.py",
          ["price_2 = 2\n", "price_2 = 200\n"],
          ["price_12 = 12", "price_12 = 1200"],
        ),
        { text: "Two are raised." },
      ],
    },
  });
  await page.keyboard.type("Raise two prices");
  await page.keyboard.press("Enter");
  await untilSaid(page, "Two are raised.");
  await untilPending(page, "1 file");
  const position = (line: number) =>
    page.locator(".statusbar-item", { hasText: new RegExp(`^Ln ${line}, Col`) });
  await chordUntil(
    page,
    "n",
    "the cursor is at a change",
    async () => (await position(2).isVisible()) || (await position(12).isVisible()),
    3_000,
  );
  await chordUntil(
    page,
    "n",
    "the cursor is at the second change",
    () => position(12).isVisible(),
    3_000,
  );
  await picture(page, "keys-1-second-change");
  await chordUntil(
    page,
    "x",
    "the second change is rejected",
    async () => !(await shownTexts(page)).proposal.includes("1200"),
  );
  assert.ok((await shownTexts(page)).proposal.includes("price_2 = 200"));
  assert.equal(onDisk("prices.py"), PRICES_BEFORE);
  const isOnDisk = () => onDisk("prices.py") === withLines({ 2: "price_2 = 200" });
  await chordUntil(page, "a", "the first change is accepted and saved", isOnDisk);
  await untilDecided(page);
});

it("Start Edit Mode on File proposes for that file with a model that has no tools", async () => {
  const { page, onDisk, requests } = await begin({
    files: { "prices.py": PRICES_BEFORE, "other.py": "other = 1\n" },
    replies: { "Double the third": [{ text: doubled(3) }, { text: "It is doubled." }] },
  });
  await openFile(page, "prices.py");
  const box = page.locator(".quick-input-widget", { hasText: "What should change" });
  await until("Graft asks what should change", async () => {
    await page.locator(".editor-instance .view-lines").first().click();
    await pressChord(page, "Shift+G");
    return soon(box, "visible", 5_000);
  });
  await fillBox(page, "What should change", "Double the third");
  await untilSaid(page, "It is doubled.");
  assert.equal(requests()[0]?.body.tools, undefined);
  assert.equal(onDisk("prices.py"), PRICES_BEFORE);
  await untilProposed(page, "prices.py");
  await picture(page, "edit-mode");
  await acceptFile(page, "prices.py");
  const right = withLines({ 3: "price_3 = 3 * 2", 4: "price_4 = 4 * 2" });
  await saveInFront(page, () => onDisk("prices.py") === right);
  assert.equal(onDisk("other.py"), "other = 1\n");
});

it("a new file and a deletion are proposed, accepted at once and undone", async () => {
  const OLD = "old = 1\r\nlast = 2";
  const { page, at, onDisk } = await begin({
    files: { "old.py": OLD },
    replies: {
      "Move it to the library": [
        call("edit_mode", { file_path: "lib/new.py" }),
        { text: "```python\nnew = 1\n```\n" },
        call("delete_file", { path: "old.py" }),
        { text: "It moves once you accept." },
      ],
    },
    settings: { "graft.edits.save": "onAccept" },
  });
  await ask(page, "Move it to the library");
  await untilSaid(page, "It moves once you accept.");
  await untilPending(page, "2 files");
  assert.equal(onDisk("old.py"), OLD);
  assert.equal(fs.existsSync(at("lib/new.py")), false);
  await picture(page, "files-1-proposed");
  await acceptAll(page);
  await until("the old file is gone", () => !fs.existsSync(at("old.py")));
  await until("the new file is saved", () => read(at("lib/new.py")) === "new = 1\n");
  await undoTurn(page);
  await until("the old file is back, byte by byte", () => read(at("old.py")) === OLD);
  await until("the new file is gone", () => !fs.existsSync(at("lib/new.py")));
  await picture(page, "files-2-undone");
});
