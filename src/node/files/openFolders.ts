import * as path from "node:path";
import { type OpenFolder, openFolder } from "./openFolder.ts";

/** The folders at and below one, for changes while commands of others may change them, too. */
export class OpenFolders {
  private readonly root: string;
  private readonly below: string;
  /** Stay open while somebody works in them: opening one costs some calls. */
  private readonly open = new Map<
    string,
    { readonly folder: Promise<OpenFolder>; users: number }
  >();

  /** `root` is the path of an existing folder, `below` a path relative to it. */
  constructor(root: string, below = "") {
    this.root = root;
    this.below = below;
  }

  /**
   * Works on the entry at `name`, a path relative to the folder, through the folder that holds it as
   * that was opened: where a link takes its place meanwhile, nothing changes that the link leads to.
   * Rejects where one is on the way, or the folder is missing.
   */
  async within<T>(name: string, work: (entry: string) => Promise<T>): Promise<T> {
    const place = path.join(this.root, this.below, name);
    const above = path.dirname(place);
    const used = this.open.get(above) ?? { folder: openFolder(this.root, above, false), users: 0 };
    this.open.set(above, used);
    used.users++;
    try {
      const folder = await used.folder;
      await folder.check();
      return await work(folder.entry(path.basename(place)));
    } finally {
      if (--used.users === 0) {
        this.open.delete(above);
        await used.folder.then(
          (folder) => folder.close(),
          () => undefined,
        );
      }
    }
  }
}
