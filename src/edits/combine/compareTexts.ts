import type { SyntaxDocument } from "../../syntax/syntax.ts";
import { lastName } from "../elements/pathNames.ts";
import { type AlignedLevel, alignPieces, isLineKey, pieceAt } from "./alignPieces.ts";
import { type Piece, type PieceInside, splitText } from "./splitText.ts";

/** What a candidate does in a row. */
export type RowEffect = "same" | "changed" | "added" | "removed";

/** A difference that is taken from the base, or from one candidate, as a whole. */
export interface ComparedRow {
  /** Unique in the file. */
  readonly id: string;
  /**
   * An element; the lines of an element around its members (`own`); what lies outside of elements,
   * such as imports; the whole file.
   */
  readonly part: "element" | "own" | "outside" | "file";
  /** The elements it is about, each by its path in the version that has it; empty for none. */
  readonly paths: readonly string[];
  /** By candidate. */
  readonly effects: readonly RowEffect[];
  /** By candidate, the first one that has the very same there. */
  readonly sameAs: readonly number[];
}

/** Why a file is one row. */
export type WholeReason = "no-grammar" | "syntax" | "new-file" | "deleted" | "moved" | "uncertain";

/** One level of the texts: a file, or what an element holds. */
export interface ComparedLevel extends AlignedLevel {
  /** The row of its lines outside of elements; null where these are the same in all versions. */
  readonly row: string | null;
  /** By key; elements that are the same in all versions have no row. */
  readonly elements: ReadonlyMap<string, ComparedElement>;
}

interface ComparedElement {
  readonly row: string | null;
  readonly inside: ComparedLevel | null;
}

/** What candidates make of one file. */
export interface Comparison {
  /** Null where there is no file. The first one is the base. */
  readonly texts: readonly (string | null)[];
  readonly rows: readonly ComparedRow[];
  /** Null where the file is one row, for a reason. */
  readonly level: ComparedLevel | null;
  readonly whole: WholeReason | null;
}

/** Opens a text of the file; null without a grammar, or where it cannot be parsed. */
export type OpenText = (text: string) => Promise<SyntaxDocument | null>;

/**
 * What candidates make of a base, by element; null for a file that is not there. Only what can be
 * told for certain is told apart: all else is one row.
 */
export async function compareTexts(
  base: string | null,
  candidates: readonly (string | null)[],
  open: OpenText,
): Promise<Comparison> {
  const texts = [base, ...candidates];
  if (candidates.every((text) => text === base))
    return { texts, rows: [], level: null, whole: null };
  const whole = (reason: WholeReason): Comparison => {
    const row = rowOf("file", "file", [], texts);
    return { texts, rows: [row], level: null, whole: reason };
  };
  if (base === null) return whole("new-file");
  const versions: PieceInside[] = [];
  // Most versions are another one's text.
  const known = new Map<string, PieceInside>();
  for (const text of texts) {
    if (text === null) return whole("deleted");
    const split = known.get(text) ?? (await openPieces(text, open));
    if (typeof split === "string") return whole(split);
    known.set(text, split);
    versions.push(split);
  }
  const aligned = alignPieces(versions);
  if (!aligned) return whole("moved");
  const rows = new Map<string, ComparedRow>();
  const level = compareLevel(aligned, "", null, rows);
  const tied = tieMoved(rows, level);
  return { texts, rows: [...tied.rows.values()], level: tied.level, whole: null };
}

/** The pieces of a text, or why it has none. */
export async function openPieces(
  text: string,
  open: OpenText,
): Promise<PieceInside | Exclude<WholeReason, "new-file" | "deleted" | "moved">> {
  const document = await open(text);
  if (!document) return "no-grammar";
  try {
    return document.errorCount() > 0 ? "syntax" : (splitText(document) ?? "uncertain");
  } finally {
    document.dispose();
  }
}

