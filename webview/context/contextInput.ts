import { fromBase64 } from "../../src/base/text/base64.ts";
import { firstPart } from "../../src/base/text/clip.ts";
import type { ContextMessage, Suggestion } from "../../src/protocol/messages.ts";
import {
  type AttachmentRef,
  MAX_ATTACHMENTS,
  MAX_GIVEN_TEXT,
  MAX_NAME,
  namesImage,
} from "../../src/turns/attachment.ts";
import { t } from "../l10n.ts";
import { refusalText } from "../messages.ts";
import type { PanelContext } from "../panelContext.ts";
import { ComposerChips } from "./composerChips.ts";
import { scaleImage } from "./scaleImage.ts";
import { SuggestionBox } from "./suggestionBox.ts";
import { draggedUris, findTrigger, holdsFiles, mentionedPaths, type Trigger } from "./trigger.ts";

/** Longer pasted text becomes an attachment. In UTF-16 units. */
const LONG_PASTE = 4_000;

/**
 * Text box features besides typing: lists after `@`, `#` and `/`, attachments, pasting and
 * dropping.
 */
export class ContextInput {
  readonly chips: ComposerChips;
  readonly list: SuggestionBox;
  private readonly input: HTMLTextAreaElement;
  private readonly context: PanelContext;
  private readonly edited: () => void;
  private trigger: Trigger | null = null;
  /**
   * The start of the trigger whose list the user dismissed, so that it stays closed there. Else -1.
   */
  private dismissed = -1;
  private asked = 0;
  /** Images being read, on the way to the host or back. */
  private readonly reading = new Set<number>();
  private images = 0;

  /**
   * `keep` saves the attachments. `edited` is called after this class changed the text of `input`.
   */
  constructor(
    input: HTMLTextAreaElement,
    context: PanelContext,
    keep: (refs: readonly AttachmentRef[]) => void,
    edited: () => void,
  ) {
    this.input = input;
    this.context = context;
    this.edited = edited;
    this.chips = new ComposerChips(
      context,
      keep,
      () => input.focus(),
      (paths) => context.post({ type: "attach-paths", paths: [...paths], id: this.beginReading() }),
    );
    this.list = new SuggestionBox(input, (item) => this.choose(item));
    input.addEventListener("input", () => this.look());
    input.addEventListener("click", () => this.look());
    input.addEventListener("keyup", ({ key }) => {
      if (key.startsWith("Arrow") || key === "Home" || key === "End") this.look();
    });
    input.addEventListener("blur", () => this.close());
    input.addEventListener("paste", (event) => this.paste(event));
  }

  /** Accepts files dropped anywhere on `target`. */
  takeDrops(target: HTMLElement): void {
    const over = (event: DragEvent) => {
      if (!event.dataTransfer || !holdsFiles(event.dataTransfer)) return;
      event.preventDefault();
      target.classList.toggle("dropping", event.type === "dragover");
    };
    target.addEventListener("dragover", over);
    target.addEventListener("dragleave", over);
    target.addEventListener("drop", (event) => {
      target.classList.remove("dropping");
      const data = event.dataTransfer;
      if (!data || !holdsFiles(data)) return;
      event.preventDefault();
      const dragged = draggedUris(data);
      // A workspace file such as an SVG is attached as text.
      const images = imageFiles(data).filter(
        ({ name }) => dragged.length === 0 || namesImage(name),
      );
      const uris = dragged.filter(
        (uri) => !images.some(({ name }) => uri.endsWith(`/${encodeURIComponent(name)}`)),
      );
      if (uris.length > 0) this.context.post({ type: "attach-uris", uris: [...uris] });
      else if (images.length === 0)
        this.context.explain(
          t("Only images, and files and folders in the workspace, can be attached."),
        );
      for (const image of images) void this.attachImage(image, image.name, null);
      this.input.focus();
    });
  }

  receive(message: ContextMessage): void {
    switch (message.type) {
      case "attach":
        if (message.answers !== undefined) this.reading.delete(message.answers);
        this.chips.update(message.items, true);
        if (message.refused.length > 0) this.context.explain(refusalText(message.refused));
        return;
      case "scale-image":
        void this.attachImage(imageBlob(message.data), message.name, message.path);
        return;
      case "measured":
        this.chips.update(message.items, false);
        return;
      case "active-file":
        this.chips.setActive(message.ref);
        return;
      case "suggestions":
        if (message.id !== this.asked || this.trigger === null) return;
        this.list.show(message.items, this.trigger.sign !== "#");
        if (message.complete)
          this.context.announce(t("{count} suggestions", { count: message.items.length }));
        return;
    }
  }

