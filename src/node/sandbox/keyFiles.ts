import type { Dirent } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import * as path from "node:path";
import { isSecretPath } from "../../tools/permissions/protectedPath.ts";
import { readPlainText } from "../processes/readPlain.ts";

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
const SETTINGS = /^(?:config|hgrc)(?:[._-].*)?$/;
const VERSION_CONTROL = new Set([".git", ".hg", ".svn"]);
/** What of these folders is looked at: the rest is objects. */
const REPOSITORIES = /(?:^|\/)\.git\/(?:modules|worktrees)(?:\/(?!objects$|refs$|logs$|hooks$)|$)/;
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
    return this.below(
      bytesOf(folder),
      (name) => this.isSecret(name),
      () => false,
    );
  }

  /** All files and folders of a workspace folder that may hold keys. */
  async inWorkspace(folder: string): Promise<readonly string[]> {
    const root = bytesOf(folder);
    const [found, common] = await Promise.all([
      this.below(
        root,
        (name) => this.isSecret(name),
        () => true,
      ),
      settingsOfWorkTree(root),
    ]);
    return [...found, ...common];
  }

  private async below(
    root: string,
    isKey: (name: string) => boolean,
    isLookedAt: (name: string) => boolean,
  ): Promise<readonly string[]> {
    const found: string[] = [];
    for (let open = [""]; open.length > 0; ) {
      const entries = (await Promise.all(open.map((folder) => entriesIn(root, folder)))).flat();
      open = [];
      for (const { name, base, kind } of entries) {
        const isFolder = kind === "folder";
        if (isFolder && PASSED.has(base)) continue;
        const isRepository = VERSION_CONTROL.has(base) || REPOSITORIES.test(name);
        if (isRepository && isFolder) open.push(name);
        else if (isInRepository(name)) {
          if (SETTINGS.test(base) || isSecretPath(text(base))) found.push(`${root}/${name}`);
        }
        // A folder of keys is one by the name of any file in it.
        else if (isKey(isFolder ? `${name}/${PROBE}` : name))
          found.push(kind === "link" ? await targetOf(`${root}/${name}`) : `${root}/${name}`);
        else if (kind === "link" && isKey(`${name}/${PROBE}`))
          found.push(await targetOf(`${root}/${name}`));
        else if (isFolder && isLookedAt(name)) open.push(name);
      }
    }
    return found;
  }

  private isSecret(name: string): boolean {
    const known = this.judged.get(name);
    if (known !== undefined) return known;
    const isSecret = isSecretPath(text(name));
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

function isInRepository(name: string): boolean {
  return name.split("/").some((each) => VERSION_CONTROL.has(each));
}

/** The settings of the repository whose linked work tree this is; it lies elsewhere. */
async function settingsOfWorkTree(root: string): Promise<readonly string[]> {
  const link = (await readPlainText(Buffer.from(`${root}/.git`, "latin1"), "latin1")) ?? "";
  const dir = /^gitdir: (\/.*)$/m.exec(link)?.[1];
  if (dir === undefined) return [];
  const common = dir.replace(/\/(?:worktrees|modules)\/.*$/, "");
  return [...new Set([dir, common])].map((each) => `${each}/config`);
}

/** Where a link leads. */
async function targetOf(place: string): Promise<string> {
  const found = await realpath(Buffer.from(place, "latin1"), { encoding: "buffer" }).catch(
    () => null,
  );
  return found?.toString("latin1") ?? place;
}

interface FoundEntry {
  /** Its path from the root, and its last part. */
  readonly name: string;
  readonly base: string;
  readonly kind: "file" | "folder" | "link";
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
