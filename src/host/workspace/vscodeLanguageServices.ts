import * as vscode from "vscode";
import { abortable } from "../../base/abortable.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { splitLines, type TextLine } from "../../base/text/lines.ts";
import { thrownText } from "../../base/text/sentence.ts";
import type {
  CodeLocation,
  CodeSymbol,
  Diagnostic,
  LanguageServices,
} from "../../ports/languageServices.ts";
import type { FileRef } from "../../ports/workspace.ts";
import { symbolKind } from "./symbolKind.ts";
import type { VscodeWorkspace } from "./vscodeWorkspace.ts";

/** The most results to process. */
const MAX_PLACES = 500;

const SEVERITIES = ["error", "warning", "information", "hint"] as const;

/** VS Code's language extensions, without results outside the workspace. */
export function createVscodeLanguageServices(workspace: VscodeWorkspace): LanguageServices {
  return {
    findSymbols: (name, signal) => providerResult(() => symbolsNamed(workspace, name, signal)),
    findReferences: (file, line, character, signal) =>
      providerResult(() =>
        referencesTo(workspace, file, new vscode.Position(line, character), signal),
      ),
    diagnostics: (file) => providerResult(() => diagnosticsIn(workspace, file)),
  };
}

async function symbolsNamed(
  workspace: VscodeWorkspace,
  query: string,
  signal: AbortSignal,
): Promise<readonly CodeSymbol[]> {
  const found = await runProvider<vscode.SymbolInformation>(
    "vscode.executeWorkspaceSymbolProvider",
    signal,
    query,
  );
  const symbols: CodeSymbol[] = [];
  for (const { name, kind, containerName, location } of found) {
    const path = await insidePath(workspace, location.uri);
    if (path === null) continue;
    // A provider may omit the range.
    const line = (location.range?.start.line ?? 0) + 1;
    symbols.push({
      name,
      kind: symbolKind(kind),
      container: containerName || null,
      path,
      line,
    });
  }
  return symbols;
}

async function referencesTo(
  workspace: VscodeWorkspace,
  file: FileRef,
  position: vscode.Position,
  signal: AbortSignal,
): Promise<readonly CodeLocation[]> {
  const uri = vscode.Uri.parse(file.uri, true);
  await vscode.workspace.openTextDocument(uri);
  const found = await runProvider<vscode.Location>(
    "vscode.executeReferenceProvider",
    signal,
    uri,
    position,
  );
  const places: CodeLocation[] = [];
  const texts = new Map<string, readonly TextLine[]>();
  for (const location of found) {
    if (signal.aborted) break;
    const place = await workspace.resolveUri(location.uri);
    if (!place.ok) continue;
    const { path } = place.value;
    const lines = texts.get(path) ?? (await linesOfFile(workspace, place.value, signal));
    texts.set(path, lines);
    const { line } = location.range.start;
    places.push({ path, line: line + 1, text: lines[line]?.text ?? "" });
  }
  return places;
}

async function diagnosticsIn(
  workspace: VscodeWorkspace,
  file: FileRef | null,
): Promise<readonly Diagnostic[]> {
  const uri = file && vscode.Uri.parse(file.uri, true);
  // Most language extensions check only files that were opened.
  if (uri) await vscode.workspace.openTextDocument(uri);
  const all = uri
    ? [[uri, vscode.languages.getDiagnostics(uri)] as const]
    : vscode.languages.getDiagnostics();
  const diagnostics: Diagnostic[] = [];
  for (const [place, found] of all) {
    const path = found.length === 0 ? null : await insidePath(workspace, place);
    if (path !== null) diagnostics.push(...found.map((each) => diagnosticOf(path, each)));
  }
  return diagnostics;
}

async function insidePath(workspace: VscodeWorkspace, uri: vscode.Uri): Promise<string | null> {
  const file = await workspace.resolveUri(uri);
  return file.ok ? file.value.path : null;
}

/** Empty if the file cannot be read, because the results in other files are still useful. */
async function linesOfFile(
  workspace: VscodeWorkspace,
  file: FileRef,
  signal: AbortSignal,
): Promise<readonly TextLine[]> {
  const read = await workspace.read(file, signal);
  return read.ok ? splitLines(read.value.text) : [];
}

/** Runs a VS Code provider command. Returns at most {@link MAX_PLACES} results. */
async function runProvider<Place>(
  command: string,
  signal: AbortSignal,
  ...args: readonly unknown[]
): Promise<readonly Place[]> {
  const found = await abortable(
    vscode.commands.executeCommand<Place[] | undefined>(command, ...args),
    signal,
  );
  return found?.slice(0, MAX_PLACES) ?? [];
}

async function providerResult<T>(work: () => Promise<T>): Promise<Result<T, string>> {
  try {
    return ok(await work());
  } catch (error) {
    return err(thrownText(error));
  }
}

/** A problem that VS Code shows in the workspace file `path`. */
export function diagnosticOf(
  path: string,
  { range, severity, source, code, message }: vscode.Diagnostic,
): Diagnostic {
  const number = typeof code === "object" ? code.value : code;
  return {
    path,
    line: range.start.line + 1,
    severity: SEVERITIES[severity] ?? "error",
    source: [source, number].filter((part) => part !== undefined && part !== "").join(" "),
    message,
  };
}