  /** Whether an image is still being read and not attached yet. */
  get isReading(): boolean {
    return this.reading.size > 0;
  }

  /** Whether the list or the attachments handled this key. */
  takesKey(event: KeyboardEvent): boolean {
    if (event.isComposing || event.keyCode === 229) return false;
    const taken = this.list.isOpen ? this.listKey(event) : this.chipKey(event);
    if (taken) event.preventDefault();
    return taken;
  }

  /** Returns and clears the attachments of the message being sent. */
  take(): readonly AttachmentRef[] {
    const { refs } = this.chips;
    this.close();
    this.chips.clear();
    return refs;
  }

  private listKey({ key, shiftKey }: KeyboardEvent): boolean {
    switch (key) {
      case "ArrowDown":
      case "ArrowUp":
        this.list.step(key === "ArrowDown" ? 1 : -1);
        return true;
      case "Escape":
        this.dismissed = this.trigger?.start ?? -1;
        this.close();
        return true;
      case "Enter":
      case "Tab": {
        const { current } = this.list;
        const isTyped = key === "Enter" && current?.label === this.input.value;
        if (!current || shiftKey || isTyped) return false;
        this.choose(current);
        return true;
      }
      default:
        return false;
    }
  }

  private chipKey({ key, altKey, repeat }: KeyboardEvent): boolean {
    if (key === "Enter" && altKey) return this.chips.keepGhost();
    // Holding the key deletes only text.
    return !repeat && key === "Backspace" && this.input.value === "" && this.chips.removeLast();
  }

  private choose({ ref, insert }: Suggestion): void {
    const start = this.trigger?.start ?? this.input.selectionStart;
    const end = this.input.selectionStart;
    this.input.setRangeText(insert, start, end, "end");
    this.close();
    if (ref) this.chips.add([ref]);
    this.edited();
    this.input.focus();
  }

  /** Opens, updates or closes the list for the text before the caret. */
  private look(): void {
    const { selectionStart, selectionEnd, value } = this.input;
    const trigger =
      selectionStart === selectionEnd ? findTrigger(value.slice(0, selectionStart)) : null;
    if (trigger === null || trigger.start !== this.dismissed) this.dismissed = -1;
    if (trigger === null || this.dismissed >= 0) {
      this.close();
      return;
    }
    if (
      this.trigger?.start === trigger.start &&
      this.trigger.query === trigger.query &&
      this.trigger.sign === trigger.sign
    )
      return;
    this.trigger = trigger;
    this.asked += 1;
    this.context.post({
      type: "suggest",
      id: this.asked,
      trigger: trigger.trigger,
      query: trigger.query,
    });
  }

  private close(): void {
    this.trigger = null;
    this.list.close();
  }

  private paste(event: ClipboardEvent): void {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    // Table cells come as both text and image. A copied file comes with its name.
    const images = event.clipboardData
      ? imageFiles(event.clipboardData).filter(
          ({ name }) => text === "" || text.trim().endsWith(name),
        )
      : [];
    if (images.length > 0) {
      event.preventDefault();
      // Browsers give this name to an image without a file.
      for (const image of images)
        void this.attachImage(image, image.name === "image.png" ? "" : image.name, null);
      return;
    }
    if (text.length > LONG_PASTE) {
      event.preventDefault();
      this.chips.add([
        { kind: "paste", path: null, lines: null, name: "", text: firstPart(text, MAX_GIVEN_TEXT) },
      ]);
      return;
    }
    const paths = mentionedPaths(text);
    if (paths.length > 0) this.context.post({ type: "attach-paths", paths: [...paths] });
  }

  /** Registers something that the message must wait for, and returns its ID. */
  private beginReading(): number {
    this.images += 1;
    this.reading.add(this.images);
    return this.images;
  }

  /** Scales an image and sends it to the host, which attaches it. */
  private async attachImage(file: Blob, name: string, path: string | null): Promise<void> {
    const id = this.beginReading();
    const scaled = await scaleImage(file);
    if (scaled.ok) {
      this.context.post({
        type: "attach-image",
        id,
        name: firstPart(name, MAX_NAME),
        path,
        ...scaled.value,
      });
      return;
    }
    this.reading.delete(id);
    this.context.explain(refusalText([{ code: scaled.error, name }]));
  }
}

/** The images among pasted or dropped files, in any format. */
function imageFiles({ files }: DataTransfer): readonly File[] {
  return [...files]
    .filter(({ type, name }) => type.startsWith("image/") || namesImage(name))
    .slice(0, MAX_ATTACHMENTS);
}

function imageBlob(data: string): Blob {
  return new Blob([Uint8Array.from(fromBase64(data) ?? [])]);
}
