import { strict as assert } from "node:assert";
import { openDocument } from "./openDocument.ts";

const CPP =
  "struct S {\n  explicit operator bool() const;\n  operator std::string() const { return x; }\n  bool operator==(const S& o) const;\n  void operator()(int) {}\n  int operator[](int i);\n  S* operator->();\n  auto operator<=>(const S&) const = default;\n  void *operator new(size_t n);\n  ~S();\n};\ntemplate <> struct H<S, int> { int size(); };\ntemplate <class T> void V<T>::go() {}\ntemplate <> void f<int>(int) {}\nvoid plain(int a) {}\nnamespace n::m { int g(); }\n";
const RUBY =
  "class A\n  def self.build; end\n  def build; end\n  def self.make; end\n  def name=(v); end\n  def [](i); end\n  def []=(i, v); end\n  def <=>(o); end\n  def ok?; end\n  class << self\n    def once; end\n  end\nend\n";
const KOTLIN = "class `A b` {\n  fun `does a thing`() {}\n  val `in` = 1\n}\n";
const RUST = "fn r#type() {}\nimpl r#Self_ {\n    fn r#match(&self) {}\n}\n";
const CSHARP =
  "class R : IFoo {\n  void IFoo.Bar() {}\n  void Bar() {}\n  void IFoo.Only() {}\n  int IFoo<T>.P => 1;\n  event E IFoo.Ev { add {} remove {} }\n  public static R operator +(R a, R b) => a;\n  public static explicit operator int(R a) => 1;\n  int this[int i] => 1;\n  ~R() {}\n}\n";
const PHP =
  "<?php\nclass A {\n  public $name = 1;\n  public $both;\n  public function both() {}\n  public function __construct(private int $id) {}\n}\n";
const TYPESCRIPT =
  "class A<T> {\n  #secret = 1;\n  run(a: T) {}\n  twice(a: string): void;\n  twice(a: number): void;\n}\n";
const JAVA = "package p.q;\nclass A { void run(int a) {} class B { B() {} } }\n";

/** Spellings of a name, and the path of the element they mean. */
const WRITTEN: readonly (readonly [
  language: string,
  text: string,
  path: string,
  written: readonly string[],
])[] = [
  [
    "cpp",
    CPP,
    "S-operator bool",
    ["operator bool", "S::operator bool", "S-operator bool()", "S-operator bool() const"],
  ],
  [
    "cpp",
    CPP,
    "S-operator std::string",
    ["S::operator std::string() const", "operator std::string"],
  ],
  ["cpp", CPP, "S-operator==", ["S::operator==", "S-operator ==", "operator==", "S-=="]],
  ["cpp", CPP, "S-operator()", ["S::operator()", "S-operator ()", "operator()"]],
  ["cpp", CPP, "S-operator[]", ["S::operator[]", "S-operator []", "S-[]"]],
  ["cpp", CPP, "S-operator->", ["S::operator->", "S-operator ->"]],
  ["cpp", CPP, "S-operator<=>", ["S::operator<=>", "S-operator <=>"]],
  ["cpp", CPP, "S-operator new", ["S::operator new"]],
  ["cpp", CPP, "S-~S", ["S::~S", "~S", "S-~S()"]],
  ["cpp", CPP, "H<S, int>", ["H<S,int>"]],
  ["cpp", CPP, "H<S, int>-size", ["H<S,int>::size", "size"]],
  ["cpp", CPP, "V-go", ["V<T>::go", "V<T>-go", "V::go()"]],
  ["cpp", CPP, "plain", ["plain()"]],
  ["cpp", CPP, "n::m-g", ["n::m::g", "n-m-g"]],
  ["ruby", RUBY, "A-self.build", ["self.build", "A::self.build", "A-self-build"]],
  ["ruby", RUBY, "A-build", ["A::build", "build"]],
  ["ruby", RUBY, "A-self.make", ["A-make", "A::make", "make"]],
  ["ruby", RUBY, "A-name=", ["name=", "A::name="]],
  ["ruby", RUBY, "A-[]", ["[]"]],
  ["ruby", RUBY, "A-[]=", ["[]="]],
  ["ruby", RUBY, "A-<=>", ["<=>"]],
  ["ruby", RUBY, "A-ok?", ["ok?"]],
  ["ruby", RUBY, "A-self-once", ["A-self.once", "once"]],
  [
    "kotlin",
    KOTLIN,
    "A b-does a thing",
    ["`A b`-`does a thing`", "`does a thing`", "does a thing", "A b-does a thing()"],
  ],
  ["kotlin", KOTLIN, "A b-in", ["`A b`-`in`", "in"]],
  ["rust", RUST, "r#type", ["type", "`r#type`"]],
  ["rust", RUST, "r#Self_-r#match", ["Self_-match", "r#Self_::r#match", "Self_::match"]],
  ["csharp", CSHARP, "R-IFoo.Bar", ["IFoo.Bar"]],
  ["csharp", CSHARP, "R-Bar", ["Bar"]],
  ["csharp", CSHARP, "R-IFoo.Only", ["R-Only", "Only", "IFoo.Only"]],
  ["csharp", CSHARP, "R-IFoo<T>.P", ["IFoo.P", "R-IFoo.P"]],
  ["csharp", CSHARP, "R-operator +", ["R-operator+", "operator +", "R-+"]],
  ["csharp", CSHARP, "R-operator int", ["operator int", "R-operator int()"]],
  ["csharp", CSHARP, "R-~R", ["~R", "R-~R()"]],
  ["csharp", CSHARP, "R-this", ["R-this[]"]],
  ["php", PHP, "A-$name", ["A-name", "$name", "name", "A::$name", "A::name"]],
  ["php", PHP, "A-$both", ["$both", "A::$both"]],
  ["php", PHP, "A-both", ["A::both()", "A::both"]],
  ["php", PHP, "A-$id", ["A-id", "id", "$id"]],
  ["typescript", TYPESCRIPT, "A-#secret", ["#secret"]],
  ["typescript", TYPESCRIPT, "A-run", ["A<T>-run", "A-run()", "A::run"]],
  ["typescript", TYPESCRIPT, "A-run", ["A-run#1"]],
  ["typescript", TYPESCRIPT, "A-twice#1", []],
  ["java", JAVA, "A-run", ["p.q-A-run()", "A.run", "A#run", "A/run", "A.run()", "p.q.A.run"]],
  ["java", JAVA, "A-B-B", ["A.B.B", "A-B.B"]],
  ["php", PHP, "A-both", ["A->both()"]],
  ["ruby", RUBY, "A-name=", ["A#name="]],
  ["json", '{ "a": { "b": 1 } }', "a-b", ["a.b", "a/b"]],
];

