// Builds everything that ships (and, with --tests, what runs inside the editor) into dist/.
//   node esbuild.mjs [--watch] [--tests] [--dev]
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { diagramScript, mathStyles } from "./lazyScripts.mjs";
import { buildNpmPackage } from "./npmPackage.mjs";
import { thirdPartyNotices } from "./thirdPartyNotices.mjs";

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
 * Bundled to CommonJS, web-tree-sitter's ES module build fails in Parser.init; its own CommonJS
 * build works in both hosts. It is wrapped so that `fresh()` gives one more instance, see
 * src/syntax/grammar/wasmRuntime.ts.
 * @type {import("esbuild").Plugin}
 */
const treeSitter = {
  name: "tree-sitter",
  setup(build) {
    const file = path.join(root, "node_modules/web-tree-sitter/web-tree-sitter.cjs");
    build.onResolve({ filter: /^web-tree-sitter$/ }, () => ({ path: file }));
    build.onLoad({ filter: /web-tree-sitter\.cjs$/ }, () => {
      const source = fs.readFileSync(file, "utf8");
      const fresh = `() => { const module = { exports: {} }; ((module, exports) => {\n${source}\n})(module, module.exports); return module.exports; }`;
      return { contents: `module.exports = { fresh: ${fresh} };`, resolveDir: path.dirname(file) };
    });
  },
};
/**
 * Leaves compression out of ws: the voice page never asks for it. @type {import("esbuild").Plugin}
 */
const plainSockets = {
  name: "plain-sockets",
  setup(build) {
    const contents = 'module.exports = { extensionName: "permessage-deflate" };';
    build.onLoad({ filter: /ws[\\/]lib[\\/]permessage-deflate\.js$/ }, () => ({ contents }));
  },
};
// Its CommonJS build hides what it requires from a bundler.
const jsonc = { "jsonc-parser": path.join(root, "node_modules/jsonc-parser/lib/esm/main.js") };
const nodeModules = [
  "fs",
  "fs/promises",
  "path",
  "module",
  "url",
  "util",
  "worker_threads",
  "crypto",
];

/**
 * Leaves what the extension builds on first use out of its entry, so that activating it loads a few
 * kilobytes. The web worker host can load one file only: there the same code lies in the one bundle
 * and is evaluated on first use.
 * @type {import("esbuild").Plugin}
 */
const loadOnFirstUse = {
  name: "load-on-first-use",
  setup(build) {
    build.onResolve(
      { filter: /\/(composition|machine|mcp|voice|acpAgent|guests|readPage)\.ts$/ },
      ({ kind, path: file }) =>
        kind === "dynamic-import"
          ? { path: `./${path.basename(file, ".ts")}.js`, external: true }
          : undefined,
    );
  },
};

