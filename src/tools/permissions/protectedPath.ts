import type { FileRef } from "../../ports/workspace.ts";

/** Folders of version control. */
const VERSION_CONTROL = new Set([".git", ".hg", ".svn"]);

/** Folders whose files an editor, a hook runner, a build server or an assistant acts on. */
const ACTING_FOLDERS = new Set([
  ...[".vscode", ".vscode-server", ".devcontainer", ".idea", ".fleet", ".zed"],
  ...[".husky", ".githooks", ".git-hooks", ".lefthook", ".direnv"],
  ...[
    ".github",
    ".gitlab",
    ".gitea",
    ".forgejo",
    ".circleci",
    ".buildkite",
    ".woodpecker",
    ".teamcity",
  ],
  ...[
    ".claude",
    ".cursor",
    ".gemini",
    ".codex",
    ".windsurf",
    ".clinerules",
    ".roo",
    ".continue",
    ".agents",
    ".amazonq",
    ".graft",
    ".kiro",
  ],
]);

/** Files that do the same, wherever they are. */
const ACTING_FILES = new Set([
  // Editors and containers.
  ...[
    "mcp.json",
    ".mcp.json",
    ".devcontainer.json",
    ".dir-locals.el",
    ".exrc",
    ".vimrc",
    ".nvimrc",
    ".nvim.lua",
    ".gdbinit",
    ".lldbinit",
  ],
  // Rules for assistants.
  ...[
    "agents.md",
    "agent.md",
    "claude.md",
    "claude.local.md",
    "gemini.md",
    "warp.md",
    "copilot-instructions.md",
  ],
  ...[
    ".cursorrules",
    ".windsurfrules",
    ".clinerules",
    ".roorules",
    ".goosehints",
    ".aider.conf.yml",
  ],
  // Hook runners and build servers.
  ...[
    ".pre-commit-config.yaml",
    ".pre-commit-config.yml",
    "lefthook.yml",
    "lefthook.yaml",
    ".lefthook.yml",
    ".lefthook.yaml",
    ".huskyrc",
  ],
  ...[
    ".gitlab-ci.yml",
    ".travis.yml",
    "azure-pipelines.yml",
    "azure-pipelines.yaml",
    "bitbucket-pipelines.yml",
    "jenkinsfile",
  ],
  ...[
    ".drone.yml",
    ".woodpecker.yml",
    ".woodpecker.yaml",
    "appveyor.yml",
    ".appveyor.yml",
    "cloudbuild.yaml",
    "cloudbuild.yml",
  ],
  ...[".cirrus.yml", "buildspec.yml", ".semaphore.yml"],
  // Shells, and what they read when a folder is entered.
  ...[
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_logout",
    ".bash_aliases",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".zlogin",
  ],
  ...[
    ".zlogout",
    ".kshrc",
    ".cshrc",
    ".tcshrc",
    ".login",
    ".inputrc",
    ".xprofile",
    ".xinitrc",
    "config.fish",
    "profile.ps1",
  ],
  ...[
    "microsoft.powershell_profile.ps1",
    "microsoft.vscode_profile.ps1",
    ".envrc",
    "mise.toml",
    ".mise.toml",
    ".autoenv",
    ".autoenv.zsh",
  ],
  // Package managers and git.
  ...[
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    ".pnpmfile.cjs",
    ".pnpmfile.mjs",
    ".pypirc",
    ".gitconfig",
    ".gitmodules",
    ".lfsconfig",
  ],
]);

/**
 * Names by which git finds its hooks, in whatever folder core.hooksPath names:
 * https://git-scm.com/docs/githooks
 */
const GIT_HOOKS = new Set([
  ...[
    "applypatch-msg",
    "pre-applypatch",
    "post-applypatch",
    "pre-commit",
    "pre-merge-commit",
    "prepare-commit-msg",
    "commit-msg",
  ],
  ...[
    "post-commit",
    "pre-rebase",
    "post-checkout",
    "post-merge",
    "pre-push",
    "pre-receive",
    "update",
    "proc-receive",
    "post-receive",
  ],
  ...[
    "post-update",
    "reference-transaction",
    "push-to-checkout",
    "pre-auto-gc",
    "post-rewrite",
    "sendemail-validate",
  ],
  ...[
    "fsmonitor-watchman",
    "p4-changelist",
    "p4-prepare-changelist",
    "p4-post-changelist",
    "p4-pre-submit",
    "post-index-change",
  ],
]);

/** Folders whose files hold keys. */
const SECRET_FOLDERS = new Set([
  ...VERSION_CONTROL,
  ".ssh",
  ".gnupg",
  ".aws",
  ".kube",
  ".gcloud",
  ".password-store",
]);

