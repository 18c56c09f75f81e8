import assert from "node:assert/strict";
import { Chat } from "../../../../src/agent/chat/chat.ts";
import type { ChatOptions, ModelConnection } from "../../../../src/agent/chatOptions.ts";
import { DEFAULT_RETRY } from "../../../../src/agent/loop/retry.ts";
import { err, ok } from "../../../../src/base/result.ts";
import { ChangeJournal } from "../../../../src/edits/history/changeJournal.ts";
import { createAutoReviewer } from "../../../../src/edits/review/autoReviewer.ts";
import type { ModelError } from "../../../../src/model/modelFailure.ts";
import { createOpenaiClient } from "../../../../src/model/openai/openaiClient.ts";
import { createFileApplier } from "../../../../src/node/files/fileApplier.ts";
import { createNodeWorkspace } from "../../../../src/node/files/nodeWorkspace.ts";
import type { AgentTurn } from "../../../../src/turns/turn.ts";
import { allowAll } from "../../../fakes/allowAll.ts";
import { testSyntax } from "../../../fakes/editor/testSyntax.ts";
import {
  type ModelHandler,
  type ModelServer,
  type ModelStep,
  startModelServer,
} from "../../../fakes/model/modelServer.ts";
import { RecordingLogger } from "../../../fakes/recordingLogger.ts";
import { MemoryEventLog } from "../../../fakes/turns/memoryEventLog.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";
import { GENEROUS } from "../../model/collect.ts";

/**
 * What a test may choose of a chat; `refusal` says why the model is not connected to, `otherModels`
 * are what the connection has besides.
 */
type Chosen = Partial<
  ChatOptions &
    ModelConnection & {
      refusal(): ModelError | null;
      readonly otherModels: readonly string[];
    }
>;

/**
 * A whole chat over the files of `root` with a model behind a real connection; failed requests are
 * made again at once.
 */
export async function openChat(
  server: Pick<ModelServer, "url">,
  root: string,
  {
    model = "test-model",
    info = null,
    log = new MemoryEventLog(),
    refusal = () => null,
    otherModels = [],
    ...overrides
  }: Chosen = {},
): Promise<Chat> {
  const client = createOpenaiClient({ baseUrl: server.url, apiKey: "key", limits: GENEROUS });
  const workspace = await createNodeWorkspace(root);
  const logger = new RecordingLogger();
  return Chat.open({
    chatId: "chat-1",
    workspace,
    syntax: testSyntax,
    reviewer: createAutoReviewer("all", createFileApplier(workspace)),
    approval: allowAll,
    tools: [],
    log,
    journal: new ChangeJournal(new MemoryEventLog(), logger),
    logger,
    retry: { ...DEFAULT_RETRY, firstMs: 1 },
    connect: async (other) => {
      const refused = refusal();
      const named = otherModels.find((each) => each === other);
      return refused ? err(refused) : ok({ client, model: named ?? model, info });
    },
    maxSteps: () => 10,
    activeFile: () => null,
    ...overrides,
  });
}

/**
 * What the running test has, in a suite with {@link chatsIn}: its folder, and the server and the
 * chat that it opened last.
 */
export let folder: TempFolder;
export let server: ModelServer;
export let chat: Chat;
const opened: { dispose(): unknown }[] = [];

/** Gives each test of a suite a folder with `files`, and ends what it opens. */
export function chatsIn(files: Parameters<typeof tempFolder>[0] = {}): void {
  beforeEach(async () => {
    folder = await tempFolder(files);
  });
  afterEach(async () => {
    for (const each of opened.splice(0).reverse()) await each.dispose();
    await folder.remove();
  });
}

/** Opens a chat over the folder of the test, with a model that gives `answers`. */
export async function open(
  answers: ModelHandler | readonly ModelStep[],
  options?: Chosen,
): Promise<Chat> {
  const started = await startModelServer(answers);
  server = started;
  opened.push({ dispose: () => started.close() });
  return another(options);
}

/** Opens another chat on the same server. */
export async function another(options?: Chosen): Promise<Chat> {
  chat = await openChat(server, folder.root, options);
  opened.push(chat);
  return chat;
}

/** The turn at the end of a chat, which is an answer. */
export function lastAnswer(of = chat): AgentTurn {
  const turn = of.tree.turns.get(of.tree.headTurnId ?? "");
  assert.ok(turn?.role === "agent");
  return turn;
}
