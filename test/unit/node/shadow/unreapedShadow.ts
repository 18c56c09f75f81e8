// Ends a shadow after a command in it was killed: node unreapedShadow.js FOLDER
import { startChild } from "../../../../src/node/processes/childProcess.ts";
import { createNodeShadows } from "../../../../src/node/shadow/nodeShadows.ts";

const [folder = ""] = process.argv.slice(2);

async function play(): Promise<void> {
  const shadows = createNodeShadows(() => [folder]);
  const shadow = shadows.of("chat");
  const place = await shadow.enter([], new AbortController().signal);
  if (!place.ok) return console.log("no shadow");
  const child = await startChild({
    ...place.value.enter({ file: "/bin/sleep", args: ["1000"], cwd: folder }),
    ...{ env: process.env, input: "", verbatim: false },
    onStdout: () => undefined,
    onStderr: () => undefined,
  });
  if (child.ok) await child.value.kill();
  await shadow.leave();
  await shadows.dispose();
  console.log("ended");
}

void play().then(() => process.exit());
