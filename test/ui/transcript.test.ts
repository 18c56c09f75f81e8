import assert from "node:assert/strict";
import { modelError } from "../../src/model/modelFailure.ts";
import { TurnScript } from "../fakes/turns/turnScript.ts";
import { fullTurn } from "./fullTurn.ts";
import { readyStatus } from "./panelPage.ts";
import { withPanel } from "./withPanel.ts";
import { words } from "./words.ts";

describe("The transcript of the panel", () => {
  const panel = withPanel();

  it("shows a tool call with its arguments, result and duration", async () => {
    await panel.snapshot(fullTurn().events);
    const row = panel.page.locator(".tool-row");
    assert.match(await words(row), /^\s*Read shapes\.ts\s*$/);
    await row.locator("summary").click();
    await row.locator("pre").last().waitFor();
    assert.match(await words(row), /"file_path": "src\/shapes.ts"[\s\S]*lines 1-9 of 9/);
  });

  it("shows an error with the actions that help", async () => {
    const script = new TurnScript().ask("Hi");
    script.add({
      type: "turn-end",
      reason: "error",
      error: modelError(
        { code: "key-rejected", status: 401 },
        { baseUrl: "api.example.com", model: "m" },
      ),
    });
    await panel.snapshot(script.events);
    assert.ok(
      await panel.page.getByText("api.example.com rejected the API key (401).").isVisible(),
    );
    const box = panel.page.locator(".outcome");
    assert.equal(await box.locator("p").count(), 1);
    assert.equal(await box.locator("[appearance=primary]").count(), 1);
    await panel.page.getByRole("button", { name: "Set API key" }).click();
    await panel.page.getByRole("button", { name: "Choose model" }).click();
    await panel.page.getByText("Retry").click();
    assert.deepEqual((await panel.sent()).slice(1), [
      { type: "set-api-key" },
      { type: "choose-model" },
      { type: "retry", turnId: "turn-2" },
    ]);
  });

  it("offers edit mode when the model does not support tools", async () => {
    const error = modelError({ code: "tools-refused" }, { baseUrl: "localhost", model: "gemma3" });
    const notice = { type: "notice", level: "warning", code: "tools-refused", error } as const;
    await panel.snapshot(new TurnScript().ask("Go").add(notice).text("Hm.").end().events);
    await panel.page
      .locator(".note", { hasText: "gemma3" })
      .getByRole("button", { name: "Start edit mode" })
      .press("Enter");
    assert.deepEqual((await panel.sent()).at(-1), { type: "start-edit-mode" });
  });

  it("shows tokens, cached share and cost on one line, with the whole chat's on hover", async () => {
    const usage = {
      type: "usage",
      usage: { inputTokens: 9_000, outputTokens: 1_000, cachedInputTokens: 6_300, cost: 0.042 },
    } as const;
    const script = new TurnScript()
      .ask("Go")
      .add(usage)
      .text("Yes.")
      .end()
      .ask("And on")
      .add(usage)
      .text("Yes.")
      .end();
    await panel.snapshot(script.events);
    const line = panel.page.locator(".facts").last();
    assert.match((await line.textContent()) ?? "", /10,000 tokens · 70% cached · \$0\.04$/);
    await line.hover();
    assert.match(
      (await line.getAttribute("title")) ?? "",
      /Input 9,000 \(6,300 from the cache\), output 1,000\nThis chat: 20,000 tokens · 70% cached · \$0\.08$/,
    );
  });

  it("marks a compaction and new rules, each unfolding to its text", async () => {
    const script = new TurnScript().ask("Go").text("Yes.").end().ask("And on");
    script.add(
      { type: "compaction", summary: "The user wants <b>tests</b>." },
      { type: "rules", path: "lib/AGENTS.md", text: "Use tabs." },
    );
    await panel.snapshot([]);
    for (const event of script.events) await panel.events([event]);
    const live = await panel.markup();
    const texts = {
      "Conversation compacted": "The user wants <b>tests</b>.",
      "Rules: lib/AGENTS.md": "Use tabs.",
    };
    for (const [heading, text] of Object.entries(texts)) {
      assert.equal(await panel.page.getByText(text, { exact: true }).isVisible(), false);
      await panel.page.getByText(heading, { exact: true }).click();
      assert.ok(await panel.page.getByText(text, { exact: true }).isVisible());
    }
    assert.ok(
      await panel.page.getByText("Yes.", { exact: true }).isVisible(),
      "the earlier turns are still shown",
    );
    await panel.snapshot(script.events);
    assert.equal(await panel.markup(), live);
  });

  it("announces the finished answer, but no tokens", async () => {
    const script = new TurnScript().ask("Hi");
    await panel.snapshot(script.events);
    const region = panel.page.locator(".hidden-word[role=status]");
    const mark = script.events.length;
    await panel.events(script.text("The **answer** is forty-two.", 4).since(mark));
    assert.equal(await region.textContent(), "");
    await panel.events(script.end().events.slice(-1));
    assert.equal(await region.textContent(), "Graft answered: The answer is forty-two.");
    assert.equal(await panel.page.locator("[role=log]").getAttribute("aria-live"), "off");
  });

  it("follows the answer only while the user is at the end", async () => {
    const script = new TurnScript().ask("Hi").text("line\n\n".repeat(200));
    await panel.snapshot(script.events, { ...readyStatus, busy: true });
    const distance = (): Promise<unknown> =>
      panel.page.evaluate(
        "(() => { const s = document.querySelector('.scroller'); return s.scrollHeight - s.scrollTop - s.clientHeight; })()",
      );
    assert.ok(Number(await distance()) < 2);
    let mark = script.events.length;
    await panel.events(script.text("more\n\n".repeat(50)).since(mark));
    assert.ok(Number(await distance()) < 2, "it follows");
    await panel.page.locator(".scroller").hover();
    await panel.page.mouse.wheel(0, -600);
    await panel.page.getByText("Jump to latest").waitFor();
    mark = script.events.length;
    await panel.events(script.text("and more\n\n".repeat(50)).since(mark));
    assert.ok(Number(await distance()) > 500, "it stays where the user is");
    await panel.page.getByText("New below").click();
    assert.ok(Number(await distance()) < 2, "it goes back");
  });

  it("lets the user leave the end by a few pixels while words arrive", async () => {
    const script = new TurnScript().ask("Hi").text("line\n\n".repeat(200));
    await panel.snapshot(script.events, { ...readyStatus, busy: true });
    const scroller = panel.page.locator(".scroller");
    const jump = panel.page.locator(".jump");
    // As the first frame of a smooth scroll does.
    await scroller.evaluate((element) => element.scrollBy(0, -10));
    await jump.waitFor();
    const top = await scroller.evaluate((element) => element.scrollTop);
    const mark = script.events.length;
    await panel.events(script.text("more\n\n".repeat(50)).since(mark));
    assert.equal(await scroller.evaluate((element) => element.scrollTop), top);
    await jump.click();
    await jump.waitFor({ state: "hidden" });
    // A taller view moves its content, too.
    const { width, height } = panel.page.viewportSize() ?? { width: 0, height: 0 };
    await panel.page.setViewportSize({ width, height: height + 100 });
    await panel.page.evaluate("new Promise((done) => requestAnimationFrame(done))");
    assert.equal(await jump.isVisible(), false, "it stays at the end");
  });

  it("finds words in the chat, also across marks and in folded parts", async () => {
    const script = new TurnScript()
      .ask("Find **me** (needle)")
      .add({ type: "reasoning-delta", text: "A hidden needle." });
    script.text("No **nee**dle here.\n\nnee\n\ndle\n").end();
    await panel.snapshot(script.events);
    await panel.page.keyboard.press("Control+f");
    await panel.page.keyboard.type("NEEDLE");
    const count = panel.page.locator(".find-count");
    await count.getByText("3 of 3").waitFor();
    await panel.page.keyboard.press("Enter");
    await panel.page.keyboard.press("Enter");
    await count.getByText("2 of 3").waitFor();
    assert.ok(
      await panel.page.getByText("A hidden needle.").isVisible(),
      "it unfolds what it found",
    );
    await panel.page.keyboard.press("Escape");
    await panel.page.locator(".scroller:focus").waitFor();
    assert.ok(await count.isHidden());
  });

  it("goes from request to request by key", async () => {
    const script = new TurnScript();
    for (const name of ["first", "second", "third"])
      script.ask(name).text("line\n\n".repeat(60)).end();
    await panel.snapshot(script.events);
    const focused = (text: string) =>
      panel.page.locator(".turn-user:focus", { hasText: text }).waitFor();
    await panel.page.locator(".scroller").focus();
    await panel.page.keyboard.press("Alt+ArrowUp");
    await focused("third");
    await panel.page.keyboard.press("Alt+ArrowUp");
    await focused("second");
    await panel.page.keyboard.press("Alt+ArrowDown");
    await focused("third");
  });

  it("scrolls to the end when a request is sent, but not when it is queued", async () => {
    const script = new TurnScript().ask("Hi").text("line\n\n".repeat(200)).end();
    await panel.snapshot(script.events);
    const message = panel.page.getByLabel("Message to Graft");
    const jump = panel.page.getByText("Jump to latest");
    const sendFromAbove = async () => {
      await panel.page.locator(".scroller").hover();
      await panel.page.mouse.wheel(0, -600);
      await jump.waitFor();
      await message.fill("Go on");
      await message.press("Enter");
    };
    await sendFromAbove();
    const mark = script.events.length;
    await panel.events(script.ask("Go on").text("second").since(mark));
    await panel.page.getByText("second", { exact: true }).waitFor();
    assert.equal(await jump.isVisible(), false);
    await panel.post({ type: "status", status: { ...readyStatus, busy: true } });
    await sendFromAbove();
    assert.ok(await jump.isVisible());
  });

  it("keeps what the user unfolds at the end in place", async () => {
    const script = new TurnScript().ask("Hi").text("line\n\n".repeat(60));
    script.call("c", "read_file", { file_path: "a.ts" }, "result\n".repeat(60), 3);
    await panel.snapshot(script.events, { ...readyStatus, busy: true });
    const line = panel.page.locator(".tool summary");
    const before = await line.boundingBox();
    await line.click();
    await panel.page.getByText("Jump to latest").waitFor();
    assert.deepEqual(await line.boundingBox(), before);
    await panel.events(script.text("and more\n\n".repeat(20)).events.slice(-1));
    assert.deepEqual(await line.boundingBox(), before);
  });
});
