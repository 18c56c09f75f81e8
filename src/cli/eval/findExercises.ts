import { readdir, readFile } from "node:fs/promises";
import * as path from "node:path";
import * as z from "zod/mini";
import { parseJson } from "../../base/text/parseJson.ts";

/** One exercise in the layout of Exercism's tracks, as the polyglot benchmark has them. */
export interface Exercise {
  /** Its path below the folder that was searched, such as `go/exercises/practice/leap`. */
  readonly place: string;
  /** Absolute. */
  readonly folder: string;
  /** The ending of the first solution file, which tells the language: `py`. */
  readonly ending: string;
  /** The files that the model writes, and the tests', relative to `folder`. */
  readonly solution: readonly string[];
  readonly test: readonly string[];
  readonly instructions: string;
}

/** How deep exercises lie: the root may be all tracks, one of them, or one exercise. */
const MAX_DEPTH = 5;
/** Solution files that only say how to build; the exercise works without a change of theirs. */
const BUILD_FILES: ReadonlySet<string> = new Set([
  ...["Cargo.toml", "CMakeLists.txt", "go.mod", "package.json", "build.gradle"],
]);
const files = z.array(z.string());
const configSchema = z.object({
  files: z.object({ solution: files, test: z._default(files, []) }),
});

/**
 * The exercises below a folder: each folder with `.meta/config.json`, which names the files of the
 * solution and of the tests.
 */
export async function findExercises(root: string): Promise<readonly Exercise[]> {
  return exercisesIn(path.resolve(root), ".", 0);
}

async function exercisesIn(root: string, place: string, depth: number): Promise<Exercise[]> {
  const own = await readExercise(root, place);
  if (own) return [own];
  if (depth === MAX_DEPTH) return [];
  const entries = await readdir(path.join(root, place), { withFileTypes: true }).catch(() => []);
  const found: Exercise[] = [];
  for (const { name } of entries
    .filter((entry) => entry.isDirectory())
    .filter(({ name }) => !name.startsWith(".") && name !== "node_modules")
    .sort((a, b) => (a.name < b.name ? -1 : 1)))
    found.push(...(await exercisesIn(root, path.posix.join(place, name), depth + 1)));
  return found;
}

async function readExercise(root: string, place: string): Promise<Exercise | null> {
  const folder = path.join(root, place);
  const config = parseJson(await fileTextIn(folder, ".meta/config.json"));
  const named = configSchema.safeParse(config).data?.files;
  if (!named) return null;
  const code = named.solution.filter((file) => !BUILD_FILES.has(path.posix.basename(file)));
  const solution = code.length > 0 ? code : named.solution;
  const isInside = (file: string) => !path.isAbsolute(file) && !file.split(/[\\/]/).includes("..");
  const [first] = solution;
  if (first === undefined || ![...solution, ...named.test].every(isInside)) return null;
  const docs = ["introduction.md", "instructions.md", "instructions.append.md"];
  const texts = await Promise.all(docs.map((file) => fileTextIn(folder, `.docs/${file}`)));
  const instructions = texts.filter((text) => text !== "").join("\n\n");
  const ending = path.posix.extname(first).slice(1);
  return { place, folder, ending, solution, test: named.test, instructions };
}

async function fileTextIn(folder: string, file: string): Promise<string> {
  return readFile(path.join(folder, file), "utf8").catch(() => "");
}
