import * as vscode from "vscode";
import { canGoOn, NewProblemsOffer } from "../../src/host/panel/newProblemsOffer.ts";
import { applyTurnEvent, emptyTree } from "../../src/turns/turnReducer.ts";
import { TurnScript } from "../fakes/turns/turnScript.ts";
import { eventually, expectEqual, expectMatch } from "./expect.ts";

function folder(): vscode.Uri {
  const first = vscode.workspace.workspaceFolders?.[0];
  if (!first) throw new Error("no folder is open");
  return first.uri;
}

suite("new errors after accept", () => {
  const scratch = vscode.Uri.joinPath(folder(), "scratch-problems");
  const linter = vscode.languages.createDiagnosticCollection("test");
  const CHAT = "chat-1";
  let offer: NewProblemsOffer;
  let sent: string[] = [];
  let sendsUnasked = false;
  let document: vscode.TextDocument;
  let files = 0;

  suiteSetup(() => {
    offer = new NewProblemsOffer(
      (text) => {
        sent.push(text);
        offer.turnBegan(CHAT);
      },
      () => sendsUnasked,
    );
  });

  suiteTeardown(async () => {
    offer.dispose();
    linter.dispose();
    await vscode.workspace.fs.delete(scratch, { recursive: true });
  });

  setup(async () => {
    sent = [];
    sendsUnasked = false;
    offer.turnBegan(CHAT);
    const uri = vscode.Uri.joinPath(scratch, `file-${++files}.txt`);
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode("one\ntwo\n"));
    document = await vscode.workspace.openTextDocument(uri);
  });

  teardown(async () => {
    linter.clear();
    await document.save();
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  /** The linter reports these errors, and everyone has heard of it. */
  async function report(...messages: string[]): Promise<void> {
    const reported = new Promise<void>((resolve) => {
      const listening = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        if (!uris.some((uri) => uri.toString() === document.uri.toString())) return;
        listening.dispose();
        resolve();
      });
    });
    const range = new vscode.Range(0, 0, 0, 1);
    linter.set(
      document.uri,
      messages.map((message) => new vscode.Diagnostic(range, message)),
    );
    await reported;
  }

  async function change(text: string): Promise<void> {
    const { version } = document;
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), text);
    await vscode.workspace.applyEdit(edit);
    await eventually("the change", () => document.version > version);
  }

  async function accept(text = "accepted "): Promise<void> {
    await change(text);
    offer.acceptedInto(
      {
        path: vscode.workspace.asRelativePath(document.uri, false),
        uri: document.uri.toString(),
      },
      CHAT,
    );
  }

  const offered = () =>
    offer.offered.flatMap(({ problems }) => problems.map(({ message }) => message));

  test("are offered while the language extension reports them, over several accepts, until the user types", async () => {
    await accept();
    await report("maybe old");
    expectEqual(offered(), [], "where nothing checked the file before");
    await accept();
    expectEqual(offered(), [], "before the linter answers");
    await report("maybe old", "new", "another");
    expectEqual(offered(), ["new", "another"], "on offer");
    await report("maybe old");
    expectEqual(offered(), [], "after they are fixed");
    await report("maybe old", "first");
    await accept();
    await report("maybe old", "first", "second");
    expectEqual(offered(), ["first", "second"], "after another accept");
    await change("typed ");
    await report("the user's");
    expectEqual(offered(), [], "after typing");
    await accept();
    expectEqual(offered(), [], "after an accept that follows");
    await report("the user's", "new");
    expectEqual(offered(), ["new"], "on offer again");
  });

  test("go to the chat three times in a row at most, until the user writes", async () => {
    await report();
    for (const round of [1, 2, 3]) {
      await accept();
      await report(...Array.from({ length: round }, () => "new"));
      offer.fix();
      expectEqual(sent.length, round, "messages");
    }
    expectMatch(sent[0], /^- scratch-problems\/file-\d+\.txt:1: new$/m, "the message");
    await accept();
    await report("new", "new", "new", "new");
    expectEqual(offered(), [], "after three rounds");
    offer.turnBegan(CHAT);
    await accept();
    await report("new", "new", "new", "new", "new");
    expectEqual(offered(), ["new"], "after the user's message");
  });

  test("go to the chat unasked where and when that is allowed, as often at most, and not to one that works, waits or was stopped", async () => {
    await report();
    await accept();
    await report("new");
    expectEqual(sent, [], "while it is not allowed");
    sendsUnasked = true;
    offer.update();
    expectEqual(sent.length, 1, "messages once it is");
    for (const round of [2, 3, 4]) {
      await accept();
      await report(...Array.from({ length: round }, () => "new"));
    }
    expectEqual(sent.length, 3, "messages in a row");
    const stopped = new TurnScript().ask("Change").end("cancelled");
    const ended = new TurnScript().ask("Change").end();
    const chat = (
      script: TurnScript,
      busy = false,
      queued: readonly { id: string; text: string }[] = [],
    ) => {
      const tree = emptyTree();
      for (const event of script.events) applyTurnEvent(tree, event);
      return canGoOn({ busy, queued, tree });
    };
    expectEqual(
      [
        chat(ended),
        chat(ended, true),
        chat(ended, false, [{ id: "1", text: "Wait" }]),
        chat(stopped),
      ],
      [true, false, false, false],
      "whether a chat goes on that is done, works, has messages waiting, or was stopped",
    );
  });
});
