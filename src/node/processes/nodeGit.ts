import { fileURLToPath } from "node:url";
import { err, ok } from "../../base/result.ts";
import { untilAborted } from "../../base/untilAborted.ts";
import type { Git } from "../../ports/git.ts";
import { childEnvironment, startChild } from "./childProcess.ts";
import { programOnPath } from "./programOnPath.ts";

/** The most that is kept of an output, in UTF-16 units. */
const MAX_OUTPUT = 4_000_000;

/** The git on the PATH. */
export function createNodeGit(): Git {
  return {
    async run(args, cwd, input, signal) {
      if (!cwd.uri.startsWith("file:")) return err({ code: "not-on-disk", program: "git" });
      const file = await programOnPath("git");
      if (file === null) return err({ code: "not-found", program: "git" });
      const stdout = new OutputStart();
      const stderr = new OutputStart();
      const child = await startChild({
        file,
        args,
        cwd: fileURLToPath(cwd.uri),
        env: gitEnvironment(),
        input,
        verbatim: false,
        onStdout: (text) => stdout.add(text),
        onStderr: (text) => stderr.add(text),
      });
      if (!child.ok) return err(child.error);
      const exit = await untilAborted(child.value.exited, signal);
      if (!exit.ok) {
        await child.value.kill();
        return err({ code: "stopped", program: "git" });
      }
      const { code } = exit.value;
      if (code === null) return err({ code: "ended", program: "git", detail: exit.value.signal ?? "the system" });
      return ok({ code, stdout: stdout.text, stderr: stderr.text, truncated: stdout.truncated });
    },
  };
}

class OutputStart {
  text = "";
  truncated = false;

  add(text: string): void {
    const room = MAX_OUTPUT - this.text.length;
    this.text += text.slice(0, room);
    if (text.length > room) this.truncated = true;
  }
}

/** Without the variables that a hook of another repository sets, which would redirect git to it. Prompts fail at once. */
function gitEnvironment(): Record<string, string | undefined> {
  const kept = Object.entries(childEnvironment()).filter(
    ([name]) => !/^GIT_(DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|PREFIX|OBJECT_DIRECTORY|NAMESPACE|CEILING_DIRECTORIES|CONFIG.*)$/.test(name),
  );
  return {
    ...Object.fromEntries(kept),
    LC_ALL: "C",
    GIT_EDITOR: "true",
    GIT_ASKPASS: "true",
    SSH_ASKPASS: "true",
    GIT_LITERAL_PATHSPECS: "1",
  };
}
