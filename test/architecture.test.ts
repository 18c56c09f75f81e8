import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { build, type Metafile } from "esbuild";

const root = process.cwd();

/**
 * For each folder of `src` the folders it may import besides itself. The same table stands in
 * src/README.md.
 */
const layers: Record<string, readonly string[]> = {
  base: [],
  ports: ["base"],
  model: ["base", "ports"],
  syntax: ["base", "ports", "grammars"],
  turns: ["base", "ports", "model", "syntax"],
  tools: ["base", "ports", "model", "syntax", "turns"],
  protocol: ["base", "ports", "model", "syntax", "turns"],
  edits: ["base", "ports", "model", "syntax", "turns", "tools"],
  demo: ["base", "ports", "model", "syntax"],
  agent: ["base", "ports", "model", "syntax", "turns", "tools", "edits"],
  voice: ["base", "ports", "model", "syntax", "turns", "tools", "edits", "agent"],
  review: ["base", "ports", "model", "syntax", "turns", "tools", "edits", "protocol", "agent"],
  host: [
    "base",
    "ports",
    "model",
    "syntax",
    "turns",
    "tools",
    "edits",
    "protocol",
    "demo",
    "agent",
    "voice",
    "review",
  ],
  node: ["base", "ports", "model", "turns", "tools", "protocol", "edits"],
  cli: ["base", "ports", "model", "syntax", "turns", "tools", "edits", "demo", "agent", "node"],
  webview: ["base", "turns", "protocol"],
};

/**
 * The rooms of a folder in order: a room imports only rooms before it, and files of the folder
 * itself. Files of the folder may import all of its rooms.
 */
const rooms: Record<string, readonly string[]> = {
  "src/agent": ["request", "loop", "candidates", "chatAgents", "chat", "eval", "guests"],
  "src/base": ["text"],
  "src/cli": ["eval"],
  "src/edits": [
    "text",
    "history",
    "review",
    "share",
    "elements",
    "combine",
    "place",
    "fit",
    "check",
    "answer",
    "propose",
  ],
  "src/host": [
    "workspace",
    "terminal",
    "context",
    "mcp",
    "languageModels",
    "settings",
    "models",
    "completions",
    "storage",
    "chats",
    "plans",
    "documents",
    "preview",
    "apply",
    "restore",
    "checks",
    "guests",
    "voice",
    "candidates",
    "panel",
  ],
  "src/model": [
    "textCalls",
    "thinking",
    "openai",
    "speech",
    "languageModel",
    "connections",
    "completions",
  ],
  "src/node": [
    ...[
      "processes",
      "sandbox",
      "files",
      "shadow",
      "storage",
      "guests",
      "mcp",
      "agents",
      "voice",
      "web",
    ],
  ],
  "src/review": ["storage", "chats", "candidates", "documents", "proposals", "restore", "checks"],
  "src/syntax": ["grammar", "paths", "outline"],
  "src/turns": ["plan", "candidates", "chatAgents"],
  "src/tools": [
    "permissions",
    "results",
    "files",
    "search",
    "command",
    "editor",
    "git",
    "mcp",
    "web",
  ],
  webview: [
    "markdown",
    "cards",
    "candidates",
    "context",
    "answer",
    "transcript",
    "voice",
    "composer",
    "voicePage",
  ],
};
const MOST_FILES_ON_ONE_FLOOR = 20;
/** In lines of 100 columns. */
const LONGEST_FILE = 440;

const entries = new Set([
  "src/extension.ts",
  "src/extension.web.ts",
  "src/machine.ts",
  "src/mcp.ts",
  "src/voice.ts",
  "src/guests.ts",
  "src/cli.ts",
]);

/** Packages that only certain places may import. */
const owners: Record<string, (file: string) => boolean> = {
  vscode: (file) =>
    file.startsWith("src/host/") || file === "src/extension.ts" || file === "src/extension.web.ts",
  openai: (file) =>
    ["askServer", "openaiMessages", "ollamaChat"].some(
      (name) => file === `src/model/openai/${name}.ts`,
    ),
  "eventsource-parser": (file) =>
    file === "src/model/openai/readChunks.ts" || file === "src/model/speech/speechServer.ts",
  "@agentclientprotocol/sdk": (file) => file.startsWith("src/node/agents/"),
  "@modelcontextprotocol/sdk": (file) => file.startsWith("src/node/mcp/"),
  ws: (file) => file.startsWith("src/node/voice/"),
  "web-tree-sitter": (file) => file.startsWith("src/syntax/"),
  "@vscode/webview-ui-toolkit": (file) => file === "webview/controls.ts",
  turndown: (file) => file === "src/node/web/pageArticle.ts",
  katex: (file) => file === "webview/math.ts",
  mermaid: (file) => file === "webview/diagramFrame.ts",
  "@codemirror/state": (file) => file.startsWith("src/edits/"),
};

