import assert from "node:assert/strict";
import type { PendingFile } from "../../../src/protocol/messages.ts";
import type { EditBlock, EditStatus } from "../../../src/turns/editBlock.ts";
import { turnOutcome } from "../../../webview/answer/turnOutcome.ts";
import { fileAnnouncement } from "../../../webview/cards/fileAnnouncement.ts";
import { fileState, totalsOf } from "../../../webview/cards/fileTotals.ts";
import * as cards from "../../../webview/cards/messages.ts";
import { t } from "../../../webview/l10n.ts";
import * as messages from "../../../webview/messages.ts";
import { voiceButtonLabel, voiceStateMessage } from "../../../webview/voice/messages.ts";
import { pageStateMessage } from "../../../webview/voicePage/messages.ts";
import { assertDistinct, assertSentence, assertText } from "../../fakes/assertMessages.ts";

const edit: EditBlock = {
  ...{
    blockId: "one",
    callId: "c",
    path: "src/shapes.ts",
    index: 1,
    target: "ast-path:Shape-area",
  },
  ...{ op: "replace", status: "pending", reason: { code: "line-zero" }, warnings: [] },
  ...{ addedLines: 1, removedLines: 1, step: 0, textStart: 0, textEnd: 0 },
};
const status = {
  ...{ busy: false, model: "m", demo: false, chosen: true, offers: null, keyMissing: false },
  ...{ trusted: true, workspace: true, behind: [], pending: [] },
};

