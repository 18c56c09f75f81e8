import type { Result } from "../../base/result.ts";
import type { BlockWarning } from "../../ports/review.ts";
import { isTooLargeForOutline } from "../../syntax/outlineUnavailable.ts";
import type { AddressFormat, CaptureOptions } from "../answer/captureOptions.ts";
import { type ShownPath, shownPaths } from "../answer/shownPaths.ts";
import { type ViewedElements, viewedElements } from "../answer/viewedElements.ts";
import {
  type Address,
  type Block,
  become,
  type Failure,
  linesOf,
  refused,
  type WrittenBody,
  withLines,
} from "../block.ts";
import type { EditedFile } from "../place/editedFile.ts";
import { closedPlacer, type Placement, type Placer } from "../place/placer.ts";
import { type ResolvedLines, resolveLineAddress } from "../place/resolveLineAddress.ts";
import { proposeBody } from "./proposeBody.ts";

/** A block that has a place, which is open. */
export interface OpenPlace {
  readonly block: Block<"streaming">;
  readonly place: Placement;
  /** What the model has not seen there speaks against the block before its body is known. */
  readonly warnings: readonly BlockWarning[];
}

/** The draft of one session: where its blocks go, by the mode that the first valid one decides. */
export class SessionDraft {
  private readonly options: CaptureOptions;
  /** The file as the session finds it. */
  readonly file: EditedFile;
  /** Null where the model has seen all of the file. */
  private readonly viewed: ViewedElements | null;
  private readonly isNamed: (word: string) => boolean;
  private shownPath: (path: string) => ShownPath | null = () => null;
  mode: AddressFormat;
  /** The file with the blocks so far; null before the first one has a place. */
  placer: Placer | null = null;

  /** `isNamed` tells whether the answer so far speaks of a word as code. */
  constructor(options: CaptureOptions, isNamed: (word: string) => boolean) {
    this.options = options;
    this.isNamed = isNamed;
    this.file = options.file;
    this.viewed = options.views ? viewedElements(this.file.text, options.views) : null;
    this.mode = options.mode;
  }

  /** Opens a block's place at its address, or says why it has none. */
  openAt(address: Address, block: Block<"streaming">): OpenPlace | Failure {
    const { mode: active, options } = this;
    if (active === "complete") return refused({ code: "complete-file-expected" });
    if (active !== null && active !== address.kind) {
      const useLineNumbers = options.parameter ?? null;
      return { status: "ignored", reason: { code: "mode-mismatch", active, useLineNumbers } };
    }
    const meant = this.meantLines(address, block);
    if (meant && !meant.ok) {
      if (meant.error.status === "conflict") this.mode = address.kind;
      return meant.error;
    }
    const known = meant ? withMeant(block, address, meant.value) : block;
    const placer = this.placer ?? this.startPlacer(address.kind);
    if (!placer) {
      const why = isTooLargeForOutline(this.file.text) ? "too-large" : "unreadable";
      return refused({ code: "no-ast-paths", why });
    }
    const opened = placer.open(known);
    if (!opened.ok) return refused(opened.error);
    const place = opened.value;
    const missing = place.path === undefined ? null : this.shown(known)?.missing(place.path);
    if (missing) return refused(missing);
    this.mode = address.kind;
    const { replaced } = place;
    const checked = replaced && this.viewed?.check(block.blockId, replaced, placer.text());
    if (checked && !checked.ok) return checked.error;
    this.placer = placer;
    return { block: known, place, warnings: checked?.value ?? [] };
  }

  /** Opens the place of a block that is the whole file, instead of any other. */
  openWhole(block: Block<"streaming">): OpenPlace | null {
    this.placer = this.file.placer("complete");
    const opened = this.placer?.open(block);
    return opened?.ok ? { block, place: opened.value, warnings: [] } : null;
  }

  /** What becomes of a block with its body. After an error nothing of it is in the draft. */
  take({ block, place, warnings }: OpenPlace, body: WrittenBody): Block {
    const { file, placer: draft } = this;
    if (!draft) return block;
    const [text, ranges] = [draft.text(), draft.ranges()];
    const shown = this.shown(block);
    try {
      return proposeBody(block, body, { file, draft, place, warnings, shown, repairs: "slips" });
    } catch (error) {
      if (draft.text() !== text) this.placer = closedPlacer(text, ranges, error);
      throw error;
    }
  }

  /** The blocks whose elements are others in the file as it is `now` than as the session found it. */
  changedIn(now: string): ReadonlySet<string> {
    return this.viewed?.changedIn(now.replace(/^\uFEFF/, "")) ?? new Set();
  }

  /** What a block's path named before. */
  private shown({ address }: Block): ShownPath | null {
    return address?.kind === "ast" ? this.shownPath(address.path) : null;
  }

  /** Which lines an address means, by the texts the model saw; null for a whole element. */
  private meantLines(
    address: Address,
    { op, checks }: Block,
  ): Result<ResolvedLines, Failure> | null {
    const lines = linesOf(address);
    if (!lines) return null;
    const { start, end } = lines;
    const seen = this.options.looks?.(start, end) ?? { texts: [], editedSince: false };
    const [element, ...others] = address.kind === "ast" ? this.file.elementsAt(address.path) : [];
    const elementEnd = others.length === 0 ? (element?.end ?? null) : null;
    return resolveLineAddress(this.file, seen, lines, op, checks, elementEnd);
  }

  private startPlacer(kind: Address["kind"]): Placer | null {
    const { views } = this.options;
    const { document } = this.file;
    if (kind === "ast" && document && views) this.shownPath = shownPaths(document, views());
    if (kind === "ast") this.file.pinPaths();
    return this.file.placer(kind, this.isNamed);
  }
}

/** A block with the lines that its address means. */
function withMeant(
  block: Block<"streaming">,
  address: Address,
  { lines, proven, movedTo: to }: ResolvedLines,
): Block<"streaming"> {
  const known = become(block, { address: withLines(address, lines), proven });
  return to ? become(known, { adjustments: [{ code: "moved", to }] }) : known;
}
