import type { GuestEdit } from "../ports/guest.ts";
import type { BlockOutcome, BlockWarning, ReviewReason } from "../ports/review.ts";
import type { BlockReason } from "../turns/blockReason.ts";
import type { EditBlock, EditStatus } from "../turns/editBlock.ts";
import type { Neighbors } from "./text/fileLines.ts";
import type { FileStyle } from "./text/fileStyle.ts";
import type { ProvenEnds } from "./text/lineChecks.ts";

/** What a block does at its address, `replace` by default; `complete` where it is the whole file. */
export type EditOp = Exclude<
  EditBlock["op"],
  "delete" | "rename" | "make-executable" | "make-plain"
>;

/** Lines as an address names them: 1-based and inclusive. */
export interface AddressedLines {
  readonly start: number;
  readonly end: number;
}

/** The place a block is for: lines, an element, or lines of the snapshot inside an element. */
export type Address =
  | ({ readonly kind: "lines" } & AddressedLines)
  | { readonly kind: "ast"; readonly path: string; readonly lines?: AddressedLines };

/** What Graft changed in a block before it was captured, where only one reading of it remains. */
export type BlockAdjustment =
  /** Its checks fit other lines than it names. */
  | { readonly code: "moved"; readonly to: AddressedLines }
  /** It begins with a comment, which replaces the one above, or ends with one likewise. */
  | { readonly code: "with-comment" | "trailing-comment" }
  /** It lacks these parts of the old head, which stay. */
  | { readonly code: "kept-head"; readonly kept: readonly string[] }
  /** Its first lines and the others were indented for different margins. */
  | { readonly code: "margin" }
  /** Its imports are written in the form of the file's. */
  | { readonly code: "import-form" }
  /** It repeats imports, which are left out. */
  | { readonly code: "repeats-imports"; readonly lines: readonly string[] }
  /** All its lines began with their numbers. */
  | { readonly code: "line-numbers" }
  | { readonly code: "repaired"; readonly slips: readonly BodySlip[] };

/** A slip in a body: blanks at line ends, tabs for spaces or the reverse, or all lines shifted. */
export type BodySlip = "trailing-blanks" | "indentation" | "shifted" | "line-break";

/** A body as it is written: its lines, and the line break that they had. */
export interface WrittenBody {
  readonly lines: readonly string[];
  readonly eol: "\n" | "\r\n";
}

/** A body as it goes into its file, the lines it replaces, and what stands around these. */
export interface PlacedBody {
  readonly op: EditOp;
  /** None for a deletion. */
  readonly body: readonly string[];
  /** None for an insertion. */
  readonly old: readonly string[];
  /** Null for a whole element or file, where the body's indent is adapted. */
  readonly neighbors: Neighbors | null;
  /** Which ends of its lines a check proves that fits no line beside them; null without lines. */
  readonly proven: ProvenEnds | null;
  /** The path of its file. */
  readonly path: string;
  /** How its file is written. */
  readonly style: () => FileStyle;
}

/** What is known of a block in every state. */
interface Facts {
  readonly blockId: string;
  /** 1-based within the turn. */
  readonly index: number;
  /** The address as people read it: `lines 3-9`, `ast-path:Shape-area`, `complete file`. */
  readonly target: string;
  /** The address as the opener has it: `3:9`, `ast-path:Shape-area`, `complete file`. */
  readonly written: string;
  /** The first line that the opener names; absent where it names none. */
  readonly line?: number;
  /** Left out for a change in a tool's arguments. */
  readonly format?: NonNullable<EditBlock["format"]>;
  readonly op: EditOp;
  /**
   * Its place in the text that the session began with, once it is known which lines are meant; null
   * for a whole file, and where the opener names no place.
   */
  readonly address: Address | null;
  /** How its first, and its last, old line begins. */
  readonly checks: readonly string[];
  /** Which ends of its lines the checks prove; null for an element, and for a whole file. */
  readonly proven: ProvenEnds | null;
  readonly step: number;
  readonly textStart: number;
  /** Null while it streams. */
  readonly textEnd: number | null;
  /** A block with warnings is never accepted automatically. */
  readonly warnings: readonly BlockWarning[];
  readonly adjustments: readonly BlockAdjustment[];
  /** What it does to its place; once the review has it, its part of the file's difference. */
  readonly addedLines: number;
  readonly removedLines: number;
}

/** Nothing of a block is proposed in these states; a decision may lead to the last two, too. */
export type FailedStatus =
  | "refused"
  | "ignored"
  | "incomplete"
  | "stopped"
  | "conflict"
  | "withdrawn";

/** The review has a block in these states. */
export type DecidedStatus = BlockOutcome["status"];

/** Why nothing of a block is proposed. */
export interface Failure {
  readonly status: FailedStatus;
  readonly reason: BlockReason;
}

/** Only a guard stands against it, until the user asks for it. */
interface Held {
  readonly status: "held";
  readonly reason: Extract<BlockReason, { code: "elision" }>;
  readonly body: WrittenBody;
}

