import assert from "node:assert/strict";
import fs from "node:fs";
import { TurnScript } from "../fakes/turns/turnScript.ts";
import { shownThemes } from "./themes.ts";
import { withPanel } from "./withPanel.ts";

const math = "The area is $\\pi r^2$, and\n\n$$\n\\int_0^1 \\frac{x^2}{\\sqrt{1-x}}\\,dx\n$$\n\n";
const flow =
  "```mermaid\nflowchart LR\n  A[Start here] -->|yes| B(Read file)\n  B --> C{Is it new?}\n  subgraph Loop\n    C --> D[(Store)]\n  end\n```\n\n";
const fold =
  "<details>\n<summary>More <b>about</b> it</summary>\n\nHidden **words**, $e=mc^2$.\n\n```ts\nconst a = 1;\n```\n\n</details>\n\nAfter the fold.\n";
const diagrams: Readonly<Record<string, string>> = {
  sequence:
    "sequenceDiagram\n  Alice->>Bob: Hello\n  Note over Bob: thinks\n  loop often\n    Bob-->>Alice: Hi\n  end",
  class: "classDiagram\n  Shape <|-- Circle\n  class Shape { +area() number }",
  state: "stateDiagram-v2\n  [*] --> Open\n  Open --> Closed: close\n  Closed --> [*]",
  er: "erDiagram\n  USER ||--o{ ORDER : places",
  gantt:
    "gantt\n  title Plan\n  dateFormat YYYY-MM-DD\n  section A\n  One :a, 2024-01-01, 3d\n  Two :after a, 2d",
  pie: 'pie title Parts\n  "A" : 3\n  "B" : 5',
  mindmap: "mindmap\n  root((Graft))\n    Edits\n    Chats",
  git: "gitGraph\n  commit\n  branch b\n  commit\n  checkout main\n  merge b",
  timeline: "timeline\n  2024 : one\n  2025 : two",
  "asks for elk": "---\nconfig:\n  layout: elk\n---\nflowchart TD\n  A --> B",
};
/** What must not be drawn, or not more than drawn. */
const bombs: Readonly<Record<string, string>> = {
  "too many edges": `flowchart LR\n${Array.from({ length: 900 }, (_, at) => `  a${at} --> b${(at * 7) % 900}`).join("\n")}`,
  "too long": `flowchart LR\n  A[${"word ".repeat(6_000)}]`,
  "no diagram": "flowchart LR\n  A --",
};

