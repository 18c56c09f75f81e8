import { lstat, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { createAutoReviewer } from "../../src/edits/review/autoReviewer.ts";
import { createFileApplier } from "../../src/node/files/fileApplier.ts";
import { createNodeWorkspace } from "../../src/node/files/nodeWorkspace.ts";
import { createNodeWorkspaceFiles } from "../../src/node/files/nodeWorkspaceFiles.ts";
import type { ApprovalRequest } from "../../src/ports/approval.ts";
import { fileTools } from "../../src/tools/fileTools.ts";
import { decidePermission } from "../../src/tools/permissions/permissionPolicy.ts";
import { isProtectedPath } from "../../src/tools/permissions/protectedPath.ts";
import { createToolRouter } from "../../src/tools/toolRouter.ts";
import { campaignRuns } from "../fakes/campaignRuns.ts";
import { runCall } from "../fakes/runCall.ts";
import { type TempFolder, tempFolder } from "../fakes/workspace/tempFolder.ts";
import { attacks } from "./attacks.ts";

/** A workspace with links that a repository can bring along, and a folder beside it. */
async function within(
  play: (folder: TempFolder, beside: TempFolder) => Promise<string | null>,
): Promise<string | null> {
  const beside = await tempFolder({ "kept.txt": "kept" });
  const folder = await tempFolder({
    ".vscode/settings.json": "{}\n",
    ".git/config": "",
    ".git/hooks/README": "",
    ".github/workflows/ci.yml": "on: push\n",
    "src/a.ts": "a\n",
    "payload/tasks.json": "{}\n",
  });
  const at = (name: string) => path.join(folder.root, name);
  await symlink(".vscode", at("cfg"));
  await symlink("../.vscode", at("src/deep"));
  await symlink(".github/workflows", at("flows"));
  await symlink(".git/hooks", at("scripts"));
  await symlink(".vscode/settings.json", at("settings.json"));
  await symlink(beside.root, at("away"));
  try {
    return await play(folder, beside);
  } finally {
    await folder.remove();
    await beside.remove();
  }
}

/**
 * What the user is asked about where every earlier request was allowed for the session, and files
 * may be written without a question.
 */
async function unasked(tool: string, args: unknown, folder: TempFolder): Promise<string | null> {
  const workspace = await createNodeWorkspace(folder.root);
  const asked: ApprovalRequest[] = [];
  const policy = {
    write: "allow" as const,
    rules: [{ tool: "*", allow: "always" as const }],
    restrictions: [],
  };
  const approval = {
    async request(request: ApprovalRequest) {
      if (decidePermission(request, policy).permission === "allow")
        return { allowed: true, by: "settings" as const };
      asked.push(request);
      return { allowed: false, by: "user" as const };
    },
  };
  const router = createToolRouter(
    fileTools(workspace, await createNodeWorkspaceFiles(folder.root)),
    approval,
  );
  const context = {
    turnId: "t",
    callId: "c",
    signal: new AbortController().signal,
    emit: () => undefined,
    streams: { register: () => undefined },
  };
  const before = await snapshot(folder.root);
  await runCall(
    router,
    { callId: "c", name: tool, argsText: JSON.stringify(args) },
    context as never,
  );
  return (await snapshot(folder.root)) === before
    ? null
    : `it was done ${asked.length > 0 ? "in spite of the answer" : "without a question"}`;
}

/** Everything below a folder, with its contents. */
async function snapshot(root: string): Promise<string> {
  const lines: string[] = [];
  for (const entry of (await readdir(root, { withFileTypes: true })).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )) {
    const place = path.join(root, entry.name);
    if (entry.isDirectory()) lines.push(entry.name, await snapshot(place));
    else lines.push(`${entry.name} ${entry.isFile() ? await readFile(place, "utf8") : "link"}`);
  }
  return lines.join("\n");
}

