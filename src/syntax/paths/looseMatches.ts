import type { Element } from "./element.ts";
import type { PathTable } from "./elementPaths.ts";

/** Kinds whose names are not code, so that their signs mean nothing. */
const NO_CODE = new Set(["comment", "element", "heading", "rule", "statement", "table", "test"]);

/** Unifies `::` and spaces beside signs. Dots stay: names contain them. */
function separated(path: string): string {
  return path
    .replace(/\s+(?=[^\w\s])|(?<=[^\w\s])\s+/g, "")
    .replace(/::(?=[\w$~])/g, "-")
    .replace(/(?<=^|-)self-(?=\w)/, "self.");
}

/**
 * Without type parameters, empty parentheses, and `operator` before a sign. Overloads and
 * specializations stay distinct.
 */
function bare(path: string): string {
  return separated(path)
    .replace(/(?<=\w)<(?:T\w*|[A-Z]\d?)(?:,(?:T\w*|[A-Z]\d?))*>/g, "")
    .replace(/(?<!^|-|operator)\(\)(?:const)?$|(?<=\bthis)\[\]$/, "")
    .replace(/(?<=^|-)operator(?=[^\w\s])/, "");
}

/** Without the sigils of PHP and of Rust's raw names. */
function withoutSigils(path: string): string {
  return bare(path).replace(/(?<=^|-)(?:r#|\$)(?=[A-Za-z_])/g, "");
}

/** The last name without its owner: `build` for Ruby's `self.build`, `Run` for C#'s `IJob.Run`. */
function withoutOwner(path: string): string {
  return path.replace(/(?<=^|-)(?:self|(?:module\.)?exports|[A-Z][\w.<>,]*)\.(?=\w+$)/, "");
}

/** With what other languages and tools write between names: `A.add`, `A#add`, `A/add`, `a->add`. */
function joined(path: string): string {
  return bare(path).replace(/(?<=[\w)\]>])(?:->|[.#/])(?=[A-Za-z_$~])/g, "-");
}

/**
 * The elements that a path names in another spelling than the outline's: `Shape::area()`, `name`
 * for `$name`, `operator ==`. All of several same names, unless the path has a number.
 */
export function looseMatches({ elements, packageName }: PathTable, path: string): Element[] {
  const isNumbered = /#\d/.test(path);
  const word = /\w+(?=\W*$)/.exec(withoutSigils(path))?.[0] ?? "";
  const candidates = elements.filter(
    (element) => !NO_CODE.has(element.kind) && element.path.includes(word),
  );
  const matching = (form: (path: string) => string, formOfOwn = form) => {
    const prefix = packageName === null ? "" : `${form(packageName)}-`;
    const whole = form(path);
    const wanted = whole.startsWith(prefix) ? whole.slice(prefix.length) : whole;
    return candidates.filter(({ path: own, segmentStarts }) =>
      segmentStarts.some((start) => {
        const suffix = own.slice(start);
        return formOfOwn(isNumbered ? suffix : suffix.replace(/#\d+(?=-|$)/g, "")) === wanted;
      }),
    );
  };
  for (const form of [separated, bare, withoutSigils]) {
    const found = matching(form);
    if (found.length > 0) return found;
  }
  const owned = matching(withoutSigils, (own) => withoutSigils(withoutOwner(own)));
  if (owned.length > 0) return owned;
  const spelled = matching(joined);
  return spelled.length > 0 ? spelled : matching((each) => withoutSigils(joined(each)));
}
