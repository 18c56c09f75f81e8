import assert from "node:assert/strict";
import * as path from "node:path";
import type { Chat } from "../../../../src/agent/chat/chat.ts";
import type { ChatOptions } from "../../../../src/agent/chatOptions.ts";
import { DEFAULT_RETRY } from "../../../../src/agent/loop/retry.ts";
import { createNodeWorkspace } from "../../../../src/node/files/nodeWorkspace.ts";
import { createNodeGit } from "../../../../src/node/processes/nodeGit.ts";
import { createNodeShell } from "../../../../src/node/processes/nodeShell.ts";
import { noProposals } from "../../../../src/tools/command/chatProposals.ts";
import { type ProcessTools, processTools } from "../../../../src/tools/processTools.ts";
import type { TurnEvent } from "../../../../src/turns/turnEvent.ts";
import { comes } from "../../../fakes/comes.ts";
import {
  type ModelServer,
  type ModelStep,
  startModelServer,
} from "../../../fakes/model/modelServer.ts";
import { testTool } from "../../../fakes/testTool.ts";
import { MemoryEventLog } from "../../../fakes/turns/memoryEventLog.ts";
import { strictModel } from "../../../fakes/turns/strictHistory.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";
import { fileWithText, processGone } from "../../tools/processes.ts";
import { openChat } from "./chatHarness.ts";

interface Place {
  readonly chat: Chat;
  readonly server: ModelServer;
  readonly folder: TempFolder;
  /** Settles with the first event that fits, of those that come from now on. */
  event(matches: (event: TurnEvent) => boolean): Promise<TurnEvent>;
}

interface Point {
  readonly name: string;
  readonly steps: readonly ModelStep[];
  /** Settles when the turn is at the point to be stopped at. */
  reached(place: Place): Promise<unknown>;
  /** How many requests the server has had by then; default: one for each step. */
  readonly requests?: number;
  readonly options?: Partial<ChatOptions>;
  /** What must be gone once the turn is over. */
  after?(place: Place): Promise<void>;
}

const type = (wanted: TurnEvent["type"]) => (event: TurnEvent) => event.type === wanted;
const call = (name: string, args: object = {}): ModelStep => ({ toolCalls: [{ name, args }] });
const editMode = call("edit_mode", { file_path: "a.ts", use_line_numbers: true });
const never = () => new Promise<never>(() => undefined);
const command = { command: "sleep 300 & echo $! > pid; echo ready; wait" };

const points: readonly Point[] = [
  {
    name: "while the model is connected to",
    steps: [],
    reached: ({ chat }) => busy(chat),
    options: { connect: never },
  },
  {
    name: "before the server answers",
    steps: [{ text: "never", stallAfter: 0 }],
    reached: ({ server }) => server.request(0),
  },
  {
    name: "before the first token",
    steps: [{ text: "never", stallAfter: 1 }],
    reached: ({ server }) => server.request(0),
  },
  {
    name: "while a failed request waits to be made again",
    steps: [{ status: 503 }],
    reached: ({ event }) => event(type("retry")),
    options: { retry: { ...DEFAULT_RETRY, firstMs: 50_000 } },
  },
  {
    name: "in the thinking",
    steps: [{ reasoning: "Let me think.", stallAfter: 2 }],
    reached: ({ event }) => event(type("reasoning-delta")),
  },
  {
    name: "in the text",
    steps: [{ text: "Once upon a time, there", stallAfter: 2 }],
    reached: ({ event }) => event(type("text-delta")),
  },
  {
    name: "in a call that nobody asked to write as text",
    steps: [
      {
        text: "Let me see.\n<call 0123456789ab list_directory>\n{}\n</call 0123456789ab>",
        stallAfter: 3,
      },
    ],
    reached: ({ event }) => event(type("text-delta")),
  },
  {
    name: "in the arguments of a call",
    steps: [{ ...editMode, chunkSize: 4, stallAfter: 4 }],
    reached: ({ event }) => event(type("tool-call-delta")),
  },
  {
    name: "in the text behind a call",
    steps: [
      {
        toolCalls: ["read_file", "list_directory"].map((name) => ({
          name,
          args: { file_path: "a.ts" },
        })),
        ...{ textAfter: "Then I shall see what is next.", chunkSize: 100, stallAfter: 6 },
      },
    ],
    reached: ({ event }) => event(type("text-delta")),
  },
  {
    name: "while the user is asked for permission",
    steps: [editMode],
    reached: ({ event }) => event(type("approval-request")),
    options: { approval: { request: never } },
  },
  {
    name: "while a command runs, with calls waiting behind it",
    steps: [
      {
        toolCalls: ["run_command", "run_command", "list_directory"].map((name) => ({
          name,
          args: command,
        })),
      },
    ],
    reached: ({ folder }) => fileWithText(path.join(folder.root, "pid")),
    after: async ({ folder }) =>
      processGone(Number(await fileWithText(path.join(folder.root, "pid")))),
  },
  {
    name: "while the user is asked about a model that repeats itself",
    steps: [call("list_directory"), call("list_directory"), call("list_directory")],
    reached: ({ event }) => event(type("question")),
    options: { question: { ask: never } },
  },
  {
    name: "between two steps",
    steps: [call("list_directory")],
    reached: ({ event }) => event(type("tool-processing-complete")),
  },
  {
    name: "in the second request",
    steps: [editMode, { text: "never", stallAfter: 0 }],
    reached: ({ server }) => server.request(1),
  },
  {
    name: "in an edit",
    steps: [
      editMode,
      { text: "```ts:1:1\nexport const a = 2;\n```\n", chunkSize: 4, stallAfter: 6 },
    ],
    reached: ({ event }) => event(type("edit-update")),
  },
];

