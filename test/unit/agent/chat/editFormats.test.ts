import assert from "node:assert/strict";
import { chooseFormat } from "../../../../src/agent/chat/editFormats.ts";
import type { ChatOptions } from "../../../../src/agent/chatOptions.ts";
import { listLearned, memoryStore } from "../../../../src/model/learnedCapabilities.ts";
import type { Memory } from "../../../../src/ports/memory.ts";
import type { ModelStep } from "../../../fakes/model/modelServer.ts";
import { answerAll, RecordingReviewer } from "../../../fakes/turns/recordingReviewer.ts";
import { chat, chatsIn, folder, open as serve, server } from "./chatHarness.ts";

const none = { resolved: 0, refused: 0, rejected: 0 };
const formats = (ast: object, lines: object = {}, complete: object = {}) => ({
  ast: { ...none, ...ast },
  lines: { ...none, ...lines },
  complete: { ...none, ...complete },
});

describe("the format that a model is asked for", () => {
  it("is AST paths until at least eight were tried and over half of them refused", () => {
    assert.deepEqual(chooseFormat(formats({}), null), { format: "ast", because: null });
    assert.equal(chooseFormat(formats({ refused: 7 }), null).format, "ast");
    assert.equal(
      chooseFormat(formats({ refused: 4, resolved: 4, rejected: 4 }), null).format,
      "ast",
    );
    assert.deepEqual(chooseFormat(formats({ refused: 5, resolved: 3 }), null), {
      format: "lines",
      because: { blocks: 8, refused: 5 },
    });
    assert.equal(chooseFormat(formats({ refused: 8 }, { refused: 8 }), null).format, "complete");
    assert.equal(
      chooseFormat(formats({ refused: 8 }, { refused: 8 }, { refused: 8 }), null).format,
      "lines",
    );
  });

  it("is what the user set, whatever the record", () => {
    assert.deepEqual(chooseFormat(formats({ refused: 20 }), "ast"), {
      format: "ast",
      because: null,
    });
    assert.deepEqual(chooseFormat(formats({}), "complete"), { format: "complete", because: null });
  });
});

describe("a model's record of edits", () => {
  chatsIn({ "a.ts": "export function one() {\n  return 1;\n}\n" });
  let store: Memory;
  let steps: ModelStep[];

  beforeEach(() => {
    store = memoryStore();
    steps = [];
  });

  const open = (options: Partial<ChatOptions> = {}) =>
    serve(() => steps.shift() ?? { text: "Done." }, {
      learned: store,
      reviewer: new RecordingReviewer(answerAll("pending")),
      ...options,
    });

  /**
   * One turn in which the model turns on edit mode and writes these blocks. Gives what edit mode
   * answered.
   */
  async function edit(openers: readonly string[], args: object = {}): Promise<string> {
    const before = server.requests.length;
    const text = openers
      .map((opener) => `\`\`\`ts:${opener}\nexport function one() {\n  return 2;\n}\n\`\`\`\n`)
      .join("\n");
    steps.push(
      { toolCalls: [{ name: "edit_mode", args: { file_path: "a.ts", ...args } }] },
      { text },
    );
    assert.equal(await chat.send("Change it"), "done");
    return (
      server.requests[before + 1]?.body.messages.findLast(({ role }) => role === "tool")?.content ??
      ""
    );
  }

  const record = () => listLearned(store)[0]?.formats;
  const notices = () =>
    chat.events().flatMap((event) => (event.type === "notice" ? [event.code] : []));

  it("counts by address what found its place and what did not, and what the user rejected", async () => {
    await open();
    await edit(["ast-path:one", "ast-path:two"]);
    await edit(["1:3"], { use_line_numbers: true });
    assert.deepEqual(record(), formats({ resolved: 1, refused: 1 }, { resolved: 1 }));
    const turn = [...chat.tree.turns.values()].find(
      (one) => one.role === "agent" && one.edits.size > 0,
    );
    const [block] = turn?.role === "agent" ? [...turn.edits.values()] : [];
    assert.ok(turn && block);
    const origin = { chatId: "chat-1", turnId: turn.id, callId: block.callId };
    for (let times = 0; times < 2; times++)
      chat.decided(
        origin,
        "a.ts",
        [{ blockId: block.blockId, status: "rejected", reason: null }],
        null,
      );
    assert.deepEqual(record()?.ast, { resolved: 1, refused: 1, rejected: 1 });
  });

  it("leads to line numbers where AST paths fail, and the user is told why, once", async () => {
    await open();
    assert.match(await edit(Array(8).fill("ast-path:two")), /Mode: AST paths preferred/);
    assert.deepEqual(notices(), []);
    assert.match(await edit(["1:3"]), /Mode: line numbers[\s\S]*1\texport function one/);
    assert.match(await edit(["1:3"]), /Mode: line numbers/);
    assert.deepEqual(notices(), ["edit-format"]);
    assert.match(await edit(["ast-path:one"], { use_line_numbers: false }), /Mode: AST paths \(/);
  });

  it("gives way to the setting, and a long file is never asked for as a whole", async () => {
    await open({ editFormat: () => "complete" });
    assert.match(await edit([]), /Mode: complete file/);
    await folder.write("a.ts", "one();\n".repeat(400));
    await open({ editFormat: () => "complete" });
    assert.match(await edit([]), /Mode: line numbers/);
    assert.deepEqual(notices(), []);
  });
});
