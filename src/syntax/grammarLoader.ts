import type { Parser, Query, Language as TreeSitterLanguage } from "web-tree-sitter";
import type { GrammarSource } from "../ports/grammarSource.ts";
import type { Language } from "./languages.ts";
import { macroMask } from "./macroMask.ts";
import { withPatternRoots } from "./patternRoots.ts";
import { startRuntime } from "./roomyStack.ts";

/** The loaded `web-tree-sitter` module. */
export type Runtime = typeof import("web-tree-sitter");

/** What parsing one language takes. Parsing is synchronous, so one parser serves every document. */
export interface Grammar {
  readonly runtime: Runtime;
  readonly parser: Parser;
  /** The bytes of memory that all grammars have together. */
  memorySize(): number;
  /** Makes the parser fit for the next text when one threw, whatever the grammar. */
  renew(): void;
  readonly language: TreeSitterLanguage;
  /** Names the elements; see grammars/README.md. */
  readonly symbols: Query;
  /** True for a text that must not reach the parser; see {@link Language.unsafe}. */
  isUnsafe(text: string): boolean;
  /** The text as the parser gets it, of the same length; see {@link Language.macros}. */
  mask(text: string): string;
}

/** The parser that all grammars share, and what makes it work again when it threw. */
interface SharedParser {
  readonly runtime: Runtime;
  memorySize(): number;
  parser: Parser;
  renew(): void;
}

async function loadRuntime(source: GrammarSource): Promise<SharedParser> {
  const [runtime, binary] = await Promise.all([import("web-tree-sitter"), source.read("tree-sitter.wasm")]);
  const memory = await startRuntime(runtime, binary);
  // Parsers that threw are in no order to be freed, which would happen when nothing held them.
  const broken: Parser[] = [];
  const shared: SharedParser = {
    runtime,
    memorySize: memory.size,
    parser: new runtime.Parser(),
    renew() {
      memory.resetStack();
      try {
        const parser = new runtime.Parser();
        broken.push(shared.parser);
        shared.parser = parser;
      } catch {
        // Without memory for a parser the old one fails too, and says so.
      }
    },
  };
  return shared;
}

/** Remembers what `load` gives; a failure is forgotten, so that the next call tries again. */
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

/** Loads runtime and grammars from `source`, each on its first use and once. Rejects when a file is missing or does not fit the runtime. */
export function createGrammarLoader(source: GrammarSource): (language: Language) => Promise<Grammar> {
  const runtimeOf = remembered(loadRuntime);
  const queryText = remembered(async (path: string) => new TextDecoder().decode(await source.read(path)));

  return remembered(async (language: Language) => {
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
}
