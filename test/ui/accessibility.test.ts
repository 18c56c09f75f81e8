import assert from "node:assert/strict";
import fs from "node:fs";
import { createRequire } from "node:module";
import * as z from "zod/mini";
import { modelError } from "../../src/model/modelFailure.ts";
import type { PanelStatus, PanelVoice } from "../../src/protocol/messages.ts";
import type { EditBlock } from "../../src/turns/turnEvent.ts";
import { PNG_DOT } from "../fakes/images.ts";
import { TurnScript } from "../fakes/turns/turnScript.ts";
import { fullTurn } from "./fullTurn.ts";
import { readyStatus } from "./panelPage.ts";
import { themes, unknownColors } from "./themes.ts";
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
/** What shows two colors of a theme that have too little contrast together. */
const OWN_PAIRS: Readonly<Record<string, readonly string[]>> = {
  "Solarized Light": [
    ".offer",
    "vscode-button[appearance=primary]",
    ".code-block pre",
    ".suggestion",
  ],
  Monokai: ["vscode-button[appearance=primary]"],
  "Quiet Light": [".suggestion[aria-selected=true]"],
};
const busy: PanelStatus = { ...readyStatus, busy: true };
const voice: PanelVoice = {
  state: "off",
  handsFree: false,
  words: "",
  muted: false,
  demo: false,
  problem: null,
  unavailable: null,
};
const image = {
  id: `${"0".repeat(64)}.png`,
  width: 8,
  height: 8,
  preview: `data:image/png;base64,${Buffer.from(PNG_DOT).toString("base64")}`,
};
const cart = { kind: "file", path: "src/cart.ts", lines: null, name: "", text: null } as const;

