import { mkdir, symlink, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { createRulesReader } from "../../src/agent/request/rules.ts";
import { proposedWorkspace } from "../../src/edits/propose/proposedWorkspace.ts";
import { createNodeWorkspace } from "../../src/node/files/nodeWorkspace.ts";
import { createNodeWorkspaceFiles } from "../../src/node/files/nodeWorkspaceFiles.ts";
import { createNodeGit } from "../../src/node/processes/nodeGit.ts";
import type { ApprovalRequest } from "../../src/ports/approval.ts";
import type { EditorState } from "../../src/ports/editorState.ts";
import type { Workspace } from "../../src/ports/workspace.ts";
import { createSyntax } from "../../src/syntax/createSyntax.ts";
import { createGetEditorContext } from "../../src/tools/editor/getEditorContext.ts";
import { createFileOutline } from "../../src/tools/files/fileOutline.ts";
import { createReadFile } from "../../src/tools/files/readFile.ts";
import { createReadMultipleFiles } from "../../src/tools/files/readMultipleFiles.ts";
import { fileTools } from "../../src/tools/fileTools.ts";
import { createSearchInFiles } from "../../src/tools/search/searchInFiles.ts";
import { toolResultText } from "../../src/tools/toolResultText.ts";
import { createToolRouter } from "../../src/tools/toolRouter.ts";
import { campaignRuns } from "../fakes/campaignRuns.ts";
import { nodeGrammarSource } from "../fakes/editor/nodeGrammarSource.ts";
import { gitReads } from "../fakes/gitReads.ts";
import { RecordingLogger } from "../fakes/recordingLogger.ts";
import { runCall } from "../fakes/runCall.ts";
import { gitRepository } from "../fakes/workspace/gitRepository.ts";
import { tempFolder } from "../fakes/workspace/tempFolder.ts";
import { toolHarness } from "../unit/tools/toolHarness.ts";
import { attacks, inTurn } from "./attacks.ts";

const SECRET = "hunter2hunter2";
const files = [
  ".env",
  ".env.local",
  ".git/config",
  "deploy/id_rsa",
  "certs/server.pem",
  ".netrc",
  ".pgpass",
  "config/credentials.json",
  ".npmrc",
];

/** What a model reads by a call, where the user says no. */
async function read(name: string, args: unknown, trusted = true): Promise<string | null> {
  const folder = await tempFolder(
    Object.fromEntries([...files, ".ENV"].map((file) => [file, `KEY=${SECRET}\n`])),
  );
  try {
    const at = (link: string) => path.join(folder.root, link);
    await symlink(".env", at("notes.txt"));
    await symlink(".git", at("meta"));
    await symlink(".env", at("AGENTS.md"));
    await symlink("deploy", at("docs"));
    const real = await createNodeWorkspace(folder.root);
    const disk: Workspace = trusted
      ? real
      : { ...real, trusted, read: (file, signal) => real.read({ ...file }, signal) };
    const workspace = proposedWorkspace(disk, {
      open: () => ({}) as never,
      pending: () => null,
      allPending: () => [],
    });
    const syntax = createSyntax(nodeGrammarSource(), new RecordingLogger());
    const readFile = createReadFile(workspace, syntax);
    const editor = {
      context: () => ({
        active: {
          ...{
            path: "notes.txt",
            languageId: "",
            unsaved: false,
            lineCount: 1,
            cursorLine: 1,
            visible: null,
          },
          selection: { first: 1, last: 1, text: SECRET },
        },
        tabs: [],
      }),
    } as unknown as EditorState;
    const tools = [
      ...[
        readFile,
        createReadMultipleFiles(workspace, readFile),
        createFileOutline(workspace, syntax),
        createSearchInFiles(workspace),
      ],
      createGetEditorContext(editor, workspace),
      ...fileTools(workspace, await createNodeWorkspaceFiles(folder.root)),
    ];
    const asked: ApprovalRequest[] = [];
    const router = createToolRouter(tools, {
      async request(request) {
        asked.push(request);
        // For the session, everything was allowed; what is asked about each time is denied.
        return { allowed: !request.eachTime, by: "user" };
      },
    });
    const context = {
      turnId: "t",
      callId: "c",
      signal: new AbortController().signal,
      emit: () => undefined,
      streams: { register: () => undefined },
    };
    const calls = Array.isArray(args) ? args : [args];
    for (const each of calls) {
      const { tool = name, ...rest } = each as { readonly tool?: string };
      const outcome = await runCall(
        router,
        { callId: "c", name: tool, argsText: JSON.stringify(rest) },
        context as never,
      );
      if (toolResultText(outcome).includes(SECRET)) return `${tool} showed it`;
    }
    if (!trusted && asked.length > 0) return "it was asked about in an untrusted workspace";
    const rules = await createRulesReader(workspace)(["src/a.ts"], context.signal);
    return rules.some(({ text }) => text.includes(SECRET)) ? "it was sent as a rule" : null;
  } finally {
    await folder.remove();
  }
}

attacks("a file with keys that is read without a question", [
  ...[...files, "notes.txt", "meta/config", "docs/id_rsa", "./x/../.env", ".env."].flatMap(
    (file_path) => [
      { name: `read_file ${file_path}`, play: () => read("read_file", { file_path }) },
      {
        name: `read_multiple_files ${file_path}`,
        play: () => read("read_multiple_files", { file_paths: ["package.json", file_path] }),
      },
      {
        name: `read_file ${file_path}, untrusted`,
        play: () => read("read_file", { file_path }, false),
      },
      { name: `file_outline ${file_path}`, play: () => read("file_outline", { file_path }) },
    ],
  ),
  {
    name: "search_in_files for its text",
    play: () => read("search_in_files", { pattern: "hunter2" }),
  },
  {
    name: "search_in_files for anything",
    play: () => read("search_in_files", { pattern: ".*", is_regexp: true }),
  },
  {
    name: "search_in_files in it alone",
    play: () => read("search_in_files", { pattern: "KEY", include: ".env" }),
  },
  { name: "the selection of the editor", play: () => read("get_editor_context", {}) },
  {
    name: "copy_file to another name, then read_file",
    play: () =>
      read("", [
        { tool: "copy_file", from: ".env", to: "copy.txt" },
        { tool: "read_file", file_path: "copy.txt" },
      ]),
  },
  {
    name: "rename_file to another name, then read_file",
    play: () =>
      read("", [
        { tool: "rename_file", from: "deploy/id_rsa", to: "a.txt" },
        { tool: "read_file", file_path: "a.txt" },
      ]),
  },
]);

/** A repository with changed files that git tracks and that hold keys. */
async function changedKeys(staged: boolean) {
  const tracked = [
    ".env",
    "deploy/.env.production",
    "certs/server.pem",
    "config/credentials.json",
    "a b/.netrc",
    ":(top)x.key",
  ];
  const folder = await tempFolder({
    "a.txt": "one\n",
    ...Object.fromEntries(tracked.map((file) => [file, `KEY=old${SECRET}\n`])),
  });
  const git = await gitRepository(folder.root, "-A");
  for (const file of tracked) await folder.write(file, `KEY=new${SECRET}\n`);
  await folder.write("a.txt", "two\n");
  if (staged) await git("add", "-A");
  return { folder, git };
}

/** What is staged, and what is not; only read. */
let keys: { readonly staged: KeysInGit; readonly unstaged: KeysInGit } | null = null;
type KeysInGit = Awaited<ReturnType<typeof changedKeys>>;
after(async () => {
  await keys?.staged.folder.remove();
  await keys?.unstaged.folder.remove();
});

/** What the model reads of these. */
async function readByGit(name: string, args: object, staged = false): Promise<string | null> {
  keys ??= { staged: await changedKeys(true), unstaged: await changedKeys(false) };
  const { folder, git } = staged ? keys.staged : keys.unstaged;
  const workspace = await createNodeWorkspace(folder.root);
  const tools = gitReads({
    git: createNodeGit(async () => ({ folders: [folder.root], opened: null })),
    workspace,
  });
  const router = createToolRouter(tools, {
    request: async ({ eachTime }) => ({ allowed: !eachTime, by: "user" as const }),
  });
  const context = {
    ...{ turnId: "t", callId: "c", signal: new AbortController().signal, emit: () => undefined },
    streams: { register: () => undefined },
  };
  // What a model may have seen as a hash.
  let argsText = JSON.stringify(args);
  for (const [braced, named = ""] of argsText.matchAll(/\{(HEAD:[^}]+)\}/g))
    argsText = argsText.replace(braced, await git("rev-parse", named));
  const called = await runCall(router, { callId: "c", name, argsText }, context as never);
  const said = toolResultText(called);
  if (said.includes(SECRET)) return `${name} showed ${said}`;
  return name === "git_diff" && Object.keys(args).length === 0 && !said.includes("+two")
    ? `${name} hides what is no secret: ${said}`
    : null;
}