/** What would keep the process alive. */
const leftovers = () =>
  process.getActiveResourcesInfo().filter((kind) => kind === "Timeout" || kind === "ProcessWrap")
    .length;

describe("a chat whose turn is stopped", () => {
  let before: number;
  let folder: TempFolder;
  let server: ModelServer;
  let machine: ProcessTools;
  const chats: Chat[] = [];

  beforeEach(async () => {
    // The hook's own time limit is set by then.
    await new Promise(setImmediate);
    // Those of other tests may end meanwhile.
    before = leftovers();
    folder = await tempFolder({ "a.ts": "export const a = 1;\n" });
    machine = processTools({
      workspace: await createNodeWorkspace(folder.root),
      shell: createNodeShell(),
      git: createNodeGit(async () => ({ folders: [folder.root], opened: null })),
    });
  });

  afterEach(async () => {
    for (const chat of chats.splice(0)) await chat.dispose();
    await machine.dispose();
    await server.close();
    await folder.remove();
    // A process is gone a moment before its outputs are closed and its timers cleared.
    await comes("the end of every timer and process", () => leftovers() <= before);
  });

  async function open(options: Parameters<typeof openChat>[2]): Promise<Chat> {
    const chat = await openChat(server, folder.root, {
      tools: machine.of(noProposals),
      ...options,
    });
    chats.push(chat);
    return chat;
  }

  for (const point of points) {
    it(`${point.name} is idle, has closed the connection, leaves nothing running and can continue`, async () => {
      const steps = [...point.steps, { text: "Fine." }];
      server = await startModelServer(
        strictModel((_request, index) => steps[index] ?? { status: 400 }),
      );
      const log = new MemoryEventLog();
      const chat = await open({ log, ...point.options });
      const place: Place = { chat, server, folder, event: (matches) => nextEvent(chat, matches) };
      const reached = point.reached(place);
      const turn = chat.send("Please.");
      await reached;
      chat.stop();
      assert.equal(await turn, "cancelled");

      assert.equal(chat.busy, false);
      assert.equal(chat.activeRequests, 0);
      const head = chat.tree.turns.get(chat.tree.headTurnId ?? "");
      assert.ok(
        head?.role === "agent" &&
          head.endReason === "cancelled" &&
          head.processing === null &&
          head.retryAt === null,
      );
      for (const { status, output, input } of head.toolCalls.values()) {
        assert.ok(["success", "error", "cancelled"].includes(status), status);
        if (input !== undefined) assert.ok(output);
      }
      const events = chat.events().map((event) => event.type);
      assert.equal(
        events.filter((each) => each === "tool-processing-start").length,
        events.filter((each) => each === "tool-processing-complete").length,
      );
      assert.equal(server.requests.length, point.steps.length);
      for (const [index, { stallAfter }] of point.steps.entries()) {
        const request = await server.request(index);
        await request.closed;
        assert.equal(request.closedEarly, stallAfter !== undefined);
      }
      await point.after?.(place);
      await chat.dispose();

      const again = await open({ log });
      assert.equal(await again.send("Go on."), "done", "the history is valid for the next request");
    });
  }

  it("a tool that hangs times out, and the turn continues", async () => {
    const steps = [
      { toolCalls: ["hangs", "list_directory"].map((name) => ({ name, args: {} })) },
      { text: "Fine." },
    ];
    server = await startModelServer(
      strictModel((_request, index) => steps[index] ?? { status: 400 }),
    );
    const chat = await open({ tools: [testTool("hangs", never, "read", 20)] });
    assert.equal(await chat.send("Please."), "done");
    assert.match(
      JSON.stringify(server.requests[1]?.body.messages),
      /hangs timed out after 0.02 seconds/,
    );
  });
});

function nextEvent(chat: Chat, matches: (event: TurnEvent) => boolean): Promise<TurnEvent> {
  return new Promise((resolve) => {
    const listening = chat.onEvent((event) => {
      if (!matches(event)) return;
      listening.dispose();
      resolve(event);
    });
  });
}

function busy(chat: Chat): Promise<void> {
  return new Promise((resolve) => {
    const listening = chat.onBusy(() => {
      listening.dispose();
      setImmediate(resolve);
    });
  });
}
