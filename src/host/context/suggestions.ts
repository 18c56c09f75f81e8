import * as vscode from "vscode";
import { searchPaths } from "../../base/text/fuzzyPaths.ts";
import { visibleLine } from "../../base/text/visibleText.ts";
import type { CodeSymbol, LanguageServices } from "../../ports/languageServices.ts";
import type { Suggestion } from "../../protocol/messages.ts";
import { webAddress } from "../../tools/web/web.ts";
import { type AttachmentRef, MAX_NAME } from "../../turns/attachment.ts";
import { attachmentLabel } from "../../turns/messages.ts";
import { t } from "../localize.ts";
import { openTabs, type RecentFiles } from "../workspace/vscodeEditorState.ts";
import { activeFileRef } from "./activeFileRef.ts";
import { type PendingText, problemCount } from "./attachedText.ts";
import type { FileList } from "./fileList.ts";
import { hasUncommittedChanges } from "./gitRepositories.ts";
import { problemTotal } from "./messages.ts";

/** The most suggestions to show per kind. */
const MAX_FILES = 20;
const MAX_SYMBOLS = 15;
const MAX_HUNKS = 8;
/** The shortest query for which language extensions are asked for symbols. */
const SYMBOL_QUERY = 2;

/** The sources of the suggestions. */
export interface SuggestionSources {
  readonly files: FileList;
  readonly recent: RecentFiles;
  readonly services: Pick<LanguageServices, "findSymbols">;
  /** True where pages of the web can be read. */
  readonly hasWeb: boolean;
  pending(): readonly PendingText[];
}

/** Receives a list that may still grow until `complete`. */
export type Suggest = (items: Suggestion[], complete: boolean) => void;

/**
 * Suggests attachments that match `query`. First come those already known, then new files and Git
 * changes. Last come symbols, because language extensions may be slow to find them. Never rejects
 * and stops when `signal` aborts.
 */
export async function suggestContext(
  query: string,
  sources: SuggestionSources,
  suggest: Suggest,
  signal: AbortSignal,
): Promise<void> {
  const { files, services, hasWeb } = sources;
  if (/^https?:/i.test(query)) {
    suggest(hasWeb ? pageItems(query) : [], true);
    return;
  }
  const listed = files.paths;
  const known = fileItems(query, sources);
  suggest([...known, ...otherItems(query, sources, false)], false);
  const symbols =
    query.length < SYMBOL_QUERY ? null : services.findSymbols(query, signal).catch(() => null);
  const [changed] = await Promise.all([hasUncommittedChanges(), files.refresh()]);
  if (signal.aborted) return;
  const found = files.paths === listed ? known : fileItems(query, sources);
  const others = otherItems(query, sources, changed);
  suggest([...found, ...others], symbols === null);
  if (symbols === null) return;
  const named = await symbols;
  if (!signal.aborted)
    suggest([...found, ...symbolItems(named?.ok ? named.value : []), ...others], true);
}

/** The address that is typed. */
function pageItems(query: string): Suggestion[] {
  const address = webAddress(query);
  if (address === null || !address.hostname.includes(".") || query.length > MAX_NAME) return [];
  const { href: name } = address;
  const ref: AttachmentRef = { kind: "url", path: null, lines: null, name, text: null };
  return [{ ...suggestionOf(ref, t("Page of the web")), insert: `${name} ` }];
}

function symbolItems(symbols: readonly CodeSymbol[]): readonly Suggestion[] {
  const fitting = symbols.filter(({ name }) => name.length <= MAX_NAME).slice(0, MAX_SYMBOLS);
  return fitting.map(({ name, kind, path, line }) =>
    suggestionOf(
      { kind: "symbol", path, lines: { first: line, last: line }, name, text: null },
      `${kind} · ${visibleLine(path)}:${line}`,
    ),
  );
}

function fileItems(query: string, { files, recent }: SuggestionSources): readonly Suggestion[] {
  const tabs = recent.sorted(openTabs().map(({ path }) => path));
  const paths = query.trim() === "" ? tabs : searchPaths(files.paths ?? [], query, MAX_FILES);
  return paths.map((path) => {
    const isFolder = path.endsWith("/");
    const place = isFolder ? path.slice(0, -1) : path;
    const folder = place.slice(0, Math.max(0, place.lastIndexOf("/")));
    return suggestionOf(
      { kind: isFolder ? "folder" : "file", path: place, lines: null, name: "", text: null },
      visibleLine(folder),
    );
  });
}

function otherItems(
  query: string,
  { pending }: SuggestionSources,
  changed: boolean,
): readonly Suggestion[] {
  const other = (kind: AttachmentRef["kind"], detail: string): Suggestion => ({
    ...suggestionOf({ kind, path: null, lines: null, name: "", text: null }, detail),
    insert: "",
  });
  const active = activeFileRef();
  const problems = problemCount();
  const hunks = pending().flatMap((review) =>
    review.streaming ? [] : review.hunks().map((hunk) => ({ path: review.path, ...hunk })),
  );
  const items: readonly (Suggestion | null)[] = [
    active?.kind === "selection" ? suggestionOf(active, t("Selection")) : null,
    problems > 0 ? other("problems", problemTotal(t, problems)) : null,
    changed ? other("changes", t("Not committed yet")) : null,
    openTabs().length > 1 ? other("editors", t("Their paths")) : null,
    ...hunks.slice(0, MAX_HUNKS).map(({ path, id, proposed }) => {
      const lines = { first: proposed.start + 1, last: Math.max(proposed.start + 1, proposed.end) };
      return suggestionOf({ kind: "hunk", path, lines, name: id, text: null }, t("Pending change"));
    }),
    vscode.window.activeTerminal ? other("terminal", t("Selection in the terminal")) : null,
    { ...other("image", t("Choose a file")), label: t("Image…") },
  ];
  const wanted = query.toLowerCase();
  return items.flatMap((item) =>
    item && `${item.label} ${item.detail}`.toLowerCase().includes(wanted) ? [item] : [],
  );
}

/** Accepting a suggestion named after a file keeps its name in the text. */
function suggestionOf(ref: AttachmentRef, detail: string): Suggestion {
  const label = attachmentLabel(ref, t);
  return { label, detail, ref, insert: ref.kind === "hunk" ? "" : `@${label} ` };
}
