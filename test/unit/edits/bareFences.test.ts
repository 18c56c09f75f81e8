import assert from "node:assert/strict";
import { applyMessage } from "../../../src/edits/propose/applyMessage.ts";
import { testSyntax } from "../../fakes/editor/testSyntax.ts";
import { fileSnapshot } from "../../fakes/workspace/fileSnapshot.ts";

const F = "```";
const T = "~~~";
const PAIR = `${F}\nfoo\n${F}`;

/** A block whose body holds what may be its end. */
interface Row {
  readonly what: string;
  readonly path: string;
  /** After the fence: the language, or also an address. */
  readonly info: string;
  readonly body: string;
  /** What becomes of it in an answer that ends with the block, or goes on after a blank line. */
  readonly is: "exact" | "refused";
  /** The file, and the lines of it that the block is for; without them it is a new file. */
  readonly file?: { readonly text: string; readonly first: number; readonly last: number };
  readonly fence?: string;
}

const row = (what: string, path: string, is: Row["is"], body: string, fence = F): Row => ({
  what,
  path,
  info: path.slice(path.lastIndexOf(".") + 1).toLowerCase(),
  body,
  is,
  fence,
});

/** A row for lines that hold `old`, or begin and end with it. */
const edit = (
  what: string,
  path: string,
  address: string,
  is: Row["is"],
  body: string,
  text: string,
  old: string,
): Row => {
  const first = text.slice(0, text.indexOf(old)).split("\n").length;
  const last = first + old.split("\n").length - 1;
  const lines = address === "" ? `:${first}:${last}` : ` ${address}`;
  return { ...row(what, path, is, body), info: `x${lines}`, file: { text, first, last } };
};

