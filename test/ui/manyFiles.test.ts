import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { words } from "./words.ts";
import { ask, modelWorkbench, openPanel, panel, runCommand, soon, until } from "./workbench.ts";

/** GRAFT_MANY_FILES=200 measures. */
const FILES = Number(process.env.GRAFT_MANY_FILES ?? 60);
const PATHS = Array.from({ length: FILES }, (_, at) => `many/file-${at}.txt`);
const LINES = Array.from({ length: 20 }, (_, at) => `line ${at + 1}\n`);
/** What the second answer changes: enough to be stopped half way. */
const FEWER = PATHS.slice(0, 60);

/** Proposes another second line for each of the files. */
function answer(files: readonly string[], word: string): string {
  return files.map((file) => `\`\`\`text:2:2 ${file}\n${word} of ${file}\n\`\`\`\n`).join("\n");
}

describe("a proposal for many files, in a real VS Code", () => {
  const suite = modelWorkbench(
    ({ body }) => {
      // Reports on edits are messages of the user, too.
      const wordOf = (content: unknown) => JSON.stringify(content ?? "").match(/“(\w+)”/)?.[1];
      const asked = body.messages.findLastIndex(
        ({ role, content }) => role === "user" && wordOf(content) !== undefined,
      );
      const word = wordOf(body.messages[asked]?.content) ?? "Nothing";
      const steps = body.messages.slice(asked).filter(({ role }) => role === "assistant").length;
      const files = word === "Second" ? FEWER : PATHS;
      if (steps === 0)
        return {
          toolCalls: files.map((file) => ({
            name: "edit_mode",
            args: { file_path: file, use_line_numbers: true },
          })),
        };
      return steps === 1
        ? { text: `${answer(files, word)}\nThat is ${word}.`, chunkSize: 400 }
        : { text: `Done with ${word}.` };
    },
    Object.fromEntries(PATHS.map((file) => [file, LINES.join("")])),
    { "files.autoSave": "off", "graft.contextWindow": 4_000_000 },
  );
  const onDisk = () =>
    PATHS.map(
      (file) => fs.readFileSync(path.join(suite.workbench.folder, file), "utf8").split("\n")[1],
    );
  // By its attribute: looking for roles among so many cards takes the window seconds.
  const bar = () => panel(suite.page).locator('[aria-label="Changes to review"]');

  async function propose(word: string, files: readonly string[]): Promise<void> {
    await ask(suite.page, `Write “${word}”.`);
    await until(
      "all files are proposed",
      async () =>
        (await bar().isVisible()) && (await words(bar())).includes(`${files.length} files`),
    );
    await panel(suite.page).getByText(`That is ${word}.`).waitFor();
  }

  before(() => openPanel(suite.page));

  it("opens the first diff and no other", async () => {
    await propose("First", PATHS);
    const diffs = suite.page.locator(".tab", { hasText: "Graft proposal" });
    await diffs.first().waitFor();
    assert.equal(await diffs.count(), 1);
  });

  it("is accepted at once, and every file has it", async () => {
    const { page } = suite;
    const began = Date.now();
    await runCommand(page, "Graft: Accept All");
    await bar().waitFor({ state: "hidden" });
    const took = Date.now() - began;
    console.log(`    ${FILES} files accepted in ${took} ms, the palette included`);
    await until("every file is saved", async () => {
      await runCommand(page, "File: Save All");
      return onDisk().every((line, at) => line === `First of ${PATHS[at]}`);
    });
  });

  it("says what is accepted where the user stops it, and leaves the rest pending", async () => {
    const { page } = suite;
    await propose("Second", FEWER);
    await runCommand(page, "Graft: Accept All");
    const row = page.locator(".notification-list-item");
    const cancel = row.getByRole("button", { name: "Cancel" }).first();
    const told = row.locator(".notification-list-item-message", { hasText: "Stopped." }).first();
    let said = "";
    // All may be accepted before the click counts.
    await until("the user is told, or nothing is left", async () => {
      await cancel.click({ timeout: 5_000 }).catch(() => undefined);
      said = (await soon(told)) ? await words(told) : "";
      if (said !== "" || !(await bar().isVisible())) return true;
      await runCommand(page, "Notifications: Show Notifications");
      return false;
    });
    const [accepted = FEWER.length, left = 0] = (said.match(/\d+/g) ?? []).map(Number);
    assert.equal(accepted + left, FEWER.length);
    await until(
      "the panel shows the rest",
      async () => left === 0 || (await words(bar())).startsWith(`${left} file`),
    );
    await until("what is accepted is saved", async () => {
      await runCommand(page, "File: Save All");
      return onDisk().filter((line) => line?.startsWith("Second")).length === accepted;
    });
  });
});
