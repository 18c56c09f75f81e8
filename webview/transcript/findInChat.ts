import { button } from "../controls.ts";
import { h, setText } from "../dom.ts";
import { t } from "../l10n.ts";

/** The most matches to highlight. */
const MAX_MATCHES = 1_000;
const BLOCKS = "p, li, pre, td, th, h1, h2, h3, h4, h5, h6, summary, div";

/**
 * The search box at the top of the chat, opened with Ctrl+F. VS Code's own find box works only for
 * webviews in editors.
 */
export class FindInChat {
  readonly element = h("div", {
    class: "find",
    hidden: true,
    attributes: { role: "search", "aria-label": t("Search in chat") },
  });
  private readonly list: HTMLElement;
  private readonly drawAll: (over: () => void) => boolean;
  private readonly closed: () => void;
  private readonly input = h("input", {
    attributes: { type: "text", "aria-label": t("Search in chat"), spellcheck: "false" },
  });
  private readonly count = h("span", {
    class: "find-count",
    attributes: { "aria-live": "polite" },
  });
  private matches: readonly Range[] = [];
  private current = -1;
  /** Whether turns are being drawn for the search. */
  private drawing = false;

  /**
   * `drawAll` draws the missing turns and then calls back, or returns false if there are none.
   * `closed` takes over the focus.
   */
  constructor(list: HTMLElement, drawAll: (over: () => void) => boolean, closed: () => void) {
    this.list = list;
    this.drawAll = drawAll;
    this.closed = closed;
    this.input.placeholder = t("Search in chat");
    const previous = button({
      label: t("Previous match"),
      icon: "down",
      appearance: "icon",
      onClick: () => this.step(-1),
    });
    previous.classList.add("up");
    this.element.append(
      this.input,
      this.count,
      previous,
      button({
        label: t("Next match"),
        icon: "down",
        appearance: "icon",
        onClick: () => this.step(1),
      }),
      button({
        label: t("Close search"),
        icon: "cross",
        appearance: "icon",
        onClick: () => this.close(),
      }),
    );
    this.input.addEventListener("input", () => this.search());
    this.element.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
      else if (event.key === "Enter" && event.target === this.input && !event.isComposing)
        this.step(event.shiftKey ? -1 : 1);
      else return;
      event.preventDefault();
    });
    document.addEventListener("keydown", (event) => {
      if (
        !(event.ctrlKey || event.metaKey) ||
        event.altKey ||
        event.shiftKey ||
        event.key.toLowerCase() !== "f"
      )
        return;
      event.preventDefault();
      this.open();
    });
  }

  /** Opens the box, with `words` where they are given. */
  open(words?: string): void {
    if (words !== undefined) this.input.value = words;
    this.element.hidden = false;
    this.input.focus();
    this.input.select();
    this.search();
  }

  /** Closes the box with the chat that was searched; the focus stays. */
  leave(): void {
    this.element.hidden = true;
    this.matches = [];
    this.mark();
  }

  private close(): void {
    this.leave();
    this.closed();
  }

  /** Starts with the last match, which is the newest. */
  private search(): void {
    if (this.input.value !== "" && !this.drawing)
      this.drawing = this.drawAll(() => this.searchAll());
    this.matches = findRanges(this.list, this.input.value);
    this.current = this.matches.length;
    this.step(-1);
  }

  /** All turns are drawn now. Keeps the current match. */
  private searchAll(): void {
    this.drawing = false;
    if (this.element.hidden) return;
    const shown = this.matches[this.current];
    this.matches = findRanges(this.list, this.input.value);
    this.current = this.matches.findIndex(
      (range) =>
        shown !== undefined && range.compareBoundaryPoints(Range.START_TO_START, shown) === 0,
    );
    if (this.current < 0) this.search();
    else this.showCount();
  }

  private showCount(): void {
    const count = this.matches.length;
    const none = this.input.value === "" ? "" : t("no hits");
    setText(
      this.count,
      (count === 0
        ? this.drawing
          ? ""
          : none
        : t("{index} of {count}", { index: this.current + 1, count })) + (this.drawing ? "…" : ""),
    );
    this.mark();
  }

  private step(by: 1 | -1): void {
    if (this.matches.some((range) => !range.startContainer.isConnected))
      this.matches = findRanges(this.list, this.input.value);
    const count = this.matches.length;
    this.current = count === 0 ? -1 : (this.current + by + count) % count;
    this.showCount();
    const element = this.matches[this.current]?.startContainer.parentElement;
    for (
      let folded = element?.closest("details");
      folded;
      folded = folded.parentElement?.closest("details")
    )
      folded.open = true;
    element?.scrollIntoView({ block: "center" });
  }

  private mark(): void {
    if (!("highlights" in CSS)) return;
    CSS.highlights.set("find", new Highlight(...this.matches));
    const current = this.matches[this.current];
    CSS.highlights.set("find-current", new Highlight(...(current ? [current] : [])));
  }
}

/**
 * The occurrences of a text in the visible and folded text of `root`. They may span elements of a
 * paragraph.
 */
function findRanges(root: HTMLElement, query: string): readonly Range[] {
  if (query === "") return [];
  const nodes: { readonly node: Node; readonly start: number }[] = [];
  let text = "";
  let block: Element | null = null;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!parent || parent.closest(".hidden-word, [hidden], vscode-button")) continue;
    const own: Element | null = parent.closest(BLOCKS);
    if (own !== block) text += "\n";
    block = own;
    nodes.push({ node, start: text.length });
    text += node.textContent ?? "";
  }
  const ranges: Range[] = [];
  let at = 0;
  for (const { index, 0: match } of text.matchAll(
    new RegExp(query.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"), "giu"),
  )) {
    const place = (offset: number) => {
      while (at + 1 < nodes.length && (nodes[at + 1]?.start ?? 0) <= offset) at++;
      return nodes[at];
    };
    const range = document.createRange();
    const first = place(index);
    if (first) range.setStart(first.node, index - first.start);
    const last = place(index + match.length - 1);
    if (last) range.setEnd(last.node, index + match.length - last.start);
    if (ranges.push(range) >= MAX_MATCHES) break;
  }
  return ranges;
}
