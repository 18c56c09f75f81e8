import { type Address, targetOf } from "./address.ts";

/** How a session was asked for: the parameter `use_line_numbers` as given, undefined where it was left out. */
export type LineNumbersParameter = boolean | undefined;

const LINE_FORMAT = "`type:startline:endline`";
const AST_FORMAT = "`type:ast-path:Namespace-Class-Method`";

/** A change that was ignored because the session is in the other mode. */
export interface IgnoredChange {
  /** The sentence for the report to the model. */
  readonly report: string;
  /** Three lines for the user: what, the active mode, the required format. */
  readonly notice: string;
}

/** The words for a block of the other kind; `address` is the block's own. */
export function ignoredChange(address: Address, parameter: LineNumbersParameter): IgnoredChange {
  const value = parameter === undefined ? "use_line_numbers not set" : `use_line_numbers=${parameter}`;
  if (address.kind === "ast") {
    const what = `Change to \`${targetOf(address)}\``;
    return {
      report: `${what} was ignored: AST path format was specified, but line number mode is active (${value}). Use format: ${LINE_FORMAT} instead.`,
      notice: [
        `Ignored: ${what} - AST path format specified but line number mode is active. Use ${LINE_FORMAT} format instead.`,
        `Active mode: line numbers (${value})`,
        `Required format: ${LINE_FORMAT}`,
      ].join("\n"),
    };
  }
  const what = `Change at ${targetOf(address)}`;
  return {
    report: `${what} was ignored: Line number format was specified, but AST path mode is active (${value}). Use format: ${AST_FORMAT} instead.`,
    notice: [
      `Ignored: ${what} - Line number format specified but AST path mode is active. Use ${AST_FORMAT} format instead.`,
      `Active mode: AST paths (${value})`,
      `Required format: ${AST_FORMAT}`,
    ].join("\n"),
  };
}

/** The part of a report that lists the ignored changes; `mode` is the session's. */
export function ignoredSection(sentences: readonly string[], mode: "lines" | "ast"): string {
  const format = mode === "lines" ? `Use line number format: ${LINE_FORMAT}` : `Use AST path format: ${AST_FORMAT}`;
  return [
    `${sentences.length} code block(s) were ignored due to mode mismatch:`,
    ...sentences.map((sentence) => `  • ${sentence}`),
    "",
    `All code blocks in a session must use the same format. ${format}`,
  ].join("\n");
}
