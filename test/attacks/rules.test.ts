import type { ApprovalRequest } from "../../src/ports/approval.ts";
import { decidePermission } from "../../src/tools/permissions/permissionPolicy.ts";
import {
  commandPrefix,
  coversCommand,
  type PermissionRule,
} from "../../src/tools/permissions/permissionRule.ts";
import { attacks } from "./attacks.ts";

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
