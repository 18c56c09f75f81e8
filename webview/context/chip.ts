import { visibleLine } from "../../src/base/text/visibleText.ts";
import {
  type AttachedImage,
  type Attachment,
  type AttachmentRef,
  isUnreadable,
  refOf,
} from "../../src/turns/attachment.ts";
import { attachmentLabel } from "../../src/turns/messages.ts";
import { h, icon } from "../dom.ts";
import type { IconName } from "../iconShapes.ts";
import { t } from "../l10n.ts";
import { number, tokenCount } from "../messages.ts";
import type { PanelContext } from "../panelContext.ts";

const ICONS: Readonly<Record<AttachmentRef["kind"], IconName>> = {
  file: "file",
  folder: "folder",
  symbol: "symbol",
  selection: "file",
  problems: "warning",
  changes: "diff",
  editors: "list",
  hunk: "diff",
  terminal: "terminal",
  paste: "copy",
  image: "image",
  url: "link",
};

/** Facts about an attachment. */
export interface ChipState {
  /** Null if it cannot be read, undefined if not known yet. */
  readonly tokens: number | null | undefined;
  readonly clipped: boolean;
  /** Why it cannot be read. */
  readonly why?: string | undefined;
}

/** The icon for a kind of attachment. */
export function kindIcon(kind: AttachmentRef["kind"]): SVGSVGElement {
  return icon(ICONS[kind]);
}

/** A button that names an attachment and opens it. */
export function chipButton(
  ref: AttachmentRef,
  { tokens, clipped, why }: ChipState,
  context: PanelContext,
): HTMLElement {
  const label = attachmentLabel(ref, t);
  const about =
    typeof tokens === "number" ? t("about {count} tokens", { count: number(tokens) }) : null;
  const facts = [
    ref.path === null ? label : visibleLine(ref.path),
    ref.image
      ? t("{width} × {height} pixels", { width: ref.image.width, height: ref.image.height })
      : null,
    tokens === null ? visibleLine(why ?? t("Cannot be read")) : null,
    about,
    clipped ? t("the model sees only the beginning") : null,
  ].filter((fact) => fact !== null);
  const size =
    typeof tokens === "number"
      ? h(
          "span",
          { class: "chip-tokens", attributes: { "aria-hidden": "true" } },
          tokenCount(tokens),
        )
      : null;
  const unsafe = tokens === null || clipped;
  const onClick = () => context.post({ type: "open-attachment", ref });
  // The accessible name starts with the visible label.
  const said =
    typeof tokens === "number" ? t("{count} tokens", { count: tokenCount(tokens) }) : null;
  const name = [
    label,
    ...(said === null ? [] : [said]),
    ...facts.slice(1).filter((fact) => fact !== about),
  ].join(", ");
  const attributes = { type: "button", "aria-label": name };
  const words = h("span", { class: "chip-label" }, label);
  return h(
    "button",
    { class: "chip-open", title: facts.join(" · "), attributes, onClick },
    unsafe ? icon("warning") : null,
    ref.image ? thumbnail(ref.image) : unsafe ? null : kindIcon(ref.kind),
    words,
    size && " ",
    size,
  );
}

function thumbnail({ preview }: AttachedImage): HTMLElement {
  return h("img", { class: "chip-thumbnail", attributes: { src: preview, alt: "" } });
}

/** The attachments of a sent message, or null. `label` names their list. */
export function sentChips(
  attachments: readonly Attachment[] | undefined,
  context: PanelContext,
  label = t("Attached"),
): HTMLElement | null {
  if (!attachments || attachments.length === 0) return null;
  const chips = attachments.map((attachment) => {
    const { omitted, view, lines } = attachment;
    const end = Math.min(lines?.last ?? Number.POSITIVE_INFINITY, view?.total ?? 0);
    const clipped = omitted > 0 || (view !== undefined && view.last < end);
    return h(
      "li",
      { class: "chip" },
      chipButton(
        refOf(attachment),
        { tokens: isUnreadable(attachment) ? null : undefined, clipped },
        context,
      ),
    );
  });
  return h("ul", { class: "chips sent-chips", attributes: { "aria-label": label } }, ...chips);
}
