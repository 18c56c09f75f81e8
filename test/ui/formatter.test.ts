import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import { type ModelServer, startModelServer } from "../fakes/model/modelServer.ts";
import {
  diffTab,
  focusSide,
  openLoadWindow,
  pressFor,
  send,
  untilSeen,
  untilShown,
} from "../load/screen.ts";
import { lenses } from "./editorInFront.ts";
import { screenshotsOfFailures } from "./screenshot.ts";
import { openPanel, panel, runCommand, soon, type Workbench } from "./workbench.ts";

/** Lines as the user has them, and as the model writes the second and the eighth. */
const LINES = Array.from({ length: 12 }, (_, at) => `key${at + 1} = ${at + 1}`);
const PROPOSED = LINES.with(1, "new2=2").with(7, "new8=8 ");
/** What test/fixtures/formatter makes of these. */
const formatted = (lines: readonly string[]) =>
  lines.map((line) => line.trim().replace(/ *= */, " = "));

/**
 * What the user does with a proposal in front, and whether they move the cursor afterwards. Unless it
 * `formats`, VS Code gives formatting up, since an editor of the file closes or its cursor moves.
 */
interface Case {
  readonly what: string;
  readonly moves: boolean;
  readonly formats: boolean;
  /** What the file has in the end, but for its format. */
  readonly lines?: readonly string[];
  act(page: Page): Promise<void>;
}

/** The key is pressed again where it came while the focus was on its way, and all is still pending. */
const acceptAll = (page: Page) =>
  untilSeen("all is accepted", async () => {
    if ((await panel(page).locator(".review-file").count()) > 0) await pressFor(page, "acceptAll");
    return diffTab(page, "")
      .first()
      .waitFor({ state: "detached", timeout: 5_000 })
      .then(
        () => true,
        () => false,
      );
  });
/**
 * Clicks one of the lenses with this text, once `count` of them are drawn, until the last answer has
 * a change in this state. A click on a lens that is just redrawn is lost.
 */
async function clickLens(
  page: Page,
  text: string,
  at: number,
  count: number,
  state: "applied" | "rejected",
): Promise<void> {
  const decided = panel(page).locator(".agent-parts").last().locator(`[data-status="${state}"]`);
  await untilSeen(`a change is ${state} by its lens “${text}”`, async () => {
    if ((await decided.count()) > 0) return true;
    const drawn = await lenses(page, text);
    if (drawn.length !== count) return false;
    await drawn[at]?.click({ timeout: 10_000 }).catch(() => undefined);
    return soon(decided.first(), "attached", 40_000);
  });
}
/** The first one: the file's own, or of one of the two changes. */
const byLens = (text: string, count: number) => (page: Page) =>
  clickLens(page, text, 0, count, "applied");

/** The formatter then changes one place of the proposal, as typing does. */
const rejectsOne: Case = {
  what: "rejects one change and accepts the other",
  moves: false,
  formats: false,
  lines: PROPOSED.with(7, LINES[7] ?? ""),
  act: async (page) => {
    // Below that of the whole file and that of the first change.
    await clickLens(page, "Reject", 2, 3, "rejected");
    await untilSeen("one change is left", async () => {
      const left = await lenses(page, "Reject");
      return left.length === 2;
    });
    await acceptAll(page);
  },
};

const CASES: Readonly<Record<"beforeCommands" | "onAccept", readonly Case[]>> = {
  onAccept: [
    rejectsOne,
    { what: "accepts all", moves: true, formats: false, act: acceptAll },
    {
      what: "accepts the file by its lens",
      moves: true,
      formats: false,
      act: byLens("Accept file", 1),
    },
    {
      what: "closes the diff and accepts all",
      moves: false,
      formats: true,
      act: async (page) => {
        await untilSeen("the diff is closed", async () => {
          await pressFor(page, "closeTab");
          return soon(diffTab(page, ""), "hidden");
        });
        await acceptAll(page);
      },
    },
    {
      what: "accepts one change by its lens, then all",
      moves: true,
      formats: false,
      act: async (page) => {
        await byLens("✓ Accept", 2)(page);
        await acceptAll(page);
      },
    },
  ],
  beforeCommands: [
    rejectsOne,
    { what: "accepts all and saves all", moves: true, formats: false, act: acceptAll },
    {
      what: "saves all, accepts all and saves all",
      moves: false,
      formats: true,
      act: async (page) => {
        await pressFor(page, "saveAll");
        await acceptAll(page);
      },
    },
  ],
};

for (const save of ["onAccept", "beforeCommands"] as const)
  describe(`a formatter that runs on each save, with graft.edits.save ${save}, in a real VS Code`, () => {
    let workbench: Workbench;
    let server: ModelServer;
    const fileOf = (at: number) => `formatted${at + 1}.txt`;

    before(async () => {
      server = await startModelServer(({ body }) => {
        const asked = body.messages.findLastIndex(
          ({ role, content }) => role === "user" && JSON.stringify(content).includes("Change form"),
        );
        const request = JSON.stringify(body.messages[asked]?.content);
        const file = request.match(/Change (formatted\d+\.txt)/)?.[1] ?? "";
        const steps = body.messages.slice(asked).filter(({ role }) => role === "assistant").length;
        if (steps === 0)
          return {
            toolCalls: [{ name: "edit_mode", args: { file_path: file, use_line_numbers: true } }],
          };
        const block = (line: number) =>
          `\`\`\`text:${line}:${line} ${file}\n${PROPOSED[line - 1]}\n\`\`\`\n`;
        return { text: steps === 1 ? `${block(2)}\n${block(8)}` : "Done." };
      });
      workbench = await openLoadWindow(
        Object.fromEntries(CASES[save].map((_, at) => [fileOf(at), `${LINES.join("\n")}\n`])),
        {
          "graft.baseUrl": server.url,
          "graft.model": "test-model",
          "graft.edits.save": save,
          "files.autoSave": "off",
          "[plaintext]": {
            "editor.formatOnSave": true,
            "editor.defaultFormatter": "graft-tests.formatter",
          },
        },
        "formatter",
      );
      await openPanel(workbench.page);
    });

    after(async () => {
      await workbench?.close();
      await server?.close();
    });

    screenshotsOfFailures(() => workbench.page);

    for (const [at, { what, moves, formats, lines = PROPOSED, act }] of CASES[save].entries())
      it(`brings no complaint to a user who types nothing, but ${what}`, async () => {
        const { page } = workbench;
        const file = fileOf(at);
        const onDisk = () =>
          fs.readFileSync(path.join(workbench.folder, file), "utf8").split("\n").slice(0, -1);
        await send(page, `Change ${file}.`);
        await untilShown(page, "the proposal", { lens: "Accept file", file });
        await focusSide(page, "modified");
        await act(page);
        if (moves) for (let times = 0; times < 5; times++) await page.keyboard.press("ArrowDown");
        const expected = formatted(lines);
        await untilSeen(
          "the file is saved with what was accepted",
          async () => {
            if (save === "beforeCommands") await pressFor(page, "saveAll");
            const saved = formats ? onDisk() : formatted(onDisk());
            return saved.join("\n") === expected.join("\n");
          },
          () => onDisk().join("\n"),
        );
        await diffTab(page, file).waitFor({ state: "detached" });
        await runCommand(page, "Notifications: Show Notifications");
        await page.locator(".notifications-center .notifications-center-header").waitFor();
        const told = page.locator(".notifications-center .notification-list-item-message");
        assert.deepEqual(await told.allTextContents(), []);
        await page.keyboard.press("Escape");
      });
  });
