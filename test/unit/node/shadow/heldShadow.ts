// A process that holds a shadow of a folder, with a command that runs in it and a daemon that it
// left, until it is killed: node --import tsx heldShadow.ts FOLDER MARK
import { startChild } from "../../../../src/node/processes/childProcess.ts";
import { createNodeShadows } from "../../../../src/node/shadow/nodeShadows.ts";

const [folder = "", mark = ""] = process.argv.slice(2);

async function hold(): Promise<void> {
  const shadow = createNodeShadows(() => [folder]).of("chat");
  const place = await shadow.enter([], new AbortController().signal);
  if (!place.ok) return console.log("mounted false");
  const command = `setsid sh -c 'while :; do sleep 1; done' ${mark} & while :; do date >now; sleep 0.1; done`;
  await startChild({
    ...place.value.enter({ file: "/bin/sh", args: ["-c", command, mark], cwd: folder }),
    ...{ env: process.env, input: "", verbatim: false },
    onStdout: () => undefined,
    onStderr: () => undefined,
  });
  console.log("mounted true");
}

void hold();
setInterval(() => undefined, 1_000);
