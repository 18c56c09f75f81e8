import assert from "node:assert/strict";
import fs from "node:fs";
import { ask, panel, runCommand, until } from "../ui/workbench.ts";
import { begin } from "./oneEditor.ts";
import { call, heldAnswer, patch } from "./repliesByPrompt.ts";
import {
  acceptAll,
  bar,
  picture,
  pressUntil,
  read,
  untilPending,
  untilSaid,
  untilSeen,
} from "./review.ts";

const SAVED = { "graft.edits.save": "onAccept" };

it("a question is answered, one command is denied and another one runs", async () => {
  const { page, at, lastTold } = await begin({
    files: { "a.py": "a = 1\n" },
    replies: {
      "Paint the shed": [
        call("ask_user", { question: "Which colour?", kind: "choice", options: ["Red", "Blue"] }),
        call("run_command", { command: "echo no > denied.txt" }),
        call("run_command", { command: "echo $((4700 + 11))" }),
        { text: "The shed is painted." },
      ],
    },
  });
  const question = panel(page).locator(".question:visible");
  await ask(page, "Paint the shed");
  await question.getByText("Blue", { exact: true }).click();
  await picture(page, "question-1-asked");
  await pressUntil(
    "the question is answered",
    question.getByRole("button", { name: "Answer" }),
    () => question.getByText("denied.txt").first().isVisible(),
  );
  assert.match(lastTold(), /Blue/);
  await picture(page, "question-2-permission");
  await pressUntil(
    "the first command is denied",
    // Not that of the question after it.
    question.filter({ hasText: "denied.txt" }).getByRole("button", { name: /^Deny/ }),
    () => question.getByText("4700").first().isVisible(),
  );
  assert.match(lastTold(), /denied/i);
  await question.getByRole("button", { name: /^Run/ }).first().click();
  await untilSaid(page, "The shed is painted.");
  assert.match(lastTold(), /4711/);
  assert.equal(fs.existsSync(at("denied.txt")), false);
  await picture(page, "question-3-done");
});

it("a check fails on the proposals, the model fixes them, and it passes before anything is accepted", async () => {
  const BEFORE = "total = a - b\n";
  const { page, at, onDisk } = await begin({
    files: {
      "sum.py": BEFORE,
      "check.sh": "grep 'a + b' sum.py\n",
      "package.json": '{ "name": "w", "scripts": { "test": "sh check.sh" } }\n',
    },
    replies: {
      "fails on your proposed changes": [
        patch("sum.py", ["a * b", "a + b"]),
        { text: "Now it adds." },
      ],
      "Repair the sum": [patch("sum.py", ["a - b", "a * b"]), { text: "It multiplies." }],
    },
    settings: SAVED,
  });
  const check = bar(page).locator(".check");
  await ask(page, "Repair the sum");
  await untilSaid(page, "It multiplies.");
  await untilPending(page, "1 file");
  const choose = bar(page).getByRole("button", { name: "Choose a check…" });
  const row = page.locator(".quick-input-list .monaco-list-row", { hasText: "npm test" });
  await pressUntil("the checks are listed", choose, () => row.isVisible());
  await pressUntil("the check is chosen", row, async () => !(await choose.isVisible()));
  await untilSeen("the check is red", check.getByText("Checked: npm test failed"));
  await picture(page, "check-1-red");
  assert.equal(onDisk("sum.py"), BEFORE);
  const told = panel(page).locator(".user-text", { hasText: "fails on your proposed changes" });
  await pressUntil("the model hears of it", check.getByRole("button", { name: "Fix" }), () =>
    told.first().isVisible(),
  );
  await untilSaid(page, "Now it adds.");
  await untilSeen("the check is green", check.getByText("Checked: npm test passed"));
  await picture(page, "check-2-green");
  assert.equal(onDisk("sum.py"), BEFORE);
  await acceptAll(page);
  await until("the repaired sum is on the disk", () => read(at("sum.py")) === "total = a + b\n");
});

it("chats answer side by side, each in its own place, and both proposals can be accepted", async () => {
  const held = heldAnswer("Looking at a, then changing it.", "then");
  const { page, at, onDisk } = await begin({
    files: { "a.py": "a = 1\n", "b.py": "b = 1\n" },
    replies: {
      "Double a": [
        { ...held.step, toolCalls: patch("a.py", ["a = 1", "a = 2"]).toolCalls ?? [] },
        { text: "A is doubled." },
      ],
      "Treble b": [patch("b.py", ["b = 1", "b = 3"]), { text: "B is trebled." }],
    },
    settings: SAVED,
  });
  const other = panel(page).getByRole("navigation", { name: "Other chats" });
  await ask(page, "Double a");
  await untilSeen("the answer begins", panel(page).getByText("Looking at a"));
  await runCommand(page, "Graft: New Chat");
  await untilSeen(
    "the first chat goes on",
    other.getByRole("button", { name: "Double a: running" }),
  );
  await ask(page, "Treble b");
  await untilSaid(page, "B is trebled.");
  assert.equal(await panel(page).getByText("Looking at a").count(), 0);
  await picture(page, "chats-1-running");
  held.goOn();
  await pressUntil(
    "the first chat is shown",
    other.getByRole("button", { name: "Double a: done" }),
    () => panel(page).locator(".turns").getByText("A is doubled.", { exact: true }).isVisible(),
  );
  assert.equal(await panel(page).locator(".turns").getByText("B is trebled.").count(), 0);
  await untilPending(page, "2 files");
  await picture(page, "chats-2-both");
  assert.deepEqual([onDisk("a.py"), onDisk("b.py")], ["a = 1\n", "b = 1\n"]);
  await acceptAll(page);
  await until(
    "both are on the disk",
    () => read(at("a.py")) === "a = 2\n" && read(at("b.py")) === "b = 3\n",
  );
});
