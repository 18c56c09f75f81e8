import type { Parser } from "web-tree-sitter";

/** The loaded `web-tree-sitter` module. */
export type Runtime = typeof import("web-tree-sitter");

/** One instance of the runtime, with its memory. */
export interface Engine {
  readonly runtime: Runtime;
  /** Parsing is synchronous, so one parser serves every document. */
  readonly parser: Parser;
  /**
   * True once a parse or a search threw or took too much memory. The memory may be corrupt, so
   * nothing of it is used then.
   */
  readonly isSpoiled: boolean;
  spoil(): void;
  /** Bytes of memory, which never get fewer; freed memory is used again. */
  memorySize(): number;
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
  readonly env: {
    readonly __stack_pointer: { value: number };
    readonly memory: { readonly buffer: { readonly byteLength: number } };
  };
}

/**
 * The runtime's own stack has 64 kB and overflows into its static data: text nested a few thousand
 * levels deep corrupts every grammar. With this size, JavaScript's call stack overflows first,
 * which only throws.
 */
const STACK_BYTES = 8 * 1024 * 1024;

/**
 * Parsers that threw, kept for good: freeing one crashes, and the garbage collector would free it.
 */
const brokenParsers: Parser[] = [];

/**
 * Outside of the build there is one runtime in a process. Started twice at once, it would have two
 * memories and mix up their addresses.
 */
let only: Promise<WasmMemory> | null = null;

/**
 * Starts a runtime with memory of its own and a stack for deeply nested texts. The package keeps
 * one runtime for the whole process; the build wraps it with `fresh` to make more, because a parse
 * that fills or corrupts the memory takes every grammar with it. Rejects when `binary` does not fit
 * it.
 */
export async function startEngine(binary: Uint8Array, onSpoiled: () => void): Promise<Engine> {
  const loaded: Runtime & { readonly fresh?: () => Runtime } = await import("web-tree-sitter");
  const runtime = loaded.fresh?.() ?? loaded;
  if (!loaded.fresh) only ??= start(loaded, binary);
  const memory = await (only ?? start(runtime, binary));
  const parser = new runtime.Parser();
  let isSpoiled = false;
  return {
    runtime,
    parser,
    get isSpoiled() {
      return isSpoiled;
    },
    spoil() {
      isSpoiled = true;
      brokenParsers.push(parser);
      memory.resetStack();
      onSpoiled();
    },
    memorySize: memory.size,
  };
}

/** The runtime's memory. */
interface WasmMemory {
  size(): number;
  /** Empties the stack after a call into the runtime threw and left its part taken. */
  resetStack(): void;
}

async function start({ Parser }: Runtime, binary: Uint8Array): Promise<WasmMemory> {
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

function memoryOf(env: Imports["env"] | null, instance: Instance | null): WasmMemory {
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
