import type { FencedFile } from "../../base/text/fenceScanner.ts";
import { type OpenText, openTextAfter } from "../../base/text/openText.ts";
import { lookOf, pathSpellings } from "../../base/text/pathSpellings.ts";
import type { FileRef } from "../../ports/workspace.ts";
import { languageOfFile } from "../../syntax/grammar/languages.ts";
import type { BlockReason } from "../../turns/blockReason.ts";
import { linesOf } from "../block.ts";
import type { EditedFile } from "../place/editedFile.ts";
import type { BlockClaims, WholeFileFit } from "./captureOptions.ts";
import { excludesFile, tagOf, tagRelation } from "./fenceTag.ts";
import { nameInLine, namesInInfo } from "./fileNames.ts";
import { type AddressOpener, parseOpener, provenFile } from "./parseOpener.ts";

/** A file in edit mode, as a message's blocks see it; nothing of it changes while one streams. */
export interface OpenFile {
  readonly file: FileRef;
  /** The text that line numbers mean, without a byte order mark. */
  readonly baseText: string;
  /** True while it waits for the whole file as a plain block. */
  readonly awaitsPlain: boolean;
  /** True where a path names an element of the text. */
  namesElement(path: string): boolean;
  /** True where the place that an opener names is in the text, with its checks. */
  holds(opener: AddressOpener): boolean;
}

/** Files in which any line may be a bare fence, and quotes begin no string. */
const PROSE = /\.(?:md|mdx|mdc|markdown|mkd|qmd|rmd|rst|adoc|txt)$/i;

/** Languages whose files hold text outside of strings. */
const MARKUP: ReadonlySet<string> = new Set(["html", "markdown", "vue", "xml"]);

