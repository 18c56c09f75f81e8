import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile, symlink } from "node:fs/promises";
import * as path from "node:path";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { stdioTransport } from "../../../src/node/mcp/stdioTransport.ts";
import { buildCli, type CliBundle } from "../../fakes/cliBundle.ts";
import { startHere } from "../../fakes/commandLineHere.ts";
import { connectGuest, type GuestClient, startGuest } from "../../fakes/mcp/guestClient.ts";
import { type TempFolder, tempFolder } from "../../fakes/workspace/tempFolder.ts";
import { processGone } from "../tools/processes.ts";

const APP = `import { one } from "./one";

/** Adds. */
export function add(a: number, b: number): number {
  return a + b;
}

export class Shape {
  area(): number {
    return 0;
  }
}
`;

describe("graft mcp without an editor", () => {
  let cli: CliBundle;
  let folder: TempFolder;
  let home: TempFolder;
  let guest: GuestClient;
  let ended: () => Promise<void>;

  before(async () => {
    cli = await buildCli();
  });
  after(() => cli.remove());
  beforeEach(async () => {
    folder = await tempFolder({ "src/app.ts": APP });
    home = await tempFolder();
    const here = startHere(home.root, ["mcp", "--root", folder.root, "--alone"]);
    const transport = stdioTransport(here.stdout, here.stdin);
    guest = await connectGuest(transport);
    ended = async () => {
      here.stdin.end();
      assert.equal(await here.ended, 0);
    };
  });
  afterEach(async () => {
    await guest.close();
    await ended();
    await folder.remove();
    await home.remove();
  });

  /** The program itself, as an agent starts it. */
  const startProgram = () =>
    startGuest(cli.program, ["--root", folder.root, "--alone"], { HOME: home.root });

  const app = () => readFile(path.join(folder.root, "src/app.ts"), "utf8");
  const read = () => guest.call("read_file", { file_path: "src/app.ts" });
  const edit = (at: string | undefined, code: string, file_path = "src/app.ts") =>
    guest.call("edit_file", { file_path, edits: [{ ...(at !== undefined && { at }), code }] });

  it("offers its tools, and says which only read", async () => {
    const { tools } = await guest.client.listTools();
    const names = tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]);
    assert.deepEqual(names, [
      ["file_outline", true],
      ["find_symbol", true],
      ["read_file", true],
      ["edit_file", false],
      ["rename_file", false],
      ["delete_file", false],
      ["pending_edits", true],
      ["edit_decisions", true],
      ["read_result", true],
    ]);
    assert.notEqual(guest.client.getInstructions() ?? "", "");
  });

  it("outlines, finds symbols and reads", async () => {
    assert.match(
      (await guest.call("file_outline", { file_path: "src/app.ts" })).text,
      /Shape-area/,
    );
    assert.match((await guest.call("find_symbol", { name: "area" })).text, /src\/app\.ts:9/);
    assert.match((await read()).text, /5\t {2}return a \+ b;/);
  });

  it("replaces, inserts and removes elements in one call", async () => {
    await read();
    const answer = await guest.call("edit_file", {
      file_path: "src/app.ts",
      edits: [
        {
          at: "ast-path:add",
          code: "export function add(a: number, b: number): number {\n  return b + a;\n}\n",
        },
        {
          at: "ast-path:Shape:append",
          code: "\nname(): string {\n  // ```ts\n  return 'open';\n}",
        },
      ],
    });
    assert.deepEqual(
      answer.edits.map(({ target, status, reason }) => ({ target, status, reason })),
      [
        { target: "ast-path:add", status: "applied", reason: null },
        { target: "ast-path:Shape", status: "applied", reason: null },
      ],
      answer.text,
    );
    assert.equal(answer.isError, false);
    assert.equal(
      await app(),
      `${APP.replace("a + b", "b + a").replace(/\}\n$/, "")}
  name(): string {
    // \`\`\`ts
    return 'open';
  }
}
`,
    );
  });

  it("edits by lines that were read, and moves them where their checks fit", async () => {
    await read();
    assert.equal((await edit("10:10", "    return 42;")).isError, false);
    assert.equal(await app(), APP.replace("return 0", "return 42"));
    const moved = await edit('11:11 "return 42"', "    return 43;");
    assert.match(await app(), /return 43/, moved.text);
  });

  it("creates a file with its folders, and replaces one that was read", async () => {
    const text = "# Title\n\n```ts\nopen\n\n```\n```\n~~~~~~ \n";
    assert.equal((await edit(undefined, text, "docs/new/page.md")).isError, false);
    assert.equal(await readFile(path.join(folder.root, "docs/new/page.md"), "utf8"), text);
    await read();
    assert.equal((await edit(undefined, APP.replace("a + b", "a - b"))).isError, false);
    assert.equal(await app(), APP.replace("a + b", "a - b"));
  });

  for (const [how, at, code] of [
    [
      "an element",
      "ast-path:add",
      "export function add(a: number, b: number): number {\n  return 1;\n}",
    ],
    ["lines", "10:10", "    return 42;"],
    ["a whole file", undefined, APP.replace("a + b", "1")],
  ] as const)
    it(`does not replace ${how} that was never read`, async () => {
      const answer = await edit(at, code);
      assert.equal(await app(), APP);
      assert.equal(answer.isError, true, answer.text);
      assert.deepEqual(
        answer.edits.map(({ status, reason, warnings }) => ({ status, reason, warnings })),
        [{ status: "rejected", reason: "not-accepted-automatically", warnings: ["never-read"] }],
      );
      await read();
      assert.equal((await edit(at, code)).isError, false);
    });

  it("refuses with a code, and writes nothing", async () => {
    await read();
    for (const [at, code, reason] of [
      ["ast-path:nowhere", "function nowhere() {}", "unresolved-path"],
      ["99:100", "x", null],
      ["ast-path:Shape", "export class Shape {\n  // ... rest of the class\n}", "elision"],
    ] as const) {
      const { isError, edits } = await edit(at, code);
      assert.equal(isError, true, at);
      if (reason) assert.equal(edits[0]?.reason, reason);
    }
    const broken = await edit("ast-path:add", "export function add(a: number {\n  return 1;\n}");
    assert.deepEqual([broken.isError, broken.edits[0]?.status], [true, "rejected"]);
    assert.ok(broken.edits[0]?.warnings.includes("syntax"), broken.text);
    assert.equal(await app(), APP);
  });

  it("says that a file changed since it was read", async () => {
    await read();
    await folder.write("src/app.ts", APP.replace("a + b", "a * b"));
    const answer = await edit(
      "ast-path:add",
      "export function add(a: number, b: number): number {\n  return 1;\n}",
    );
    assert.equal(answer.edits[0]?.reason, "element-changed", answer.text);
    assert.equal(await app(), APP.replace("a + b", "a * b"));
  });

  it("keeps line ends, a byte order mark and a missing final newline", async () => {
    await folder.write("src/app.ts", "\uFEFFone\r\ntwo\r\nthree");
    await read();
    await edit("2:2", "zwei\n");
    assert.equal(await app(), "\uFEFFone\r\nzwei\r\nthree");
  });

  it("deletes and renames files", async () => {
    await guest.call("rename_file", { from: "src/app.ts", to: "src/main.ts" });
    assert.equal(await readFile(path.join(folder.root, "src/main.ts"), "utf8"), APP);
    assert.equal((await guest.call("delete_file", { path: "src/main.ts" })).isError, false);
    await assert.rejects(readFile(path.join(folder.root, "src/main.ts")));
  });

  it("stays in its folder, through links too, and leaves protected files alone", async () => {
    const outside = await tempFolder({ "secret.txt": "outside\n" });
    await symlink(outside.root, path.join(folder.root, "link"));
    await folder.write(".git/config", "[core]\n");
    await folder.write(".vscode/tasks.json", "{}\n");
    await folder.write(".env", "KEY=1\n");
    const places = [
      "../x.txt",
      path.join(outside.root, "secret.txt"),
      "link/secret.txt",
      "link/new.txt",
      ".git/config",
      ".git/hooks/pre-commit",
      ".vscode/tasks.json",
      ".env",
    ];
    for (const place of places) {
      const answers = [
        await edit(undefined, "stolen\n", place),
        await guest.call("delete_file", { path: place }),
        await guest.call("rename_file", { from: "src/app.ts", to: place }),
        await guest.call("rename_file", { from: place, to: "src/got.txt" }),
      ];
      for (const [index, { isError, text }] of answers.entries())
        assert.ok(isError, `${place} ${index}: ${text}`);
    }
    for (const place of ["link/secret.txt", "../x.txt", ".env"])
      assert.ok((await guest.call("read_file", { file_path: place })).isError, place);
    assert.equal(await readFile(path.join(outside.root, "secret.txt"), "utf8"), "outside\n");
    assert.equal(await readFile(path.join(folder.root, ".vscode/tasks.json"), "utf8"), "{}\n");
    assert.equal(await app(), APP);
    await outside.remove();
  });

  it("answers wrong and huge arguments, and goes on", async () => {
    assert.equal((await guest.call("edit_file", { file_path: "src/app.ts" })).error, "validation");
    assert.equal((await edit("function add", "x")).error, "validation");
    assert.equal((await guest.call("no_such_tool", {})).isError, true);
    assert.equal((await edit("1:1", "x".repeat(50_000_000))).error, "validation");
    assert.equal((await read()).isError, false);
    assert.equal(await app(), APP);
  });

  it("ends with its client", async () => {
    const program = await startProgram();
    await program.close();
    await processGone(program.pid);
  });

  it("answers rubbish with protocol errors alone, and goes on", async () => {
    const child = cli.start(["mcp", "--root", folder.root, "--alone"], { HOME: home.root });
    child.stdout?.setEncoding("utf8");
    child.stdin?.write('rubbish\n\n{"a":1}\n\u0000\n{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    let out = "";
    for await (const chunk of child.stdout ?? []) {
      out += chunk;
      if (out.includes('"id":1')) break;
    }
    const codes = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).error?.code ?? "answered");
    assert.deepEqual(codes, [-32700, -32600, -32700, "answered"]);
    child.stdin?.end();
    if (child.exitCode === null) await once(child, "exit");
    assert.equal(child.exitCode, 0);
  });

  it("lets two agents change one file", async () => {
    const other = await startProgram();
    await other.call("read_file", { file_path: "src/app.ts" });
    await read();
    const area = { at: "ast-path:Shape-area", code: "area(): number {\n  return 7;\n}" };
    const both = await Promise.all([
      edit("ast-path:add", "export function add(a: number, b: number): number {\n  return 1;\n}"),
      other.call("edit_file", { file_path: "src/app.ts", edits: [area] }),
    ]);
    // Who is told that it worked finds its change in the file.
    const text = await app();
    for (const [index, line] of ["return 1;", "return 7;"].entries())
      assert.equal(text.includes(line), both[index]?.isError === false, text);
    await other.close();
  });

  it("serves HTTP on the loopback interface to who knows the token", async () => {
    const child = cli.start(["mcp", "--root", folder.root, "--alone", "--http"], {
      GRAFT_MCP_TOKEN: "known",
      HOME: home.root,
    });
    const [line] = await once(child.stdout ?? child, "data");
    const { url, authorization } = JSON.parse(String(line));
    assert.equal(authorization, "Bearer known");
    const open = (headers: Record<string, string>) =>
      fetch(url, { method: "POST", headers, body: "{}" }).then(({ status }) => status);
    assert.equal(await open({}), 401);
    assert.equal(await open({ authorization: "Bearer guessed" }), 401);
    assert.equal(await open({ authorization, origin: "https://evil.example" }), 403);
    const http = await connectGuest(
      new StreamableHTTPClientTransport(new URL(url), {
        requestInit: { headers: { authorization } },
      }),
    );
    await http.call("read_file", { file_path: "src/app.ts" });
    const edits = [{ at: "10:10", code: "    return 9;" }];
    const answer = await http.call("edit_file", { file_path: "src/app.ts", edits });
    assert.equal(answer.isError, false, answer.text);
    assert.match(await app(), /return 9/);
    await http.close();
    child.kill("SIGTERM");
    await once(child, "exit");
  });
});