const ROWS: readonly Row[] = [
  row("after a script, a pair", "a.rb", "refused", `f\n__END__\nUse:\n${PAIR}\nmore`),
  row("after a script, two pairs", "a.rb", "refused", `f\n__END__\n${PAIR}\nor\n${PAIR}\nmore`),
  row("after a script, an empty pair", "a.rb", "refused", `f\n__END__\n${F}\n${F}\nmore`),
  row("after a script, a pair at the end", "a.rb", "exact", `f\n__END__\nUse:\n${PAIR}`),
  row("after a script, a pair and a blank line", "a.rb", "exact", `f\n__END__\n${PAIR}\n\nmore`),
  row("after a script, a language", "a.rb", "exact", `f\n__END__\n${F}sh\nfoo\n${F}\nmore`),
  row("after a script, other fences", "a.rb", "exact", `f\n__END__\n${T}\nfoo\n${T}\nmore`),
  row("after a script, in tildes", "a.rb", "refused", `f\n__END__\n${T}\nfoo\n${T}\nmore`, T),
  row("after a script of Perl", "a.pl", "refused", `f();\n__DATA__\nUse:\n${PAIR}\nmore`),
  row("a string of Ruby", "a.rb", "refused", `X = "Use:\n${PAIR}\nmore"\nputs X`),
  row("a string of Ruby in its own quotes", "a.rb", "refused", `X = %q(Use:\n${PAIR}\n)\nputs X`),
  row("a here-document of Ruby", "a.rb", "exact", `X = <<~EOS\n${PAIR}\nEOS\nputs X`),
  row("a YAML document of text", "a.yaml", "refused", `--- |\nUse:\n${PAIR}\nmore`),
  row("a YAML document that ends with a pair", "a.yaml", "exact", `--- |\nUse:\n${PAIR}`),
  row("a YAML document before another", "a.yaml", "exact", `--- |\nUse:\n${PAIR}\n---\na: 1`),
  row("deeper lines of YAML", "a.yaml", "exact", `a: |\n  ${F}\n  foo\n  ${F}\nb: 1`),
  row("after the end of PHP", "a.php", "refused", `<?php\nf();\n?>\nUse:\n${PAIR}\nmore`),
  row("after the end of PHP, at its end", "a.php", "exact", `<?php\nf();\n?>\nUse:\n${PAIR}`),
  row("between PHP", "a.php", "exact", `<?php\nf();\n?>\n${PAIR}\n<?php g();`),
  row("before PHP", "a.php", "refused", `<pre>\n${PAIR}\n</pre>\n<?php f(); ?>`),
  row("a string of PHP", "a.php", "refused", `<?php\n$a = "Use:\n${PAIR}\nmore";\nf();`),
  row("a docstring", "a.py", "exact", `"""Doc.\n\n${PAIR}\n"""\nx = 1`),
  row("a docstring with two pairs", "a.py", "exact", `"""Doc.\n\n${PAIR}\nor\n${PAIR}\n"""\nx = 1`),
  row("a docstring with one fence", "a.py", "exact", `"""Doc.\n${F}\nfoo\n"""\nx = 1`),
  row("a template in tildes", "a.js", "refused", `f(\`Use:\n${T}\nfoo\n${T}\n\`);`, T),
  row("a template with tildes", "a.js", "exact", `f(\`Use:\n${T}\nfoo\n${T}\n\`);`),
  row("a comment", "a.ts", "exact", `/*\n${PAIR}\n*/\nexport const a = 1;`),
  row("a doc comment", "a.rs", "exact", `/**\n${PAIR}\n*/\npub fn f() {}`),
  row("a raw string", "a.rs", "refused", `const A: &str = r#"Use:\n${PAIR}\n"#;\nfn f() {}`),
  row(
    "a raw string, one fence",
    "a.rs",
    "refused",
    `const A: &str = r#"Use:\n${F}\na"#;\nfn f() {}`,
  ),
  row(
    "a raw string, longer fences",
    "a.rs",
    "refused",
    `const A: &str = r#"U\n\`${F}\na\n\`${F}\n"#;`,
  ),
  row("a raw string of C++", "a.cpp", "exact", `auto a = R"md(Use:\n${PAIR}\n)md";\nint b;`),
  row(
    "a raw string of Go",
    "a.go",
    "refused",
    `package a\n\nvar A = \`\n${T}\nfoo\n${T}\nmore\``,
    T,
  ),
  row("a here-document of a shell", "a.sh", "exact", `cat <<EOF\n${PAIR}\nEOF\nmain`),
  row("a string of a shell", "a.sh", "refused", `echo "Use:\n${PAIR}\nmore"\nmain`),
  row("a here-document of Perl", "a.pl", "exact", `print <<"EOT";\n${PAIR}\nEOT\nf();`),
  row("a quotation of Perl", "a.pl", "refused", `my $x = q{Use:\n${PAIR}\nmore};\nf();`),
  row("a docstring of Clojure", "a.clj", "refused", `(defn f\n  "Doc.\n${PAIR}\nmore"\n  [] 1)`),
  row("a text block", "a.kt", "exact", `val a = """\n${PAIR}\n"""\nval b = 1`),
  row("a verbatim string", "a.cs", "refused", `class A {\n  string a = @"Use:\n${PAIR}\n";\n}`),
  row("a long string of Lua", "a.lua", "refused", `local a = [[Use:\n${PAIR}\n]]\nreturn a`),
  row("a text of Nix", "a.nix", "refused", `{ a = f ''\n${PAIR}\n''; }`),
  row("a sigil", "a.ex", "refused", `x = ~s(Use:\n${PAIR}\nmore)\ny = 1`),
  row("a comment amid Haskell", "a.hs", "refused", `x = 1 {- Use:\n${PAIR}\n-}\ny = 2`),
  row("a command of Julia", "a.jl", "refused", `cmd = ${F}\nls\n${F}\nrun(cmd)`),
  row("a string of R", "a.r", "refused", `a <- "Use:\n${PAIR}\nmore"\nb <- 1`),
  row("code that is left out", "a.c", "refused", `#if 0\nUse:\n${PAIR}\n#endif\nint a;`),
  row("a here-document of Terraform", "a.tf", "exact", `a = <<EOT\n${PAIR}\nEOT\nb = 1`),
  row("LaTeX", "a.tex", "refused", `\\begin{verbatim}\n${PAIR}\n\\end{verbatim}\nText.`),
  row("HTML", "a.html", "refused", `<pre>\n${PAIR}\n</pre>`),
  row("text", "a.txt", "refused", `Use:\n${PAIR}\nmore`),
  row("a comment of SQL", "a.sql", "exact", `/*\n${PAIR}\n*/\nselect 1;`),
  row("a Dockerfile", "Dockerfile", "exact", `RUN <<EOF\n${PAIR}\nEOF\nCMD x`),
  edit("lines after a script", "a.rb", "", "refused", `${PAIR}\nmore`, "f\n__END__\nold\n", "old"),
  edit("lines after PHP", "a.php", "", "refused", `Use:\n${PAIR}\nmore`, "f();\n?>\nold\n", "old"),
  edit("lines before PHP", "a.php", "", "refused", `${PAIR}\na`, "<p>\nold\n<?php f();\n", "old"),
  edit("lines of a text of YAML", "a.yaml", "", "refused", `${PAIR}\na`, "--- |\nold\n", "old"),
  edit(
    "lines of a docstring",
    "a.clj",
    "",
    "refused",
    `${PAIR}\na`,
    '(defn f "A\nold\n" [] 1)',
    "old",
  ),
  edit(
    "lines of a shell's string",
    "a.sh",
    "",
    "refused",
    `U\n${PAIR}\na`,
    'f "A\nold\n"\n',
    "old",
  ),
  edit("lines of a sigil", "a.ex", "", "refused", `U\n${PAIR}\na`, "x = ~s(A\nold\n)\n", "old"),
  edit(
    "lines of a comment",
    "a.c",
    "",
    "refused",
    `U\n${PAIR}\na`,
    "int a; /* A\nold\n*/\n",
    "old",
  ),
  edit(
    "an element with a raw string",
    "a.rs",
    "ast-path:A",
    "refused",
    `const A: &str = r#"Use:\n${PAIR}\n"#;`,
    'const A: &str = "old";\nfn f() {}\n',
    'const A: &str = "old";',
  ),
  edit(
    "an element with a docstring",
    "a.py",
    "ast-path:f",
    "exact",
    `def f():\n    """Doc.\n\n    ${F}\n    foo\n    ${F}\n    """\n    return 1`,
    "def f():\n    return 1\n\n\ndef g():\n    return 2\n",
    "def f():\n    return 1",
  ),
];

