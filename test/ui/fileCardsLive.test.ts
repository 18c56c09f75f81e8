import assert from "node:assert/strict";
import { TurnScript } from "../fakes/turns/turnScript.ts";
import { editing } from "./editing.ts";
import { readyStatus } from "./panelPage.ts";
import { withPanel } from "./withPanel.ts";

describe("Files' cards while an answer is drawn", () => {
  const panel = withPanel();

  it("looks the same live, in one frame, and after a reload, also with blocks of a tool and of a later step", async () => {
    const script = editing(
      { blockId: "one" },
      { blockId: "other", path: "b.ts" },
      { blockId: "two" },
    );
    script.add(
      { type: "tool-call-start", callId: "c", name: "patch_source_file" },
      { type: "tool-start", callId: "c" },
    );
    script.edit({
      blockId: "three",
      callId: "c",
      path: "b.ts",
      index: 4,
      textStart: 0,
      textEnd: 0,
      status: "pending",
    });
    script.add({ type: "step-start", step: 1 }).text("More:\n").text("```ts:9:9\nx\n```");
    script.edit({
      blockId: "four",
      index: 5,
      step: 1,
      textStart: 6,
      textEnd: 21,
      status: "captured",
    });
    for (const event of script.since(0))
      if (event.type === "edit-update" && event.edit.blockId !== "three")
        script.edit({ ...event.edit, status: "applied" });
    script.end();
    const markup = async () => (await panel.markup()).replaceAll(/<code>.*?<\/code>/gs, "");
    await panel.snapshot([]);
    for (const event of script.events) await panel.events([event]);
    const live = await markup();
    await panel.snapshot(script.events);
    assert.equal(await markup(), live);
    await panel.snapshot([]);
    await panel.events(script.events);
    assert.equal(await markup(), live);
    assert.equal(await panel.page.locator(".tool-row .card").count(), 1);
  });

  it("draws no more for a piece of code after thirty blocks than after one", async () => {
    const source = "```ts:ast-path:x\nconst a = 1;\n```";
    const edits = Array.from({ length: 30 }, (_, index) => ({
      blockId: `b${index}`,
      status: "captured" as const,
    }));
    const touched = async (script: TurnScript, number: number): Promise<number> => {
      const textStart = script.events.reduce(
        (sum, event) => (event.type === "text-delta" ? sum + event.text.length : sum),
        0,
      );
      const edit = { blockId: "last", target: "ast-path:last", index: number, textStart };
      const start = script.events.length;
      script.edit(edit).text(source.slice(0, 20));
      await panel.events(script.since(start));
      const mark = script.events.length;
      script.text("b").edit({ ...edit, addedLines: 5 });
      await panel.page.evaluate(`(() => {
      window.touched = 0;
      window.watcher?.disconnect();
      window.watcher = new MutationObserver((records) => {
        for (const { addedNodes } of records) for (const node of [...addedNodes]) window.touched += node.querySelectorAll?.("*").length ?? 0;
        window.touched += records.length;
      });
      window.watcher.observe(document.querySelector(".turns"), { childList: true, characterData: true, attributes: true, subtree: true });
    })()`);
      await panel.events(script.since(mark));
      return Number(await panel.page.evaluate("window.touched"));
    };
    const few = editing({ blockId: "b0", status: "captured" });
    await panel.snapshot(few.events, { ...readyStatus, busy: true });
    const first = await touched(few, 2);
    const many = editing(...edits);
    await panel.snapshot(many.events, { ...readyStatus, busy: true });
    assert.equal(await panel.page.locator(".block").count(), 30);
    const last = await touched(many, 31);
    // The browser highlights earlier code in idle time.
    assert.ok(
      first > 0 && last <= first * 1.5,
      `${first} changes with one block, ${last} with thirty`,
    );
  });

  it("shows every decision, also where cards are drawn while decisions arrive", async () => {
    const script = new TurnScript();
    const turns = 80;
    for (let at = 0; at < turns; at++) {
      const source = "```ts:ast-path:x\nconst a = 1;\n```";
      script.ask(`Change ${at}`).text(source).text("\n\nSome words.".repeat(10));
      script
        .edit({
          blockId: `b${at}`,
          path: `f${at}.ts`,
          status: "pending",
          textStart: 0,
          textEnd: source.length,
        })
        .end();
    }
    await panel.snapshot(script.events);
    const edits = script.events.flatMap((event) => (event.type === "edit-update" ? [event] : []));
    let seq = script.events.at(-1)?.seq ?? 0;
    const decided = edits.map((event) => ({
      ...event,
      seq: ++seq,
      edit: { ...event.edit, status: "applied" as const },
    }));
    // Every turn comes into view while decisions arrive, one a task; some come twice.
    await panel.page.evaluate(`(async () => {
    const scroller = document.querySelector(".scroller");
    const events = ${JSON.stringify(decided)};
    for (let at = events.length - 1; at >= 0; at--) {
      const event = events[events.length - 1 - at];
      const message = { type: "events", chatId: "chat-1", after: event.seq - 1, events: [event] };
      window.postMessage(message, "*");
      if (at % 3 === 0) window.postMessage(message, "*");
      document.querySelectorAll(".turn")[at * 2].scrollIntoView({ block: "center" });
      await (at % 2 === 0 ? new Promise(requestAnimationFrame) : new Promise((done) => setTimeout(done)));
    }
    for (const turn of document.querySelectorAll(".turn.undrawn")) {
      turn.scrollIntoView();
      while (turn.classList.contains("undrawn")) await window.drawn();
    }
  })()`);
    const heads = await panel.page.locator(".card-head .state").allTextContents();
    assert.deepEqual(
      heads,
      Array.from({ length: turns }, () => "applied"),
    );
  });
});
