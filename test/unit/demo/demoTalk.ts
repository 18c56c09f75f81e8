import { createDemoFetch } from "../../../src/demo/demoEndpoint.ts";
import { createNodeWorkspace } from "../../../src/headless/nodeWorkspace.ts";
import type { Message, ToolCall } from "../../../src/model/message.ts";
import { createOpenaiClient } from "../../../src/model/openaiClient.ts";
import { createSyntax } from "../../../src/syntax/treeSitterSyntax.ts";
import { createListDirectory } from "../../../src/tools/listDirectory.ts";
import { createReadFile } from "../../../src/tools/readFile.ts";
import { createSearchInFiles } from "../../../src/tools/searchInFiles.ts";
import type { Tool, ToolContext } from "../../../src/tools/tool.ts";
import { toolResultText } from "../../../src/tools/toolResultText.ts";
import { nodeGrammarSource } from "../../fakes/nodeGrammarSource.ts";

const quiet = { warn: () => undefined, error: () => undefined };

/** One parser for all the tests of the demonstration. */
export const syntax = createSyntax(nodeGrammarSource(), quiet);

/** One answer of the demonstration. */
export interface DemoReply {
  readonly text: string;
  readonly calls: readonly ToolCall[];
}

/** A conversation with the demonstration over real tools, but without an edit engine. */
export interface DemoTalk {
  readonly messages: Message[];
  /** Says something and runs tools until an answer calls none; gives all answers. */
  ask(text: string): Promise<readonly DemoReply[]>;
}

const SPECS = ["read_file", "list_directory", "search_in_files", "edit_mode"];

/** What edit mode answers where nothing else is asked for. */
const ACTIVE = "Edit mode is active. End your message to apply.";

/** Talks about the files under `root`; `tools` are the names offered, none for a model that knows no tools. */
export async function startDemoTalk(root: string, tools: readonly string[] = SPECS, editMode = ACTIVE): Promise<DemoTalk> {
  const workspace = await createNodeWorkspace(root);
  const runners = [createReadFile(workspace, syntax), createListDirectory(workspace), createSearchInFiles(workspace)];
  const client = createOpenaiClient({
    baseUrl: "http://demo.invalid/v1",
    apiKey: null,
    fetch: createDemoFetch({ syntax, delayMs: 0 }),
    limits: { connectMs: 5000, firstTokenMs: 5000, idleMs: 5000 },
  });
  const messages: Message[] = [{ role: "system", text: "You are Graft." }];

  async function answer(): Promise<DemoReply> {
    const specs = tools.map((name) => ({ name, description: name, parameters: { type: "object" } }));
    let text = "";
    const calls: ToolCall[] = [];
    for await (const part of client.stream({ model: "demo", messages, tools: specs }, new AbortController().signal)) {
      if (part.type === "text-delta") text += part.text;
      if (part.type === "tool-call-end") calls.push({ callId: part.callId, name: part.name, argsText: part.argsText });
      if (part.type === "error") throw new Error(part.error.message);
    }
    return { text, calls };
  }

  return {
    messages,
    async ask(text) {
      messages.push({ role: "user", text });
      const replies: DemoReply[] = [];
      do {
        const reply = await answer();
        replies.push(reply);
        messages.push({ role: "assistant", text: reply.text, toolCalls: reply.calls });
        for (const call of reply.calls)
          messages.push({ role: "tool", callId: call.callId, text: call.name === "edit_mode" ? editMode : await runTool(runners, call) });
      } while ((replies.at(-1)?.calls.length ?? 0) > 0);
      return replies;
    },
  };
}

async function runTool(tools: readonly Tool[], { callId, name, argsText }: ToolCall): Promise<string> {
  const tool = tools.find((candidate) => candidate.name === name);
  if (!tool) return `Error (not-found): There is no tool named ${name}.`;
  const prepared = tool.prepare(JSON.parse(argsText));
  if (!prepared.ok) return toolResultText(prepared);
  const context: ToolContext = {
    turnId: "turn",
    callId,
    signal: new AbortController().signal,
    emit: () => undefined,
    streams: { register: () => ({ dispose: () => undefined }) },
  };
  return toolResultText(await prepared.value.run(context));
}
