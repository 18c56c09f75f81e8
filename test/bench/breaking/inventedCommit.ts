import { type RandomChoices, randomChoices } from "../../load/randomChoices.ts";
import type { CommitFile } from "./plantedFault.ts";

/** A function of an invented project. Its body names others by `{0}`, `{1}`. */
interface Invented {
  readonly name: string;
  readonly body: readonly string[];
  readonly calls: readonly string[];
  /** Arguments of its tests; none where it has no test. */
  readonly tests: readonly (readonly [number, number])[];
}

type Project = ReadonlyMap<string, readonly Invented[]>;

const VERBS =
  "add apply bound count fold grade limit merge order pack rank round scale share split weigh";
const NOUNS =
  "Bonus Charge Discount Duty Fee Freight Margin Parcel Points Price Quota Refund Score Stock Tariff Tax";
const MODULES = "billing catalog customs delivery ledger offers orders returns";

const words = (text: string) => text.split(" ");

/** Makes a function that calls some of `others`, which are in files that it may import. */
function invent(
  { int, pick, chance, shuffled }: RandomChoices,
  name: string,
  others: readonly string[],
): Invented {
  const n = () => int(2, 19);
  const wanted = others.length === 0 ? 0 : int(0, Math.min(2, others.length));
  const calls = shuffled(others).slice(0, wanted);
  const shapes: readonly (readonly string[])[] = [
    [`const base = a * ${n()} + ${n()};`, `return base > ${n() * 4} ? base - ${n()} : base + b;`],
    [`let sum = b;`, `for (let at = 0; at < a; at++) sum += at * ${n()};`, `return sum;`],
    [
      `if (a > ${n()} && b < ${n()}) return a - b;`,
      `if (a === ${n()}) return ${n()};`,
      `return a + b * ${n()};`,
    ],
    [
      `const parts = [a, b, ${n()}, ${n()}];`,
      `return parts.filter((each) => each > ${n()}).length + a;`,
    ],
    [
      `const most = Math.max(a, b);`,
      `const least = Math.min(a, b);`,
      `return most * ${n()} - least;`,
    ],
    [`let rest = a;`, `if (rest >= ${n()}) rest -= b + ${n()};`, `return rest + ${n()};`],
  ];
  const plain = pick(shapes);
  const last = plain.at(-1)?.replace(/^return (.*);$/, "const own = $1;") ?? "";
  const body =
    calls.length === 0
      ? plain
      : calls.length === 1 && chance(40)
        ? [`return {0}(a, b) + ${n()};`]
        : [
            ...plain.slice(0, -1).map((line) => line.replaceAll("return", "if (b < 0) return")),
            last,
            `return own + ${calls.map((_, at) => (chance(50) ? `{${at}}(a, b)` : `{${at}}(b, a)`)).join(" + ")};`,
          ];
  const tests = chance(75)
    ? Array.from({ length: int(1, 3) }, () => [int(0, 25), int(0, 25)] as const)
    : [];
  return { name, body, calls, tests };
}

/** The files of a project, with tests that expect what its functions give. */
function filesOf(project: Project): ReadonlyMap<string, string> {
  const home = new Map(
    [...project].flatMap(([at, all]) => all.map(({ name }) => [name, at] as const)),
  );
  const texts = new Map<string, string>();
  const scope = [...project.values()]
    .flat()
    .map((each) => functionText(each))
    .join("\n");
  const give = (call: string): unknown => new Function(`${scope}\nreturn ${call};`)();
  for (const [at, all] of project) {
    const others = [...new Set(all.flatMap(({ calls }) => calls))].filter(
      (name) => home.get(name) !== at,
    );
    const from = [...new Set(others.flatMap((name) => home.get(name) ?? []))].sort();
    const imports = from.map(
      (file) =>
        `import { ${others
          .filter((name) => home.get(name) === file)
          .sort()
          .join(", ")} } from "./${file}.mjs";`,
    );
    const code = all.map((each) => `export ${functionText(each)}`);
    texts.set(
      `src/${at}.mjs`,
      `${[imports.join("\n"), ...code].filter((text) => text !== "").join("\n\n")}\n`,
    );
    const tested = all.filter(({ tests }) => tests.length > 0);
    if (tested.length === 0) continue;
    const tests = tested.map(({ name, tests }) =>
      [
        `test("${name} is right", () => {`,
        ...tests.map(
          ([a, b]) => `  assert.equal(${name}(${a}, ${b}), ${give(`${name}(${a}, ${b})`)});`,
        ),
        "});",
      ].join("\n"),
    );
    const names = tested.map(({ name }) => name).sort();
    const head = `import assert from "node:assert/strict";\nimport test from "node:test";\nimport { ${names.join(", ")} } from "../src/${at}.mjs";`;
    texts.set(`test/${at}.test.mjs`, `${[head, ...tests].join("\n\n")}\n`);
  }
  return texts;
}

