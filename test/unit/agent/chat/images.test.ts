import assert from "node:assert/strict";
import type { Chat } from "../../../../src/agent/chat/chat.ts";
import {
  forgetLearned,
  listLearned,
  memoryStore,
} from "../../../../src/model/learnedCapabilities.ts";
import type { ModelInfo } from "../../../../src/model/modelInfo.ts";
import type { AttachmentRef } from "../../../../src/turns/attachment.ts";
import { memoryImageStore, PNG_DOT } from "../../../fakes/images.ts";
import {
  type ModelHandler,
  type ModelServer,
  type ModelStep,
  startModelServer,
} from "../../../fakes/model/modelServer.ts";
import { testTool } from "../../../fakes/testTool.ts";
import { MemoryEventLog } from "../../../fakes/turns/memoryEventLog.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";
import { openChat } from "./chatHarness.ts";

const INFO: ModelInfo = {
  id: "m",
  label: "m",
  contextWindow: null,
  tools: null,
  images: null,
  reasoning: null,
  price: null,
};
const no = (message: string, status = 400): ModelStep => ({
  status,
  body: JSON.stringify({ error: { message } }),
});
const image = (id: string, name: string, width = 20, height = 10): AttachmentRef => ({
  ...{ kind: "image", path: null, lines: null, name, text: null },
  image: { id, width, height, preview: "data:image/png;base64,AAAA" },
});

