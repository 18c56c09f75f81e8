import assert from "node:assert/strict";
import {
  isProtectedPath,
  isSecretPath,
  isVersionControlPath,
} from "../../../../src/tools/permissions/protectedPath.ts";

const protectedPaths = [
  ".vscode/tasks.json",
  ".vscode",
  "web/.VSCode/settings.json",
  ".vscode\\mcp.json",
  ".vscode./tasks.json",
  ".vscode::$INDEX_ALLOCATION/tasks.json",
  ".vs\u200dcode/tasks.json",
  ".vſcode/tasks.json",
  "VSCODE~1/tasks.json",
  "a/.devcontainer/Dockerfile",
  ".devcontainer.json",
  "all.code-workspace",
  ".github/workflows/ci.yml",
  ".github",
  ".husky/pre-commit",
  "tools/hooks/post-checkout",
  "AGENTS.md",
  "lib/Claude.md",
  "mcp.json",
  ".mcp.json",
  ".gitlab-ci.yml",
  "dotfiles/.bashrc",
  ".envrc",
  ".npmrc",
  ".git/hooks/pre-push",
  // Editors.
  ...words(`.zed/settings.json .helix/languages.toml .nova/Configuration.json .theia/tasks.json
    .vs/tasks.vs.json .run/App.run.xml a.sublime-project .kateproject .project .bsp/sbt.json
    .lvimrc .local.vimrc _vimrc .vimrc.local .exrc .dir-locals-2.el .lazy.lua .clangd
    .ycm_extra_conf.py .luarc.json rust-analyzer.toml .vim/coc-settings.json`),
  // Workspaces that start by themselves.
  ...words(`.gitpod.yml .gitpod.Dockerfile .idx/dev.nix .codesandbox/tasks.json .replit .stackblitzrc
    devfile.yaml .devcontainer/x/devcontainer.json`),
  // Assistants.
  ...words(`opencode.json opencode.jsonc .opencode/agent/a.md QWEN.md .qwen/settings.json .rules
    sub/.rules .junie/guidelines.md .trae/rules/project_rules.md .augment/rules/a.md
    .augment-guidelines .goose/memory/a.txt .goosehints .goosehints.local .crush.json crush.json
    CRUSH.md .kilocode/rules/a.md .kilocodemodes .roomodes .roorules-code .clinerules-code
    .factory/mcp.json .openhands/microagents/repo.md .aider.conf.yml .aider.model.settings.yml
    AGENTS.override.md CLAUDE.local.md mcp_config.json cline_mcp_settings.json .mcp.jsonc
    a.instructions.md docs/x.chatmode.md .cursorignore .aiexclude .traerules .amp/settings.json
    .aiassistant/rules/a.md .coderabbit.yaml`),
  // Hook runners.
  ...words(`lefthook-local.yml .lefthook-local.yaml .config/lefthook.toml .config/lefthook-local.json
    .lefthook.jsonc lefthook.json .lefthook/pre-commit/a.sh .lefthook-local/a .pre-commit-hooks.yaml
    .overcommit.yml .local-overcommit.yml .simple-git-hooks.cjs simple-git-hooks.json
    .lintstagedrc.json lint-staged.config.mjs .huskyrc.json prek.toml captainhook.json`),
  // Build servers.
  ...words(`.tekton/a.yaml .buildkite/pipeline.yml .harness/a.yaml .semaphore/semaphore.yml
    azure-pipelines-release.yml Jenkinsfile.release .builds/alpine.yml .build.yml .zuul.yaml
    bitrise.yml codemagic.yaml netlify.toml .mergify.yml renovate.json .readthedocs.yaml
    ci/test.gitlab-ci.yml .azure-pipelines/a.yml .travis.yaml`),
  // Shells, interpreters and package managers.
  ...words(`.tool-versions mise.local.toml .config/mise.toml .mise/config.toml .envrc.local .pdbrc
    .Rprofile .irbrc .ghci .iex.exs sitecustomize.py Microsoft.PowerShell_profile.ps1 .tmux.conf
    .cargo/config.toml .bundle/config NuGet.config bunfig.toml .mvn/extensions.xml pip.conf`),
  // Accounts and other programs.
  ...words(`CMakePresets.json CMakeUserPresets.json .config/dotnet-tools.json .pnp.cjs .pnp.loader.mjs
    .psqlrc .sqliterc .mongoshrc.js .ssh/config .ssh/rc .curlrc _curlrc .wgetrc
    .config/autostart/a.desktop .config/systemd/user/a.service Library/LaunchAgents/a.plist
    .terraformrc terraform.rc .kamal/hooks/pre-deploy Dangerfile dangerfile.ts .copilot/config.json
    GROK.md .grok/settings.json skills/review/SKILL.md`),
  // In other spellings.
  ...words(`OpenCode.JSON .OPENCODE/a qwen.MD .Rules LEFTHOOK-LOCAL.YML a\\.Tekton\\b.yaml
    .opencode./a .tool-versions:x`),
  ".rules ",
  ".gitpod\u200b.yml",
];
const secretPaths = [
  ".env",
  "web/.ENV",
  ".env.local",
  ".env.production",
  "prod.env",
  ".git/config",
  "deploy/id_rsa",
  "id_ed25519_work",
  "certs/server.key",
  "a.pem",
  ".netrc",
  ".pgpass",
  ".aws/credentials",
  ".docker/config.json",
  "config/credentials.json",
  "client_secret_123.json",
  "secrets.yml",
  "secrets/db.txt",
  "ENV~1",
  ...words(`serviceAccountKey.json terraform.tfvars prod.auto.tfvars x.tfvars.json auth.json
    ~/.local/share/opencode/auth.json .vault_pass .vault-pass .vaultpass vault_pass.txt .vault_password
    ansible_vault_pass.txt client_secret_42.apps.googleusercontent.com.json adc.json
    application_default_credentials.json .cargo/credentials .cargo/credentials.toml .gem/credentials
    .composer/auth.json NuGet.config .config/gh/hosts.yml .docker/config.json .azure/msal.bin
    .oci/config .terraform.d/credentials.tfrc.json .config/gcloud/access_tokens.db rclone.conf
    .netlify/config.json a.p12 wallet.dat Database.kdb .pgpass token.json .token github_token.txt
    .github-token access-token.json oauth_tokens.yml a.jks a.keytab terraform.tfstate.backup
    x.pkrvars.hcl app-firebase-adminsdk-1.json key.json sa-key.json gcp_key.json privateKey.pem
    private_key.txt accessKeys.csv rootkey.csv credentials.csv kubeconfig.yaml prod.kubeconfig
    .yarnrc.yml .sentryclirc .databrickscfg .snowsql/config .pulumi/credentials.json
    .config/rclone/rclone.conf .config/hub .config/glab-cli/config.yml .my.cnf .mylogin.cnf
    .bash_history .psql_history .smbcredentials .authinfo .m2/settings.xml key.properties
    local.settings.json clouds.yaml wg0.conf cookies.txt logins.json key4.db sitemanager.xml
    wp-config.php .envs/.production/.django .env1 env.local .env-prod .env_prod .dev.vars
    .config/sops/age/keys.txt ssh_host_rsa_key kaggle.json .huggingface/token pypoetry/auth.toml
    creds.yml aws-creds.json vault.yml .runtimeconfig.json storageState.json storage-state.admin.json
    playwright/.auth/user.json cypress.env.json .flaskenv pip.conf pip/pip.ini .gitconfig
    .config/git/config bunfig.toml .bunfig.toml a.jwk private.der home.nmconnection .kamal/secrets
    .kamal/secrets-common .kamal/secrets.staging mise.local.toml .mise.local.toml
    mise.production.local.toml talosconfig .talos/config LocalSettings.php
    bot.session bot.session-journal login.har mnemonic.txt .mnemonic seed-phrase.txt deploy_rsa
    github_ed25519 a.kwallet login.keyring robomongo.json .muttrc .purple/accounts.xml etc/shadow
    config/initializers/secret_token.rb`),
  // Copies that editors and people leave.
  ...words(`.env~ .env.swp .env.swo .env.bak .env.orig .env.old .env.save .env.~1~ #.env# .#.env
    .auth.json.swp auth.json~ auth.json.bak auth.bak.json auth_old.json auth.json.1 terraform.tfvars~
    .terraform.tfvars.swp token.json.orig .id_rsa.swp id_rsa.old .netrc~ .pgpass.bak
    serviceAccountKey.json.old .npmrc.bak secrets.yml.bak~ wallet.dat.bak .vault_pass~ a.pem.old.1`),
  "auth - Copy.json",
  "auth (1).json",
  "Copy of auth.json",
  // In other spellings.
  ...words(`SERVICEACCOUNTKEY.JSON service-account-key.json Terraform.TFVARS AUTH.json .ENV~ .Env.Swp
    .VAULT_PASS TOKEN.JSON a\\.AZURE\\b auth.json. auth.json::$DATA`),
  "ＡＵＴＨ.json",
];
const others = [
  "src/vscode/a.ts",
  ".vscode-test/a.js",
  "my.vscode/x",
  "devcontainer.json",
  "code-workspace",
  "a.code-workspaces",
  "src/agents.ts",
  "hooks/useCart.ts",
  "update.ts",
  "package.json",
  ".env.example",
  ".env.production.sample",
  ".environment/readme.txt",
  "env.ts",
  "id_rsa.pub",
  "src/secrets.ts",
  "src/secrets/vault.ts",
  "keyboard.json",
  "docs/credentials.md",
  "Makefile",
  "gitconfig.md",
  ...words(`auth.ts token.ts tokens.ts secrets.ts env.d.ts src/auth/index.ts src/auth.py token.go
    Token.java src/credentials/provider.ts password_test.go ApiKey.cs vault_password.py
    .env.example .env.sample .env.template .env.local.example example.env .env.example~
    terraform.tfvars.example example.tfvars credentials.example.json .dev.vars.example
    tokens.json design-tokens.json tokenizer.json locales/en/auth.json i18n/de/token.json
    author.json keys.ts keymap.json key.ts main.tf variables.tf hosts.yml config.json settings.json
    .editorconfig .gitignore .gitattributes .prettierrc .eslintrc.json eslint.config.js .dockerignore
    tsconfig.json Dockerfile docker-compose.yml rules.ts .rules.ts my.rules rules/a.md lefthook.ts
    crush.ts opencode.ts qwen.ts junie/a.md trae.json .nvmrc README.md CONTRIBUTING.md
    test.swp.ts a.bak.ts data.old.csv report~.txt mcp.ts mcp/server.json project.json settings/a.json
    run/a.sh history.ts src/user_history monkey.json sacred.json access_key_test.ts prompt.md
    config/database.yml session.ts session.json har.ts mnemonic.ts mnemonics.json
    src/auth/user.json storage/state.json state.json bunfig.ts mise.ts encoder.ts under.txt rsa.ts
    presets.json tools.json pnp.ts skill.ts skills/a.ts autostart/a.ts systemd/a.service ssh/config.ts
    curl.ts danger.ts grok.ts kamal/hooks/a.ts deploy.yml shadow.ts secrets.go flask.env.md
    agent.ts agents.json .github-token.ts wallet.ts netlify/functions/a.ts azure/a.bicep cookies.ts`),
];

