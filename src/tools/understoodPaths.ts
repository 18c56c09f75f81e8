import { ok } from "../base/result.ts";
import type { ToolName } from "../turns/toolNames.ts";
import { fileError } from "./files/fileToolError.ts";
import { meantGlob } from "./meantGlob.ts";
import { meantPath, type SeenPaths } from "./meantPath.ts";
import { NOTES } from "./notes.ts";
import type { PreparedCall, Tool, ToolError, ToolResult } from "./tool.ts";

/** The arguments that are paths, whatever tool has them. */
const PATHS: readonly string[] = [
  ...["file_path", "path", "file_paths", "paths", "working_directory", "folder"],
];
/** The arguments that select files by a glob. */
const GLOBS: readonly string[] = ["glob", "include", "exclude"];
/** Tools with paths under other names. */
const MOVES: ReadonlySet<string> = new Set<ToolName>(["rename_file", "copy_file"]);
/** The arguments that may name what does not exist yet. */
const NEW: ReadonlySet<string> = new Set<`${ToolName | "edit_file"} ${string}`>([
  ...(["edit_mode file_path", "create_file file_path", "create_directory path"] as const),
  ...(["rename_file to", "copy_file to", "edit_file file_path"] as const),
]);
/** The most paths of one call that are looked at. */
const MOST_PATHS = 50;

/**
 * `tool` with the paths in its arguments as the model means them, see {@link meantPath}. Its result
 * says where that is not what was written.
 */
export function withUnderstoodPaths(tool: Tool, seen: SeenPaths): Tool {
  const names = [...PATHS, ...GLOBS, ...(MOVES.has(tool.name) ? ["from", "to"] : [])];
  return {
    ...tool,
    prepare(input, t) {
      const prepared = tool.prepare(input, t);
      const given = prepared.ok ? pathsIn(input, names) : [];
      if (!prepared.ok || given.length === 0) return prepared;
      const meant = async (signal: AbortSignal) => {
        const understood = await understand(seen, tool.name, given, signal);
        if (!understood.ok) return understood;
        const { changed } = understood;
        if (changed.size === 0) return prepared;
        const again = tool.prepare(replaced(input, names, changed), t);
        return again.ok ? ok(withNote(again.value, changed)) : again;
      };
      return ok({ ...prepared.value, meant });
    },
  };
}

interface GivenPath {
  readonly argument: string;
  readonly written: string;
}

type Understood =
  | { readonly ok: true; readonly changed: ReadonlyMap<string, string> }
  | { readonly ok: false; readonly error: ToolError };

async function understand(
  seen: SeenPaths,
  tool: string,
  given: readonly GivenPath[],
  signal: AbortSignal,
): Promise<Understood> {
  const changed = new Map<string, string>();
  for (const { argument, written } of given) {
    const meant = GLOBS.includes(argument)
      ? await meantGlob(seen, written, signal)
      : await meantPath(seen, written, NEW.has(`${tool} ${argument}`), signal);
    if (!meant.ok) return { ok: false, error: fileError(meant.error) };
    const from = given.find((each) => each.argument === "from")?.written ?? "";
    // A file may get a name that looks like its own.
    const isOwn = argument === "to" && (changed.get(from) ?? from) === meant.value;
    if (meant.value === written || isOwn) continue;
    changed.set(written, meant.value);
  }
  return { ok: true, changed };
}

function pathsIn(input: unknown, names: readonly string[]): readonly GivenPath[] {
  if (typeof input !== "object" || input === null) return [];
  return Object.entries(input)
    .flatMap(([argument, value]) =>
      names.includes(argument)
        ? listOf(value).flatMap((written) => (written === "" ? [] : [{ argument, written }]))
        : [],
    )
    .slice(0, MOST_PATHS);
}

function listOf(value: unknown): readonly string[] {
  return [value].flat().filter((each) => typeof each === "string");
}

function replaced(
  input: unknown,
  names: readonly string[],
  changed: ReadonlyMap<string, string>,
): unknown {
  const put = (value: unknown) =>
    typeof value === "string" ? (changed.get(value) ?? value) : value;
  return Object.fromEntries(
    Object.entries(Object(input)).map(([name, value]): [string, unknown] => {
      if (!names.includes(name)) return [name, value];
      return [name, Array.isArray(value) ? value.map(put) : put(value)];
    }),
  );
}

function withNote(call: PreparedCall, changed: ReadonlyMap<string, string>): PreparedCall {
  const note = [...changed]
    .filter(([written, meant]) => unmarked(meant) !== written)
    .map(([written, meant]) => NOTES.understood(written, meant))
    .join("\n");
  return {
    ...call,
    async run(context) {
      return noted(await call.run(context), note);
    },
  };
}

/** A glob without the signs that make it literal. */
function unmarked(glob: string): string {
  return glob.replace(/\[([[{*?])\]/g, "$1").replace(/^\//, "");
}

function noted(result: ToolResult, note: string): ToolResult {
  if (note === "") return result;
  if (result.ok) return { ...result, output: `${note}\n${result.output}` };
  return { ...result, error: { ...result.error, message: `${note} ${result.error.message}` } };
}
