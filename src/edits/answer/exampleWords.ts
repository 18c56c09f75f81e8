/** What stands in an example of an edit block: paths of elements, and how lines begin. */
export interface ExampleWords {
  /** A small element, and a longer one. */
  readonly element: string;
  readonly longer: string;
  readonly first: string;
  readonly last: string;
}

const TYPESCRIPT = { element: "Shape-area", longer: "draw", first: "const total", last: "return" };

/** By the extensions of file names; what a language's own text looks like. */
const WORDS: readonly (readonly [RegExp, Partial<ExampleWords>])[] = [
  [/\.pyi?$/, { first: "total =" }],
  [/\.(?:rb|lua|exs?|r|jl)$/, { first: "total =", last: "end" }],
  [/\.go$/, { element: "Shape-Area", longer: "Draw", first: "total :=" }],
  [/\.(?:rs|swift)$/, { first: "let total" }],
  [/\.(?:c|h|cc|cpp|hpp|cxx|hh)$/, { first: "int total" }],
  [/\.(?:java|cs)$/, { longer: "Shape-draw", first: "int total" }],
  [/\.(?:kts?|scala|dart)$/, { first: "val total" }],
  [/\.php$/, { first: "$total =" }],
  [/\.(?:sh|bash|zsh)$/, { element: "area", first: "total=", last: "fi" }],
  [
    /\.(?:css|scss|less)$/,
    { element: ".shape", longer: ".page", first: "color:", last: "padding:" },
  ],
  [
    /\.(?:json|jsonc|json5)$/,
    { element: "scripts-build", longer: "scripts", first: '"build":', last: '"test":' },
  ],
  [
    /\.(?:ya?ml|toml|ini)$/,
    { element: "jobs-build", longer: "jobs", first: "name", last: "runs-on" },
  ],
  [
    /\.(?:html?|xml|svg|vue|svelte)$/,
    { element: "main", longer: "body", first: "<h1>", last: "</ul>" },
  ],
  [/\.sql$/, { element: "shapes", longer: "totals", first: "SELECT", last: "WHERE" }],
  [
    /\.(?:md|mdx|markdown|rst|adoc|txt)$/,
    { element: "Install", longer: "Usage", first: "Run the", last: "Then" },
  ],
];

/** The words for examples in the language of a file, as far as its name tells that. */
export function exampleWords(path: string): ExampleWords {
  const own = WORDS.find(([names]) => names.test(path.toLowerCase()))?.[1];
  return { ...TYPESCRIPT, ...own };
}
