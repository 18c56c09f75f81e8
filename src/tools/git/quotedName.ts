/**
 * A file's name as git knows it, a sequence of bytes. It may be in any encoding and hold any
 * character but NUL.
 */
export interface GitName {
  /** One character for each byte. */
  readonly bytes: string;
  /** As UTF-8; `\ufffd` stands for what is none. */
  readonly text: string;
  /** For people: as text, or as git quotes it. */
  readonly shown: string;
}

/** Makes git quote each name that is not plain ASCII. Goes before the subcommand. */
export const QUOTE_NAMES = ["-c", "core.quotePath=true"];

const ESCAPES: Readonly<Record<string, string>> = {
  ...{ a: "\x07", b: "\b", t: "\t", n: "\n", v: "\v", f: "\f", r: "\r" },
};
/** Characters that would end the line or are not seen. */
const UNSHOWN = /[\ufffd\p{C}]/u;

/** The names that git lists by line, with {@link QUOTE_NAMES}. */
export function readQuotedNames(lines: string): readonly GitName[] {
  return lines.split("\n").flatMap((line) => {
    if (line === "") return [];
    const quoted = /^"(.*)"$/.exec(line)?.[1] ?? "";
    const bytes = line.startsWith('"') ? unquoted(quoted) : line;
    const text = new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
    return [{ bytes, text, shown: UNSHOWN.test(text) ? line : text }];
  });
}

/** https://git-scm.com/docs/git-config#Documentation/git-config.txt-corequotePath */
function unquoted(text: string): string {
  return text.replace(/\\(?:([0-7]{3})|(.))/g, (_, octal: string | undefined, escaped: string) =>
    octal === undefined
      ? (ESCAPES[escaped] ?? escaped)
      : String.fromCharCode(Number.parseInt(octal, 8)),
  );
}

/**
 * The name as a pattern of git. An argument of a program is text, so `?` stands for each byte above
 * ASCII of a name that is no text.
 */
export function namePattern(name: GitName): string {
  return isText(name) ? escaped(name.text) : escaped(name.bytes).replace(/[\x80-\xff]/g, "?");
}

/** Whether the pattern of `name` means `other`, too. */
export function patternMeans(name: GitName, other: GitName): boolean {
  if (isText(name) || name.bytes.length !== other.bytes.length) return name.bytes === other.bytes;
  return [...name.bytes].every(
    (byte, at) => byte === other.bytes[at] || (byte > "\x7f" && other.bytes[at] !== "/"),
  );
}

function isText({ text }: GitName): boolean {
  return !text.includes("\ufffd");
}

function escaped(text: string): string {
  return text.replace(/[*?[\\]/g, (sign) => (sign === "\\" ? "\\\\" : `[${sign}]`));
}
