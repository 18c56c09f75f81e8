import { modelError } from "../../src/model/modelFailure.ts";
import type { PanelStatus, PanelVoice } from "../../src/protocol/messages.ts";
import type { EditBlock } from "../../src/turns/editBlock.ts";
import type { TurnEvent, TurnEventBody } from "../../src/turns/turnEvent.ts";
import { PNG_DOT } from "../fakes/images.ts";
import { TurnScript } from "../fakes/turns/turnScript.ts";
import { fullTurn } from "./fullTurn.ts";
import { readyStatus } from "./panelPage.ts";
import type { TestedPanel } from "./withPanel.ts";

/** A chat that answers. */
export const busy: PanelStatus = { ...readyStatus, busy: true };
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

/** A turn that asks an agent, and ends with a plan. */
function planWithAgent(): readonly TurnEvent[] {
  const within = { turnId: "outer", callId: "run" };
  const start = { type: "turn-start", editFile: null, activeFile: null } as const;
  const agent = { ...start, role: "agent", text: null, model: "demo" } as const;
  const user = { ...start, role: "user", parentTurnId: null, model: null } as const;
  const call = (callId: string, name: string, input: Record<string, unknown>) =>
    ({ type: "tool-call", callId, name, argsText: JSON.stringify(input), input }) as const;
  const result = { type: "tool-result", status: "success", error: null, durationMs: 9 } as const;
  const items = [
    { text: "Look at the cart", status: "done" as const },
    { text: "Write the plan", status: "in_progress" as const },
  ];
  const bodies: readonly (readonly [turnId: string, body: TurnEventBody])[] = [
    ["asked", { ...user, text: "Plan it" }],
    ["outer", { ...agent, parentTurnId: "asked", mode: "plan" }],
    ["outer", { type: "step-start", step: 0 }],
    ["outer", { type: "todos", items }],
    ["outer", call("run", "run_agent", { agent: "reviewer", task: "Look at the cart" })],
    ["outer", { type: "tool-start", callId: "run" }],
    ["task", { ...user, text: "Look at the cart", within }],
    ["inner", { ...agent, parentTurnId: "task", within }],
    ["inner", { type: "step-start", step: 0 }],
    ["inner", call("read", "read_file", { file_path: "cart.ts" })],
    ["inner", { ...result, callId: "read", output: "cart" }],
    ["inner", { type: "text-delta", text: "It is fine." }],
    ["inner", { type: "turn-end", reason: "done", error: null }],
    ["outer", { ...result, callId: "run", output: "It is fine." }],
    ["outer", { type: "step-start", step: 1 }],
    ["outer", { type: "text-delta", text: "# Plan" }],
    ["outer", { type: "turn-end", reason: "done", error: null }],
  ];
  return bodies.map(([turnId, body], at) => ({
    seq: at + 1,
    turnId,
    at: 1_700_000_000_000,
    ...body,
  }));
}

/** Another maker's agent that made a link, and then wanted to write outside. */
function confinedAgent(): TurnScript {
  const agent = "Gemini CLI";
  const unproposed = ["/home/me/shop/latest", "/home/me/shop/assets/logo.png"];
  const lost = { agent, files: 0, repository: true, unproposed };
  const detail = "Error: EACCES: permission denied, open '/home/me/.cache/pip/http'";
  const failed = { kind: "agent", retryable: true, agent, problem: "confined", detail } as const;
  return new TurnScript()
    .ask("Link the latest release")
    .text("I link it.")
    .add({ type: "notice", level: "warning", code: "agent-changes-lost", ...lost })
    .add({ type: "turn-end", reason: "error", error: { code: "agent-failed", ...failed } });
}

const ARGUMENTS: Readonly<Record<string, object>> = {
  run_command: { command: "npm test unit" },
  git_commit: { message: "Tidy up" },
  create_file: { file_path: ".env" },
  ask_user: { question: "Which of `a` and **b**?" },
};

