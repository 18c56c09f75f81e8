import type { Parser, Query, Language as TreeSitterLanguage } from "web-tree-sitter";
import type { GrammarSource } from "../../ports/grammarSource.ts";
import type { Language } from "./languages.ts";
import { macroMask } from "./macroMask.ts";
import { withPatternRoots } from "./patternRoots.ts";
import { freshRuntime, type Runtime, startRuntime } from "./wasmRuntime.ts";

/** One language's parser and query. Parsing is synchronous, so one parser serves every document. */
export interface Grammar {
  readonly runtime: Runtime;
  readonly parser: Parser;
  /** Bytes of memory that all grammars use together. */
  memorySize(): number;
  /**
   * Replaces a parser that threw or took too much memory, for all open texts. Grammars loaded from now on get a new runtime, as the
   * memory of this one may be corrupt.
   */
  renew(): void;
  readonly language: TreeSitterLanguage;
  /** Names the elements; see grammars/README.md. */
  readonly symbols: Query;
  /** True for a text that must not reach the parser; see {@link Language.unsafe}. */
  isUnsafe(text: string): boolean;
  /** The text as the parser gets it, of the same length; see {@link Language.macros}. */
  mask(text: string): string;
}

/** The parser that all grammars share. */
interface SharedParser {
  readonly runtime: Runtime;
  memorySize(): number;
  parser: Parser;
  renew(): void;
}

/** Parsers that threw, kept for good: freeing one crashes, and the garbage collector would free it. */
const brokenParsers: Parser[] = [];

async function loadRuntime(source: GrammarSource, spoiled: () => void): Promise<SharedParser> {
  const [runtime, binary] = await Promise.all([freshRuntime(), source.read("tree-sitter.wasm")]);
  const memory = await startRuntime(runtime, binary);
  const shared: SharedParser = {
    runtime,
    memorySize: memory.size,
    parser: new runtime.Parser(),
    renew() {
      spoiled();
      memory.resetStack();
      try {
        const parser = new runtime.Parser();
        brokenParsers.push(shared.parser);
        shared.parser = parser;
      } catch {
        // Without memory for a new parser, the old one fails and reports it.
      }
    },
  };
  return shared;
}

/** Caches what `load` gives, but not failures: the next call tries again. */
function remembered<K, T>(load: (key: K) => Promise<T>): (key: K) => Promise<T> {
  const loaded = new Map<K, Promise<T>>();
  return (key) => {
    const known = loaded.get(key);
    if (known) return known;
    const loading = load(key);
    loaded.set(key, loading);
    loading.catch(() => loaded.delete(key));
    return loading;
  };
}

/** Loads runtime and grammars from `source` once, on first use. Rejects when a file is missing or does not fit the runtime. */
export function createGrammarLoader(source: GrammarSource): (language: Language) => Promise<Grammar> {
  const queryText = remembered(async (path: string) => new TextDecoder().decode(await source.read(path)));

  const onNewRuntime = () => {
    const runtimeOf = remembered((from: GrammarSource) =>
      loadRuntime(from, () => {
        load = onNewRuntime();
      }),
    );
    return remembered(async (language: Language): Promise<Grammar> => {
      const [shared, wasm, ...queries] = await Promise.all([
        runtimeOf(source),
        source.read(`${language.id}/grammar.wasm`),
        ...language.queries.map(queryText),
      ]);
      const unsafe = language.unsafe === undefined ? null : new RegExp(language.unsafe, "m");
      const { runtime } = shared;
      const loaded = await runtime.Language.load(wasm);
      return {
        runtime,
        get parser() {
          return shared.parser;
        },
        renew: shared.renew,
        memorySize: shared.memorySize,
        language: loaded,
        symbols: new runtime.Query(loaded, withPatternRoots(queries.join("\n"))),
        mask: macroMask(language.macros),
        isUnsafe: (text) => unsafe?.test(text) ?? false,
      };
    });
  };
  let load = onNewRuntime();
  return (language) => load(language);
}
