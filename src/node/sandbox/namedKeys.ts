import { realpath } from "node:fs/promises";
import * as path from "node:path";
import { contains } from "../processes/gitRepository.ts";
import type { SandboxHome } from "./sandboxHome.ts";

const whole = (variable: string): readonly [string] => [variable];

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

/**
 * Files and folders of keys that the user's variables name, absolute and without links. What a
 * sandbox hides anyway is left out, and what holds something that it shows.
 */
export async function namedKeys(
  { hidden, shown }: SandboxHome,
  folders: readonly string[],
): Promise<readonly string[]> {
  const named = NAMED.flatMap(([variable, part = ""]) =>
    (process.env[variable] ?? "")
      .split(path.delimiter)
      .filter(path.isAbsolute)
      .map((each) => path.join(each, part)),
  );
  const found = await Promise.all(named.map((each) => realpath(each).catch(() => null)));
  const isIn = (places: readonly string[], place: string) =>
    places.some((each) => contains(each, place));
  return found.flatMap((each) =>
    each !== null &&
    (isIn(folders, each) || !isIn(hidden, each)) &&
    ![...folders, ...hidden, ...shown].some((place) => contains(each, place))
      ? each
      : [],
  );
}
