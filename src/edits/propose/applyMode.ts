/** All of {@link ApplyMode}. */
export const APPLY_MODES = ["auto", "lines", "ast", "complete"] as const;
/** How a message is read: `auto` lets the first valid block decide between lines and AST paths. */
export type ApplyMode = (typeof APPLY_MODES)[number];
