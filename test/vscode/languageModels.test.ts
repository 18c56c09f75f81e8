import * as vscode from "vscode";
import { readImageHeader } from "../../src/base/imageHeader.ts";
import type { GraftApi } from "../../src/host/activate.ts";
import { createLanguageModelClient } from "../../src/host/languageModels/languageModelClient.ts";
import {
  type LanguageModelChoice,
  listLanguageModels,
  onDidChangeLanguageModels,
} from "../../src/host/languageModels/languageModels.ts";
import type { Message } from "../../src/model/message.ts";
import type { StreamPart } from "../../src/model/streamPart.ts";
import { eventually, expectEqual, expectMatch } from "./expect.ts";

/** One request, as the provider gets it. */
interface ProvidedRequest {
  readonly vendor: string;
  readonly model: string;
  readonly messages: readonly vscode.LanguageModelChatMessage[];
  readonly options: { readonly tools?: readonly vscode.LanguageModelChatTool[] };
  readonly progress: vscode.Progress<unknown>;
  readonly token: vscode.CancellationToken;
}

/** What the test extension that provides language models exports. */
interface TestProvider {
  readonly available: boolean;
  readonly models: Record<string, unknown[]>;
  respond: (request: ProvidedRequest) => Promise<void>;
  changed(): void;
}

const LIMITS = { connectMs: 120_000, firstTokenMs: 120_000, idleMs: 120_000 };
const HELLO: Message = { role: "user", text: "Hello" };
const text = (value: string) => new vscode.LanguageModelTextPart(value);

/** A PNG image of one pixel. */
const DOT =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

function modelInfo(id: string, toolCalling: boolean) {
  return {
    id,
    name: `Model ${id}`,
    family: "test",
    version: "1",
    maxInputTokens: 64_000,
    maxOutputTokens: 4_000,
    capabilities: { toolCalling },
  };
}