/**
 * Paths that could mean several elements, or another thing in the language: an overload, a
 * specialization, a private member.
 */
const REFUSED: readonly (readonly [
  language: string,
  text: string,
  written: string,
  code: string,
  candidates: readonly string[],
])[] = [
  ["typescript", TYPESCRIPT, "A::twice", "ambiguous", ["A-twice#1", "A-twice#2"]],
  ["typescript", TYPESCRIPT, "A-twice", "ambiguous", ["A-twice#1", "A-twice#2"]],
  ["typescript", TYPESCRIPT, "A-twice()", "ambiguous", []],
  ["typescript", TYPESCRIPT, "B::run", "not-found", []],
  ["typescript", TYPESCRIPT, "A-secret", "not-found", ["A-#secret"]],
  ["cpp", CPP, "H", "not-found", ["H<S, int>"]],
  ["cpp", CPP, "f", "not-found", []],
  ["cpp", CPP, "plain(int a)", "not-found", ["plain"]],
  ["cpp", "template <class T> struct H {};\n", "H<int>", "not-found", []],
  ["java", JAVA, "A-run(int a)", "not-found", ["A-run"]],
  ["cpp", CPP, "T::operator==", "not-found", []],
  ["csharp", CSHARP, "IOther.Only", "not-found", []],
  ["java", JAVA, "p.r.A.run", "not-found", []],
  ["typescript", TYPESCRIPT, "A.secret", "not-found", ["A-#secret"]],
  [
    "java",
    "class A { void a() {} }\nclass B { class A { void a() {} } }\n",
    "A.a",
    "ambiguous",
    [],
  ],
  ["java", JAVA, "p.r-A-run()", "not-found", []],
  ["cpp", "struct H<int> {};\nstruct H<char> {};\n", "H", "not-found", ["H<int>", "H<char>"]],
  ["json", '{ "foo-bar": 1, "lodash.merge": 2 }', "bar", "not-found", []],
  ["json", '{ "foo-bar": 1, "lodash.merge": 2 }', "merge", "not-found", []],
  ["css", "#main { x: y }\n.a { x: y }\n", "main", "not-found", []],
  ["markdown", "# a.md\n", "md", "not-found", []],
  ["ruby", RUBY, "A::other", "not-found", []],
];

describe("a name in another spelling than the outline's", () => {
  for (const [language, text, path, written] of WRITTEN) {
    for (const each of [path, ...written]) {
      it(`${language}: ${each} is ${path}`, async () => {
        const document = await openDocument(language, text);
        const found = document.resolve(each);
        document.dispose();
        assert.ok(found.ok, JSON.stringify(found));
        assert.equal(found.value.path, path);
      });
    }
  }

  for (const [language, text, written, code, candidates] of REFUSED) {
    it(`${language}: ${written} is refused`, async () => {
      const document = await openDocument(language, text);
      const found = document.resolve(written);
      document.dispose();
      assert.ok(!found.ok, found.ok ? found.value.path : "");
      assert.ok(found.error.code === "not-found" || found.error.code === "ambiguous");
      assert.equal(found.error.code, code);
      const paths = found.error.candidates.map(({ path }) => path);
      assert.deepEqual(
        candidates.filter((path) => !paths.includes(path)),
        [],
      );
    });
  }
});
