import { createTwoFilesPatch } from "diff";

/** A file on one side of a patch. */
export interface PatchSide {
  /** Relative to the workspace. */
  readonly path: string;
  readonly text: string;
  readonly executable: boolean;
}

/** A file of a patch on both sides, null where it is not there. */
export interface PatchedFile {
  readonly before: PatchSide | null;
  readonly after: PatchSide | null;
}

/** Changes as `git apply` reads them. */
export function gitPatch(files: readonly PatchedFile[]): string {
  return files.map(filePatch).join("");
}

function filePatch({ before, after }: PatchedFile): string {
  const [from, to] = [before?.path ?? after?.path ?? "", after?.path ?? before?.path ?? ""];
  const lines = [`diff --git ${quotedPath(`a/${from}`)} ${quotedPath(`b/${to}`)}`];
  const [oldMode, newMode] = [before, after].map((side) => side && modeOf(side));
  if (!oldMode) lines.push(`new file mode ${newMode}`);
  else if (!newMode) lines.push(`deleted file mode ${oldMode}`);
  else if (oldMode !== newMode) lines.push(`old mode ${oldMode}`, `new mode ${newMode}`);
  if (from !== to) lines.push(`rename from ${quotedPath(from)}`, `rename to ${quotedPath(to)}`);
  const [oldText, newText] = [before?.text ?? "", after?.text ?? ""];
  if (oldText !== newText) {
    const patch = createTwoFilesPatch("a", "b", oldText, newText, undefined, undefined, {
      context: 3,
    });
    lines.push(
      `--- ${before ? quotedPath(`a/${from}`) : "/dev/null"}`,
      `+++ ${after ? quotedPath(`b/${to}`) : "/dev/null"}`,
      patch.slice(patch.indexOf("@@")).replace(/\n$/, ""),
    );
  }
  return `${lines.join("\n")}\n`;
}

function modeOf({ executable }: PatchSide): string {
  return executable ? "100755" : "100644";
}

/** A path as git writes it: in quotes where a character is not plain. */
function quotedPath(path: string): string {
  const bytes = [...new TextEncoder().encode(path)];
  if (bytes.every((byte) => byte > 32 && byte < 127 && byte !== 34 && byte !== 92)) return path;
  const escaped = bytes.map((byte) =>
    byte === 34 || byte === 92
      ? `\\${String.fromCharCode(byte)}`
      : byte >= 32 && byte < 127
        ? String.fromCharCode(byte)
        : `\\${byte.toString(8).padStart(3, "0")}`,
  );
  return `"${escaped.join("")}"`;
}
