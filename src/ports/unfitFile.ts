/**
 * Why an entry of Graft's storage is not read: it is no plain file (a folder, link, pipe or
 * device), it is too large, another user owns it, or the system does not let Graft read it.
 */
export type UnfitReason = "not-a-file" | "too-large" | "not-own" | "no-access";

/** The error of a read that found an entry Graft cannot have written. */
export function unfitFile(
  unfit: UnfitReason,
  place: string,
): Error & { readonly unfit: UnfitReason } {
  return Object.assign(new Error(`${place} is not read: ${unfit}`), { unfit });
}

/** The reason in an error of {@link unfitFile}; null for any other error. */
export function unfitReason(error: unknown): UnfitReason | null {
  if (!(error instanceof Error) || !("unfit" in error)) return null;
  const { unfit } = error;
  return unfit === "not-a-file" ||
    unfit === "too-large" ||
    unfit === "not-own" ||
    unfit === "no-access"
    ? unfit
    : null;
}
