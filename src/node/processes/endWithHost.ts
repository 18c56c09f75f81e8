import type { ChildProcess } from "node:child_process";
import { spawnProgram } from "./spawnProgram.ts";

/**
 * Reads which process groups run (`+ 12`, `- 12`) until its standard input ends, which it does with
 * the process that started it, however that ended. Then ends what is left, with all descendants: as
 * `endGroup`, but that process can no longer do it. Daemons belong to no group and stay.
 */
const WATCH = `
list=
while read -r what pid; do
  rest=
  for each in $list; do [ "$each" = "$pid" ] || rest="$rest $each"; done
  list=$rest
  [ "$what" = + ] && list="$list $pid"
done
[ -n "$list" ] || exit 0
processes() {
  if [ -r /proc/self/stat ]; then
    for stat in /proc/[0-9]*/stat; do
      line=
      read -r line <"$stat" || [ -n "$line" ] || continue
      set -- \${line##*) }
      pid=\${stat#/proc/}
      echo "\${pid%/stat} $2 $4"
    done
  else
    /bin/ps -A -o pid= -o ppid= -o sess=
  fi
}
table=$(processes)
found="$list "
more=1
while [ $more = 1 ]; do
  more=0
  while read -r pid parent session; do
    case "$found" in *" $pid "*) continue ;; esac
    case "$found" in *" $parent "* | *" $session "*) found="$found$pid "; more=1 ;; esac
  done <<END
$table
END
done
end() {
  for each in $list; do kill -s "$1" -- "-$each"; done
  for each in $found; do kill -s "$1" "$each"; done
}
end TERM
sleep 1
end KILL
`;

let watcher: ChildProcess | null = null;
const leaders = new Set<number>();

/**
 * Lets a process group and all descendants end with this process, also where that is killed. Call
 * what it gives once they have ended. Does nothing on Windows.
 */
export function endWithHost(leader: number): () => void {
  if (process.platform === "win32") return () => undefined;
  leaders.add(leader);
  if (watcher === null) startWatcher();
  else tell("+", leader);
  return () => {
    leaders.delete(leader);
    tell("-", leader);
  };
}

function tell(what: "+" | "-", leader: number): void {
  watcher?.stdin?.write(`${what} ${leader}\n`);
}

function startWatcher(): void {
  const started = spawnProgram(
    { file: "/bin/sh", args: ["-c", WATCH, "graft-watch"], cwd: "/" },
    {
      // A signal to this process's group is none to it.
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
      env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
    },
  );
  const gone = () => {
    if (watcher === started) watcher = null;
  };
  started.on("error", gone).on("exit", gone);
  started.stdin?.on("error", gone);
  // It ends with this process, and does not keep it.
  started.unref();
  if (started.stdin && "unref" in started.stdin && typeof started.stdin.unref === "function")
    started.stdin.unref();
  watcher = started;
  for (const leader of leaders) tell("+", leader);
}
