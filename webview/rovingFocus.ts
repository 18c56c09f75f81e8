/** Marks what {@link RovingFocus} moves between. */
export const STOP = "data-stop";

/**
 * A list of rows as one tab stop: the arrow keys move between its rows and within a row, Home and
 * End to its ends.
 */
export class RovingFocus {
  private readonly list: HTMLElement;
  private current: HTMLElement | null = null;
  /** The stop that had the focus last; until then the first one is reached. */
  private visited: HTMLElement | null = null;

  /**
   * The rows are the children of `list`; what can be focused in them has the attribute {@link
   * STOP}.
   */
  constructor(list: HTMLElement) {
    this.list = list;
    list.addEventListener("keydown", (event) => this.keyDown(event));
    list.addEventListener("focusin", ({ target }) => {
      if (!(target instanceof HTMLElement) || !target.hasAttribute(STOP)) return;
      this.visited = target;
      this.choose(target);
    });
  }

  /** Call when rows or their controls changed. */
  refresh(): void {
    if (this.visited && isStop(this.visited) && this.list.contains(this.visited)) return;
    this.visited = null;
    const first = [...this.list.children].find((row) => stopsIn(row).length > 0);
    this.choose(first ? (stopsIn(first)[0] ?? null) : null);
  }

  /**
   * Moves the focus to the first control that matches in the rows from `row` on, or before it;
   * false if there is none.
   */
  focusFrom(row: Element, selector: string): boolean {
    const stops = [...this.list.querySelectorAll<HTMLElement>(selector)].filter(isStop);
    const after = stops.find(
      (stop) => (row.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
    );
    const found = after ?? stops.at(-1);
    found?.focus();
    return found !== undefined;
  }

  private choose(stop: HTMLElement | null): void {
    if (stop === this.current) return;
    this.current?.setAttribute("tabindex", "-1");
    stop?.setAttribute("tabindex", "0");
    this.current = stop;
  }

  private keyDown(event: KeyboardEvent): void {
    const from = event.target;
    if (
      !(from instanceof HTMLElement) ||
      !from.hasAttribute(STOP) ||
      event.ctrlKey ||
      event.altKey ||
      event.metaKey
    )
      return;
    const to = this.target(from, event.key);
    if (to === null) return;
    event.preventDefault();
    to?.focus();
  }

  /** Where a key leads; undefined at an end, null for other keys. */
  private target(from: HTMLElement, key: string): HTMLElement | undefined | null {
    const rows = [...this.list.children]
      .map((row) => stopsIn(row))
      .filter((stops) => stops.length > 0);
    const row = rows.findIndex((stops) => stops.includes(from));
    const stops = rows[row] ?? [];
    const column = stops.indexOf(from);
    switch (key) {
      case "ArrowRight":
        return stops[column + 1];
      case "ArrowLeft":
        return stops[column - 1];
      case "ArrowDown":
      case "ArrowUp": {
        const next = rows[row + (key === "ArrowDown" ? 1 : -1)];
        // Rows end with the same buttons, and not all can be unfolded.
        return column === 0 ? next?.[0] : next?.at(column - stops.length);
      }
      case "Home":
        return rows[0]?.[0];
      case "End":
        return rows.at(-1)?.[0];
      default:
        return null;
    }
  }
}

function stopsIn(element: Element): readonly HTMLElement[] {
  return [...element.querySelectorAll<HTMLElement>(`[${STOP}]`)].filter(isStop);
}

function isStop(element: HTMLElement): boolean {
  return element.getAttribute(STOP) === "" && element.closest("[hidden]") === null;
}
