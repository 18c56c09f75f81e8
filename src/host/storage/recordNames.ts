/** Whose records those are that were brought from a place of earlier versions. */
export const ADOPTED = "adopted";

/** The file name of the claim with this number. */
export function claimName(number: number): string {
  return `lease-${number}.json`;
}

/** The number of a claim; null for another file. */
export function claimNumber(name: string): number | null {
  const match = /^lease-(\d{1,12})\.json$/.exec(name);
  return match ? Number(match[1]) : null;
}

/** The file name of a holder's record. */
export function recordName(holder: string, id: string): string {
  return `${holder}.${id}.json`;
}

/** Whose record a file is; null for another file. */
export function recordOwner(name: string): string | null {
  return /^([\w-]+)\.[\w-]+\.json$/.exec(name)?.[1] ?? null;
}
