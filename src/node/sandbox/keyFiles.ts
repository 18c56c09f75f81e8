import type { Dirent } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import * as path from "node:path";
import { isSecretPath } from "../../tools/permissions/protectedPath.ts";
import { contains, isRepositoryData } from "../processes/gitRepository.ts";

/**
 * Variables that name files and folders with keys, and a part of it where that is all. Several paths
 * stand as in the PATH.
 */
const NAMED: readonly (readonly [variable: string, part?: string])[] = [
  // https://kubernetes.io/docs/concepts/configuration/organize-cluster-access-kubeconfig
  ...["KUBECONFIG", "KUBE_CONFIG_PATH", "HELM_CONFIG_HOME", "HELM_REGISTRY_CONFIG"].map(whole),
  // https://specifications.freedesktop.org/basedir-spec
  ...["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"].map(whole),
  // https://www.gnupg.org/documentation/manuals/gnupg, https://www.passwordstore.org,
  // https://github.com/getsops/sops, https://web.mit.edu/kerberos/krb5-latest/doc
  ...["GNUPGHOME", "PASSWORD_STORE_DIR", "SOPS_AGE_KEY_FILE", "KRB5_KTNAME"].map(whole),
  // https://docs.aws.amazon.com/cli, https://docs.cloud.google.com/sdk/docs,
  // https://learn.microsoft.com/cli/azure, https://docs.oracle.com/iaas/Content/API/Concepts
  ...["AWS_SHARED_CREDENTIALS_FILE", "AWS_CONFIG_FILE", "AWS_WEB_IDENTITY_TOKEN_FILE"].map(whole),
  ...["GOOGLE_APPLICATION_CREDENTIALS", "CLOUDSDK_CONFIG", "BOTO_CONFIG"].map(whole),
  ...["AZURE_CONFIG_DIR", "OCI_CLI_CONFIG_FILE", "DATABRICKS_CONFIG_FILE"].map(whole),
  // https://docs.docker.com/reference/cli/docker, https://github.com/containers/image
  ...["DOCKER_CONFIG", "DOCKER_CERT_PATH", "REGISTRY_AUTH_FILE"].map(whole),
  // https://docs.npmjs.com/cli/using-npm/config, https://pip.pypa.io/en/stable/topics/configuration,
  // https://doc.rust-lang.org/cargo/reference/config.html, https://docs.gradle.org,
  // https://getcomposer.org/doc/03-cli.md, https://bundler.io/man/bundle-config.1.html
  ...["NPM_CONFIG_USERCONFIG", "npm_config_userconfig", "PIP_CONFIG_FILE"].map(whole),
  ["CARGO_HOME", "credentials.toml"],
  ["CARGO_HOME", "credentials"],
  ["GRADLE_USER_HOME", "gradle.properties"],
  ["COMPOSER_HOME", "auth.json"],
  ["BUNDLE_USER_CONFIG"],
  // https://cli.github.com/manual/gh_help_environment, https://docs.gitlab.com/cli,
  // https://git-scm.com/docs/git-config
  ...["GH_CONFIG_DIR", "GLAB_CONFIG_DIR", "GIT_CONFIG_GLOBAL"].map(whole),
  // https://everything.curl.dev/usingcurl/netrc.html, https://www.postgresql.org/docs/current/libpq-envars.html,
  // https://www.gnu.org/software/bash/manual, https://rclone.org/docs,
  // https://docs.ansible.com/ansible/latest/reference_appendices/config.html
  ...["NETRC", "PGPASSFILE", "PGSERVICEFILE", "PGSSLKEY", "HISTFILE", "RCLONE_CONFIG"].map(whole),
  ...["ANSIBLE_VAULT_PASSWORD_FILE", "ANSIBLE_PRIVATE_KEY_FILE", "TF_CLI_CONFIG_FILE"].map(whole),
  // https://docs.claude.com/en/docs/claude-code/settings, https://developers.openai.com/codex
  ...["CLAUDE_CONFIG_DIR", "CODEX_HOME"].map(whole),
];

function whole(variable: string): readonly [string] {
  return [variable];
}

