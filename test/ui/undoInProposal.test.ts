import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { startModelServer } from "../fakes/model/modelServer.ts";
import {
  diffTab,
  focusSide,
  openLoadWindow,
  pressFor,
  readDiff,
  send,
  typeInDiff,
  typeInProposal,
  untilSeen,
  untilShown,
} from "../load/screen.ts";
import { screenshotsOfFailures } from "./screenshot.ts";
import { openPanel, runCommand, type Workbench } from "./workbench.ts";

const FILE = "undo.txt";
const LINES = Array.from({ length: 12 }, (_, at) => `line ${at + 1}`);
const PROPOSED = LINES.with(8, "LINE 9");

/** Both sides with another third line. */
function withThird(line: string) {
  return { original: [...LINES.with(2, line), ""], modified: [...PROPOSED.with(2, line), ""] };
}

describe("undo in a proposal, in a real VS Code", () => {
  let workbench: Workbench;
  let server: Awaited<ReturnType<typeof startModelServer>>;

  before(async () => {
    server = await startModelServer(({ body }) => {
      // A report of edits is a message of the user, too: only the whole chat tells the step.
      const steps = body.messages.filter(({ role }) => role === "assistant").length;
      if (steps === 0)
        return {
          toolCalls: [{ name: "edit_mode", args: { file_path: FILE, use_line_numbers: true } }],
        };
      return { text: steps === 1 ? "```text:9:9\nLINE 9\n```\n" : "Done." };
    });
    const settings = {
      "graft.baseUrl": server.url,
      "graft.model": "test-model",
      "files.autoSave": "off",
    };
    workbench = await openLoadWindow(
      { [FILE]: LINES.map((line) => `${line}\n`).join("") },
      settings,
    );
    await openPanel(workbench.page);
    await send(workbench.page, "Change it.");
    await untilShown(workbench.page, "the proposal", {
      original: [...LINES, ""],
      modified: [...PROPOSED, ""],
      lens: "Accept file",
    });
  });

  after(async () => {
    await workbench?.close();
    await server?.close();
  });

  screenshotsOfFailures(() => workbench.page);

  const undo = async (side: "original" | "modified") => {
    await focusSide(workbench.page, side);
    await workbench.page.keyboard.press("Control+Z");
  };

  it("leaves what was typed in the file, on both sides, and what the answer wrote", async () => {
    const { page } = workbench;
    await typeInDiff(page, "original", 2, " mine");
    const { original, modified } = withThird("line 3 mine");
    await untilShown(page, "what is typed in the file", { original, modified });
    for (let times = 0; times < 8; times++) {
      // The focus may go elsewhere meanwhile.
      await untilSeen("it is said that there is nothing to undo", async () => {
        await undo("modified");
        return page
          .locator(".statusbar-item", { hasText: "Undo here only takes back" })
          .isVisible();
      });
      await untilShown(page, "both sides as they were", { original, modified });
    }
  });

  it("takes back what was typed in the proposal, and in the file what was typed there", async () => {
    const { page } = workbench;
    const { original, modified } = withThird("line 3 mine");
    await typeInProposal(page, 8, "~");
    await untilShown(page, "what is typed in the proposal", {
      original,
      modified: modified.with(8, "LINE 9~"),
    });
    await untilSeen("the proposal's undo shows", async () => {
      await undo("modified");
      return (await readDiff(page)).modified[8]?.text === "LINE 9";
    });
    await untilShown(page, "the proposal as it was", { original, modified });
    await untilSeen("the file's undo shows on both sides", async () => {
      await undo("original");
      const shown = await readDiff(page);
      const lines = [shown.original, shown.modified].map((side) => side[2]?.text ?? "");
      return lines[0] === lines[1] && lines[0] !== "line 3 mine";
    });
  });

  it("proposes nothing else in the end", async () => {
    const { page } = workbench;
    await runCommand(page, "Graft: Accept All");
    await diffTab(page, FILE).waitFor({ state: "detached" });
    const text = () => fs.readFileSync(path.join(workbench.folder, FILE), "utf8").split("\n");
    await untilSeen("the file is saved", async () => {
      await pressFor(page, "saveAll");
      return text()[8] === "LINE 9";
    });
    assert.match(text()[2] ?? "", /^line 3/);
    assert.deepEqual(text().with(2, "line 3"), [...PROPOSED, ""]);
  });
});
