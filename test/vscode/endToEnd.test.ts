import * as vscode from "vscode";
import * as z from "zod/mini";
import type { GraftApi } from "../../src/host/activate.ts";
import type { AgentTurn } from "../../src/turns/turn.ts";
import { eventually, expectEqual, expectMatch } from "./expect.ts";

/** Provided by the harness: a model that replays a recorded answer, and the file it edits. */
const scenarioSchema = z.object({
  baseUrl: z.string(),
  prompt: z.string(),
  path: z.string(),
  before: z.string(),
  after: z.string(),
});

suite("an edit from the request to the document", () => {
  const settings = () => vscode.workspace.getConfiguration("graft");
  let api: GraftApi;
  let scenario: z.infer<typeof scenarioSchema>;
  let document: vscode.TextDocument;

  suiteSetup(async () => {
    const folder = vscode.workspace.workspaceFolders?.[0];
    if (!folder) throw new Error("no folder is open");
    const text = new TextDecoder().decode(
      await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder.uri, "graft-scenario.json")),
    );
    scenario = scenarioSchema.parse(JSON.parse(text));
    const file = vscode.Uri.joinPath(folder.uri, scenario.path);
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(scenario.before));
    document = await vscode.workspace.openTextDocument(file);
    await vscode.window.showTextDocument(document);
    const extension = vscode.extensions.getExtension<GraftApi>("graft-edits.graft");
    if (!extension) throw new Error("the extension is not installed");
    api = await extension.activate();
    await settings().update("baseUrl", scenario.baseUrl, vscode.ConfigurationTarget.Global);
    await settings().update("model", "test-model", vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand("graft.newChat");
  });

  suiteTeardown(async () => {
    await settings().update("baseUrl", undefined, vscode.ConfigurationTarget.Global);
    await settings().update("model", undefined, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  async function lastAgentTurn(): Promise<AgentTurn> {
    const { tree } = await api.chat();
    const turn = tree.headTurnId === null ? undefined : tree.turns.get(tree.headTurnId);
    if (turn?.role !== "agent") throw new Error("the chat does not end with an answer");
    return turn;
  }

  /** What the model says in its last answer; it repeats what it was told. */
  async function lastWords(): Promise<string> {
    const { parts } = await lastAgentTurn();
    return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  }

  const states = ({ edits }: AgentTurn) => [...edits.values()].map(({ status }) => status).join();

  test("is proposed while the turn goes on, accepted later, and reported with the next request", async () => {
    const chat = await api.chat();
    expectEqual(await chat.send(scenario.prompt), "done", "the turn's end");
    const answer = await lastAgentTurn();
    expectEqual(states(answer), "pending,pending,pending", "states when the turn is over");
    expectMatch(
      await lastWords(),
      /3 changes to '.*' are proposed and not accepted yet/,
      "what the model says it was told",
    );
    expectEqual(document.getText(), scenario.before, "the document before it is accepted");
    await vscode.commands.executeCommand("graft.acceptFile", document.uri);
    expectEqual(document.getText(), scenario.after, "the document");
    expectEqual(states(answer), "applied,applied,applied", "states");
    expectEqual(await chat.send("What did I decide?"), "done", "the next turn's end");
    expectMatch(
      await lastWords(),
      /since you were told last:\n(- '.*', lines? [-\d]+: accepted\n?){3}/,
      "what the model says it was told",
    );
    expectEqual(await chat.send("And now?"), "done", "the last turn's end");
    expectMatch(
      await lastWords(),
      /^(?!.*since you were told)/s,
      "what the model says it was told again",
    );
    // The focus goes to the chat after the last decision, perhaps later than to the document.
    await eventually("the undo to reach the document", async () => {
      await vscode.window.showTextDocument(document);
      if (document.getText() === scenario.after) await vscode.commands.executeCommand("undo");
      return document.getText() !== scenario.after;
    });
    expectEqual(document.getText(), scenario.before, "the document after one undo");
  });

  test("works through the command for a model without tools", async () => {
    await vscode.commands.executeCommand("graft.startEditMode", document.uri, scenario.prompt);
    const chat = await api.chat();
    await eventually("the turn to be over", () => {
      const turn = chat.tree.turns.get(chat.tree.headTurnId ?? "");
      const isProposed = turn?.role === "agent" && states(turn) === "pending,pending,pending";
      return isProposed && !chat.busy;
    });
    await vscode.commands.executeCommand("graft.rejectFile", document.uri);
    expectEqual(document.getText(), scenario.before, "the document after everything was rejected");
    expectEqual(states(await lastAgentTurn()), "rejected,rejected,rejected", "states");
  });
});