/** Files with keys and passwords. */
const SECRET_FILES = new Set([
  ...[
    ".netrc",
    "_netrc",
    ".pgpass",
    "pgpass.conf",
    ".my.cnf",
    ".git-credentials",
    ".npmrc",
    ".pypirc",
    ".htpasswd",
    ".dockercfg",
  ],
  ...[
    ".dockerconfigjson",
    ".s3cfg",
    ".boto",
    ".vault-token",
    ".terraformrc",
    ".databrickscfg",
    ".envrc",
    "kubeconfig",
    "master.key",
  ],
]);

/** `.env`, `prod.env`, `.env.local`, but not the examples that repositories share. */
const ENVIRONMENT =
  /\.env$|^\.env[._-](?!(?:.*[._-])?(?:example|sample|template|dist|defaults?|schema)$)|^\.dev\.vars/;
/** Keys by their kind of file, and as ssh names them. */
const KEY_FILE =
  /\.(?:pem|key|p12|pfx|p8|jks|keystore|kdbx|ppk|ovpn|tfstate|agekey)(?:\.(?:bak|backup|old|orig|enc))?$|^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?!.*\.pub$)/;
/** Data whose name, or folder, says what it is. */
const NAMED_SECRET =
  /(?:secret|credential|password|passwd|service[-_]?account|api[-_]?key)s?(?:[._-]|$)/;
const DATA_FILE =
  /^\.?[^.]+$|\.(?:json|jsonc|json5|ya?ml|toml|ini|txt|properties|xml|conf|cfg|csv|bak|enc)$/;

/**
 * Characters that HFS+ ignores when it compares names:
 * https://git-scm.com/docs/git-config#Documentation/git-config.txt-coreprotectHFS
 */
const IGNORED_BY_HFS = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

/** A name of Windows' short form, such as `VSCODE~1`, which may stand for any long one. */
const SHORT_NAME = /^[^.~]{1,7}~\d{1,5}(?:\.[^.]{0,3})?$/;

/** Whether a path is or lies in a folder of version control. */
export function isVersionControlPath(path: string): boolean {
  return readingsOf(path)
    .flat()
    .some((name) => VERSION_CONTROL.has(name) || /^(?:git|hg|svn)~\d+$/.test(name));
}

/**
 * Whether something acts on what is at a path without being asked: version control, an editor, a
 * hook, a build server, a shell, an assistant. A folder of such files counts, too.
 */
export function isProtectedPath(path: string): boolean {
  return readingsOf(path).some(areProtected);
}

function areProtected(names: readonly string[]): boolean {
  const last = names.at(-1) ?? "";
  const isActing =
    ACTING_FILES.has(last) ||
    GIT_HOOKS.has(last.replace(/\.exe$/, "")) ||
    last.endsWith(".code-workspace");
  return (
    isActing ||
    names.some(
      (name) => ACTING_FOLDERS.has(name) || VERSION_CONTROL.has(name) || SHORT_NAME.test(name),
    )
  );
}

/** Whether what is at a path is likely to hold keys or passwords. */
export function isSecretPath(path: string): boolean {
  return readingsOf(path).some(areSecret);
}

function areSecret(names: readonly string[]): boolean {
  const last = names.at(-1) ?? "";
  const folders = names.slice(0, -1);
  const isKeyFile =
    SECRET_FILES.has(last) ||
    ENVIRONMENT.test(last) ||
    KEY_FILE.test(last) ||
    /(?:^|\/)\.docker\/config\.json$/.test(names.join("/"));
  const isNamed =
    DATA_FILE.test(last) &&
    [...folders.filter((name) => /^\.?secrets?$/.test(name)), last].some((name) =>
      NAMED_SECRET.test(name),
    );
  return (
    isKeyFile ||
    isNamed ||
    folders.some((name) => SECRET_FOLDERS.has(name)) ||
    names.some((name) => SHORT_NAME.test(name))
  );
}

/**
 * The file at `path`, judged by its `names`: relative to its folder as it is spelled, and with
 * links resolved.
 */
export function judgedRef(path: string, uri: string, names: readonly string[] = [path]): FileRef {
  return {
    path,
    uri,
    ...(names.some(isProtectedPath) && { protected: true }),
    ...(names.some(isSecretPath) && { secret: "asks" }),
    ...(names.some(isVersionControlPath) && { versionControl: true }),
  };
}

/**
 * A path's names as file systems may read them: what follows a colon is part of a name, or names a
 * stream of the file.
 */
function readingsOf(path: string): readonly (readonly string[])[] {
  return path.includes(":")
    ? [namesOf(path), namesOf(path.replace(/:[^\\/]*/g, ""))]
    : [namesOf(path)];
}

/** A path's names without case, Unicode forms, and trailing dots and blanks. */
function namesOf(path: string): readonly string[] {
  return path.split(/[\\/]/).flatMap((segment) => {
    const name = segment.normalize("NFKC").replace(IGNORED_BY_HFS, "");
    let end = name.length;
    while (name[end - 1] === "." || name[end - 1] === " ") end -= 1;
    // Both ways: `ſ` is `S` to a file system that folds case.
    return end === 0 ? [] : [name.slice(0, end).toUpperCase().toLowerCase()];
  });
}
