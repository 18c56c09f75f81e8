import { h, setText } from "../dom.ts";

/** A file's name and its folder, which is dimmed and clipped first; the path is its accessible name. */
export class FileLabel {
  readonly element: HTMLElement;
  private readonly name = h("span", { class: "file-name" });
  private readonly folder = h("span", { class: "file-folder" });

  constructor(onClick: () => void) {
    this.element = h("button", { class: "file", attributes: { type: "button" }, onClick }, this.name, " ", this.folder);
  }

  /** `title` says what a click does. */
  update(path: string, title: string): void {
    const slash = path.lastIndexOf("/");
    setText(this.name, path.slice(slash + 1));
    setText(this.folder, path.slice(0, Math.max(0, slash)));
    if (this.element.title === title) return;
    this.element.title = title;
    this.element.setAttribute("aria-label", path);
  }
}

/** Added and removed lines: `+3 −2`; hidden without any. */
export class LineCounts {
  readonly element = h("span", { class: "counts" });
  private readonly added = h("span", { class: "added" });
  private readonly removed = h("span", { class: "removed" });

  constructor() {
    this.element.append(this.added, " ", this.removed);
  }

  update(added: number, removed: number): void {
    this.element.hidden = added === 0 && removed === 0;
    setText(this.added, `+${added}`);
    setText(this.removed, `−${removed}`);
  }
}
