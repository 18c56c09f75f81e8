import { execFile } from "node:child_process";
import { chmod, rm, symlink } from "node:fs/promises";
import * as path from "node:path";
import { promisify } from "node:util";
import { PanelApproval } from "../../src/host/panel/panelApproval.ts";
import { createNodeWorkspace } from "../../src/node/files/nodeWorkspace.ts";
import { createRunnerFiles } from "../../src/node/files/runnerFiles.ts";
import type { ApprovalRequest } from "../../src/ports/approval.ts";
import { PermissionGrants } from "../../src/tools/permissions/permissionGrants.ts";
import { decidePermission } from "../../src/tools/permissions/permissionPolicy.ts";
import {
  commandPrefix,
  coversCommand,
  type PermissionRule,
} from "../../src/tools/permissions/permissionRule.ts";
import { gitRepository } from "../fakes/workspace/gitRepository.ts";
import { type TempFolder, tempFolder } from "../fakes/workspace/tempFolder.ts";
import { type Attack, attacks } from "./attacks.ts";

const exec = promisify(execFile);
const base = { turnId: "t", callId: "c", summary: "s", reviewed: false } as const;
const run = (text: string, folder = "."): ApprovalRequest => ({
  ...base,
  tool: "run_command",
  effect: "execute",
  command: { text, folder },
});
const rule = (match: string, allow: PermissionRule["allow"] = "always"): PermissionRule => ({
  tool: "run_command",
  match,
  allow,
});

// Programs whose own words run programs.
attacks(
  "a rule with a star",
  [
    ...[
      "sed *",
      "sed*",
      "sed -n *",
      "gsed *",
      "awk *",
      "gawk *",
      "mawk *",
      "find *",
      "find . *",
      "fd *",
      "xargs *",
      "env *",
      "env A=1 *",
    ],
    ...[
      "git *",
      "git -c *",
      "git -c x=y *",
      "git bisect *",
      "git submodule *",
      "git submodule foreach *",
      "git rebase *",
      "git config *",
      "git -C x *",
    ],
    ...[
      "perl *",
      "perl -e *",
      "node *",
      "node -e *",
      "nodejs *",
      "node --test *",
      "deno *",
      "bun *",
      "bun run *",
      "python *",
      "python3 *",
      "python3.12 *",
    ],
    ...[
      "python -m *",
      "python -c *",
      "python -m pdb *",
      "ruby *",
      "php *",
      "lua *",
      "tclsh *",
      "sh *",
      "sh -c *",
      "bash *",
      "zsh *",
      "fish *",
      "dash *",
    ],
    ...[
      "pwsh *",
      "powershell *",
      "cmd *",
      "cmd /c *",
      "eval *",
      "exec *",
      "command *",
      "builtin *",
      ". *",
      "source *",
      "busybox *",
      "nice *",
      "nohup *",
    ],
    ...[
      "timeout *",
      "timeout 5 *",
      "time *",
      "stdbuf *",
      "setsid *",
      "sudo *",
      "doas *",
      "su *",
      "ssh *",
      "scp *",
      "rsync *",
      "tar *",
      "zip *",
    ],
    ...[
      "vim *",
      "vi *",
      "ex *",
      "ed *",
      "emacs *",
      "less *",
      "man *",
      "gdb *",
      "strace *",
      "script *",
      "expect *",
      "parallel *",
      "watch *",
      "entr *",
    ],
    ...[
      "docker *",
      "docker run *",
      "podman *",
      "kubectl *",
      "npx *",
      "pnpx *",
      "bunx *",
      "uvx *",
      "pipx *",
      "npm *",
      "npm exec *",
      "npm x *",
    ],
    ...[
      "npm install *",
      "pnpm dlx *",
      "pnpm *",
      "yarn *",
      "yarn dlx *",
      "cargo *",
      "cargo run *",
      "go *",
      "go run *",
      "go generate *",
      "dotnet *",
    ],
    ...[
      "dotnet run *",
      "uv *",
      "uv run *",
      "poetry *",
      "poetry run *",
      "hatch run *",
      "bundle *",
      "bundle exec *",
      "mix run *",
      "java *",
      "curl *",
      "wget *",
    ],
    ...[
      "/usr/bin/sed *",
      "./sed *",
      "'sed' *",
      '"sed" *',
      "\\sed *",
      "SED *",
      "sed.exe *",
      "\u017fed *",
      "A=1 sed *",
      "A=1 B=2 sed *",
      "C:\\bin\\sed.exe *",
    ],
    ...[
      "*",
      "* ",
      "ts-node *",
      "tsx *",
      "osascript *",
      "open *",
      "start *",
      "nix *",
      "socat *",
      "nc *",
      "psql *",
      "sqlite3 *",
      "m4 *",
      "make-kpkg *",
    ],
  ].map((match) => ({
    name: match,
    play: () => {
      const start = match.replace(/\*\s*$/, "").trim();
      const commands =
        start === ""
          ? ["sed x", "node evil.js", "sh evil.sh", "git bisect"]
          : [`${start} evil`, `${start} ./evil.sh`, `${start} evil.js x`];
      const passed = commands.find((text) => coversCommand(match, text));
      return passed === undefined ? null : `${match} allows ${passed}`;
    },
  })),
);

