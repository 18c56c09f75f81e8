/**
 * What the lenses of a proposal begin with or hold. All tests under load find them by these words
 * alone.
 */
export const LENS = {
  writing: "Graft is writing",
  catchingUp: "catching up",
  /** What every change that can be decided has, in conflict, too. */
  decide: "✗ ",
  accept: "✓ Accept",
  reject: "✗ Reject",
} as const;

/** What a diff's tab says behind the file's name. */
export const DIFF_TAB = "(Graft proposal)";

/** What a report says of what the user typed in a proposal. */
export const USER_CHANGED = /user changed the proposal/i;
