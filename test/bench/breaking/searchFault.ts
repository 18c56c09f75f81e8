import { proposalParts } from "../../../src/edits/review/proposalParts.ts";
import { findBreakingPart, type PartRun } from "../../../src/tools/command/findBreakingPart.ts";
import { partUsers } from "../../../src/tools/command/partNeeds.ts";
import type { CommitFile, PlantedFault } from "./plantedFault.ts";

/** A place with a project before a commit, in which a check runs. */
export interface FaultGround {
  /** Runs the check with these files, null for none, over those before. Null where it never ends. */
  check(files: ReadonlyMap<string, string | null>): Promise<PartRun | null>;
  read(path: string): Promise<string | null>;
}

/**
 * How a search for a planted fault ended. `right`: the part with the fault is named. `beside`: it is
 * marked as one that goes with the named one. `other proven`: neither, but what is said is true.
 * `wrong`: what is said is not so.
 */
export type Verdict = "right" | "beside" | "other proven" | "wrong" | "none";

/** A search, and what came of it. */
export interface SearchedFault {
  readonly name: string;
  readonly verdict: Verdict;
  readonly parts: number;
  readonly runs: number;
  /** By index: the part with the fault, and the one that is named. */
  readonly faulty: number;
  readonly named: number | null;
  /** How many parts are left out besides the one that is named. */
  readonly others: number;
  /** True where the check passes without the faulty part, alone or with those that need it. */
  readonly isProvable: boolean;
  /** The line with the fault. */
  readonly text: string;
}

/** A commit as a proposal, in parts. */
export function commitParts(files: readonly CommitFile[]) {
  return proposalParts(
    files.map(({ path, before, after }) => {
      return { file: { path, uri: `file:///w/${path}` }, real: before, proposed: after };
    }),
    [],
  );
}

/** Searches a commit for its fault as the product does; null where its check does not notice it. */
export async function searchFault(
  name: string,
  { files, path, line, text }: PlantedFault,
  ground: FaultGround,
): Promise<SearchedFault | null> {
  const { parts, texts, files: filesWith } = commitParts(files);
  const faulty = texts.findIndex(
    (part) =>
      part.path === path &&
      part.line !== null &&
      part.line <= line &&
      line < part.line + part.added.length,
  );
  const run = (isKept: (part: number) => boolean) => {
    const kept = new Map(filesWith(isKept).map((one) => [one.file.path, one.text]));
    const changed = files.filter(({ before, after }) => before !== after);
    return ground.check(
      new Map(changed.map((one) => [one.path, kept.get(one.path) ?? (one.before || null)])),
    );
  };
  const without = async (left: readonly number[]) =>
    (await run((part) => !left.includes(part)))?.passed === true;
  const whole = await run(() => true);
  if (whole === null || whole.passed || faulty < 0) return null;
  let runs = 0;
  const proposed = new Map(files.map((each) => [each.path, each.after]));
  const found = await findBreakingPart({
    parts: texts,
    output: whole.output,
    find: async (at) => {
      const text = proposed.get(at) ?? (await ground.read(at));
      return text === null ? null : { path: at, text };
    },
    run: async (isKept) => {
      runs++;
      return (await run(isKept)) ?? { passed: false, output: "" };
    },
  });
  if (found === null) return null;
  const isFound = found.code === "found";
  const others = isFound ? found.others : [];
  const isTrue = !isFound || (await without([found.part, ...others]));
  const isRight = isFound && found.part === faulty;
  return {
    ...{ name, parts: parts.length, runs, faulty, text, others: others.length },
    named: isFound ? found.part : null,
    verdict: !isFound
      ? "none"
      : !isTrue
        ? "wrong"
        : isRight
          ? "right"
          : others.includes(faulty)
            ? "beside"
            : "other proven",
    isProvable:
      isRight ||
      (await without([faulty])) ||
      (await without([faulty, ...(partUsers(texts)[faulty] ?? [])])),
  };
}
