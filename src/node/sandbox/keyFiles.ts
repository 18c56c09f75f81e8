import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import * as path from "node:path";
import { isSecretPath } from "../../tools/permissions/protectedPath.ts";

/**
 * What a home folder has besides files with the names of keys, relative to it: sessions and
 * passwords of browsers and editors, key rings, sockets' tickets, and what shells remember.
 */
const PRIVATE = [
  // https://chromium.googlesource.com/chromium/src/+/main/docs/user_data_dir.md
  ...[".config/google-chrome", ".config/chromium", ".config/microsoft-edge"],
  ...[".config/BraveSoftware", ".config/vivaldi", ".config/opera"],
  // https://support.mozilla.org/kb/profiles-where-firefox-stores-user-data
  ...[".mozilla", ".thunderbird", ".config/mozilla"],
  // https://code.visualstudio.com/docs/configure/settings, and its kin: secrets and storage.
  ...[".config/Code", ".config/Code - Insiders", ".config/VSCodium", ".config/Cursor"],
  ...[".vscode-server/data", ".local/share/code-server", ".config/code-server"],
  // https://wiki.gnome.org/Projects/GnomeKeyring, https://userbase.kde.org/KDE_Wallet_Manager
  ...[".local/share/keyrings", ".local/share/kwalletd", ".local/share/pki"],
  ...[".config/op", ".config/1Password", ".config/Bitwarden CLI", ".config/sops"],
  ...[".config/gh", ".config/glab-cli", ".config/hub", ".config/doctl", ".config/heroku"],
  ...[".config/rclone", ".config/containers", ".config/gcloud", ".config/helm"],
  ...[".claude", ".claude.json", ".codex", ".gemini", ".config/github-copilot"],
  ...[".bash_history", ".zsh_history", ".python_history", ".node_repl_history", ".psql_history"],
] as const;

/** Folders of version control, which git needs, and of packages, whose files are everybody's. */
const PASSED = new Set([".git", ".hg", ".svn", "node_modules", "site-packages"]);
/** Stands for any file of a folder that is no secret by its own name. */
const PROBE = "x.ts";
/** How deep a home folder's hidden folders are looked at. */
const DEPTH = 2;

/** Finds files with keys, and remembers how it judged a path. */
export class KeyFiles {
  private readonly judged = new Map<string, boolean>();

  /**
   * The absolute paths of a home folder's files and folders that hold keys, by the names of
   * `isSecretPath` in the folder and its hidden folders, and by a list. None that is in `except`, or
   * above it.
   */
  inHome(home: string, except: readonly string[]): Promise<readonly string[]> {
    const touches = (place: string) =>
      except.some((each) => `${each}/`.startsWith(`${place}/`) || place.startsWith(`${each}/`));
    const isListed = (name: string) =>
      PRIVATE.some((each) => name === each || name === `${each}/${PROBE}`);
    return this.below(
      home,
      (name) =>
        (this.isSecret(name) || isListed(name)) &&
        !touches(path.join(home, name.replace(`/${PROBE}`, ""))),
      (name) => name.startsWith(".") && name.split("/").length <= DEPTH,
    );
  }

  /** The absolute paths of all files and folders of a workspace folder that may hold keys. */
  inWorkspace(folder: string): Promise<readonly string[]> {
    return this.below(
      folder,
      (name) => this.isSecret(name),
      () => true,
    );
  }

  private async below(
    root: string,
    isKey: (name: string) => boolean,
    isLookedAt: (name: string) => boolean,
  ): Promise<readonly string[]> {
    const found: string[] = [];
    for (let open = [""]; open.length > 0; ) {
      const entries = await Promise.all(open.map((folder) => entriesIn(root, folder)));
      open = [];
      for (const { name, isFolder } of entries.flat()) {
        if (isFolder && PASSED.has(path.basename(name))) continue;
        // A folder of keys is one by the name of any file in it.
        if (isKey(isFolder ? `${name}/${PROBE}` : name)) found.push(path.join(root, name));
        else if (isFolder && isLookedAt(name)) open.push(name);
      }
    }
    return found;
  }

  private isSecret(name: string): boolean {
    const known = this.judged.get(name);
    if (known !== undefined) return known;
    const isSecret = isSecretPath(name);
    this.judged.set(name, isSecret);
    return isSecret;
  }
}

/** The files and folders of a folder, by their paths from the root. */
async function entriesIn(
  root: string,
  folder: string,
): Promise<readonly { readonly name: string; readonly isFolder: boolean }[]> {
  const entries = await readdir(path.join(root, folder), { withFileTypes: true }).catch(
    (): Dirent[] => [],
  );
  return entries.flatMap((entry) => {
    const isFolder = entry.isDirectory();
    const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
    return isFolder || entry.isFile() ? [{ name, isFolder }] : [];
  });
}
