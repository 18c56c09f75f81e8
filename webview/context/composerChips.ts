import { estimateTokens } from "../../src/base/text/estimateTokens.ts";
import { visibleLine } from "../../src/base/text/visibleText.ts";
import type { Attachable } from "../../src/protocol/messages.ts";
import {
  type AttachmentRef,
  MAX_ATTACHMENTS,
  namesImage,
  refKey,
} from "../../src/turns/attachment.ts";
import { attachmentLabel } from "../../src/turns/messages.ts";
import { h, icon } from "../dom.ts";
import { t } from "../l10n.ts";
import type { PanelContext } from "../panelContext.ts";
import { type ChipState, chipButton } from "./chip.ts";

interface Chip extends ChipState {
  readonly ref: AttachmentRef;
}

/** The attachments of the draft, and the active file as a ghost chip that a click attaches. */
export class ComposerChips {
  readonly element = h("ul", {
    class: "chips",
    hidden: true,
    attributes: { "aria-label": t("Attached") },
  });
  private readonly context: PanelContext;
  private readonly changed: (refs: readonly AttachmentRef[]) => void;
  private readonly focusInput: () => void;
  private readonly readImages: (paths: readonly string[]) => void;
  private chips: readonly Chip[] = [];
  private active: AttachmentRef | null = null;
  private imageWarning: string | null = null;

  /**
   * `changed` receives every new list of attachments. `readImages` makes the host read image files.
   */
  constructor(
    context: PanelContext,
    changed: (refs: readonly AttachmentRef[]) => void,
    focusInput: () => void,
    readImages: (paths: readonly string[]) => void,
  ) {
    this.context = context;
    this.changed = changed;
    this.focusInput = focusInput;
    this.readImages = readImages;
  }

  get refs(): readonly AttachmentRef[] {
    return this.chips.map(({ ref }) => ref);
  }

  /** The total tokens of all attachments that are sent, as far as known. */
  get tokens(): number {
    return this.chips.reduce((sum, chip) => sum + (this.tokensOf(chip) ?? 0), 0);
  }

  /** An image that is not sent takes none. */
  private tokensOf({ ref, tokens }: Chip): Chip["tokens"] {
    return ref.kind === "image" && this.imageWarning !== null ? undefined : tokens;
  }

  /**
   * Attaches each of `refs` once and asks the host for their tokens. The host reads image files.
   */
  add(refs: readonly AttachmentRef[]): void {
    const fresh = new Map(refs.map((ref) => [refKey(ref), ref]));
    for (const { ref } of this.chips) fresh.delete(refKey(ref));
    const files = [...fresh.values()].filter(isImageFile);
    for (const ref of files) fresh.delete(refKey(ref));
    if (files.length > 0) this.readImages(files.map(({ path }) => path ?? ""));
    const asked = [...fresh.values()].filter((ref) => ref.kind !== "paste");
    const shown = [...fresh.values()].filter((ref) => !awaitsContent(ref));
    if (asked.length > 0)
      this.context.post({ type: "measure", refs: asked.slice(0, MAX_ATTACHMENTS) });
    if (shown.length > 0) this.show([...this.chips, ...shown.map(newChip)]);
  }

  /**
   * Updates attachments with facts from the host. Those not in the draft are attached only if
   * `adds`.
   */
  update(items: readonly Attachable[], adds: boolean): void {
    const chips = new Map(this.chips.map((chip) => [refKey(chip.ref), chip]));
    const shown = items.filter(({ ref }) => adds || chips.has(refKey(ref)));
    for (const item of shown) chips.set(refKey(item.ref), item);
    this.show([...chips.values()]);
    const reasons = shown.flatMap(({ why }) => (why === undefined ? [] : [visibleLine(why)]));
    if (reasons.length > 0) this.context.explain(reasons.join(" "));
  }

  /** Shows at each image why it is not sent, or nothing for null. */
  warnOfImages(sentence: string | null): void {
    if (sentence === this.imageWarning) return;
    this.imageWarning = sentence;
    this.draw();
  }

