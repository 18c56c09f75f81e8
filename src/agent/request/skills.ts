import { fieldText, readFrontMatter } from "../../base/text/frontMatter.ts";
import { readPath, type Workspace } from "../../ports/workspace.ts";
import { listedText } from "./agentFiles.ts";
import { matchingFiles, type Rules } from "./foundFiles.ts";

const FOLDERS = [".github/skills", ".claude/skills", ".agents/skills"];
const MAX_SKILLS = 50;

/**
 * The skills below `root`: for each folder of them a list of names, files and descriptions. The
 * model reads the file of one that it uses.
 */
export async function listSkills(
  workspace: Workspace,
  root: string,
  signal: AbortSignal,
): Promise<readonly Rules[]> {
  const lists = await Promise.all(
    FOLDERS.map(async (name): Promise<readonly Rules[]> => {
      const folder = root + name;
      const entries = (await matchingFiles(workspace, folder, /./, signal)).slice(0, MAX_SKILLS);
      const found = await Promise.all(entries.map((entry) => skillLine(workspace, entry, signal)));
      const lines = found.flatMap((line) => line ?? []);
      if (lines.length === 0) return [];
      const use =
        "Skills: where a task fits one of these, first read its file with read_file and follow it.";
      return [{ path: `${folder}/`, text: [use, ...lines].join("\n") }];
    }),
  );
  return lists.flat();
}

/** Null for a folder without a skill, and for one that does not say what it is for. */
async function skillLine(
  workspace: Workspace,
  folder: string,
  signal: AbortSignal,
): Promise<string | null> {
  const path = `${folder}/SKILL.md`;
  const read = await readPath(workspace, path, signal);
  const matter = read.ok ? readFrontMatter(read.value.text) : null;
  const description = matter && fieldText(matter, "description");
  if (matter === null || description === null) return null;
  const name = fieldText(matter, "name") ?? folder.replace(/^.*\//, "");
  return `- ${listedText(name)} (${path}): ${listedText(description)}`;
}
