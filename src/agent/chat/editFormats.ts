import type {
  EditFormat,
  FormatCounts,
  LearnedCapabilities,
  MeasuredFormat,
} from "../../model/learnedCapabilities.ts";
import type { EditBlock } from "../../turns/editBlock.ts";
import type { TurnTree } from "../../turns/turn.ts";
import type { TurnEvent, TurnEventBody } from "../../turns/turnEvent.ts";
import { hasNotice } from "../loop/partSupport.ts";

/** The format that edit mode asks a model for. */
interface FormatChoice {
  readonly format: EditFormat;
  /**
   * The record of AST paths that speaks against them; null where they are asked for, or the user
   * chose.
   */
  readonly because: { readonly blocks: number; readonly refused: number } | null;
}

/** Formats in the order in which they are preferred. */
const FORMATS: readonly EditFormat[] = ["ast", "lines", "complete"];
/** Blocks below which a record says nothing. */
const MIN_BLOCKS = 8;

/**
 * Counts what becomes of a chat's edit blocks, by model and format, and knows which format edit
 * mode asks for in each turn.
 */
export class EditFormats {
  private readonly turns = new Map<
    string,
    { readonly learned: LearnedCapabilities; readonly choice: FormatChoice }
  >();
  /** Blocks and outcomes, so that each counts once. */
  private readonly counted = new Set<string>();
  private readonly tree: TurnTree;
  private readonly emit: (turnId: string, event: TurnEventBody) => void;

  /** `tree` holds the chat's turns. */
  constructor(tree: TurnTree, emit: (turnId: string, event: TurnEventBody) => void) {
    this.tree = tree;
    this.emit = emit;
  }

  /** A turn of a model begins; `set` is the format that the user set. */
  begin(turnId: string, learned: LearnedCapabilities, set: EditFormat | null): void {
    this.turns.set(turnId, { learned, choice: chooseFormat(learned.formats, set, learned.best) });
  }

  /** What edit mode asks for in a turn where the model leaves it open. */
  formatOf(turnId: string): EditFormat {
    return this.turns.get(turnId)?.choice.format ?? "ast";
  }

  /**
   * Counts a block's outcome, and tells the user, once a chat, why another format than AST paths is
   * asked for.
   */
  takeEvent(event: TurnEvent): void {
    const turn = this.turns.get(event.turnId);
    if (turn && event.type === "edit-update") this.count(event.turnId, event.edit, turn.learned);
    if (turn && event.type === "edit-session-start") this.explain(event.turnId, turn.choice);
  }

  private count(turnId: string, edit: EditBlock, learned: LearnedCapabilities): void {
    const outcome = outcomeOf(edit);
    const format = formatOf(edit);
    if (outcome === null || format === null) return;
    // A conflict, or a block that is shown later, was resolved before.
    const key = `${turnId} ${edit.blockId} ${outcome === "rejected" ? outcome : "place"}`;
    if (this.counted.has(key)) return;
    this.counted.add(key);
    learned.count(format, outcome);
  }

  private explain(turnId: string, { format, because }: FormatChoice): void {
    const turn = this.tree.turns.get(turnId);
    if (
      because === null ||
      format === "ast" ||
      turn?.role !== "agent" ||
      hasNotice(this.tree, turn.model, "edit-format")
    )
      return;
    this.emit(turnId, { type: "notice", level: "info", code: "edit-format", format, ...because });
  }
}

function outcomeOf({ status, reason }: EditBlock): keyof FormatCounts | null {
  switch (status) {
    case "pending":
    case "applied":
    case "partly-applied":
    case "conflict":
    case "held":
      return "resolved";
    case "refused":
      return "refused";
    case "rejected":
      return reason === null || reason.code === "rejected-by-user" ? "rejected" : null;
    default:
      return null;
  }
}

/** Null for a change in a tool's arguments, and for code that the user applied. */
function formatOf({ format, textStart, textEnd }: EditBlock): EditFormat | null {
  return textEnd === textStart ? null : (format ?? null);
}

/**
 * The first format whose record is not clearly bad: with at least eight blocks, over half of them
 * refused. What the user set counts first, then the `best` of a test.
 */
export function chooseFormat(
  formats: LearnedCapabilities["formats"],
  set: EditFormat | null,
  best: MeasuredFormat | null = null,
): FormatChoice {
  const blocks = (format: EditFormat) => formats[format].resolved + formats[format].refused;
  const isBad = (format: EditFormat) =>
    blocks(format) >= MIN_BLOCKS && formats[format].refused > blocks(format) / 2;
  if (set !== null) return { format: set, because: null };
  if (best !== null && best !== "patch" && !isBad(best)) return { format: best, because: null };
  const format = FORMATS.find((each) => !isBad(each)) ?? "lines";
  return {
    format,
    because: format === "ast" ? null : { blocks: blocks("ast"), refused: formats.ast.refused },
  };
}
