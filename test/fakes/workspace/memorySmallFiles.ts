import type { SmallFiles } from "../../../src/ports/eventLog.ts";

/** Small files in memory, as several windows share them. */
export function memorySmallFiles(): SmallFiles {
  const files = new Map<string, { readonly text: string; readonly version: number }>();
  let writes = 0;
  const put = (name: string, text: string) => void files.set(name, { text, version: ++writes });
  return {
    place: "memory",
    list: async () => [...files.keys()],
    version: async (name) => String(files.get(name)?.version ?? ""),
    open: (name) => ({
      read: async () => files.get(name)?.text ?? null,
      async create(text) {
        if (files.has(name)) return false;
        put(name, text);
        return true;
      },
      write: async (text) => put(name, text),
      remove: async () => void files.delete(name),
    }),
  };
}