function asks(name: string, more: object): TurnScript {
  const input = ARGUMENTS[name];
  const call = { callId: "c", name, argsText: JSON.stringify(input), input };
  const script = new TurnScript().ask("Do it").add({ type: "tool-call-start", callId: "c", name });
  script.add({ type: "tool-call", ...call }, { type: "tool-start", callId: "c" });
  const request = {
    type: "approval-request",
    callId: "c",
    tool: name,
    effect: "execute",
    summary: name === "create_file" ? "Create .env" : `Run ${name}`,
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

/** Every state of the panel, to be drawn one after the other into the same page. */
export function panelStates(
  panel: Pick<TestedPanel, "page" | "post" | "snapshot" | "events" | "sent">,
): Readonly<Record<string, () => Promise<unknown>>> {
  async function unfoldAll(): Promise<void> {
    await panel.page.evaluate(
      "for (const each of document.querySelectorAll('details')) each.open = true",
    );
    await panel.page.evaluate("window.drawn()");
  }

  return {
    "the empty chat": () => panel.snapshot([], readyStatus),
    "a model that reasons": () => panel.snapshot([], { ...readyStatus, effort: "default" }),
    "the empty chat without a model": async () => {
      const found = { source: "local", from: "Ollama" } as const;
      const offers = [
        { ...found, model: "qwen3:8b", label: "qwen3:8b" },
        { ...found, model: "gemma3:4b", label: "gemma3:4b" },
      ];
      await panel.snapshot([], { ...readyStatus, chosen: false, demo: true, offers });
    },
    "the empty chat where nothing was found": () =>
      panel.snapshot([], { ...readyStatus, chosen: false, demo: true, offers: [] }),
    "beside other chats": () => {
      const chats = [
        { chatId: "chat-2", title: "Build the discount feature for the cart", state: "waiting" },
        { chatId: "chat-3", title: "Fix the tests", state: "done" },
        { chatId: "chat-4", title: "Explain the checkout", state: "running" },
      ] as const;
      return panel.snapshot(new TurnScript().ask("Hi").text("Yes").end().events, {
        ...readyStatus,
        chats: [...chats],
      });
    },
    "what became of each change": () => panel.snapshot(decided().events),
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
      };
      const pending = [
        { ...file, path: "src/shapes.ts", conflicts: 1, streaming: false },
        { ...file, path: "src/b.ts", conflicts: 0, streaming: false },
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
      await panel.page.locator("[role=option]:visible").first().waitFor();
    },
    "a list of commands": async () => {
      const box = panel.page.getByLabel("Message to Graft");
      await box.fill("");
      await box.pressSequentially("/");
      const asked = (await panel.sent()).findLast((message) => message.type === "suggest");
      const items = [
        ["/fix", "Fix the problems of the file"],
        ["/explain", "Explain the file or the selection"],
      ].map(([label = "", detail = ""]) => ({ label, detail, ref: null, insert: `${label} ` }));
      await panel.post({ type: "suggestions", id: asked?.id ?? 0, items, complete: true });
      await panel.page.locator("[role=option]:visible").first().waitFor();
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
    "what of another maker's agent is not proposed, and why it failed": () =>
      panel.snapshot(confinedAgent().events, readyStatus),
    "a plan, to-dos, and an agent that a call started": async () => {
      await panel.snapshot(planWithAgent(), {
        ...readyStatus,
        agents: [{ id: ".github/agents/reviewer.md", name: "reviewer" }],
      });
      await unfoldAll();
      await panel.page.locator(".todos summary").click();
      await panel.page.getByText("Read cart.ts").waitFor();
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
}

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

/** A change of each kind, with what became of it. */
function decided(): TurnScript {
  const script = new TurnScript().ask("Remove the coupons").text("Done:\n\n");
  const place = { textStart: 7, textEnd: 7, addedLines: 2, removedLines: 1 };
  script.edit({ ...place, blockId: "edit", path: "src/money.ts", status: "applied" });
  script.edit({ ...place, blockId: "kept", path: "src/total.ts", status: "applied" });
  script.edit({ ...place, blockId: "new", path: "src/sum.ts", op: "complete", status: "applied" });
  const whole = { ...place, addedLines: 0, removedLines: 30, callId: "d" };
  script.call("d", "delete_file", { file_path: "src/coupon.ts" }, "Proposed", 3);
  script.edit({ ...whole, blockId: "del", path: "src/coupon.ts", op: "delete", status: "applied" });
  script.call("m", "rename_file", { from: "src/a.ts", to: "src/b.ts" }, "Proposed", 3);
  script.edit({
    ...{ ...whole, callId: "m", removedLines: 0 },
    ...{ blockId: "move", path: "src/a.ts", op: "rename", target: "src/b.ts", status: "rejected" },
  });
  script.call("c", "run_command", { command: "npm run format" }, "", 900);
  for (const [index, status] of (["applied", "rejected"] as const).entries())
    script.edit({ ...place, callId: "c", blockId: `c${index}`, path: `src/f${index}.ts`, status });
  script.edit({
    ...{ ...place, blockId: "refused", path: "src/cart.ts", target: "ast-path:Cart-total" },
    status: "refused",
    reason: {
      code: "unresolved-path",
      error: {
        code: "not-found",
        path: "Cart-total",
        candidates: [{ path: "Cart-sum", kind: "method", startLine: 3, endLine: 6 }],
      },
    },
  });
  script.end();
  const restored = ["src/money.ts", "src/sum.ts", "src/coupon.ts", "src/f0.ts"];
  return script.add({
    type: "files-restored",
    request: "Remove the coupons",
    files: restored.map((path) => ({ path, deleted: path === "src/sum.ts" })),
  });
}
