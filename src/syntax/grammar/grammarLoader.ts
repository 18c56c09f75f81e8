import type { Query, Language as TreeSitterLanguage } from "web-tree-sitter";
import type { GrammarSource } from "../../ports/grammarSource.ts";
import type { Language } from "./languages.ts";
import { macroMask } from "./macroMask.ts";
import { withoutStatements, withPatternRoots } from "./patternRoots.ts";
import { type Engine, startEngine } from "./wasmRuntime.ts";

/** One language's grammar and query. */
export interface Grammar {
  readonly id: string;
  readonly engine: Engine;
  readonly language: TreeSitterLanguage;
  /** Names the elements; see grammars/README.md. */
  readonly symbols: Query;
  /** The type of the root whose children are statements, if nothing else; null for none. */
  readonly statementsOf: string | null;
  /** False where {@link isUnsafe} is never true. */
  readonly hasUnsafe: boolean;
  /** True for a text that must not reach the parser; see {@link Language.unsafe}. */
  isUnsafe(text: string): boolean;
  /** False where {@link mask} changes nothing. */
  readonly hasMask: boolean;
  /** The text as the parser gets it, of the same length; see {@link Language.macros}. */
  mask(text: string): string;
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

/**
 * Loads runtime and grammars from `source` once, on first use, and anew once the runtime is
 * spoiled. Rejects when a file is missing or does not fit the runtime.
 */
export function createGrammarLoader(
  source: GrammarSource,
): (language: Language) => Promise<Grammar> {
  const queryText = remembered(async (path: string) =>
    new TextDecoder().decode(await source.read(path)),
  );

  const onNewEngine = () => {
    const renew = () => {
      load = onNewEngine();
    };
    const engineOf = remembered(async (path: string) =>
      startEngine(await source.read(path), renew),
    );
    return remembered(async (language: Language): Promise<Grammar> => {
      const [engine, wasm, ...queries] = await Promise.all([
        engineOf("tree-sitter.wasm"),
        source.read(`${language.id}/grammar.wasm`),
        ...language.queries.map(queryText),
      ]);
      const unsafe = language.unsafe === undefined ? null : new RegExp(language.unsafe, "m");
      const loaded = await engine.runtime.Language.load(wasm);
      const query = queries.join("\n");
      engine.parser.setLanguage(loaded);
      const empty = engine.parser.parse("");
      const root = empty?.rootNode.type ?? "";
      empty?.delete();
      const rest = withoutStatements(query, root);
      return {
        id: language.id,
        engine,
        language: loaded,
        symbols: new engine.runtime.Query(loaded, withPatternRoots(rest ?? query)),
        statementsOf: rest === null ? null : root,
        hasMask: language.macros !== undefined,
        mask: macroMask(language.macros),
        hasUnsafe: unsafe !== null,
        isUnsafe: (text) => unsafe?.test(text) ?? false,
      };
    });
  };
  let load = onNewEngine();
  return (language) => load(language);
}
