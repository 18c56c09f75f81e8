import { provideVSCodeDesignSystem, vsCodeButton } from "@vscode/webview-ui-toolkit";
import { h } from "./dom.ts";
import type { IconName } from "./iconShapes.ts";
import { icon } from "./icons.ts";

/** What a button says, shows and does. `label` is its visible text, or its accessible name where only the icon shows. */
export interface ButtonOptions {
  readonly label: string;
  readonly icon?: IconName;
  readonly appearance?: "primary" | "secondary" | "icon";
  /** Said instead of the label by screen readers and on hover, where the label alone is not clear. */
  readonly description?: string;
  readonly onClick: () => void;
}

/** Defines the toolkit's elements; call once before any control is made. */
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
  if (appearance !== "icon") element.append(options.label);
  element.addEventListener("click", options.onClick);
  return element;
}

/** A button that looks like the small words around it. */
export function quietButton(options: Pick<ButtonOptions, "label" | "onClick"> & { readonly icon: IconName }): HTMLElement {
  const { label, onClick } = options;
  return h("button", { class: "quiet", attributes: { type: "button" }, onClick }, icon(options.icon), h("span", {}, label));
}

/** Switches a button made by `button` on or off. */
export function setDisabled(element: HTMLElement, disabled: boolean): void {
  element.toggleAttribute("disabled", disabled);
}

/** Switches off all controls in a group that can take the focus: the group keeps it, since a control that is off loses it to nowhere. */
export function disableControls(group: HTMLElement): void {
  if (group.contains(document.activeElement)) group.focus();
  for (const control of group.querySelectorAll("vscode-button, input, textarea")) control.setAttribute("disabled", "");
}