function sourceFiles(dir: string): string[] {
  return fs.readdirSync(path.join(root, dir), { withFileTypes: true }).flatMap((entry) => {
    const file = `${dir}/${entry.name}`;
    if (entry.isDirectory()) return sourceFiles(file);
    return file.endsWith(".ts") ? [file] : [];
  });
}

/** Every module a file names, types included. */
function imports(file: string): string[] {
  const text = fs.readFileSync(path.join(root, file), "utf8");
  return [
    ...text.matchAll(
      /^\s*(?:import|export)\b[^"';]*?from\s+"([^"]+)"|\bimport\(\s*"([^"]+)"\s*\)|^\s*import\s+"([^"]+)"/gm,
    ),
  ].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
}

/** The files that a file imports, types included. */
function localImports(file: string): string[] {
  return imports(file)
    .filter((name) => name.startsWith("."))
    .map((name) => path.posix.normalize(path.posix.join(path.posix.dirname(file), name)));
}

/**
 * The layer of a file: its folder under src, `webview`, or `grammars`, which is data; null for an
 * entry file.
 */
function layerOf(file: string): string | null {
  if (entries.has(file)) return null;
  const [top, folder] = file.split("/");
  return top === "src" ? (folder ?? "") : (top ?? "");
}

/** The files that a file imports when it loads, by the bundler. */
function runtimeImports(inputs: Metafile["inputs"], file: string): string[] {
  return (inputs[file]?.imports ?? []).flatMap(({ external, kind, path: imported }) =>
    external || kind === "dynamic-import" ? [] : [imported],
  );
}

/** The files that a file imports, types included, but for those that it loads later. */
function staticImports(file: string): string[] {
  const text = fs.readFileSync(path.join(root, file), "utf8");
  const named = text.matchAll(/^(?:import|export)\b[^"';]*?from\s+"(\.[^"]+)"/gm);
  return [...named].map(([, name = ""]) =>
    path.posix.normalize(path.posix.join(path.posix.dirname(file), name)),
  );
}

/** A cycle among imports, as the files in order, or null. */
function findCycle(
  files: readonly string[],
  importsOf: (file: string) => readonly string[],
): string[] | null {
  const done = new Set<string>();
  const open: string[] = [];
  const visit = (file: string): string[] | null => {
    if (done.has(file)) return null;
    if (open.includes(file)) return [...open.slice(open.indexOf(file)), file];
    open.push(file);
    for (const imported of importsOf(file)) {
      const cycle = visit(imported);
      if (cycle) return cycle;
    }
    open.pop();
    done.add(file);
    return null;
  };
  for (const file of files) {
    const cycle = visit(file);
    if (cycle) return cycle;
  }
  return null;
}

describe("the architecture", () => {
  const files = [...sourceFiles("src"), ...sourceFiles("webview")];
  let graph: Metafile;

  before(async () => {
    const result = await build({
      absWorkingDir: root,
      entryPoints: files.filter((file) => !file.endsWith(".d.ts")),
      bundle: true,
      write: false,
      metafile: true,
      outdir: "out",
      format: "esm",
      packages: "external",
      external: ["vscode"],
      logLevel: "silent",
      loader: { ".css": "empty" },
    });
    graph = result.metafile;
  });

  it("lets every layer import only the layers to its left", () => {
    const wrong = files.flatMap((file) => {
      const layer = layerOf(file);
      if (layer === null) return [];
      const allowed = layers[layer];
      assert.ok(allowed, `${file} lies in no known layer`);
      return localImports(file)
        .filter((target) => {
          const other = layerOf(target);
          return other === null || (other !== layer && !allowed.includes(other));
        })
        .map((target) => `${file} imports ${target}`);
    });
    assert.deepEqual(wrong, []);
  });

  it("lets a room import only the rooms before it", () => {
    const roomOf = (file: string, folder: string) =>
      file
        .slice(folder.length + 1)
        .split("/")
        .slice(0, -1)[0] ?? "";
    const wrong = Object.entries(rooms).flatMap(([folder, order]) =>
      files
        .filter((file) => file.startsWith(`${folder}/`) && roomOf(file, folder) !== "")
        .flatMap((file) => {
          const own = order.indexOf(roomOf(file, folder));
          return localImports(file)
            .filter((target) => target.startsWith(`${folder}/`) && roomOf(target, folder) !== "")
            .filter((target) => own < 0 || order.indexOf(roomOf(target, folder)) > own)
            .map((target) => `${file} imports ${target}`);
        }),
    );
    assert.deepEqual(wrong, []);
  });

  it("keeps folders small", () => {
    const floors = new Map<string, number>();
    for (const file of files)
      floors.set(path.dirname(file), (floors.get(path.dirname(file)) ?? 0) + 1);
    assert.deepEqual(
      [...floors].filter(([, count]) => count > MOST_FILES_ON_ONE_FLOOR),
      [],
    );
  });

  it("keeps sentences in messages files: no other module repeats one", () => {
    const isTable = (file: string) => /\/(messages|blockMessages)\.ts$/.test(file);
    const sentences = new Set(
      files
        .filter(isTable)
        .flatMap((file) =>
          [
            ...fs
              .readFileSync(path.join(root, file), "utf8")
              .matchAll(/"((?:[^"\\\n]|\\.){20,})"/g),
          ].flatMap(([, text]) => (text?.includes(" ") ? [text] : [])),
        ),
    );
    assert.ok(sentences.size > 200);
    const wrong = files
      .filter((file) => !isTable(file))
      .flatMap((file) => {
        const text = fs.readFileSync(path.join(root, file), "utf8");
        return [...sentences]
          .filter((sentence) => text.includes(`"${sentence}"`))
          .map((sentence) => `${file}: ${sentence}`);
      });
    assert.deepEqual(wrong, []);
  });

  it("has no import cycle at run time", () => {
    const loaded = (file: string) => runtimeImports(graph.inputs, file);
    assert.equal(findCycle(Object.keys(graph.inputs), loaded), null);
  });

  it("has no cycle of types", () => {
    const own = new Set(files);
    const named = (file: string) => staticImports(file).filter((imported) => own.has(imported));
    assert.equal(findCycle(files, named), null);
  });

  it("keeps the editor in src/host, Node.js in src/node and src/cli, and each big package in its place", () => {
    const wrong = files.flatMap((file) =>
      imports(file).flatMap((name) => {
        const owner = Object.entries(owners).find(
          ([pack]) => name === pack || name.startsWith(`${pack}/`),
        );
        if (owner && !owner[1](file)) return [`${file} imports ${name}`];
        return name.startsWith("node:") && !/^src\/(node|cli)\//.test(file)
          ? [`${file} imports ${name}`]
          : [];
      }),
    );
    assert.deepEqual(wrong, []);
  });

  it("starts programs in one place, which takes absolute paths only", () => {
    const found = files.filter((file) =>
      /"(?:node:)?child_process"/.test(
        fs
          .readFileSync(path.join(root, file), "utf8")
          .replaceAll(/import type [^;]*"node:child_process";/g, ""),
      ),
    );
    assert.deepEqual(found.sort(), [
      // `taskkill` and `ps`, by the paths at which the system has them.
      "src/node/processes/endProcesses.ts",
      "src/node/processes/spawnProgram.ts",
    ]);
  });

  it("evaluates no heavy package when the extension activates", () => {
    const heavy =
      /^(eventsource-parser|zod|web-tree-sitter|diff|@agentclientprotocol|@modelcontextprotocol|@codemirror)\b/;
    for (const entry of ["src/extension.ts", "src/extension.web.ts"]) {
      const seen = new Set<string>();
      const queue = [entry];
      for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
        if (seen.has(file)) continue;
        seen.add(file);
        for (const imported of graph.inputs[file]?.imports ?? []) {
          if (imported.kind === "dynamic-import") continue;
          assert.ok(
            !heavy.test(imported.path),
            `${entry} reaches ${imported.path} through ${file} without a dynamic import`,
          );
          if (!imported.external) queue.push(imported.path);
        }
      }
    }
  });

  it("keeps files short and exports named", () => {
    const wrong = files.flatMap((file) => {
      const text = fs.readFileSync(path.join(root, file), "utf8");
      const lines = text.split("\n").length;
      return [
        ...(lines > LONGEST_FILE ? [`${file} has ${lines} lines`] : []),
        ...(/^export default\b/m.test(text) ? [`${file} has a default export`] : []),
      ];
    });
    assert.deepEqual(wrong, []);
  });
});
