import { firstPart } from "../../base/text/clip.ts";
import { fieldList, fieldText, readFrontMatter } from "../../base/text/frontMatter.ts";
import { readPath, type Workspace } from "../../ports/workspace.ts";
import { matchingFiles, rootsOf } from "./foundFiles.ts";

/** An agent that a file of the workspace describes. */
export interface AgentFile {
  /** Its file, relative to the workspace. */
  readonly path: string;
  readonly name: string;
  readonly description: string;
  /** The tools that it may use, as its file names them; null for all. */
  readonly tools: readonly string[] | null;
  /** The model that it asks for; null for that of the chat. */
  readonly model: string | null;
  readonly prompt: string;
}

/** A file that describes an agent; null in place of one whose front matter cannot be read. */
export interface FoundAgent {
  readonly path: string;
  readonly agent: AgentFile | null;
}

const FOLDERS = [".github/agents", ".claude/agents"];
/** UTF-16 units of a prompt and of a description. */
const MAX_PROMPT = 32_000;
const MAX_DESCRIPTION = 300;

/** The agents of a trusted workspace, in the order of their folders; none in any other. */
export async function findAgentFiles(
  workspace: Workspace,
  signal: AbortSignal,
): Promise<readonly FoundAgent[]> {
  const folders = rootsOf(workspace).flatMap((root) => FOLDERS.map((folder) => root + folder));
  const paths = await Promise.all(
    folders.map((folder) => matchingFiles(workspace, folder, /\.md$/i, signal)),
  );
  return Promise.all(paths.flat().map((path) => readAgent(workspace, path, signal)));
}

async function readAgent(
  workspace: Workspace,
  path: string,
  signal: AbortSignal,
): Promise<FoundAgent> {
  const read = await readPath(workspace, path, signal);
  const matter = read.ok ? readFrontMatter(read.value.text) : null;
  if (matter === null || matter.body === "" || matter.body.length > MAX_PROMPT)
    return { path, agent: null };
  const named = path.replace(/^.*\//, "").replace(/(?:\.agent)?\.md$/i, "");
  const model = fieldText(matter, "model");
  const agent = {
    path,
    name: listedText(fieldText(matter, "name") ?? named),
    description: listedText(fieldText(matter, "description") ?? ""),
    tools: fieldList(matter, "tools"),
    model: model === "inherit" ? null : model,
    prompt: matter.body,
  };
  return { path, agent };
}

/** A text of the workspace on one line of a list. */
export function listedText(text: string): string {
  return firstPart(text.replace(/\s+/g, " ").trim(), MAX_DESCRIPTION);
}
