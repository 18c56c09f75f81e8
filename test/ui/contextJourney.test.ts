import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { type ModelServer, startModelServer } from "../fakes/model/modelServer.ts";
import { gallery } from "./gallery.ts";
import { screenshot, screenshotsOfFailures } from "./screenshot.ts";
import {
  ask,
  composer,
  fillBox,
  openFile,
  openPanel,
  openWorkbench,
  panel,
  runCommand,
  sendDraft,
  soon,
  takeFromList,
  until,
  type Workbench,
} from "./workbench.ts";

/**
 * Makes a repository of the folder above the workspace, with a changed file that the workspace does
 * not have.
 */
function makeRepositoryAbove({ home }: Workbench): void {
  fs.writeFileSync(path.join(home, ".gitignore"), "/*\n!/workspace\n!/outside.txt\n");
  fs.writeFileSync(path.join(home, "outside.txt"), "one\n");
  git(home, "init", "--quiet");
  git(home, "config", "user.name", "A User");
  git(home, "config", "user.email", "user@example.com");
  git(home, "add", ".");
  git(home, "commit", "--quiet", "--message", "Begin");
  fs.writeFileSync(path.join(home, "outside.txt"), "two\n");
}

function git(cwd: string, ...args: readonly string[]): string {
  return execFileSync("git", args, { cwd, encoding: "utf8" });
}

const CART =
  "export function total(prices: number[]): number {\n  return prices.reduce((sum, price) => sum + price, 0);\n}\n";