/** It is part of the proposal, in the draft of its session. */
interface Captured {
  readonly status: "captured";
  readonly reason: null;
  readonly placed: PlacedBody;
}

/** It was left to the review. */
interface Decided {
  readonly status: DecidedStatus;
  /** Null for plain success. */
  readonly reason: ReviewReason | null;
  /** True for a conflict that waits for the user. */
  readonly undecided: boolean;
  readonly isUnsaved?: true;
}

type State =
  | { readonly status: "streaming"; readonly reason: null }
  | Failure
  | Held
  | Captured
  | Decided;

/** A block of an answer, from its opener to the decision; immutable. `Status` narrows its state. */
export type Block<Status extends EditStatus = EditStatus> = Facts &
  Extract<State, { readonly status: Status }>;

/** What may become known of a block. */
type Learned = Partial<
  Pick<
    Facts,
    "address" | "proven" | "textEnd" | "warnings" | "adjustments" | "addedLines" | "removedLines"
  >
>;

/**
 * The next value of a block: more is known of it, or it has another state. The only way from one to
 * the next; a block that fails was not decided on, and only what was captured is decided on.
 */
export function become<Same extends Block>(
  block: Same,
  next: Learned & { readonly status?: never },
): Same;
export function become(block: Block<"streaming">, next: Learned & Held): Block<"held">;
export function become(
  block: Block<"streaming" | "held">,
  next: Learned & Captured,
): Block<"captured">;
export function become(
  block: Block<"streaming" | "held" | "captured"> | Block<FailedStatus>,
  next: Learned & Failure,
): Block<FailedStatus>;
export function become(block: Block<"captured">, next: Learned & Decided): Block<DecidedStatus>;
export function become(block: Block, next: Learned & Partial<State>): unknown {
  return { ...block, ...next };
}

/** What an opener says of a block. */
export type OpenerFacts = Pick<
  Facts,
  "blockId" | "index" | "step" | "target" | "written" | "line" | "format" | "op" | "textStart"
> &
  Partial<Pick<Facts, "address" | "checks">>;

/** A block whose opener has just been read. */
export function openedBlock(opener: OpenerFacts): Block<"streaming"> {
  return {
    address: null,
    checks: [],
    ...opener,
    proven: null,
    textEnd: null,
    status: "streaming",
    reason: null,
    warnings: [],
    adjustments: [],
    addedLines: 0,
    removedLines: 0,
  };
}

/** The failure of a block that cannot be placed. */
export function refused(reason: BlockReason): Failure {
  return { status: "refused", reason };
}

/** What an outcome makes of a block, and its part of the file's difference while known. */
export function outcomeFields({
  status,
  reason,
  part,
  isUnsaved,
}: BlockOutcome): Decided & Partial<NonNullable<BlockOutcome["part"]>> {
  const waits = reason?.code === "edited-meanwhile" || reason?.code === "file-changed";
  return {
    status,
    reason,
    undecided: status === "conflict" && waits,
    ...part,
    ...(isUnsaved && { isUnsaved }),
  };
}

/** The block as the turn's record has it. */
export function editBlockOf(block: Block, callId: string, path: string): EditBlock {
  const { blockId, index, target, line, format, op, step, textStart, textEnd } = block;
  const { status, reason, warnings, addedLines, removedLines } = block;
  const address = { target, ...(line !== undefined && { line }), ...(format && { format }) };
  const place = { blockId, callId, path, index, ...address, op };
  const decided = "undecided" in block ? block : null;
  const state = {
    status,
    reason,
    warnings,
    ...(decided?.undecided && { undecided: true }),
    addedLines,
    removedLines,
    ...(decided?.isUnsaved && { isUnsaved: true as const }),
  };
  return { ...place, ...state, step, textStart, textEnd };
}

/** An edit as programs of other makers read it: codes, without words. */
export function editFacts({ path, target, op, status, reason, warnings }: EditBlock): GuestEdit {
  const codes = warnings.map(({ code }) => code);
  return { path, target, op, status, reason: reason?.code ?? null, warnings: codes };
}

/** True for a block that is part of the proposal of its session. */
export function isCaptured(block: Block): block is Block<"captured"> {
  return block.status === "captured";
}

/** True for a block of which nothing was to be done: the file has its text without it. */
export function isAlreadyThere({ status, reason }: Pick<EditBlock, "status" | "reason">): boolean {
  return status === "applied" && reason?.code === "already-there";
}

/** True for a block that changed its file, or whose text is there. */
export function isApplied({ status }: Pick<EditBlock, "status">): boolean {
  return status === "applied" || status === "partly-applied";
}

/** True for a block that waits for the user. */
export function isPending({ status, undecided }: Pick<EditBlock, "status" | "undecided">): boolean {
  return status === "pending" || undecided === true;
}

/** The lines that an address names; null for a whole element. */
export function linesOf(address: Address): AddressedLines | null {
  return address.kind === "lines" ? address : (address.lines ?? null);
}

/** The address with other lines. */
export function withLines(address: Address, { start, end }: AddressedLines): Address {
  return address.kind === "lines"
    ? { kind: "lines", start, end }
    : { ...address, lines: { start, end } };
}
