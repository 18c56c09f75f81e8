import { parseJson } from "../src/base/text/parseJson.ts";
import type { HostConnection } from "./panelStore.ts";

/** The part of the browser's `Storage` that is used. */
interface PageStorage {
  readonly length: number;
  key(index: number): string | null;
  getItem(name: string): string | null;
  setItem(name: string, text: string): void;
  removeItem(name: string): void;
}

/** What the names in storage begin with: other pages may share it. */
const OURS = "graft panel ";

/**
 * Keeps the panel's state in the browser, too, as that of page `kept`. VS Code in a browser stores it
 * only now and then, so that a reload would lose the latest. Of `storages` the first that has it
 * counts: the session of this window, then that of all windows. One that throws, since the browser
 * does not allow it, is left out.
 */
export function withPageStorage(
  host: HostConnection,
  kept: string,
  storages: readonly (() => PageStorage)[],
): HostConnection {
  const name = OURS + kept;
  return {
    postMessage: (message) => host.postMessage(message),
    getState() {
      for (const storage of storages) {
        const state = tried(() => parseJson(storage().getItem(name) ?? ""));
        if (state !== undefined) return state;
      }
      return host.getState();
    },
    setState(state) {
      host.setState(state);
      const text = JSON.stringify(state);
      for (const storage of storages) tried(() => keep(storage(), name, text));
    },
  };
}

/** Where there is no room, what other pages kept goes first. */
function keep(storage: PageStorage, name: string, text: string): void {
  const put = () => storage.setItem(name, text);
  if (tried(() => put() ?? true)) return;
  const names = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? "");
  // What is older must not come back.
  for (const each of names) if (each.startsWith(OURS)) storage.removeItem(each);
  put();
}

function tried<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
