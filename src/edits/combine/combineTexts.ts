import { err, ok, type Result } from "../../base/result.ts";
import { alignPieces, isLineKey, pieceAt } from "./alignPieces.ts";
import { type ComparedLevel, type Comparison, type OpenText, openPieces } from "./compareTexts.ts";
import { joinPieces, type Piece, type PieceInside } from "./splitText.ts";

/** The candidate that each row is taken from, from 0 on, by the row's id; null for the base. */
export type RowChoices = ReadonlyMap<string, number | null>;

/** Why choices cannot be put together. */
export type CombineError =
  /** A syntax error that neither the base nor a candidate has. */
  | { readonly code: "syntax" }
  /** Together, this element, or what is outside of elements (null), would not be as chosen. */
  | { readonly code: "not-as-chosen"; readonly path: string | null };

/** The version of a row: 0 is the base. */
type VersionOf = (row: string | null) => number;

/**
 * The text with each row as chosen, null for no file; a row without a choice stays as in the base.
 * What several candidates add at one place follows their order, after lines outside of elements. The
 * result is read again, and refused where it does not have exactly the chosen elements.
 */
export async function combineTexts(
  comparison: Comparison,
  choices: RowChoices,
  open: OpenText,
): Promise<Result<string | null, CombineError>> {
  const { texts, rows, level } = comparison;
  // Of candidates that differ in white space alone, the one that the user chose.
  const named = [...choices.values()].filter((choice) => choice !== null);
  const versions = [...named.map((choice) => choice + 1), ...texts.keys()];
  const whole = versions.find((version) => rows.every((row) => isAsIn(row, version, choices)));
  if (whole !== undefined) return ok(texts[whole] ?? null);
  if (!level) return err({ code: "not-as-chosen", path: null });
  const chosen = assemble(level, (row) => {
    const candidate = row === null ? null : (choices.get(row) ?? null);
    return candidate === null ? 0 : candidate + 1;
  });
  if (!chosen) return err({ code: "not-as-chosen", path: null });
  const text = joinPieces(chosen);
  const found = await openPieces(text, open);
  if (found === "syntax") return err({ code: "syntax" });
  if (typeof found === "string") return err({ code: "not-as-chosen", path: null });
  const wrong = firstDifference(chosen, found);
  return wrong ? err({ code: "not-as-chosen", path: wrong.path }) : ok(text);
}

/** Whether what is chosen for a row is what a version has there: 0 is the base. */
function isAsIn(
  { id, effects, sameAs }: Comparison["rows"][number],
  version: number,
  choices: RowChoices,
): boolean {
  const choice = choices.get(id) ?? null;
  const isBase = choice === null || effects[choice] === "same";
  if (version === 0) return isBase;
  if (effects[version - 1] === "same") return isBase;
  return choice !== null && sameAs[choice] === sameAs[version - 1];
}

/** Puts the chosen pieces together; null where no version says what stands between two of them. */
function assemble(level: ComparedLevel, versionOf: VersionOf): PieceInside | null {
  const own = versionOf(level.row);
  const frame = level.versions[own];
  const chosen = new Map<string, { readonly piece: Piece; readonly version: number }>();
  const sourceOf = (key: string) =>
    isLineKey(key) ? own : versionOf(level.elements.get(key)?.row ?? null);
  for (const key of new Set(level.keys.flat())) {
    const version = sourceOf(key);
    const inside = level.elements.get(key)?.inside;
    const found = pieceAt(level, version, key);
    if (!found) continue;
    const inner = inside ? assemble(inside, versionOf) : null;
    if (inside && !inner) return null;
    const piece = inner ? { ...found, text: joinPieces(inner), inside: inner } : found;
    chosen.set(key, { piece, version });
  }
  const order = orderOf(level, own, (key) => chosen.get(key)?.version ?? null);
  const pieces: Piece[] = [];
  const gaps: string[] = [];
  let before = "";
  for (const key of [...order, ""]) {
    const versions = [own, sourceOf(key), sourceOf(before)];
    const gap = gapBetween(level, before, key, key === "" ? [own, versions[2] ?? 0] : versions);
    if (gap === null) return null;
    gaps.push(gap);
    const piece = chosen.get(key)?.piece;
    if (piece) pieces.push(piece);
    before = key;
  }
  return frame ? { ...frame, pieces, gaps } : null;
}

