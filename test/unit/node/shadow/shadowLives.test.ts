import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { campaignRuns } from "../../../fakes/campaignRuns.ts";
import { seededRandom } from "../../../fakes/seededRandom.ts";
import { needsShadows, type ShadowWorkspace, shadowWorkspace } from "./shadowWorkspace.ts";

// More by hand: GRAFT_SHADOW_COMMANDS=1000 GRAFT_SEED=2.
const COMMANDS = Number(process.env.GRAFT_SHADOW_COMMANDS ?? campaignRuns(15, 40));
const SEED = Number(process.env.GRAFT_SEED ?? 1);
const NAMES = ["a.txt", "b.txt", "src/c.txt", "src/d.txt", "src/deep/e.txt", "new/f.txt", "g.txt"];
const FILES = Object.fromEntries(NAMES.slice(0, 5).map((name) => [name, `${name}\n`]));

/** Commands that would destroy work. `$1` is a file. In a copy only those with relative paths. */
const HOSTILE = [
  "rm -rf . .git",
  "rm -rf ./* .[a-z]*",
  "git reset --hard; git clean -fdx",
  "git checkout -- .; git stash; git gc -q --prune=now",
  "find . -type f -exec sh -c 'echo gone > \"$1\"' sh {} \\;",
  "find . -delete",
  "chmod -R 000 .",
  "chown -R 12345:12345 . ; chmod -R u+s .",
  'truncate -s 0 "$1"; : > a.txt',
  'mv "$1" elsewhere; mv src ..src',
  'ln -sf /etc/passwd "$1"; rm -rf src; ln -s /tmp src',
  'ln a.txt hard; echo more >> hard; touch -d 2001-01-01 "$1"',
  'umount -l "$PWD"; umount "$PWD"; mount --bind / "$PWD"; rm -f "$1"',
  "unshare -r umount -l .; unshare -rm sh -c 'umount .; rm -rf ./*'",
  'mkdir -p "$1/x"; rm -f "$1"; mkdir -p "$1/x"; echo y > "$1/x/y"',
  'dd if=/dev/zero of="$1" bs=1k count=64; mkfifo pipe; mknod dev c 1 3',
  'cd ..; rm -rf "$OLDPWD"/*; git -C "$OLDPWD" commit -aqm x',
  "sed -i 's/^/x/' $(find . -name '*.txt'); git add -A; git -c user.name=a -c user.email=a@b commit -qm x",
];

const MOUNTING = /mount --bind/;

for (const backend of ["overlay", "copy"] as const) {
  describe(`shadows over many commands: ${backend}`, () => {
    const hostile = HOSTILE.filter((command) => backend === "overlay" || !MOUNTING.test(command));
    let workspace: ShadowWorkspace;
    const random = seededRandom(SEED);
    const one = <T>(from: readonly T[]): T => {
      const chosen = from[random(from.length)];
      assert.ok(chosen !== undefined);
      return chosen;
    };

    before(async function () {
      await needsShadows(this, backend);
    });
    beforeEach(async () => {
      workspace = await shadowWorkspace(FILES, backend);
    });
    afterEach(() => workspace?.remove());

    it(`change no byte of the user's files by ${COMMANDS} hostile ones, seed ${SEED}`, async () => {
      const before = workspace.snapshot();
      for (let at = 0; at < COMMANDS; at++) {
        const command = hostile[at % hostile.length] ?? "";
        const proposals = random(2) ? [workspace.proposed(one(NAMES), `${at}\n`)] : [];
        await workspace.run(proposals, `set -- ${one(NAMES)}; ${command}`);
        assert.deepEqual(workspace.snapshot(), before, command);
        if (at % 5 === 4) await workspace.shadows.of("chat").collect(new AbortController().signal);
      }
    });

    it(`are the files and what is pending after each of ${COMMANDS} decisions, seed ${SEED}`, async () => {
      const pending = new Map<string, string | null>();
      const real = new Map<string, string>(Object.entries(FILES));
      const write = (name: string, text: string | null) => {
        if (text === null) real.delete(name);
        else real.set(name, text);
        const place = workspace.at(name);
        fs.mkdirSync(path.dirname(place), { recursive: true });
        if (text === null) fs.rmSync(place, { force: true });
        else fs.writeFileSync(place, text);
      };
      const run = async (command: string) => {
        const proposals = [...pending].map(([name, text]) => workspace.proposed(name, text));
        const changes = await workspace.run(proposals, command);
        for (const [name, text] of Object.entries(workspace.textsOf(changes)))
          pending.set(name, text);
        return changes.output;
      };
      const steps: readonly ((at: number) => unknown)[] = [
        (at) => pending.set(one(NAMES), `proposed ${at}\n`),
        () => {
          const name = one(NAMES);
          if (real.has(name)) pending.set(name, null);
        },
        () => {
          const [name, text] = one([...pending, ["", null] as const]);
          if (name !== "") write(name, text);
          pending.delete(name);
        },
        () => pending.delete(one([...pending.keys(), ""])),
        (at) => {
          const name = one(NAMES);
          if (!pending.has(name)) write(name, `typed ${at}\n`);
        },
        (at) => run(`mkdir -p new; echo ran ${at} > ${one(NAMES)}`),
        () => run(`rm -f ${one(NAMES)}`),
        () => run("rm -rf src; mkdir -p src/deep; echo again > src/c.txt"),
        () => run("mv a.txt g.txt; cp b.txt src/d.txt"),
        () => run(`test -f ${one(NAMES)} && sed -i s/$/!/ *.txt`),
      ];
      const told: string[] = [];
      for (let at = 0; at < COMMANDS; at++) {
        const step = random(steps.length);
        told.push(`${step}`);
        await steps[step]?.(at);
        const seen = await run("for f in $(find * -name '*.txt' | sort); do echo $f; cat $f; done");
        const expected = new Map<string, string | null>([...real, ...pending]);
        const text = [...expected]
          .flatMap(([name, content]) => (content === null ? [] : `${name}\n${content}`))
          .sort()
          .join("");
        assert.equal(seen, text, `after the steps ${told.join(" ")}`);
        for (const [name, content] of real)
          assert.equal(fs.readFileSync(workspace.at(name), "utf8"), content);
      }
    });
  });
}
