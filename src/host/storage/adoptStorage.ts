import * as vscode from "vscode";
import { newId } from "../../base/ids.ts";
import { parseJson } from "../../base/text/parseJson.ts";
import { MAX_SMALL_BYTES, SET_ASIDE } from "../../ports/eventLog.ts";
import { lookAt, orNull, unlessMissing } from "../workspace/unlessMissing.ts";
import { readPlainFile } from "./readPlainFile.ts";

/** Files of earlier places that are not adopted: claims, caches, what is damaged or half written. */
const LEFT = /\.claim$|^index\.json$|\.tmp$/;

/** The folders whose entries are adopted under their own names. */
const FOLDERS = ["chats", "changes", "images/chats", "images/loose"];

/** The folders of VS Code's in which earlier versions kept what belongs to this workspace. */
export interface EarlierStorage {
  readonly storageUri: vscode.Uri | undefined;
  readonly globalStorageUri: vscode.Uri;
}

/** True where earlier versions kept proposals that were not adopted yet. */
export async function hasEarlierProposals(
  earlier: EarlierStorage,
  storage: vscode.Uri,
): Promise<boolean> {
  if (await lookAt(markerOf(storage))) return false;
  for (const place of await earlierPlaces(earlier))
    if ((await earlierRecords(place)).length > 0) return true;
  return false;
}

/**
 * Copies what earlier versions kept of this workspace into `storage`, once: from VS Code's folder,
 * and from those that it gave to a second host. Rejects where that fails; the next start goes on.
 * `nameOf` gives the name of a proposal's record. True where an earlier start has done it.
 */
export async function adoptStorage(
  earlier: EarlierStorage,
  storage: vscode.Uri,
  nameOf: (id: string) => string,
): Promise<boolean> {
  const marker = markerOf(storage);
  if (await lookAt(marker)) return true;
  const places = await earlierPlaces(earlier);
  for (const place of places) {
    for (const folder of FOLDERS) {
      const names = (await namesIn(at(place, folder))).filter((name) => !LEFT.test(name));
      await adoptAll(storage, at(place, folder), folder, names, (name) => name);
    }
    const records = await earlierRecords(place);
    await adoptAll(storage, at(place, "proposals"), "proposals", records, (name) =>
      nameOf(name.replace(/\.\w+$/, "")),
    );
  }
  await mark(storage, places);
  return false;
}

/**
 * Removes from the places of earlier versions what was adopted at an earlier start, but for what a
 * host of such a version changed there since. What cannot be removed stays.
 */
export async function removeAdopted(earlier: EarlierStorage, storage: vscode.Uri): Promise<void> {
  const { mtime: adoptedAt } = (await lookAt(markerOf(storage))) ?? {};
  const bytes = await orNull(readPlainFile(markerOf(storage), MAX_SMALL_BYTES));
  const marker: unknown = bytes && parseJson(new TextDecoder().decode(bytes));
  const from: unknown = marker && typeof marker === "object" && "from" in marker && marker.from;
  if (adoptedAt === undefined || !Array.isArray(from) || from.length === 0) return;
  const places = await earlierPlaces(earlier);
  for (const place of places.filter((each) => from.includes(each.toString()))) {
    const records = (await earlierRecords(place)).map((name) => at(place, "proposals", name));
    const others = await Promise.all(
      FOLDERS.map(async (folder) =>
        (await namesIn(at(place, folder)))
          .filter((name) => !LEFT.test(name))
          .map((name) => at(place, folder, name)),
      ),
    );
    await Promise.all(
      [...records, ...others.flat()].map(async (entry) => {
        if ((await changedAt(entry)) <= adoptedAt)
          await orNull(vscode.workspace.fs.delete(entry, { recursive: true }));
      }),
    );
  }
  await mark(storage, []);
}

/** When a file, or anything in a folder, was changed last, in milliseconds since 1970. */
async function changedAt(entry: vscode.Uri): Promise<number> {
  const found = await lookAt(entry);
  if (!found || found.type !== vscode.FileType.Directory) return found?.mtime ?? Infinity;
  const inside = (await namesIn(entry)).map((name) => changedAt(at(entry, name)));
  return Math.max(found.mtime, ...(await Promise.all(inside)));
}