attacks(
  "what a permission with further words covers",
  [
    "sed x",
    "node x",
    "git x",
    "npm exec x",
    "npx x",
    "env x",
    "make x",
    "sh x",
    "./test.sh x",
    "npm test --prefix x",
    "npm  x",
  ].map((text) => ({
    name: text,
    play: () => (commandPrefix(text) === null ? null : `${text} has a beginning that is allowed`),
  })),
);

// A program that is forbidden.
attacks(
  "a forbidden program under another spelling",
  [
    ...[
      "RM -rf x",
      "Rm x",
      "rM x",
      "RM.EXE x",
      "rm.exe x",
      "/bin/RM x",
      "/BIN/rm x",
      "'RM' x",
      "\\rm x",
      "r\\m x",
      "env RM x",
      "A=1 RM x",
    ],
    ...[
      "rm\u200d x",
      "$(echo rm) x",
      "`echo rm` x",
      "x;rm x",
      "x&&RM x",
      "x | xargs RM",
      "(RM x)",
      "{ RM x; }",
      "\nRM x",
      "\tRM x",
      "/bin/r? x",
      "R[M] x",
    ],
    ...[
      `${" ".repeat(3_000)}RM x`,
      `echo ${"a ".repeat(1_500)}; RM x`,
      "sudo RM x",
      "command RM x",
      "exec RM x",
      "time RM x",
      "!RM x",
      "~/RM x",
      "rm",
    ],
  ].map((text) => ({
    name: text.length > 60 ? `${text.slice(0, 20)}… (${text.length})` : text,
    play: () => {
      const any: PermissionRule = { tool: "run_command", allow: "always" };
      const { permission } = decidePermission(run(text), {
        write: "allow",
        rules: [rule("rm *", "never"), any],
        restrictions: [],
      });
      return permission === "allow" ? "it is allowed" : null;
    },
  })),
);

attacks(
  "the time of a check",
  [
    ["blanks", " ".repeat(100_000)],
    ["blanks and tabs", " \t".repeat(100_000)],
    ["lines", "\n".repeat(100_000)],
    ["blanks between words", `npm${" ".repeat(100_000)}test`],
    ["blanks before a letter, again and again", ` a${" ".repeat(1_000)}`.repeat(200)],
    ["words", "a ".repeat(100_000)],
    ["slashes", "/".repeat(100_000)],
    ["dots", "npm test ".concat("../".repeat(50_000))],
    ["a long word", `npm test ${"a".repeat(200_000)}`],
    ["quotes", '"'.repeat(100_000)],
    ["assignments", "A=1 ".repeat(50_000)],
  ].map(([name, text = ""]) => ({
    name: `${name}`,
    play: () => {
      const started = process.cpuUsage();
      for (const allow of ["always", "never", "ask"] as const)
        decidePermission(run(text), {
          write: "allow",
          rules: [rule("npm test *", allow)],
          restrictions: [],
        });
      commandPrefix(text);
      const ms = process.cpuUsage(started).user / 1000;
      // A quadratic check takes minutes.
      return ms > 2_000 ? `it took ${ms.toFixed(0)} ms` : null;
    },
  })),
);

