import assert from "node:assert/strict";
import * as z from "zod/mini";
import { TurnScript } from "../fakes/turns/turnScript.ts";
import { fullTurn } from "./fullTurn.ts";
import { readyStatus } from "./panelPage.ts";
import { withPanel } from "./withPanel.ts";

const styledSchema = z.object({
  name: z.literal("UpdateLayoutTree"),
  args: z.object({ elementCount: z.number() }),
});

describe("An answer in the panel", () => {
  const panel = withPanel();

  it("sets the text direction of the request and of each paragraph by its language", async () => {
    const script = new TurnScript()
      .ask("שלום, README.md!")
      .text("שלום, README.md.\n\nHello, שלום.")
      .end();
    await panel.snapshot(script.events);
    const first = (selector: string, index = 0): Promise<unknown> =>
      panel.page.evaluate(`(() => {
      const element = document.querySelectorAll(${JSON.stringify(selector)})[${index}];
      const range = document.createRange();
      range.setStart(document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode(), 0);
      range.setEnd(range.startContainer, 1);
      const box = element.getBoundingClientRect();
      return range.getBoundingClientRect().left > box.left + box.width / 2 ? "right" : "left";
    })()`);
    assert.equal(await first(".user-words"), "right");
    assert.equal(await first(".turn-agent p", 0), "right");
    assert.equal(await first(".turn-agent p", 1), "left");
  });

  it("looks the same live, in one frame, and after a reload", async () => {
    /** The browser highlights both blocks in idle time. */
    const highlighted = async () => {
      await panel.page.locator(".hljs-number").nth(1).waitFor();
      return panel.markup();
    };
    const script = fullTurn();
    await panel.snapshot([]);
    for (const event of script.events) await panel.events([event]);
    const live = await highlighted();
    await panel.snapshot(script.events);
    assert.equal(await highlighted(), live);
    await panel.snapshot([]);
    await panel.events(script.events);
    assert.equal(await highlighted(), live);
  });

  it("highlights closed code by classes, with a script that is loaded on first use", async () => {
    await panel.snapshot(new TurnScript().ask("Hi").text("Words.").events);
    assert.equal(await panel.page.locator("script[src]").count(), 1);
    await panel.snapshot(
      new TurnScript().ask("Hi").text("```js\nconst a = 1;\n```\n").end().events,
    );
    await panel.page.locator("code .hljs-keyword", { hasText: "const" }).waitFor();
    assert.equal(await panel.page.locator(".turns [style]").count(), 0);
  });

  it("renders hostile text inert", async () => {
    const hostile = [
      '<script>window.hit = 1</script><img src=x onerror="window.hit = 1"><svg onload="window.hit = 1"><iframe srcdoc="<script>parent.hit=1</script>">',
      "[a](javascript:window.hit=1) [b](command:workbench.action.quit) [c](data:text/html,x) [d](vscode://x) ![e](http://evil.test/p.png)",
      '```js"><img src=x onerror="window.hit=1">\n</code></pre><script>window.hit = 1</script>\n```',
      '<a href="http://ok.test" onclick="window.hit=1" style="position:fixed">raw</a> <style>*{display:none}</style> <base href="http://evil.test">',
      "| a |\n|---|\n| <img src=x onerror=window.hit=1> |",
    ];
    const script = new TurnScript().ask(hostile.join("\n"));
    for (const text of hostile) script.text(`${text}\n\n`, 7);
    script.add(
      { type: "reasoning-delta", text: hostile[0] ?? "" },
      { type: "notice", level: "warning", code: "tools-unavailable", detail: hostile[0] ?? "" },
    );
    script.call(
      "call-1",
      `<img src=x onerror="window.hit=1">`,
      { file_path: hostile[0] },
      hostile[0] ?? "",
      1,
    );
    script.add({
      type: "turn-end",
      reason: "error",
      error: { code: "internal", kind: "internal", retryable: true, said: hostile[0] ?? "" },
    });
    await panel.snapshot(script.events);
    for (const each of await panel.page.locator(".turns summary").all()) await each.click();
    assert.equal(await panel.page.evaluate("window.hit"), undefined);
    assert.equal(
      await panel.page
        .locator(
          ".turns :is(script, img, iframe, svg:not(.icon), style, base, [onclick], [onerror], [style], a[href])",
        )
        .count(),
      0,
    );
    assert.equal(
      await panel.page.locator("a.link").count(),
      1,
      "only the picture's web address is a link",
    );
  });

  it("folds what the model was told of 60 files under one heading", async () => {
    const script = new TurnScript().ask("Hi").text("Done.");
    for (let at = 0; at < 60; at++) script.add({ type: "edit-report", text: `f${at}.ts: applied` });
    await panel.snapshot(script.end().events);
    const heading = panel.page.locator(".report > summary");
    assert.equal(await heading.count(), 1);
    assert.match((await heading.textContent()) ?? "", /60/);
    await heading.click();
    assert.equal(await panel.page.locator(".report > pre").count(), 60);
  });

  it("opens links through the host, also of file names and symbols in code, and inserts code at the cursor", async () => {
    const text =
      "[docs](https://example.org/a) See `src/a.ts:7` and `Shape.area()`, not `true` or `npm test`.\n\n```js\nconst a = 1;\n```\n";
    await panel.snapshot(new TurnScript().ask("Hi").text(text).end().events);
    await panel.page.getByText("docs", { exact: true }).click();
    await panel.page.locator("a.link", { hasText: "src/a.ts:7" }).press("Enter");
    await panel.page.getByText("Shape.area()").click();
    await panel.page.getByRole("button", { name: "Insert at cursor" }).click();
    assert.deepEqual((await panel.sent()).slice(1), [
      { type: "open-link", url: "https://example.org/a" },
      { type: "open-file", path: "src/a.ts", line: 7 },
      { type: "open-symbol", name: "Shape.area" },
      { type: "insert-code", text: "const a = 1;" },
    ]);
    assert.equal(await panel.page.locator("a.link").count(), 3);
  });

  it("applies a code block as a proposal, with what names its file, also one in a list", async () => {
    const code = "```ts title=b.ts\na();\n```";
    const text = `Intro.\n\nIn \`src/a.ts\`:\n\n${code}\n${code}\n\n- In \`c.ts\`:\n  \`\`\`js\n  b();\n  \`\`\`\n`;
    const script = new TurnScript().ask("Hi").text(text).end();
    await panel.snapshot(script.events);
    const apply = panel.page.getByRole("button", { name: "Apply as proposal" });
    for (const index of [0, 1, 2]) await apply.nth(index).click();
    const sent = {
      type: "apply-code",
      turnId: "turn-2",
      text: "a();",
      info: "ts title=b.ts",
    } as const;
    assert.deepEqual((await panel.sent()).slice(1), [
      { ...sent, before: "In src/a.ts:" },
      { ...sent, before: "" },
      { ...sent, text: "b();", info: "js", before: "In c.ts:" },
    ]);
    const mark = script.events.length;
    script.edit({
      blockId: "apply-1-1",
      callId: "apply-1",
      textStart: 0,
      textEnd: 0,
      status: "pending",
      target: "ast-path:a",
    });
    await panel.events(script.since(mark));
    await panel.page.getByRole("group", { name: "Edits of src/shapes.ts: pending" }).waitFor();
    // Code is highlighted in idle time.
    const live = await panel.page.locator(".turns").textContent();
    await panel.snapshot(script.events);
    assert.equal(await panel.page.locator(".turns").textContent(), live, "after a reload");
    assert.equal(await panel.page.locator(".card .code-block").count(), 0);
    assert.equal(await apply.count(), 3, "the answer's text stays as it is");
  });

  it("grows a code block in chunks of lines, with the same text", async () => {
    const code = "const value = compute(1, 2);\n".repeat(1_000);
    const script = new TurnScript().ask("Hi").text(`\`\`\`\n${code}`, 1_777);
    await panel.snapshot(script.events);
    assert.equal(await panel.page.locator(".code-block code").textContent(), code);
    const chunks = await panel.page.locator(".code-chunk").count();
    assert.ok(chunks > 5 && chunks < 10, `${chunks} chunks`);
  });

  it("redraws no more per frame at the end of a long answer than at its beginning", async () => {
    const script = new TurnScript().ask("Tell me a lot");
    const words = "Some words of **an answer** with `code`.\n";
    const code = "const value = compute(1, 2);\n";
    let text = "";
    while (text.length < 40_000) text += `## Part\n\n${words.repeat(3)}\n- one\n- two\n\n`;
    text += `\`\`\`\n${code.repeat(600)}\`\`\`\n`;
    while (text.length < 100_000) text += `${words}\n`;
    script.text(text, 10);
    await panel.snapshot(script.events.slice(0, 3), { ...readyStatus, busy: true });
    const costs = await panel.page.evaluate(`(async () => {
    const events = ${JSON.stringify(script.since(3))};
    let touched = 0;
    new MutationObserver((records) => {
      for (const record of records) {
        touched += 1;
        for (const node of [...record.addedNodes, ...record.removedNodes]) touched += 1 + (node.querySelectorAll?.("*").length ?? 0);
      }
    }).observe(document.querySelector(".turns"), { childList: true, characterData: true, subtree: true });
    const costs = [];
    for (let at = 0; at < events.length; at += 50) {
      window.postMessage({ type: "events", chatId: "chat-1", after: 0, events: events.slice(at, at + 50) }, "*");
      await window.drawn();
      costs.push(touched);
      touched = 0;
    }
    return costs;
  })()`);
    assert.ok(Array.isArray(costs) && costs.length >= 200);
    const mean = (values: readonly unknown[]): number =>
      values.reduce<number>((sum, value) => sum + Number(value), 0) / values.length;
    const [first, last] = [mean(costs.slice(0, 40)), mean(costs.slice(-40))];
    assert.ok(
      last <= first * 1.5,
      `${first} nodes a frame at the beginning, ${last} at the end of 10,000 deltas`,
    );
    assert.ok(
      Math.max(...costs.map(Number)) < 400,
      `a frame touched ${Math.max(...costs.map(Number))} nodes`,
    );
  });

  it("makes the browser style what is new, however long the answer is", async () => {
    const session = await panel.page.context().newCDPSession(panel.page);
    const script = new TurnScript().ask("Hi");
    await panel.snapshot(script.events, { ...readyStatus, busy: true });
    const paragraphs = async (count: number) => {
      const mark = script.events.length;
      for (let at = 0; at < count; at++)
        script.text("Some **words** with `code`.\n\n- one\n- two\n\n## A heading\n\n");
      await panel.events(script.since(mark));
    };
    /** How many elements are styled anew in the frames of ten paragraphs. */
    const styled = async () => {
      const counts: number[] = [];
      session.on("Tracing.dataCollected", ({ value }) => {
        for (const event of value) {
          const parsed = styledSchema.safeParse(event);
          if (parsed.success) counts.push(parsed.data.args.elementCount);
        }
      });
      const ended = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
      await session.send("Tracing.start", {
        transferMode: "ReportEvents",
        traceConfig: { includedCategories: ["devtools.timeline", "blink"] },
      });
      await paragraphs(10);
      await session.send("Tracing.end");
      await ended;
      return counts.reduce((sum, each) => sum + each, 0);
    };
    await paragraphs(20);
    const early = await styled();
    await paragraphs(300);
    const late = await styled();
    assert.ok(early > 0 && late <= early * 1.5, `${early} elements at first, ${late} later`);
  });
});
