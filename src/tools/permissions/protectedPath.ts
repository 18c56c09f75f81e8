import type { FileRef } from "../../ports/workspace.ts";
import { ACTING_FILES, GIT_HOOKS } from "./actingFiles.ts";
import { namedFiles } from "./namedFiles.ts";
import {
  COPY_MARKS,
  DATA_FILE,
  ENVIRONMENT_FILE,
  EXAMPLE,
  NAMED_SECRET,
  SECRET_FILES,
  SECRET_FOLDER,
  TRANSLATION,
  VERSION_CONTROL,
} from "./secretFiles.ts";

const versionControl = namedFiles(VERSION_CONTROL);
const acting = namedFiles(ACTING_FILES);
const hooks = namedFiles(GIT_HOOKS);
const secret = namedFiles(SECRET_FILES);

/** The most marks of a copy that are looked for in a name. */
const MAX_MARKS = 8;

/**
 * Characters that HFS+ ignores when it compares names:
 * https://git-scm.com/docs/git-config#Documentation/git-config.txt-coreprotectHFS
 */
const IGNORED_BY_HFS = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

/** A name of Windows' short form, such as `VSCODE~1`, which may stand for any long one. */
const SHORT_NAME = /^[^.~]{1,7}~\d{1,5}(?:\.[^.]{0,3})?$/;

/** Whether a path is or lies in a folder of version control. */
export function isVersionControlPath(path: string): boolean {
  return readingsOf(path)
    .flat()
    .some((name) => versionControl.hasFolder([name]) || /^(?:git|hg|svn)~\d+$/.test(name));
}

/**
 * Whether something acts on what is at a path without being asked: version control, an editor, a
 * hook, a build server, a shell, an assistant. A folder of such files counts, too.
 */
export function isProtectedPath(path: string): boolean {
  return readingsOf(path).some(areProtected);
}

function areProtected(names: readonly string[]): boolean {
  const hook = names.slice(-1).map((name) => name.replace(/\.exe$/, ""));
  return (
    acting.hasFile(names) ||
    acting.hasFolder(names) ||
    hooks.hasFile(hook) ||
    versionControl.hasFolder(names) ||
    names.some((name) => SHORT_NAME.test(name))
  );
}

/** Whether what is at a path is likely to hold keys or passwords. */
export function isSecretPath(path: string): boolean {
  return readingsOf(path).some(areSecret);
}

function areSecret(names: readonly string[]): boolean {
  const folders = names.slice(0, -1);
  return (
    secret.hasFolder(folders) ||
    versionControl.hasFolder(folders) ||
    names.some((name) => SHORT_NAME.test(name)) ||
    originalsOf(names.at(-1) ?? "").some((name) => isSecretFile(folders, name))
  );
}

function isSecretFile(folders: readonly string[], name: string): boolean {
  if (EXAMPLE.test(name)) return false;
  if (ENVIRONMENT_FILE.test(name) || secret.hasFile([...folders, name])) return true;
  return (
    DATA_FILE.test(name) &&
    (NAMED_SECRET.test(name) || folders.some((folder) => SECRET_FOLDER.test(folder))) &&
    !TRANSLATION.test([...folders, name].join("/"))
  );
}

/** The names of the files of which a file of this name may be a copy; its own name if of none. */
function originalsOf(name: string): readonly string[] {
  let original = name;
  for (let count = 0; count < MAX_MARKS; count += 1) {
    const mark = COPY_MARKS.find((each) => each.test(original));
    if (mark === undefined) break;
    original = original.replace(mark, "");
  }
  // Vim's swap file of `a` is `.a.swp`.
  return original === name ? [name] : [original, original.replace(/^\./, "")];
}

/**
 * The file at `path`, judged by its `names`: relative to its folder as it is spelled, and with
 * links resolved.
 */
export function judgedRef(path: string, uri: string, names: readonly string[] = [path]): FileRef {
  return {
    path,
    uri,
    ...(names.some(isProtectedPath) && { protected: true }),
    ...(names.some(isSecretPath) && { secret: "asks" }),
    ...(names.some(isVersionControlPath) && { versionControl: true }),
  };
}

/**
 * A path's names as file systems may read them: what follows a colon is part of a name, or names a
 * stream of the file.
 */
function readingsOf(path: string): readonly (readonly string[])[] {
  return path.includes(":")
    ? [namesOf(path), namesOf(path.replace(/:[^\\/]*/g, ""))]
    : [namesOf(path)];
}

/** A path's names without case, Unicode forms, and trailing dots and blanks. */
function namesOf(path: string): readonly string[] {
  return path.split(/[\\/]/).flatMap((segment) => {
    const name = segment.normalize("NFKC").replace(IGNORED_BY_HFS, "");
    let end = name.length;
    while (name[end - 1] === "." || name[end - 1] === " ") end -= 1;
    // Both ways: `ſ` is `S` to a file system that folds case.
    return end === 0 ? [] : [name.slice(0, end).toUpperCase().toLowerCase()];
  });
}
