import assert from "node:assert/strict";
import { findElision } from "../../../../src/edits/check/findElision.ts";

/** One line each, with its file where that is not TypeScript. */
function cells(table: string): readonly (readonly [path: string, line: string])[] {
  return table
    .trim()
    .split(/ ¦ |\n/)
    .map((cell) => {
      const [, path = "a.ts", line = cell] = /^(a\.\w+): (.*)$/.exec(cell) ?? [];
      return [path, line];
    });
}

/** What models write in the place of text they leave out. */
const ELISIONS = cells(`
// ... existing code ... ¦ // …existing code… ¦ // ... rest of the file ¦ // rest unchanged ¦ // rest of the code remains the same
// Rest of the class stays unchanged. ¦ // ... ¦ ... ¦ … ¦ // ... other methods ... ¦ // (existing methods unchanged)
/* ... existing code ... */ ¦ /* rest of implementation */ ¦ /* ... */ ¦ function f() { /* ... */ } ¦ foo(); // ... rest of the function
// existing code here ¦ // existing imports ¦ // keep existing code ¦ // code omitted for brevity ¦ // implementation unchanged
// same as before ¦ // no changes here ¦ // ... (unchanged) ¦ // [... rest of the file ...] ¦ [... existing code ...]
... existing code ... ¦ // ===== existing code unchanged ===== ¦ // everything else stays the same ¦ // keep the rest of the code as is
function f() { ... } ¦ function f() { /* existing code */ } ¦ (rest of the code unchanged) ¦ // etc. ¦ // etc ¦ // etc... ¦ // and so on
// and so on... ¦ // rest ¦ // the rest ¦ // rest of code ¦ // rest here ¦ // ...rest ¦ // rest... ¦ <existing code> ¦ <rest of code>
<...> ¦ [existing code] ¦ {existing code} ¦ (existing code) ¦ <rest of the file> ¦ [rest of file] ¦ [unchanged] ¦ [omitted] ¦ [truncated]
[snip] ¦ --snip-- ¦ // your existing code here ¦ // existing code goes here ¦ // insert existing code here ¦ // add existing code here
// put the rest of your code here ¦ // other code here ¦ // other methods here ¦ // more code here ¦ // remaining code
// remaining methods here ¦ // previous code ¦ // previous code unchanged ¦ // unchanged code ¦ // same code ¦ // same as above
// same as original ¦ // (same) ¦ // unchanged ¦ // UNCHANGED ¦ // as is ¦ // no change ¦ // continues ¦ // original code
// original code here ¦ // existing implementation ¦ // existing logic remains ¦ // existing functionality ¦ // (rest of file)
// [rest of file] ¦ // ---- rest ---- ¦ // <rest of the code> ¦ // [truncated] ¦ // omitted ¦ // body omitted ¦ // implementation omitted
// lines omitted ¦ // 40 lines omitted ¦ // ... 40 more lines ... ¦ // lines 10-40 unchanged ¦ // Lines 10 to 40 remain the same
// all other code remains the same ¦ // everything else remains the same ¦ // nothing else changes ¦ // no further changes
// no other changes ¦ // the remaining code is unchanged ¦ // the rest stays as it was ¦ // keep the rest ¦ // keep everything else
// leave the rest unchanged ¦ // retain existing code ¦ // preserve existing code ¦ // include existing code
// include the rest of the file here ¦ // placeholder for existing code ¦ /* rest */ ¦ /* same */ ¦ /* unchanged */ ¦ /* etc. */
/* existing code */ ¦ // ⋮ ¦ ⋮ ¦ // ⋯ ¦ // [...] ¦ [...] ¦ // --- existing code --- ¦ //... ¦ // (existing code remains here)
// EXISTING CODE ¦ // *** existing code *** ¦ // >>> existing code <<< ¦ // ~~~ unchanged ~~~ ¦ //region unchanged
// ... existing code ... // ¦ // [Previous code remains the same] ¦ // ... (previous code) ¦ // ... your existing code
// Here goes the rest of the code ¦ // rest of implementation... ¦ // Rest of the implementation remains the same...
// ...keep existing methods... ¦ // @unchanged ¦ return /* ... */; ¦ const x = ...; ¦ const x = { /* existing code */ };
const x = [/* ... */]; ¦ foo(/* ... */); ¦ if (x) { // ... existing ¦ return x; // rest unchanged ¦ }; // ... rest of class
class A { /* unchanged */ } ¦ class A { // unchanged ¦ function f() { /* same */ } ¦ function f() {…} ¦ function f() { … }
...existing code... ¦ ...rest of the code... ¦ ... rest of code ¦ …existing code… ¦ ... unchanged ... ¦ ... other code
... (rest of file unchanged) ¦ [... rest of the file unchanged] ¦ // ... (omitted for brevity) ¦ // (omitted for brevity)
// code omitted ¦ // ... same as before ¦ // ... and the rest ¦ // ... more ... ¦ // ... other cases ¦ /* ... other properties ... */
// [existing code unchanged] ¦ // ↓ existing code ¦ // existing code ↓ ¦ // Other functions remain as they are ¦ (unchanged) ¦ // as above
// truncated ¦ // Truncated... ¦ // code truncated ¦ // removed for brevity ¦ // imports not shown ¦ // nothing changed here
// stays the same ¦ // your existing code here... ¦ a.tsx: {/* ... existing JSX ... */} ¦ a.tsx: {/* rest of the component */}
a.py: # ... existing code ... ¦ a.py: # rest unchanged ¦ a.py: # ... ¦ a.py: # rest of the method remains unchanged
a.py: # Existing code... ¦ a.py: """... rest of the module ...""" ¦ a.py: pass  # ... existing code ¦ a.rb: # ... remaining methods
a.sql: -- ... existing code ... ¦ a.lua: -- rest of the file unchanged ¦ a.lua: --[[ ... existing code ... ]]
a.hs: {- ... rest of the code ... -} ¦ a.ml: (* ... existing code ... *) ¦ a.lisp: ;; ... existing code ... ¦ a.ini: ; rest unchanged
a.tex: % ... rest unchanged ... ¦ a.m: % ... existing code ... ¦ a.bas: ' ... existing code ... ¦ a.bat: REM ... existing code ...
a.m4: dnl ... existing code ... ¦ a.f90: ! ... existing code ... ¦ a.vim: " ... existing code ... ¦ a.html: <!-- ... existing code ... -->
a.html: <!-- rest of the page unchanged --> ¦ a.hbs: {{!-- ... existing code ... --}} ¦ a.css: /* ... existing styles ... */
a.yaml: # ... rest of the config ¦ a.toml: # rest unchanged ¦ a.md: <!-- ... rest of the document ... --> ¦ a.md: ... rest unchanged ...
a.md: [... existing content ...] ¦ a.rs: // --snip-- ¦ a.hbs: {{! ... existing code ... }} ¦ a.md: (rest of the file unchanged)
a.java: * ... rest of the documentation unchanged ¦ a.py: # Implementation remains the same as in the original …
a.py: # ... rest of code ¦ a.py: # rest ¦ a.py: # etc. ¦ a.py: <existing code here> ¦ a.tsx: <existing code /> ¦ a.tsx: {/* rest */}
a.tsx: {/* unchanged */} ¦ a.tsx: {/* existing content */} ¦ a.html: <!-- rest --> ¦ a.html: <!-- etc. --> ¦ a.html: <!-- unchanged -->
a.html: <!-- existing markup --> ¦ a.sql: -- ... ¦ a.sql: -- rest ¦ a.tex: % ... ¦ a.lisp: ; ... ¦ a.py: """ ... """ ¦ a.py: '''...'''
a.py: #... ¦ a.go: // ... existing code ¦ a.vue: <!-- ... --> ¦ a.kt: // TODO: rest unchanged ¦ a.md: [rest of document unchanged]
a.md: *(rest of the document unchanged)* ¦ a.md: _... rest unchanged ..._ ¦ a.md: <rest of file> ¦ a.md: <!-- ... -->
a.md: <!-- unchanged --> ¦ a.yaml: # rest ¦ a.txt: ... (rest unchanged) ¦ a.erl: %% ... existing code ¦ a.vb: ' rest unchanged
a.ps1: <# ... existing code ... #> ¦ a.twig: {# ... existing ... #} ¦ a.jinja: {# rest unchanged #} ¦ a.pug: //- rest unchanged
a.haml: -# rest unchanged ¦ a.cs: /// ... existing code ¦ a.cs: #region existing code ¦ a.scss: // ... existing styles
a.php: # ... existing code ¦ a.asm: ; ... existing code ¦ a.f90: ! rest unchanged ¦ a.cob: *> ... existing code ¦ a.clj: ;; rest unchanged
a.coffee: ### ... existing code ... ### ¦ a.rb: =begin rest unchanged ¦ a.v: (* rest unchanged *) ¦ a.nim: ## rest unchanged
a.el: ;;; rest unchanged ¦ a.dart: /// rest unchanged ¦ a.liquid: {% comment %} rest unchanged {% endcomment %}
a.erb: <%# ... existing code ... %> ¦ a.ejs: <%/* ... existing code ... */%> ¦ a.razor: @* ... existing code ... *@
a.svelte: <!-- rest of the component --> ¦ a.py: def f(): ...  # existing code ¦ a.py: pass  # existing code here
a.py: pass  # rest unchanged ¦ a.py: # (unchanged) ¦ a.py: # same as before ¦ a.py: # implementation unchanged ¦ a.md: (unchanged)
a.py: # truncated for brevity ¦ a.sh: # same as in the original ¦ a.sh: # the same as earlier ¦ a.go: // identical to the original
a.go: // unchanged from above ¦ a.rs: // left as is ¦ a.rs: // kept unchanged ¦ a.css: /* not shown */ ¦ a.css: /* styles as above */
// ... bestehender Code ... ¦ // restlicher Code bleibt unverändert ¦ // Rest der Klasse unverändert ¦ // Der Rest bleibt gleich
// unverändert ¦ // wie bisher ¦ // Implementierung bleibt wie zuvor ¦ // ... código existente ... ¦ // resto del código sin cambios
// sin cambios ¦ // igual que antes ¦ // métodos existentes ¦ // reste du code ¦ // ... code existant ... ¦ // le reste est inchangé
// inchangé ¦ // sans changement ¦ // 其余代码保持不变 ¦ // ... 现有代码 ... ¦ // 省略 ¦ // 保持不变 ¦ // 原有代码 ¦ // 其餘程式碼不變
// 既存のコード ¦ // 変更なし ¦ // 기존 코드 ¦ // 나머지 코드는 그대로 ¦ // остальной код без изменений ¦ // resto do código
// codice esistente ¦ // resto del codice invariato ¦ a.py: # Rest des Codes ¦ a.tsx: {/* bestehender Code */} ¦ a.css: /* 其余样式不变 */
a.html: <!-- as in the original --> ¦ a.html: <!-- everything as before --> ¦ a.yaml: # Same as before. ¦ a.md: <!-- as above -->`);