describe("The panel for everybody", () => {
  const panel = withPanel();

  function asks(name: string, more: object): TurnScript {
    const script = new TurnScript()
      .ask("Do it")
      .add({ type: "tool-call-start", callId: "c", name });
    script.add(
      { type: "tool-call", callId: "c", name, argsText: "{}", input: {} },
      { type: "tool-start", callId: "c" },
    );
    const request = {
      type: "approval-request",
      callId: "c",
      tool: name,
      effect: "execute",
      summary: `Run ${name}`,
      ...more,
    } as const;
    return name === "ask_user" ? script : script.add(request);
  }

  const question = (kind: "choice" | "multi-choice" | "text" | "confirm") =>
    asks("ask_user", {}).add({
      type: "question",
      callId: "c",
      kind,
      question: "Which of `a` and **b**?",
      options: ["a", "b"],
    });

  /** Every state of the panel, drawn one after the other into the same page. */
  const states: Readonly<Record<string, () => Promise<unknown>>> = {
    "the empty chat": () => panel.snapshot([], readyStatus),
    "the empty chat without a model": async () => {
      const offers = [
        { source: "local", from: "Ollama", model: "qwen3:8b", label: "qwen3:8b" } as const,
      ];
      await panel.snapshot([], { ...readyStatus, chosen: false, demo: true, offers });
    },
    "the demonstration, with all banners": () =>
      panel.snapshot([], { ...readyStatus, demo: true, trusted: false, keyMissing: true }),
    "an answer that streams": () => panel.snapshot(fullTurn().events, busy),
    "folded tool rows": () => panel.snapshot(toolRows().events, busy),
    "unfolded tool rows": async () => {
      await panel.snapshot(toolRows().events, busy);
      await unfoldAll();
    },
    "cards in every state": async () => {
      const file = {
        operation: undefined,
        added: 3,
        removed: 1,
        hunks: 2,
        warnings: 1,
        blocks: 2,
        accepted: 1,
        several: [],
      };
      const pending = [
        { ...file, path: "src/shapes.ts", conflicts: 1, streaming: false, applied: false },
        { ...file, path: "src/b.ts", conflicts: 0, streaming: false, applied: true },
      ];
      await panel.snapshot(cards().end().events, {
        ...readyStatus,
        pending,
        behind: ["src/pending.ts"],
      });
      await panel.page.locator(".review-toggle").click();
      await unfoldAll();
    },
    "a permission for a command, with its menu open": async () => {
      await panel.snapshot(
        asks("run_command", {
          command: { text: "npm test unit", folder: "web", prefix: "npm test" },
        }).events,
        busy,
      );
      await panel.page.getByRole("button", { name: "Allow for longer" }).click();
    },
    "a permission that names files": () =>
      panel.snapshot(
        asks("run_command", { command: { text: "npm test", folder: "." }, pendingFiles: ["a.ts"] })
          .events,
        busy,
      ),
    "a permission for a commit": () =>
      panel.snapshot(
        asks("git_commit", {
          commit: { message: "Tidy up\n\nAll of it.", paths: ["a.ts", "b.ts"] },
        }).events,
        busy,
      ),
    "a permission that is always asked": () =>
      panel.snapshot(asks("create_file", { eachTime: true }).events, busy),
    "a question with options": async () => {
      await panel.snapshot(question("choice").events, busy);
      await panel.page.getByRole("button", { name: /^Answer/ }).click();
    },
    "a question with several options": () => panel.snapshot(question("multi-choice").events, busy),
    "a question for a text": () => panel.snapshot(question("text").events, busy),
    "a question for a yes": () => panel.snapshot(question("confirm").events, busy),
    "MCP servers that would start": () => {
      const server = {
        path: ".vscode/mcp.json",
        definition: JSON.stringify({ command: "npx", args: ["-y", "a-server"] }, null, 2),
      };
      const agreements = [
        { ...server, key: "a", name: "files", remote: false },
        { ...server, key: "b", name: "docs", remote: true },
      ];
      return panel.snapshot(new TurnScript().ask("Hi").events, { ...busy, agreements });
    },
    "a conversation by voice, and its failure": async () => {
      const voice = {
        state: "recognizing",
        handsFree: true,
        words: "Rename the",
        muted: true,
        demo: true,
        unavailable: null,
      } as const;
      await panel.snapshot(new TurnScript().ask("Hi").events, busy);
      await panel.post({
        type: "voice",
        voice: { ...voice, problem: { text: "No speech was recognized.", retry: true, key: true } },
      });
    },
    "an error with its buttons": () => {
      const error = modelError(
        { code: "key-rejected" },
        { baseUrl: "api.example.com", model: "m" },
      );
      return panel.snapshot(
        new TurnScript().ask("Hi").add({ type: "turn-end", reason: "error", error }).events,
      );
    },
    "a stopped answer": () =>
      panel.snapshot(new TurnScript().ask("Hi").text("So far").end("cancelled").events),
    "a retry": async () => {
      const error = modelError(
        { code: "rate-limited" },
        { baseUrl: "api.example.com", model: "m" },
      );
      const retry = { type: "retry", attempt: 1, maxAttempts: 3, waitMs: 60_000, error } as const;
      await panel.snapshot(new TurnScript().ask("Hi").add(retry).events, busy);
      await unfoldAll();
    },
    "the context meter, with its details": async () => {
      const use = {
        window: 128_000,
        reserve: 16_000,
        system: 900,
        tools: 6_200,
        attachments: 2_100,
        history: 90_000,
      };
      await panel.snapshot(
        new TurnScript().ask("Hi").add({ type: "context-use", use }).text("Yes").end().events,
      );
      await panel.page.getByRole("button", { name: /of the context window used/ }).focus();
    },
    "queued messages": () => {
      const messages = [
        { id: "q", text: "And then this" },
        { id: "r", text: "and that", attached: [cart] },
      ];
      return panel.snapshot(new TurnScript().ask("Hi").text("Yes").queue(messages).events, busy);
    },
    "the queue after a stopped answer": () =>
      panel.snapshot(
        new TurnScript()
          .ask("Hi")
          .text("Yes")
          .end("cancelled")
          .queue([{ id: "q", text: "And then this" }]).events,
      ),
    "the search": async () => {
      await panel.snapshot(markdown().events);
      await panel.page.keyboard.press("Control+f");
      await panel.page.keyboard.type("shape");
    },
    "a list of suggestions and attachments": async () => {
      await panel.page.keyboard.press("Escape");
      await panel.snapshot([], readyStatus);
      const items = [
        { ref: cart, tokens: 1_200, clipped: false },
        { ref: { ...cart, path: "src/gone.ts" }, tokens: null, clipped: false },
        {
          ref: { ...cart, kind: "image" as const, path: "shot.png", name: "shot.png", image },
          tokens: 765,
          clipped: false,
        },
      ];
      await panel.post(
        { type: "attach", items, refused: [] },
        { type: "active-file", ref: { ...cart, path: "src/open.ts" } },
      );
      const box = panel.page.getByLabel("Message to Graft");
      await box.fill("");
      await box.pressSequentially("Fix @c");
      const asked = (await panel.sent()).findLast((message) => message.type === "suggest");
      const options = ["cart.ts", "cartView.ts"].map((label) => ({
        label,
        detail: "src",
        ref: cart,
        insert: `@${label} `,
      }));
      await panel.post({ type: "suggestions", id: asked?.id ?? 0, items: options, complete: true });
      await panel.page.getByRole("option").first().waitFor();
    },
    "a compacted chat, with rules and an undo": async () => {
      await panel.page.getByLabel("Message to Graft").fill("");
      const script = new TurnScript().ask("Go").text("Yes.").end().ask("And on");
      script.add(
        { type: "compaction", summary: "The user wants tests." },
        { type: "rules", path: "AGENTS.md", text: "Use tabs." },
      );
      script.add(
        { type: "edit-report", text: "1 edit: done" },
        { type: "decisions", text: "Accepted", told: [] },
      );
      script.add({
        type: "files-restored",
        request: "Go",
        files: [{ path: "a.ts", deleted: false }],
      });
      await panel.snapshot(script.end().events);
      await unfoldAll();
    },
    "Markdown with long code and wide tables": async () => {
      await panel.snapshot(markdown().events);
      await panel.page.locator(".hljs-title").first().waitFor();
    },
    "a request that is edited, in two versions": async () => {
      await panel.snapshot(
        new TurnScript().ask("Hi").text("Yes").end().answer().text("No").end().events,
      );
      await panel.page.locator(".user-text").first().hover();
      await panel.page.getByRole("button", { name: "Edit and resend" }).click();
    },
    "an earlier part of the chat": async () => {
      await panel.snapshot(new TurnScript().ask("Hi").text("line\n\n".repeat(400)).events, busy);
      await panel.page.locator(".scroller").hover();
      await panel.page.mouse.wheel(0, -2_000);
      await panel.page.getByText("Jump to latest").waitFor();
    },
    "voice that hears the user": async () => {
      await panel.snapshot(new TurnScript().ask("Hi").text("Yes").end().events);
      await panel.post({
        type: "voice",
        voice: { ...voice, state: "hearing", words: "Rename that function to" },
      });
      await panel.post({ type: "voice-level", level: 0.1 });
    },
    "voice that speaks": () =>
      panel.post({
        type: "voice",
        voice: { ...voice, state: "speaking", muted: true, demo: true },
      }),
    "voice with a problem": async () => {
      const problem = {
        text: "Your words could not be recognized. api.example.com returned a server error (503).",
        retry: true,
        key: true,
      };
      await panel.post({ type: "voice", voice: { ...voice, state: "ready", problem } });
    },
    "no voice": () =>
      panel.post({ type: "voice", voice: { ...voice, unavailable: "Voice does not work here." } }),
  };

  async function unfoldAll(): Promise<void> {
    await panel.page.evaluate(
      "for (const each of document.querySelectorAll('details')) each.open = true",
    );
    await panel.page.evaluate("window.drawn()");
  }

  // 180 px are 360 px at a zoom of 200%.
  const widths = [360, 800, 240, 180];
  for (const [index, { name, style, bodyClass }] of themes.entries()) {
    const width = widths[index % widths.length] ?? 0;
    it(`shows every state without an axe violation in ${name}, and fits into ${width} px`, async () => {
      const { GRAFT_SCREENSHOTS: screenshots } = process.env;
      await panel.reopen({
        themeStyle: style,
        bodyClass,
        width: screenshots ? 360 : width,
        height: screenshots ? 760 : 1_600,
      });
      await panel.page.evaluate(axe);
      // Themes differ only in their colors.
      const options = {
        resultTypes: ["violations"],
        ...(index > 0 && { runOnly: ["color-contrast", "link-in-text-block"] }),
      };
      const places = new Map<string, Set<string>>();
      const add = (problem: string, state: string) =>
        places.set(problem, (places.get(problem) ?? new Set()).add(state));
      for (const [state, draw] of Object.entries(states)) {
        await draw();
        if (screenshots)
          await panel.page.screenshot({ path: `out/screenshots/${state} ${name}.png` });
        const run = `axe.run(${JSON.stringify({ exclude: OWN_PAIRS[name] ?? [] })}, ${JSON.stringify(options)})`;
        const { violations } = resultSchema.parse(await panel.page.evaluate(run));
        for (const { id, nodes } of violations)
          for (const { html, any } of nodes)
            add(`${id}: ${any[0]?.message ?? ""}\n  ${html.slice(0, 160)}`, state);
        for (const wide of z.array(z.string()).parse(await panel.page.evaluate(OVERFLOWING)))
          add(`too wide: ${wide}`, state);
      }
      assert.equal(
        [...places]
          .map(([problem, shown]) => `${problem}\n  in ${[...shown].join("; ")}`)
          .join("\n"),
        "",
        name,
      );
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

  it("uses no color of VS Code that the tested themes do not know", () => {
    assert.deepEqual(unknownColors([...panel.files.values()].map(({ body }) => body)), []);
  });
});

function toolRows(): TurnScript {
  const script = new TurnScript().ask("Look");
  script.add({ type: "reasoning-delta", text: "First read the file. ".repeat(80) });
  script.call("a", "read_file", { file_path: "src/shapes.ts" }, "1\tline\n".repeat(60), 1_200);
  script
    .call("b", "search_in_files", { pattern: "toDotPath" }, "src/a.ts:3: toDotPath()", 12, {
      shown: 1,
      more: false,
    })
    .text("Then:");
  const fails = (callId: string, name: string, input: unknown) =>
    script.add(
      { type: "tool-call-start", callId, name },
      { type: "tool-call", callId, name, argsText: JSON.stringify(input), input },
    );
  fails("c", "run_command", { command: "npm test" }).add({ type: "tool-start", callId: "c" });
  const error = { category: "execution", message: "The command failed." };
  const result = { type: "tool-result", status: "error", error, durationMs: 5_000 } as const;
  script.add({
    ...result,
    callId: "c",
    output: `Exited with 1\n${"not ok\n".repeat(30)}`,
    command: { code: "exited", exitCode: 1, tail: "not ok\n".repeat(10) },
  });
  fails("d", "delete_file", { path: "a.ts" }).add({
    type: "approval-decision",
    callId: "d",
    allowed: false,
    by: "user",
  });
  script.add({
    ...result,
    callId: "d",
    output: "Denied",
    error: { category: "permission", message: "Denied" },
  });
  fails("e", "run_command", { command: "npm run watch" }).add({ type: "tool-start", callId: "e" });
  return script.add({ type: "tool-progress", callId: "e", text: "watching\n".repeat(30) });
}

function cards(): TurnScript {
  const script = new TurnScript().ask("Change them").text("Done:\n\n");
  const statuses: readonly EditBlock["status"][] = [
    "streaming",
    "captured",
    "pending",
    "applied",
    "partly-applied",
    "rejected",
    "ignored",
    "refused",
    "held",
    "incomplete",
    "stopped",
    "conflict",
  ];
  for (const [index, status] of statuses.entries()) {
    const place = {
      blockId: status,
      path: `src/${status}.ts`,
      index,
      status,
      addedLines: 2,
      removedLines: 1,
      textStart: 7,
      textEnd: 7,
    };
    script.edit({
      ...place,
      ...(status === "conflict" && { undecided: true }),
      ...(status === "rejected" && { rejection: "Too long" }),
    });
    script.edit({
      ...place,
      blockId: `${status}-2`,
      target: "ast-path:Shape-area",
      warnings: [{ code: "elision", line: "// ..." }],
    });
  }
  return script;
}

function markdown(): TurnScript {
  const code = [
    "/** Sums up a shape. */",
    "export class Shape extends Base {",
    "  area = 'x'; // never",
    "  size(): number { return this.area.length + 12; }",
    "}\n",
  ].join("\n");
  const table = `| ${"Name | ".repeat(12)}\n| ${"--- | ".repeat(12)}\n| ${"a long cell | ".repeat(12)}\n`;
  const diff =
    "```diff\n-removed\n+added\n```\n\n```html\n<a href='x'>y</a>\n```\n\n```css\n.a:hover { color: red }\n```\n\n```json\n{\"a\": [1, true, null]}\n```\n";
  return new TurnScript()
    .ask(`Explain ${"averyverylongword".repeat(20)}`)
    .text(
      `# One\n\n## Two\n\n### Three\n\nA [link](https://example.com), [\`code\`](https://example.com), \`src/a.ts\`, \`symbol()\`, *a*, **b**.\n\n> quote\n\n- [x] done\n- one\n\n1. two\n\n---\n\n`,
    )
    .text(
      `\`\`\`ts\n${code}const long = "${"x".repeat(400)}";\n${"// more\n".repeat(60)}\`\`\`\n\n${diff}\n${table}\n<kbd>Ctrl</kbd>`,
    )
    .end();
}