const BARE_FENCE = /^ {0,3}(?:`{3,}|~{3,})[ \t]*\r?$/m;

const FITS: readonly WholeFileFit[] = ["named", "language", "open"];

/** The files in edit mode of one turn, in the order of activation; a block goes to at most one. */
export class OpenSessions<Session extends OpenFile> {
  private readonly sessions: Session[] = [];
  private readonly onlyNamed: boolean;
  private lastIndex = 0;

  /** With `onlyNamed` a block counts only where its opener alone says all, see `provenFile`. */
  constructor(onlyNamed = false) {
    this.onlyNamed = onlyNamed;
  }

  /** Adds the session that was activated last. */
  add(session: Session): void {
    this.sessions.push(session);
  }

  remove(session: Session): void {
    const at = this.sessions.indexOf(session);
    if (at >= 0) this.sessions.splice(at, 1);
  }

  /** The paths of all files in edit mode. */
  get paths(): readonly string[] {
    return this.sessions.map(({ file }) => file.path);
  }

  /** The session for the file `name`, or null. */
  find(name: string): Session | null {
    const found = this.sessions.findLast(({ file }) => sameFile(name, file));
    if (found) return found;
    const [alike, ...others] = this.sessions.filter(({ file }) => meansFile(name, file));
    return alike && others.every(({ file }) => file.path === alike.file.path) ? alike : null;
  }

  /** What decides which blocks are for `self`. */
  claimsOf(self: Session): BlockClaims {
    return {
      isOpenFile: (name) => this.find(name) !== null,
      ownerOf: (info, above) => {
        const owner = this.ownerOf(info, above);
        if (owner === null) return "other";
        if ("code" in owner) return this.isLast(self) ? owner : "other";
        return owner === self ? "mine" : "other";
      },
      takesPlain: (info, above) => {
        const taken = this.takerOf(info, above);
        if (!taken) return null;
        if ("code" in taken) return this.isLast(self) ? taken : null;
        return taken.session === self ? taken.fit : null;
      },
      isCaptured: (info, above) =>
        this.openerOf(info) !== null || this.takerOf(info, above) !== null,
      fencedFile: (info, above) => {
        const file = this.fileOf(info, above);
        return file && fencedFile(file, this.openerOf(info));
      },
      openFile: (name) => this.find(name) ?? this.named(name),
      baseTexts: () => this.sessions.map(({ baseText }) => baseText),
      reportsOn: (path) =>
        !this.onlyNamed && (path === null ? this.isLast(self) : path === self.file.path),
      nextIndex: () => this.nextIndex(),
    };
  }

  /** The next block's number in the turn, from 1. */
  nextIndex(): number {
    return ++this.lastIndex;
  }

  private isLast(session: Session): boolean {
    return this.sessions.at(-1) === session;
  }

  /** The file of a block with an address, or why it has none; null for a sample. */
  private ownerOf(info: string, above: string): Session | BlockReason | null {
    const [only, ...others] = this.sessions;
    const opener = this.openerOf(info);
    if (this.onlyNamed) return this.find((opener && provenFile(opener)) ?? "");
    const name = opener?.file ?? this.nameAbove(above);
    if (name !== null) return this.find(name) ?? { code: "not-in-edit-mode", file: name };
    if (only && others.length === 0) return only;
    const tag = tagOf(info);
    const spoken = this.sessions.filter(({ file }) => !excludesFile(tag, file.path));
    const [single, ...more] = spoken;
    if (single && more.length === 0) return single;
    const [fitting, ...alike] = opener
      ? (spoken.length > 0 ? spoken : this.sessions).filter((session) => session.holds(opener))
      : [];
    return fitting && alike.length === 0
      ? fitting
      : { code: "file-needed", files: [...this.paths] };
  }

  /** The file that waits for a plain block, and the fit; a reason for several; else null. */
  private takerOf(
    info: string,
    above: string,
  ): { readonly session: Session; readonly fit: WholeFileFit } | BlockReason | null {
    const waiting = this.sessions.filter(({ awaitsPlain }) => awaitsPlain);
    const fits = waiting.flatMap((session) => {
      const fit = this.wholeFileFit(info, above, session);
      return fit === null ? [] : [{ session, fit }];
    });
    const best = FITS.find((fit) => fits.some((one) => one.fit === fit));
    const [found, ...alike] = fits.filter(({ fit }) => fit === best);
    if (!found || (alike.length > 0 && best === "open")) return null;
    return alike.length === 0
      ? found
      : { code: "file-needed", files: waiting.map(({ file }) => file.path) };
  }

  private wholeFileFit(info: string, above: string, { file }: Session): WholeFileFit | null {
    const names = [...namesInInfo(info), ...(nameInLine(above)?.split(",") ?? [])];
    const means = (name: string) => this.find(name)?.file.path === file.path;
    if (names.some((name) => isNamed(name, file) || means(name))) return "named";
    if (names.some((name) => this.find(name) ?? this.named(name) ?? isPath(name))) return null;
    const relation = tagRelation(tagOf(info), file.path);
    return relation === "other" ? null : relation === "same" ? "language" : "open";
  }

  private fileOf(info: string, above: string): OpenFile | null {
    const found = this.openerOf(info) ? this.ownerOf(info, above) : this.takerOf(info, above);
    if (!found || "code" in found) return null;
    return "session" in found ? found.session : found;
  }

  /** The opener as any of the files reads it; null without an address. */
  private openerOf(info: string): AddressOpener | null {
    const opener = parseOpener(info, {
      isOpenFile: (name) => this.find(name) !== null,
      namesElement: (path) => this.sessions.some((session) => session.namesElement(path)),
    });
    return opener.kind === "plain" ? null : opener;
  }

  /** The file that the line above a fence names: one in edit mode, or a path to another. */
  private nameAbove(above: string): string | null {
    const name = nameInLine(above);
    if (name === null) return null;
    const open = this.find(name) ?? this.named(name);
    return open?.file.path ?? (isPath(name) ? name : null);
  }

  /** The only file with this name, without its folders. */
  private named(name: string): Session | null {
    const [found, ...others] = this.sessions.filter(({ file }) => isNamed(name, file));
    return found && others.length === 0 ? found : null;
  }
}

/** What decides about blocks where only one file is open; `awaitsPlain` where its whole text is awaited. */
export function claimsOfOne(file: EditedFile, awaitsPlain = false): BlockClaims {
  const sessions = new OpenSessions<OpenFile>();
  const only: OpenFile = {
    ...{ file: file.ref, baseText: file.text, awaitsPlain },
    namesElement: (path) => file.namesElement(path),
    holds: () => true,
  };
  sessions.add(only);
  return sessions.claimsOf(only);
}

/** What tells a bare fence in a body for a file from the end of the block. */
function fencedFile(
  { file: { path }, baseText }: OpenFile,
  opener: AddressOpener | null,
): FencedFile {
  if (PROSE.test(path)) return { text: baseText, isProse: true };
  const language = languageOfFile(path, "");
  const isCode = language !== null && !MARKUP.has(language.id) && !BARE_FENCE.test(baseText);
  return { text: baseText, isProse: !isCode, open: openAbove(baseText, opener) };
}

/** The string or comment that is open above the lines that an opener names. */
function openAbove(text: string, opener: AddressOpener | null): OpenText {
  const lines = opener?.kind === "address" ? linesOf(opener.address) : null;
  if (!lines) return null;
  const above = text.split("\n").slice(0, lines.start - (opener?.op === "after" ? 0 : 1));
  return above.reduce<OpenText>((open, line) => openTextAfter(line, open), null);
}

function isPath(name: string): boolean {
  return /[\\/][^\\/]*\.[A-Za-z]\w*$/.test(name);
}

function isNamed(name: string, file: FileRef): boolean {
  return sameFile(name, file) || name === file.path.slice(file.path.lastIndexOf("/") + 1);
}

/** True when `name` is the file's path in the workspace, or its absolute one. */
function sameFile(name: string, file: FileRef): boolean {
  const plain = name.replaceAll("\\", "/").replace(/^(\.\/)+/, "");
  return (
    plain === file.path ||
    (/^(\/|[a-z]:\/)/i.test(plain) && plain.replace(/^\//, "") === absolutePath(file.uri))
  );
}

/** True where a name can mean the file's path as models write paths, see `pathSpellings`. */
function meansFile(name: string, { path }: FileRef): boolean {
  const look = looks(path);
  return [{ path: name }, ...pathSpellings(name, [])].some((each) => looks(each.path) === look);
}

function looks(path: string): string {
  return path.split("/").map(lookOf).join("/");
}

function absolutePath(uri: string): string | null {
  try {
    return decodeURIComponent(uri.replace(/^[\w+.-]+:\/\/[^/]*\//, ""));
  } catch {
    return null;
  }
}