const content = "{}\n";
const writes: readonly (readonly [name: string, tool: string, args: unknown])[] = [
  ...[
    ".vscode/tasks.json",
    "cfg/tasks.json",
    "src/deep/tasks.json",
    "src/../cfg/tasks.json",
    ".VSCODE/tasks.json",
    ".vscode./tasks.json",
  ].map((file_path) => [`creates ${file_path}`, "create_file", { file_path, content }] as const),
  ...[
    "flows/deploy.yml",
    ".github/workflows/x.yml",
    "AGENTS.md",
    "src/CLAUDE.md",
    ".mcp.json",
    "mcp.json",
    ".envrc",
    ".npmrc",
  ].map((file_path) => [`creates ${file_path}`, "create_file", { file_path, content }] as const),
  ...[
    "scripts/pre-commit",
    "tools/hooks/pre-push",
    ".husky/pre-commit",
    ".git/hooks/post-checkout",
    "x.code-workspace",
    ".bashrc",
  ].map((file_path) => [`creates ${file_path}`, "create_file", { file_path, content }] as const),
  [
    "replaces a linked file",
    "create_file",
    { file_path: "settings.json", content, overwrite: true },
  ],
  ["makes the folder .devcontainer", "create_directory", { path: ".devcontainer" }],
  ["renames a folder to .vscode", "rename_file", { from: "payload", to: "sub/.vscode" }],
  ["renames a folder to .github", "rename_file", { from: "payload", to: "sub/.github" }],
  [
    "renames a file into a linked folder",
    "rename_file",
    { from: "payload/tasks.json", to: "cfg/tasks.json" },
  ],
  ["renames .vscode away", "rename_file", { from: ".vscode", to: "old" }],
  ["renames the folder around a protected one", "rename_file", { from: ".github", to: "gone" }],
  [
    "copies a file into a linked folder",
    "copy_file",
    { from: "payload/tasks.json", to: "src/deep/tasks.json" },
  ],
  [
    "copies the settings to another name",
    "copy_file",
    { from: "cfg/settings.json", to: ".vscode/other.json" },
  ],
  ["deletes a protected file through a link", "delete_file", { path: "cfg/settings.json" }],
  ["deletes .github", "delete_file", { path: ".github", recursive: true }],
  [
    "writes through a link out of the workspace",
    "create_file",
    { file_path: "away/x.txt", content },
  ],
  ["deletes through a link out of the workspace", "delete_file", { path: "away/kept.txt" }],
];

attacks(
  "a protected file without a question",
  writes.map(([name, tool, args]) => ({
    name,
    play: () => within((folder) => unasked(tool, args, folder)),
  })),
);

const edited = [
  "cfg/tasks.json",
  "settings.json",
  "flows/ci.yml",
  "src/deep/tasks.json",
  "AGENTS.md",
  ".vscode/tasks.json",
  "payload/../cfg/x.json",
];

attacks(
  "a protected file that is accepted with the rest",
  edited.map((name) => ({
    name: `is proposed as ${name}`,
    play: () =>
      within(async (folder) => {
        const workspace = await createNodeWorkspace(folder.root);
        const file = await workspace.resolve(name);
        if (!file.ok) return null;
        const before = await snapshot(folder.root);
        const snapshotOf = {
          file: file.value,
          exists: false,
          text: "",
          version: 0,
          languageId: "",
        };
        const review = createAutoReviewer("all", createFileApplier(workspace)).open(snapshotOf, {
          chatId: "c",
          turnId: "t",
          callId: "k",
        });
        await review.propose(
          { text: "evil\n", blocks: [{ blockId: "b", start: 0, end: 5, warnings: [] }] },
          false,
        );
        return (await snapshot(folder.root)) === before ? null : "it was written";
      }),
  })),
);

const ROUNDS = campaignRuns(150, 400);

/**
 * Swaps a folder and a link to the folder beside the workspace as fast as it can, while `write`
 * runs.
 */
