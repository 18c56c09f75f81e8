import assert from "node:assert/strict";
import fs from "node:fs";
import { createRequire } from "node:module";
import * as z from "zod/mini";
import { TurnScript } from "../fakes/turns/turnScript.ts";
import { candidateStates } from "./candidateStates.ts";
import { fullTurn } from "./fullTurn.ts";
import { readyStatus } from "./panelPage.ts";
import { busy, panelStates } from "./panelStates.ts";
import { questionStates } from "./questionStates.ts";
import { reviewStates } from "./reviewStates.ts";
import { shownThemes, unknownColors } from "./themes.ts";
import { withPanel } from "./withPanel.ts";

const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const resultSchema = z.object({
  violations: z.array(
    z.object({
      id: z.string(),
      nodes: z.array(
        z.object({ html: z.string(), any: z.array(z.object({ message: z.string() })) }),
      ),
    }),
  ),
});
/** What is wider than its place. */
const OVERFLOWING = `[...document.querySelectorAll("html, #root, .scroller, .composer, .composer-bar, .composer-box, .question, .card, .meter-details")]
  .filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.className || each.tagName)`;
/** 360 px at a zoom of 200%: everything fits. */
const NARROWEST = 180;
const WIDTHS = [600, 400, 240, NARROWEST] as const;
const firstWidths = process.env.GRAFT_LONG ? WIDTHS : ([240, NARROWEST] as const);

describe("The panel for everybody", () => {
  const panel = withPanel();

  const parts = {
    "a chat": panelStates(panel),
    "changes in review": reviewStates(panel),
    questions: questionStates(panel),
    "answers of several models": candidateStates(panel),
  };

  const [first, ...others] = shownThemes;
  assert.ok(first);
  /** Where it is to be brief, the states take turns in these themes. */
  const brief = others.filter(({ name }) => name !== "High Contrast Light");
  // Themes differ only in their colors, and all text is shown where there is room for it.
  const otherWidths = process.env.GRAFT_SCREENSHOTS ? WIDTHS : [WIDTHS[0]];
  const otherLooks = process.env.GRAFT_LONG ? others.map((theme) => [theme]) : [brief];
  const looks = [
    { themes: [first], widths: process.env.GRAFT_SCREENSHOTS ? WIDTHS : firstWidths },
    ...otherLooks.map((themes) => ({ themes, widths: otherWidths })),
  ].flatMap(({ themes, widths }) =>
    widths.flatMap((width) =>
      Object.entries(parts).map(([part, states]) => ({ themes, width, part, states })),
    ),
  );

  for (const { themes, width, part, states } of looks) {
    const onlyColors = themes[0] !== first;
    const names = themes.map(({ name }) => name).join(" or ");
    it(`shows every state of ${part} without an axe violation in ${names} at ${width} px`, async () => {
      await panel.reopen({ width, height: 1_600 });
      await panel.page.evaluate(axe);
      const options = {
        resultTypes: ["violations"],
        ...(onlyColors && { runOnly: ["color-contrast", "link-in-text-block"] }),
      };
      const places = new Map<string, Set<string>>();
      const add = (problem: string, place: string) =>
        places.set(problem, (places.get(problem) ?? new Set()).add(place));
      for (const [at, [state, draw]] of Object.entries(states).entries()) {
        const { name, pageStyle, bodyClass } = themes[at % themes.length] ?? first;
        await panel.page.evaluate(
          `document.documentElement.style.cssText = ${JSON.stringify(pageStyle)};
           document.body.className = ${JSON.stringify(bodyClass)};`,
        );
        await draw();
        await panel.page.evaluate("window.drawn()");
        if (process.env.GRAFT_SCREENSHOTS) {
          const picture = `out/screenshots/${state} ${name} ${width}.png`;
          await panel.page.setViewportSize({ width, height: 760 });
          await panel.page.screenshot({ path: picture });
          await panel.page.setViewportSize({ width, height: 1_600 });
        }
        for (const wide of z.array(z.string()).parse(await panel.page.evaluate(OVERFLOWING)))
          add(`too wide: ${wide}`, `${state}, ${name}`);
        if (width === NARROWEST) continue;
        const { violations } = resultSchema.parse(
          await panel.page.evaluate(`axe.run(${JSON.stringify(options)})`),
        );
        for (const { id, nodes } of violations)
          for (const { html, any } of nodes)
            add(`${id}: ${any[0]?.message ?? ""}\n  ${html.slice(0, 160)}`, `${state}, ${name}`);
      }
      const found = [...places].map(
        ([problem, shown]) => `${problem}\n  in ${[...shown].join("; ")}`,
      );
      assert.equal(found.join("\n"), "");
    });
  }

  it("gives the focus to the composer when what had it is gone", async () => {
    const composer = panel.page.locator(".composer textarea:focus");
    const queue = new TurnScript()
      .ask("Hi")
      .text("Yes")
      .queue([{ id: "q", text: "And then this" }]);
    await panel.snapshot(queue.events, busy);
    await panel.page.getByRole("button", { name: "Remove: And then this" }).press("Enter");
    await panel.events(queue.queue([]).events.slice(-1));
    await composer.waitFor();
    await panel.snapshot([], { ...readyStatus, keyMissing: true });
    await panel.page.getByRole("button", { name: "Set API key" }).press("Enter");
    await panel.post({ type: "status", status: readyStatus });
    await composer.waitFor();
    await panel.snapshot(fullTurn().end().events);
    await panel.page.locator(".reasoning summary").focus();
    await panel.snapshot([]);
    await composer.waitFor();
  });

  it("keeps the focus on a way to begin while models are found", async () => {
    const offer = { source: "local", from: "Ollama", model: "b", label: "b" } as const;
    const unchosen = { ...readyStatus, model: "", chosen: false };
    await panel.snapshot([], unchosen);
    const way = panel.page.getByRole("button", { name: "Try demo mode" });
    await way.focus();
    for (const offers of [[], [offer], [{ ...offer, model: "a", label: "a" }, offer], []]) {
      await panel.post({ type: "status", status: { ...unchosen, offers } });
      assert.equal(await panel.page.locator(".offer").count(), Math.max(offers.length, 1));
      assert.equal(await panel.page.locator(".way:focus").textContent(), "Try demo mode");
    }
    await panel.page.keyboard.press("Enter");
    assert.deepEqual((await panel.sent()).at(-1), { type: "try-demo" });
  });

  it("uses no color of VS Code that the tested themes do not know", () => {
    assert.deepEqual(unknownColors([...panel.files.values()].map(({ body }) => String(body))), []);
  });
});