/** A workspace with a permission, and what happens after it was given. */
interface Scene {
  readonly folder: TempFolder;
  readonly write: TempFolder["write"];
  /** Another command of the model: it changes the disk. */
  sh(script: string): Promise<unknown>;
}

interface Later {
  readonly name: string;
  /** What was allowed, and is asked for again afterwards. */
  readonly command?: string;
  readonly folder?: string;
  readonly later: (scene: Scene) => Promise<unknown>;
  /** What is asked for afterwards, where that is another command. */
  readonly afterwards?: ApprovalRequest;
  readonly tool?: ApprovalRequest;
  readonly ways?: readonly Way[];
}

type Way = "rule" | "turn" | "session" | "workspace" | "more";

async function isAllowed(
  { command = "npm test", folder: place = ".", later, afterwards, tool }: Later,
  way: Way,
): Promise<boolean> {
  const folder = await tempFolder({
    "package.json": '{ "scripts": { "test": "node --test" }, "dependencies": { "a": "1" } }',
    "web/package.json": '{ "scripts": { "test": "node --test" } }',
    "tests/test_a.py": "",
    "scripts/run.sh": "echo",
    Makefile: "test:\n\techo\n",
    "sub/deep/x.txt": "",
  });
  try {
    await gitRepository(folder.root, "-A");
    const values = new Map<string, unknown>();
    const memory = {
      get: (key: string) => values.get(key),
      update: async (key: string, value: unknown) => void values.set(key, value),
    };
    const workspace = await createNodeWorkspace(folder.root);
    const grants = new PermissionGrants(memory, createRunnerFiles(workspace));
    const rules = way === "rule" ? [rule(`${command}*`), rule(command)] : [];
    const never = new AbortController().signal;
    const approval = new PanelApproval({
      trusted: () => true,
      policy: () => ({ write: "allow", rules, restrictions: [] }),
      grants,
      acceptAll: async () => true,
      saveFiles: async () => true,
    });
    const first = tool ?? run(command, place);
    if (way === "rule")
      await approval.request(
        { ...base, tool: "edit_mode", effect: "write", reviewed: true },
        never,
      );
    else {
      const asked = approval.request({ ...first, callId: "first" }, never);
      await new Promise(setImmediate);
      await approval.answer(
        { tree: { turns: { has: () => true } } },
        "first",
        true,
        way === "more" ? { scope: "session", more: true } : { scope: way },
      );
      if (!(await asked).allowed) throw new Error("the permission was not given");
    }
    const sh = (script: string) => exec("sh", ["-c", script], { cwd: folder.root });
    await later({ folder, write: folder.write, sh });
    const stop = new AbortController();
    const request = afterwards ?? first;
    const decided = approval.request({ ...request, callId: "second" }, stop.signal);
    const open = new Promise<"asked">((resolve) =>
      approval.open.onChange((all) => all.length > 0 && resolve("asked")),
    );
    const outcome = approval.open.all.length > 0 ? "asked" : await Promise.race([decided, open]);
    stop.abort();
    await decided;
    return outcome !== "asked" && outcome.allowed;
  } finally {
    await folder.remove();
  }
}

const writes =
  (name: string, text = "evil\n"): Later["later"] =>
  ({ write }) =>
    write(name, text);
