import { provideVSCodeDesignSystem, vsCodeButton } from "@vscode/webview-ui-toolkit";
import { h, icon } from "./dom.ts";
import type { IconName } from "./iconShapes.ts";
import { STOP } from "./rovingFocus.ts";

/** A button. `label` is its visible text, or its accessible name when only the icon shows. */
export interface ButtonOptions {
  readonly label: string;
  readonly icon?: IconName;
  readonly appearance?: "primary" | "secondary" | "icon";
  /** The accessible name and tooltip, where the label alone is not clear. Begins with the label. */
  readonly description?: string;
  /** The style sheet may hide its text where there is little room; `description` still names it. */
  readonly folds?: true;
  readonly onClick: () => void;
}

/** Defines the toolkit's elements; call once, before any control is made. */
export function registerControls(): void {
  provideVSCodeDesignSystem().register(vsCodeButton());
}

/** A toolkit button. */
export function button(options: ButtonOptions): HTMLElement {
  const appearance = options.appearance ?? "secondary";
  const element = document.createElement("vscode-button");
  element.setAttribute("appearance", appearance);
  const description = options.description ?? (appearance === "icon" ? options.label : null);
  if (description !== null) {
    element.setAttribute("aria-label", description);
    element.title = description;
  }
  if (options.icon) {
    const image = icon(options.icon);
    if (appearance !== "icon") image.setAttribute("slot", "start");
    element.append(image);
  }
  if (appearance !== "icon")
    element.append(options.folds ? h("span", { class: "word" }, options.label) : options.label);
  element.addEventListener("click", options.onClick);
  return element;
}

/** A button that looks like the small text around it. */
export function quietButton(
  options: Pick<ButtonOptions, "label" | "onClick"> & { readonly icon: IconName },
): HTMLElement {
  const { label, onClick } = options;
  return h(
    "button",
    { class: "quiet", attributes: { type: "button" }, onClick },
    icon(options.icon),
    h("span", {}, label),
  );
}

/** A button with an icon, for a row of a list that is one tab stop (see `RovingFocus`). */
export function rowButton(
  label: string,
  image: IconName,
  decides: "accept" | "reject" | "change",
  onClick: () => void,
): HTMLElement {
  const attributes = {
    type: "button",
    "aria-label": label,
    tabindex: "-1",
    [STOP]: "",
    "data-decides": decides,
  };
  return h("button", { class: "row-button", title: label, attributes, onClick }, icon(image));
}

/** Enables or disables a button made by `button`. */
export function setDisabled(element: HTMLElement, disabled: boolean): void {
  element.toggleAttribute("disabled", disabled);
}

/**
 * Disables all controls in a focusable group. The group takes over the focus, which a disabled
 * control would lose.
 */
export function disableControls(group: HTMLElement): void {
  if (group.contains(document.activeElement)) group.focus();
  for (const control of group.querySelectorAll("vscode-button, input, textarea"))
    control.setAttribute("disabled", "");
}
