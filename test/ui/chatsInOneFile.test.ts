import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { ModelHandler, ModelStep } from "../fakes/model/modelServer.ts";
import { gallery } from "./gallery.ts";
import { screenshot } from "./screenshot.ts";
import { ask, modelWorkbench, openPanel, panel, runCommand, soon, until } from "./workbench.ts";

const FIRST = "Rename the first";
const LAST = "Rename the last";
const LINES = ["first", "second", "third", "fourth", "fifth", "last"];
const TEXT = `${LINES.map((name, at) => `export const ${name} = ${at};`).join("\n")}\n`;

const editMode: ModelStep = {
  toolCalls: [{ name: "edit_mode", args: { file_path: "one.ts", use_line_numbers: true } }],
};
const line = (at: number, text: string): ModelStep => ({
  text: `\`\`\`ts:${at}:${at} one.ts\n${text}\n\`\`\`\n`,
});
const HELD = "Rename the second";
const REFUSED = "Rename the fifth";
const REFUSED_TOO = "Rename the second otherwise";
let release: () => void = () => undefined;
const held = new Promise<void>((resolve) => {
  release = resolve;
});

const SCRIPTS: Readonly<Record<string, readonly ModelStep[]>> = {
  [FIRST]: [editMode, line(1, "export const uno = 0;"), { text: "The first is renamed." }],
  [LAST]: [editMode, line(6, "export const ultimo = 5;"), { text: "The last is renamed." }],
  "What became of it": [{ text: "I see." }],
  [HELD]: [
    editMode,
    { ...line(2, "export const dos = 1;\n// and a comment"), stallAfter: 4, resume: held },
    { text: "The second is renamed." },
  ],
  [REFUSED]: [editMode, line(5, "export const cinco = 4;"), { text: "I could not." }],
  [REFUSED_TOO]: [editMode, line(2, "export const deux = 1;"), { text: "Neither could I." }],
};

const answer: ModelHandler = ({ body: { messages } }) => {
  const keyOf = (content: string | null | undefined) =>
    Object.keys(SCRIPTS).findLast((key) => content?.includes(key));
  const asked = messages.findLastIndex(
    ({ role, content }) => role === "user" && keyOf(content) !== undefined,
  );
  const steps = SCRIPTS[keyOf(messages[asked]?.content) ?? ""] ?? [];
  const done = messages.slice(asked).filter(({ role }) => role === "assistant").length;
  return steps[done] ?? { text: "There is nothing left to say." };
};

describe("two chats in one file, in a real VS Code", () => {
  const suite = modelWorkbench(answer, { "one.ts": TEXT }, {}, "themeSwitch");
  const bar = () => panel(suite.page).getByRole("group", { name: "Changes to review" });
  const files = () => bar().locator(".review-files", { hasText: /^1 file$/ });
  const said = (text: string) => panel(suite.page).locator(".turns").getByText(text);
  /** Over a change in the diff, whose it is. */
  const named = (chat: string) =>
    suite.page.locator(".codelens-decoration", { hasText: `from "${chat}"` });
  const onDisk = () => fs.readFileSync(path.join(suite.workbench.folder, "one.ts"), "utf8");

  before(() => openPanel(suite.page));

  it("have one proposal, whose changes are named and counted by chat", async () => {
    const { page } = suite;
    await ask(page, FIRST);
    await said("The first is renamed.").waitFor();
    await runCommand(page, "Graft: New Chat");
    await said("The first is renamed.").waitFor({ state: "hidden" });
    await ask(page, LAST);
    await said("The last is renamed.").waitFor();
    await files().waitFor();
    await bar().getByText(`1 from "${FIRST}"`).waitFor();
    for (const chat of [FIRST, LAST]) await named(chat).waitFor();
    await bar()
      .getByRole("button", { name: /1 file/ })
      .click();
    await bar().getByText("this chat").waitFor();
    await gallery(suite.workbench, "one-file-1-pending");
    await screenshot(page, "one-file-1-pending");
  });

  it("are accepted alone, and the other's change stays pending", async () => {
    const { page } = suite;
    await bar()
      .getByRole("button", { name: `Accept only the changes from "${FIRST}"` })
      .click();
    await until("the first chat's line is in the file", () => onDisk().includes("uno"));
    assert.equal(onDisk(), TEXT.replace("first", "uno"));
    // One chat is left, and nobody else's change is named.
    await bar().locator(".review-others").waitFor({ state: "hidden" });
    await files().waitFor();
    await screenshot(page, "one-file-2-accepted-alone");
  });

  it("tell each model of its own change alone", async () => {
    const { page, server } = suite;
    await ask(page, "What became of it");
    await said("I see.").waitFor();
    const heard = JSON.stringify(server.requests.at(-1)?.body.messages);
    assert.ok(!heard.includes(FIRST), "nothing of the other chat");
    assert.ok(!/accepted/i.test(heard.slice(heard.lastIndexOf("What became"))));
    assert.ok(await soon(files()));
  });

  it("refuse what a second and a third answer write meanwhile, and say what to do", async () => {
    const { page, server } = suite;
    await runCommand(page, "Graft: New Chat");
    await said("I see.").waitFor({ state: "hidden" });
    await ask(page, HELD);
    await bar().getByText("streaming").or(said("one.ts")).first().waitFor();
    for (const [request, end] of [
      [REFUSED, "I could not."],
      [REFUSED_TOO, "Neither could I."],
    ] as const) {
      await runCommand(page, "Graft: New Chat");
      await said(request).waitFor({ state: "hidden" });
      await ask(page, request);
      await said(end).waitFor();
      const heard = server.requests
        .at(-1)
        ?.body.messages.map(({ content }) => content)
        .join("\n");
      assert.match(heard ?? "", /was not proposed: Another chat or agent was writing this file/);
      await said("Another chat or agent was writing this file").first().waitFor();
      await screenshot(page, `one-file-3-${end.length}-refused`);
    }
    release();
    await named(HELD).waitFor();
    await screenshot(page, "one-file-4-all");
  });
});
