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
import {
  type Attachment,
  type AttachmentRef,
  MAX_ATTACHMENTS,
  namesImage,
  refKey,
} from "../../turns/attachment.ts";
import { t } from "../localize.ts";
import { lookAt } from "../workspace/unlessMissing.ts";
import type { VscodeWorkspace } from "../workspace/vscodeWorkspace.ts";
import { type AttachMessage, readImage } from "./images.ts";
import { terminalSelection } from "./terminalSelection.ts";

/** Reads and validates attachments. Never reads anything outside the workspace. */
export class Attachables {
  private readonly workspace: VscodeWorkspace;
  private readonly syntax: Syntax;
  private readonly other: NonNullable<ChatOptions["attached"]>;
  private readonly keepImage: (id: string) => Promise<boolean>;
  private readonly signal = new AbortController().signal;

  constructor(
    workspace: VscodeWorkspace,
    syntax: Syntax,
    other: NonNullable<ChatOptions["attached"]>,
    keepImage: (id: string) => Promise<boolean>,
  ) {
    this.workspace = workspace;
    this.syntax = syntax;
    this.other = other;
    this.keepImage = keepImage;
  }

  /** Measures the attachments as the model would see them now. */
  async measure(refs: readonly AttachmentRef[]): Promise<AttachMessage> {
    const given = await Promise.all(
      refs.map(async (ref) => (isUnread(ref) ? { ...ref, text: await terminalSelection() } : ref)),
    );
    const known = new Map(given.filter((ref) => !isUnread(ref)).map((ref) => [refKey(ref), ref]));
    const readable = [...known.values()].filter(
      (ref) => ref.kind !== "terminal" || ref.text !== "",
    );
    const { workspace, syntax, other, keepImage, signal } = this;
    const read = await readAttachments(
      readable,
      { workspace, syntax, shown: new ViewedFiles(), turnId: "", other, keepImage },
      signal,
    );
    const items = await Promise.all(
      readable.map(async (ref, at) => {
        const item = attachableOf(ref, read[at]);
        const why = item.tokens === null ? await this.whyUnreadable(ref) : null;
        return why === null ? item : { ...item, why };
      }),
    );
    const isEmpty = known.size > readable.length;
    return {
      type: "attach",
      items,
      refused: isEmpty ? [{ code: "nothing-selected", name: "" }] : [],
    };
  }

  /** Attaches refs. An image file becomes an image. */
  async attach(
    refs: readonly AttachmentRef[],
    refused: AttachMessage["refused"] = [],
  ): Promise<readonly ContextMessage[]> {
    const isImage = ({ kind, path }: AttachmentRef) =>
      kind === "file" && path !== null && namesImage(path);
    const images = refs.filter(isImage).slice(0, MAX_ATTACHMENTS);
    const measured = await this.measure(
      refs.filter((ref) => !isImage(ref)).slice(0, MAX_ATTACHMENTS),
    );
    const read = await Promise.all(
      images.map(async ({ path }): Promise<readonly ContextMessage[]> => {
        const file = await this.workspace.resolve(path ?? "");
        return file.ok
          ? [await readImage(vscode.Uri.parse(file.value.uri, true), file.value.path)]
          : [];
      }),
    );
    return [{ ...measured, refused: [...measured.refused, ...refused] }, ...read.flat()];
  }

  /** Attaches dropped files and folders. Reports those outside the workspace. */
  async dropped(uris: readonly string[]): Promise<readonly ContextMessage[]> {
    const found = await Promise.all(
      uris.map(async (text) => {
        const uri = workspaceUri(text);
        const file = uri && (await this.workspace.resolveUri(uri));
        const ref = file?.ok ? await this.refTo(file.value, null) : null;
        return ref ?? { code: "not-in-workspace" as const, name: nameOf(text) };
      }),
    );
    const refs = found.filter((each): each is AttachmentRef => "kind" in each);
    return this.attach(
      refs,
      found.flatMap((each) => ("code" in each ? [each] : [])),
    );
  }

  /** Attaches the existing paths of a pasted text, such as `src/cart.ts:3-9`. */
  async named(paths: readonly string[]): Promise<readonly ContextMessage[]> {
    const refs = await Promise.all(
      [...new Set(paths)].slice(0, MAX_ATTACHMENTS).map(async (text) => {
        const [, path = "", first, last = first] =
          /^(.+?)(?::(\d{1,7})(?:-(\d{1,7}))?)?$/.exec(text) ?? [];
        const file = await this.workspace.resolve(path);
        return file.ok && file.value.path !== ""
          ? this.refTo(file.value, first ? { first: Number(first), last: Number(last) } : null)
          : null;
      }),
    );
    return this.attach(refs.flatMap((ref) => ref ?? []));
  }

  private async whyUnreadable({ kind, path }: AttachmentRef): Promise<string | null> {
    if (kind === "url")
      return t(
        "The page was not read: it may be private, lead to another host, or have no text. Ask the model to fetch it, and it can say why.",
      );
    if (path === null) return null;
    const read = await (kind === "folder"
      ? this.workspace.list(path, this.signal)
      : readPath(this.workspace, path, this.signal, true));
    return read.ok ? null : fileErrorMessage(read.error, t);
  }

  /** The ref of an existing file or folder, or null. */
  private async refTo(file: FileRef, lines: AttachmentRef["lines"]): Promise<AttachmentRef | null> {
    const stat = await lookAt(vscode.Uri.parse(file.uri, true));
    if (!stat) return null;
    const isFolder = (stat.type & vscode.FileType.Directory) !== 0;
    const kind = isFolder ? "folder" : lines ? "selection" : "file";
    return { kind, path: file.path, lines: isFolder ? null : lines, name: "", text: null };
  }
}

/** Whether this is a terminal selection that has not been read yet. */
export function isUnread({ kind, text }: AttachmentRef): boolean {
  return kind === "terminal" && text === null;
}

function attachableOf(ref: AttachmentRef, attachment: Attachment | undefined): Attachable {
  const { text = null, omitted = 0, view, image } = attachment ?? {};
  if (image) return { ref, tokens: imageTokens(image), clipped: false };
  const end = Math.min(ref.lines?.last ?? Number.POSITIVE_INFINITY, view?.total ?? 0);
  return {
    ref,
    tokens: text === null ? null : estimateTokens(text),
    clipped: omitted > 0 || (view !== undefined && view.last < end),
  };
}

/**
 * The URI from a drag in the editor, or null. On a remote machine, `vscode-remote` becomes the
 * workspace's own scheme.
 */
function workspaceUri(text: string): vscode.Uri | null {
  try {
    const uri = vscode.Uri.parse(text, true);
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const own =
      uri.scheme === "vscode-remote" && folder
        ? folder.with({ path: uri.path, query: "", fragment: "" })
        : uri;
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
