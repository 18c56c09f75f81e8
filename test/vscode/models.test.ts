import * as vscode from "vscode";
import * as z from "zod/mini";
import type { GraftApi } from "../../src/host/activate.ts";
import { expectEqual, expectMatch } from "./expect.ts";

const networkSchema = z.object({
  secure: z.string(),
  untrusted: z.string(),
  proxy: z.string(),
  closedProxy: z.string(),
});
const scenarioSchema = z.object({
  baseUrl: z.string(),
  host: z.enum(["node", "web"]),
  network: networkSchema,
});

suite("Choose Model", () => {
  const settings = () => vscode.workspace.getConfiguration("graft");
  let scenario: z.infer<typeof scenarioSchema>;

  suiteSetup(async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    if (!folder) throw new Error("no folder is open");
    const bytes = await vscode.workspace.fs.readFile(
      vscode.Uri.joinPath(folder.uri, "graft-scenario.json"),
    );
    scenario = scenarioSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  });
  teardown(() => settings().update("connections", undefined, vscode.ConfigurationTarget.Global));
  suiteTeardown(() => vscode.commands.executeCommand("graft.chooseModel", { source: "demo" }));

  async function openChat() {
    const api = await vscode.extensions.getExtension<GraftApi>("graft-edits.graft")?.activate();
    if (!api) throw new Error("the extension is not installed");
    const chat = await api.chat();
    const turn = () => {
      const head =
        chat.tree.headTurnId === null ? undefined : chat.tree.turns.get(chat.tree.headTurnId);
      return head?.role === "agent" ? head : null;
    };
    return {
      chat,
      answer: () => JSON.stringify(turn()?.parts ?? []),
      error: () => turn()?.error ?? null,
    };
  }

  test("sends the next question to the chosen model of a connection, and to nobody once the connection is gone", async () => {
    const { chat, answer, error } = await openChat();
    await settings().update(
      "connections",
      [{ name: "Test", kind: "other", baseUrl: scenario.baseUrl, models: ["a", "b"] }],
      vscode.ConfigurationTarget.Global,
    );
    await vscode.commands.executeCommand("graft.chooseModel", { connection: "Test", model: "b" });
    expectEqual(
      await chat.send('Who are you?\nANSWERS: [{ "text": "I am b." }]'),
      "done",
      "the turn's end",
    );
    expectMatch(answer(), /I am b\./, "who answered");
    await settings().update("connections", undefined, vscode.ConfigurationTarget.Global);
    expectEqual(await chat.send("And you?"), "error", "the next turn's end");
    expectEqual(error()?.code ?? "", "connection-gone", "why nobody answered");
  });

  test("reaches a model through VS Code's proxy, with the certificates of this machine, and names what stands in the way", async function () {
    // A browser has a network of its own.
    if (scenario.host === "web") this.skip();
    const { chat, answer, error } = await openChat();
    const http = vscode.workspace.getConfiguration("http");
    const { secure, untrusted, proxy, closedProxy } = scenario.network;
    /** What the model behind `origin` answers, or why it does not. */
    const ask = async (origin: string, through: string, except: readonly string[] = []) => {
      await http.update("proxy", through || undefined, vscode.ConfigurationTarget.Global);
      await http.update(
        "noProxy",
        except.length > 0 ? except : undefined,
        vscode.ConfigurationTarget.Global,
      );
      const connections = [
        { name: "Company", kind: "vllm", baseUrl: `${origin}/v1`, models: ["a"] },
      ];
      await settings().update("connections", connections, vscode.ConfigurationTarget.Global);
      await vscode.commands.executeCommand("graft.chooseModel", {
        connection: "Company",
        model: "a",
      });
      await chat.send(`Who are you?\nANSWERS: [{ "text": "The model." }]`);
      return error()?.code ?? (answer().includes("The model.") ? "answered" : answer());
    };
    try {
      expectEqual(
        await ask(secure, ""),
        "answered",
        "a server whose certificate the machine trusts",
      );
      expectEqual(await ask(untrusted, ""), "tls", "a server whose certificate nobody trusts");
      expectEqual(
        await ask("https://models.test", proxy),
        "answered",
        "a name that only the proxy knows",
      );
      expectEqual(await ask(secure, closedProxy), "proxy-login", "a proxy that wants a password");
      expectEqual(
        await ask(secure, closedProxy, ["127.0.0.2"]),
        "answered",
        "a server that http.noProxy names",
      );
      expectEqual(
        await ask(secure, "http://127.0.0.1:9"),
        "proxy-refused",
        "a proxy that is not there",
      );
    } finally {
      await http.update("proxy", undefined, vscode.ConfigurationTarget.Global);
      await http.update("noProxy", undefined, vscode.ConfigurationTarget.Global);
    }
  });
});