attacks("a tracked file with keys, read by git without a question", [
  ...[false, true].flatMap((staged) =>
    ["git_log", "git_status"].map((name) => ({
      name: `${name}${staged ? ", staged" : ""}`,
      play: () => readByGit(name, {}, staged),
    })),
  ),
  ...[
    {},
    { staged: true },
    { revision: "HEAD" },
    { paths: [".env"] },
    { paths: ["."] },
    { paths: ["deploy"] },
    { paths: ["certs", "config"] },
    { paths: ["a.txt", "deploy/.env.production"] },
    { paths: [":(top)x.key"] },
    { folder: "deploy" },
    { revision: "HEAD:.env" },
    { revision: "HEAD:deploy" },
    { revision: "HEAD:.env..HEAD:.env" },
    { revision: "{HEAD:.env}" },
    { revision: "{HEAD:a.txt}..{HEAD:.env}" },
    { revision: "{HEAD:.env}", paths: ["a.txt"] },
    { revision: "{HEAD:deploy}..{HEAD:certs}" },
  ].map((args) => ({
    name: JSON.stringify(args),
    play: () => readByGit("git_diff", args, "staged" in args),
  })),
]);

/** What the model reads of a changed file with keys, whose name is not plain text. */
async function diffOf(name: string, args: object): Promise<string | null> {
  const folder = await tempFolder({ "a.txt": "one\n" });
  const [file, ordinary] = [name, name.replace(/[^/]+$/, "b.txt")].map((each) =>
    Buffer.concat([Buffer.from(`${folder.root}/`), Buffer.from(each, "latin1")]),
  ) as [Buffer, Buffer];
  const write = async (text: string) => {
    await writeFile(file, `KEY=${text}${SECRET}\n`);
    await writeFile(ordinary, `${text}\n`);
  };
  try {
    await mkdir(file.subarray(0, file.lastIndexOf("/")), { recursive: true });
    await write("one");
    await gitRepository(folder.root, "-A");
    await write("two");
    const workspace = await createNodeWorkspace(folder.root);
    const git = createNodeGit(async () => ({ folders: [folder.root], opened: null }));
    const router = createToolRouter(gitReads({ git, workspace }), {
      request: async ({ eachTime }) => ({ allowed: !eachTime, by: "user" as const }),
    });
    const context = {
      ...{ turnId: "t", callId: "c", signal: new AbortController().signal, emit: () => undefined },
      streams: { register: () => undefined },
    };
    const call = { callId: "c", name: "git_diff", argsText: JSON.stringify(args) };
    const said = toolResultText(await runCall(router, call, context as never));
    if (said.includes(SECRET)) return `it showed ${said}`;
    if (!said.includes("+two")) return `it hides the file beside it: ${said}`;
    if (/diff --git.*\.env/.test(said)) return `it shows that file's place: ${said}`;
    return said.includes("[Left out") ? null : `it does not say what is left out: ${said}`;
  } finally {
    await folder.remove();
  }
}

