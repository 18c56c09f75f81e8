import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import * as path from "node:path";
import * as fc from "fast-check";
import { StreamHub } from "../../../../src/agent/loop/streamHub.ts";
import { createEditMode, type EditModeTools } from "../../../../src/edits/editMode.ts";
import { patchConflictText } from "../../../../src/edits/messages.ts";
import { HeldBlocks } from "../../../../src/edits/propose/heldBlocks.ts";
import { locatePatches } from "../../../../src/edits/propose/locatePatches.ts";
import { createAutoReviewer } from "../../../../src/edits/review/autoReviewer.ts";
import { createFileApplier } from "../../../../src/node/files/fileApplier.ts";
import { createNodeWorkspace } from "../../../../src/node/files/nodeWorkspace.ts";
import type { Reviewer } from "../../../../src/ports/review.ts";
import { ViewedFiles } from "../../../../src/tools/files/viewedFiles.ts";
import { toolResultText } from "../../../../src/tools/toolResultText.ts";
import { createToolRouter } from "../../../../src/tools/toolRouter.ts";
import type { EditBlock } from "../../../../src/turns/editBlock.ts";
import type { TurnEvent } from "../../../../src/turns/turnEvent.ts";
import { allowAll } from "../../../fakes/allowAll.ts";
import { testSyntax as syntax } from "../../../fakes/editor/testSyntax.ts";
import { pluck } from "../../../fakes/pluck.ts";
import { RecordingLogger } from "../../../fakes/recordingLogger.ts";
import { runCall } from "../../../fakes/runCall.ts";
import { answerAll, RecordingReviewer } from "../../../fakes/turns/recordingReviewer.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";

const SHAPE = `export function area(width: number, height: number): number {
  return width * height;
}

export function edge(width: number, height: number): number {
  return 2 * (width + height);
}
`;

/** Why the text cannot be replaced, in words. */
function conflictOf(file: string, search: string): string {
  const found = locatePatches(file, [{ search, replace: "x" }]);
  return found.ok ? "" : patchConflictText(found.error);
}

