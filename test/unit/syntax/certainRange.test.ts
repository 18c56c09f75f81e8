import { strict as assert } from "node:assert";
import { openDocument } from "./openDocument.ts";

async function named(language: string, text: string, path: string): Promise<string> {
  const document = await openDocument(language, text);
  assert.ok(document.errorCount() > 0, "the case itself is wrong");
  const found = document.resolve(path);
  document.dispose();
  return found.ok ? text.slice(found.value.range.start, found.value.range.end) : found.error.code;
}

const C =
  "int before(void)\n{\n    return 1;\n}\n\nstatic int broken(int a)\n{\n    MACRO(a) b\n    return a +;\n}\n\nint after(void)\n{\n    return 2;\n}\n";

describe("an element that contains a syntax error", () => {
  it("is found when its lines and its brace show where it ends", async () => {
    assert.equal(
      await named("c", C, "broken"),
      C.slice(C.indexOf("static"), C.indexOf("\n\nint after")),
    );
    const classes = "class A {\n  f() {\n    const = ;\n  }\n\n  g() {}\n}\n";
    assert.equal(await named("typescript", classes, "A-f"), "f() {\n    const = ;\n  }");
    assert.equal(await named("typescript", classes, "A"), classes.trimEnd());
  });

  it("is found around preprocessor lines and labels in the first column", async () => {
    const text = "class A {\npublic:\n  int f() {\n#if X\n    return 1 +;\n#endif\n  }\n};\n";
    assert.equal(await named("cpp", text, "A"), text.trimEnd());
  });

  it("is refused when it ends on the line of something else", async () => {
    assert.equal(await named("typescript", "function f() { const = ; }\n", "f"), "syntax-error");
    assert.equal(await named("typescript", "function f() {\n  const = ; }\n", "f"), "syntax-error");
  });

  it("is refused when a brace is missing, so that it takes in what follows", async () => {
    const open = "class A {\n  f() {\n    if (a) {\n      b();\n  }\n\n  g() {\n    c();\n  }\n}\n";
    assert.equal((await named("typescript", open, "A-f")).includes("g()"), false);
  });
});
