import { fileURLToPath } from "node:url";
import { Deadline } from "../../base/deadline.ts";
import { err, ok } from "../../base/result.ts";
import { untilAborted } from "../../base/untilAborted.ts";
import type { AgentFolder, AgentProblem, StartAgent } from "../../ports/commands/chatAgent.ts";
import type { Program } from "../../ports/commands/process.ts";
import { childEnvironment } from "../processes/childEnvironment.ts";
import { endWithHost } from "../processes/endWithHost.ts";
import { namedProgram, pathOutside } from "../processes/programOnPath.ts";
import { spawnProgram } from "../processes/spawnProgram.ts";
import { AcpProcess, type Unhurried } from "./acpProcess.ts";
import { agentPlaces } from "./agentPlaces.ts";
import { toolsOffVariables } from "./handedOver.ts";
import { writablePlaces } from "./writablePlaces.ts";

/** How long an agent may take to begin, in milliseconds. */
const START_MS = 120_000;

/** Starts an agent that speaks the Agent Client Protocol, version 1, over its standard streams. */
export const startAcpAgent: StartAgent = async (program, where, signal) => {
  const { folders, place, resumeId, offered, chooseSignIn } = where;
  const { command, args, env } = program;
  const { withheld } = childEnvironment();
  const [first, ...others] = folders;
  const roots = folders.map(({ folder }) => fileURLToPath(folder.uri));
  const file = await namedProgram(command, roots);
  if (file === null) return err({ code: "not-found", detail: command });
  // By which a script finds the program that runs it, such as Node.js.
  const PATH = env.PATH ?? (await pathOutside(roots));
  const cwd = fileURLToPath(first.folder.uri);
  const own: Program = { file, args, cwd, variables: { ...env, PATH } };
  const direct = "enter" in place ? null : place;
  const variables = { ...childEnvironment(withheld).variables, ...env, PATH };
  const confined =
    "enter" in place && place.confine
      ? await place.confine(await writablePlaces(program, variables))
      : null;
  const entered = "enter" in place ? (confined ?? place).enter(own) : own;
  const child = spawnProgram(entered, {
    // The agent is the user's own program: it gets the keys that it would get in a terminal.
    env: { ...(direct?.server && toolsOffVariables()), ...variables },
    detached: process.platform !== "win32",
    stdio: ["pipe", "pipe", "pipe"],
  });
  if (child.pid !== undefined) child.once("exit", endWithHost(child.pid));
  const agent = new AcpProcess(child, agentPlaces(folders), offered, confined);
  const placeOf = ({ at, folder }: AgentFolder) => at ?? fileURLToPath(folder.uri);
  const paths = { cwd: placeOf(first), others: others.map(placeOf) };
  const limit = new Deadline(signal);
  limit.restart(START_MS);
  // The user may take their time.
  const unhurried: Unhurried = async (work) => {
    limit.pause();
    return work().finally(() => limit.restart(START_MS));
  };
  const without = direct && { ...direct, variables, permit: () => unhurried(direct.permit) };
  const beginning = { resumeId, direct: without, chooseSignIn, unhurried };
  const opened = await untilAborted(agent.open(paths, beginning), limit.signal);
  limit.dispose();
  if (opened.ok && opened.value === null) return ok(agent);
  const problem: AgentProblem = opened.ok && opened.value ? opened.value : agent.problem("ended");
  await agent.dispose();
  return err(problem);
};