function functionText({ name, body, calls }: Invented): string {
  const lines = body.map(
    (line) => `  ${line.replace(/\{(\d)\}/g, (_, at) => calls[Number(at)] ?? "")}`,
  );
  return [`function ${name}(a, b) {`, ...lines, "}"].join("\n");
}

/** A commit of an invented project in JavaScript: files with tests, all of which pass. */
export function inventedCommit(seed: number): readonly CommitFile[] {
  const random = randomChoices(seed);
  const { int, pick, chance, shuffled } = random;
  const names = shuffled(
    words(VERBS).flatMap((verb) => words(NOUNS).map((noun) => `${verb}${noun}`)),
  );
  const nextName = () => names.pop() ?? "more";
  const modules = shuffled(words(MODULES));
  const before = new Map<string, readonly Invented[]>();
  for (const at of modules.slice(0, int(3, 5))) {
    const below = [...before.values()].flat().map(({ name }) => name);
    const made: Invented[] = [];
    for (let count = int(2, 4); count > 0; count--)
      made.push(invent(random, nextName(), [...below, ...made.map(({ name }) => name)]));
    before.set(at, made);
  }
  const after = new Map<string, Invented[]>([...before].map(([at, all]) => [at, [...all]]));
  const added: string[] = [];
  const add = (at: string) => {
    const order = [...after.keys()];
    const below = order.slice(0, order.indexOf(at) + 1).flatMap((each) => after.get(each) ?? []);
    const own = after.get(at) ?? [];
    const known = below.map(({ name }) => name).filter((name) => !added.includes(name));
    const one = invent(
      random,
      nextName(),
      chance(50) && added.length > 0
        ? added.filter((name) => below.some((each) => each.name === name))
        : known,
    );
    own.splice(chance(50) ? own.length : int(0, own.length), 0, one);
    after.set(at, own);
    added.push(one.name);
  };
  /** Lets a function that was there call another. */
  const wire = () => {
    const order = [...after.keys()];
    const at = pick(order);
    const own = after.get(at) ?? [];
    const old = own.filter(({ name }) => !added.includes(name));
    if (old.length === 0) return;
    const user = pick(old);
    const reachable = order.slice(0, order.indexOf(at)).flatMap((each) => after.get(each) ?? []);
    const callees = reachable.filter(
      ({ name, calls }) =>
        added.includes(name) && !user.calls.includes(name) && !calls.includes(user.name),
    );
    if (callees.length === 0) return;
    const callee = pick(callees);
    const body = [
      ...user.body.slice(0, -1),
      (user.body.at(-1) ?? "").replace(/;$/, ` + {${user.calls.length}}(a, b);`),
    ];
    own[own.indexOf(user)] = { ...user, body, calls: [...user.calls, callee.name] };
  };
  const tweak = () => {
    const own = after.get(pick([...after.keys()])) ?? [];
    const old = own.filter(({ name }) => !added.includes(name));
    if (old.length === 0) return;
    const one = pick(old);
    const line = int(0, one.body.length - 1);
    const text = (one.body[line] ?? "").replace(/(?<!\{)\b\d+\b/, (number) =>
      String(Number(number) + int(1, 5)),
    );
    own[own.indexOf(one)] = { ...one, body: one.body.toSpliced(line, 1, text) };
  };
  if (chance(50)) {
    const at = modules[before.size] ?? "more";
    const order = [...after];
    const place = int(0, order.length);
    after.clear();
    for (const [index, [each, all]] of order.entries()) {
      if (index === place) after.set(at, []);
      after.set(each, all);
    }
    if (!after.has(at)) after.set(at, []);
    for (let count = int(1, 2); count > 0; count--) add(at);
  }
  for (let count = int(1, 2); count > 0; count--) add(pick([...after.keys()]));
  for (let count = int(1, 2); count > 0; count--) wire();
  if (chance(50)) tweak();
  const [old, now] = [filesOf(before), filesOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])].map((path) => ({
    path,
    before: old.get(path) ?? "",
    after: now.get(path) ?? "",
  }));
}
