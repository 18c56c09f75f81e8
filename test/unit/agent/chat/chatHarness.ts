import { Chat } from "../../../../src/agent/chat/chat.ts";
import type { ChatOptions } from "../../../../src/agent/chatOptions.ts";
import { DEFAULT_RETRY } from "../../../../src/agent/loop/retry.ts";
import { ok } from "../../../../src/base/result.ts";
import { ChangeJournal } from "../../../../src/edits/history/changeJournal.ts";
import { createAutoReviewer } from "../../../../src/edits/review/autoReviewer.ts";
import { createOpenaiClient } from "../../../../src/model/openai/openaiClient.ts";
import { createFileApplier } from "../../../../src/node/files/fileApplier.ts";
import { createNodeWorkspace } from "../../../../src/node/files/nodeWorkspace.ts";
import { createSyntax } from "../../../../src/syntax/createSyntax.ts";
import { allowAll } from "../../../fakes/allowAll.ts";
import { nodeGrammarSource } from "../../../fakes/editor/nodeGrammarSource.ts";
import type { ModelServer } from "../../../fakes/model/modelServer.ts";
import { RecordingLogger } from "../../../fakes/recordingLogger.ts";
import { MemoryEventLog } from "../../../fakes/turns/memoryEventLog.ts";

/** A whole chat over the files of `root` with a model behind a real connection; failed requests are made again at once. */
export async function openChat(
  server: ModelServer,
  root: string,
  { model = "test-model", log = new MemoryEventLog(), ...overrides }: Partial<ChatOptions> & { model?: string } = {},
): Promise<Chat> {
  const limits = { connectMs: 5_000, firstTokenMs: 5_000, idleMs: 5_000 };
  const client = createOpenaiClient({ baseUrl: server.url, apiKey: "key", limits });
  const workspace = await createNodeWorkspace(root);
  const logger = new RecordingLogger();
  return Chat.open({
    chatId: "chat-1",
    workspace,
    syntax: createSyntax(nodeGrammarSource(), logger),
    reviewer: createAutoReviewer("all", createFileApplier(workspace)),
    approval: allowAll,
    tools: [],
    log,
    journal: new ChangeJournal(new MemoryEventLog(), logger),
    logger,
    retry: { ...DEFAULT_RETRY, firstMs: 1 },
    connect: async () => ok({ client, model }),
    maxSteps: () => 10,
    activeFile: () => null,
    ...overrides,
  });
}