/** The same below another comment, which is no sentence that goes on. */
const BELOW_COMMENTS: readonly (readonly [path: string, lines: string])[] = [
  ["a.py", "# config\n# same as before"],
  ["a.py", "# Loads the file of the user.\n# same as before"],
  ["a.ts", "// ---------------\n// unchanged"],
  ["a.yaml", "# The services of the application:\n# as above"],
];

/** Lines that look alike and are code, prose or ordinary comments. */
const HARMLESS: readonly (readonly [path: string, lines: string])[] = [
  ...cells(String.raw`
// Loading existing users... ¦ // TODO: handle the other cases... ¦ // The remaining lines are counted from the end.
const all = [...rest, ...existing]; ¦ ...existing, ¦ function f(...rest: string[]) {} ¦ console.log("loading...");
// Keep the cache warm while the request runs. ¦ // Keep existing connections alive ¦ // existing file ¦ catch { /* nothing to do */ }
...(keep !== undefined && { keep }), ¦ ...existing.filter((x) => x.rest), ¦ const copy = { ...other }; ¦ // other
// The rest parameter takes what is left. ¦ // Reads the rest of the line. ¦ return { ...previous, code };
throw new Error("... existing code ...".trim()); ¦ // unchanged lines keep their break ¦ * ... ¦ // 1. Wait... then go on
// Your code goes here ¦ type T = [first: A, ...rest: B[]]; ¦ ...infer Rest extends string[], ¦ const { a, ...rest } = all;
log("... rest of code ..."); ¦ assert.equal(elide("// ..."), null); ¦ const pattern = /^\.\.\. existing code \.\.\.$/;
// Der Rest der Argumente wird gezählt. ¦ // Liest den Rest der Zeile ¦ // 计算其余的值 ¦ // Calcula el resto de la división ¦ // reste à faire
color: red, // same as above ¦ // Other methods ¦ // The rest of the arguments are optional. ¦ // Unchanged values are skipped.
// Truncated answers are asked for again. ¦ // See above. ¦ // Truncated to the length of a title ¦ // Left out of the bundle
// Write the code here and there ¦ '... existing code ...', ¦ a.cs: #else ¦ a.c: int f(int a, ...) { return 1; }
a.cpp: } catch (...) { } ¦ a.css: #a { color: red; /* same as above for links */ } ¦ a.tsx: {...props} ¦ a.go: //	...
a.lisp: (unchanged-p x) ¦ a.py: ... ¦ a.py: def f(self) -> None: ... ¦ a.py: print('... done.')
a.py: # If the same key exists, the previous value is kept ¦ a.py: x[..., 0] ¦ a.go: fmt.Println(args...) ¦ a.c: #include <existing.h>
a.rs: Point { x, .. } => x, ¦ a.sh: # Install the remaining packages ¦ a.css: #existing { color: red } ¦ a.yaml: ... ¦ a.md: And so on...
a.md: # The rest of the story ¦ a.md: Existing code is kept unchanged. ¦ a.py: # TODO: write your own logic here
a.yaml: # ...and every test and cassette … ¦ a.pyi: def f(*args: Any) -> None: ... ¦ a.py: x: tuple[int, ...] = () ¦ a.js: #rest;
a.js: #same = 1; ¦ a.js: f(...args); ¦ a.js: ...args, ¦ a.tsx: <Box {...props} /> ¦ a.tsx: {...rest} ¦ a.go: func f(args ...string) {}
a.go: g(args...) ¦ a.rs: let Point { x, .. } = p; ¦ a.rs: for i in 0..10 {} ¦ a.rs: ..Default::default()
a.h: #define LOG(format, ...) log(format, __VA_ARGS__) ¦ a.cpp: template <typename... Rest> ¦ a.lua: local all = { ... }
a.lua: return ... ¦ a.pl: sub later { ... } ¦ a.r: f <- function(x, ...) g(x, ...) ¦ a.m: total = sum(a, ... ¦ a.php: $f = strlen(...);
a.rb: (1...10).each do |i| ¦ a.kt: fun f(vararg rest: String) {} ¦ a.swift: for i in 1...3 {} ¦ a.kt: * ...............5................
a.py: # TODO etc ¦ a.sh: # Keep the existing configuration if there is one ¦ a.html: <existing-code></existing-code> ¦ a.html: <rest>
a.xml: <unchanged>true</unchanged> ¦ a.css: .rest { color: red; } ¦ a.sql: -- Existing users keep their rights. ¦ a.yaml: rest: unchanged
a.toml: "..." = "etc" ¦ a.json: "rest": "unchanged" ¦ a.json: "... and other things", ¦ a.md: The rest of the code is unchanged.
a.md: It reads, it writes, and so on... ¦ a.md: ... ¦ a.md: > [...] and then he left. ¦ a.md: - etc. ¦ a.md: ## Existing code
a.md: // ... existing code ... ¦ a.txt: Wait... what? ¦ a.tex: \item one, two, \ldots`),
  ["a.py", "def f(self) -> None:\n    ..."],
  ["a.py", "class A(Protocol):\n    def f(self) -> int: ..."],
  ["a.py", '    """\n    >>> f({\n    ...     "a": 1,\n    ... })\n    """'],
  ["a.ts", "function f(\n  ...rest: string[]\n) {}"],
  ["a.ts", "const text = `// rest unchanged`;"],
  ["a.ts", "// Reads what is left of the line, that is\n// the rest."],
  ["a.ts", " * Numbers, letters, signs\n * etc."],
  ["a.ts", "// The options of the second call are\n// as above"],
  ["a.ts", "// Lines that are too long come back\n// truncated."],
];

