import { english, type Localize } from "../base/localize.ts";
import { type FileError, MAX_FILE_BYTES } from "./workspace.ts";

/** Messages by error code. `{placeholders}` are facts of the error. */
export const FILE_SENTENCES: Readonly<Record<FileError["code"], string>> = {
  "not-found": "{path} does not exist.",
  "unclear-path": "{path} does not exist. It may mean {detail}. Use the exact path.",
  "invalid-name": "A new file cannot be called {path}: names must not contain {detail}.",
  "parent-is-file": "{path} does not exist: a part of its path is a file, not a folder.",
  "is-file": "{path} is a file, not a folder.",
  "is-directory": "{path} is a folder, not a file.",
  "not-regular": "{path} is not a regular file.",
  exists: "{path} exists already.",
  "not-empty": "{path} is a folder that is not empty.",
  "no-workspace": "No folder is open. Open the folder that contains the files first.",
  "unknown-folder":
    "{path} does not begin with a workspace folder. Begin it with one of: {detail}.",
  "outside-workspace": "{path} is outside the workspace. Name a file inside it, relative to it.",
  "leads-outside":
    "{path} leads outside the workspace through a symbolic link. Use a file inside it.",
  "unchecked-link":
    "{path} goes through a symbolic link, whose target cannot be checked here. Use a file inside the workspace.",
  "broken-link":
    "{path} goes through a symbolic link that leads nowhere or in a circle. Fix or delete the link.",
  "is-workspace": "That is the workspace itself. Name a file or folder in it.",
  "nul-in-path": "A path cannot contain a NUL character. Remove it.",
  "path-too-long": "The path {path} is too long for this file system. Choose a shorter one.",
  "into-itself": "{path} cannot be put into itself ({detail}). Choose another path.",
  unsaved: "{path} has unsaved changes in the editor. Save or revert them first.",
  "unsaved-notebook":
    "{path} has unsaved changes in its notebook editor, which would be overwritten. Save or close the notebook, then try again.",
  binary: "{path} is not a UTF-8 text file, so it cannot be read or edited as text.",
  undecoded:
    "{path} is not UTF-8 text, and saving it as such would damage it. Choose its encoding with Change File Encoding (Reopen with Encoding), then try again.",
  unencodable:
    "The encoding of {path} lacks characters of the new text, so saving would lose them. Choose another one with Change File Encoding (Save with Encoding), or use other characters.",
  "other-encoding":
    "Only the editor can read the encoding of {path}, so what the command wrote there was left out. Change it with edit_mode, or save it as UTF-8 first.",
  "too-large": "{path} has {size}; files up to {limit} can be read and edited.",
  "read-only": "{path} is read-only. Make it writable first.",
  "version-control":
    "{path} belongs to version control and cannot be used as a file. Use the git tools.",
  protected:
    "An editor, a hook or a build acts on {path}. It changes only after the user allows it.",
  secret: "{path} may hold keys or passwords, so it is only read after the user allows it.",
  "protected-meanwhile":
    "{path} now leads to a file that an editor, a hook or a build acts on. Review the change, then accept it again.",
  "untrusted-secret":
    "{path} may hold keys or passwords, so it is not read in an untrusted workspace.",
  "moved-meanwhile": "{path} now leads to a different place, so nothing was written.",
  untrusted:
    "This workspace is not trusted, so {path} cannot be changed. Run Workspaces: Manage Workspace Trust to trust it.",
  "permission-denied": "{path} cannot be used: permission denied.",
  "no-modes":
    "Graft cannot change whether {path} is executable: its file system does not store that.",
  unreadable: "{path} cannot be read{why}.",
  "not-changed": "{path} could not be changed{why}.",
  "not-created":
    "{path} could not be created: a part of its path is a file, or its folder is not writable{why}.",
  "created-meanwhile": "{path} was created in the meantime, so Graft left it as it is.",
  "changed-meanwhile": "{path} changed in the meantime, so Graft left it as it is.",
  "deleted-meanwhile": "{path} was deleted in the meantime, so Graft did not write it again.",
  "deletion-proposed": "{path} is proposed to be deleted. The user has not decided yet.",
  "being-written": "Another chat or agent is writing {path}. Try again once it is done.",
  "operation-proposed":
    "{path} is already proposed to be deleted, renamed or replaced. The user has not decided yet.",
  "proposals-elsewhere":
    "Another window has proposed changes open, so Graft cannot change {path} here.",
  "changes-proposed": "{path} has proposed changes that the user has not decided on yet.",
  "empty-pattern": "The search pattern is empty.",
  "multiline-pattern": "A search goes line by line, so a pattern with a line break never matches.",
  "complex-pattern": "The regular expression is too large. Use a simpler one.",
  "invalid-pattern": "The search pattern is not a valid regular expression{why}.",
  cancelled: "The operation was canceled.",
};

/** The message about an unusable file, for the user or (in English) for the model. */
export function fileErrorMessage(
  { code, path, detail = "", bytes = 0 }: FileError,
  t: Localize = english,
): string {
  const why = detail === "" ? "" : ` (${detail.replace(/[\s.]+$/, "")})`;
  return t(FILE_SENTENCES[code], {
    path: path || ".",
    detail,
    why,
    size: megabytes(bytes),
    limit: megabytes(MAX_FILE_BYTES),
  });
}

function megabytes(bytes: number): string {
  return `${(bytes / (1024 * 1024)).toFixed(1)} MB`;
}
