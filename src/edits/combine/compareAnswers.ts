import { err, ok, type Result } from "../../base/result.ts";
import type { Syntax } from "../../syntax/syntax.ts";
import type { CandidateFile } from "../../turns/candidates/candidateEvents.ts";
import type { TurnCandidate } from "../../turns/turn.ts";
import { mergeTexts } from "../text/mergeTexts.ts";
import { type CombineError, combineTexts, type RowChoices } from "./combineTexts.ts";
import { type Comparison, compareTexts } from "./compareTexts.ts";

/** What several models make of one file. */
export interface ComparedFile {
  readonly path: string;
  /** Its candidates are those of the turn, in order. One that leaves the file alone has its base. */
  readonly comparison: Comparison;
  /**
   * The candidates, from 0 on, that are left out, since they changed lines that the user changed
   * between their answers.
   */
  readonly leftOut: readonly number[];
}

/** The files that the models of a turn change, by element. */
export async function compareAnswers(
  candidates: readonly TurnCandidate[],
  syntax: Pick<Syntax, "openFile">,
  signal: AbortSignal,
): Promise<readonly ComparedFile[]> {
  const all = candidates.map(({ end }) => end?.files ?? []);
  const paths = [...new Set(all.flat().map(({ path }) => path))].sort();
  const compared: ComparedFile[] = [];
  for (const path of paths) {
    const files = all.map((own) => own.find((file) => file.path === path) ?? null);
    const base = files.find((file) => file !== null)?.base ?? null;
    const texts = files.map((file) => (file ? textFrom(base, file) : ok(base)));
    const comparison = await compareTexts(
      base,
      texts.map((text) => (text.ok ? text.value : base)),
      (text) => syntax.openFile(path, "", text, signal),
    );
    const leftOut = texts.flatMap((text, at) => (text.ok ? [] : [at]));
    compared.push({ path, comparison, leftOut });
  }
  return compared;
}

/** What a candidate makes of a base that the user may have changed before it began. */
function textFrom(
  base: string | null,
  { base: own, text }: CandidateFile,
): Result<string | null, "conflict"> {
  if (own === base) return ok(text);
  if (own === null || base === null || text === null) return err("conflict");
  const merged = mergeTexts(own, base, text);
  return merged.ok ? ok(merged.value) : err("conflict");
}

/**
 * The files as the user chose them, by path and row; those that stay as they are are left out. The
 * error names the file whose choices cannot be put together.
 */
export async function combineAnswers(
  files: readonly ComparedFile[],
  choices: ReadonlyMap<string, RowChoices>,
  syntax: Pick<Syntax, "openFile">,
  signal: AbortSignal,
): Promise<
  Result<readonly CandidateFile[], { readonly path: string; readonly why: CombineError }>
> {
  const combined: CandidateFile[] = [];
  for (const { path, comparison } of files) {
    const [base = null] = comparison.texts;
    const open = (text: string) => syntax.openFile(path, "", text, signal);
    const text = await combineTexts(comparison, choices.get(path) ?? new Map(), open);
    if (!text.ok) return err({ path, why: text.error });
    if (text.value !== base) combined.push({ path, base, text: text.value });
  }
  return ok(combined);
}
