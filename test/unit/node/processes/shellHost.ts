// A process that runs a command until it is killed: node shellHost.ts FOLDER COMMAND
import { pathToFileURL } from "node:url";
import { createNodeShell } from "../../../../src/node/processes/nodeShell.ts";

const [folder = "", command = ""] = process.argv.slice(2);

async function host(): Promise<void> {
  const cwd = { path: ".", uri: pathToFileURL(folder).href };
  const over = await createNodeShell().start("true", cwd, () => undefined, signal());
  if (over.ok) await over.value.exited;
  const started = await createNodeShell().start(command, cwd, () => undefined, signal());
  console.log(started.ok ? "started" : JSON.stringify(started));
}

function signal(): AbortSignal {
  return new AbortController().signal;
}

void host();
setInterval(() => undefined, 1_000);
