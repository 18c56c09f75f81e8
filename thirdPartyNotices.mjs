// The notices of everything by others that ships: what esbuild put into the bundles, and the
// grammars.
import fs from "node:fs";
import path from "node:path";

/** Files with a license's text, as packages name them. */
const LICENSE_FILE = /^(?:licen[cs]e|copying|notices?)(?:[-.].*)?$/i;

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/**
 * The folder of the package that a bundled file belongs to, or of a model beside Graft's files; null
 * for a file of Graft.
 * @param {string} file
 * @returns {string | null}
 */
export function packageOf(file) {
  const folder = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+|media\/silero-vad)\//;
  return folder.exec(file.replaceAll("\\", "/"))?.[1] ?? null;
}

/**
 * The notices of packages, and of the grammars by the packages that hold them. Throws for a package
 * whose license is unknown.
 * @param {string} root
 * @param {Iterable<string>} files bundled files, relative to `root`
 * @param {readonly string[]} grammars paths of `.wasm` files, relative to `node_modules`
 * @returns {string}
 */
export function thirdPartyNotices(root, files, grammars) {
  /** @type {Map<string, string[]>} */
  const packages = new Map();
  for (const file of [...files, ...grammars.map((wasm) => `node_modules/${wasm}`)]) {
    const folder = packageOf(file);
    if (folder === null) continue;
    const held = packages.get(folder) ?? [];
    packages.set(folder, file.endsWith(".wasm") ? [...held, path.posix.basename(file)] : held);
  }
  const notices = [...packages].map(([folder, held]) => notice(path.join(root, folder), held));
  const unique = [...new Set(notices)].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
  const head = "Graft contains software and grammars by others, under these licenses.";
  return `${[head, ...unique].join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}

/**
 * @param {string} folder
 * @param {readonly string[]} grammars
 * @returns {string}
 */
function notice(folder, grammars) {
  /**
   * @type {{ name: string, version: string, license?: string, author?: string | { name: string },
   * repository?: string | { url: string }, devDependencies?: Record<string, string> }}
   */
  const { name, version, license, author, repository, devDependencies } = JSON.parse(
    fs.readFileSync(path.join(folder, "package.json"), "utf8"),
  );
  // A package may hold the code of another one, with its license beside it.
  const texts = fs
    .readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => LICENSE_FILE.test(path.basename(file)) && packageOf(file) === null)
    .sort((a, b) => a.split(path.sep).length - b.split(path.sep).length)
    .map((file) => fs.readFileSync(path.join(folder, file), "utf8").trim());
  if (license === undefined && texts.length === 0)
    throw new Error(`The package ${name} does not name its license.`);
  if (license !== undefined && texts.length === 0)
    texts.push(standardText(name, license, typeof author === "object" ? author.name : author));
  const address = typeof repository === "object" ? repository.url : repository;
  const sources = grammars.map((wasm) => {
    const source = devDependencies?.[wasm.replace(/\.wasm$/, "")];
    const built = source?.replace(/^github:/, "https://github.com/").replace("#", "/tree/");
    return `  ${wasm}${built?.startsWith("https:") ? ` (built from ${built})` : ""}`;
  });
  const lines = [
    license === undefined ? `${name} ${version}` : `${name} ${version} (${license})`,
    ...(address === undefined ? [] : [address.replace(/^git\+/, "")]),
  ];
  return [
    [...lines, ...(sources.length > 0 ? ["Contains:", ...sources] : [])].join("\n"),
    ...texts,
  ].join("\n\n");
}

/**
 * @param {string} name
 * @param {string} license
 * @param {string | undefined} author
 * @returns {string}
 */
function standardText(name, license, author) {
  if (license !== "MIT")
    throw new Error(`The package ${name} has no text of its license, ${license}.`);
  return `Copyright (c) ${author ?? `the authors of ${name}`}\n\n${MIT}`;
}