/** The chosen keys in order: those of the base, and what others add where they have it. */
function orderOf(
  { versions, keys }: ComparedLevel,
  own: number,
  versionOf: (key: string) => number | null,
): readonly string[] {
  const order = (keys[0] ?? []).map((key) => ({ key, from: 0 }));
  const known = new Map(order.map(({ key, from }) => [key, from]));
  const insert = (version: number, isMeant: (key: string) => boolean) => {
    /** The last key so far that shows the place of the next one. */
    let above: string | null = null;
    for (const key of keys[version] ?? []) {
      if (isMeant(key) && !known.has(key) && versionOf(key) === version) {
        const last = above;
        let place = order.findIndex((each) => each.key === last) + 1;
        for (let next = order[place]; next && next.from > 0 && next.from !== version; )
          next = order[++place];
        order.splice(place, 0, { key, from: version });
        known.set(key, version);
      }
      const from = known.get(key);
      if (from === 0 || from === version) above = key;
    }
  };
  insert(own, isLineKey);
  for (const version of versions.keys()) insert(version, (key) => !isLineKey(key));
  return order.flatMap(({ key }) => (versionOf(key) === null ? [] : [key]));
}

/**
 * What stands between two pieces, "" for the beginning or the end: as in one of the `preferred`
 * versions, else in any; where they are neighbors in none, what the second one has before it, or the
 * first one after it.
 */
function gapBetween(
  { versions, keys, places }: ComparedLevel,
  before: string,
  after: string,
  preferred: readonly number[],
): string | null {
  const all = [...preferred, ...versions.keys()];
  /** The gap at a place of a version that has it, if `isIt` holds for the keys around. */
  const find = (
    placeIn: (version: number) => number | undefined,
    isIt: (before: string, after: string) => boolean,
  ) => {
    for (const version of all) {
      const own = keys[version] ?? [];
      const at = placeIn(version);
      if (at !== undefined && isIt(own[at - 1] ?? "", own[at] ?? ""))
        return versions[version]?.gaps[at] ?? null;
    }
    return null;
  };
  const ofAfter = (version: number) =>
    after === "" ? keys[version]?.length : places[version]?.get(after);
  const ofBefore = (version: number) => {
    const at = before === "" ? -1 : places[version]?.get(before);
    return at === undefined ? undefined : at + 1;
  };
  return (
    find(ofAfter, (one) => one === before) ??
    find(ofAfter, (one) => (one === "") === (before === "")) ??
    find(ofBefore, (_, other) => (other === "") === (after === "")) ??
    find(ofAfter, () => true)
  );
}

/** The first element, or line outside of elements (null), that differs from what was chosen. */
function firstDifference(
  chosen: PieceInside,
  found: PieceInside,
): { readonly path: string | null } | null {
  const aligned = alignPieces([chosen, found]);
  if (!aligned) return { path: null };
  if (chosen.head !== found.head || chosen.tail !== found.tail) return { path: null };
  const [wanted = [], read = []] = aligned.keys;
  for (const key of new Set([...wanted, ...read])) {
    const [one, other] = [pieceAt(aligned, 0, key), pieceAt(aligned, 1, key)];
    const path = one?.element?.path ?? other?.element?.path ?? null;
    if (one?.text !== other?.text) return { path };
    const inner = one?.inside && other?.inside ? firstDifference(one.inside, other.inside) : null;
    if (inner) return { path: inner.path ?? path };
  }
  return null;
}