  /** Shows which file or selection the model will be told is active. Null for none. */
  setActive(ref: AttachmentRef | null): void {
    this.active = ref;
    this.draw();
  }

  /** Attaches the active file. False if there is none or it is already attached. */
  keepGhost(): boolean {
    const ghost = this.ghost();
    if (ghost) this.add([ghost]);
    return ghost !== null;
  }

  /** Removes the last attachment. False if there is none. */
  removeLast(): boolean {
    const last = this.chips.at(-1);
    if (last) this.remove(last);
    return last !== undefined;
  }

  clear(): void {
    this.show([]);
  }

  private remove(chip: Chip): void {
    this.context.announce(t("Removed {name}", { name: attachmentLabel(chip.ref, t) }));
    this.show(this.chips.filter((other) => other !== chip));
    this.focusInput();
  }

  private show(chips: readonly Chip[]): void {
    if (chips.length > MAX_ATTACHMENTS)
      this.context.explain(
        t("A message can have {count} attachments.", { count: MAX_ATTACHMENTS }),
      );
    this.chips = chips.slice(0, MAX_ATTACHMENTS);
    this.changed(this.refs);
    this.draw();
  }

  private ghost(): AttachmentRef | null {
    const { active } = this;
    if (!active) return null;
    const isAttached = this.refs.some(
      (ref) =>
        refKey(ref) === refKey(active) ||
        (ref.kind === "file" && ref.path === active.path && !ref.lines),
    );
    return isAttached ? null : active;
  }

  private draw(): void {
    const ghost = this.ghost();
    const buttons = () => [...this.element.querySelectorAll("button")];
    const focused = buttons().findIndex((each) => each.matches(":focus"));
    const rows = this.chips.map((chip) => this.row(chip));
    const warning = this.chips.some(({ ref }) => ref.kind === "image") ? this.imageWarning : null;
    const note =
      warning === null ? [] : [h("li", { class: "chip-note" }, icon("warning"), warning)];
    this.element.replaceChildren(...note, ...rows, ...(ghost ? [this.ghostRow(ghost)] : []));
    if (focused >= 0)
      buttons()
        .at(Math.min(focused, buttons().length - 1))
        ?.focus();
    this.element.hidden = this.element.childElementCount === 0;
  }

  private row(chip: Chip): HTMLElement {
    const name = attachmentLabel(chip.ref, t);
    const attributes = { type: "button", "aria-label": t("Remove {name}", { name }) };
    const remove = h(
      "button",
      {
        class: "chip-remove",
        title: t("Remove {name}", { name }),
        attributes,
        onClick: () => this.remove(chip),
      },
      icon("cross"),
    );
    return h(
      "li",
      { class: "chip" },
      chipButton(chip.ref, { ...chip, tokens: this.tokensOf(chip) }, this.context),
      remove,
    );
  }

  private ghostRow(ref: AttachmentRef): HTMLElement {
    const name = attachmentLabel(ref, t);
    const title = t(
      "Graft tells the model that {name} is open. Click or press Alt+Enter to attach its text.",
      { name },
    );
    const attributes = { type: "button", "aria-label": t("Attach {name}", { name }) };
    const onClick = () => {
      this.add([ref]);
      this.focusInput();
    };
    return h(
      "li",
      { class: "chip ghost" },
      h(
        "button",
        { class: "chip-open", title, attributes, onClick },
        icon("add"),
        h("span", { class: "chip-label" }, name),
      ),
    );
  }
}

/**
 * Whether only the host can read this attachment: a terminal selection, or an image that the user
 * still has to choose.
 */
function awaitsContent({ kind, text, image }: AttachmentRef): boolean {
  return (kind === "terminal" && text === null) || (kind === "image" && image === undefined);
}

function isImageFile({ kind, path }: AttachmentRef): boolean {
  return kind === "file" && path !== null && namesImage(path);
}

function newChip(ref: AttachmentRef): Chip {
  return { ref, tokens: ref.text === null ? undefined : estimateTokens(ref.text), clipped: false };
}
