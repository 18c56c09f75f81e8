import assert from "node:assert/strict";
import * as z from "zod/mini";
import { campaignRuns } from "../fakes/campaignRuns.ts";
import { seededRandom } from "../fakes/seededRandom.ts";
import { TurnScript } from "../fakes/turns/turnScript.ts";
import { readyStatus } from "./panelPage.ts";
import { withPanel } from "./withPanel.ts";

const lookSchema = z.object({ text: z.string(), at: z.number(), open: z.number() });

describe("A chat of a thousand turns in the panel", () => {
  const panel = withPanel();
  const top = async (text: string) =>
    (await panel.page.getByText(text, { exact: true }).boundingBox())?.y ?? Number.NaN;
  const drawn = () => panel.page.locator(".turn:not(.undrawn)").count();

  let script = new TurnScript();

  beforeEach(async () => {
    script = new TurnScript();
    for (let turn = 0; turn < 500; turn++) {
      script.ask(`Question ${turn}`).add({ type: "reasoning-delta", text: "Hm." });
      script
        .text(
          `Answer **${turn}**\n\n${"- a\n- b\n".repeat(turn % 9)}\n\`\`\`\n${"code\n".repeat(turn % 7)}\`\`\`\n`,
        )
        .end();
    }
    await panel.snapshot(script.events);
  });

  it("shows its end at once and draws a turn when the user comes near, without a jump", async () => {
    assert.ok(await panel.page.getByText("Question 499").isVisible());
    assert.equal(
      await panel.page.locator(".turn").count(),
      1000,
      "each turn has its place, in order",
    );
    const atFirst = await drawn();
    assert.ok(atFirst < 60, `${atFirst} turns are drawn`);
    const jumps = await panel.page.evaluate(`(async () => {
      const scroller = document.querySelector(".scroller");
      const jumps = [];
      for (let step = 0; step < 25; step++) {
        const seen = [...document.querySelectorAll(".turn:not(.undrawn)")].find((turn) => turn.getBoundingClientRect().top > 100);
        const before = seen.getBoundingClientRect().top;
        scroller.scrollTop -= 100;
        for (let frame = 0; frame < 4; frame++) await window.drawn();
        const moved = seen.getBoundingClientRect().top - before;
        if (Math.abs(moved - 100) > 2) jumps.push(moved);
      }
      return jumps;
    })()`);
    assert.deepEqual(jumps, [], "what is seen moves with the wheel");
    assert.ok((await drawn()) > atFirst);
    await panel.page.evaluate("document.querySelector('.scroller').scrollTop = 0");
    await panel.page.getByText("Question 0", { exact: true }).waitFor();
    assert.ok((await drawn()) < 200, `${await drawn()} turns are drawn`);
  });

  it("finds words in turns that were not drawn, and goes from request to request", async () => {
    await panel.page.keyboard.press("Control+f");
    await panel.page.keyboard.type("Question 7");
    await panel.page.locator(".find-count").getByText("11 of 11", { exact: true }).waitFor();
    await panel.page.keyboard.press("Enter");
    await panel.page.locator(".find-count").getByText("1 of 11", { exact: true }).waitFor();
    await panel.page.keyboard.press("Shift+Enter");
    await panel.page.keyboard.press("Escape");
  });

  it("goes from request to request through turns that were not drawn", async () => {
    await panel.page.locator(".scroller").focus();
    const focused = panel.page.locator(".turn-user:focus .user-words");
    await panel.page.keyboard.press("Alt+ArrowUp");
    const first = Number((await focused.textContent())?.split(" ")[1]);
    for (let at = first - 1; at > first - 20; at--) {
      await panel.page.keyboard.press("Alt+ArrowUp");
      await focused.getByText(`Question ${at}`, { exact: true }).waitFor();
      const y = await top(`Question ${at}`);
      assert.ok(Math.abs(y - 20) < 30, `Question ${at} is at ${y}`);
    }
  });

  it("stays where it was, with what is unfolded, written and attached, whenever the panel is thrown away", async () => {
    const cart = {
      kind: "file" as const,
      path: "src/cart.ts",
      lines: null,
      name: "",
      text: null,
    };
    await panel.post({
      type: "attach",
      items: [{ ref: cart, tokens: 12, clipped: false }],
      refused: [],
    });
    const look = async () =>
      lookSchema.parse(
        await panel.page.evaluate(`(async () => {
        await window.drawn();
        await window.drawn();
        const inView = (each) => each.getBoundingClientRect().bottom > 1 && each.getBoundingClientRect().top < innerHeight;
        const turn = [...document.querySelectorAll(".turn")].find(inView);
        const open = [...document.querySelectorAll("details[open]")].filter(inView).length;
        return { text: turn.textContent, at: turn.getBoundingClientRect().top, open };
      })()`),
      );
    const random = seededRandom(7);
    for (let round = 0; round < campaignRuns(3, 6); round++) {
      await panel.page.evaluate(
        `(() => { const s = document.querySelector(".scroller"); s.scrollTop = s.scrollHeight * ${random(100) / 100}; })()`,
      );
      await look();
      const thinking = panel.page.locator(
        ".turn:not(.undrawn) .reasoning:not([open]) summary:visible",
      );
      await thinking.nth(Math.floor((await thinking.count()) / 2)).click();
      await panel.page.getByLabel("Message to Graft").fill(`draft ${round}`);
      const before = await look();
      if (round % 2 === 0)
        await panel.post({ type: "status", status: { ...readyStatus, busy: true } });
      await panel.page.reload();
      await panel.snapshot(script.events);
      const after = await look();
      assert.deepEqual([after.text, after.open], [before.text, before.open], `round ${round}`);
      assert.ok(
        Math.abs(after.at - before.at) < 3,
        `round ${round}: at ${after.at}, before at ${before.at}`,
      );
      assert.equal(await panel.page.getByLabel("Message to Graft").inputValue(), `draft ${round}`);
      assert.equal(await panel.page.locator(".composer .chip").count(), 1);
    }
  });
});
