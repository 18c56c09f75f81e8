import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import * as path from "node:path";
import { campaignRuns } from "../campaignRuns.ts";
import type { ModelStep } from "../model/modelServer.ts";
import { type TempFolder, tempFolder } from "../workspace/tempFolder.ts";
import { FIFTY_EDITS, type SameEdit } from "./fiftyEdits.ts";

/** An edit in its place among all of them. */
export interface PlacedEdit extends SameEdit {
  /** Its file, relative to the workspace. */
  readonly path: string;
}

/** A call of a tool. */
interface Call {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What became of an edit, as a host tells it. */
export interface ToldEdit {
  readonly path: string;
  readonly status: string;
  readonly reason: string | null;
  readonly warnings: readonly string[];
}

/** One of each kind: `npm test` plays these alone. */
const KINDS: readonly string[] = [
  "two elements at once",
  "a method of Python",
  "lines that moved",
  "Windows line ends in an element",
  "a new file",
  "a file anew",
  "a deletion",
  "a renaming",
  "an element cut short",
  "lines that are not there",
];

/** The edits, one of each kind first, each in a folder of its own. */
export const PLACED_EDITS: readonly PlacedEdit[] = FIFTY_EDITS.map((edit, at) => ({
  ...edit,
  path: `edit${at + 1}/${edit.file}`,
})).filter(({ name }) => campaignRuns(0, 1) === 1 || KINDS.includes(name));

/** The files before the edits. */
export function filesBefore(): Readonly<Record<string, string>> {
  const files = PLACED_EDITS.map(({ path: file, before }) => [file, before ?? ""] as const);
  return Object.fromEntries(files.filter((_, at) => PLACED_EDITS[at]?.before !== null));
}

/** A folder with {@link filesBefore}. */
export function editsFolder(): Promise<TempFolder> {
  return tempFolder(filesBefore());
}

/** Fails where a file is not, byte by byte, as every host must leave it, or is one too many. */
export function assertFilesAfter(root: string): void {
  const after = PLACED_EDITS.flatMap(({ name, path: file, before, after: text, to }) => {
    if (text === null) return [];
    const left = to ? placeOfRenamed({ path: file, to }) : file;
    return [[left, `${name}: ${text}`, name, before] as const];
  });
  const wanted = new Map(after.map(([file, text]) => [file, text]));
  const names = new Map(after.map(([file, , name]) => [file, name]));
  const found = new Map(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
      .filter((file) => file.startsWith("edit"))
      .map((file) => [
        file,
        `${names.get(file) ?? "left"}: ${readFileSync(path.join(root, file)).toString("utf8")}`,
      ]),
  );
  assert.deepEqual(new Map([...found].sort()), new Map([...wanted].sort()));
}

/** Fails where a host told another outcome of an edit than every host must. */
export function assertOutcomes(told: readonly ToldEdit[]): void {
  const outcomes = PLACED_EDITS.filter(({ edits }) => edits.length > 0).map((edit) => [
    edit.name,
    told.filter((each) => each.path === edit.path).map(outcomeOf),
  ]);
  const wanted = PLACED_EDITS.filter(({ edits }) => edits.length > 0).map((edit) => [
    edit.name,
    edit.outcomes,
  ]);
  assert.deepEqual(outcomes, wanted);
}

function outcomeOf({ status, reason, warnings }: ToldEdit): string {
  const [warning] = warnings;
  if (warning !== undefined) return warning;
  const isDone = status === "applied" || status === "pending";
  return isDone ? "done" : (reason ?? status);
}

/** The calls of an agent that has Graft's tools by MCP. */
export function guestCalls(edit: PlacedEdit): readonly Call[] {
  const { path: file_path, edits } = edit;
  if (edits.length === 0) return [operation(edit)];
  const change = { name: "edit_file", args: { file_path, edits } };
  return edit.before === null ? [change] : [readCall(edit), change];
}

/** The answers of a model that works in Graft's own chat. */
export function modelAnswers(): readonly ModelStep[] {
  let blocks = "";
  const answers = PLACED_EDITS.map((edit): ModelStep => {
    const text = blocks;
    blocks = blocksOf(edit);
    if (edit.edits.length === 0) return { text, toolCalls: [operation(edit)] };
    const activate = { name: "edit_mode", args: modeOf(edit) };
    return { text, toolCalls: edit.before === null ? [activate] : [readCall(edit), activate] };
  });
  return [...answers, { text: blocks }, { text: "All is done." }];
}

/** Where a renamed file goes. */
export function placeOfRenamed({ path: file, to }: { path: string; to: string }): string {
  return `${file.split("/")[0]}/${to}`;
}

function operation({ path: file, to }: PlacedEdit): Call {
  return to
    ? { name: "rename_file", args: { from: file, to: placeOfRenamed({ path: file, to }) } }
    : { name: "delete_file", args: { path: file } };
}

function readCall({ path: file_path }: PlacedEdit): Call {
  return { name: "read_file", args: { file_path } };
}

function modeOf({ path: file_path, edits: [first] }: PlacedEdit): Call["args"] {
  if (first?.at === undefined) return { file_path, complete_file: true };
  return { file_path, use_line_numbers: !first.at.startsWith("ast-path:") };
}

function blocksOf({ path: file, edits }: PlacedEdit): string {
  const fence = "`````";
  const body = (code: string) => (code === "" || code.endsWith("\n") ? code : `${code}\n`);
  return edits
    .map(
      ({ at, code }) =>
        `${fence}code${at === undefined ? "" : `:${at} ${file}`}\n${body(code)}${fence}\n`,
    )
    .join("\n");
}