const LATER: readonly Later[] = [
  { name: "an .npmrc redirects the shell", later: writes(".npmrc", "script-shell=./evil.sh\n") },
  {
    name: "an .npmrc, written by a command",
    later: ({ sh }) => sh("echo script-shell=./evil.sh > .npmrc"),
  },
  {
    name: "scripts of package.json",
    later: writes(
      "package.json",
      '{ "scripts": { "test": "sh evil.sh" }, "dependencies": { "a": "1" } }',
    ),
  },
  {
    name: "a script before the script",
    later: writes(
      "package.json",
      '{ "scripts": { "pretest": "sh evil.sh", "test": "node --test" } }',
    ),
  },
  {
    name: "settings of a test runner in package.json",
    later: writes(
      "package.json",
      '{ "scripts": { "test": "node --test" }, "jest": { "globalSetup": "./evil.js" } }',
    ),
  },
  { name: "a package.json that is no JSON", later: writes("package.json", "{ evil") },
  {
    name: "a package.json of a folder below",
    later: writes("web/package.json", '{ "scripts": { "test": "evil" } }'),
  },
  { name: "a package.json that is deleted", later: ({ sh }) => sh("rm package.json") },
  {
    name: "a package.json that became a link",
    later: async ({ folder, write }) => {
      await write("evil.json", '{ "scripts": { "test": "evil" } }');
      await rm(path.join(folder.root, "package.json"));
      await symlink("evil.json", path.join(folder.root, "package.json"));
    },
  },
  ...[
    ".env",
    ".env.local",
    ".env.test",
    ".envrc",
    ".mocharc.json",
    ".babelrc",
    "babel.config.js",
    "jest.config.ts",
    "vitest.config.mts",
    "vite.config.js",
  ].map((name) => ({
    name,
    later: writes(name),
  })),
  ...[
    ".yarnrc.yml",
    ".pnpmfile.cjs",
    "pnpm-workspace.yaml",
    "bunfig.toml",
    ".eslintrc.cjs",
    "eslint.config.js",
    "playwright.config.ts",
    "turbo.json",
    "nx.json",
  ].map((name) => ({
    name,
    later: writes(name),
  })),
  ...[
    "tsconfig.json",
    ".vscode/tasks.json",
    ".husky/pre-commit",
    "lefthook.yml",
    ".pre-commit-config.yaml",
    "sub/.npmrc",
    "sub/deep/jest.config.js",
  ].map((name) => ({
    name,
    later: writes(name),
  })),
  {
    name: "a Makefile",
    command: "make test",
    ways: ["session", "rule"],
    later: writes("Makefile", "test:\n\tevil\n"),
  },
  {
    name: "a GNUmakefile, which counts before",
    command: "make test",
    ways: ["session", "rule"],
    later: writes("GNUmakefile", "test:\n\tevil\n"),
  },
  ...[
    "conftest.py",
    "tests/conftest.py",
    "tests/sub/conftest.py",
    "pytest.ini",
    "pyproject.toml",
    "tox.ini",
    "setup.cfg",
    "sitecustomize.py",
  ].map(
    (name): Later => ({
      name: `${name} for pytest`,
      command: "pytest",
      ways: ["more", "rule"],
      later: writes(name),
    }),
  ),
  ...["build.rs", ".cargo/config.toml", "rust-toolchain.toml", "Cargo.toml"].map(
    (name): Later => ({
      name: `${name} for cargo`,
      command: "cargo test",
      ways: ["more"],
      later: writes(name),
    }),
  ),
  ...[
    "build.gradle",
    "gradlew",
    "pom.xml",
    ".mvn/jvm.config",
    "Rakefile",
    "CMakeLists.txt",
    "x.csproj",
    "Directory.Build.props",
    "composer.json",
    "mix.exs",
  ].map(
    (name): Later => ({
      name: `${name} for a build`,
      command: "make build",
      ways: ["session"],
      later: writes(name),
    }),
  ),
  {
    name: "a script that the command names",
    command: "sh scripts/run.sh",
    ways: ["turn", "session", "workspace"],
    later: writes("scripts/run.sh"),
  },
  {
    name: "a script that the command names in a folder",
    command: "./run.sh",
    folder: "scripts",
    ways: ["session"],
    later: writes("scripts/run.sh"),
  },
  {
    name: "a dependency, where packages are installed",
    command: "npm install",
    ways: ["session"],
    later: writes(
      "package.json",
      '{ "scripts": { "test": "node --test" }, "dependencies": { "evil": "1" } }',
    ),
  },
  {
    name: "a package.json above the folder",
    folder: "sub/deep",
    ways: ["session"],
    later: writes("package.json", '{ "workspaces": ["sub/deep"], "scripts": { "test": "evil" } }'),
  },
  {
    name: "an .npmrc between the folder and the workspace",
    folder: "sub/deep",
    ways: ["session"],
    later: writes("sub/.npmrc"),
  },
  // The folder.
  {
    name: "another folder",
    ways: ["rule", "turn", "session", "workspace", "more"],
    later: async () => null,
    afterwards: run("npm test", "web"),
  },
  {
    name: "another folder, spelled as a part",
    ways: ["rule", "session"],
    later: async () => null,
    afterwards: run("npm test", "./web"),
  },
  {
    name: "another folder through the workspace",
    ways: ["rule", "session"],
    later: async () => null,
    afterwards: run("npm test", "web/."),
  },
  {
    name: "the workspace, for a permission of a folder",
    folder: "web",
    ways: ["session"],
    later: async () => null,
    afterwards: run("npm test", "."),
  },
  {
    name: "a folder that became a link to another",
    folder: "web",
    ways: ["session"],
    later: ({ sh }) =>
      sh(
        'mkdir evil && echo \'{ "scripts": { "test": "evil" } }\' > evil/package.json && rm -r web && ln -s evil web',
      ),
  },
  // Commits.
  ...(
    [
      [
        "a hook",
        ({ write, folder }: Scene) =>
          write(".git/hooks/pre-commit", "evil").then(() =>
            chmod(path.join(folder.root, ".git/hooks/pre-commit"), 0o755),
          ),
      ],
      ["a hooks folder in the settings", ({ sh }: Scene) => sh("git config core.hooksPath evil")],
      ["a filter in the settings", ({ sh }: Scene) => sh("git config filter.x.clean evil")],
      ["a signing program in the settings", ({ sh }: Scene) => sh("git config gpg.program evil")],
      [
        "an included file in the settings",
        ({ sh }: Scene) => sh("git config include.path ../evil"),
      ],
      ["husky's hook", ({ write }: Scene) => write(".husky/pre-commit", "evil")],
    ] as const
  ).map(
    ([name, later]): Later => ({
      name: `${name}, for commits`,
      tool: { ...base, tool: "git_commit", effect: "execute" },
      ways: ["session", "workspace"],
      later,
    }),
  ),
];