describe("the panel's messages", () => {
  it("name what an edit does and where, in short where that is plain", () => {
    const ops = ["replace", "before", "after", "with-comment", "remove", "append"] as const;
    for (const op of ops) assertText([cards.editAction({ op, target: "lines 3-9" }), "lines 3-9"]);
    assertText([cards.editAction({ op: "before", target: "lines 12-12" }), "line 12"]);
    assert.equal(cards.editName(edit), "Shape-area");
    assertText([cards.editName({ ...edit, op: "remove" }), " Shape-area"]);
  });

  const states: readonly (readonly [EditStatus[], state: string, announced: string | null])[] = [
    [["pending", "pending"], "pending", "pending"],
    [
      ["applied", "partly-applied", "rejected"],
      "2 of 3",
      "1 applied, 1 partly applied, 1 rejected",
    ],
    [["applied", "refused"], "1 of 2", "1 applied, 1 refused. The address"],
    [["rejected", "refused"], "not applied", "1 rejected, 1 refused. The address"],
    [["rejected", "stopped"], "not applied", "rejected"],
    [["conflict"], "conflict", "conflict. The address"],
    [["captured", "streaming"], "streaming", null],
  ];
  for (const [statuses, state, announced] of states)
    it(`sum up a file's edits, and what went wrong with them: ${statuses.join(", ")}`, () => {
      const edits = statuses.map((status, index) => ({ ...edit, blockId: `${index}`, status }));
      const text = fileAnnouncement(edit.path, edits, new Set(edits.map(({ blockId }) => blockId)));
      assertText([fileState(totalsOf(edits)).word, state]);
      if (announced === null) assert.equal(text, null);
      else assertText([text, edit.path, `: ${announced}`]);
    });

  it("name the counts of a pending file, and whose proposals it has", () => {
    const counts = { added: 1, removed: 1, hunks: 1, conflicts: 0, warnings: 0 };
    const file = { path: "a.ts", ...counts, accepted: 0, streaming: false };
    const facts = (more: Partial<PendingFile>) => messages.pendingFacts({ ...file, ...more });
    assert.equal(facts({}), "");
    assertText([facts({ hunks: 7, accepted: 2 }), "7 changes", "2 accepted"]);
    assertText([facts({ conflicts: 1, warnings: 1 }), "1 conflict", "1 warning"]);
    assertText([facts({ conflicts: 2, warnings: 2 }), "2 conflicts", "2 warnings"]);
    const shares = [
      { chatId: "chat-1", kind: "own", name: "", hunks: 1 },
      { chatId: "chat-2", kind: "chat", name: "Cart", hunks: 1 },
      { chatId: "guest-1", kind: "guest", name: "Claude Code", hunks: 1 },
    ] as const;
    const others = facts({ agents: ["Claude Code", ""], shares: [...shares] });
    assertText([others, "Claude Code, ", '"Cart"']);
  });

  it("say that the finished edits of a stopped turn are kept", () => {
    for (const endReason of ["cancelled", "interrupted"] as const) {
      const kept = turnOutcome({ endReason, error: null, edits: new Map([["one", edit]]) });
      const lost = turnOutcome({ endReason, error: null, edits: new Map() });
      assert.ok((kept?.detail ?? "").length > (lost?.detail ?? "").length);
      assertSentence([kept?.detail ?? null]);
    }
  });

  it("quote a restored request on one line, and mark what is deleted", () => {
    const restored = { type: "files-restored", step: 0, request: "Rename\nit" } as const;
    const files = [
      { path: "src/a.ts", deleted: false },
      { path: "src/b.ts", deleted: true },
    ];
    const text = (undone: boolean, request = restored.request as string) =>
      messages.restoredText({ ...restored, files, undone, request });
    assertText([text(false), "“Rename it”", "src/a.ts, src/b.ts ("]);
    assert.match(text(true), /src\/b\.ts$/);
    assertDistinct([text(false), text(true), text(false, ""), text(true, "")]);
    assertText([text(false, ""), "src/a.ts, src/b.ts ("]);
  });

  it("name what a permission covers, and how long it lasts", () => {
    const covers = (name: string, tool?: string, server: string | null = null) =>
      cards.permissionCovers({ name, origin: tool ? { tool, server } : null }, false, null);
    assertText([covers("delete_file"), "delete file"]);
    assertText([covers("mcp__docs__write", "write", "docs"), "write", "docs"]);
    assertText([covers("extension__run", "run"), "run", "another extension"]);
    const call = { name: "fetch_url", origin: null };
    assertText([cards.permissionCovers(call, false, "docs"), "read-only", "docs"]);
    assertText([cards.permissionCovers(call, false, null, "example.com"), "example.com"]);
    const scopes = ["turn", "session", "workspace"] as const;
    for (const scope of scopes) assertText([cards.alwaysAllow("read", scope), "read", scope]);
    const tools = ["delete_file", "create_file", "rename_file", "copy_file", "git_commit"];
    assertDistinct([...tools, "run_command", "edit_mode"].map(cards.allowLabel));
    assert.notEqual(cards.denyLabel("delete_file"), cards.denyLabel("run_command"));
    assertText([messages.versionText("user", 1, 2), "1 of 2"]);
  });

  it("name the model that an empty chat offers, and where it is from", () => {
    const offers = [
      ["vscode-lm", "copilot", "gpt-5-mini", "GPT-5 mini", "Copilot"],
      ["vscode-lm", "acme", "a", "Acme One", "acme"],
      ["local", "Ollama", "qwen3:8b", "qwen3:8b", "Ollama"],
      ["connection", "Team", "", "", "Team"],
      ["environment", "OpenAI", "", "", "OpenAI"],
    ] as const;
    for (const [source, from, model, label, provider] of offers)
      assertText([messages.offerText({ source, from, model, label }), label, provider]);
  });

  const times: readonly (readonly [ms: number, text: string, elapsed: string])[] = [
    [-3, "0 ms", ""],
    [40.4, "40 ms", ""],
    [999, "999 ms", ""],
    [1_240, "1.2 s", ""],
    [2_000, "2.0 s", "2 s"],
    [9_940, "9.9 s", "9 s"],
    [9_960, "10 s", "9 s"],
    [75_000, "75 s", "75 s"],
    [185_000, "3 min 5 s", "3 min 5 s"],
  ];
  it("round times as people read them", () => {
    for (const [ms, text, elapsed] of times) {
      assert.equal(messages.durationText(ms), text);
      assert.equal(messages.elapsedText(ms), elapsed);
    }
  });

  it("count tokens and retries", () => {
    const counts = [0, 840, 1_240, 9_949, 9_950, 48_000].map(messages.tokenCount);
    assert.deepEqual(counts, ["0", "840", "1.2k", "9.9k", "10k", "48k"]);
    assert.equal(messages.toolTime(5, 0), "");
    assertText([messages.toolTime(1_240, 1), "1.2 s", "1 retry"]);
    assertText([messages.toolTime(5, 2), "2 retries"]);
    assertText([messages.retryText("Rate limited", 5, 2, 3), "Rate limited", "5 s", "2 of 3"]);
    assertText([messages.retryText("Rate limited", null, 2, 3), "Rate limited", "2 of 3"]);
    assert.doesNotMatch(messages.retryText("Rate limited", null, 2, 3), / s\b/);
  });

  it("name what was not attached, with hidden characters as code points", () => {
    const name = "a\u202e.png";
    const outside = { code: "not-in-workspace", name } as const;
    const none = { code: "nothing-selected", name: "" } as const;
    const codes = ["image-too-large", "image-too-many-pixels", "image-unsupported"] as const;
    for (const code of ["not-stored" as const, ...codes])
      assertSentence([messages.refusalText([{ code, name }]), "a\\u{202e}.png"]);
    assertSentence([messages.refusalText([{ code: "image-broken", name: "" }])]);
    const three = messages.refusalText([outside, outside, none]);
    assertSentence([three, "a\\u{202e}.png", "1 more", messages.refusalText([none])]);
    for (const noImages of ["model", "editor"] as const)
      assertSentence([messages.imageWarning({ ...status, noImages }) ?? null]);
  });

  it("say what the microphone does, and what a click on it does", () => {
    const off = { words: "", muted: false, demo: false, problem: null, unavailable: null };
    const voice = { ...off, handsFree: false, state: "off" } as const;
    const button = (state: "off" | "opening" | "ready" | "hearing", handsFree = false) =>
      voiceButtonLabel({ ...voice, state, handsFree }, t);
    assertDistinct([button("off"), button("off", true), button("ready"), button("hearing")]);
    for (const state of ["ready", "hearing"] as const)
      assert.equal(button(state, true), button("opening"));
    assertText([voiceButtonLabel({ ...voice, unavailable: "Not here." }, t), "Not here."]);
    const state = (handsFree: boolean) =>
      voiceStateMessage({ ...voice, state: "listening", handsFree }, t);
    assert.notEqual(state(true), state(false));
    const speaking = (muted: boolean) =>
      voiceStateMessage({ ...voice, state: "speaking", muted }, t);
    assert.notEqual(speaking(true), speaking(false));
    const refused = (detail: string) => {
      const refusal = { type: "refused", code: "unsupported", detail } as const;
      return pageStateMessage({ code: "refused", refusal }, t);
    };
    assertSentence([refused("AbortError"), "(AbortError)"]);
    assertSentence([refused("insecure"), "https"]);
  });
});

describe("whySendIsDisabled", () => {
  const { whySendIsDisabled } = messages;

  it("is null when a message can be sent or queued", () => {
    assert.equal(whySendIsDisabled(status), null);
    assert.equal(
      whySendIsDisabled({ ...status, busy: true, keyMissing: true, trusted: false }),
      null,
    );
    assert.equal(whySendIsDisabled({ ...status, model: "", demo: true }), null);
  });

  it("is that the panel starts, that no folder is open, or that no model is chosen", () => {
    assertDistinct([
      whySendIsDisabled(null),
      whySendIsDisabled({ ...status, workspace: false }),
      whySendIsDisabled({ ...status, model: " " }),
    ]);
  });
});
