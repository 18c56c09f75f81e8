import assert from "node:assert/strict";
import { withPageStorage } from "../../../webview/pageStorage.ts";
import type { SavedState } from "../../../webview/panelStore.ts";

const state = (draft: string): SavedState => ({
  ...{ chatId: null, draft, attached: [], place: null, folds: {}, forms: {}, outbox: [] },
});

/** A browser's storage that takes so many characters in all. */
function storage(size = 1_000, items = new Map<string, string>()) {
  return {
    items,
    get length() {
      return items.size;
    },
    key: (index: number) => [...items.keys()][index] ?? null,
    getItem: (name: string) => items.get(name) ?? null,
    setItem(name: string, text: string) {
      const others = [...items].filter(([each]) => each !== name).map(([, each]) => each);
      if ([...others, text].join("").length > size) throw new Error("QuotaExceededError");
      items.set(name, text);
    },
    removeItem: (name: string) => void items.delete(name),
  };
}

/** The editor has stored "older" and stores nothing any more. */
const editor = {
  postMessage: () => undefined,
  getState: () => state("older"),
  setState: () => undefined,
};
const open = (kept: string, ...storages: ReturnType<typeof storage>[]) =>
  withPageStorage(
    editor,
    kept,
    storages.map((each) => () => each),
  );

describe("the panel's state after a reload", () => {
  it("is the latest of its page, though the editor has an older one", () => {
    const session = storage();
    open("a", session).setState(state("latest"));
    assert.deepEqual(open("a", session).getState(), state("latest"));
    assert.deepEqual(open("b", session).getState(), state("older"));
  });

  it("is that of its window, in a new window the latest of any", () => {
    const [first, second, all] = [storage(), storage(), storage()];
    open("a", first, all).setState(state("first"));
    open("a", second, all).setState(state("second"));
    assert.deepEqual(open("a", first, all).getState(), state("first"));
    assert.deepEqual(open("a", storage(), all).getState(), state("second"));
  });

  it("takes the room of other pages of Graft, and of nobody else", () => {
    const session = storage(250);
    session.setItem("another program's", "x".repeat(100));
    open("a", session).setState(state("earlier"));
    open("b", session).setState(state("latest"));
    assert.deepEqual(open("b", session).getState(), state("latest"));
    assert.deepEqual(open("a", session).getState(), state("older"));
    assert.equal(session.getItem("another program's")?.length, 100);
  });

  it("is the editor's where there is no room for the latest", () => {
    const session = storage(200);
    open("a", session).setState(state("short"));
    open("a", session).setState(state("long ".repeat(100)));
    assert.deepEqual(open("a", session).getState(), state("older"));
  });

  it("is the editor's where the browser allows no storage", () => {
    const refused = () => {
      throw new Error("SecurityError");
    };
    const panel = withPageStorage(editor, "a", [refused]);
    panel.setState(state("latest"));
    assert.deepEqual(panel.getState(), state("older"));
  });
});