/** Words separated by blanks. */
function words(text: string): readonly string[] {
  return text.split(/\s+/);
}

describe("a path", () => {
  for (const path of protectedPaths)
    it(`is protected: ${path}`, () => assert.equal(isProtectedPath(path), true));
  for (const path of secretPaths)
    it(`may hold keys: ${path}`, () => assert.equal(isSecretPath(path), true));
  for (const path of others)
    it(`is like any other: ${path}`, () =>
      assert.deepEqual([isProtectedPath(path), isSecretPath(path)], [false, false]));
  for (const path of [
    ".git/config",
    "a/.GIT/HEAD",
    "git~1/config",
    ".git./x",
    ".g\u200cit/hooks",
    ".hg",
  ])
    it(`belongs to version control: ${path}`, () => assert.equal(isVersionControlPath(path), true));
  for (const path of [".gitignore", ".github/a", "git/x"])
    it(`does not belong to version control: ${path}`, () =>
      assert.equal(isVersionControlPath(path), false));

  it("is judged in a time that grows with its length alone", () => {
    for (const part of [
      "-a",
      ".env_",
      "secret-",
      "~1.",
      "/",
      ". ",
      ":",
      "~",
      ".bak",
      " (1)",
      "mcp_",
    ])
      for (const judge of [isSecretPath, isProtectedPath]) judge(`${part.repeat(100_000)}x`);
  });
});