/** @type {Record<string, import("esbuild").BuildOptions>} */
const builds = {
  "extension.js": {
    entryPoints: ["src/extension.ts"],
    platform: "node",
    format: "cjs",
    external: ["vscode"],
    plugins: [loadOnFirstUse],
  },
  "composition.js": {
    entryPoints: ["src/host/composition.ts"],
    platform: "node",
    format: "cjs",
    external: ["vscode"],
    plugins: [treeSitter],
  },
  "mcp.js": {
    entryPoints: ["src/mcp.ts"],
    platform: "node",
    format: "cjs",
    external: ["vscode"],
    alias: jsonc,
  },
  "acpAgent.js": {
    entryPoints: ["src/node/agents/acpAgent.ts"],
    platform: "node",
    format: "cjs",
  },
  "readPage.js": {
    entryPoints: ["src/node/web/readPage.ts"],
    platform: "node",
    format: "cjs",
  },
  "guests.js": {
    entryPoints: ["src/guests.ts"],
    platform: "node",
    format: "cjs",
    external: ["vscode"],
  },
  "voice.js": {
    entryPoints: ["src/voice.ts"],
    platform: "node",
    format: "cjs",
    external: ["vscode", "bufferutil", "utf-8-validate"],
    plugins: [plainSockets],
  },
  "machine.js": {
    entryPoints: ["src/machine.ts"],
    platform: "node",
    format: "cjs",
    external: ["vscode"],
    plugins: [loadOnFirstUse],
  },
  "extension.web.js": {
    entryPoints: ["src/extension.web.ts"],
    platform: "browser",
    format: "cjs",
    external: ["vscode", ...nodeModules],
    plugins: [treeSitter],
    define: { global: "globalThis" },
  },
  "cli.js": {
    entryPoints: ["src/cli.ts"],
    platform: "node",
    format: "cjs",
    banner: { js: "#!/usr/bin/env node" },
    plugins: [treeSitter],
    alias: jsonc,
  },
  "webview/main.js": {
    entryPoints: ["webview/main.ts"],
    platform: "browser",
    format: "iife",
    tsconfig: "webview/tsconfig.json",
  },
  "webview/highlight.js": {
    entryPoints: ["webview/highlight.ts"],
    platform: "browser",
    format: "iife",
    tsconfig: "webview/tsconfig.json",
  },
  "webview/math.js": {
    entryPoints: ["webview/math.ts"],
    platform: "browser",
    format: "iife",
    tsconfig: "webview/tsconfig.json",
  },
  "webview/math.css": { entryPoints: ["webview/styles/math.css"], ...mathStyles },
  "webview/diagram.js": {
    entryPoints: ["webview/diagramFrame.ts"],
    platform: "browser",
    format: "iife",
    tsconfig: "webview/tsconfig.json",
    ...diagramScript,
  },
  "webview/voicePage.js": {
    entryPoints: ["webview/voicePage/voicePage.ts"],
    platform: "browser",
    format: "iife",
    tsconfig: "webview/tsconfig.json",
  },
  "webview/voiceWorklet.js": {
    entryPoints: ["webview/voicePage/voiceWorklet.ts"],
    platform: "browser",
    format: "iife",
    tsconfig: "webview/tsconfig.json",
  },
  "webview/voicePage.css": { entryPoints: ["webview/voicePage/voicePage.css"] },
  "webview/style.css": { entryPoints: ["webview/style.css"] },
};

/**
 * Makes `graft:suites` import every test of test/vscode, so that no list is kept by hand. @type
 * {import("esbuild").Plugin}
 */
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
    plugins: [treeSitter, suites],
    alias: jsonc,
    minify: false,
  };
  builds["test/web.js"] = {
    entryPoints: ["test/vscode/run.web.ts"],
    platform: "browser",
    format: "cjs",
    external: ["vscode", ...nodeModules],
    plugins: [treeSitter, suites],
    define: {
      global: "globalThis",
      "process.env.NODE_ENV": '"test"',
    },
    minify: false,
  };
}

/**
 * Puts the grammars that ship into dist/: each language's queries, and the `.wasm` out of its npm
 * package. Returns the packages' files.
 */
function copyGrammars() {
  /** @type {string[]} */
  const copied = [];
  const out = path.join(root, "dist/grammars");
  fs.rmSync(out, { recursive: true, force: true });
  /** @type {{ runtime: string, languages: { id: string, wasm: string, queries: string[] }[] }} */
  const { runtime, languages } = JSON.parse(
    fs.readFileSync(path.join(root, "grammars/grammars.json"), "utf8"),
  );
  const copy = (/** @type {string} */ from, /** @type {string} */ to) =>
    fs.cpSync(path.join(root, from), path.join(out, to));
  copy(`node_modules/${runtime}`, "tree-sitter.wasm");
  copied.push(runtime, ...languages.map(({ wasm }) => wasm));
  for (const { id, wasm, queries } of languages) {
    copy(`node_modules/${wasm}`, `${id}/grammar.wasm`);
    for (const query of queries) copy(`grammars/${query}`, query);
  }
  return copied;
}

fs.mkdirSync(path.join(root, "dist/webview"), { recursive: true });
fs.cpSync(
  path.join(root, "media/silero-vad/voiceModel.bin"),
  path.join(root, "dist/webview/voiceModel.bin"),
);
const grammars = copyGrammars();
/** The files that ship in a bundle. @type {Set<string>} */
const bundled = new Set(["media/silero-vad/voiceModel.bin"]);
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
    if (!outfile.startsWith("test/"))
      for (const input of Object.keys(metafile?.inputs ?? {})) bundled.add(input);
    fs.writeFileSync(
      path.join(metafiles, `${outfile.replaceAll("/", "-")}.json`),
      JSON.stringify(metafile),
    );
  }),
);
if (!flags.has("--watch")) {
  fs.writeFileSync(
    path.join(root, "dist/ThirdPartyNotices.txt"),
    thirdPartyNotices(root, bundled, grammars),
  );
  buildNpmPackage(root);
}
console.log(flags.has("--watch") ? "watching" : "built dist/");