describe("images in a chat", () => {
  let folder: TempFolder;
  let server: ModelServer;
  let chat: Chat;
  let log: MemoryEventLog;
  let store: ReturnType<typeof memoryImageStore>;
  let dot: AttachmentRef;

  async function open(
    steps: ModelHandler | readonly ModelStep[],
    options: Parameters<typeof openChat>[2] = {},
  ): Promise<void> {
    server = await startModelServer(steps);
    chat = await openChat(server, folder.root, { log, images: store, ...options });
  }

  async function reopen(
    steps: ModelHandler | readonly ModelStep[],
    options: Parameters<typeof openChat>[2] = {},
  ): Promise<void> {
    await chat.dispose();
    await server.close();
    await open(steps, options);
  }

  beforeEach(async () => {
    folder = await tempFolder({});
    log = new MemoryEventLog();
    store = memoryImageStore();
    dot = image(await store.add(PNG_DOT, "png"), "dot.png");
  });

  afterEach(async () => {
    await chat.dispose();
    await server.close();
    await folder.remove();
  });

  const users = (index: number) =>
    (server.requests[index]?.body.messages ?? [])
      .filter(({ role }) => role === "user")
      .map(({ content }) => content ?? "");
  const shown = (index: number) =>
    users(index)
      .join("\n")
      .match(/<data:/g)?.length ?? 0;
  const named = (index: number) =>
    users(index)
      .join("\n")
      .match(/which you cannot see/g)?.length ?? 0;
  const notices = () =>
    [...chat.tree.turns.values()].flatMap((turn) =>
      turn.role === "agent"
        ? turn.parts.flatMap((part) => (part.type === "notice" ? [part.code] : []))
        : [],
    );

  it("reach the model, and survive a reload, a retry and an edited request, while the events hold no bytes", async () => {
    await open([{ text: "A dot." }]);
    await chat.send("What is it?", [dot, dot]);
    assert.match(
      users(0)[0] ?? "",
      /^What is it\?\n\n\[The user attached the image "dot\.png" \(20 × 10 pixels\):\]\n<data:image\/png;base64,iVBOR/,
    );
    assert.equal(shown(0), 1, "attached twice, sent once");
    await reopen([{ text: "A dot." }, { text: "A dot." }, { text: "Yes." }]);
    await chat.retry(chat.tree.headTurnId ?? "");
    const asked = [...chat.tree.turns.values()].find(({ role }) => role === "user");
    await chat.resend(asked?.id ?? "", "Look again");
    await chat.send("Sure?");
    assert.deepEqual([0, 1, 2].map(shown), [1, 1, 1]);
    assert.ok(!(await log.read()).join("").includes("iVBOR"));
  });

  it("of a tool's result reach a model that sees, and are shown and named for others", async () => {
    const tools = [
      testTool("shot", async () => ({
        ...{ ok: true, output: "[An image.]" },
        images: [Buffer.from(PNG_DOT).toString("base64"), "no image"],
      })),
    ];
    const steps: readonly ModelStep[] = [
      { toolCalls: [{ name: "shot", args: {} }] },
      { text: "A dot." },
    ];
    await open(steps, { tools });
    await chat.send("Take a shot");
    assert.equal(shown(1), 1);
    assert.match(users(1).join("\n"), /1 × 1 pixels/);
    assert.doesNotMatch(users(1).join("\n"), /user attached/);
    assert.ok(!(await log.read()).join("").includes('"images"'));
    await reopen([{ text: "Yes." }], { info: { ...INFO, images: false } });
    await chat.send("Sure?");
    assert.deepEqual([shown(0), named(0)], [0, 1]);
  });

  it("that are gone are named; the message arrives", async () => {
    await open([{ text: "No." }, { text: "Still no." }]);
    await chat.send("What is it?", [image(`${"0".repeat(64)}.png`, "gone.png")]);
    assert.match(
      users(0)[0] ?? "",
      /\[The user attached the image "gone\.png", which could not be read\.\]/,
    );
    await chat.send("And this?", [dot]);
    assert.equal(shown(1), 1);
    await store.removeAll("chat-1");
    await reopen([{ text: "Gone." }]);
    await chat.send("Sure?");
    assert.deepEqual([shown(0), named(0)], [0, 1]);
  });

  it("are left out where the server refuses them: told once, remembered, and tried again once that is forgotten", async () => {
    const learned = memoryStore();
    const refusing: ModelHandler = ({ body }) =>
      JSON.stringify(body.messages).includes("<data:")
        ? no("image_url is not supported by this model")
        : { text: "Named." };
    await open(refusing, { learned });
    assert.equal(await chat.send("What is it?", [dot]), "done");
    assert.deepEqual([shown(0), shown(1), named(1)], [1, 0, 1]);
    assert.equal(
      server.requests[1]?.body.tools?.length,
      server.requests[0]?.body.tools?.length,
      "tools stay",
    );
    await chat.send("And now?", [dot]);
    assert.deepEqual([server.requests.length, shown(2), named(2)], [3, 0, 2]);
    assert.deepEqual(notices(), ["images-refused"]);
    const [entry] = listLearned(learned);
    assert.deepEqual(entry?.refused, ["images"]);
    if (entry) await forgetLearned(learned, entry);
    await reopen([{ text: "Two dots." }], { learned });
    await chat.send("Look again");
    assert.equal(shown(0), 2);
  });

  it("and tools are told apart where a server refuses one, the other, or both", async () => {
    const tools = [testTool("held", async () => ({ ok: true, output: "" }))];
    const cases = [
      {
        refuses: (images: boolean, withTools: boolean) => images && withTools,
        learned: ["images"],
      },
      { refuses: (_: boolean, withTools: boolean) => withTools, learned: ["tools"] },
      {
        refuses: (images: boolean, withTools: boolean) => images || withTools,
        learned: ["images", "tools"],
      },
      { refuses: () => true, learned: [] },
    ];
    for (const { refuses, learned: expected } of cases) {
      log = new MemoryEventLog();
      const learned = memoryStore();
      const handler: ModelHandler = ({ body }) =>
        refuses(JSON.stringify(body.messages).includes("<data:"), body.tools !== undefined)
          ? no("Nope")
          : { text: "Fine." };
      await open(handler, { learned, tools });
      const reason = await chat.send("What is it?", [dot]);
      assert.equal(reason, expected.length === 0 ? "error" : "done");
      assert.deepEqual([...(listLearned(learned)[0]?.refused ?? [])].sort(), expected);
      await chat.dispose();
      await server.close();
    }
    await open([]);
  });

  it("are not sent to a model that takes none, and not doubted where it is known to take them", async () => {
    await open([{ text: "Named." }], { info: { ...INFO, images: false } });
    await chat.send("What is it?", [dot]);
    assert.deepEqual([shown(0), named(0), notices().length], [0, 1, 0]);
    await reopen([{ text: "A dot." }, no("Odd"), { text: "I see no image." }]);
    await chat.send("Now?", [dot]);
    assert.equal(shown(0), 2);
    await chat.send("More?", [dot]);
    assert.deepEqual([1, 2].map(shown), [3, 3], "it has answered with images before");
  });

  it("count in the context window: a summary replaces older ones when it is full, and has none", async () => {
    const big = async (byte: number) =>
      image(await store.add(Uint8Array.of(...PNG_DOT, byte), "png"), `${byte}.png`, 1568, 1568);
    // 3,136 tokens each; 12,000 of the window's 16,000 tokens are for requests.
    await open(() => ({ text: "Seen.", promptTokens: 0 }), { contextWindow: () => 16_000 });
    for (let turn = 0; turn < 5; turn++) await chat.send(`Look at ${turn}`, [await big(turn)]);
    assert.deepEqual([0, 1].map(shown), [1, 2]);
    assert.ok(notices().includes("compacted"));
    const summary = server.requests.findIndex((_, index) => named(index) > 0);
    assert.deepEqual([shown(summary), shown(summary + 1)], [0, 1], "the newest is shown");
    assert.match(users(summary + 1).at(-1) ?? "", /\d\.png" \(1568 × 1568 pixels\):\]\n<data:/);
  });
});
