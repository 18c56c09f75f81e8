import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { tempFolder } from "../fakes/workspace/tempFolder.ts";
import { root } from "../harness/root.mjs";
import { screenshot } from "../ui/screenshot.ts";
import { openPanel, panel, type Workbench } from "../ui/workbench.ts";
import { type BusyMachine, busyMachine } from "./busyMachine.ts";
import { count, failWith, outOfTime } from "./campaign.ts";
import { LENS } from "./lensTexts.ts";
import {
  closeEverything,
  decideByKey,
  diffTab,
  newChat,
  openLoadWindow,
  pressFor,
  send,
  untilSeen,
  untilShown,
} from "./screen.ts";

const FILE = "src/shapes.ts";
const PROMPT = `Add a doc comment to each exported function in ${FILE}`;
const original = fs.readFileSync(path.join(root, "test/fixtures/sample", FILE), "utf8");

/** The file when the whole answer was accepted, by the command line: no editor is part of it. */
async function rightText(): Promise<string> {
  const folder = await tempFolder();
  try {
    const file = await folder.write(FILE, original);
    const args = [
      "run",
      "--root",
      folder.root,
      "--base-url",
      "demo",
      "--model",
      "demo",
      "--accept",
      "all",
      PROMPT,
    ];
    execFileSync(process.execPath, [path.join(root, "dist/cli.js"), ...args], { stdio: "ignore" });
    return fs.readFileSync(file, "utf8");
  } finally {
    await folder.remove();
  }
}

describe("the demonstration on a busy machine, in a real VS Code", () => {
  let workbench: Workbench;
  let machine: BusyMachine | null = null;
  let right = "";

  before(async () => {
    right = await rightText();
    assert.ok(
      right.length > original.length &&
        right
          .split("\n")
          .filter((line) => !line.startsWith("/** "))
          .join("\n").length > 0,
    );
    workbench = await openLoadWindow({ [FILE]: original }, {});
    await openPanel(workbench.page);
    machine = await busyMachine(workbench.page);
  });

  after(async () => {
    machine?.end();
    await workbench?.close();
  });

  /** Asks once, accepts everything, and compares. */
  async function run(): Promise<void> {
    const { page } = workbench;
    const file = path.join(workbench.folder, FILE);
    await send(page, PROMPT);
    await untilSeen(
      "the proposal is complete",
      async () => (await diffTab(page, "shapes.ts").count()) > 0,
    );
    await untilShown(page, "the proposal is what the model wrote", {
      original: original.split("\n"),
      modified: right.split("\n"),
      lens: LENS.decide,
    });
    await decideByKey(page, "acceptFile");
    await diffTab(page, "shapes.ts").waitFor({ state: "detached" });
    await untilSeen(
      "the file on the disk is right",
      async () => {
        await pressFor(page, "saveAll");
        return fs.readFileSync(file, "utf8") === right;
      },
      () => fs.readFileSync(file, "utf8"),
    );
    const cards = () => panel(page).locator(".card").allTextContents();
    await untilSeen(
      "the chat says that all is applied",
      async () => {
        const texts = await cards();
        return (
          texts.length > 0 &&
          texts.every(
            (card) => /applied/i.test(card) && !/part|reject|conflict|changed/i.test(card),
          )
        );
      },
      async () => (await cards()).join("\n"),
    );
    const said = (await panel(page).locator(".turns").textContent()) ?? "";
    assert.doesNotMatch(said, /(?:user|you) (?:changed|edited)/i);
  }

  it("proposes the right text each time, and never says that the user changed it", async function () {
    this.timeout(0);
    const { page } = workbench;
    const wrong: string[] = [];
    const wanted = count("DEMO", 30);
    let number = 0;
    while (number < wanted && (number === 0 || !outOfTime("DEMO", 225))) {
      number++;
      const began = Date.now();
      try {
        await run();
        await page.locator(".tab.dirty").first().waitFor({ state: "detached" });
        console.log(`      run ${number}: ${Date.now() - began} ms`);
      } catch (error) {
        await screenshot(page, `load-demo-${number}`);
        wrong.push(`run ${number}: ${String(error)}`);
        console.log(`      ${wrong.at(-1)}`);
        await machine?.reload();
      }
      await closeEverything(page);
      fs.writeFileSync(path.join(workbench.folder, FILE), original);
      await newChat(page);
    }
    failWith(wrong, number, "runs of the demonstration");
  });
});