attacks(
  "a permission after its files changed",
  LATER.flatMap((row): readonly Attack[] =>
    (row.ways ?? (["rule", "workspace"] as const)).map((way) => ({
      name: `${row.name} (${way})`,
      play: async () => ((await isAllowed(row, way)) ? "it is allowed" : null),
    })),
  ),
);

/** What must not ask again: an ordinary day. */
const QUIET: readonly Later[] = [
  { name: "nothing changed", later: async () => null },
  { name: "a source file changed", later: writes("src/a.ts") },
  {
    name: "a dependency was added",
    later: writes(
      "package.json",
      '{ "scripts": { "test": "node --test" }, "dependencies": { "a": "1", "b": "2" }, "version": "2.0.0" }',
    ),
  },
  {
    name: "packages were installed",
    later: writes("node_modules/a/package.json", '{ "scripts": { "test": "x" } }'),
  },
  { name: "a build wrote its output", later: writes("dist/package.json", "{}") },
  {
    name: "a branch was pushed",
    later: ({ sh }) =>
      sh("git config branch.main.remote origin && git config branch.main.merge refs/heads/main"),
  },
];

describe("an ordinary day asks no more", () => {
  for (const row of QUIET) {
    for (const way of row.ways ?? (["rule", "session", "more"] as const)) {
      it(`${row.name} (${way})`, async () => {
        if (!(await isAllowed(row, way))) throw new Error("it is asked about");
      });
    }
  }
});