/** Says that all was adopted, and where it still lies. */
async function mark(storage: vscode.Uri, places: readonly vscode.Uri[]): Promise<void> {
  const text = JSON.stringify({ from: places.map((place) => place.toString()) });
  await vscode.workspace.fs.writeFile(markerOf(storage), new TextEncoder().encode(text));
}

/** Copies entries of an earlier folder into a folder of the storage, but for those it has. */
async function adoptAll(
  storage: vscode.Uri,
  from: vscode.Uri,
  folder: string,
  names: readonly string[],
  nameOf: (name: string) => string,
): Promise<void> {
  if (names.length === 0) return;
  const to = at(storage, folder);
  await vscode.workspace.fs.createDirectory(to);
  const known = new Set(await namesIn(to));
  const missing = names.filter((name) => !known.has(nameOf(name)));
  await Promise.all(missing.map((name) => adopt(at(from, name), at(to, nameOf(name)), storage)));
}

/** Copies a file, or a folder with what {@link namesIn} finds in it. */
async function copyPlain(from: vscode.Uri, to: vscode.Uri): Promise<void> {
  const { fs } = vscode.workspace;
  const found = await fs.stat(from);
  if (found.type !== vscode.FileType.Directory) return fs.copy(from, to);
  await fs.createDirectory(to);
  for (const name of await namesIn(from)) await copyPlain(at(from, name), at(to, name));
}

/** Copies a file or folder as a whole. */
async function adopt(from: vscode.Uri, to: vscode.Uri, storage: vscode.Uri): Promise<void> {
  const { fs } = vscode.workspace;
  const part = at(storage, newId("adopting"));
  await copyPlain(from, part);
  try {
    await fs.rename(part, to, { overwrite: false });
  } catch (error) {
    await orNull(fs.delete(part, { recursive: true }));
    // Another window was faster.
    if (!(await lookAt(to))) throw error;
  }
}

/** The proposals of an earlier place; a crash may have left one under another name. */
async function earlierRecords(place: vscode.Uri): Promise<readonly string[]> {
  const names = await namesIn(at(place, "proposals"));
  return names.filter(
    (name) =>
      /^[\w-]+\.json$/.test(name) ||
      (/^[\w-]+\.new$/.test(name) && !names.includes(name.replace(/new$/, "json"))),
  );
}

/** VS Code's folder for the extension and this workspace, and those of further hosts. */
async function earlierPlaces({
  storageUri,
  globalStorageUri,
}: EarlierStorage): Promise<readonly vscode.Uri[]> {
  if (!storageUri) return [globalStorageUri];
  const [own = "", extension = ""] = storageUri.path.split("/").slice(-2);
  const all = at(storageUri, "../..");
  const workspace = own.replace(/(?<=.)-[1-9]$/, "");
  const names = (await namesIn(all)).filter(
    (name) => name === workspace || (name.startsWith(`${workspace}-`) && /-[1-9]$/.test(name)),
  );
  const known = (await descriptionOf(at(all, own))) ?? (await descriptionOf(at(all, workspace)));
  const places: vscode.Uri[] = [];
  for (const name of names.filter((each) => each.replace(/(?<=.)-[1-9]$/, "") === workspace)) {
    const other = await descriptionOf(at(all, name));
    // Another workspace's folder of a similar name.
    if (known !== null && other !== null && other !== known) continue;
    places.push(at(all, name, extension));
  }
  return places;
}

/** What VS Code wrote into a workspace's folder about it; null for nothing. */
async function descriptionOf(folder: vscode.Uri): Promise<string | null> {
  const bytes = await orNull(readPlainFile(at(folder, "workspace.json"), MAX_SMALL_BYTES));
  return bytes && new TextDecoder().decode(bytes);
}

/** What can be copied: not what was set aside, and no links, nor pipes, which would never end. */
async function namesIn(folder: vscode.Uri): Promise<readonly string[]> {
  const entries = (await unlessMissing(vscode.workspace.fs.readDirectory(folder))) ?? [];
  const found = entries.filter(
    ([name, type]) =>
      (type === vscode.FileType.File || type === vscode.FileType.Directory) &&
      !name.includes(SET_ASIDE),
  );
  return found.map(([name]) => name);
}

function at(folder: vscode.Uri, ...names: readonly string[]): vscode.Uri {
  return vscode.Uri.joinPath(folder, ...names);
}

function markerOf(storage: vscode.Uri): vscode.Uri {
  return at(storage, "adopted.json");
}
