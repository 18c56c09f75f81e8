/**
 * A script that tells whether the browser has stored such words for a window: VS Code writes every
 * few seconds.
 */
export const stored = (words: RegExp) => `(async () => {
  for (const { name } of await indexedDB.databases()) {
    // The state of the workspace, not what all windows share.
    if (!/^vscode-web-state-db-(?!global)/.test(name)) continue;
    const opening = indexedDB.open(name);
    const db = await new Promise((done) => (opening.onsuccess = () => done(opening.result)));
    const all = [...db.objectStoreNames].map((store) => {
      const reading = db.transaction(store).objectStore(store).getAll();
      return new Promise((done) => (reading.onsuccess = () => done(reading.result)));
    });
    const values = (await Promise.all(all)).flat();
    db.close();
    if (values.some((value) => ${words}.test(String(value)))) return true;
  }
  return false;
})()`;
