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

/** The part of WebAssembly used here; not every host has its types. */
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
 * The runtime's own stack has 64 kB and overflows into its static data: text nested a few thousand levels deep corrupts every
 * grammar. With this size, JavaScript's call stack overflows first, which only throws.
 */
const STACK_BYTES = 8 * 1024 * 1024;

/** The runtime's memory. */
export interface RuntimeMemory {
  /** Its bytes, which never get fewer; freed memory is used again. */
  size(): number;
  /** Empties the stack after a call into the runtime threw and left its part taken. */
  resetStack(): void;
}

/** Outside of the build there is one runtime in a process. Started twice at once, it would have two memories and mix up their addresses. */
const memories = new WeakMap<Runtime["Parser"], Promise<RuntimeMemory>>();

/** Starts the runtime with a stack for deeply nested texts. Rejects when `binary` does not fit it. */
export async function startRuntime(runtime: Runtime, binary: Uint8Array): Promise<RuntimeMemory> {
  const { Parser } = runtime;
  const known = memories.get(Parser);
  const starting = known ?? start(runtime, binary);
  memories.set(Parser, starting);
  starting.catch(() => memories.delete(Parser));
  const memory = await starting;
  if (known) memory.resetStack();
  return memory;
}

async function start({ Parser }: Runtime, binary: Uint8Array): Promise<RuntimeMemory> {
  const module = await WebAssembly.compile(binary);
  let env: Imports["env"] | null = null;
  let instance: Instance | null = null;
  await new Promise<void>((resolve, reject) => {
    Parser.init({
      // It also throws what it would print.
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
  return memoryOf(env, instance);
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