suite("language models of other extensions", () => {
  let graft: GraftApi;
  let provider: TestProvider;

  suiteTeardown(() => vscode.commands.executeCommand("graft.chooseModel", { source: "demo" }));

  const listed = async () =>
    (await listLanguageModels()).filter(({ vendor }) => vendor.startsWith("graft-"));
  async function choice(vendor: string, id: string): Promise<LanguageModelChoice> {
    return eventually(`${id} of ${vendor}`, async () =>
      (await listed()).find((each) => each.vendor === vendor && each.info.id === id),
    );
  }
  async function client(vendor = "graft-one") {
    return createLanguageModelClient((await choice(vendor, "same")).chat, LIMITS);
  }

  /**
   * The text, the finish reason or error code, and the parts of an answer; `taken` sees each part.
   */
  async function ask({
    messages = [HELLO],
    images = new Map<string, Uint8Array>(),
    signal = new AbortController().signal,
    taken = (_part: StreamPart) => {},
  } = {}) {
    let said = "";
    let end = "";
    const parts: StreamPart[] = [];
    for await (const part of (await client()).stream(
      { model: "same", messages, images, tools: [] },
      signal,
    )) {
      parts.push(part);
      taken(part);
      if (part.type === "text-delta") said += part.text;
      if (part.type === "finish") end = part.reason;
      if (part.type === "error") end = part.error.code;
    }
    return { said, end, parts };
  }

  suiteSetup(async function () {
    const own = vscode.extensions.getExtension<GraftApi>("graft-edits.graft");
    if (!own) throw new Error("Graft is not installed");
    graft = await own.activate();
    const extension = vscode.extensions.getExtension<TestProvider>("graft-tests.language-models");
    if (!extension) throw new Error("the extension with language models is not there");
    provider = await extension.activate();
    if (!provider.available) this.skip();
    provider.models["graft-one"] = [modelInfo("same", true), modelInfo("plain", false)];
    provider.models["graft-two"] = [modelInfo("same", true)];
    provider.changed();
    await choice("graft-two", "same");
  });

  test("are listed with what VS Code says of them, equal ids of two vendors apart", async () => {
    const seen = (await listed())
      .map(({ vendor, info }) => [vendor, info.id, info.label, info.contextWindow, info.tools])
      .sort();
    expectEqual(
      seen,
      [
        ["graft-one", "plain", "Model plain", 64_000, false],
        ["graft-one", "same", "Model same", 64_000, true],
        ["graft-two", "same", "Model same", 64_000, true],
      ],
      "models",
    );
  });

  test("answer through the client of their own vendor", async () => {
    provider.respond = async ({ vendor, model, progress }) =>
      progress.report(text(`${vendor} ${model}`));
    for (const vendor of ["graft-one", "graft-two"]) {
      let said = "";
      const model = await client(vendor);
      const request = { model: "same", messages: [HELLO], tools: [] };
      for await (const part of model.stream(request, new AbortController().signal))
        if (part.type === "text-delta") said += part.text;
      expectEqual([said, model.baseUrl], [`${vendor} same`, `vscode-lm:${vendor}`], vendor);
    }
  });

  test("run a whole turn: words, a tool's result, an edit and what became of it", async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    if (!folder) throw new Error("no folder is open");
    const file = vscode.Uri.joinPath(folder.uri, "scratch-lm", "numbers.ts");
    await vscode.workspace.fs.writeFile(
      file,
      new TextEncoder().encode("export const one = 1;\nexport const two = 3;\n"),
    );
    const requests: ProvidedRequest[] = [];
    provider.respond = async (request) => {
      requests.push(request);
      const { progress } = request;
      if (requests.length === 1) {
        progress.report(text("I fix "));
        progress.report(text("it."));
        const input = { file_path: "scratch-lm/numbers.ts", use_line_numbers: true };
        progress.report(new vscode.LanguageModelToolCallPart("call-1", "edit_mode", input));
      } else if (requests.length === 2) {
        for (const each of ["Two is two.\n\n```ts:2", ":2\nexport const ", "two = 2;\n```\n"])
          progress.report(text(each));
      } else progress.report(text("Done."));
    };
    await vscode.commands.executeCommand("graft.chooseModel", {
      vendor: "graft-one",
      model: "same",
    });
    await vscode.commands.executeCommand("graft.newChat");
    const chat = await graft.chat();
    expectEqual(await chat.send("Fix the numbers"), "done", "the turn's end");
    await vscode.commands.executeCommand("graft.acceptFile", file);
    const document = await vscode.workspace.openTextDocument(file);
    expectEqual(
      document.getText(),
      "export const one = 1;\nexport const two = 2;\n",
      "what was accepted",
    );
    await document.save();
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(folder.uri, "scratch-lm"), {
      recursive: true,
    });
    expectEqual(requests.length, 3, "requests");
    expectEqual(
      requests[0]?.options.tools?.some(({ name }) => name === "edit_mode"),
      true,
      "tools of the request",
    );
    const { User, Assistant } = vscode.LanguageModelChatMessageRole;
    const [calling, result] = requests[1]?.messages.slice(-2) ?? [];
    expectEqual([calling?.role, result?.role], [Assistant, User], "roles");
    const call = calling?.content.find((part) => part instanceof vscode.LanguageModelToolCallPart);
    expectEqual([call?.callId, call?.name], ["call-1", "edit_mode"], "the call that is sent back");
    const answered = result?.content.find(
      (part) => part instanceof vscode.LanguageModelToolResultPart,
    );
    expectEqual(answered?.callId, "call-1", "the result's call");
    const [told] = answered?.content ?? [];
    expectMatch(
      told instanceof vscode.LanguageModelTextPart && told.value,
      /numbers\.ts/,
      "the result",
    );
  });

  test("give their thinking and token counts where VS Code passes them on, and get signed thinking back", async function () {
    const Thinking: unknown = Reflect.get(vscode, "LanguageModelThinkingPart");
    const Data: unknown = Reflect.get(vscode, "LanguageModelDataPart");
    if (typeof Thinking !== "function" || typeof Data !== "function") this.skip();
    const usage = new TextEncoder().encode(
      JSON.stringify({ prompt_tokens: 12, completion_tokens: 3 }),
    );
    let sent: readonly vscode.LanguageModelChatMessage[] = [];
    provider.respond = async ({ progress, messages }) => {
      sent = messages;
      progress.report(Reflect.construct(Thinking, ["Hm."]));
      progress.report(Reflect.construct(Thinking, ["", "t1", { signature: "abc" }]));
      progress.report(text("Hi"));
      progress.report(Reflect.construct(Data, [usage, "usage"]));
    };
    const { parts } = await ask();
    expectEqual(
      parts.map((part) =>
        part.type === "usage" ? [part.usage.inputTokens, part.usage.outputTokens] : part.type,
      ),
      ["reasoning-delta", "text-delta", "provider-data", [12, 3], "finish"],
      "parts",
    );
    const providerData = parts.flatMap((part) =>
      part.type === "provider-data" ? [part.data] : [],
    )[0];
    if (!providerData) throw new Error("nothing to send back");
    await ask({
      messages: [HELLO, { role: "assistant", text: "Hi", toolCalls: [], providerData }, HELLO],
    });
    const [first] = sent[1]?.content ?? [];
    expectEqual(
      [first instanceof Thinking, Reflect.get(first ?? {}, "metadata")],
      [true, { signature: "abc" }],
      "what is sent back",
    );
  });

  test("get images as data where VS Code can send them; else they are said to take none", async () => {
    const Data: unknown = Reflect.get(vscode, "LanguageModelDataPart");
    const [model] = await listLanguageModels({ vendor: "graft-one" });
    if (typeof Data !== "function") return expectEqual(model?.info.images, false, "images");
    let sent: readonly vscode.LanguageModelChatMessage[] = [];
    provider.respond = async ({ progress, messages }) => {
      sent = messages;
      progress.report(text("A dot."));
    };
    const image = { id: "a", name: "dot.png", width: 1, height: 1 };
    // VS Code decodes it on its way to the provider.
    const png = Uint8Array.from(atob(DOT), (char) => char.charCodeAt(0));
    const { said } = await ask({
      messages: [{ role: "user", text: "See?", images: [image] }],
      images: new Map([["a", png]]),
    });
    expectEqual(said, "A dot.", "the answer");
    const [words, data] = sent[0]?.content ?? [];
    expectMatch(
      words instanceof vscode.LanguageModelTextPart && words.value,
      /^See\?\s+\[.*"dot\.png" \(1 × 1 pixels\):\]$/,
      "its name",
    );
    const { mimeType, data: bytes } = Object(data);
    expectEqual(
      [data instanceof Data, mimeType, readImageHeader(bytes).ok],
      [true, "image/png", true],
      "its bytes",
    );
  });

  test("are stopped in the middle of an answer", async () => {
    const controller = new AbortController();
    let canceled = false;
    provider.respond = ({ progress, token }) =>
      new Promise((resolve) => {
        token.onCancellationRequested(() => {
          canceled = true;
          resolve();
        });
        progress.report(text("One"));
      });
    const { said, end } = await ask({
      signal: controller.signal,
      taken: ({ type }) => type === "text-delta" && controller.abort(),
    });
    expectEqual([said, end], ["One", "aborted"], "the answer");
    await eventually("the provider hears of it", () => canceled);
  });

  test("fail with a reason that says what to do", async () => {
    const failures: readonly [Error, string][] = [
      [vscode.LanguageModelError.Blocked("Too many requests."), "lm-blocked"],
      [vscode.LanguageModelError.NoPermissions(), "lm-not-permitted"],
      [vscode.LanguageModelError.NotFound(), "lm-model-gone"],
      [
        Object.assign(new Error("Your allowance is used up."), { name: "ChatQuotaExceeded" }),
        "lm-quota-spent",
      ],
      [new Error("filtered as off_topic by intent classifier"), "lm-off-topic"],
      [new Error("GPU lost"), "stream-error"],
    ];
    for (const [error, code] of failures) {
      provider.respond = async () => {
        throw error;
      };
      expectEqual((await ask()).end, code, `${error.name} ${error.message}`);
      // Words that come together with the error are lost on their way through VS Code.
      let heard = () => {};
      const words = new Promise<void>((resolve) => {
        heard = resolve;
      });
      provider.respond = async ({ progress }) => {
        progress.report(text("One"));
        await words;
        throw error;
      };
      const { said, end } = await ask({ taken: ({ type }) => type === "text-delta" && heard() });
      expectEqual([said, end], ["One", code], `${error.name} after the first words`);
    }
    provider.respond = async () => undefined;
    expectEqual((await ask()).end, "empty", "no content");
  });

  test("come with an event, and fail once they are gone", async () => {
    let fired = 0;
    const listening = onDidChangeLanguageModels(() => fired++);
    provider.models["graft-two"]?.push(modelInfo("new", true));
    provider.changed();
    await eventually("the event", () => fired > 0);
    await choice("graft-two", "new");
    listening.dispose();
    const { chat } = await choice("graft-two", "new");
    provider.models["graft-two"]?.pop();
    provider.changed();
    await eventually(
      "the model goes",
      async () => !(await listed()).some(({ info }) => info.id === "new"),
    );
    const request = { model: "new", messages: [HELLO], tools: [] };
    const codes: string[] = [];
    for await (const part of createLanguageModelClient(chat, LIMITS).stream(
      request,
      new AbortController().signal,
    ))
      codes.push(part.type === "error" ? part.error.code : part.type);
    expectEqual(codes, ["lm-model-gone"], "the answer");
  });
});
