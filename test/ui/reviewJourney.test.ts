import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { type ModelServer, type ModelStep, startModelServer } from "../fakes/model/modelServer.ts";
import { acceptFile, lenses } from "./editorInFront.ts";
import { screenshot, screenshotsOfFailures } from "./screenshot.ts";
import {
  ask,
  openFile,
  openPanel,
  openWorkbench,
  panel,
  until,
  type Workbench,
} from "./workbench.ts";

const FILES = {
  "a.ts": "export const a = 1;\n",
  "b.ts": "export const b = 1;\n",
  "c.ts": "export const c = 1;\n",
};

const ADVICE = [
  "Two ideas. `b` could be three. In `b.ts`:",
  "",
  "```ts",
  "export const b = 3;",
  "```",
  "",
  "And a new file:",
  "",
  "```ts lib/d.ts",
  ...["Cart", "Shop"].flatMap((name) => [
    `export class ${name} {`,
    "  total() {",
    "    return 4;",
    "  }",
    "}",
  ]),
  "```",
  "",
  "See `Shop#total` in `d.ts`.",
].join("\n");

const editMode = (...paths: readonly string[]): ModelStep => ({
  toolCalls: paths.map((file_path) => ({
    name: "edit_mode",
    args: { file_path, use_line_numbers: true },
  })),
});
const block = (name: string, value: number) =>
  `\`\`\`ts:1:1 ${name}.ts\nexport const ${name} = ${value};\n\`\`\`\n`;

/** Three files over four steps, then a change of the first proposal, then whatever is asked. */
const steps: readonly ModelStep[] = [
  editMode("a.ts"),
  { text: block("a", 2) },
  editMode("b.ts", "c.ts"),
  { text: block("b", 2) + block("c", 2) },
  { text: "All three are proposed." },
  editMode("a.ts"),
  { text: block("a", 20) },
  { text: "It is twenty now." },
  { text: "Thanks for telling me." },
  { text: ADVICE },
];

