import fs from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import * as z from "zod/mini";
import { type AppliedMessage, applyMessage } from "../../src/edits/propose/applyMessage.ts";
import { createSyntax } from "../../src/syntax/createSyntax.ts";
import { nodeGrammarSource } from "../fakes/editor/nodeGrammarSource.ts";
import { RecordingLogger } from "../fakes/recordingLogger.ts";
import { fileSnapshot } from "../fakes/workspace/fileSnapshot.ts";
import { alarmsTable, OF_RULES, RuleAlarms } from "./ruleAlarms.ts";

/**
 * Edits of recorded sessions; `dev` beside the repository unless GRAFT_REAL_EDITS names another
 * file.
 */
const DEFAULT_FILE = path.resolve("../shared/data/real-edits/dev.jsonl.gz");

const rowSchema = z.object({
  id: z.string(),
  source: z.string(),
  path: z.string(),
  before: z.string(),
  answer: z.string(),
  after: z.nullable(z.string()),
  linter: z.enum(["ok", "rejected", "unknown"]),
  label: z.string(),
  mode: z.enum(["lines", "ast"]),
  note: z.object({ lines: z.optional(z.string()), resolved: z.optional(z.unknown()) }),
});
type Row = z.infer<typeof rowSchema>;

/**
 * What the recorded session says of an edit. A name that is not defined is nothing that an edit's
 * place could tell.
 */
type Truth = "wrong" | "unclear" | "name" | "right";

const UNDONE = new Set(["dup removed later", "lost line restored later", "reindented later"]);
const DAMAGED = new Set(["indent lost", "dup above", "dup below"]);

function truthOf({ source, label, linter, note }: Row): Truth {
  if (source.startsWith("oh-my-pi") || source.startsWith("aider")) return "right";
  if (label === "syntax" || UNDONE.has(label)) return "wrong";
  if (label === "name" || label === "indent") return "name";
  if (linter === "ok" && DAMAGED.has(note.lines ?? "")) return "wrong";
  return linter === "ok" && label === "" ? "right" : "unclear";
}

interface Measured {
  readonly row: Row;
  readonly truth: Truth;
  readonly codes: readonly string[];
  /** Applied without a word, and not as the session recorded it. */
  readonly isSilentlyOther: boolean;
  /** The file with every block applied. */
  readonly text: string;
  /** The rules of the guards that warned. */
  readonly rules: ReadonlySet<string>;
}

function measured(
  row: Row,
  { text, blocks }: AppliedMessage,
  rules: ReadonlySet<string>,
): Measured {
  const codes = blocks.flatMap(({ status, code, warnings }): string[] => {
    if (warnings) return [...warnings];
    return status === "applied" ? [] : [`${status}: ${code}`];
  });
  const isSilentlyOther = codes.length === 0 && row.after !== null && text !== row.after;
  return {
    row,
    truth: truthOf(row),
    codes: blocks.length === 0 ? ["nothing captured"] : [...new Set(codes)],
    isSilentlyOther,
    text,
    rules,
  };
}

const share = (part: number, all: number) =>
  `${part} of ${all}`.padStart(13) + (all === 0 ? "" : ` ${((100 * part) / all).toFixed(1)} %`);

function printTable(title: string, rows: readonly Measured[]): void {
  console.log(`\n  ${title}`);
  for (const truth of ["wrong", "name", "unclear", "right"] as const) {
    const own = rows.filter((each) => each.truth === truth);
    if (own.length === 0) continue;
    console.log(
      `    ${truth.padEnd(8)} warned or refused ${share(own.filter(({ codes }) => codes.length > 0).length, own.length)}`,
    );
  }
  const other = rows.filter(({ isSilentlyOther }) => isSilentlyOther).length;
  console.log(`    not as recorded, without a word ${other}`);
}

function printCodes(rows: readonly Measured[]): void {
  const codes = [...new Set(rows.flatMap((each) => each.codes))].sort();
  console.log(
    "\n  code                                wrong   name  unclear  right   wrong by it alone  right by it alone",
  );
  for (const code of codes) {
    const own = rows.filter((each) => each.codes.includes(code));
    const count = (truth: Truth) =>
      String(own.filter((each) => each.truth === truth).length).padStart(7);
    const alone = (truth: Truth) =>
      String(own.filter((each) => each.truth === truth && each.codes.length === 1).length).padStart(
        17,
      );
    console.log(
      `  ${code.padEnd(33)} ${count("wrong")}${count("name")} ${count("unclear")}${count("right")}   ${alone("wrong")}  ${alone("right")}`,
    );
  }
}

/** The source, and for edits in several forms the form. */
function groupOf({ source, label }: Row): string {
  const name = source.split(/[ /]/)[0] ?? source;
  return name === "aider-swe-bench" || name === "oh-my-pi" ? label : name;
}

async function main(): Promise<void> {
  const file = process.env.GRAFT_REAL_EDITS ?? DEFAULT_FILE;
  if (!fs.existsSync(file)) {
    console.log(
      `  No recorded edits of real models at ${path.basename(file)}: GRAFT_REAL_EDITS names a file (gzip, one JSON a line).`,
    );
    return;
  }
  const lines = gunzipSync(fs.readFileSync(file)).toString("utf8").split("\n");
  const rows = lines.flatMap((line) => (line === "" ? [] : [rowSchema.parse(JSON.parse(line))]));
  const syntax = createSyntax(nodeGrammarSource(), new RecordingLogger());
  const results: Measured[] = [];
  const alarms = new RuleAlarms();
  for (const row of rows) {
    const options = { mode: row.mode, chunk: Number.MAX_SAFE_INTEGER };
    results.push(
      measured(
        row,
        await applyMessage(
          fileSnapshot(row.path, row.before),
          row.answer,
          options,
          syntax,
          new AbortController().signal,
        ),
        alarms.take(),
      ),
    );
  }
  console.log(`  ${results.length} edits that models wrote in recorded sessions.`);
  for (const group of new Set(rows.map(groupOf)))
    printTable(
      group,
      results.filter(({ row }) => groupOf(row) === group),
    );
  printTable("all", results);
  printCodes(results);
  if (process.env.GRAFT_RULES !== undefined) {
    const rows = results.map(({ truth, rules, codes }) => ({
      isWrong: truth === "wrong",
      isRight: truth === "right",
      rules,
      hasOther: codes.some((code) => !OF_RULES.has(code)),
    }));
    console.log(`\n${alarmsTable(alarms.names, rows)}`);
  }
  const details = process.env.GRAFT_REAL_DETAILS;
  if (!details) return;
  const text = results.map(({ row, rules, ...facts }) =>
    JSON.stringify({ ...facts, rules: [...rules], ...row }),
  );
  fs.writeFileSync(details, `${text.join("\n")}\n`);
}

void main();