if (process.platform === "linux")
  attacks(
    "a file with keys under a name that git quotes",
    [
      "caf\xe9/.env",
      "caf\xe9/x/.env.local",
      "\xff\xfe/id_rsa",
      "a/.env.\xe9",
      "caf\xc3\xa9/.env",
      'say "hi"/.env',
      "two\nlines/.env",
      "a\ttab/.env",
      "back\\\\slash/.env",
      "\x1b[31mred/.env",
      "\x1b]0;title\x07/.env",
      "\xc2\x9b31m/.env",
      "[a-z]*?/.env",
      ":(top)/.env",
      "\x7f/.env",
      "-n/.env",
      " /.env",
      'q/".env',
    ].flatMap((name, at) =>
      // By turns, in long runs both.
      inTurn([{}, { revision: "HEAD" }], at, campaignRuns(1, 2)).map((args) => ({
        name: `${JSON.stringify(name)} ${JSON.stringify(args)}`,
        play: () => diffOf(name, args),
      })),
    ),
  );

attacks("a file with keys beside one that the user was asked about", [
  {
    name: "git_diff of deploy/.env and of the whole folder",
    async play() {
      const folder = await tempFolder({ ".env": "a\n", "deploy/.env": "b\n" });
      try {
        await gitRepository(folder.root, "-A");
        await folder.write(".env", `KEY=${SECRET}\n`);
        await folder.write("deploy/.env", "KEY=shown\n");
        const workspace = await createNodeWorkspace(folder.root);
        const git = createNodeGit(async () => ({ folders: [folder.root], opened: null }));
        const said = await toolHarness(gitReads({ git, workspace })).call("git_diff", {
          paths: ["deploy/.env", "."],
        });
        if (!said.includes("KEY=shown")) return `what was allowed is hidden: ${said}`;
        return said.includes(SECRET) ? "the other one was shown" : null;
      } finally {
        await folder.remove();
      }
    },
  },
]);
