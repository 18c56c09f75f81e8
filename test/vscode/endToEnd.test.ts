import * as vscode from "vscode";
import * as z from "zod/mini";
import type { GraftApi } from "../../src/host/activate.ts";
import type { AgentTurn } from "../../src/turns/turn.ts";
import { expectEqual, expectMatch } from "./expect.ts";

/** Provided by the harness: a model that replays a recorded answer, and the file it edits. */
const scenarioSchema = z.object({ baseUrl: z.string(), prompt: z.string(), path: z.string(), before: z.string(), after: z.string() });

suite("an edit from the request to the document", () => {
  const settings = () => vscode.workspace.getConfiguration("graft");
  let api: GraftApi;
  let scenario: z.infer<typeof scenarioSchema>;
  let document: vscode.TextDocument;

  suiteSetup(async () => {
    const folder = vscode.workspace.workspaceFolders?.[0];
    if (!folder) throw new Error("no folder is open");
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder.uri, "graft-scenario.json")));
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

  /** Settles when every captured block of the last answer is pending. */
  async function pending(): Promise<void> {
    const chat = await api.chat();
    await new Promise<void>((resolve) => {
      const listening = chat.onEvent((event) => {
        if (event.type !== "edit-update" || event.edit.status !== "pending" || event.edit.index !== 3) return;
        listening.dispose();
        resolve();
      });
    });
  }

  test("is captured, reviewed, applied and reported through a tool call", async () => {
    const chat = await api.chat();
    const reviewed = pending();
    const turn = chat.send(scenario.prompt);
    await reviewed;
    expectEqual(document.getText(), scenario.before, "the document before it is accepted");
    await vscode.commands.executeCommand("graft.acceptFile", document.uri);
    expectEqual(await turn, "done", "the turn's end");
    expectEqual(document.getText(), scenario.after, "the document");
    expectEqual(document.isDirty, true, "left for the user to save");
    const answer = await lastAgentTurn();
    const told = answer.parts.filter((part) => part.type === "text").map((part) => part.text);
    expectMatch(told.join(""), /has been updated\. It now has \d+ lines/, "what the model says it was told");
    expectEqual([...answer.edits.values()].map((edit) => edit.status).join(), "applied,applied,applied", "states");
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand("undo");
    expectEqual(document.getText(), scenario.before, "the document after one undo");
  });

  test("works through the command for a model without tools", async () => {
    const reviewed = pending();
    await vscode.commands.executeCommand("graft.startEditMode", document.uri, scenario.prompt);
    await reviewed;
    await vscode.commands.executeCommand("graft.rejectFile", document.uri);
    const chat = await api.chat();
    while (chat.busy) await new Promise<void>((resolve) => chat.onBusy(() => resolve()));
    expectEqual(document.getText(), scenario.before, "the document after everything was rejected");
    const answer = await lastAgentTurn();
    expectEqual([...answer.edits.values()].map((edit) => edit.status).join(), "rejected,rejected,rejected", "states");
  });
});
