import { lineDiff } from "../text/lineDiff.ts";
import type { Piece, PieceInside } from "./splitText.ts";

/** The versions of one inside, with a key for each piece: the same in all versions that have it. */
export interface AlignedLevel {
  readonly versions: readonly PieceInside[];
  /** By version, in its order. */
  readonly keys: readonly (readonly string[])[];
  /** By version, where each key is in it. */
  readonly places: readonly ReadonlyMap<string, number>[];
}

/** The piece of a version under a key; null where it has none. */
export function pieceAt(
  { versions, places }: AlignedLevel,
  version: number,
  key: string,
): Piece | null {
  const at = places[version]?.get(key);
  return (at !== undefined && versions[version]?.pieces[at]) || null;
}

/** True for the key of a line outside of elements. */
export function isLineKey(key: string): boolean {
  return key.startsWith("~");
}

/**
 * Finds the same pieces in all versions, of which the first is the base: elements by kind and name,
 * lines by their texts between elements that all versions have. Null where these elements are not in
 * the same order everywhere.
 */
export function alignPieces(versions: readonly PieceInside[]): AlignedLevel | null {
  const named = versions.map(({ pieces }) => elementKeys(pieces));
  const sets = named.map((keys) => new Set(keys));
  const inAll = (key: string | null) => key !== null && sets.every((keys) => keys.has(key));
  const orders = named.map((keys) => keys.filter(inAll).join("\n"));
  if (orders.some((order) => order !== orders[0])) return null;
  const runs = versions.map(({ pieces }, at) => lineRuns(pieces, named[at] ?? [], inAll));
  const keys = runs.map((own, at) => {
    const lines = own.flatMap((run, index) => keysOfRun(run, runs[0]?.[index] ?? [], index, at));
    let line = 0;
    return (named[at] ?? []).map((key) => key ?? lines[line++] ?? "");
  });
  const places = keys.map((own) => new Map(own.map((key, at) => [key, at])));
  const [base] = places;
  const isMoved = keys.some((own) => {
    const inBase = own.map((key) => base?.get(key) ?? null).filter((at) => at !== null);
    return inBase.some((at, index) => at < (inBase[index - 1] ?? 0));
  });
  return isMoved ? null : { versions, keys, places };
}

/** Null for a line. Those of one kind and name are numbered in source order. */
function elementKeys(pieces: readonly Piece[]): readonly (string | null)[] {
  const counts = new Map<string, number>();
  return pieces.map(({ element }) => {
    if (!element) return null;
    const name = `${element.kind}:${element.name}`;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return `${name}#${count}`;
  });
}

/** The lines before each element that all versions have, and after the last one. */
function lineRuns(
  pieces: readonly Piece[],
  keys: readonly (string | null)[],
  inAll: (key: string | null) => boolean,
): readonly (readonly string[])[] {
  const runs: string[][] = [[]];
  pieces.forEach(({ element, text }, at) => {
    if (!element) runs.at(-1)?.push(text);
    else if (inAll(keys[at] ?? null)) runs.push([]);
  });
  return runs;
}

/** Lines that the base has get its keys. */
function keysOfRun(
  run: readonly string[],
  base: readonly string[],
  index: number,
  version: number,
): readonly string[] {
  const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");
  const differences = lineDiff(text(base), text(run));
  let next = 0;
  return run.map((_, at) => {
    const isNew = differences.some(
      ({ afterLines }) => afterLines.start <= at && at < afterLines.end,
    );
    if (isNew) return `~${index}+${version}#${at}`;
    for (const { beforeLines } of differences)
      if (next >= beforeLines.start && next < beforeLines.end) next = beforeLines.end;
    return `~${index}#${next++}`;
  });
}
