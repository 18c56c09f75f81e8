// The npm package with the command line: another manifest than the extension's.
import fs from "node:fs";
import path from "node:path";

/** Its name at npm, where `graft` is another program's; the command is `graft`. */
export const NPM_NAME = "graft-edits";

/**
 * Puts the package into `dist/npm`, once `dist` is built.
 * @param {string} root
 */
export function buildNpmPackage(root) {
  const out = path.join(root, "dist/npm");
  const from = (/** @type {string} */ name) => path.join(root, name);
  /**
   * The addresses are there once a release has set them.
   * @type {{ version: string, license: string, engines: { node: string }, repository?: object,
   * bugs?: object, homepage?: string }}
   */
  const { version, license, engines, repository, bugs, homepage } = JSON.parse(
    fs.readFileSync(from("package.json"), "utf8"),
  );
  fs.rmSync(out, { recursive: true, force: true });
  fs.mkdirSync(path.join(out, "dist"), { recursive: true });
  fs.cpSync(from("dist/cli.js"), path.join(out, "dist/cli.js"));
  fs.chmodSync(path.join(out, "dist/cli.js"), 0o755);
  fs.cpSync(from("dist/grammars"), path.join(out, "dist/grammars"), { recursive: true });
  fs.cpSync(from("dist/ThirdPartyNotices.txt"), path.join(out, "ThirdPartyNotices.txt"));
  fs.cpSync(from("LICENSE"), path.join(out, "LICENSE"));
  fs.cpSync(from("media/npm/README.md"), path.join(out, "README.md"));
  const manifest = {
    name: NPM_NAME,
    version,
    description: "Edits source files by AST paths: for agents by MCP, and as a program of its own.",
    license,
    repository,
    bugs,
    homepage,
    bin: { graft: "dist/cli.js" },
    engines: { node: engines.node },
    files: ["dist", "ThirdPartyNotices.txt"],
  };
  fs.writeFileSync(path.join(out, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}