/** How an answer goes on after a block. */
const ENDS = ["", "\n", "\n\nDone.\n", `\n\nRun:\n\n${F}sh\nls\n${F}\n`];
const SAMPLES = [`\nRun:\n${F}\nls\n${F}\nand so on.\n`, `\n\nRun:\n${F}\nls\n${F}\n\nBye.\n`];

interface Played {
  readonly text: string;
  /** The block's status, with why it was refused. */
  readonly is: string;
}

async function play(each: Row, after: string, chunk: number): Promise<Played> {
  const { path, info, body, file, fence = F } = each;
  const { text, blocks } = await applyMessage(
    fileSnapshot(path, file?.text ?? null),
    `Here:\n\n${fence}${info}\n${body === "" ? "" : `${body}\n`}${fence}${after}`,
    { mode: "auto", chunk },
    testSyntax,
    new AbortController().signal,
  );
  const [block] = blocks;
  const isApplied = block?.status === "applied";
  return { text, is: isApplied ? "applied" : `${block?.status} ${block?.code}` };
}

function meantBy({ body, file }: Row): string {
  if (!file) return `${body}\n`;
  const lines = file.text.split("\n");
  lines.splice(file.first - 1, file.last - file.first + 1, ...body.split("\n"));
  return lines.join("\n");
}

