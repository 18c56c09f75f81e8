import assert from "node:assert/strict";
import type { CodeEditor } from "../../../../src/edits/propose/codePlaces.ts";
import { EditTurn } from "../../../fakes/turns/editTurn.ts";

const A = "src/a.ts";
const TEXT = `import { one } from "./one";

function a() {
  one();
}

class Shape {
  area() {
    return 0;
  }

  name() {
    return "";
  }
}

class Circle {
  name() {
    return "circle";
  }
}
`;
const BODY = "function a() {\n  two();\n}";
const AREA = "area() {\n  return 1;\n}";

const at = (
  cursorLine: number,
  selection: CodeEditor["selection"] = null,
  text = TEXT,
): CodeEditor => ({ text, selection, cursorLine });

describe("a code block that the user applies", () => {
  let turn: EditTurn;

  beforeEach(() => {
    turn = new EditTurn({ [A]: TEXT });
    turn.hub.turnEnd();
  });

  /** The proposal, which must not have needed a question. */
  async function applied(
    code: string,
    options: Parameters<EditTurn["applyCode"]>[2] = {},
  ): Promise<string | null> {
    assert.deepEqual(await turn.applyCode(A, code, options), { failure: null, asked: [] });
    return turn.proposed;
  }

  const kinds = async (code: string, options: Parameters<EditTurn["applyCode"]>[2] = {}) => {
    const { asked, failure } = await turn.applyCode(A, code, options);
    assert.deepEqual(failure, { code: "stopped" });
    assert.equal(turn.proposed, null, "nothing is proposed before the user chose");
    return asked.map((place) => (place.kind === "element" ? place.path : place.kind));
  };

  it("replaces the only element of its name, wherever the cursor is, as an edit of the turn that the model hears of", async () => {
    assert.equal(await applied(BODY, { editor: at(20) }), TEXT.replace("one();\n}", "two();\n}"));
    const [block] = turn.blocks;
    assert.deepEqual(
      block && [
        block.target,
        block.status,
        block.addedLines,
        block.removedLines,
        block.textStart,
        block.textEnd,
      ],
      ["ast-path:a", "applied", 1, 1, 0, 0],
    );
    const report = turn.events.findLast((event) => event.type === "edit-report");
    assert.match(
      report?.text ?? "",
      /^The user applied a code block of your answer to 'src\/a\.ts'\.\n\n/,
    );
  });

  it("finds a method that stands alone, with the comment above it, and its indentation", async () => {
    assert.equal(
      await applied(`// How large it is.\n${AREA}`),
      TEXT.replace("  area() {\n    return 0;", "  // How large it is.\n  area() {\n    return 1;"),
    );
  });

  it("asks which element is meant where several have its name, or where it has more than one", async () => {
    assert.deepEqual(await kinds('name() {\n  return "x";\n}', { editor: at(4) }), [
      "Shape-name",
      "Circle-name",
      "cursor",
      "end",
      "file",
    ]);
    assert.deepEqual(await kinds(`${BODY}\n\nclass Circle {}`), ["a", "Circle", "end", "file"]);
    assert.deepEqual(await kinds(`import { two } from "./two";\n\n${BODY}`), ["a", "end", "file"]);
    // A function is not the method of that name.
    assert.deepEqual(await kinds("function area() {}"), ["Shape-area", "end", "file"]);
  });

  it("goes where the user chose", async () => {
    const chosen = { kind: "element", path: "Circle-name", first: 18, last: 20 } as const;
    const { failure, asked } = await turn.applyCode(A, 'name() {\n  return "x";\n}', { chosen });
    assert.deepEqual([failure, asked.length > 0], [null, true]);
    assert.equal(turn.proposed, TEXT.replace('return "circle"', 'return "x"'));
    for (const [kind, expected] of [
      ["end", `${TEXT}\nb();\n`],
      ["file", "b();\n"],
    ] as const) {
      turn = new EditTurn({ [A]: TEXT });
      turn.hub.turnEnd();
      await turn.applyCode(A, "b();", { chosen: { kind } });
      assert.equal(turn.proposed, expected);
    }
  });

  it("replaces the selection, else goes to the cursor, where nothing has its name", async () => {
    assert.equal(
      await applied("three();", { editor: at(4, { first: 4, last: 4 }) }),
      TEXT.replace("one();", "three();"),
    );
    turn = new EditTurn({ [A]: TEXT });
    turn.hub.turnEnd();
    assert.equal(
      await applied("three();", { editor: at(4) }),
      TEXT.replace("  one();\n", "  one();\n  three();\n"),
    );
    turn = new EditTurn({ [A]: TEXT });
    turn.hub.turnEnd();
    assert.equal(
      await applied("three();", { editor: at(2) }),
      TEXT.replace('"./one";\n\n', '"./one";\nthree();\n'),
    );
    turn = new EditTurn({ [A]: TEXT });
    turn.hub.turnEnd();
    assert.equal(await applied("three();", { editor: at(22) }), `${TEXT}three();\n`);
  });

  it("follows lines of the editor into the text that is proposed already, and asks where they differ", async () => {
    const before = TEXT.replace("import", "// New.\nimport");
    assert.equal(
      await applied("  three();", { editor: at(5, null, before) }),
      TEXT.replace("  one();\n", "  one();\n  three();\n"),
    );
    turn = new EditTurn({ [A]: TEXT });
    turn.hub.turnEnd();
    assert.deepEqual(
      await kinds("three();", { editor: at(4, null, TEXT.replace("one();\n}", "other();\n}")) }),
      ["end", "file"],
    );
  });

  it("goes where its own address says, or says why it cannot", async () => {
    assert.equal(
      await applied("  three();", { info: "ts:4:4" }),
      TEXT.replace("one();", "three();"),
    );
    turn = new EditTurn({ [A]: TEXT });
    turn.hub.turnEnd();
    assert.equal(
      await applied(AREA, { info: "ts:ast-path:Shape-area", editor: at(4) }),
      TEXT.replace("return 0", "return 1"),
    );
    turn = new EditTurn({ [A]: TEXT });
    turn.hub.turnEnd();
    const { failure } = await turn.applyCode(A, AREA, { info: "ts:ast-path:Shape-volume" });
    assert.deepEqual(
      [failure?.code, failure?.code === "no-place" && failure.target],
      ["no-place", "ast-path:Shape-volume"],
    );
    assert.deepEqual(turn.blocks, [], "a block that has no place is no edit of the turn");
  });

  it("is the whole of a file that is new or empty, also with fences in it", async () => {
    const code = "# Title\n\n~~~ts\na();\n~~~\n\n```\nb\n```";
    assert.deepEqual(await turn.applyCode("docs/new.md", code, { info: "md" }), {
      failure: null,
      asked: [],
    });
    assert.equal(turn.proposed, `${code}\n`);
  });

  it("is held back where it leaves text out, until the user asks to see it", async () => {
    const code = "function a() {\n  // ... existing code ...\n  two();\n}";
    assert.equal(await applied(code), null);
    const [block] = turn.blocks;
    assert.equal(block?.status, "held");
    assert.ok(block);
    assert.equal(await turn.proposeAnyway(block), null);
    assert.equal(turn.proposed, TEXT.replace("function a() {\n  one();\n}", code));
  });
});
