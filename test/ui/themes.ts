import fs from "node:fs";
import path from "node:path";
import * as z from "zod/mini";
import { root } from "../harness/root.mjs";

/**
 * VS Code's own themes as its webviews see them. Colors are in the order of `themes`; null where a
 * theme has none.
 */
const schema = z.object({
  themes: z.array(z.object({ name: z.string(), bodyClass: z.string() })),
  variables: z.record(z.string(), z.array(z.nullable(z.string()))),
});

const saved = schema.parse(
  JSON.parse(fs.readFileSync(path.join(root, "test/fixtures/themes.json"), "utf8")),
);

/**
 * The themes that VS Code comes with and that people use most, each with the style that VS Code
 * gives the side bar's webviews.
 */
export const themes = saved.themes.map(({ name, bodyClass }, index) => {
  const variables = Object.entries(saved.variables).flatMap(([variable, values]) =>
    typeof values[index] === "string" ? [`${variable}: ${values[index]};`] : [],
  );
  return {
    name,
    bodyClass,
    /** The same as VS Code gives it to a page that is there. */
    pageStyle: `${variables.join(" ")} background: var(--vscode-sideBar-background);`,
    style: `:root { ${variables.join(" ")} } html { background: var(--vscode-sideBar-background); }`,
  };
});

const FIRST = ["Dark Modern", "Light Modern", "High Contrast", "High Contrast Light"];

/** Those that are looked at: four of them in `npm test`, all in `npm run test:all`. */
export const shownThemes = process.env.GRAFT_LONG
  ? themes
  : themes.filter(({ name }) => FIRST.includes(name));

/** The variables of VS Code in `sources` that the themes were not asked for. */
export function unknownColors(sources: readonly string[]): readonly string[] {
  const used = sources.flatMap((source) => source.match(/--vscode-[a-zA-Z-]*[a-zA-Z]/g) ?? []);
  return [...new Set(used)].filter((name) => !Object.hasOwn(saved.variables, name)).sort();
}
