// Builds everything that ships (and, with --tests, what runs inside the editor) into dist/.
//   node esbuild.mjs [--watch] [--tests] [--dev]
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { compress, init as startZstd } from "@bokuweb/zstd-wasm";
import * as esbuild from "esbuild";

const root = path.dirname(fileURLToPath(import.meta.url));
const flags = new Set(process.argv.slice(2));
const dev = flags.has("--dev") || flags.has("--watch");

/** @type {import("esbuild").BuildOptions} */
const common = {
  absWorkingDir: root,
  bundle: true,
  minify: !dev,
  sourcemap: dev ? "linked" : false,
  metafile: true,
  logLevel: "warning",
  legalComments: "none",
  target: "es2022",
};

/**
 * Bundled to CommonJS, web-tree-sitter's ES module build fails in Parser.init; its own CommonJS build works in both hosts. It is wrapped
 * so that `fresh()` gives one more instance, see src/syntax/freshRuntime.ts.
 * @type {import("esbuild").Plugin}
 */
const treeSitter = {
  name: "tree-sitter",
  setup(build) {
    const file = path.join(root, "node_modules/web-tree-sitter/web-tree-sitter.cjs");
    build.onResolve({ filter: /^web-tree-sitter$/ }, () => ({ path: file }));
    build.onLoad({ filter: /web-tree-sitter\.cjs$/ }, () => {
      // Statements that give functions and classes back the names they had before they were bundled are left out, too: 1.5 kB.
      const names = /^\s*__name\(\w+, "\w+"\);$/gm;
      const source = fs.readFileSync(file, "utf8").replaceAll("= eval(func)", "= null").replaceAll(names, "");
      // Its evals are for JavaScript in a grammar, which none has; one of them alone keeps every name from being shortened.
      if (/\beval\(/.test(source)) throw new Error("web-tree-sitter has changed: see treeSitter in esbuild.mjs.");
      const fresh = `() => { const module = { exports: {} }; ((module, exports) => {\n${source}\n})(module, module.exports); return module.exports; }`;
      return { contents: `module.exports = { fresh: ${fresh} };`, resolveDir: path.dirname(file) };
    });
  },
};
// Its CommonJS build hides what it requires from a bundler.
const jsonc = { "jsonc-parser": path.join(root, "node_modules/jsonc-parser/lib/esm/main.js") };
const nodeModules = ["fs", "fs/promises", "path", "module", "url", "util", "worker_threads", "crypto"];

/**
 * Leaves what the extension builds on first use out of its entry, so that activating it loads a few kilobytes. The web worker host
 * can load one file only: there the same code lies in the one bundle and is evaluated on first use.
 * @type {import("esbuild").Plugin}
 */
const loadOnFirstUse = {
  name: "load-on-first-use",
  setup(build) {
    build.onResolve({ filter: /\/(composition|machine|mcp|tokenizer)\.ts$/ }, ({ kind, path: file }) =>
      kind === "dynamic-import" ? { path: `./${path.basename(file, ".ts")}.js`, external: true } : undefined,
    );
  },
};

/**
 * Of @codemirror/state only the first third of its one file, change sets and what they stand on: nothing of the rest can be left out by
 * tree shaking, as it assigns to its classes.
 * @type {import("esbuild").Plugin}
 */
const changeSets = {
  name: "change-sets",
  setup(build) {
    build.onLoad({ filter: /@codemirror\/state\/dist\/index\.js$/ }, ({ path: file }) => {
      const source = fs.readFileSync(file, "utf8");
      const end = source.indexOf("\nclass SelectionRange ");
      if (end < source.indexOf("\nclass SectionIter ")) throw new Error("@codemirror/state has changed: see changeSets in esbuild.mjs.");
      return { contents: `${source.slice(0, end)}\nexport { ChangeSet };`, resolveDir: path.dirname(file) };
    });
  },
};

/** Of the language table what is asked for at run time: where the parsers come from only the build must know. @type {import("esbuild").Plugin} */
const languageTable = {
  name: "language-table",
  setup(build) {
    build.onLoad({ filter: /grammars\/grammars\.json$/ }, ({ path: file }) => {
      /** @type {{ languages: { wasm: string }[] }} */
      const { languages } = JSON.parse(fs.readFileSync(file, "utf8"));
      return { contents: JSON.stringify({ languages: languages.map(({ wasm: _, ...language }) => language) }), loader: "json" };
    });
  },
};

/** Of the tokenizer's words only those that src/headless/tokenizer.ts uses: 27 kB packed, not 1 MB. @type {import("esbuild").Plugin} */
const fewWords = {
  name: "few-words",
  setup(build) {
    build.onLoad({ filter: /gpt-tokenizer\/esm\/bpeRanks\/o200k_base\.js$/ }, async ({ path: file }) => {
      /** @type {{ default: unknown[] }} */
      const { default: words } = await import(pathToFileURL(file).href);
      return { contents: `export default ${JSON.stringify(words.slice(0, 8000))}` };
    });
  },
};

/** @type {Record<string, import("esbuild").BuildOptions>} */
const builds = {
  "extension.js": { entryPoints: ["src/extension.ts"], platform: "node", format: "cjs", external: ["vscode"], plugins: [loadOnFirstUse] },
  "composition.js": {
    entryPoints: ["src/host/composition.ts"],
    platform: "node",
    format: "cjs",
    external: ["vscode"],
    plugins: [changeSets, treeSitter, languageTable],
  },
  "mcp.js": { entryPoints: ["src/mcp.ts"], platform: "node", format: "cjs", external: ["vscode"], alias: jsonc },
  "machine.js": { entryPoints: ["src/machine.ts"], platform: "node", format: "cjs", external: ["vscode"], plugins: [loadOnFirstUse] },
  "tokenizer.js": { entryPoints: ["src/headless/tokenizer.ts"], platform: "node", format: "cjs", charset: "utf8", plugins: [fewWords] },
  "extension.web.js": {
    entryPoints: ["src/extension.web.ts"],
    platform: "browser",
    format: "cjs",
    external: ["vscode", ...nodeModules],
    plugins: [changeSets, treeSitter, languageTable],
    define: { global: "globalThis" },
  },
  "cli.js": {
    entryPoints: ["src/cli.ts"],
    platform: "node",
    format: "cjs",
    banner: { js: "#!/usr/bin/env node" },
    plugins: [changeSets, treeSitter, languageTable],
    alias: jsonc,
  },
  "webview/main.js": { entryPoints: ["webview/main.ts"], platform: "browser", format: "iife", tsconfig: "webview/tsconfig.json" },
  "webview/highlight.js": { entryPoints: ["webview/highlight.ts"], platform: "browser", format: "iife", tsconfig: "webview/tsconfig.json" },
  "webview/style.css": { entryPoints: ["webview/style.css"] },
};

/** Makes `graft:suites` import every test of test/vscode, so that no list is kept by hand. @type {import("esbuild").Plugin} */
const suites = {
  name: "suites",
  setup(build) {
    const dir = path.join(root, "test/vscode");
    build.onResolve({ filter: /^graft:suites$/ }, () => ({ path: "suites", namespace: "suites" }));
    build.onLoad({ filter: /.*/, namespace: "suites" }, () => {
      const files = fs.readdirSync(dir).filter((name) => name.endsWith(".test.ts"));
      return { contents: files.map((name) => `import "./${name}";`).join("\n"), resolveDir: dir };
    });
  },
};

if (flags.has("--tests")) {
  builds["test/node.js"] = {
    entryPoints: ["test/vscode/run.node.ts"],
    platform: "node",
    format: "cjs",
    external: ["vscode", "mocha"],
    plugins: [changeSets, treeSitter, suites],
    alias: jsonc,
    minify: false,
  };
  builds["test/web.js"] = {
    entryPoints: ["test/vscode/run.web.ts"],
    platform: "browser",
    format: "cjs",
    external: ["vscode", ...nodeModules],
    plugins: [changeSets, treeSitter, suites],
    define: { global: "globalThis", "process.env.NODE_ENV": '"test"' },
    minify: false,
  };
}

/** A `.wasm` as it ships. Packing all takes ten seconds, so what was packed once is kept under its hash. @param {Buffer} wasm */
function packed(wasm) {
  const cache = path.join(root, "node_modules/.cache/graft-grammars");
  const file = path.join(cache, createHash("sha256").update(wasm).digest("hex"));
  if (fs.existsSync(file)) return fs.readFileSync(file);
  const bytes = compress(wasm, 19);
  fs.mkdirSync(cache, { recursive: true });
  // Two builds may run at once.
  fs.writeFileSync(`${file}.${process.pid}`, bytes);
  fs.renameSync(`${file}.${process.pid}`, file);
  return bytes;
}

/** Puts the grammars that ship into dist/: each language's queries, and the packed `.wasm` out of its npm package. */
function copyGrammars() {
  const out = path.join(root, "dist/grammars");
  fs.rmSync(out, { recursive: true, force: true });
  /** @type {{ runtime: string, languages: { id: string, wasm: string, queries: string[] }[] }} */
  const { runtime, languages } = JSON.parse(fs.readFileSync(path.join(root, "grammars/grammars.json"), "utf8"));
  const write = (/** @type {string} */ to, /** @type {Uint8Array} */ bytes) => {
    fs.mkdirSync(path.dirname(path.join(out, to)), { recursive: true });
    fs.writeFileSync(path.join(out, to), bytes);
  };
  const read = (/** @type {string} */ from) => fs.readFileSync(path.join(root, from));
  write("tree-sitter.wasm.zst", packed(read(`node_modules/${runtime}`)));
  for (const { id, wasm, queries } of languages) {
    write(`${id}/grammar.wasm.zst`, packed(read(`node_modules/${wasm}`)));
    for (const query of queries) write(query, read(`grammars/${query}`));
  }
}

fs.mkdirSync(path.join(root, "dist"), { recursive: true });
await startZstd();
copyGrammars();
const metafiles = path.join(root, "dist/meta");
fs.mkdirSync(metafiles, { recursive: true });
await Promise.all(
  Object.entries(builds).map(async ([outfile, options]) => {
    const settings = { ...common, ...options, outfile: path.join("dist", outfile) };
    if (flags.has("--watch")) {
      await (await esbuild.context(settings)).watch();
      return;
    }
    const { metafile } = await esbuild.build(settings);
    fs.writeFileSync(path.join(metafiles, `${outfile.replaceAll("/", "-")}.json`), JSON.stringify(metafile));
  }),
);
console.log(flags.has("--watch") ? "watching" : "built dist/");