describe("saying what a message is about, in a real VS Code", () => {
  let server: ModelServer;
  let workbench: Workbench;
  const chips = () => panel(workbench.page).locator(".composer .chip:not(.ghost)");
  const options = () => panel(workbench.page).locator("[role=option]:visible");
  const asked = (index: number) => server.requests[index]?.body.messages.at(-1)?.content ?? "";

  before(async () => {
    server = await startModelServer([
      {
        text: "It adds prices.\n\n`total` goes through the list with `reduce`:\n\n```ts\nconst sum = total([2, 3]); // 5\n```\n\n- An empty list gives **0**.\n- Nothing is rounded; see `src/cart.ts`.",
      },
      { text: "Tidied in words." },
      { text: "A green box." },
      { text: "```ts:2:2\n  return prices.reduce((sum, price) => sum + price, 1);\n```" },
      { text: "Done." },
      {
        toolCalls: [
          {
            name: "git_commit",
            args: {
              message: "Start the sum at one\n\nThe cart has a fee.",
              paths: ["src/cart.ts"],
            },
          },
        ],
      },
      { text: "Committed." },
      { text: "One price." },
      { text: "Add a price" },
    ]);
    workbench = await openWorkbench({
      ...(process.env.GRAFT_SCREENSHOTS ? { extension: "themeSwitch" } : {}),
      files: {
        "src/cart.ts": CART,
        "src/cartView.ts": "export {};\n",
        "README.md": "# Shop\n",
        ".graft/commands/tidy.md": "---\ndescription: Tidy up\n---\nTidy $ARGUMENTS, please.\n",
      },
      settings: {
        ...{
          "graft.baseUrl": server.url,
          "graft.model": "test-model",
          "graft.diff.inline": "never",
        },
        ...{ "git.enabled": true, "git.openRepositoryInParentFolders": "always" },
      },
    });
    makeRepositoryAbove(workbench);
  });

  after(async () => {
    await workbench?.close();
    await server?.close();
  });

  screenshotsOfFailures(() => workbench.page);

  it("attaches a file by @, sends its numbered lines, and shows it under the request", async () => {
    const { page } = workbench;
    await openPanel(page);
    await composer(page).pressSequentially("What does @cart.t");
    await options().first().getByText("cart.ts", { exact: true }).waitFor();
    await screenshot(page, "20-mention-list");
    await gallery(workbench, "1 mention");
    await takeFromList(page, "What does @cart.t", "cart.ts", "What does @cart.ts ");
    await chips().getByText("cart.ts", { exact: true }).waitFor();
    await panel(page).locator(".composer .chip-tokens").waitFor();
    await sendDraft(page);
    await panel(page).getByText("It adds prices.", { exact: true }).waitFor();
    assert.match(
      asked(0),
      /^What does @cart\.ts\n\n\[The user attached the file "src\/cart\.ts"[\s\S]*\n2\t {2}return prices/,
    );
    await panel(page).locator(".user-text .chip").getByText("cart.ts", { exact: true }).waitFor();
    await screenshot(page, "21-attached");
    await gallery(workbench, "2 answer");
  });

  /** Puts the focus into the editor in front, perhaps again, and selects by keys. */
  async function select(status: RegExp, ...keys: readonly string[]): Promise<void> {
    const { page } = workbench;
    await until("the lines are selected", async () => {
      await page.locator(".editor-instance .view-lines").first().click();
      for (const key of ["Control+Home", ...keys]) await page.keyboard.press(key);
      return soon(page.locator(".statusbar-item", { hasText: status }));
    });
  }

  it("adds the selection from the editor, and keeps it with the draft while the panel is gone", async () => {
    const { page } = workbench;
    await openFile(page, "src/cart.ts");
    await select(/Ln 3, Col 1 \(\d+ selected\)/, "Shift+ArrowDown", "Shift+ArrowDown");
    await runCommand(page, "Graft: Add to Graft Chat");
    await chips().getByText("cart.ts:1-2", { exact: true }).waitFor();
    await takeFromList(page, "/ti", "/tidy", "/tidy ");
    await composer(page).fill("/tidy this");
    await runCommand(page, "View: Show Explorer");
    await panel(page).locator("body").waitFor({ state: "detached" });
    await openPanel(page);
    await chips().getByText("cart.ts:1-2", { exact: true }).waitFor();
    assert.equal(await composer(page).inputValue(), "/tidy this");
    await sendDraft(page);
    await panel(page).getByText("Tidied in words.", { exact: true }).waitFor();
    assert.match(
      asked(1),
      /^Tidy this, please\.\n\n\[The user attached their selection in "src\/cart\.ts", lines 1-2\./,
    );
    await panel(page).getByText("Tidy this, please.", { exact: true }).waitFor();
  });

  it("sends a pasted screenshot as an image, which stays with the draft and then with the chat", async () => {
    const { page } = workbench;
    await openPanel(page);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.evaluate(`(async () => {
      const canvas = new OffscreenCanvas(1920, 1080);
      const context = canvas.getContext("2d");
      context.fillStyle = "#2a6";
      context.fillRect(0, 0, 1920, 1080);
      await navigator.clipboard.write([new ClipboardItem({ "image/png": await canvas.convertToBlob() })]);
    })()`);
    await until("the image is attached", async () => {
      await composer(page).click();
      await page.keyboard.press("Control+V");
      return soon(chips().locator("img"), "visible", 60_000);
    });
    await composer(page).fill("What is on it?");
    await runCommand(page, "View: Show Explorer");
    await panel(page).locator("body").waitFor({ state: "detached" });
    await openPanel(page);
    await chips().getByText("1.8k").waitFor();
    await screenshot(page, "23-pasted-screenshot");
    await gallery(workbench, "3 screenshot");
    await sendDraft(page);
    await panel(page).getByText("A green box.", { exact: true }).waitFor();
    assert.match(
      asked(2),
      /^What is on it\?[\s\S]*an image \(1568 × 882 pixels\):\]\n<data:image\/png;base64,iVBOR/,
    );
    await panel(page).locator(".user-text img").waitFor();
    await screenshot(page, "24-sent-screenshot");
  });

  it("proposes an edit of the lines that are selected", async () => {
    const { page } = workbench;
    await openFile(page, "src/cart.ts");
    await select(/Ln 2, Col \d+ \(\d+ selected\)/, "ArrowDown", "Shift+End");
    await runCommand(page, "Graft: Edit with Graft");
    await fillBox(page, "What should change", "Start at one");
    await until(
      "the change waits for review",
      async () =>
        (await panel(page).locator('li.block:has([data-status="pending"])').count()) === 1,
    );
    assert.match(
      server.requests[3]?.body.messages.map(({ content }) => content ?? "").join("\n") ?? "",
      /Change only line 2: Start at one\n\n\[The user attached their selection/,
    );
    await screenshot(page, "22-edit-selection");
    await gallery(workbench, "4 review");
  });

  it("commits what the user accepted, after showing message and files, from a folder inside a repository", async () => {
    const { page } = workbench;
    await panel(page).locator(".review-bar").getByText("Accept all").click();
    await panel(page).locator(".review-bar").waitFor({ state: "hidden" });
    await ask(page, "/commit");
    const question = panel(page).locator(".question");
    await question.getByText("The cart has a fee.").waitFor();
    await gallery(workbench, "5 commit");
    await question.getByRole("button", { name: /^Commit/ }).click();
    await panel(page).getByText("Committed.", { exact: true }).waitFor();
    const log = git(workbench.home, "log", "-1", "--format=%s", "--name-only");
    assert.deepEqual(log.trim().split(/\n+/), ["Start the sum at one", "workspace/src/cart.ts"]);
    await panel(page)
      .getByRole("button", { name: /of the context window used/ })
      .hover();
    await gallery(workbench, "6 committed");
  });

  it("attaches the changes of the opened folder, and writes a message for them, where the repository begins above it", async () => {
    const { page } = workbench;
    fs.writeFileSync(path.join(workbench.folder, "README.md"), "# Shop\n\nOne price.\n");
    await page.reload();
    await openPanel(page);
    await until("the changes are offered", async () => {
      await composer(page).fill("What changed? ");
      await composer(page).pressSequentially("@git");
      const offered = options().getByText("Git changes", { exact: true });
      await offered.click({ timeout: 10_000 }).catch(() => undefined);
      return soon(chips().getByText("Git changes", { exact: true }));
    });
    await sendDraft(page);
    await panel(page).getByText("One price.", { exact: true }).waitFor();
    const about = server.requests.at(-1)?.body.messages.at(-1)?.content ?? "";
    assert.match(about, /\+One price\./);
    assert.doesNotMatch(about, /outside\.txt|\+two/);
    await runCommand(page, "Graft: Write Commit Message");
    await until("the message is asked for", () =>
      server.requests.some(({ body }) => /The changes:/.test(body.messages.at(-1)?.content ?? "")),
    );
    const changes = server.requests.at(-1)?.body.messages.at(-1)?.content ?? "";
    assert.match(changes, /workspace\/README\.md[\s\S]*\+One price\./);
    assert.doesNotMatch(changes, /outside\.txt|\+two/);
    await runCommand(page, "Source Control: Focus on Changes View");
    await page.locator(".scm-editor", { hasText: "Add" }).waitFor();
    await openPanel(page);
  });

  it("attaches an editor's tab that is dragged into the panel with Shift", async () => {
    const { page } = workbench;
    await openFile(page, "src/cartView.ts");
    const tab = page.locator('.tab.active[data-resource-name="cartView.ts"]');
    await until("the tab is dragged into the panel", async () => {
      const [from, to] = [await tab.boundingBox(), await composer(page).boundingBox()];
      assert.ok(from && to);
      await page.mouse.move(from.x + 30, from.y + 10);
      await page.mouse.down();
      await page.keyboard.down("Shift");
      await page.mouse.move(from.x + 30, from.y + 200, { steps: 5 });
      // VS Code lets the panel have the drag a moment after the pointer is over it.
      for (let x = 0; (await panel(page).locator(".dropping").count()) === 0 && x < 300; x++)
        await page.mouse.move(to.x + 40 + (x % 20), to.y + 10);
      await page.mouse.up();
      await page.keyboard.up("Shift");
      return soon(chips().getByText("cartView.ts", { exact: true }));
    });
  });
});