describe("patch_source_file", () => {
  let folder: TempFolder;
  let events: TurnEvent[];
  let hub: StreamHub;

  beforeEach(async () => {
    folder = await tempFolder({
      "shape.ts": SHAPE,
      "dos.txt": "one\r\ntwo\r\nthree\r\n",
      "data.bin": new Uint8Array([0, 1]),
    });
    events = [];
    hub = new StreamHub(0, (event) => events.push(event), new RecordingLogger());
    hub.turnStart();
  });
  afterEach(async () => {
    hub.turnEnd();
    await folder.remove();
  });

  const text = (name: string) => readFile(path.join(folder.root, name), "utf8");

  async function open(accept: "all" | "none" | Reviewer = "all"): Promise<EditModeTools> {
    const workspace = await createNodeWorkspace(folder.root);
    const reviewer =
      typeof accept === "string"
        ? createAutoReviewer(accept, createFileApplier(workspace))
        : accept;
    return createEditMode({
      chatId: "chat-1",
      workspace,
      syntax,
      reviewer,
      shown: new ViewedFiles(),
      held: new HeldBlocks(),
    });
  }

  async function patch(
    file_path: string,
    edits: readonly object[],
    mode?: EditModeTools,
    signal?: AbortSignal,
  ): Promise<string> {
    const { patchTool } = mode ?? (await open());
    const router = createToolRouter([patchTool], allowAll);
    const context = {
      turnId: "t",
      callId: "call",
      signal: signal ?? new AbortController().signal,
      emit: hub.emitter("t"),
      streams: hub,
    };
    return toolResultText(
      await runCall(
        router,
        {
          callId: "call",
          name: "patch_source_file",
          argsText: JSON.stringify({ file_path, edits }),
        },
        context,
      ),
    );
  }

  function blocks(): EditBlock[] {
    const last = new Map<string, EditBlock>();
    for (const event of events)
      if (event.type === "edit-update") last.set(event.edit.blockId, event.edit);
    return [...last.values()];
  }

  describe("keeps lines apart", () => {
    const cases: readonly [
      name: string,
      old: string,
      search: string,
      replace: string,
      now: string,
      said?: boolean,
    ][] = [
      ["at the end", "a = 1;\nb = 2;\n", "a = 1;\n", "a = 9;", "a = 9;\nb = 2;\n"],
      ["at the end, CRLF", "a = 1;\r\nb = 2;\r\n", "a = 1;\n", "a = 9;", "a = 9;\r\nb = 2;\r\n"],
      ["at the end, within a line", "a = 1;\nb = 2;\n", "1;\n", "9;", "a = 9;\nb = 2;\n"],
      ["before a blank line", "a = 1;\n\nb = 2;\n", "a = 1;\n", "a = 9;", "a = 9;\n\nb = 2;\n"],
      ["at the end of the file", "a = 1;\nb = 2;\n", "b = 2;\n", "b = 9;", "a = 1;\nb = 9;\n"],
      ["of several lines", "a\nb\nc\n", "a\nb\n", "x\ny", "x\ny\nc\n"],
      ["at the beginning", "a = 1;\nb = 2;\n", "\nb = 2;", "b = 9;", "a = 1;\nb = 9;\n"],
      ["at the beginning, with its indent", "{\n  b;\n}\n", "\n  b;", "  c;", "{\n  c;\n}\n"],
      ["at the beginning, without its indent", "{\n  b;\n}\n", "\n  b;", "c;", "{\n  c;\n}\n"],
      ["at the end, with the next indent", "{\n  a;\n  b;\n}", "a;\n  ", "z;", "{\n  z;\n  b;\n}"],
      ["before what a comment would take", "  # o\n  b\n", "# o\n  ", "# n", "  # n\n  b\n"],
      ["at both ends", "a\nb\nc\n", "\nb\n", "x", "a\nx\nc\n"],
      ["where it deletes from within a line", "x = y;\nb\n", " = y;\n", "", "x\nb\n"],
      ["where it deletes with both breaks", "a\nb\nc\n", "\nb\n", "", "a\nc\n"],
      [
        "with other blanks in the search text",
        "a = 1;\nb = 2;\n",
        "a = 1; \n",
        "a = 9;",
        "a = 9;\nb = 2;\n",
      ],
      ["before a blank line that goes", "a\n\nb\n", "\nb\n", "c\n", "a\nc\n", false],
      ["not where it means to join them", "a\n  .b();\nc\n", "a\n", "a", "a  .b();\nc\n", false],
      [
        "not where it means to join what begins",
        "a\n  .b();\n",
        "\n  .b()",
        ".b()",
        "a.b();\n",
        false,
      ],
      [
        "not where a blank stands for the break",
        "}\nelse {\n",
        "\nelse {",
        " else if {",
        "} else if {\n",
        false,
      ],
      ["and deletes a whole line", "a\nb\nc\n", "b\n", "", "a\nc\n", false],
      ["and replaces with a break", "a\nb\n", "a\n", "x\n", "x\nb\n", false],
    ];
    for (const [name, old, search, replace, now, said = true] of cases)
      it(name, async () => {
        await writeFile(path.join(folder.root, "lines.conf"), old);
        const output = await patch("lines.conf", [{ search, replace }]);
        assert.equal(await text("lines.conf"), now);
        assert.equal(/line break/.test(output), said, output);
      });
  });

  it("replaces texts that are there once, in one review, and shows each as a block", async () => {
    const output = await patch("shape.ts", [
      {
        search: "  return 2 * (width + height);\n",
        replace: "  const sum = width + height;\n  return sum + sum;\n",
      },
      { search: "area", replace: "surface" },
    ]);
    assert.equal(output, "File 'shape.ts' has been updated. It now has 8 lines.");
    assert.equal(
      await text("shape.ts"),
      SHAPE.replace(
        "  return 2 * (width + height);",
        "  const sum = width + height;\n  return sum + sum;",
      ).replace("area", "surface"),
    );
    assert.deepEqual(
      blocks().map(({ target, status, addedLines, removedLines, index }) => ({
        target,
        status,
        addedLines,
        removedLines,
        index,
      })),
      [
        { target: "line 6", status: "applied", addedLines: 2, removedLines: 1, index: 1 },
        { target: "line 1", status: "applied", addedLines: 1, removedLines: 1, index: 2 },
      ],
    );
    assert.equal(events.filter(({ type }) => type === "change-done").length, 2);
  });

  it("matches the model's line breaks and keeps the file's", async () => {
    assert.match(
      await patch("dos.txt", [{ search: "one\ntwo\n", replace: "1\n2\n" }]),
      /has been updated/,
    );
    assert.equal(await text("dos.txt"), "1\r\n2\r\nthree\r\n");
    assert.match(await patch("dos.txt", [{ search: "2\r\n", replace: "" }]), /has been updated/);
    assert.equal(await text("dos.txt"), "1\r\nthree\r\n");
  });

  it("keeps line breaks whole where the search text begins or ends between their characters", async () => {
    assert.match(
      await patch("dos.txt", [{ search: "\ntwo", replace: "\n2\nmore" }]),
      /has been updated/,
    );
    assert.equal(await text("dos.txt"), "one\r\n2\r\nmore\r\nthree\r\n");
    await patch("dos.txt", [{ search: "2\r", replace: "3\r\n" }]);
    assert.equal(await text("dos.txt"), "one\r\n3\r\nmore\r\nthree\r\n");
  });

  const CLASS = "class A {\n  one() {\n    a();\n    b();\n  }\n}\n";
  const likeBlocks: readonly (readonly [
    does: string,
    file: string,
    search: string,
    replace: string,
    after: string,
    said: RegExp,
  ])[] = [
    [
      "deletes a line that it empties",
      "a.ts",
      "a();",
      "",
      CLASS.replace("    a();\n", ""),
      /has been updated/,
    ],
    [
      "deletes lines that it empties with the blanks before them",
      "a.ts",
      "    a();\n    b();",
      "",
      CLASS.replace("    a();\n    b();\n", ""),
      /./,
    ],
    ["empties a part of a line", "a.ts", " {\n    a", "", CLASS.replace(" {\n    a", ""), /./],
    [
      "indents lines after the first",
      "a.ts",
      "a();",
      "a();\nc();",
      CLASS.replace("a();", "a();\n    c();"),
      /Graft fixed the indentation/,
    ],
    [
      "drops blanks at line ends",
      "a.ts",
      "a();",
      "c(); ",
      CLASS.replace("a()", "c()"),
      /Graft fixed blanks at line ends/,
    ],
    [
      "keeps the indent of Python, and warns",
      "a.py",
      "b()",
      "b()\nc()",
      "if a:\n    b()\nc()\n    d()\n",
      /Adds a syntax error/,
    ],
    [
      "warns of a comment left open",
      "a.ts",
      "a();",
      "/* a();",
      CLASS.replace("a();", "/* a();"),
      /syntax error/,
    ],
    [
      "warns of lines nearer to the margin",
      "a.py",
      "    b()\n",
      "b()\n",
      "if a:\nb()\n    d()\n",
      /syntax error/,
    ],
  ];
  for (const [does, file, search, replace, after, said] of likeBlocks) {
    it(`follows the rules of blocks: ${does}`, async () => {
      await writeFile(
        path.join(folder.root, file),
        file === "a.py" ? "if a:\n    b()\n    d()\n" : CLASS,
      );
      let proposed = "";
      const reviewer = new RecordingReviewer((proposal, stopped) => {
        proposed = proposal.text;
        return answerAll("applied")(proposal, stopped);
      });
      assert.match(await patch(file, [{ search, replace }], await open(reviewer)), said);
      assert.equal(proposed, after);
    });
  }

  it("names the line of the conflict and what is there, and changes nothing", async () => {
    const conflict = async (...edits: object[]) => {
      const output = await patch("shape.ts", edits);
      assert.equal(await text("shape.ts"), SHAPE);
      assert.deepEqual(blocks(), []);
      return output;
    };
    assert.equal(
      await conflict({
        search: "function edge(width: number, height: number): number {\n  return 2 * width;\n}",
        replace: "x",
      }),
      "Error (not-found): conflict at line 5: the text is not there exactly as given, blanks included. The nearest text in the file is:\n" +
        "  5\texport function edge(width: number, height: number): number {\n  6\t  return 2 * (width + height);\n  7\t}\n" +
        "Nothing was changed in shape.ts. Read the place again and copy the search text from there, without line numbers.",
    );
    assert.match(
      await conflict({ search: "return width * height;\n  }", replace: "x" }),
      /conflict at line 2: .*2\t {2}return width \* height;/s,
    );
    assert.equal(
      await conflict({ search: "width: number", replace: "w: number" }),
      "Error (validation): conflict at line 1: the text is there 2 times (lines 1, 5). Search for more of the lines around the place that is meant. Nothing was changed in shape.ts.",
    );
    assert.match(
      await conflict({ search: " * ", replace: "*" }),
      /the text is there 2 times \(lines 2, 6\)/,
    );
    assert.match(
      await conflict({ search: "t", replace: "T" }),
      /the text is there 14 times \(lines 1, 2, 5, …\)/,
    );
    assert.match(
      await conflict(
        { search: "return width * height;", replace: "a" },
        { search: "width * height", replace: "b" },
      ),
      /Edit 2: conflict at line 2: edit 1 changes the same text/,
    );
    assert.match(await conflict({ search: "area", replace: "area" }), /nothing would change/);
    assert.match(await conflict({ search: "", replace: "area" }), /edits\.0\.search: Too small/);
    assert.match(await conflict(), /edits: Too small: expected array to have >=1 items/);
  });

  const misses: readonly (readonly [
    what: string,
    search: string,
    line: number,
    message: RegExp,
  ])[] = [
    [
      "a misspelt word",
      "return width * heigth",
      2,
      /not there exactly as given, blanks included\. The nearest text in the file is:\n {2}2\t {2}return width \* height;$/,
    ],
    [
      "other blanks",
      "return 2*(width+height);",
      6,
      /exactly as given.*:\n {2}6\t {2}return 2 \* \(width \+ height\);$/,
    ],
    ["another indent", "    return width * height;\n    }", 2, /exactly as given/],
    ["copied line numbers", "6\t  return 2 * (width + height);\n7\t}", 6, /exactly as given/],
    [
      "a changed first line",
      "export function edge(w: number, h: number) {\n  return 2 * w;\n}",
      5,
      /exactly as given/,
    ],
    [
      "a line that is there twice beside one that is there once",
      "  return 2 * (width + height);\n}\n\nexport default",
      6,
      /exactly as given/,
    ],
    [
      "only braces in common",
      "}\n}",
      1,
      /neither the text nor anything like it is in the file; it may be in another one\.$/,
    ],
    ["nothing in common", "nothing like it", 1, /neither the text nor anything like it/],
    [
      "a text longer than the file",
      `${SHAPE}\n${"more();\n".repeat(50)}`,
      1,
      /\n {2}1\texport function area.*\n {2}8\t$/s,
    ],
  ];
  for (const [what, search, line, message] of misses) {
    it(`names the nearest line where the text is not there: ${what}`, () => {
      const conflict = conflictOf(SHAPE, search);
      assert.ok(conflict.startsWith(`conflict at line ${line}: `), conflict);
      assert.match(conflict, message);
    });
  }

  it("shows little of a long line or of many", () => {
    const long = conflictOf(`const data = "${"x".repeat(100_000)}";\n`, "const data = 'x';");
    assert.ok(long.length < 500 && long.endsWith("x…"));
    const text = Array.from({ length: 100 }, (_, index) => `line ${index}\n`).join("");
    assert.match(
      conflictOf(text, text.replace("line 50", "line fifty")),
      /\n {2}12\tline 11\n {2}… 89 more$/,
    );
  });

  it("finds no line of more letters than a regular expression takes", () => {
    const word = "a".repeat(40_000);
    for (const search of [word, `x${word}`, `  ${word}\nb`])
      assert.ok(conflictOf(`${SHAPE}b\n`, search).startsWith("conflict at line "));
  });

  for (const [what, file, search] of [
    ["ends in one", "const total = items;\n", "const total = item"],
    ["begins in one", "const total = items;\n", "al = items;"],
    ["ends in a number", "limit = 100;\n", "limit = 10"],
    ["is a part of one", "Straßenname\n", "ßen"],
  ] as const) {
    it(`does not match inside a word: the text ${what}`, () => {
      const found = locatePatches(file, [{ search, replace: "x" }]);
      assert.deepEqual(!found.ok && found.error, { code: "inside-word", edit: null, line: 1 });
    });
  }

  for (const [file, search] of [
    ["say('\\nHello');\n", "Hello"],
    ["面積を計算する\n", "積を計"],
    ["a.b(c)\n", "b(c"],
    ["echo $name\n", "name"],
    ["a-b-c\n", "b-"],
  ] as const) {
    it(`matches between words: ${JSON.stringify(search)} in ${JSON.stringify(file)}`, () => {
      assert.ok(locatePatches(file, [{ search, replace: "x" }]).ok);
    });
  }

  it("replaces only a text that is there once, in any file", () => {
    const part = fc.stringMatching(/^[ab \n]{1,6}$/);
    fc.assert(
      fc.property(fc.stringMatching(/^[ab \n]{0,40}$/), part, (file, search) => {
        const found = locatePatches(file, [{ search, replace: "X" }]);
        const count = [...file].filter((_, at) => file.startsWith(search, at)).length;
        if (found.ok) {
          const [edit] = found.value;
          if (edit?.slips.some((slip) => slip !== "line-break")) return assert.equal(count, 0);
          assert.ok(edit && count === 1 && file.slice(edit.start, edit.end) === search);
        } else {
          const { error } = found;
          if (error.code === "inside-word") return assert.equal(count, 1);
          assert.notEqual(count, 1);
          const line =
            error.code === "ambiguous"
              ? (error.lines[0] ?? 0)
              : error.code === "not-found"
                ? (error.nearest?.first ?? 1)
                : 0;
          assert.ok(line >= 1 && line <= file.split("\n").length, JSON.stringify(error));
        }
      }),
    );
  });

  it("refuses a replacement that leaves code out", async () => {
    const output = await patch("shape.ts", [
      { search: SHAPE, replace: "export function area() {\n  // ... existing code ...\n}\n" },
    ]);
    assert.match(output, /^Error \(validation\): The replacement was refused\. It leaves out code/);
    assert.equal(await text("shape.ts"), SHAPE);
  });

  it("does not automatically accept a syntax error", async () => {
    const output = await patch("shape.ts", [
      { search: "  return width * height;\n}", replace: "  return width * height;" },
    ]);
    assert.match(
      output,
      /^Nothing was changed in 'shape\.ts'\.\n\n- lines 2-3 was not accepted: .*syntax error/s,
    );
    assert.equal(await text("shape.ts"), SHAPE);
  });

  it("tells the model what the user rejected", async () => {
    const output = await patch(
      "shape.ts",
      [{ search: "area", replace: "surface" }],
      await open("none"),
    );
    assert.equal(output, "Nothing was changed in 'shape.ts'.\n\n- line 1 rejected by the user");
    const both = [
      { search: "2 * (", replace: "3 * (" },
      { search: "height);", replace: "height) ;" },
    ];
    assert.match(
      await patch("shape.ts", both, await open("none")),
      /\n- line 6 \(block 1\) rejected by the user\n- line 6 \(block 2\) rejected by the user$/,
    );
    assert.ok(blocks().every(({ status }) => status === "rejected"));
  });

  it("leaves its changes to the user, and tells the model", async () => {
    const output = await patch(
      "shape.ts",
      [{ search: "area", replace: "surface" }],
      await open(new RecordingReviewer(answerAll("pending"))),
    );
    assert.match(output, /^1 change to 'shape\.ts' is proposed and not accepted yet/);
    assert.deepEqual(pluck(blocks(), "status"), ["pending"]);
  });

  it("ends edit mode for the file", async () => {
    const mode = await open();
    const call = mode.tool.prepare({ file_path: "shape.ts" });
    assert.ok(call.ok);
    const signal = new AbortController().signal;
    await call.value.run({
      turnId: "t",
      callId: "edit",
      signal,
      emit: hub.emitter("t"),
      streams: hub,
    });
    assert.equal(hub.activeRequests, 1);
    assert.match(
      await patch("shape.ts", [{ search: "area", replace: "surface" }], mode),
      /has been updated/,
    );
    assert.equal(hub.activeRequests, 0);
  });

  it("says why a file cannot be patched", async () => {
    const edits = [{ search: "a", replace: "b" }];
    assert.match(await patch("gone.ts", edits), /^Error \(not-found\)/);
    assert.match(await patch("../x.ts", edits), /^Error \(permission\)/);
    assert.match(await patch("data.bin", edits), /^Error \(validation\)/);
  });
});
