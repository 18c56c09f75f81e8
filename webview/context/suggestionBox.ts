import { visibleLine } from "../../src/base/text/visibleText.ts";
import type { Suggestion } from "../../src/protocol/messages.ts";
import { h, setText } from "../dom.ts";
import { t } from "../l10n.ts";
import { kindIcon } from "./chip.ts";

/**
 * A list of options for a text box, which keeps the focus
 * (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/).
 */
export class SuggestionBox {
  readonly element = h("div", {
    class: "suggestions",
    hidden: true,
    attributes: { role: "listbox", id: "suggestions", "aria-label": t("Suggestions") },
  });
  private readonly input: HTMLTextAreaElement;
  private readonly choose: (item: Suggestion) => void;
  private items: readonly Suggestion[] = [];
  /** Reused for the next items, because updating text is much cheaper than recreating rows. */
  private readonly rows: Row[] = [];
  private active = -1;

  constructor(input: HTMLTextAreaElement, choose: (item: Suggestion) => void) {
    this.input = input;
    this.choose = choose;
    input.setAttribute("aria-autocomplete", "list");
    input.setAttribute("aria-haspopup", "listbox");
    // A click must not take the focus from the text box.
    this.element.addEventListener("mousedown", (event) => event.preventDefault());
    this.element.addEventListener("click", ({ target }) => {
      const row = target instanceof Element ? target.closest("[role=option]") : null;
      const item = row ? this.items[[...this.element.children].indexOf(row)] : undefined;
      if (item) this.choose(item);
    });
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  /**
   * Shows `items`. Activates the first one or the previously active one. If `preselect` is false,
   * Enter stays with the text box.
   */
  show(items: readonly Suggestion[], preselect: boolean): void {
    const before = this.active > 0 ? this.items[this.active] : undefined;
    const again = before
      ? items.findIndex(({ label, detail }) => label === before.label && detail === before.detail)
      : -1;
    this.move(-1);
    this.items = items;
    while (this.rows.length < items.length) this.rows.push(newRow(this.rows.length));
    for (const [index, item] of items.entries()) this.rows[index]?.show(item);
    while (this.element.childElementCount > items.length) this.element.lastElementChild?.remove();
    this.element.append(
      ...this.rows
        .slice(this.element.childElementCount, items.length)
        .map(({ element }) => element),
    );
    this.element.hidden = items.length === 0;
    this.move(again >= 0 ? again : preselect ? 0 : -1);
    if (!this.isOpen) this.close();
    else this.input.setAttribute("aria-controls", this.element.id);
  }

  close(): void {
    this.move(-1);
    this.element.hidden = true;
    this.items = [];
    this.input.removeAttribute("aria-controls");
  }

  get current(): Suggestion | null {
    return this.items[this.active] ?? null;
  }

  /** Moves the active option by `step`, wrapping around. */
  step(step: 1 | -1): void {
    const { length } = this.items;
    this.move(
      this.active < 0 ? (step > 0 ? 0 : length - 1) : (this.active + step + length) % length,
    );
  }

  private move(to: number): void {
    this.element.children[this.active]?.setAttribute("aria-selected", "false");
    this.active = to < this.items.length ? to : -1;
    const option = this.element.children[this.active];
    if (!option) {
      this.input.removeAttribute("aria-activedescendant");
      return;
    }
    option.setAttribute("aria-selected", "true");
    this.input.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  }
}

interface Row {
  readonly element: HTMLElement;
  show(item: Suggestion): void;
}

function newRow(index: number): Row {
  const name = h("span", { class: "suggestion-label" });
  const place = h("span", { class: "suggestion-detail" });
  const attributes = { role: "option", id: `suggestion-${index}`, "aria-selected": "false" };
  const element = h("div", { class: "suggestion", attributes }, name, place);
  let kind: string | undefined;
  let image: Element | null = null;
  return {
    element,
    show({ label, detail, ref }) {
      if (kind !== ref?.kind) {
        image?.remove();
        // A command's name begins with its own sign.
        image = ref ? kindIcon(ref.kind) : null;
        if (image) element.prepend(image);
      }
      kind = ref?.kind;
      const [shown, where] = [visibleLine(label), visibleLine(detail)];
      setText(name, shown);
      setText(place, where);
      element.title = where === "" ? shown : `${shown} · ${where}`;
    },
  };
}