/** Folders of packages, whose files are everybody's. */
const PASSED = new Set(["node_modules", "site-packages"]);
/** Where version control keeps addresses, which may hold passwords; it does without them. */
const SETTINGS = /^[.#]*(?:config|hgrc)(?:[._~#-]|$)/;
/** Folders of a repository whose files are addresses, of remotes as git had them before settings. */
const ADDRESSES = new Set(["remotes", "branches"]);
const VERSION_CONTROL = new Set([".git", ".hg", ".svn"]);
/** What of a repository is not looked at: https://git-scm.com/docs/gitrepository-layout */
const CONTENT = new Set(["objects", "refs", "logs", "hooks", "lfs", "annex"]);
/** All of version control would count, but commands need most of it. */
const IN_VERSION_CONTROL = /^.*(?<=^|\/)\.(?:git|hg|svn)\//;
/** Stands for any file of a folder that is no secret by its own name. */
const PROBE = "x.ts";

/**
 * Finds files with keys, and remembers how it judged a path. Paths are absolute, and each of their
 * characters is a byte: names need not be UTF-8.
 */
export class KeyFiles {
  private readonly judged = new Map<string, boolean>();

  /** Files and folders with keys in a folder itself, not in folders of it. */
  inFolder(folder: string): Promise<readonly string[]> {
    return this.below(folder, [folder], "uppermost");
  }

  /**
   * All files and folders that may hold keys in a folder of the workspace or of its repositories'
   * data, one of `folders`.
   */
  inWorkspace(folder: string, folders: readonly string[]): Promise<readonly string[]> {
    return this.below(folder, folders, "all");
  }

  private async below(
    folder: string,
    folders: readonly string[],
    files: "all" | "uppermost",
  ): Promise<readonly string[]> {
    const root = bytesOf(folder);
    const within = folders.map(bytesOf);
    const found: (string | null)[] = [];
    const first: LookedFolder = { name: "", base: path.posix.basename(root), part: "files" };
    for (let open = [first]; open.length > 0; ) {
      const read = await Promise.all(open.map((each) => partsIn(root, each)));
      open = [];
      for (const { part: around, entries } of read) {
        for (const entry of entries) {
          const { name, base, kind } = entry;
          const place = `${root}/${name}`;
          const part = this.partOf(entry, around);
          if (part === "key") found.push(kind === "link" ? await targetOf(place, within) : place);
          else if (part !== null && (part !== "files" || files === "all"))
            open.push({ name, base, part });
        }
      }
    }
    return found.flatMap((each) => each ?? []);
  }

  /** What an entry is by its name and the folder around it; null for what is not looked at. */
  private partOf({ name, base, kind }: FoundEntry, around: Part): Part | "key" | null {
    const isFolder = kind === "folder";
    if (VERSION_CONTROL.has(base)) return isFolder ? "data" : null;
    if (around === "files") {
      if (isFolder && PASSED.has(base)) return null;
      // A folder of keys is one by the name of any file in it.
      if (kind !== "file" && this.isSecret(`${name}/${PROBE}`)) return "key";
      if (isFolder) return "files";
      return this.isSecret(name) ? "key" : null;
    }
    if (isFolder) {
      if (around !== "repository") return around;
      if (CONTENT.has(base)) return null;
      return ADDRESSES.has(base) ? "addresses" : "data";
    }
    const isAddress = around === "addresses" || (kind === "link" && ADDRESSES.has(base));
    return isAddress || SETTINGS.test(base) || this.isSecret(name) ? "key" : null;
  }

  private isSecret(name: string): boolean {
    const known = this.judged.get(name);
    if (known !== undefined) return known;
    const isSecret = isSecretPath(text(name.replace(IN_VERSION_CONTROL, "")));
    this.judged.set(name, isSecret);
    return isSecret;
  }
}

/** The bytes of a text as characters, and the text of such bytes. */
const bytesOf = (path: string) => Buffer.from(path).toString("latin1");
const text = (path: string) => Buffer.from(path, "latin1").toString();

/** Files and folders of keys, wherever they lie, that the user's variables name. */
export function namedKeys(): readonly string[] {
  return NAMED.flatMap(([variable, part = ""]) =>
    (process.env[variable] ?? "")
      .split(path.delimiter)
      .filter((each) => path.isAbsolute(each) && each !== "/")
      .map((each) => bytesOf(path.join(each, part))),
  );
}

/**
 * Where a link leads, if that is in one of these folders and holds none of them. Home folders are
 * hidden and a system's files are everybody's: none is emptied because a repository says so.
 */
async function targetOf(place: string, folders: readonly string[]): Promise<string | null> {
  const target = await realpath(Buffer.from(place, "latin1"), { encoding: "buffer" }).catch(
    () => null,
  );
  const found = target?.toString("latin1");
  return found !== undefined &&
    folders.some((each) => contains(each, found)) &&
    !folders.some((each) => contains(found, each))
    ? found
    : null;
}

/**
 * What a folder is: of a work tree, the uppermost of a repository's data, in these, or of addresses
 * in them.
 */
type Part = "files" | "repository" | "data" | "addresses";

interface LookedFolder {
  /** Its path from the root, and its last part. */
  readonly name: string;
  readonly base: string;
  /** What it is by the folder around it. */
  readonly part: Part;
}

interface FoundEntry {
  /** Its path from the root, and its last part. */
  readonly name: string;
  readonly base: string;
  readonly kind: "file" | "folder" | "link";
}

/** What is in a folder, and what the folder is by that. */
async function partsIn(
  root: string,
  { name, base, part }: LookedFolder,
): Promise<{ readonly part: Part; readonly entries: readonly FoundEntry[] }> {
  const entries = await entriesIn(root, name);
  // Of Mercurial and Subversion, folders are all content.
  if (base === ".hg" || base === ".svn")
    return { part: "data", entries: entries.filter(({ kind }) => kind !== "folder") };
  const names = entries.map((each) => each.base);
  // A bare repository may hold work trees.
  if (names.includes(".git")) return { part: "files", entries };
  return { part: base === ".git" || isRepositoryData(names) ? "repository" : part, entries };
}

async function entriesIn(root: string, folder: string): Promise<readonly FoundEntry[]> {
  const place = Buffer.from(`${root}/${folder}`, "latin1");
  const entries: readonly Pick<
    Dirent<Buffer>,
    "name" | "isDirectory" | "isFile" | "isSymbolicLink"
  >[] = await readdir(place, { withFileTypes: true, encoding: "buffer" }).catch(() => []);
  return entries.flatMap((entry): FoundEntry[] => {
    const base = entry.name.toString("latin1");
    const name = folder === "" ? base : `${folder}/${base}`;
    if (entry.isDirectory()) return [{ name, base, kind: "folder" as const }];
    if (entry.isFile()) return [{ name, base, kind: "file" as const }];
    return entry.isSymbolicLink() ? [{ name, base, kind: "link" as const }] : [];
  });
}
