import * as vscode from "vscode";
import type { ChatOptions } from "../../agent/chatOptions.ts";
import { readAttachments } from "../../agent/request/readAttachments.ts";
import { estimateTokens } from "../../base/text/estimateTokens.ts";
import { imageTokens } from "../../model/imageParts.ts";
import { fileErrorMessage } from "../../ports/messages.ts";
import { type FileRef, readPath } from "../../ports/workspace.ts";
import type { Attachable, ContextMessage } from "../../protocol/messages.ts";
import type { Syntax } from "../../syntax/syntax.ts";
import { ViewedFiles } from "../../tools/files/viewedFiles.ts";
import { type Attachment, type AttachmentRef, MAX_ATTACHMENTS, namesImage, refKey } from "../../turns/attachment.ts";
import { t } from "../localize.ts";
import { lookAt } from "../workspace/unlessMissing.ts";
import type { VscodeWorkspace } from "../workspace/vscodeWorkspace.ts";
import { readImage } from "./images.ts";
import { terminalSelection } from "./terminalSelection.ts";

type AttachMessage = ContextMessage & { readonly type: "attach" };

/** Reads and checks what the user wants to attach. Nothing is ever read from outside the workspace. */
export function createAttachables(
  workspace: VscodeWorkspace,
  syntax: Syntax,
  other: NonNullable<ChatOptions["attached"]>,
  keepImage: (id: string) => Promise<boolean>,
) {
  const { signal } = new AbortController();

  /** What the model would see of refs now. */
  async function measure(refs: readonly AttachmentRef[]): Promise<AttachMessage> {
    const given = await Promise.all(refs.map(async (ref) => (isUnread(ref) ? { ...ref, text: await terminalSelection() } : ref)));
    const known = new Map(given.filter((ref) => !isUnread(ref)).map((ref) => [refKey(ref), ref]));
    const readable = [...known.values()].filter((ref) => ref.kind !== "terminal" || ref.text !== "");
    const read = await readAttachments(readable, { workspace, syntax, shown: new ViewedFiles(), turnId: "", other, keepImage }, signal);
    const items = await Promise.all(
      readable.map(async (ref, at) => {
        const item = attachableOf(ref, read[at]);
        const why = item.tokens === null ? await whyUnreadable(ref) : null;
        return why === null ? item : { ...item, why };
      }),
    );
    const isEmpty = known.size > readable.length;
    return { type: "attach", items, refused: isEmpty ? [{ code: "nothing-selected", name: "" }] : [] };
  }

  async function whyUnreadable({ kind, path }: AttachmentRef): Promise<string | null> {
    if (path === null) return null;
    const read = await (kind === "folder" ? workspace.list(path, signal) : readPath(workspace, path, signal, true));
    return read.ok ? null : fileErrorMessage(read.error, t);
  }

  /** Attaches refs; an image file as an image. */
  async function attach(refs: readonly AttachmentRef[], refused: AttachMessage["refused"] = []): Promise<readonly ContextMessage[]> {
    const isImage = ({ kind, path }: AttachmentRef) => kind === "file" && path !== null && namesImage(path);
    const images = refs.filter(isImage).slice(0, MAX_ATTACHMENTS);
    const measured = await measure(refs.filter((ref) => !isImage(ref)).slice(0, MAX_ATTACHMENTS));
    const read = await Promise.all(
      images.map(async ({ path }): Promise<readonly ContextMessage[]> => {
        const file = await workspace.resolve(path ?? "");
        return file.ok ? [await readImage(vscode.Uri.parse(file.value.uri, true), file.value.path)] : [];
      }),
    );
    return [{ ...measured, refused: [...measured.refused, ...refused] }, ...read.flat()];
  }

  /** The ref of a file or a folder that exists; null for anything else. */
  async function refTo(file: FileRef, lines: AttachmentRef["lines"]): Promise<AttachmentRef | null> {
    const stat = await lookAt(vscode.Uri.parse(file.uri, true));
    if (!stat) return null;
    const isFolder = (stat.type & vscode.FileType.Directory) !== 0;
    const kind = isFolder ? "folder" : lines ? "selection" : "file";
    return { kind, path: file.path, lines: isFolder ? null : lines, name: "", text: null };
  }

  return {
    measure,
    attach,

    /** Files and folders that were dropped; names those that are not in the workspace. */
    async dropped(uris: readonly string[]): Promise<readonly ContextMessage[]> {
      const found = await Promise.all(
        uris.map(async (text) => {
          const uri = workspaceUri(text);
          const file = uri && (await workspace.resolveUri(uri));
          const ref = file?.ok ? await refTo(file.value, null) : null;
          return ref ?? { code: "not-in-workspace" as const, name: nameOf(text) };
        }),
      );
      const refs = found.filter((each): each is AttachmentRef => "kind" in each);
      return attach(
        refs,
        found.flatMap((each) => ("code" in each ? [each] : [])),
      );
    },

    /** Paths in a pasted text, such as `src/cart.ts:3-9`, as far as they exist. */
    async named(paths: readonly string[]): Promise<readonly ContextMessage[]> {
      const refs = await Promise.all(
        [...new Set(paths)].slice(0, MAX_ATTACHMENTS).map(async (text) => {
          const [, path = "", first, last = first] = /^(.+?)(?::(\d{1,7})(?:-(\d{1,7}))?)?$/.exec(text) ?? [];
          const file = await workspace.resolve(path);
          return file.ok && file.value.path !== "" ? refTo(file.value, first ? { first: Number(first), last: Number(last) } : null) : null;
        }),
      );
      return attach(refs.flatMap((ref) => ref ?? []));
    },
  };
}

/** True for what is selected in a terminal, until it is read. */
export function isUnread({ kind, text }: AttachmentRef): boolean {
  return kind === "terminal" && text === null;
}

function attachableOf(ref: AttachmentRef, attachment: Attachment | undefined): Attachable {
  const { text = null, omitted = 0, view, image } = attachment ?? {};
  if (image) return { ref, tokens: imageTokens(image), clipped: false };
  const end = Math.min(ref.lines?.last ?? Number.POSITIVE_INFINITY, view?.total ?? 0);
  return { ref, tokens: text === null ? null : estimateTokens(text), clipped: omitted > 0 || (view !== undefined && view.last < end) };
}

/** The URI that the editor gave a drag; on a remote machine the workspace's own scheme stands for `vscode-remote`. Null for anything else. */
function workspaceUri(text: string): vscode.Uri | null {
  try {
    const uri = vscode.Uri.parse(text, true);
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const own = uri.scheme === "vscode-remote" && folder ? folder.with({ path: uri.path, query: "", fragment: "" }) : uri;
    // Resolves `..`.
    return vscode.Uri.joinPath(own, ".");
  } catch {
    return null;
  }
}

function nameOf(uri: string): string {
  try {
    return decodeURIComponent(uri.slice(uri.lastIndexOf("/") + 1)).slice(0, 100);
  } catch {
    return uri.slice(-100);
  }
}