describe("What answers draw", () => {
  const panel = withPanel();
  const answer = (text: string) => new TurnScript().ask("Show me").text(text).end().events;

  it("is loaded only when an answer has some, once its block is closed", async () => {
    const scripts = panel.page.locator("script[src]");
    await panel.snapshot(answer("Costs $5 or $6."));
    assert.equal(await scripts.count(), 1);
    const script = new TurnScript().ask("Show me").text(`Words ${math.slice(0, 12)}`);
    await panel.snapshot(script.events);
    const open = flow.indexOf("subgraph");
    script.text(`\n\n${flow.slice(0, open)}`);
    await panel.snapshot(script.events);
    assert.equal(await scripts.count(), 1, "nothing is drawn while it streams");
    script.text(flow.slice(open));
    await panel.snapshot(script.end().events);
    await panel.page.locator(".diagram img").waitFor();
  });

  it("has its source one click away", async () => {
    await panel.snapshot(answer(math + flow));
    const formula = panel.page.locator(".math.display.drawn");
    await formula.locator(".katex").waitFor();
    await formula.press("Enter");
    assert.match((await panel.page.locator(".math.display").textContent()) ?? "", /^\$\$\n\\int/);
    await panel.page.locator(".math.display").click();
    await formula.locator(".katex").waitFor();
    const image = panel.page.locator(".diagram img");
    await image.waitFor();
    const width = await panel.page.evaluate(
      "document.querySelector('.diagram img').decode().then(() => document.querySelector('.diagram img').naturalWidth)",
    );
    assert.ok(Number(width) > 100, `${width} px wide`);
    await panel.page.getByRole("button", { name: "Show source" }).click();
    assert.ok(await panel.page.getByText("flowchart LR").isVisible());
    assert.ok(!(await image.isVisible()));
    await panel.page.getByRole("button", { name: "Show diagram" }).click();
    assert.ok(await image.isVisible());
  });

  it("has details that fold, also while they stream", async () => {
    const script = new TurnScript().ask("Show me").text(`Before\n\n${fold}`, 5).end();
    await panel.snapshot(script.events.slice(0, 2));
    for (const event of script.events.slice(2)) await panel.events([event]);
    const title = panel.page.locator("summary", { hasText: "More about it" });
    const answered = panel.page.locator(".turn-agent");
    assert.ok(!(await answered.getByText("Hidden words").isVisible()));
    assert.ok(await answered.getByText("After the fold.").isVisible());
    await title.click();
    await panel.page.locator(".fold .math.drawn").waitFor();
    assert.ok(await panel.page.locator(".fold .code-block").isVisible());
    assert.equal(await panel.page.locator(".markdown > .fold").count(), 1);
  });

  it("draws every common kind of diagram without a request and without breaking the policy", async () => {
    const blocks = Object.values(diagrams).map((source) => `\`\`\`mermaid\n${source}\n\`\`\`\n\n`);
    await panel.snapshot(answer(blocks.join("")));
    await panel.page
      .locator(".diagram img")
      .nth(blocks.length - 1)
      .waitFor();
    assert.equal(await panel.page.locator(".diagram-fault:not([hidden])").count(), 0);
    const broken = await panel.page.evaluate(
      "Promise.all([...document.querySelectorAll('.diagram img')].map((each) => each.decode().then(() => null, String)))",
    );
    assert.deepEqual(
      broken,
      Object.keys(diagrams).map(() => null),
    );
    assert.equal(await panel.page.locator("iframe").count(), 0, "the frame ends with its work");
  });

  it("shows the source, with the reason, of a diagram that is too large or none", async () => {
    const blocks = Object.values(bombs).map((source) => `\`\`\`mermaid\n${source}\n\`\`\`\n\n`);
    await panel.snapshot(answer(blocks.join("")));
    const faults = panel.page.locator(".diagram-fault:not([hidden])");
    await faults.nth(blocks.length - 1).waitFor();
    assert.equal(await panel.page.locator(".diagram").count(), 0);
    assert.ok(await panel.page.locator(".code-block pre").first().isVisible());
  });

  // It waits for the whole half minute that a diagram gets.
  const whereLong = process.env.GRAFT_LONG ? it : () => undefined;
  whereLong(
    "gives up on an endless diagram, answers keys meanwhile, and draws the next one",
    async () => {
      // Stands in for a fault in the library: any diagram with this word never ends.
      await panel.page.route("**/diagram.js", async (route) => {
        const body = String(panel.files.get("diagram.js")?.body);
        await route.fulfill({
          contentType: "text/javascript",
          body: body.replace(
            "(graftPort,graftNonce)=>{",
            "(graftPort,graftNonce)=>{graftPort.addEventListener('message',({data})=>{while(data.source.includes('endless'));});",
          ),
        });
      });
      await panel.snapshot(answer(`\`\`\`mermaid\nflowchart LR\n  endless\n\`\`\`\n\n${flow}`));
      await panel.page.locator("iframe").waitFor({ state: "attached" });
      // A panel that the diagram held would do nothing in the half minute that it gets.
      const done = await panel.page.evaluate(`(async () => {
      let done = 0;
      for (; document.querySelector(".diagram-fault:not([hidden])") === null; done++)
        await new Promise((next) => setTimeout(next, 20));
      return done;
    })()`);
      assert.ok(Number(done) > 100, `the panel did only ${done} things meanwhile`);
      assert.ok(await panel.page.getByText("endless").isVisible());
      await panel.page.locator(".diagram img").waitFor();
      await panel.page.unroute("**/diagram.js");
    },
  );

  it("hears nothing from the frame but its answer", async () => {
    await panel.page.evaluate(`(() => {
      const frame = document.createElement("iframe");
      frame.setAttribute("sandbox", "allow-scripts");
      frame.srcdoc = '<script nonce="ui-test-nonce">parent.postMessage({ type: "focus-composer" }, "*"); parent.postMessage("sent", "*")<' + "/script>";
      window.heard = new Promise((done) => addEventListener("message", ({ data }) => data === "sent" && done()));
      document.activeElement?.blur();
      document.body.append(frame);
    })()`);
    await panel.page.evaluate("window.heard");
    await panel.page.evaluate("window.drawn()");
    assert.equal(await panel.page.evaluate("document.activeElement.tagName"), "BODY");
  });

  it("keeps a hostile formula inside its own text, without links or styles of its choice", async () => {
    const hostile = [
      "$\\href{javascript:window.hit=1}{x}$",
      "$\\htmlStyle{position:fixed}{x}$",
      "$\\includegraphics{http://evil.test/p.png}$",
      "$\\kern-900em x$",
      "$\\smash{\\raisebox{12em}{\\rule{20em}{20em}}}$",
      "$\\rule{9999em}{9999em}$",
      `$${"\\def\\a{\\a\\a}\\a"}$`,
      `$${"{".repeat(1_900)}x${"}".repeat(1_900)}$`,
      "$\\frac$",
    ];
    await panel.snapshot(answer(hostile.join("\n\n")));
    await panel.page.locator(".math.drawn").first().waitFor();
    assert.equal(await panel.page.evaluate("window.hit"), undefined);
    assert.equal(await panel.page.locator(".math a, .math img").count(), 0);
    assert.ok(await panel.page.getByText("\\frac", { exact: false }).first().isVisible());
    await panel.page.locator(".user-words").scrollIntoViewIfNeeded();
    const over = await panel.page.evaluate(`(() => {
      const { left, top, width, height } = document.querySelector(".user-words").getBoundingClientRect();
      const places = [0.1, 0.3, 0.5, 0.7, 0.9].map((part) => document.elementFromPoint(left + width * part, top + height / 2));
      return places.filter((element) => element === null || element.closest(".markdown") !== null).length;
    })()`);
    assert.equal(over, 0, "a formula covers the request");
  });

  const brief = ["Dark Modern", "High Contrast Light"];
  const themes = shownThemes.filter(({ name }) => process.env.GRAFT_LONG || brief.includes(name));
  for (const { name, bodyClass, style } of themes)
    it(`is readable in ${name}`, async () => {
      await panel.reopen({ themeStyle: style, bodyClass, width: 480, height: 1_000 });
      await panel.snapshot(answer(math + flow + fold));
      await panel.page.locator(".diagram img").waitFor();
      await panel.page.locator(".math.drawn").nth(1).waitFor();
      await panel.page.locator("summary", { hasText: "More about it" }).click();
      const { GRAFT_SCREENSHOTS: screenshots } = process.env;
      if (screenshots) {
        fs.mkdirSync("out/screenshots", { recursive: true });
        await panel.page.screenshot({ path: `out/screenshots/drawn ${name}.png` });
      }
      const clear = await panel.page.evaluate(`(async () => {
        const image = document.querySelector(".diagram img");
        const canvas = document.createElement("canvas");
        [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
        const context = canvas.getContext("2d");
        context.drawImage(image, 0, 0);
        const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
        const levels = new Set();
        for (let at = 0; at < data.length; at += 4) if (data[at + 3] > 200) levels.add(data[at + 1] >> 5);
        return levels.size;
      })()`);
      assert.ok(Number(clear) >= 3, `${clear} levels of brightness`);
    });

  it("is drawn anew when the theme changes", async () => {
    await panel.snapshot(answer(flow));
    const image = panel.page.locator(".diagram img");
    await image.waitFor();
    await panel.page.evaluate(
      "document.documentElement.style.setProperty('--vscode-foreground', 'rgb(1, 200, 3)'); document.body.className = 'vscode-light'",
    );
    await panel.page.locator('.diagram img[src*="01c803"]').waitFor();
  });
});
