import assert from "node:assert/strict";
import { answeredByTwo, compared, turnOf } from "./candidateStates.ts";
import { busy } from "./panelStates.ts";
import { withPanel } from "./withPanel.ts";

describe("choosing from the answers of several models, in the panel", () => {
  const panel = withPanel();
  const turnId = turnOf(answeredByTwo());
  const form = () => panel.page.getByRole("form", { name: "Choose what to take" });
  const button = (name: string) => panel.page.getByRole("button", { name, exact: true });
  const checked = async () => {
    const names: string[] = [];
    for (const radio of await form().getByRole("radio", { checked: true }).all())
      names.push((await radio.locator("xpath=..").textContent()) ?? "");
    return names;
  };
  const propose = async () => {
    await button("Propose the chosen").click();
    return (await panel.sent()).filter(({ type }) => type === "propose-chosen");
  };
  const show = async () => {
    await panel.snapshot(answeredByTwo().events);
    await panel.post({ type: "compared", turnId, files: compared });
  };

  it("asks the host for the comparison, once", async () => {
    await show();
    await panel.post({ type: "compared", turnId, files: compared });
    const asked = (await panel.sent()).filter(({ type }) => type === "compare-answers");
    assert.deepEqual(asked, [{ type: "compare-answers", turnId }]);
  });

  it("takes nothing that the user did not choose, and says so", async () => {
    await show();
    assert.ok((await checked()).every((name) => name.startsWith("As it is")));
    assert.deepEqual(await propose(), []);
    await form().getByRole("alert").getByText("Nothing is chosen yet").waitFor();
  });

  it("takes all of one model, then one part of another by keyboard", async () => {
    await show();
    await button("Take all of Claude Sonnet 4.5").click();
    const part = form().getByRole("group", { name: "Cart-total", exact: true });
    await part.getByRole("radio", { checked: true }).focus();
    await panel.page.keyboard.press("ArrowDown");
    const of = (path: string, row: string, candidate: number) => ({ path, row, candidate });
    assert.deepEqual(await propose(), [
      {
        ...{ type: "propose-chosen", turnId },
        choices: [
          of("src/cart.ts", "/", 0),
          of("src/cart.ts", "/total", 1),
          of("src/cart.ts", "/discount", 0),
          of("src/coupon.ts", "file", 0),
        ],
      },
    ]);
    await panel.post({ type: "combined", turnId, problems: [] });
    assert.equal(await form().isVisible(), false);
  });

  it("keeps what was chosen when the chat is drawn again", async () => {
    await show();
    await button("Take all of gpt-5-mini").click();
    const before = await checked();
    await show();
    assert.deepEqual(await checked(), before);
    assert.ok(before.some((name) => name.includes("gpt-5-mini")));
  });

  it("keeps the draft until it was sent, and sends none while a turn runs", async () => {
    const box = panel.page.getByRole("textbox", { name: "Message to Graft" });
    const sent = async () => (await panel.sent()).filter(({ type }) => type === "send-to-models");
    await show();
    await panel.post({ type: "draft-to-models" });
    assert.deepEqual(await sent(), []);
    await box.fill("Change it");
    await panel.post({ type: "draft-to-models" });
    assert.deepEqual(await sent(), [{ type: "send-to-models", text: "Change it", attached: [] }]);
    await panel.post({ type: "draft-sent", text: "Something else" });
    assert.equal(await box.inputValue(), "Change it");
    await panel.post({ type: "draft-sent", text: "Change it" });
    assert.equal(await box.inputValue(), "");
    await box.fill("Once more");
    await panel.post({ type: "status", status: busy }, { type: "draft-to-models" });
    assert.equal((await sent()).length, 1);
    assert.equal(await box.inputValue(), "Once more");
  });
});
