import * as vscode from "vscode";
import * as z from "zod/mini";
import { abortable } from "../../base/abortable.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { splitLines, type TextLine } from "../../base/text/lines.ts";
import { sentence } from "../../base/text/sentence.ts";
import type { CodePlace, CodeSymbol, Diagnostic, LanguageServices } from "../../ports/languageServices.ts";
import { fileErrorMessage } from "../../ports/messages.ts";
import type { FileRef } from "../../ports/workspace.ts";
import { symbolKind } from "./parseSymbols.ts";
import type { VscodeWorkspace } from "./vscodeWorkspace.ts";

/** The most places to look at. */
const MAX_PLACES = 500;

const uriSchema = z.custom<vscode.Uri>((value) => value instanceof vscode.Uri);
const start = z.object({ line: z.number() });

/** What other extensions return: a `SymbolInformation` and a `Location`. */
const symbolSchema = z.object({
  name: z.string(),
  kind: z.number(),
  containerName: z.optional(z.string()),
  location: z.object({ uri: uriSchema, range: z.optional(z.object({ start })) }),
});
const locationSchema = z.object({ uri: uriSchema, range: z.object({ start }) });

const SEVERITIES = ["error", "warning", "information", "hint"] as const;

/** VS Code's language extensions, without results outside the workspace. */
export function createVscodeLanguageServices(workspace: VscodeWorkspace): LanguageServices {
  async function insidePath(uri: vscode.Uri): Promise<string | null> {
    const file = await workspace.resolveUri(uri);
    return file.ok ? file.value.path : null;
  }

  async function linesOf(file: FileRef, signal: AbortSignal): Promise<readonly TextLine[]> {
    const read = await workspace.read(file, signal);
    if (!read.ok) throw new Error(fileErrorMessage(read.error));
    return splitLines(read.value.text);
  }

  return {
    findSymbols: (name, signal) =>
      asked("The editor's symbol search failed", async () => {
        const found = await ask("vscode.executeWorkspaceSymbolProvider", signal, name);
        const symbols: CodeSymbol[] = [];
        for (const symbol of parsed(symbolSchema, found).slice(0, MAX_PLACES)) {
          const path = await insidePath(symbol.location.uri);
          if (path === null) continue;
          const line = (symbol.location.range?.start.line ?? 0) + 1;
          symbols.push({ name: symbol.name, kind: symbolKind(symbol.kind), container: symbol.containerName || null, path, line });
        }
        return symbols;
      }),

    findReferences: (file, line, character, signal) =>
      asked("The editor's search for references failed", async () => {
        const uri = vscode.Uri.parse(file.uri, true);
        await vscode.workspace.openTextDocument(uri);
        const found = await ask("vscode.executeReferenceProvider", signal, uri, new vscode.Position(line, character));
        const places: CodePlace[] = [];
        const texts = new Map<string, readonly TextLine[]>();
        for (const location of parsed(locationSchema, found).slice(0, MAX_PLACES)) {
          if (signal.aborted) break;
          const place = await workspace.resolveUri(location.uri);
          if (!place.ok) continue;
          const { path } = place.value;
          const lines = texts.get(path) ?? (await linesOf(place.value, signal));
          texts.set(path, lines);
          const number = Math.min(location.range.start.line, lines.length - 1);
          places.push({ path, line: number + 1, text: lines[number]?.text ?? "" });
        }
        return places;
      }),

    diagnostics: (file) =>
      asked("The editor's problems could not be read", async () => {
        const uri = file && vscode.Uri.parse(file.uri, true);
        // Most language extensions only check files that were opened.
        if (uri) await vscode.workspace.openTextDocument(uri);
        const all = uri ? [[uri, vscode.languages.getDiagnostics(uri)] as const] : vscode.languages.getDiagnostics();
        const diagnostics: Diagnostic[] = [];
        for (const [place, found] of all) {
          const path = found.length === 0 ? null : await insidePath(place);
          if (path !== null) diagnostics.push(...found.map((each) => diagnosticOf(path, each)));
        }
        return diagnostics;
      }),
  };
}

function ask(command: string, signal: AbortSignal, ...args: readonly unknown[]): Promise<unknown> {
  return abortable(vscode.commands.executeCommand<unknown>(command, ...args), signal);
}

async function asked<T>(failure: string, work: () => Promise<T>): Promise<Result<T, string>> {
  try {
    return ok(await work());
  } catch (error) {
    return err(`${failure}: ${sentence(error)}`);
  }
}

function parsed<Schema extends z.ZodMiniType>(schema: Schema, found: unknown): readonly z.infer<Schema>[] {
  if (!Array.isArray(found)) return [];
  return found.flatMap((each: unknown) => {
    const result = schema.safeParse(each);
    return result.success ? [result.data] : [];
  });
}

/** A problem that VS Code shows in the workspace file `path`. */
export function diagnosticOf(path: string, { range, severity, source, code, message }: vscode.Diagnostic): Diagnostic {
  const number = typeof code === "object" ? code.value : code;
  return {
    path,
    line: range.start.line + 1,
    severity: SEVERITIES[severity] ?? "error",
    source: [source, number].filter((part) => part !== undefined && part !== "").join(" "),
    message,
  };
}
