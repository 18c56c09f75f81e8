import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { send } from "../load/screen.ts";
import { words } from "./words.ts";
import { modelWorkbench, openPanel, panel, runCommand, until } from "./workbench.ts";

/** 5 MB. */
const LINES = 114_000;
const HUNKS = 500;
/** Lines from one hunk to the next. */
const APART = 10;

const linesOf = (count: number) =>
  Array.from({ length: count }, (_, at) => `this is line ${at + 1} of a file for a test`);

/** The longest task of the window's main thread since the last call, in milliseconds. */
const LONGEST = `(() => {
  const longest = Math.max(0, ...(window.graftTasks ?? []));
  if (!window.graftTasks)
    new PerformanceObserver((list) => window.graftTasks.push(...list.getEntries().map(({ duration }) => duration)))
      .observe({ entryTypes: ["longtask"] });
  window.graftTasks = [];
  return longest;
})()`;

describe("a proposal for a file of 5 MB, in a real VS Code", () => {
  const suite = modelWorkbench(
    ({ body }) => {
      const asked = body.messages.findLastIndex(
        ({ role, content }) => role === "user" && JSON.stringify(content).includes("Change "),
      );
      const request = JSON.stringify(body.messages[asked]?.content);
      const file = request.match(/Change (\w+\.txt)/)?.[1] ?? "";
      const steps = body.messages.slice(asked).filter(({ role }) => role === "assistant").length;
      if (steps === 0)
        return {
          toolCalls: [{ name: "edit_mode", args: { file_path: file, use_line_numbers: true } }],
        };
      if (steps > 1) return { text: `Done with ${file}.` };
      const count = file === "hunks.txt" ? HUNKS : 1;
      const blocks = Array.from({ length: count }, (_, at) => {
        const line = at * APART + 2;
        return `\`\`\`text:${line}:${line} ${file}\nLINE ${line}\n\`\`\`\n`;
      });
      return { text: blocks.join("\n"), chunkSize: 400 };
    },
    {
      "large.txt": `${linesOf(LINES).join("\n")}\n`,
      "hunks.txt": `${linesOf(HUNKS * APART).join("\n")}\n`,
    },
    { "files.autoSave": "off", "graft.contextWindow": 4_000_000 },
  );
  const tabs = () => suite.page.locator(".tab");
  const bar = () =>
    panel(suite.page).getByRole("group", { name: "Changes to review", exact: true });
  const onDisk = (file: string) =>
    fs.readFileSync(path.join(suite.workbench.folder, file), "utf8").split("\n");

  async function timed(what: string, act: () => Promise<void>): Promise<void> {
    const { page } = suite;
    await page.evaluate(LONGEST);
    const began = Date.now();
    await act();
    const took = Date.now() - began;
    console.log(
      `    ${what}: ${took} ms, longest task ${Math.round(Number(await page.evaluate(LONGEST)))} ms`,
    );
  }

  async function propose(file: string): Promise<void> {
    await send(suite.page, `Change ${file}.`);
    await panel(suite.page).getByText(`Done with ${file}.`, { exact: true }).waitFor();
  }

  before(() => openPanel(suite.page));

  it("opens the file with its marks, and the diff when it is asked for", async () => {
    const { page } = suite;
    await timed("one block in 5 MB is proposed", async () => {
      await propose("large.txt");
      await page.locator(".editor-instance .view-lines", { hasText: "this is line 3" }).waitFor();
      await page.locator(".codelens-decoration", { hasText: "Accept" }).first().waitFor();
    });
    assert.equal(await tabs().filter({ hasText: "Graft proposal" }).count(), 0);
    await timed("its diff opens", async () => {
      await panel(page).locator(".card .file").first().click();
      await until(
        "the diff is open",
        async () => (await tabs().filter({ hasText: "Graft proposal" }).count()) === 1,
      );
      // It takes the focus, and what is typed meanwhile.
      await page.locator(".monaco-diff-editor .editor.modified .monaco-editor.focused").waitFor();
    });
  });

  it("leaves room for 500 changes of another file in the same window", async () => {
    const { page } = suite;
    await timed(`${HUNKS} blocks are proposed`, () => propose("hunks.txt"));
    await until("both files are pending", async () => (await words(bar())).includes("2 files"));
    await timed("all are accepted", async () => {
      await runCommand(page, "Graft: Accept All");
      await bar().waitFor({ state: "hidden" });
    });
    await timed("all are saved", async () => {
      const expected = linesOf(HUNKS * APART).map((line, at) =>
        at % APART === 1 ? `LINE ${at + 1}` : line,
      );
      await until("both files are saved", async () => {
        await runCommand(page, "File: Save All");
        const [hunks, large] = [onDisk("hunks.txt"), onDisk("large.txt")];
        // A file of this size may be read while VS Code writes it.
        return (
          large[1] === "LINE 2" &&
          large.length === LINES + 1 &&
          hunks.join("\n") === `${expected.join("\n")}\n`
        );
      });
    });
  });
});
