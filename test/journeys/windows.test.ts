import assert from "node:assert/strict";
import { isOnRecord, storedFiles } from "../ui/storedFiles.ts";
import { stored } from "../ui/storedState.ts";
import { ask, composer, panel, send, until } from "../ui/workbench.ts";
import { begin, untilChatReady } from "./oneEditor.ts";
import { heldAnswer, patch } from "./repliesByPrompt.ts";
import {
  acceptAll,
  bar,
  picture,
  pressUntil,
  read,
  shownTexts,
  typeInto,
  unfoldBar,
  untilDecided,
  untilPending,
  untilSaid,
  untilSeen,
  within,
} from "./review.ts";

const SAVED = { "graft.edits.save": "onAccept" };

it("a reload loses nothing: proposals, what was typed in them, a queued message and a draft", async () => {
  const held = heldAnswer("Once upon a time there was a parser.", "there");
  const { page, home, at, onDisk, requests } = await begin({
    files: { "a.txt": "one\ntwo\nthree\n" },
    replies: {
      "Shout the second": [patch("a.txt", ["two", "TWO"]), { text: "It is loud." }],
      "Tell me a story": [held.step],
      "And a shorter one": [{ text: "Once." }],
    },
    settings: SAVED,
  });
  const record = { home };
  await ask(page, "Shout the second");
  await untilSaid(page, "It is loud.");
  await untilPending(page, "1 file");
  await ask(page, "Tell me a story");
  await untilSeen("the story begins", panel(page).getByText("Once upon"));
  await send(page, "And a shorter one");
  const queue = panel(page).getByRole("group", { name: "Queued messages" });
  await untilSeen("the message is in the queue", queue.getByText("And a shorter one"));
  await composer(page).fill("My draft");
  await typeInto(page, 1, " mine");
  await until("the queued message is on record", () => isOnRecord(record, "And a shorter one"));
  await until("what was typed in the proposal is on record", () =>
    storedFiles(record, /\bproposals[\\/].*\.json$/).some((file) =>
      read(file)?.includes("TWO mine"),
    ),
  );
  // VS Code would restore an unsaved tab by itself, and ask about it.
  await until("the proposal's tab is saved", async () => {
    const isSaved = async () => (await page.locator(".tab.dirty").count()) === 0;
    if (await within(1_000, isSaved)) return true;
    await page.keyboard.press("Control+S");
    return within(3_000, isSaved);
  });
  await until("VS Code has stored the draft", async () => page.evaluate(stored(/My draft/)));
  await picture(page, "reload-1-before");
  await page.reload();
  await untilChatReady(page);
  await untilPending(page, "1 file");
  await untilSeen("the message is in the queue", queue.getByText("And a shorter one"));
  await until("the draft is there", async () => (await composer(page).inputValue()) === "My draft");
  assert.equal(onDisk("a.txt"), "one\ntwo\nthree\n");
  assert.equal(requests().length, 3);
  await pressUntil(
    "the proposal is shown",
    bar(page).getByText("Review", { exact: true }),
    async () => (await shownTexts(page)).proposal.includes("TWO mine"),
  );
  await picture(page, "reload-2-after");
  await acceptAll(page);
  await until("the file has it", () => read(at("a.txt")) === "one\nTWO mine\nthree\n");
});

it("two windows of a folder show the same proposals, and each decision counts in both", async () => {
  const { page, at, onDisk, openAnother } = await begin({
    files: { "one.txt": "1\n", "two.txt": "2\n" },
    replies: {
      "Count to ten": [
        {
          toolCalls: ["one", "two"].flatMap(
            (name, at) => patch(`${name}.txt`, [`${at + 1}`, "10"]).toolCalls ?? [],
          ),
        },
        { text: "Both are ten." },
      ],
    },
    settings: SAVED,
  });
  await ask(page, "Count to ten");
  await untilSaid(page, "Both are ten.");
  await untilPending(page, "2 files");
  const other = await openAnother();
  await untilPending(other, "2 files");
  await untilSeen(
    "the other window offers to take over",
    bar(other).getByRole("button", { name: /take over/i }),
  );
  await picture(other, "windows-1-other");
  const accept = async (name: string, window: typeof page) => {
    await unfoldBar(window);
    const button = bar(window).getByRole("button", { name: `Accept file ${name}` });
    await pressUntil(`${name} is accepted`, button, () => read(at(name)) === "10\n");
  };
  await accept("one.txt", page);
  await untilPending(other, "1 file");
  assert.equal(onDisk("two.txt"), "2\n");
  await accept("two.txt", other);
  await untilDecided(other);
  await untilDecided(page);
  await picture(page, "windows-2-first");
});