describe("a review that nobody waits for, in a real VS Code", () => {
  let server: ModelServer;
  let workbench: Workbench;
  const onDisk = () =>
    Object.keys(FILES).map((name) => fs.readFileSync(path.join(workbench.folder, name), "utf8"));
  const bar = () =>
    panel(workbench.page).getByRole("group", { name: "Changes to review", exact: true });
  const lastTold = () => server.requests.at(-1)?.body.messages.at(-1)?.content ?? "";

  before(async () => {
    server = await startModelServer(steps);
    const settings = {
      "graft.baseUrl": server.url,
      "graft.model": "test-model",
      "graft.diff.inline": "never",
    };
    workbench = await openWorkbench({ files: FILES, settings });
    await openPanel(workbench.page);
  });

  after(async () => {
    await workbench?.close();
    await server?.close();
  });

  screenshotsOfFailures(() => workbench.page);

  it("lets the agent change three files over four steps, with nothing in them", async () => {
    const { page } = workbench;
    await ask(page, "Make them two");
    await panel(page).getByText("All three are proposed.", { exact: true }).waitFor();
    await bar().getByText("3 files").waitFor();
    assert.deepEqual(onDisk(), Object.values(FILES));
    assert.match(lastTold(), /proposed and not accepted yet/);
    await screenshot(page, "12-three-pending");
  });

  it("is all there after a reload", async () => {
    const { page } = workbench;
    await page.reload();
    await openPanel(page);
    await bar().getByText("3 files").waitFor();
    await page.locator(".statusbar-item", { hasText: "3 files to review" }).waitFor();
    await bar().getByText("Review", { exact: true }).click();
    await page.locator(".tab.active", { hasText: "a.ts (Graft proposal)" }).waitFor();
    await until(
      "the proposal's change is shown",
      async () => (await lenses(page, "Ask for a change")).length === 1,
    );
    await screenshot(page, "13-pending-after-reload");
  });

  it("takes a change of a change into the same proposal", async () => {
    const { page } = workbench;
    const question = page.locator(".quick-input-widget", {
      hasText: "What should change about these lines",
    });
    await until("the question is asked", async () => {
      const [lens] = await lenses(page, "Ask for a change");
      await lens?.click({ timeout: 5_000 }).catch(() => undefined);
      // A click more would ask once more.
      return question.waitFor({ timeout: 20_000 }).then(
        () => true,
        () => false,
      );
    });
    const input = page.locator(".quick-input-widget input").first();
    await input.fill("Make it twenty");
    await input.press("Enter");
    await panel(page).getByText("It is twenty now.", { exact: true }).waitFor();
    const request = server.requests[5]?.body.messages.at(-1)?.content ?? "";
    assert.match(
      request,
      /Make it twenty[\s\S]*lines 1-1 of your proposal for a\.ts:\n```\nexport const a = 2;\n```/,
    );
    assert.match(
      server.requests[6]?.body.messages.at(-1)?.content ?? "",
      /export const a = 2;|Edit mode is on/,
    );
    await until("the proposal shows it", async () =>
      /a = 20/.test(
        ((await page.locator(".editor.modified .view-lines").textContent()) ?? "").replace(
          /\u00a0/g,
          " ",
        ),
      ),
    );
    assert.deepEqual(onDisk(), Object.values(FILES));
  });

  it("is accepted at once, told to the model once, and undone with one step a file", async () => {
    const { page } = workbench;
    await bar().getByText("Accept all", { exact: true }).click();
    await bar().waitFor({ state: "hidden" });
    const accepted = ["export const a = 20;\n", "export const b = 2;\n", "export const c = 2;\n"];
    await until("the files are saved", () => JSON.stringify(onDisk()) === JSON.stringify(accepted));
    await ask(page, "Anything else?");
    await panel(page).getByText("Thanks for telling me.", { exact: true }).waitFor();
    for (const name of Object.keys(FILES))
      assert.equal(lastTold().split(`'${name}', lines 1-1: accepted`).length, 2, lastTold());
    await openFile(page, "c.ts");
    // The focus may have come to the chat late.
    await until("the file is as before", async () => {
      await page.locator(".editor-instance .view-lines").first().click();
      if ((await page.locator(".tab.active.dirty").count()) === 0)
        await page.keyboard.press("Control+Z");
      await page.keyboard.press("Control+S");
      return onDisk()[2] === FILES["c.ts"];
    });
  });

  it("makes proposals of code in an answer, in the files that it names, and shows a new file as added", async () => {
    const { page } = workbench;
    await ask(page, "Any advice?");
    const apply = panel(page).getByRole("button", { name: "Apply as proposal", exact: true });
    await apply.nth(1).waitFor();
    await apply.nth(0).click();
    await page.locator(".tab.active", { hasText: "b.ts (Graft proposal)" }).waitFor();
    await bar().getByText("1 file").waitFor();
    assert.match(onDisk()[1] ?? "", /b = 2/);
    await screenshot(page, "14-code-applied");
    await apply.nth(1).click();
    await page.locator(".tab.active", { hasText: "d.ts (Graft proposal)" }).waitFor();
    await until("its lines can be accepted", async () => (await lenses(page, "Accept")).length > 0);
    assert.equal(
      await page.locator(".editor-instance .line-delete").count(),
      0,
      "no removed line beside a new file",
    );
    await screenshot(page, "15-new-file");
    await acceptFile(page, "d.ts");
    await until("the new file is there", () =>
      fs.existsSync(path.join(workbench.folder, "lib/d.ts")),
    );
    await page.locator(".tab", { hasText: "d.ts (Graft proposal)" }).waitFor({ state: "detached" });
    assert.match(
      fs.readFileSync(path.join(workbench.folder, "lib/d.ts"), "utf8"),
      /^export class Cart {\n[^`]*}\n$/,
    );
  });

  it("goes to the file and to the symbol that an answer names", async () => {
    const { page } = workbench;
    await openFile(page, "a.ts");
    await panel(page).locator("a.link", { hasText: "d.ts" }).click();
    await page.locator(".tab.active", { hasText: "d.ts" }).waitFor();
    // The language server may still be loading; then VS Code's own search opens.
    await until("the cursor is at the member of the class that was named", async () => {
      await panel(page).getByText("Shop#total", { exact: true }).click();
      const there = page.locator(".statusbar-item", { hasText: "Ln 7, Col 3" });
      const found = await there.waitFor({ timeout: 10_000 }).then(
        () => true,
        () => false,
      );
      if (!found) await page.keyboard.press("Escape");
      return found;
    });
  });
});
