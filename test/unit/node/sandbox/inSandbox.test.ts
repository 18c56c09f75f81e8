import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import type { CommandPlace } from "../../../../src/ports/commands/process.ts";
import type { Sandbox } from "../../../../src/ports/commands/shadow.ts";
import { comes } from "../../../fakes/comes.ts";
import { tempFolder } from "../../../fakes/workspace/tempFolder.ts";
import { type ShadowWorkspace, shadowsOn } from "../shadow/shadowWorkspace.ts";
import { inNewSandbox, sandboxWorkspace, shellCommand, startProgram } from "./sandboxPlace.ts";

/** Connects by a path or a port, and says how that went. */
const CONNECT = `node -e 'require("net").connect(process.argv[1]).on("connect", () => { console.log("connected"); process.exit() }).on("error", (e) => console.log(e.code))'`;

describe("a command in a sandbox", () => {
  let workspace: ShadowWorkspace;

  before(async function () {
    workspace = await sandboxWorkspace(this);
  });
  after(() => workspace?.remove());

  const inside = <T>(use: (sandbox: Sandbox, shadow: CommandPlace) => Promise<T>) =>
    inNewSandbox(workspace, use);
  const start = (sandbox: Sandbox, command: string) =>
    startProgram(sandbox.enter(shellCommand(command, workspace.root)));

  function run(command: string) {
    return inside(async (sandbox) => {
      const { child, said } = await start(sandbox, command);
      const exit = await child.exited;
      return { ...exit, output: said(), wantedNetwork: await sandbox.wantedNetwork() };
    });
  }

  it("has no more processes than the machine stands, and ends first where memory does", async () => {
    const { output } = await run("cat /proc/self/oom_score_adj; grep processes /proc/self/limits");
    const [score, limits] = output.split("\n");
    assert.equal(score, "1000");
    assert.match(limits ?? "", /^Max processes +(\d{1,3}|[1-3]\d{3}|40\d\d) +(?:\1) /);
  });

  it("stops a bomb of processes at that limit (only in long runs)", async function () {
    if (!process.env.GRAFT_LONG) return this.skip();
    const bomb = `perl -e 'my $n = 0; while (1) { my $pid = fork; last unless defined $pid; if ($pid == 0) { sleep 60; exit } $n++; last if $n > 9000 } print $n'`;
    const forked = Number((await run(bomb)).output);
    assert.ok(forked > 1000 && forked < 4_200, String(forked));
  });

  it("sees what is proposed, changes only that, and tells its exit code", async () => {
    const before = workspace.snapshot();
    const ran = await run("cat a.txt; echo new > a.txt && cat a.txt; pwd; exit 7");
    assert.deepEqual(ran, {
      ...{ code: 7, signal: null, wantedNetwork: false },
      output: `proposed\nnew\n${workspace.root}\n`,
    });
    assert.deepEqual(workspace.snapshot(), before);
    assert.equal((await run("kill -SEGV $$")).code, 139);
    assert.equal((await run("exec /no/such/program")).code, 127);
  });

  it("cannot write to any other file, and has a /tmp and a home folder of its own", async () => {
    const other = await tempFolder({});
    const home = path.join(os.homedir(), `.graft-sandbox-${process.pid}`);
    const shared = path.join("/tmp", `graft-sandbox-${process.pid}`);
    const { output } = await run(
      [
        `for each in ${path.join(other.root, "x")} /etc/graft-x /var/tmp/graft-x /dev/graft-x \\`,
        '/proc/sys/kernel/core_pattern; do (echo x > "$each") 2>/dev/null && echo "wrote $each"; done',
        `echo x > ${shared} && cat ${shared}; mktemp >/dev/null && echo made`,
        `echo x > ${home} && cat ${home}`,
        "echo x > /dev/null && echo x > /dev/shm/x && echo devices",
      ].join("\n"),
    );
    assert.equal(output, "x\nmade\nx\ndevices\n");
    for (const each of [home, shared, path.join(other.root, "x")])
      assert.equal(fs.existsSync(each), false, each);
    await other.remove();
  });

  describe("in a home folder", () => {
    const files = {
      ".ssh/id_ed25519": "key",
      ".local/share/gnupg/private-keys-v1.d/x.key": "key",
      "dotfiles/config/gh/hosts.yml": "key",
      "dotfiles/config/git/config": "[user]\nname = Jo\n",
      ".gitconfig": "[user]\nemail = jo@example.com\n",
      ".netrc": "key",
      "projects/other/.env": "key",
      "Downloads/server.pem": "key",
      ".cargo/credentials.toml": "key",
      ".cargo/registry/index": "package",
      ".npm/_cacache/x": "package",
      ".npm/_logs/x": "key",
      "tools/x/bin/x": "program",
      "tools/x/lib/x": "package",
      "tools/x/notes": "key",
      "bin/.env": "key",
      ".local/share/made/bin/linked": "program",
      ".cache/pip/x": "package",
      ".cache/private/x": "key",
    };
    let home: Awaited<ReturnType<typeof tempFolder>>;
    const at = (name: string) => path.join(home.root, name);
    const before = { ...process.env };

    beforeEach(async () => {
      home = await tempFolder(files, "/var/tmp");
      fs.symlinkSync("dotfiles/config", at(".config"));
      fs.symlinkSync("../.local/share/made/bin/linked", at("bin/linked"));
      process.env.HOME = home.root;
      process.env.PATH = `${process.env.PATH}:${at("tools/x/bin")}:${at("bin")}:${home.root}`;
      for (const name of ["CARGO_HOME", "npm_config_cache", "XDG_CACHE_HOME"])
        delete process.env[name];
    });
    afterEach(async () => {
      for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
      Object.assign(process.env, before);
      await home.remove();
    });

    it("finds programs, packages and its name for git, and nothing else", async () => {
      const { output } = await run(
        "cd && grep -r . . | sort; cat bin/linked; echo; git config user.name",
      );
      assert.deepEqual(output.trimEnd().split("\n").sort(), [
        ...["./.cache/pip/x:package", "./.cargo/registry/index:package"],
        ...["./.gitconfig:[user]", "./.gitconfig:email = jo@example.com"],
        ...["./.local/share/made/bin/linked:program", "./.npm/_cacache/x:package"],
        ...["./dotfiles/config/git/config:[user]", "./dotfiles/config/git/config:name = Jo"],
        ...["./tools/x/bin/x:program", "./tools/x/lib/x:package", "Jo", "program"],
      ]);
    });

    it("writes what is gone afterwards", async () => {
      const { output } = await run(
        "cd && echo more >> .npm/_cacache/x && cat .npm/_cacache/x; echo x > .toolrc && cat .toolrc",
      );
      assert.equal(output, "packagemore\nx\n");
      assert.equal(fs.readFileSync(at(".npm/_cacache/x"), "utf8"), "package");
      assert.equal(fs.existsSync(at(".toolrc")), false);
    });

    it("does not find settings of git that hold a key", async () => {
      fs.appendFileSync(at(".gitconfig"), '[url "https://jo:pass@example.com/"]\ninsteadOf = x:\n');
      assert.equal((await run("cat ~/.gitconfig 2>&1 || true")).output.includes("jo"), false);
    });

    it("does not find the keys that variables name, wherever they are", async () => {
      const other = await tempFolder({ "kube/config": "key", "gpg/x": "key" }, "/var/tmp");
      process.env.KUBECONFIG = `/no/such:${path.join(other.root, "kube/config")}`;
      process.env.GNUPGHOME = path.join(other.root, "gpg");
      try {
        const { output } = await run(`cat ${other.root}/kube/config; ls -A "$GNUPGHOME"`);
        assert.equal(output, "");
      } finally {
        await other.remove();
      }
    });

    it("finds nothing by links that programs of the workspace or folders of programs are", async () => {
      const bin = workspace.at("node_modules/.bin");
      fs.mkdirSync(bin, { recursive: true });
      fs.symlinkSync(at(".ssh"), path.join(bin, "ssh"));
      fs.symlinkSync(at(".netrc"), path.join(bin, "x"));
      fs.symlinkSync("../projects/other", at("bin/other"));
      fs.mkdirSync(at("bin/deploy"));
      fs.writeFileSync(at("bin/deploy/.env"), "key");
      process.env.PATH = `${bin}:${process.env.PATH}`;
      try {
        assert.doesNotMatch(
          (await run("cd; grep -rs . .; ls -A")).output,
          /key|ssh|netrc|projects/,
        );
      } finally {
        fs.rmSync(workspace.at("node_modules"), { recursive: true });
      }
    });

    it("does not find settings of git that nobody reads for keys, as they are too large", async () => {
      fs.writeFileSync(at(".gitconfig"), `[user]\nname = Jo\n${"#".repeat(6_000_000)}`);
      assert.equal((await run("cat ~/.gitconfig 2>/dev/null || true")).output, "");
    });

    it("is made where variables name the folders that they name anyway", async () => {
      process.env.XDG_CONFIG_HOME = at(".config");
      process.env.XDG_STATE_HOME = at(".local/state");
      fs.mkdirSync(at("dotfiles/config/yarn/global/node_modules/x"), { recursive: true });
      const { output } = await run("git config user.name; ls ~/.config/yarn/global/node_modules");
      assert.equal(output, "Jo\nx\n");
    });

    it("is there where a link leads to it", async () => {
      const link = path.join("/var/tmp", `graft-home-${process.pid}`);
      fs.symlinkSync(home.root, link);
      process.env.HOME = link;
      try {
        const { output } = await run("cd && echo x > y && cat y; git config user.email");
        assert.equal(output, "x\njo@example.com\n");
      } finally {
        fs.rmSync(link);
      }
    });

    it("has none where the workspace holds the home folder", async () => {
      process.env.HOME = workspace.root;
      const shadow = workspace.shadows.of("chat");
      const place = await shadow.enter([], new AbortController().signal);
      const made = place.ok && (await place.value.newSandbox());
      await shadow.leave();
      assert.ok(made && !made.ok);
      assert.equal(made.error.code, "holds-home");
    });
  });

  it("does not find keys that came between two commands", async () => {
    const output = await inside(async () => {
      fs.writeFileSync(workspace.at(".env.new"), "KEY\n");
      return inside(async (sandbox) => {
        const { child, said } = await start(sandbox, "cat .env.new");
        await child.exited;
        return said();
      });
    });
    fs.rmSync(workspace.at(".env.new"));
    assert.equal(output, "");
  });

  it("holds up no writer, and leaves the user enough of what watches files", async () => {
    const lease =
      "perl -e 'open my $f, q(<), q(a.txt); print fcntl($f, 1024, 1) ? q(held) : q(refused)'";
    const watch =
      "perl -e 'my @all; while (@all < 200) { my $fd = syscall($ARGV[0]); last if $fd < 0; push @all, $fd } print scalar @all' ";
    const number = process.arch === "arm64" ? "26 0" : "253";
    const { output } = await run(`${lease}; echo; ${watch}${number}`);
    const [held, watches] = output.split("\n");
    assert.equal(held, "refused");
    const most = Number(fs.readFileSync("/proc/sys/fs/inotify/max_user_instances", "utf8"));
    assert.ok(Number(watches) <= Math.min(199, most / 2), `${watches} of ${most}`);
  });

  it("is opened with a PATH of the system's, and has the user's", async () => {
    const before = process.env.PATH;
    process.env.PATH = `${workspace.at("node_modules/.bin")}:${before}`;
    try {
      await inside(async (sandbox, shadow) => {
        for (const { enter } of [sandbox, shadow]) {
          const { variables } = enter(shellCommand("true", workspace.root));
          assert.doesNotMatch(variables?.PATH ?? "", /node_modules/);
        }
      });
      assert.equal((await run('echo "$PATH"')).output, `${process.env.PATH}\n`);
    } finally {
      process.env.PATH = before;
    }
  });

  it("takes no requests that count for the whole machine", async () => {
    const setup = process.arch === "arm64" ? 0 : 206;
    const { output } = await run(`perl -e 'my $c = pack "Q", 0; print syscall(${setup}, 9, $c)'`);
    assert.equal(output, "-1");
  });

  it("is made by programs that load no code from where variables say", async () => {
    const before = { ...process.env };
    process.env.LD_PRELOAD = "/no/such/library.so";
    process.env.PERL5OPT = "-Mno_such_module";
    try {
      // Each program that looks for the library complains.
      const command = 'echo "$LD_PRELOAD $PERL5OPT"; env | grep GRAFT_MOVED';
      for (const place of ["sandbox", "shadow"]) {
        const output = await inside(async (sandbox, shadow) => {
          const { enter } = place === "sandbox" ? sandbox : shadow;
          const started = await startProgram(enter(shellCommand(command, workspace.root)));
          await started.child.exited;
          return started.said();
        });
        const lines = output.split("\n").map((line) => line.replace(/^ERROR.*/, "ERROR"));
        assert.deepEqual(lines.sort(), [
          ...["", "/no/such/library.so -Mno_such_module", "ERROR", "ERROR", "ERROR"],
        ]);
      }
    } finally {
      delete process.env.LD_PRELOAD;
      delete process.env.PERL5OPT;
      Object.assign(process.env, before);
    }
  });

  it("finds files that may hold keys without content, in the workspace, too", async () => {
    const made = {
      ".env": "KEY=1\n",
      "src/secrets/index.ts": "code\n",
      "deploy/tls.key": "KEY\n",
      "live/plain": "KEY\n",
      ".git/modules/m/config": "KEY\n",
      ".git/config.bak": "KEY\n",
      ".git/config~": "KEY\n",
      ".git/.config.swp": "KEY\n",
      ".git/remotes/old": "KEY\n",
      ".git/branches/old/x": "KEY\n",
      ".git/worktrees/x/config.worktree": "KEY\n",
      ".git/modules/logs/HEAD": "x\n",
      ".git/modules/logs/config": "KEY\n",
      ".git/modules/node_modules/x/config": "KEY\n",
      "real/config": "KEY\n",
      "bare.git/HEAD": "x\n",
      "bare.git/objects/x": "x\n",
      "bare.git/refs/x": "x\n",
      "bare.git/config": "KEY\n",
      "bare.git/tree/.git": "gitdir: ../worktrees/tree\n",
      "bare.git/tree/config.ts": "code\n",
      "nested/.git/config": "KEY\n",
      ".hg/hgrc": "KEY\n",
    };
    const odd = Buffer.concat([Buffer.from(workspace.at("")), Buffer.from([0xe9])]);
    const oddFile = Buffer.concat([odd, Buffer.from("/.env")]);
    for (const [name, text] of Object.entries(made)) {
      fs.mkdirSync(path.dirname(workspace.at(name)), { recursive: true });
      fs.writeFileSync(workspace.at(name), text);
    }
    fs.mkdirSync(odd);
    fs.writeFileSync(oddFile, "KEY\n");
    fs.symlinkSync("live/plain", workspace.at(".env.live"));
    fs.mkdirSync(workspace.at("nested/.git"), { recursive: true });
    fs.symlinkSync("../../real/config", workspace.at("nested/.git/config.d"));
    try {
      const emptied = await inside(async (sandbox) => sandbox.emptied);
      for (const name of [".env", "deploy/tls.key", "live/plain"])
        assert.ok(emptied.includes(workspace.at(name)), name);
      assert.ok(!emptied.some((each) => each.includes("/.git/")), "git does without its settings");
      const { output } = await run(
        "grep -rh KEY . ; cat .git/config src/secrets/index.ts bare.git/tree/config.ts .env.live; git log --format=%s; echo x 2>/dev/null > .env || echo read-only; rm -f .env 2>/dev/null || cat .env",
      );
      assert.equal(output, "code\ncode\nFirst\nread-only\n");
      assert.equal(fs.readFileSync(workspace.at(".env"), "utf8"), "KEY=1\n");
    } finally {
      for (const name of Object.keys(made)) fs.rmSync(workspace.at(name));
      fs.rmSync(workspace.at(".env.live"));
      for (const name of ["bare.git", "nested", ".git/remotes", ".git/branches", ".git/modules"])
        fs.rmSync(workspace.at(name), { recursive: true });
      fs.rmSync(workspace.at(".git/worktrees"), { recursive: true });
      fs.rmSync(odd, { recursive: true });
    }
  });

  for (const [name, target] of [
    [".env", "/bin/sh"],
    [".env", "/usr/bin/git"],
    [".aws", "/dev"],
    [".aws", "/tmp"],
    [".aws", "/usr"],
    [".aws", "."],
    [".aws", ".."],
  ] as const)
    it(`is not kept from running by a link ${name} to ${target}`, async () => {
      fs.symlinkSync(target, workspace.at(name));
      try {
        assert.equal((await run("cat a.txt; git log --format=%s")).output, "proposed\nFirst\n");
      } finally {
        fs.rmSync(workspace.at(name));
      }
    });

  describe("in a work tree whose repository lies elsewhere", () => {
    let outer: Awaited<ReturnType<typeof tempFolder>>;
    const at = (name: string) => path.join(outer.root, name);
    const git = (cwd: string, ...args: string[]) => {
      const own = ["user.name=a", "user.email=a@b", "protocol.file.allow=always"];
      const ran = spawnSync("git", [...own.flatMap((each) => ["-c", each]), ...args], {
        ...{ cwd: at(cwd), encoding: "utf8" },
      });
      assert.equal(ran.status, 0, ran.stderr);
    };

    beforeEach(async () => {
      outer = await tempFolder({ "app/a.txt": "a\n" }, "/var/tmp");
      git("app", "init", "-q");
      git("app", "add", ".");
      git("app", "commit", "-q", "-m", "first");
    });
    afterEach(() => outer.remove());

    const addTree = () => git("app", "worktree", "add", "-q", at("tree"));
    const rows: readonly (readonly [string, folder: string, data: string, make: () => void])[] = [
      ["a linked work tree", "tree", "app/.git", addTree],
      [
        "a linked work tree with relative paths",
        "tree",
        "app/.git",
        () => {
          addTree();
          fs.writeFileSync(at("tree/.git"), "gitdir: ../app/.git/worktrees/tree\n");
          fs.writeFileSync(at("app/.git/worktrees/tree/gitdir"), "../../../../tree/.git\n");
        },
      ],
      [
        "a submodule",
        "outer/sub",
        "outer/.git/modules/sub",
        () => {
          fs.mkdirSync(at("outer"));
          git("outer", "init", "-q");
          git("outer", "submodule", "--quiet", "add", at("app"), "sub");
        },
      ],
    ];
    for (const [name, folder, data, make] of rows)
      it(`uses ${name}, and finds none of its settings`, async () => {
        make();
        git(folder, "config", "remote.origin.url", "https://u:KEY@h/x");
        fs.writeFileSync(at(`${data}/config.bak`), "KEY\n");
        const root = fs.realpathSync(at(folder));
        const shadows = await shadowsOn("overlay", [root]);
        try {
          assert.equal(await shadows.sandboxProblem(), null);
          const place = await shadows.of("chat").enter([], new AbortController().signal);
          assert.ok(place.ok);
          const made = await place.value.newSandbox();
          assert.ok(made.ok);
          const command = `git config remote.origin.url; grep -rsh KEY ${at("")}; git log --format=%s; echo new > a.txt; git add a.txt && git status --short`;
          const program = made.value.enter(shellCommand(command, root));
          const { child, said } = await startProgram(program);
          await child.exited;
          await shadows.of("chat").leave();
          assert.equal(said(), "first\nM  a.txt\n");
          assert.equal(fs.readFileSync(path.join(root, "a.txt"), "utf8"), "a\n");
        } finally {
          await shadows.dispose();
        }
      });
  });

  it("cannot take what the process has open that keeps it in", async () => {
    const take =
      'perl -e \'my $fd = syscall(434, 1, 0); my $got = syscall(438, $fd, 3, 0); print $got < 0 ? "refused" : "taken"; print -r "/proc/1/mem" && open(my $m, "<", "/proc/1/mem") ? " read" : " closed"\'';
    assert.equal((await run(take)).output, "refused closed");
  });

  it("cannot take its limits away", async () => {
    const { output } = await run(
      [
        "mount -o remount,rw / 2>/dev/null && echo remounted",
        "umount -l /tmp 2>/dev/null && echo unmounted",
        "unshare -Ur true 2>/dev/null && echo new user",
        'for each in 1 2 3; do [ -e "/dev/sda$each" ] && echo "disk $each"; done',
        "grep -E '^(CapEff|CapBnd|NoNewPrivs|Seccomp):' /proc/self/status | tr -d ' \\t'",
        `ls -d /proc/${process.pid} 2>/dev/null`,
        `kill -0 ${process.pid} 2>/dev/null && echo reached`,
      ].join("\n"),
    );
    const none = "0000000000000000";
    assert.equal(output, `CapEff:${none}\nCapBnd:${none}\nNoNewPrivs:1\nSeccomp:2\n`);
  });

  it("reaches no service of the user's, and no other machine", async () => {
    const reached: string[] = [];
    const listen = (at: string | number) =>
      new Promise<net.Server>((resolve) => {
        const server = net.createServer((socket) => {
          reached.push(String(at));
          socket.destroy();
        });
        server.listen(at, () => resolve(server));
      });
    const socket = path.join(workspace.root, "out.sock");
    const [local, port] = [await listen(socket), await listen(0)];
    const address = port.address();
    assert.ok(address && typeof address === "object");
    const ran = await run(
      `${CONNECT} ${socket}; ${CONNECT} ${address.port}; echo; node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => require("net").connect(s.address().port, "127.0.0.1", () => { console.log("own"); process.exit() }))'`,
    );
    assert.match(ran.output, /^EACCES\nECONNREFUSED\n\nown\n$/);
    assert.equal(ran.wantedNetwork, false);
    assert.deepEqual(reached, []);
    for (const server of [local, port]) await new Promise((done) => server.close(done));
  });

  it("says that it wanted the network", async () => {
    const connect = (host: string) =>
      `node -e 'require("net").connect(80, "${host}").on("error", (e) => console.log(e.code))'`;
    for (const host of ["192.0.2.1", "2001:db8::1"])
      assert.equal((await run(connect(host))).wantedNetwork, true, host);
    assert.equal((await run("true")).wantedNetwork, false);
  });

  it("ends with all that it started", async () => {
    const mark = `graft-sandbox-${process.pid}-end`;
    const isThere = () =>
      fs.readdirSync("/proc").some((name) => {
        try {
          return (
            /^\d+$/.test(name) && fs.readFileSync(`/proc/${name}/cmdline`, "utf8").includes(mark)
          );
        } catch {
          return false;
        }
      });
    await inside(async (sandbox) => {
      const { child, said } = await start(
        sandbox,
        `setsid sh -c 'echo begun; while :; do sleep 1; done' ${mark} & while :; do sleep 1; done`,
      );
      await comes("the command", () => said().includes("begun"));
      assert.equal(isThere(), true);
      await child.kill();
      await child.exited;
      await comes("the end of all", () => !isThere());
    });
    const { code } = await run(`setsid sh -c 'while :; do sleep 1; done' ${mark} & exit 3`);
    assert.equal(code, 3);
    await comes("the end of all", () => !isThere());
  });
});
