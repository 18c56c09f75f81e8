import { visibleLine } from "../../src/base/text/visibleText.ts";
import { h, setText } from "../dom.ts";
import type { ShownOperation } from "./editState.ts";
import { operationText } from "./messages.ts";

/** A file's name and its folder, which is dimmed and clipped first. */
export class FileLabel {
  readonly element: HTMLElement;
  private readonly name = h("span", { class: "file-name" });
  private readonly folder = h("span");

  constructor(onClick: () => void) {
    this.element = h(
      "button",
      { class: "file", attributes: { type: "button" }, onClick },
      this.name,
      " ",
      h("span", { class: "file-folder" }, this.folder),
    );
  }

  /** `title` says what a click does. `operation` is what becomes of the whole file. */
  update(path: string, title: string, operation?: ShownOperation): void {
    const slash = path.lastIndexOf("/");
    const folder = path.slice(0, slash + 1);
    const name = path.slice(slash + 1);
    setText(
      this.name,
      operation
        ? operationText(name, {
            ...operation,
            to: operation.to === null ? null : placeFrom(folder, operation.to),
          })
        : visibleLine(name),
    );
    setText(this.folder, visibleLine(folder.slice(0, -1)));
    if (this.element.title !== title) this.element.title = title;
  }
}

/** A path as it is shown beside a folder, which ends with a slash: the rest of it inside. */
function placeFrom(folder: string, path: string): string {
  if (path.startsWith(folder)) return path.slice(folder.length);
  return path.includes("/") ? path : `./${path}`;
}

/** Added and removed lines: `+3 −2`, or only one of them; hidden without any. */
export class LineCounts {
  readonly element = h("span", { class: "counts" });
  private readonly added = h("span", { class: "added" });
  private readonly removed = h("span", { class: "removed" });

  constructor() {
    this.element.append(this.added, " ", this.removed);
  }

  update(added: number, removed: number): void {
    this.element.hidden = added === 0 && removed === 0;
    setText(this.added, added === 0 ? "" : `+${added}`);
    setText(this.removed, removed === 0 ? "" : `−${removed}`);
  }
}
