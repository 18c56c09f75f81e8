import { allowSecret, type Workspace } from "../../ports/workspace.ts";

/** The most files in which addresses are looked for. */
const MAX_FILES = 20;

/** Strings and comments of JSON, also of JSON with faults. */
const JSON_PARTS = /"[^"\\\n]*(?:\\.[^"\\\n]*)*"?|\/\/.*|\/\*[\s\S]*?(?:\*\/|$)/g;
const ESCAPED = /\\(?:u([0-9a-f]{4})|\/)/gi;

/** What names a schema in YAML, TOML and JSON, and where a schema goes on. */
const SCHEMA =
  /\$(schema|ref)["']?\s*[:=]\s*(?:"([^"\n]*)|'([^'\n]*)|([^\s"']+))|^#:schema\s+(\S+)/gm;
const XML_NAME = /\.(?:x[ms]l|xsd|xslt|svg|dtd|rng|xhtml|plist|wsdl|pom|[a-z]+proj|config)$/i;
const XML_PARTS =
  /<!(?:DOCTYPE|ENTITY)\b[^>]*|[sS]chemaLocation\s*=\s*(?:"[^"]*"|'[^']*')|<\?xml-model\b[^>]*/g;
const ADDRESS = /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+/gi;

/**
 * The addresses that VS Code, or an extension, fetches as soon as the file is open: those of its
 * schema, directly or through schemas of the workspace. Null where the file is too large to tell.
 */
export async function fetchedOnOpen(
  workspace: Pick<Workspace, "resolve" | "read">,
  path: string,
  signal: AbortSignal,
): Promise<readonly string[] | null> {
  const found = new Set<string>();
  const paths = [path];
  for (let at = 0; at < Math.min(paths.length, MAX_FILES); at++) {
    const here = paths[at] ?? "";
    const file = await workspace.resolve(here);
    const read = file.ok ? await workspace.read(allowSecret(file.value), signal) : file;
    if (!read.ok && read.error.code === "too-large") return null;
    for (const reference of read.ok ? schemaReferences(here, read.value.text, at > 0) : []) {
      if (isRemote(reference)) found.add(reference);
      const local = localPath(reference, here);
      if (local !== null && !paths.includes(local)) paths.push(local);
    }
  }
  return [...found];
}

/** The schemas that a text names; with `isSchema` also those that it refers to. */
function schemaReferences(path: string, text: string, isSchema = false): readonly string[] {
  const plain = text
    .replace(JSON_PARTS, (part) => (part.startsWith('"') ? part : " "))
    .replace(ESCAPED, (_, code?: string) =>
      code === undefined ? "/" : String.fromCharCode(Number.parseInt(code, 16)),
    );
  const named = [text, plain].flatMap((each) =>
    [...each.matchAll(SCHEMA)].flatMap(([, key, ...values]) =>
      key === "ref" && !isSchema ? [] : [values.find((value) => value !== undefined) ?? ""],
    ),
  );
  const ofXml = XML_NAME.test(path) ? (text.match(XML_PARTS) ?? []) : [];
  return [...new Set([...named, ...ofXml.flatMap((part) => part.match(ADDRESS) ?? [])])];
}

/** True for an address of another machine. VS Code has its own schemas under `vscode:`. */
function isRemote(reference: string): boolean {
  const url = URL.canParse(reference) ? new URL(reference) : null;
  return url !== null && url.protocol !== "vscode:" && url.host !== "";
}

/** The workspace path of a relative reference in the file at `path`, or null. */
function localPath(reference: string, path: string): string | null {
  if (/^(?:#|[a-z][a-z0-9+.-]*:)/i.test(reference)) return null;
  const base = `x://workspace/${path.split("/").map(encodeURIComponent).join("/")}`;
  if (!URL.canParse(reference, base)) return null;
  try {
    return decodeURIComponent(new URL(reference, base).pathname.slice(1));
  } catch {
    return null;
  }
}
