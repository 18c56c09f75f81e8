type Runtime = typeof import("web-tree-sitter");

/** The part of WebAssembly that is used here: not every host of these files has its types. */
interface Instance {
  readonly exports: { malloc(size: number): number };
}

declare const WebAssembly: {
  compile(binary: Uint8Array): Promise<object>;
  instantiate(module: object, imports: object): Promise<Instance>;
};

interface Imports {
  readonly env: { readonly __stack_pointer: { value: number } };
}

/**
 * The runtime's own stack has 64 kB and grows into its static data: a text that is nested a few thousand levels deep spoils the
 * memory of every grammar. With this much, JavaScript's call stack ends first, and that only throws.
 */
const STACK_BYTES = 8 * 1024 * 1024;

/** Sets the stack back to its beginning. For when a call into the runtime threw: it left its part of the stack taken. */
export type ResetStack = () => void;

// The runtime is there once in a process, however often it is asked for.
const resets = new WeakMap<Runtime["Parser"], ResetStack>();

/** Starts the runtime with room for deep texts. Rejects when `binary` does not fit it. */
export async function startRuntime({ Parser }: Runtime, binary: Uint8Array): Promise<ResetStack> {
  const module = await WebAssembly.compile(binary);
  let pointer: { value: number } | null = null;
  let instance: Instance | null = null;
  await new Promise<void>((resolve, reject) => {
    Parser.init({
      instantiateWasm(imports: Imports, done: (instance: Instance, module: object) => void) {
        pointer = imports.env.__stack_pointer;
        WebAssembly.instantiate(module, imports)
          .then((made) => {
            instance = made;
            done(made, module);
          })
          .catch(reject);
        return {};
      },
    }).then(resolve, reject);
  });
  const known = resets.get(Parser);
  if (known) return known;
  const reset = stackAt(pointer, instance);
  resets.set(Parser, reset);
  return reset;
}

function stackAt(pointer: { value: number } | null, instance: Instance | null): ResetStack {
  const start = instance?.exports.malloc(STACK_BYTES) ?? 0;
  if (!pointer || start === 0) return () => {};
  const at = pointer;
  const top = (start + STACK_BYTES) & ~15;
  const reset = () => {
    at.value = top;
  };
  reset();
  return reset;
}
