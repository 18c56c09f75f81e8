/** The loaded `web-tree-sitter` module. */
export type Runtime = typeof import("web-tree-sitter");

/**
 * A runtime with memory of its own. The package keeps one for the whole process; the build wraps it with `fresh` to make more,
 * because a parse that fills or corrupts the memory takes every grammar with it. Outside of the build there is only the one.
 */
export async function freshRuntime(): Promise<Runtime> {
  const loaded: Runtime & { readonly fresh?: () => Runtime } = await import("web-tree-sitter");
  return loaded.fresh?.() ?? loaded;
}

/** The part of WebAssembly that is used here: not every host of these files has its types. */
interface Instance {
  readonly exports: { malloc(size: number): number };
}

declare const WebAssembly: {
  compile(binary: Uint8Array): Promise<object>;
  instantiate(module: object, imports: object): Promise<Instance>;
};

interface Imports {
  readonly env: { readonly __stack_pointer: { value: number }; readonly memory: { readonly buffer: { readonly byteLength: number } } };
}

/**
 * The runtime's own stack has 64 kB and grows into its static data: a text that is nested a few thousand levels deep spoils the
 * memory of every grammar. With this much, JavaScript's call stack ends first, and that only throws.
 */
const STACK_BYTES = 8 * 1024 * 1024;

/** What the runtime's memory is asked and told. */
export interface RuntimeMemory {
  /** The bytes it has. They never get fewer; what was freed is used again. */
  size(): number;
  /** Sets the stack back to its beginning. For when a call into the runtime threw: it left its part of the stack taken. */
  resetStack(): void;
}

// Outside of the build, the runtime is there once in a process, however often it is asked for.
const memories = new WeakMap<Runtime["Parser"], RuntimeMemory>();

/** Starts the runtime with room for deep texts. Rejects when `binary` does not fit it. */
export async function startRuntime({ Parser }: Runtime, binary: Uint8Array): Promise<RuntimeMemory> {
  const module = await WebAssembly.compile(binary);
  let env: Imports["env"] | null = null;
  let instance: Instance | null = null;
  await new Promise<void>((resolve, reject) => {
    Parser.init({
      // What it would print before it throws.
      printErr: () => undefined,
      instantiateWasm(imports: Imports, done: (instance: Instance, module: object) => void) {
        env = imports.env;
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
  const known = memories.get(Parser);
  known?.resetStack();
  if (known) return known;
  const memory = memoryOf(env, instance);
  memories.set(Parser, memory);
  return memory;
}

function memoryOf(env: Imports["env"] | null, instance: Instance | null): RuntimeMemory {
  const start = instance?.exports.malloc(STACK_BYTES) ?? 0;
  if (!env || start === 0) return { size: () => 0, resetStack: () => {} };
  const { __stack_pointer: pointer, memory } = env;
  const top = (start + STACK_BYTES) & ~15;
  pointer.value = top;
  return {
    size: () => memory.buffer.byteLength,
    resetStack() {
      pointer.value = top;
    },
  };
}
