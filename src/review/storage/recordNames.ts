/** Whose records those are that were brought from a place of earlier versions. */
export const ADOPTED = "adopted";

/** The file name of the claim with this number. */
export function claimName(number: number): string {
  return `lease-${number}.json`;
}

/** The highest number of a claim, far beyond what windows that take turns for years get to. */
export const MOST_CLAIMS = 1_000_000_000;

/** The number of a claim; null for another file, also one named like a claim. */
export function claimNumber(name: string): number | null {
  const number = Number(/^lease-(\d{1,10})\.json$/.exec(name)?.[1]);
  return number >= 1 && number <= MOST_CLAIMS && name === claimName(number) ? number : null;
}

/** True for a name like a claim's that no claim of Graft's has. */
export function isStrayClaim(name: string): boolean {
  return /^lease-.*\.json$/i.test(name) && claimNumber(name) === null;
}

/** The file name of a holder's record. */
export function recordName(holder: string, id: string): string {
  return `${holder}.${id}.json`;
}

/** Whose record a file is; null for another file. */
export function recordOwner(name: string): string | null {
  return parts(name)?.[1] ?? null;
}

/** The id of the proposal whose record a file is; null for another file. */
export function recordId(name: string): string | null {
  return parts(name)?.[2] ?? null;
}

function parts(name: string): RegExpExecArray | null {
  return /^([\w-]+)\.([\w-]+)\.json$/.exec(name);
}