describe("the elision guard", () => {
  for (const [path, line] of ELISIONS) {
    it(`stops at \`${line}\` in ${path}`, () =>
      assert.equal(findElision(["before();", line, "after();"], "old", path), line));
  }
  for (const [path, lines] of BELOW_COMMENTS) {
    it(`stops at ${JSON.stringify(lines)} in ${path}`, () =>
      assert.ok(findElision(["before();", ...lines.split("\n"), "after();"], "old", path)));
  }
  for (const line of ["...", "…", "[...]", "> ...", "- ...", "**...**"]) {
    it(`stops at \`${line}\` in prose where it replaces more lines`, () => {
      const old = "one\ntwo\n\nthree\nfour\n";
      assert.ok(findElision(["one", line, "four"], old, "a.md"));
      assert.ok(findElision([line], old, "notes.txt"));
      assert.equal(findElision(["one", "two", line, "three", "four"], old, "a.md"), null);
    });
  }
  for (const [path, lines] of HARMLESS) {
    it(`lets ${JSON.stringify(lines)} in ${path} pass`, () => {
      assert.equal(findElision(["before();", ...lines.split("\n"), "after();"], "old", path), null);
    });
  }

  const loose = [
    "// other code",
    "/* other properties */",
    "// Other methods",
    "{/* items as before */}",
    "// weitere Methoden",
  ];
  for (const line of [...loose, "// otros métodos", "// autres méthodes", "// 其他方法"]) {
    it(`stops at \`${line}\` where it replaces more lines and nothing follows it`, () => {
      const old = "before();\none();\ntwo();\nafter();";
      assert.equal(findElision(["before();", line, "}"], old, "a.tsx"), line);
      assert.equal(findElision(["before();", line, "one();", "}"], old, "a.tsx"), null);
      assert.equal(findElision(["before();", line], "", "a.tsx"), null);
    });
  }

  it("lets a line pass that the replaced text has too", () => {
    assert.equal(
      findElision(["  // ... existing code ..."], "a\n// ... existing code ...\nb", "a.ts"),
      null,
    );
  });

  it("lets dots alone pass in an empty file, but no words between dots", () => {
    for (const line of ["...", "  // ...", "/* … */", "#..."])
      assert.equal(findElision(["a();", line], "", "a.ts", true), null);
    assert.equal(
      findElision(["a();", "// ... existing code ..."], "", "a.ts", true),
      "// ... existing code ...",
    );
  });

  it("lets code samples in Markdown pass", () => {
    assert.equal(findElision(["```ts", "// ... existing code ...", "```"], "", "a.md"), null);
  });
});
