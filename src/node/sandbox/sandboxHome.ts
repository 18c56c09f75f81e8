import { readdir, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import * as path from "node:path";
import { isKeyName, isKeyValue } from "../../model/keyNames.ts";
import { isSecretPath } from "../../tools/permissions/protectedPath.ts";
import { followLinks } from "../processes/followLinks.ts";
import { contains } from "../processes/gitRepository.ts";
import { readPlainText } from "../processes/readPlain.ts";
import { BESIDE_PROGRAMS, TOOL_CHAINS } from "./toolChains.ts";

/** What a sandbox has in the place of home folders. Paths are absolute, without links on the way. */
export interface SandboxHome {
  /** Folders of which only what is shown is there; none in another. `/tmp` comes last. */
  readonly hidden: readonly string[];
  /** Files and folders in these. */
  readonly shown: readonly string[];
  /** Folders among the shown whose files the user put there. */
  readonly programs: readonly string[];
  /** Links by which the shown are reached: their own paths, and what they say. */
  readonly links: ReadonlyMap<string, string>;
  readonly home: string;
}

/**
 * Where users have what is theirs, besides their home folder: other homes, what services and
 * sessions hold, and Windows' homes as its subsystem for Linux shows them.
 */
const HIDDEN = ["/home", "/root", "/run", "/mnt/c/Users"];
const TEMPORARY = "/tmp";
/** Without these nobody can commit. They are shown where they hold no key. */
const GIT_SETTINGS = [".gitconfig", ".config/git/config", ".config/git/ignore"];
/** The most programs in a folder of the PATH whose links are followed. */
const MOST_PROGRAMS = 2_000;

/**
 * What of home folders a sandbox shows besides `folders`, which stay as they are: programs of the
 * PATH, and programs and packages of known tools. Null where a home folder lies in one of these, or
 * is the whole machine's: then it could not be hidden.
 */
export async function sandboxHome(folders: readonly string[]): Promise<SandboxHome | null> {
  const home = await realpath(homedir()).catch(() => homedir());
  const temporary = await realpath(TEMPORARY).catch(() => TEMPORARY);
  const others = await Promise.all(HIDDEN.map((each) => realpath(each).catch(() => null)));
  const all = [home, ...others.flatMap((each) => each ?? []), temporary];
  if (all.some((each) => ["/", ...folders].some((folder) => isHeldBy(folder, each)))) return null;
  const hidden = outermost(all).sort((a, b) => Number(a === temporary) - Number(b === temporary));
  if (hidden.at(-1) !== temporary) return null;
  const links = new Map<string, string>();
  // The home folder itself may be reached by a link.
  await followed(homedir(), hidden, links);
  const places = async (found: readonly string[]) => {
    const real = await Promise.all(found.map((each) => followed(each, hidden, links)));
    return real.flatMap((each) =>
      each !== null && hidden.some((one) => contains(one, each)) && !contains(each, home)
        ? each
        : [],
    );
  };
  const onPath = (process.env.PATH ?? "").split(path.delimiter).filter(path.isAbsolute);
  const isOwn = (place: string) => !folders.some((folder) => contains(folder, place));
  // What a part of the workspace links to is the workspace's choice.
  const programs = (await places(onPath)).filter(isOwn);
  const targets = (await Promise.all(programs.map(linkedPrograms))).flat();
  const beside = [...programs, ...targets.map(path.dirname)].flatMap((each) =>
    // What lies beside the programs in a home folder itself is the user's.
    /^s?bin$/.test(path.basename(each)) && path.dirname(each) !== home
      ? BESIDE_PROGRAMS.map((name) => path.join(path.dirname(each), name))
      : [],
  );
  const packages = await places([...targets, ...beside, ...toolFolders(home)]);
  const settings = await places(await plainSettings(home));
  const shown = outermost([...programs, ...packages, ...settings]);
  return {
    ...{ hidden, links, home },
    shown: shown.filter(isOwn),
    programs: programs.filter((each) => shown.includes(each)),
  };
}

/** Whether a folder stays as it is with all in it; that of the whole machine holds only itself. */
function isHeldBy(folder: string, place: string): boolean {
  return folder === "/" ? place === "/" : contains(folder, place);
}

function outermost(places: readonly string[]): string[] {
  const all = [...new Set(places)];
  return all.filter((each) => !all.some((other) => other !== each && contains(other, each)));
}

/** The folders of known tools, whether they are there or not. */
function toolFolders(home: string): readonly string[] {
  return TOOL_CHAINS.flatMap(({ variable, folder, parts = [""] }) => {
    const named = variable === undefined ? undefined : process.env[variable];
    const isNamed = named !== undefined && path.isAbsolute(named);
    if (!isNamed && folder === "") return [];
    return parts.map((part) => path.resolve(home, isNamed ? named : folder, part));
  });
}

/** The programs, elsewhere, to which links in a folder lead. */
async function linkedPrograms(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const linked = entries.filter((each) => each.isSymbolicLink()).slice(0, MOST_PROGRAMS);
  const targets = linked.map(async ({ name }) => {
    const real = await realpath(path.join(folder, name)).catch(() => null);
    const isProgram = real !== null && (await stat(real).catch(() => null))?.isFile();
    return isProgram && !isSecretPath(real) ? [real] : [];
  });
  return (await Promise.all(targets)).flat();
}

async function plainSettings(home: string): Promise<readonly string[]> {
  const files = GIT_SETTINGS.map((each) => path.join(home, each));
  const texts = await Promise.all(files.map((each) => readPlainText(each)));
  return files.filter((_, at) => {
    const text = texts[at];
    return typeof text === "string" && !holdsKey(text);
  });
}

/** Whether a line of settings has a key as its value, or in its name. */
function holdsKey(text: string): boolean {
  return text.split("\n").some((line) => {
    const [name = "", ...value] = line.split("=");
    return isKeyValue(line) || (value.length > 0 && isKeyName(name)) || /extraheader/i.test(line);
  });
}

/**
 * The path of a file or folder without links on the way, null where it is not there. Keeps the links
 * in `hidden`.
 */
async function followed(
  place: string,
  hidden: readonly string[],
  links: Map<string, string>,
): Promise<string | null> {
  const found = await followLinks(place);
  for (const [link, target] of found.links)
    if (hidden.some((each) => contains(each, link))) links.set(link, target);
  return found.real;
}
