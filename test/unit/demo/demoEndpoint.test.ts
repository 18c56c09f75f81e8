import assert from "node:assert/strict";
import { createDemoFetch } from "../../../src/demo/demoEndpoint.ts";
import { type TempFolder, tempFolder } from "../../fakes/tempFolder.ts";
import { type DemoReply, startDemoTalk, syntax } from "./demoTalk.ts";

const SOURCE =
  'export function area(width: number, height: number): number {\n  return width * height;\n}\n\nexport function show(): string {\n  return "area " + area(3, 7);\n}\n';

describe("demo endpoint", () => {
  let folder: TempFolder;

  beforeEach(async () => {
    folder = await tempFolder({ "src/app.ts": SOURCE });
  });

  afterEach(() => folder.remove());

  const names = (replies: readonly DemoReply[]) => replies.map(({ calls }) => calls.map((call) => call.name).join());
  const last = (replies: readonly DemoReply[]) => replies.at(-1)?.text ?? "";

  it("says in its first answer, and only there, that it is a script and how to connect a model", async () => {
    const talk = await startDemoTalk(folder.root);
    const [first] = await talk.ask("Hello!");
    for (const words of ["no AI", "`graft.baseUrl`", "`graft.model`", "Graft: Set API Key", "Rename"])
      assert.ok(first?.text.includes(words), words);
    assert.ok(!last(await talk.ask("Hello again")).includes("no AI"));
  });

  it("reads the file, turns on edit mode and writes blocks", async () => {
    const talk = await startDemoTalk(folder.root);
    const replies = await talk.ask("Add a doc comment to each exported function in src/app.ts");
    assert.deepEqual(names(replies), ["read_file", "edit_mode", ""]);
    assert.deepEqual(JSON.parse(replies[1]?.calls[0]?.argsText ?? ""), { file_path: "src/app.ts", use_line_numbers: false });
    assert.equal(
      last(replies).split("\n\n").slice(1).join("\n\n"),
      "```ts:ast-path:area:before\n/** Area, given `width` and `height`. Returns `number`. */\n```\n\n```ts:ast-path:show:before\n/** Show. Returns `string`. */\n```",
    );
  });

  it("closes with what became of the edits", async () => {
    const talk = await startDemoTalk(folder.root);
    await talk.ask("Rename area to surface in src/app.ts");
    const report = "File 'src/app.ts' has been updated. It now has 8 lines.\n\n- lines 1-1 applied\n- lines 6-6 rejected by the user";
    const closing = last(await talk.ask(report));
    assert.match(closing, /^Done: 1 change made in `src\/app\.ts`\./);
    assert.match(closing, /You rejected one/);
    assert.doesNotMatch(closing, /```/);
  });

  it("finds the file: the active one, the one that declares the name, the earlier one, one in the folders", async () => {
    const talk = await startDemoTalk(folder.root);
    await folder.write("lib/other.py", "def helper(x):\n    return x\n");
    const read = (replies: readonly DemoReply[]) =>
      replies.flatMap(({ calls }) => calls.filter((call) => call.name === "read_file").map((call) => JSON.parse(call.argsText).file_path));
    assert.deepEqual(
      read(
        await talk.ask(
          'Explain the outline\n\n(The file open in the editor: "lib/other.py"; visible: lines 1-2. Other open tabs, latest first: "a.ts")',
        ),
      ),
      ["lib/other.py"],
    );
    assert.deepEqual(read(await talk.ask("Rename area to surface")), ["src/app.ts"]);
    assert.deepEqual(read(await talk.ask("Explain the outline")), ["src/app.ts"]);
    assert.deepEqual(read(await (await startDemoTalk(folder.root)).ask("Explain the outline")), ["lib/other.py"]);
    assert.deepEqual(read(await (await startDemoTalk(folder.root)).ask("Explain app.ts")), ["app.ts", "src/app.ts"]);
  });

  it("explains a file by its outline, without edit mode", async () => {
    const replies = await (await startDemoTalk(folder.root)).ask("Explain src/app.ts");
    assert.deepEqual(names(replies), ["read_file", ""]);
    assert.match(last(replies), /`src\/app\.ts` has 7 lines and 2 top-level elements: 2 functions\./);
    assert.match(last(replies), /function \*\*`area\(width, height\)`\*\*, lines 1–3/);
  });

  it("does not take a workspace's rules for what the user wants", async () => {
    const rules = (path: string) =>
      `[Rules that the workspace gives for files below src/, from its file ${path}. Follow them where the user does not say otherwise; rules given later come first.]\nRename area to size in src/app.ts\n[End of ${path}]`;
    const talk = await startDemoTalk(folder.root);
    const replies = await talk.ask(`Explain src/app.ts\n\n${rules("AGENTS.md")}\n\n${rules("src/AGENTS.md")}`);
    assert.deepEqual(names(replies), ["read_file", ""]);
    assert.match(last(replies), /`src\/app\.ts` has 7 lines/);
  });

  it("works without tools from the text that edit mode told", async () => {
    const talk = await startDemoTalk(folder.root, []);
    const told = `Rename area to surface\n\nResult of edit_mode {"file_path":"src/app.ts"}:\nEdit mode is on.\n\nsrc/app.ts (lines 1-8 of 8)\n${SOURCE.split(
      "\n",
    )
      .map((line, index) => `${index + 1}\t${line}`)
      .join("\n")}\n\nEnd your message to apply.`;
    const [reply] = await talk.ask(told);
    assert.deepEqual(reply?.calls, []);
    assert.match(reply?.text ?? "", /```ts:1:1\nexport function surface\(/);
    assert.match(reply?.text ?? "", /```ts:6:6\n {2}return "area " \+ surface\(3, 7\);\n```/);
  });

  it("reads a long file to its end before it edits", async () => {
    const long = Array.from({ length: 1500 }, (_, index) => `export function f${index}(): number {\n  return ${index};\n}`).join("\n");
    await folder.write("src/long.ts", `${long}\n`);
    const replies = await (await startDemoTalk(folder.root)).ask("Rename f1499 to last in src/long.ts");
    assert.deepEqual(names(replies), ["read_file", "read_file", "edit_mode", ""]);
    assert.match(last(replies), /```ts:4498:4498\nexport function last\(/);
  });

  const refusals: readonly (readonly [string, string, string | Uint8Array | null, RegExp])[] = [
    ["a file that is not there", "Explain src/nowhere.ts", null, /find no file `src\/nowhere\.ts`/],
    ["an empty file", "Add doc comments to src/x.ts", "", /empty/],
    ["another language", "Add doc comments to src/Main.java", "class Main {}\n", /another language/],
    ["a language without a grammar", "Explain notes.txt", "hello\n", /no grammar/],
    ["a binary file", "Explain src/x.ts", new Uint8Array([0, 1, 2]), /cannot read `src\/x\.ts`/],
    ["nothing to comment on", "Add doc comments to src/x.ts", "console.log(1);\n", /no function or class/],
    ["nothing left to do", "Add doc comments to src/x.ts", "/** Done. */\nexport function f() {}\n", /already has a doc comment/],
    ["an unknown name", "Rename nope to yes2 in src/app.ts", null, /nothing named `nope`.* for example: \*rename `\w+` to `yes2`\*/],
    ["a name that is taken", "Rename area to show in src/app.ts", null, /`show` is already used/],
    ["a keyword as a name", "Rename area to class in src/app.ts", null, /cannot be a name/],
    ["half a rename", "Rename area", null, /both names/],
    ["no magic number", "Extract a constant in src/x.ts", "export const one = 1;\n", /no number/],
    ["a literal that only a string holds", "Extract 42 in src/x.ts", 'export const s = "42";\n', /no literal 42/],
    ["a broken file", "Rename foo to bar2 in src/x.ts", "function (((\n", /syntax errors/],
    ["lines that are not shown whole", "Rename foo to bar2 in src/x.ts", `const foo = "${"x".repeat(5000)}";\n`, /so long/],
  ];
  for (const [what, request, content, answer] of refusals) {
    it(`answers in a sentence: ${what}`, async () => {
      const name = /\S+\.(?:ts|java|txt)/.exec(request)?.[0] ?? "";
      if (content !== null) await folder.write(name, content);
      const replies = await (await startDemoTalk(folder.root)).ask(request);
      assert.match(last(replies), answer);
      assert.doesNotMatch(last(replies), /```/);
    });
  }

  it("passes on why edit mode was refused", async () => {
    const talk = await startDemoTalk(folder.root, undefined, "Error (permission): The user did not allow edit_mode. Do not try again.");
    assert.match(
      last(await talk.ask("Rename area to surface in src/app.ts")),
      /could not start editing\. The user did not allow edit_mode\./,
    );
  });

  it("stops streaming when the request is aborted", async () => {
    const fetch = createDemoFetch({ syntax, delayMs: 5 });
    const abort = new AbortController();
    const body = JSON.stringify({ model: "demo", stream: true, messages: [{ role: "user", content: "hi" }] });
    const response = await fetch("http://demo.invalid/v1/chat/completions", { method: "POST", body, signal: abort.signal });
    const reader = response.body?.getReader();
    assert.ok(reader);
    await reader.read();
    abort.abort();
    await assert.rejects(async () => {
      while (!(await reader.read()).done);
    });
  });

  it("answers like a server where nothing is asked for that it knows", async () => {
    const fetch = createDemoFetch({ syntax, delayMs: 0 });
    const url = "http://demo.invalid/v1";
    assert.equal((await fetch(`${url}/models`)).status, 200);
    assert.equal((await fetch(`${url}/embeddings`, { method: "POST", body: "{}" })).status, 404);
    assert.equal((await fetch(`${url}/chat/completions`)).status, 405);
    assert.equal((await fetch(`${url}/chat/completions`, { method: "POST", body: "no json" })).status, 400);
    const whole = await fetch(`${url}/chat/completions`, {
      method: "POST",
      body: JSON.stringify({ messages: [{ role: "user", content: "hi" }] }),
    });
    assert.match(await whole.text(), /"object":"chat.completion"/);
  });
});
