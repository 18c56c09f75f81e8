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

/** The most entries of a folder that are looked at. */
const MOST = 2_000;

/**
 * The absolute paths of a home folder's files and folders that hold keys, as far as they exist, by
 * the names of `isSecretPath` down to the second folder, and by a list. None that is in `except`,
 * or above it.
 */
export async function keyPaths(home: string, except: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  const touches = (place: string) =>
    except.some((each) => `${each}/`.startsWith(`${place}/`) || place.startsWith(`${each}/`));
  const look = async (folder: string, depth: number): Promise<void> => {
    for (const entry of (await entriesOf(path.join(home, folder))).slice(0, MOST)) {
      const name = path.join(folder, entry.name);
      const place = path.join(home, name);
      if (isPrivate(name, entry)) {
        if (!touches(place)) found.push(place);
      } else if (entry.isDirectory() && depth < 2 && name.startsWith("."))
        await look(name, depth + 1);
    }
  };
  await look("", 0);
  return found;
}

function isPrivate(name: string, entry: Dirent): boolean {
  const isFile = entry.isFile() || entry.isDirectory();
  // What lies in a folder of keys is secret; the folder itself, by any name in it.
  const isSecret = isSecretPath(entry.isDirectory() ? `${name}/x` : name);
  return isFile && (isSecret || PRIVATE.some((each) => each === name));
}

function entriesOf(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
}
