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
import {
  lenses,
  openPanel,
  runCommand,
  screenshotsOfFailures,
  type Workbench,
} from "./workbench.ts";

/** Lines as the user has them, and as the model writes the second and the eighth. */
const LINES = Array.from({ length: 12 }, (_, at) => `key${at + 1}=${at + 1}`).with(4, "key5 = 5 ");
const PROPOSED = LINES.with(1, "new2=2").with(7, "new8=8 ");
/** What test/fixtures/formatter makes of the proposed lines. */
const FORMATTED = PROPOSED.map((line) => line.trim().replace(/ *= */, " = "));

const saveAll = (page: Page) => pressFor(page, "saveAll");
const acceptAll = (page: Page) => pressFor(page, "acceptAll");
const move = async (page: Page) => {
  for (let times = 0; times < 5; times++) await page.keyboard.press("ArrowDown");
};
const clickLens = async (page: Page, text: string) => {
  const [first] = await lenses(page, text);
  assert.ok(first, `no lens “${text}”`);
  await first.click();
};

/** What the user does with a proposal in front; what is accepted is saved by `save`. */
const CASES: readonly {
  readonly what: string;
  readonly save: "beforeCommands" | "onAccept";
  act(page: Page): Promise<void>;
}[] = [
  {
    what: "accepts all, and moves the cursor",
    save: "onAccept",
    act: async (page) => {
      await acceptAll(page);
      await move(page);
    },
  },
  {
    what: "accepts all and saves all",
    save: "beforeCommands",
    act: async (page) => {
      await acceptAll(page);
      await saveAll(page);
      await move(page);
    },
  },
  {
    what: "saves all, accepts all and saves all",
    save: "beforeCommands",
    act: async (page) => {
      await saveAll(page);
      await move(page);
      await acceptAll(page);
      await saveAll(page);
    },
  },
  {
    what: "accepts the file by its lens",
    save: "onAccept",
    act: (page) => clickLens(page, "Accept file"),
  },
  {
    what: "accepts one change by its lens, moves the cursor, and accepts the other",
    save: "onAccept",
    act: async (page) => {
      await clickLens(page, "Accept");
      await move(page);
      await acceptAll(page);
    },
  },
];

describe("a formatter that runs on each save, in a real VS Code", () => {
  let workbench: Workbench;
  let server: ModelServer;
  const fileOf = (at: number) => `formatted${at + 1}.txt`;

  before(async () => {
    server = await startModelServer(({ body }) => {
      const asked = body.messages.findLastIndex(
        ({ role, content }) => role === "user" && /Change formatted/.test(JSON.stringify(content)),
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
      Object.fromEntries(CASES.map((_, at) => [fileOf(at), `${LINES.join("\n")}\n`])),
      {
        "graft.baseUrl": server.url,
        "graft.model": "test-model",
        "files.autoSave": "off",
        "editor.formatOnSave": true,
        "editor.defaultFormatter": "graft-tests.formatter",
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

  for (const [at, { what, save, act }] of CASES.entries())
    it(`makes no complaint of a user who types nothing: ${what} (${save})`, async () => {
      const { page } = workbench;
      const file = fileOf(at);
      const onDisk = () => fs.readFileSync(path.join(workbench.folder, file), "utf8");
      workbench.set({ "graft.edits.save": save });
      await send(page, `Change ${file}.`);
      await untilShown(page, "the proposal", { lens: "Accept file", file });
      await focusSide(page, "modified");
      await act(page);
      await untilSeen(
        "the file is saved as the formatter has it",
        () => onDisk() === `${FORMATTED.join("\n")}\n`,
        onDisk,
      );
      await diffTab(page, file).waitFor({ state: "detached" });
      await runCommand(page, "Notifications: Show Notifications");
      const told = page.locator(".notifications-center .notification-list-item-message");
      await page.locator(".notifications-center .notifications-center-header").waitFor();
      assert.deepEqual(await told.allTextContents(), []);
      await page.keyboard.press("Escape");
    });
});
