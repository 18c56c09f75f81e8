import { h, setText } from "../dom.ts";
import { t } from "../l10n.ts";
import { diagramFault } from "../messages.ts";
import type { PanelContext } from "../panelContext.ts";

/**
 * Draws the diagram of a closed code block in place of its `code`. A button in `head` shows the
 * source. What cannot be drawn stays source, with the reason under it.
 */
export function showDiagram(
  block: HTMLElement,
  head: Element,
  code: HTMLElement,
  context: PanelContext,
): void {
  const image = h("img", { attributes: { alt: t("Diagram") } });
  const whole = h(
    "button",
    {
      class: "diagram",
      title: t("Actual size, or as wide as the chat"),
      attributes: { type: "button" },
      onClick: () => whole.classList.toggle("actual"),
    },
    image,
  );
  const toggle = h("button", {
    class: "quiet",
    attributes: { type: "button" },
    onClick: () => show(whole.hidden === true),
  });
  const fault = h("p", { class: "diagram-fault", hidden: true });
  const show = (isDiagram: boolean) => {
    whole.hidden = !isDiagram;
    code.hidden = isDiagram;
    setText(toggle, isDiagram ? t("Show source") : t("Show diagram"));
  };
  context.drawDiagram(block, (code.textContent ?? "").trim(), (drawn) => {
    fault.hidden = drawn.type === "drawn";
    if (drawn.type !== "drawn") {
      fault.textContent = diagramFault(drawn);
      block.append(fault);
      return;
    }
    image.src = drawn.src;
    image.width = Math.ceil(drawn.width);
    image.height = Math.ceil(drawn.height);
    if (whole.isConnected) return;
    code.after(whole);
    head.prepend(toggle);
    show(true);
  });
}