function compareLevel(
  aligned: AlignedLevel,
  prefix: string,
  path: string | null,
  rows: Map<string, ComparedRow>,
): ComparedLevel {
  const { versions, keys } = aligned;
  const own = versions.map((_, at) => ownText(aligned, at));
  const isSame = own.every((text) => text === own[0]);
  const row = isSame ? null : `${prefix}/`;
  if (row !== null)
    rows.set(row, rowOf(row, path === null ? "outside" : "own", path === null ? [] : [path], own));
  const all = [...new Set(keys.flat())].filter((key) => !isLineKey(key));
  const pieces = new Map(
    all.map((key) => [key, versions.map((_, at) => pieceAt(aligned, at, key))]),
  );
  const groups = uncertainGroups(pieces);
  const elements = new Map<string, ComparedElement>();
  for (const [key, found] of pieces) {
    const texts = found.map((piece) => piece?.text ?? null);
    const group = groups.get(key);
    if (group ? elements.has(key) : texts.every((text) => text === texts[0])) continue;
    if (group) {
      const id = `${prefix}/${group[0] ?? key}`;
      const each = group.map((one) => pieces.get(one) ?? []);
      const joined = versions.map((_, at) => {
        const parts = each.flatMap((one) => one[at]?.text ?? []);
        return parts.length === 0 ? null : JSON.stringify(parts);
      });
      const isChanged = joined.some((text) => text !== joined[0]);
      if (isChanged) rows.set(id, rowOf(id, "element", each.flatMap(pathsOf), joined));
      for (const one of group) elements.set(one, { row: isChanged ? id : null, inside: null });
      continue;
    }
    const id = `${prefix}/${key}`;
    const inside = insideOf(found, id, rows);
    if (!inside) rows.set(id, rowOf(id, "element", pathsOf(found), texts));
    elements.set(key, { row: inside ? null : id, inside });
  }
  return { ...aligned, row, elements };
}

/** The members of an element that all versions have, as far as they can be told apart. */
function insideOf(
  found: readonly (Piece | null)[],
  id: string,
  rows: Map<string, ComparedRow>,
): ComparedLevel | null {
  const versions: PieceInside[] = [];
  for (const piece of found) {
    if (!piece?.inside || piece.inside.style !== found[0]?.inside?.style) return null;
    versions.push(piece.inside);
  }
  if (versions.every(({ pieces }) => pieces.every(({ element }) => element === null))) return null;
  const aligned = alignPieces(versions);
  return aligned && compareLevel(aligned, id, found[0]?.element?.path ?? "", rows);
}

/**
 * Elements of one name that cannot be told from each other in all versions, such as overloads of
 * which one was added: by key, all keys of the name.
 */
function uncertainGroups(
  pieces: ReadonlyMap<string, readonly (Piece | null)[]>,
): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const [key, found] of pieces) {
    const name = found.find((piece) => piece !== null)?.element?.name ?? "";
    names.set(name, [...(names.get(name) ?? []), key]);
  }
  const groups = [...names.values()].filter((keys) => {
    const isEverywhere = keys.every((key) => {
      const heads = (pieces.get(key) ?? []).map((piece) => piece?.element?.head);
      return heads.every((head) => head !== undefined && head === heads[0]);
    });
    return keys.length > 1 && !isEverywhere;
  });
  return new Map(groups.flatMap((keys) => keys.map((key) => [key, keys] as const)));
}

/**
 * What one version lacks in one place and has in another one may have moved: both are one row, so
 * that it is neither lost nor there twice.
 */
