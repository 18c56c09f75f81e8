import type { ComparedAnswers, ComparedPart } from "../../src/protocol/candidateMessages.ts";
import type { TurnCandidate } from "../../src/turns/turn.ts";

/** What is taken of each row, by {@link rowKey}: a candidate, from 0 on; rows without one stay. */
export type Choices = ReadonlyMap<string, number>;

/** One version of a row that the user can take. */
export interface RowVersion {
  /** The first of the candidates that have it; null for the file as it is. */
  readonly candidate: number | null;
  readonly effect: ComparedPart["effects"][number];
  /** All candidates that have it, from 0 on. */
  readonly candidates: readonly number[];
}

/** Tells the rows of all files apart. */
export function rowKey(path: string, { id }: Pick<ComparedPart, "id">): string {
  return JSON.stringify([path, id]);
}

/** The versions of a row: the file as it is, then each one that a candidate has first. */
export function rowVersions({ effects, sameAs }: ComparedPart): readonly RowVersion[] {
  const all = [...effects.keys()];
  const kept = all.filter((at) => effects[at] === "same");
  const others = all.filter((at) => effects[at] !== "same" && sameAs[at] === at);
  return [
    { candidate: null, effect: "same", candidates: kept },
    ...others.map((candidate) => ({
      candidate,
      effect: effects[candidate] ?? "same",
      candidates: all.filter((at) => sameAs[at] === candidate),
    })),
  ];
}

/** Takes everything from one candidate. */
export function takeAll(files: readonly ComparedAnswers[], candidate: number): Choices {
  return new Map(
    files.flatMap(({ path, rows }) =>
      rows.flatMap((row) => {
        const version = rowVersions(row).find(({ candidates }) => candidates.includes(candidate));
        return version?.candidate == null ? [] : [[rowKey(path, row), version.candidate] as const];
      }),
    ),
  );
}

/**
 * What is chosen at first: everything of the only model that proposes something, else nothing. Parts
 * of several models that nobody chose together seldom fit together.
 */
export function firstChoices(
  files: readonly ComparedAnswers[],
  candidates: readonly TurnCandidate[],
): Choices {
  const [only, ...others] = [...candidates.keys()].filter((at) => proposes(candidates[at]));
  return only === undefined || others.length > 0 ? new Map() : takeAll(files, only);
}

/** True for a candidate that makes something of a file. */
export function proposes(candidate: TurnCandidate | undefined): boolean {
  return (candidate?.end?.files.length ?? 0) > 0;
}
