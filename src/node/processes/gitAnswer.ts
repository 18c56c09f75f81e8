import type { GitProgram } from "./gitProgram.ts";
import { spawnProgram } from "./spawnProgram.ts";

/** What git writes, however it ends; null where it is not over after `most` milliseconds. */
export async function gitAnswer(program: GitProgram, most: number): Promise<string | null> {
  const child = spawnProgram(program, { stdio: ["ignore", "pipe", "ignore"], env: program.env });
  let said = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
    child.kill("SIGKILL");
    // What it started may hold the pipe.
    child.stdout?.destroy();
  }, most);
  await new Promise((resolve) => {
    child.once("close", resolve);
    child.once("error", resolve);
  });
  clearTimeout(late);
  return isLate ? null : said;
}