function tieMoved(
  rows: ReadonlyMap<string, ComparedRow>,
  level: ComparedLevel,
): { readonly rows: ReadonlyMap<string, ComparedRow>; readonly level: ComparedLevel } {
  const places = [...placesOf(level)];
  const into = new Map<string, string>();
  const target = (row: string): string => {
    const next = into.get(row);
    return next === undefined ? row : target(next);
  };
  for (const { name, row, there } of places)
    for (const other of places) {
      if (other.name !== name || target(other.row) === target(row)) continue;
      const hasMoved = there.some(
        (is, at) => there[0] && !is && !other.there[0] && other.there[at],
      );
      if (hasMoved) into.set(target(other.row), target(row));
    }
  if (into.size === 0) return { rows, level };
  const tied = new Map<string, ComparedRow>();
  for (const [id, row] of rows) {
    const kept = tied.get(target(id));
    tied.set(target(id), kept ? joinRows(kept, row) : { ...row, id: target(id) });
  }
  return { rows: tied, level: withRows(level, target) };
}

/** Elements that not all versions have, with their rows and in which versions they are. */
function* placesOf(level: ComparedLevel): Generator<{
  readonly name: string;
  readonly row: string;
  readonly there: readonly boolean[];
}> {
  for (const [key, { row, inside }] of level.elements) {
    if (inside) yield* placesOf(inside);
    if (row === null) continue;
    const found = level.versions.map((_, at) => pieceAt(level, at, key));
    const element = found.find((piece) => piece !== null)?.element;
    if (element && found.includes(null))
      yield {
        name: `${element.kind}:${lastName(element.name)}`,
        row,
        there: found.map((piece) => piece !== null),
      };
  }
}

function withRows(level: ComparedLevel, target: (row: string) => string): ComparedLevel {
  const elements = [...level.elements].map(
    ([key, { row, inside }]) =>
      [key, { row: row && target(row), inside: inside && withRows(inside, target) }] as const,
  );
  return { ...level, elements: new Map(elements) };
}

function joinRows(one: ComparedRow, other: ComparedRow): ComparedRow {
  const effects = one.effects.map((effect, at) => {
    const second = other.effects[at] ?? "same";
    return effect === second ? effect : "changed";
  });
  const sameAs = one.sameAs.map((_, at) =>
    one.sameAs.findIndex(
      (first, index) => first === one.sameAs[at] && other.sameAs[index] === other.sameAs[at],
    ),
  );
  return { ...one, paths: [...new Set([...one.paths, ...other.paths])], effects, sameAs };
}

/** The versions of a row: the base, then the candidates. */
function rowOf(
  id: string,
  part: ComparedRow["part"],
  paths: readonly string[],
  [base = null, ...candidates]: readonly (string | null)[],
): ComparedRow {
  const effects = candidates.map((text): RowEffect => {
    if (text === base) return "same";
    return base === null ? "added" : text === null ? "removed" : "changed";
  });
  const sameAs = candidates.map((text) => candidates.indexOf(text));
  return { id, part, paths: [...new Set(paths)], effects, sameAs };
}

function pathsOf(found: readonly (Piece | null)[]): readonly string[] {
  const path = found.find((piece) => piece !== null)?.element?.path;
  return path === undefined ? [] : [path];
}

/**
 * What a version has besides elements: two are equal where lines, the places of lines between
 * elements of all versions, and the white space between neighbors of the base are.
 */
function ownText({ versions, keys, places }: AlignedLevel, version: number): string {
  const own = versions[version];
  const [base] = versions;
  const [baseKeys = []] = keys;
  const ownKeys = keys[version] ?? [];
  const gaps = [...ownKeys, ""].flatMap((key, at) => {
    const inBase = key === "" ? baseKeys.length : (places[0]?.get(key) ?? -1);
    const isNeighbor = inBase >= 0 && baseKeys[inBase - 1] === ownKeys[at - 1];
    const gap = own?.gaps[at] ?? "";
    return isNeighbor && gap !== base?.gaps[inBase] ? [[key, gap]] : [];
  });
  const lines = ownKeys.flatMap((key, at) =>
    isLineKey(key) ? [[key, own?.pieces[at]?.text]] : [],
  );
  return JSON.stringify([own?.head, own?.tail, lines, gaps]);
}
