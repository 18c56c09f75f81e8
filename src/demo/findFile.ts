import { type DemoAnswer, sayOnly } from "./demoAnswer.ts";
import type { DemoIntent } from "./demoIntent.ts";
import type { DemoTranscript, FinishedCall } from "./demoTranscript.ts";
import { isEditableName, namedFile } from "./sourcePath.ts";

/** The file to work on, or the answer that looks for it (or gives up). */
export type FoundFile = { readonly path: string } | { readonly answer: DemoAnswer };

const MAX_LISTINGS = 4;
const SKIPPED_FOLDERS = /^(?:\.|node_modules|dist|out|build|coverage|test|tests|docs|venv)/i;

/** Finds the file: named in the request, active in the editor, the earlier one, the one that declares the name, the first in the folders. */
export function findFile(transcript: DemoTranscript, intent: DemoIntent, tools: ReadonlySet<string>): FoundFile {
  const { request, activeFile, earlierFile, calls } = transcript;
  const named = namedFile(request);
  const searched = calls.find((call) => call.name === "search_in_files");
  if (searched) {
    const hit = matchedFile(searched.result);
    if (hit) return { path: hit };
    if (named) return { answer: sayOnly(`I find no file \`${named}\` in this workspace.`) };
  }
  if (named) {
    // A bare name may stand for a file in any folder.
    const failed = calls.some((call) => call.name === "read_file" && /^Error \(not-found\)/.test(call.result));
    if (!failed || searched || !tools.has("search_in_files")) return { path: named };
    return look(`There is no \`${named}\` at that place, so I search for it.`, "search_in_files", {
      pattern: "\\S",
      is_regexp: true,
      include: `**/${named.slice(named.lastIndexOf("/") + 1)}`,
    });
  }
  if (activeFile) return { path: activeFile };
  if (intent.kind === "rename" && !searched && tools.has("search_in_files")) {
    const name = intent.from.slice(intent.from.lastIndexOf(".") + 1).replaceAll("$", "\\$");
    return look(`You name no file, so I search for \`${intent.from}\`.`, "search_in_files", {
      pattern: `\\b(function|class|interface|def|const|let)\\s+${name}\\b`,
      is_regexp: true,
      case_sensitive: true,
    });
  }
  if (earlierFile) return { path: earlierFile };
  return tools.has("list_directory")
    ? browse(calls)
    : { answer: sayOnly("Tell me the file, for example `src/app.ts`, or open it in the editor and ask again.") };
}

function look(text: string, name: string, args: Readonly<Record<string, unknown>>): FoundFile {
  return { answer: { text, calls: [{ name, args }] } };
}

function matchedFile(result: string): string | null {
  const paths = [...result.matchAll(/^(.+?):\d+\t/gm)].map((match) => match[1] ?? "");
  return paths.find(isEditableName) ?? paths[0] ?? null;
}

/** Walks the folders breadth first until one holds a file to work on. */
function browse(calls: readonly FinishedCall[]): FoundFile {
  const listings = calls.filter((call) => call.name === "list_directory");
  const folders: string[] = [];
  for (const { args, result } of listings) {
    const folder = typeof args.path === "string" && args.path !== "." ? `${args.path}/` : "";
    const names = result.startsWith("Error ") ? [] : result.split("\n").map((line) => line.trim());
    const file = names.find(isEditableName);
    if (file) return { path: folder + file };
    folders.push(...names.filter((name) => name.endsWith("/") && !SKIPPED_FOLDERS.test(name)).map((name) => folder + name.slice(0, -1)));
  }
  if (listings.length === 0) return look("You name no file, so I look for one.", "list_directory", { path: "." });
  const visited = new Set(listings.map((call) => call.args.path));
  const next = folders.find((folder) => !visited.has(folder));
  if (next === undefined || listings.length >= MAX_LISTINGS) {
    return { answer: sayOnly("I find no TypeScript, JavaScript or Python file here. Open one in the editor and ask again.") };
  }
  return look(`Not here; I look into \`${next}\`.`, "list_directory", { path: next });
}
