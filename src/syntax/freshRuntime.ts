/** The loaded `web-tree-sitter` module. */
export type Runtime = typeof import("web-tree-sitter");

/**
 * A runtime with memory of its own. The package keeps one for the whole process; the build wraps it so that it can be had anew
 * (`fresh`), because a parse that fills or spoils the memory takes every grammar with it. Outside of the build there is only the one.
 */
export async function freshRuntime(): Promise<Runtime> {
  const loaded: Runtime & { readonly fresh?: () => Runtime } = await import("web-tree-sitter");
  return loaded.fresh?.() ?? loaded;
}
