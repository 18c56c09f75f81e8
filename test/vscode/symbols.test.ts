import * as vscode from "vscode";
import * as z from "zod/mini";
import type { GraftApi } from "../../src/host/activate.ts";
import { createVscodeSymbolSource } from "../../src/host/workspace/vscodeSymbolSource.ts";
import { VscodeWorkspace } from "../../src/host/workspace/vscodeWorkspace.ts";
import type { FileSymbol } from "../../src/ports/symbolSource.ts";
import { eventually, expectEqual, expectMatch } from "./expect.ts";

const never = new AbortController().signal;

const CRATE = `crate Fruit {
  # Red or green.
  @fresh
  pick apple {
    red
  }

  pick pear { }
}

crate Nuts {
  pick apple { }
}
`;

type Told = vscode.DocumentSymbol[] | vscode.SymbolInformation[];

function rangeOf(document: vscode.TextDocument, from: string, to: string, after = 0): vscode.Range {
  const start = document.getText().indexOf(from, after);
  const end = document.getText().indexOf(to, start) + to.length;
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

/** What a language server would report about the crates above. */
function crates(document: vscode.TextDocument): vscode.DocumentSymbol[] {
  const symbol = (name: string, kind: vscode.SymbolKind, range: vscode.Range) => {
    const selected = rangeOf(document, name, name, document.offsetAt(range.start));
    return new vscode.DocumentSymbol(name, "", kind, range, selected);
  };
  const fruit = symbol("Fruit", vscode.SymbolKind.Class, rangeOf(document, "crate Fruit", "\n}"));
  const nuts = symbol("Nuts", vscode.SymbolKind.Class, rangeOf(document, "crate Nuts", "\n}"));
  const behindNuts = document.getText().indexOf("crate Nuts");
  fruit.children.push(
    symbol("apple", vscode.SymbolKind.Method, rangeOf(document, "pick apple", "\n  }")),
    symbol("pear", vscode.SymbolKind.Method, rangeOf(document, "pick pear", "}")),
  );
  nuts.children.push(symbol("apple", vscode.SymbolKind.Method, rangeOf(document, "pick apple", "}", behindNuts)));
  return [fruit, nuts];
}

/** Each symbol's name, kind, first and last line, then its children. */
function drawn(symbols: readonly FileSymbol[] | null, text: string): readonly (readonly unknown[])[] | undefined {
  return symbols?.map(({ name, kind, range, children }) => {
    const lines = text.slice(range.start, range.end).split("\n");
    return [name, kind, lines[0], lines.at(-1), ...(drawn(children, text) ?? [])];
  });
}

suite("the outline of a file without a grammar", () => {
  const first = vscode.workspace.workspaceFolders?.[0];
  if (!first) throw new Error("no folder is open");
  const scratch = vscode.Uri.joinPath(first.uri, "scratch-symbols");
  const workspace = new VscodeWorkspace(null);
  const write = (name: string, text: string) =>
    vscode.workspace.fs.writeFile(vscode.Uri.joinPath(scratch, name), new TextEncoder().encode(text));
  const provide = (pattern: string, told: (document: vscode.TextDocument) => vscode.ProviderResult<Told>) =>
    vscode.languages.registerDocumentSymbolProvider({ pattern }, { provideDocumentSymbols: (document) => told(document) });
  const fruitAndNuts = [
    [
      "Fruit",
      "class",
      "crate Fruit {",
      "}",
      ["apple", "method", "pick apple {", "  }"],
      ["pear", "method", "pick pear { }", "pick pear { }"],
    ],
    ["Nuts", "class", "crate Nuts {", "}", ["apple", "method", "pick apple { }", "pick apple { }"]],
  ];

  suiteTeardown(async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await vscode.workspace.fs.delete(scratch, { recursive: true });
  });

  test("comes from another extension, as a tree", async () => {
    await write("tree.crate", CRATE);
    const provider = provide("**/tree.crate", crates);
    const told = await createVscodeSymbolSource(workspace).symbols("scratch-symbols/tree.crate", CRATE, never);
    provider.dispose();
    expectEqual(drawn(told, CRATE), fruitAndNuts, "symbols");
  });

  test("is built from a flat list, with any line ends", async () => {
    await write("list.crate", CRATE.replaceAll("\n", "\r\n"));
    const provider = provide("**/list.crate", (document) => {
      const flat = (symbols: readonly vscode.DocumentSymbol[]): vscode.SymbolInformation[] =>
        symbols.flatMap(({ name, kind, range, children }) => [
          new vscode.SymbolInformation(name, kind, "", new vscode.Location(document.uri, range)),
          ...flat(children),
        ]);
      expectMatch(document.getText(), /\r\n/, "line ends");
      return flat(crates(document));
    });
    const told = await createVscodeSymbolSource(workspace).symbols("scratch-symbols/list.crate", CRATE, never);
    provider.dispose();
    expectEqual(drawn(told, CRATE), fruitAndNuts, "symbols");
  });

  test("is requested again until a language server has started", async () => {
    await write("late.jl", CRATE);
    const asked = createVscodeSymbolSource(workspace).symbols("scratch-symbols/late.jl", CRATE, never);
    const { uri } = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(scratch, "late.jl"));
    for (let question = 0; question < 3; question++) {
      const nothing = await vscode.commands.executeCommand<unknown>("vscode.executeDocumentSymbolProvider", uri);
      expectEqual(nothing ?? [], [], "symbols before there is a language server");
    }
    const provider = provide("**/late.jl", crates);
    const told = await asked;
    provider.dispose();
    expectEqual(drawn(told, CRATE), fruitAndNuts, "symbols");
  });

  test("is unavailable for another text, an unknown file, and after cancellation", async () => {
    await write("other.crate", CRATE);
    await write("unknown.crate", CRATE);
    const stop = new AbortController();
    const other = provide("**/other.crate", crates);
    const endless = provide("**/endless.crate", () => {
      stop.abort();
      return new Promise<Told>(() => undefined);
    });
    await write("endless.crate", CRATE);
    const source = createVscodeSymbolSource(workspace);
    const asked = await Promise.all([
      source.symbols("scratch-symbols/other.crate", `${CRATE}\n`, never),
      source.symbols("scratch-symbols/unknown.crate", CRATE, never),
      source.symbols("scratch-symbols/missing.crate", CRATE, never),
      source.symbols("../other.crate", CRATE, never),
      source.symbols("scratch-symbols/endless.crate", CRATE, stop.signal),
    ]);
    other.dispose();
    endless.dispose();
    expectEqual(asked, [null, null, null, null, null], "symbols");
  });

  test("comes from VS Code's own language server for SCSS", async () => {
    const text = "$gap: 4px;\n\n.card,\n.tile {\n  .title { color: red; }\n}\n\n@mixin wide($by) {\n  width: $by;\n}\n";
    await write("card.scss", text);
    const source = createVscodeSymbolSource(workspace);
    const told = await eventually("the symbols of SCSS", () => source.symbols("scratch-symbols/card.scss", text, never));
    expectEqual(
      drawn(told, text)?.map(([name, , first, last]) => [name, first, last]),
      [
        ["$gap", "$gap: 4px", "$gap: 4px"],
        [".card", ".card,", "}"],
        [".tile", ".tile {", "}"],
        ["wide", "@mixin wide($by) {", "}"],
      ],
      "symbols",
    );
  });

  suite("in edit mode", () => {
    const scenarioSchema = z.object({ baseUrl: z.string() });
    const settings = () => vscode.workspace.getConfiguration("graft");
    const file = vscode.Uri.joinPath(scratch, "edited.crate");
    let api: GraftApi;
    let provider: vscode.Disposable;

    suiteSetup(async () => {
      const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(first.uri, "graft-scenario.json"));
      const { baseUrl } = scenarioSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
      await write("edited.crate", CRATE);
      provider = provide("**/edited.crate", crates);
      const extension = vscode.extensions.getExtension<GraftApi>("graft-edits.graft");
      if (!extension) throw new Error("the extension is not installed");
      api = await extension.activate();
      await settings().update("baseUrl", baseUrl, vscode.ConfigurationTarget.Global);
      await settings().update("model", "test-model", vscode.ConfigurationTarget.Global);
      await vscode.commands.executeCommand("graft.newChat");
    });

    suiteTeardown(async () => {
      provider.dispose();
      await settings().update("baseUrl", undefined, vscode.ConfigurationTarget.Global);
      await settings().update("model", undefined, vscode.ConfigurationTarget.Global);
    });

    test("gives the model paths, applies a block, and lists candidates for an ambiguous one", async () => {
      const chat = await api.chat();
      const block = (address: string, body: string) => `\`\`\`crate:ast-path:${address}\n${body}\n\`\`\`\n`;
      const answers = [
        { toolCalls: [{ name: "edit_mode", args: { file_path: "scratch-symbols/edited.crate", use_line_numbers: false } }] },
        { text: `${block("Fruit-apple", "  pick plum {\n  }")}\n${block("apple", "x")}\n${block("Nuts-apple:after", "pick almond { }")}` },
      ];
      const captured = new Promise<void>((resolve) => {
        const listening = chat.onEvent((event) => {
          if (event.type !== "edit-update" || event.edit.status !== "pending" || event.edit.index !== 3) return;
          listening.dispose();
          resolve();
        });
      });
      const turn = chat.send(`Edit the crates.\nANSWERS: ${JSON.stringify(answers)}`);
      await captured;
      await vscode.commands.executeCommand("graft.acceptFile", file);
      expectEqual(await turn, "done", "the turn's end");
      const document = await vscode.workspace.openTextDocument(file);
      const expected = CRATE.replace("  @fresh\n  pick apple {\n    red\n  }", "  pick plum {\n  }").replace(
        "pick apple { }\n}",
        "pick apple { }\n  pick almond { }\n}",
      );
      expectEqual(document.getText(), expected, "the document");
      const answer = chat.tree.turns.get(chat.tree.headTurnId ?? "");
      if (answer?.role !== "agent") throw new Error("the chat does not end with an answer");
      expectMatch(
        [...answer.toolCalls.values()][0]?.output,
        /Outline \(AST paths\):\nFruit {2}class 1-9\nFruit-apple {2}method 3-6\n/,
        "the outline",
      );
      expectMatch(
        [...answer.toolCalls.values()][0]?.output,
        /there is no grammar for this kind of file: `@imports` does not work/,
        "the restriction",
      );
      const report = answer.parts.filter((part) => part.type === "edit-report").map((part) => part.text);
      expectMatch(report.join("\n"), /ambiguous.*`Fruit-apple` .*`Nuts-apple` \(method, line \d+: /, "the report");
    });
  });
});