async function racing(
  folder: TempFolder,
  beside: TempFolder,
  write: (round: number) => Promise<unknown>,
): Promise<string | null> {
  const at = (name: string) => path.join(folder.root, name);
  await mkdir(at("race"));
  await symlink(beside.root, at("link"));
  let over = false;
  const swap = (async () => {
    while (!over) {
      await rename(at("race"), at("aside")).catch(() => undefined);
      await rename(at("link"), at("race")).catch(() => undefined);
      await rename(at("race"), at("link")).catch(() => undefined);
      await rename(at("aside"), at("race")).catch(() => undefined);
    }
  })();
  for (let round = 0; round < ROUNDS; round++) await write(round);
  over = true;
  await swap;
  const outside = (await readdir(beside.root)).filter((name) => name !== "kept.txt");
  if (outside.length > 0) return `${outside.length} files were written outside`;
  if ((await readFile(path.join(beside.root, "kept.txt"), "utf8").catch(() => "")) !== "kept")
    return "a file outside was changed";
  const folders = [folder.root, at("race"), at("aside")];
  const left = await Promise.all(folders.map((each) => readdir(each).catch(() => [])));
  const temporary = left.flat().filter((name) => name.endsWith(".tmp"));
  return temporary.length > 0 ? `${temporary.length} temporary files were left` : null;
}

attacks("a folder that becomes a link while it is written to", [
  {
    name: "during create_file",
    play: () =>
      within(async (folder, beside) => {
        const files = await createNodeWorkspaceFiles(folder.root);
        return racing(folder, beside, (round) => files.createFile(`race/${round}.txt`, "x", true));
      }),
  },
  {
    name: "during create_file with folders",
    play: () =>
      within(async (folder, beside) => {
        const files = await createNodeWorkspaceFiles(folder.root);
        return racing(folder, beside, (round) =>
          files.createFile(`race/sub/${round}/a.txt`, "x", false),
        );
      }),
  },
  {
    name: "during create_directory",
    play: () =>
      within(async (folder, beside) => {
        const files = await createNodeWorkspaceFiles(folder.root);
        return racing(folder, beside, (round) => files.createDirectory(`race/${round}`));
      }),
  },
  {
    name: "during rename_file and delete_file",
    play: () =>
      within(async (folder, beside) => {
        const files = await createNodeWorkspaceFiles(folder.root);
        return racing(folder, beside, async (round) => {
          await writeFile(path.join(folder.root, "src/b.ts"), "b");
          await files.rename("src/b.ts", `race/${round}.ts`, true);
          await files.delete("race/kept.txt", false);
        });
      }),
  },
  {
    name: "during copy_file",
    play: () =>
      within(async (folder, beside) => {
        const files = await createNodeWorkspaceFiles(folder.root);
        return racing(folder, beside, (round) => files.copy("src/a.ts", `race/${round}.ts`, true));
      }),
  },
  {
    name: "between a proposal and its accept",
    play: () =>
      within(async (folder, beside) => {
        const workspace = await createNodeWorkspace(folder.root);
        const file = await workspace.resolve("new/pre-commit.txt");
        if (!file.ok) return "it could not be played";
        const write = createFileApplier(workspace);
        await symlink(".git/hooks", path.join(folder.root, "new"));
        await write(
          { file: file.value, exists: false, text: "", version: 0, languageId: "" },
          "evil",
        );
        await rm(path.join(folder.root, "new"));
        await symlink(beside.root, path.join(folder.root, "new"));
        await write(
          { file: file.value, exists: false, text: "", version: 0, languageId: "" },
          "evil",
        );
        const hooked = await lstat(path.join(folder.root, ".git/hooks/pre-commit.txt")).catch(
          () => null,
        );
        const outside = await lstat(path.join(beside.root, "pre-commit.txt")).catch(() => null);
        return hooked || outside ? "it was written through the link" : null;
      }),
  },
]);

attacks(
  "a name that a disk takes for a protected one",
  [
    ...[
      ".VsCode/tasks.json",
      ".vscode /tasks.json",
      ".vscode../tasks.json",
      "VSCODE~1/tasks.json",
      ".vscode::$INDEX_ALLOCATION/tasks.json",
    ],
    ...[
      ".git\u200c/config",
      "GIT~1/config",
      ".Git/config",
      ".gı\u0074/config",
      ".vſcode/tasks.json",
      ".\uff56scode/tasks.json",
      "AGENTS.MD",
    ],
    ...[
      "agents.md ",
      "AGENTS.md.",
      "AGENTS.md::$DATA",
      ".GITHUB/workflows/a.yml",
      "a\\.vscode\\tasks.json",
      "X.CODE-WORKSPACE",
    ],
  ].map((name) => ({
    name: JSON.stringify(name),
    play: () => (isProtectedPath(name) ? null : "it counts as any other"),
  })),
);