describe("a bare fence in a body", () => {
  for (const each of ROWS)
    it(`is read as meant, or refused: ${each.what} (${each.path})`, async () => {
      const meant = meantBy(each);
      for (const after of [...ENDS, ...SAMPLES])
        for (const chunk of [1, Number.MAX_SAFE_INTEGER]) {
          const { text, is } = await play(each, after, chunk);
          const outcome =
            is === "applied" ? (text === meant ? "exact" : "cut") : is.replace(" unclear-end", "");
          const mayBe = SAMPLES.includes(after) ? [each.is, "refused"] : [each.is];
          assert.ok(mayBe.includes(outcome), `${outcome}, before ${JSON.stringify(after)}`);
        }
    });
});

/** Right answers without such a fence, which end as models end them. */
const PLAIN: readonly Row[] = [
  row("TypeScript", "a.ts", "exact", 'const a = "src/*";'),
  row("Python", "a.py", "exact", "def f():\n    return 1"),
  row("Go", "a.go", "exact", "package a\n\nfunc f() {}"),
  row("Java", "a.java", "exact", "class A {\n  List<?> a;\n  Map<String, ?> b;\n}"),
  row("Rust", "a.rs", "exact", "/// Doc.\nfn f() {}"),
  row("a shell", "a.sh", "exact", "f() {\n  ls | g\n}"),
  row("Ruby", "a.rb", "exact", "def f\n  1\nend"),
  row("PHP", "a.php", "exact", "<?php\nf();"),
  row("YAML", "a.yaml", "exact", "a:\n  - 1"),
  row("JSON", "a.json", "exact", '{"a": 1}'),
  row("CSS", "a.css", "exact", "a { color: red; }"),
  row("Julia", "a.jl", "exact", "a = 1"),
  row("Haskell", "a.hs", "exact", "a = 1"),
  row("Clojure", "a.clj", "exact", "(f)"),
  row("R", "a.r", "exact", "a <- 1"),
  edit("a line", "a.py", "", "exact", "    return 2", "def f():\n    return 1\n", "    return 1"),
  edit("a deletion", "a.ts", ":2:2:remove", "exact", "", "f();\ng();\nh();\n", "g();"),
  edit("an argument", "a.ts", "", "exact", "  c,", "f(\n  a,\n  b,\n);\n", "  a,"),
  edit("a method", "a.ts", "ast-path:A-f", "exact", "g() {}", "class A {\nf() {}\n}\n", "f() {}"),
];
const MEMBERS: readonly (readonly [path: string, text: string, info: string, body: string])[] = [
  ["a.json", '{\n  "a": 1\n}\n', "json ast-path:a:after", '"b": 2'],
  ["a.ts", "const a = {\n  x: 1\n};\n", "ts ast-path:a:append", "y: 2"],
  ["a.java", "enum A {\n  X, Y\n}\n", "java ast-path:A-X:before", "W"],
];

describe("a block with a sample right after it", () => {
  const after = [...SAMPLES, `\n${F}\n`, "\nDone.\n", `\nRun:\n${F}sh\nls\n${F}\n`];

  for (const each of PLAIN)
    it(`is applied: ${each.what}`, async () => {
      for (const one of after)
        for (const chunk of [1, Number.MAX_SAFE_INTEGER])
          assert.equal((await play(each, one, chunk)).is, "applied", JSON.stringify(one));
    });

  for (const [path, text, info, body] of MEMBERS)
    it(`is applied where it inserts a member: ${info}`, async () => {
      for (const one of after) {
        const each = { ...row(info, path, "exact", body), info, file: { text, first: 1, last: 1 } };
        assert.equal((await play(each, one, 1)).is, "applied", JSON.stringify(one));
      }
    });

  it("is refused where the file cannot prove its end", async () => {
    const each = edit("a broken file", "a.ts", "", "refused", "h();", "f(;\ng();\n", "g();");
    assert.equal((await play(each, `\n${F}\nls\n${F}\n`, 1)).is, "applied");
    const broken = edit("", "a.ts", "", "refused", "h(`;", "f();\ng();\n", "g();");
    assert.equal((await play(broken, SAMPLES[0] ?? "", 1)).is, "refused unclear-end");
  });
});
