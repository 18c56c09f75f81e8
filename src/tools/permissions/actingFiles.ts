import type { NameList } from "./namedFiles.ts";

/** Names by which git finds its hooks, in whatever folder core.hooksPath names. */
export const GIT_HOOKS: NameList = `
https://git-scm.com/docs/githooks
  applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg
  commit-msg post-commit pre-rebase post-checkout post-merge pre-push pre-receive update
  proc-receive post-receive post-update reference-transaction push-to-checkout pre-auto-gc
  post-rewrite sendemail-validate fsmonitor-watchman p4-changelist p4-prepare-changelist
  p4-post-changelist p4-pre-submit post-index-change
`;

/** Files and folders that editors run or obey without asking. */
const EDITORS: NameList = `
https://code.visualstudio.com/docs/configure/settings
  .vscode/ .vscode-server/ .vscode-insiders/ *.code-workspace
https://code.visualstudio.com/docs/copilot/customization/custom-instructions
  copilot-instructions.md *.{instructions,chatmode,agent,prompt}.md
https://code.visualstudio.com/docs/copilot/reference/mcp-configuration
  {,.}mcp.{json,jsonc} {,.}mcp{-,_,.}{config,settings,servers,local}.{json,jsonc} *_mcp_settings.json
https://containers.dev/implementors/spec/
  .devcontainer/ .devcontainer.json
https://www.jetbrains.com/help/idea/creating-and-managing-projects.html
  .idea/ .run/ .fleet/ .space.kts .ideavimrc
https://zed.dev/docs/configuring-zed
  .zed/
https://learn.microsoft.com/en-us/visualstudio/ide/customize-build-and-debug-tasks-in-visual-studio
  .vs/
https://theia-ide.org/docs/user_getting_started/
  .theia/
https://help.nova.app/projects/
  .nova/
https://docs.helix-editor.com/configuration.html
  .helix/
https://docs.lapce.dev/
  .lapce/
https://lsp.sublimetext.io/client_configuration/
  *.sublime-{project,build,commands,keymap,settings}
https://docs.kde.org/stable_kf6/en/kate/kate/kate-application-plugin-projects.html
  .kateproject .kateconfig
https://help.eclipse.org/latest/topic/org.eclipse.platform.doc.isv/reference/misc/project_description_file.html
  .project .cproject .classpath .factorypath .settings/ .externaltoolbuilders/
https://www.gnu.org/software/emacs/manual/html_node/emacs/Directory-Variables.html
  .dir-locals.el .dir-locals-2.el .emacs .emacs.el .emacs.d/ .spacemacs
https://vimhelp.org/options.txt.html#%27exrc%27
  {.,_}{exrc,vimrc,gvimrc} .{vimrc,gvimrc,exrc}.local .nvimrc .nvim.lua .vim/ .nvim/ init.vim
https://github.com/embear/vim-localvimrc
  {.,_}lvimrc .lvimrc.lua
https://github.com/thinca/vim-localrc
  .local.vimrc .local-vimrc _vimrc_local.vim
https://lazy.folke.io/configuration
  .lazy.lua
https://github.com/folke/neoconf.nvim
  .neoconf.json .nlsp-settings.json .nlsp-settings/
https://github.com/neoclide/coc.nvim/wiki/Using-the-configuration-file
  coc-settings.json
https://github.com/ycm-core/YouCompleteMe
  .ycm_extra_conf.py
https://build-server-protocol.github.io/docs/overview/server-discovery
  .bsp/ .bloop/
https://cmake.org/cmake/help/latest/manual/cmake-presets.7.html
  cmakepresets.json cmakeuserpresets.json
https://clangd.llvm.org/config
  .clangd
https://rust-analyzer.github.io/book/configuration
  rust-analyzer.toml
https://luals.github.io/wiki/configuration/
  .luarc.{json,jsonc}
`;

/** Files and folders by which a hosted workspace starts programs when it opens. */
const WORKSPACES: NameList = `
https://www.gitpod.io/docs/configure/workspaces/gitpod-yml
  .gitpod.{yml,yaml,dockerfile} .gitpod/
https://ona.com/docs/ona/configuration/tasks-and-services/overview
  .ona/
https://firebase.google.com/docs/studio/customize-workspace
  .idx/
https://codesandbox.io/docs/learn/environment/tasks
  .codesandbox/
https://developer.stackblitz.com/guides/user-guide/setting-up-a-project
  .stackblitzrc .bolt/
https://docs.replit.com/replit-app/configuration
  .replit replit.nix replit.md
https://devfile.io/docs/2.3.0/what-is-a-devfile
  {,.}devfile.{yaml,yml}
`;

/** What assistants obey: their rules, settings, hooks, servers, and what they may not read. */
const ASSISTANTS: NameList = `
https://agents.md/
  agents.md agent.md agents.{override,local}.md .agents/ .agent/
https://docs.anthropic.com/en/docs/claude-code/memory
  .claude/ .claude-plugin/ claude.md claude.local.md .claude.json claude_desktop_config.json
https://agentskills.io/specification
  skill.md
https://docs.github.com/en/copilot/how-tos/copilot-cli
  .copilot/
https://github.com/superagent-ai/grok-cli
  .grok/ grok.md
https://docs.cursor.com/context/rules
  .cursor/ .cursorrules
https://google-gemini.github.io/gemini-cli/docs/get-started/configuration.html
  .gemini/ gemini.md gemini-extension.json
https://developers.openai.com/codex/guides/agents-md
  .codex/ codex.md
https://docs.windsurf.com/windsurf/cascade/memories
  .windsurf/ .windsurfrules .codeium/ .devin/
https://docs.cline.bot/features/cline-rules
  .clinerules/ .clinerules .cline/
https://docs.roocode.com/features/custom-instructions
  .roo/ .roomodes .roorules .{roorules,clinerules}-*
https://kilo.ai/docs/customize/custom-rules
  .kilocode/ .kilo/ .kilocodemodes .kilocoderules .kilocoderules-* kilo.{json,jsonc}
https://docs.continue.dev/customize/deep-dives/rules
  .continue/ .continuerc.json .continuerules
https://docs.aws.amazon.com/amazonq/latest/qdeveloper-ug/context-project-rules.html
  .amazonq/ amazonq.md
https://kiro.dev/docs/steering/
  .kiro/
https://opencode.ai/docs/config
  .opencode/ {,.}opencode.{json,jsonc} opencode.md
https://qwenlm.github.io/qwen-code-docs/en/users/configuration/settings/
  .qwen/ qwen.md qwen-extension.json
https://www.jetbrains.com/help/junie/customize-guidelines.html
  .junie/
https://www.jetbrains.com/help/ai-assistant/configure-project-rules.html
  .aiassistant/ .noai
https://docs.trae.ai/ide/rules
  .trae/ .trae-cn/ .marscode/
https://docs.augmentcode.com/cli/rules
  .augment/ .augment-guidelines .augment-guidelines.md
https://block.github.io/goose/docs/guides/using-goosehints
  .goose/ .goosehints .goosehints.*
https://github.com/charmbracelet/crush#configuration
  .crush/ {,.}crush.json crush.md crush.local.md
https://aider.chat/docs/config/aider_conf.html
  .aider/ .aider.*.{yml,yaml,json}
https://docs.warp.dev/knowledge-and-collaboration/rules
  .warp/ warp.md
https://docs.factory.ai/cli/configuration/settings
  .factory/
https://ampcode.com/manual
  .amp/
https://docs.openhands.dev/overview/skills
  .openhands/ .openhands_instructions
https://docs.tabnine.com/main/getting-started/tabnine-agent/guidelines
  .tabnine/
https://docs.firebender.com/context/rules
  .firebender/ firebender.json
https://docs.zencoder.ai/rules-context/zen-rules
  .zencoder/
https://qodo-merge-docs.qodo.ai/usage-guide/configuration_options/
  .qodo/ .pr_agent.toml
https://docs.coderabbit.ai/getting-started/yaml-configuration
  .coderabbit.{yaml,yml}
https://sourcegraph.com/docs/cody
  .cody/ .sourcegraph/
https://antigravity.google/docs/rules-workflows
  .antigravity/
https://platform.iflow.cn/en/cli/configuration/iflow
  .iflow/ iflow.md
https://www.codebuddy.ai/docs/ide/User-guide/Rules
  .codebuddy/ codebuddy.md
https://help.aliyun.com/zh/lingma/user-guide/ai-rules
  .lingma/ .qoder/
https://docs.mistral.ai/mistral-vibe/introduction/configuration
  .vibe/
https://moonshotai.github.io/kimi-cli/en/
  .kimi/
https://forgecode.dev/docs/
  .forge/ forge.yaml
https://github.com/intellectronica/ruler
  .ruler/ .rulesync/
https://github.com/badlogic/pi-mono/tree/main/packages/coding-agent
  .pi/
https://zed.dev/docs/ai/rules
  .rules .*rules
https://cursor.com/docs/context/ignore-files
  .{cursor,cursorindexing,codeium,gemini,cline,roo,kilocode,augment,continue,qwen,crush}ignore
  .{goose,claude,copilot,cody,opencode,trae,aider,ai}ignore .aiexclude
README.md of Graft
  .graft/
`;

/** What runs with git's hooks. */
const HOOK_RUNNERS: NameList = `
https://typicode.github.io/husky/
  .husky/ .huskyrc .huskyrc.{js,cjs,json,yaml,yml} husky.config.js .cargo-husky/
https://git-scm.com/docs/git-config#Documentation/git-config.txt-corehooksPath
  .githooks/ .git-hooks/
https://lefthook.dev/configuration
  {,.}lefthook{,-local}.{yml,yaml,toml,json,jsonc} .lefthook/ .lefthook-local/ .lefthookrc
https://pre-commit.com/#plugins
  .pre-commit-config.{yaml,yml} .pre-commit-hooks.{yaml,yml} prek.toml
https://github.com/sds/overcommit#configuration
  .overcommit.{yml,yaml} .local-overcommit.{yml,yaml}
https://github.com/toplenboren/simple-git-hooks
  {,.}simple-git-hooks.{js,cjs,mjs,ts,json} .simple-git-hooks
https://github.com/lint-staged/lint-staged#configuration
  .lintstagedrc .lintstagedrc.{json,yaml,yml,js,cjs,mjs,ts,cts,mts}
  lint-staged.config.{js,cjs,mjs,ts,cts,mts}
https://github.com/captainhook-git/captainhook
  captainhook.json captainhook.config.json
https://github.com/phpro/grumphp
  {,.}grumphp.{yml,yaml} grumphp.{yml,yaml}.dist
https://docs.trunk.io/code-quality/overview/setup-and-installation/githooks-integration
  .trunk/
https://hk.jdx.dev/configuration.html
  {,.}hk.pkl hk.local.pkl
https://github.com/swellaby/rusty-hook
  {,.}rusty-hook.toml
`;

/** What build servers and bots run or obey after a push. */
const BUILD_SERVERS: NameList = `
https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax
  .github/ .gitea/ .forgejo/
https://docs.gitlab.com/ci/yaml/
  .gitlab/ .gitlab-ci/ .gitlab-ci.{yml,yaml} *.gitlab-ci.{yml,yaml}
https://circleci.com/docs/configuration-reference/
  .circleci/
https://buildkite.com/docs/pipelines/configure/defining-steps
  .buildkite/ buildkite.{yml,yaml,json}
https://woodpecker-ci.org/docs/usage/workflow-syntax
  .woodpecker/ .woodpecker.{yml,yaml}
https://www.jetbrains.com/help/teamcity/storing-project-settings-in-version-control.html
  .teamcity/
https://pipelinesascode.com/docs/guide/gettingstarted/
  .tekton/
https://developer.harness.io/docs/platform/git-experience/git-experience-overview/
  .harness/
https://docs.semaphoreci.com/reference/pipeline-yaml
  .semaphore/ .semaphore.yml
https://docs.travis-ci.com/user/customizing-the-build/
  .travis.{yml,yaml} .travis/
https://learn.microsoft.com/en-us/azure/devops/pipelines/create-first-pipeline
  azure-pipelines.{yml,yaml} azure-pipelines*.{yml,yaml} .azure-pipelines/ .azuredevops/
https://support.atlassian.com/bitbucket-cloud/docs/bitbucket-pipelines-configuration-reference/
  bitbucket-pipelines.{yml,yaml}
https://www.jenkins.io/doc/book/pipeline/jenkinsfile/
  jenkinsfile jenkinsfile.* .jenkins/ jenkins-x.yml .lighthouse/
https://docs.drone.io/yaml/docker/
  .drone.{yml,yaml,star,jsonnet}
https://www.appveyor.com/docs/appveyor-yml/
  {,.}appveyor.{yml,yaml}
https://cloud.google.com/build/docs/build-config-file-schema
  cloudbuild.{yaml,yml,json} cloudbuild*.{yaml,yml}
https://docs.aws.amazon.com/codebuild/latest/userguide/build-spec-ref.html
  buildspec.{yml,yaml} buildspec*.{yml,yaml}
https://cirrus-ci.org/guide/writing-tasks/
  .cirrus.{yml,yaml,star}
https://man.sr.ht/builds.sr.ht/manifest.md
  .build.{yml,yaml} .builds/
https://codefresh.io/docs/docs/pipelines/what-is-the-codefresh-yaml/
  codefresh.{yml,yaml} .codefresh/
https://docs.screwdriver.cd/user-guide/configuration/
  screwdriver.yaml
https://go-vela.github.io/docs/usage/start_build/
  .vela.{yml,yaml,star,py}
https://docs.bitrise.io/
  bitrise.yml .bitrise/
https://docs.codemagic.io/yaml-basic/yaml-getting-started/
  codemagic.yaml
https://zuul-ci.org/docs/zuul/latest/project-config.html
  {,.}zuul.yaml zuul.d/ .zuul.d/
https://docs.prow.k8s.io/docs/inrepoconfig/
  .prow.yaml .prow/
https://docs.readthedocs.com/platform/stable/config-file/v2.html
  {,.}readthedocs.{yml,yaml}
https://docs.netlify.com/build/configure-builds/file-based-configuration/
  netlify.toml
https://vercel.com/docs/project-configuration
  vercel.json
https://docs.aws.amazon.com/amplify/latest/userguide/yml-specification-syntax.html
  amplify.{yml,yaml}
https://render.com/docs/blueprint-spec
  render.yaml
https://docs.railway.com/reference/config-as-code
  railway.{json,toml}
https://docs.mergify.com/configuration/file-format/
  .mergify.yml .mergify/
https://danger.systems/js/reference
  dangerfile dangerfile.*
https://kamal-deploy.org/docs/hooks/overview/
  .kamal/hooks/
https://docs.renovatebot.com/configuration-options/
  renovate.{json,json5} .renovaterc .renovaterc.{json,json5}
`;

/** What shells, debuggers and interpreters run when they start or enter a folder. */
const SHELLS: NameList = `
https://www.gnu.org/software/bash/manual/html_node/Bash-Startup-Files.html
  .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .login .inputrc .shrc
  .kshrc .mkshrc .cshrc .tcshrc .yashrc .xprofile .xinitrc .xsession .xsessionrc .screenrc .tmux.conf
https://zsh.sourceforge.io/Doc/Release/Files.html
  .zshrc .zshenv .zprofile .zlogin .zlogout .zshrc.local
https://fishshell.com/docs/current/language.html#configuration-files
  config.fish fish_variables .xonshrc rc.elv
https://learn.microsoft.com/en-us/powershell/module/microsoft.powershell.core/about/about_profiles
  profile.ps1 microsoft.*_profile.ps1
https://direnv.net/
  .envrc .envrc.* .direnv/ .direnvrc direnv.toml
https://mise.jdx.dev/configuration.html
  {,.}mise.toml {,.}mise.*.toml .mise/ mise/config.toml .config/mise/ .miserc.toml .rtx.toml
https://asdf-vm.com/manage/configuration.html
  .tool-versions .asdfrc
https://github.com/hyperupcall/autoenv
  .autoenv .autoenv.zsh .autoenv_leave.zsh .env.leave .autoenv.leave
https://shopify.github.io/shadowenv/
  .shadowenv.d/
https://www.jetify.com/docs/devbox/configuration/
  devbox.json
https://sourceware.org/gdb/current/onlinedocs/gdb.html/Init-File-in-the-Current-Directory.html
  .gdbinit .gdbearlyinit .lldbinit .perldb .radare2rc
https://docs.python.org/3/library/pdb.html
  .pdbrc .pdbrc.py
https://docs.python.org/3/library/site.html
  sitecustomize.py usercustomize.py
https://ruby.github.io/irb/Configurations_md.html
  .irbrc .pryrc
https://stat.ethz.ch/R-manual/R-devel/library/base/html/Startup.html
  .rprofile .renviron
https://downloads.haskell.org/ghc/latest/docs/users_guide/ghci.html#the-ghci-and-haskeline-files
  .ghci
https://hexdocs.pm/iex/IEx.html#module-the-iex-exs-file
  .iex.exs
https://ocaml.org/manual/toplevel.html
  .ocamlinit
https://www.postgresql.org/docs/current/app-psql.html
  .psqlrc
https://sqlite.org/cli.html
  .sqliterc
https://www.mongodb.com/docs/mongodb-shell/mongoshrc/
  .mongoshrc.js .mongorc.js
`;

/** What runs when the user signs in, or is obeyed by programs that reach other machines. */
const ACCOUNTS: NameList = `
https://specifications.freedesktop.org/autostart-spec/latest/
  .config/autostart/
https://www.freedesktop.org/software/systemd/man/latest/systemd.unit.html
  .config/systemd/
https://developer.apple.com/library/archive/documentation/MacOSX/Conceptual/BPSystemStartup/Chapters/CreatingLaunchdJobs.html
  library/launchagents/
https://man.openbsd.org/ssh_config
  .ssh/
https://everything.curl.dev/cmdline/configfile.html
  {.,_}curlrc
https://www.gnu.org/software/wget/manual/html_node/Startup-File.html
  .wgetrc
https://developer.hashicorp.com/terraform/cli/config/config-file
  .terraformrc terraform.rc .tofurc
`;

/** What package managers and git obey at their next run, whoever starts it. */
const PACKAGE_MANAGERS: NameList = `
https://docs.npmjs.com/cli/configuring-npm/npmrc
  .npmrc
https://yarnpkg.com/configuration/yarnrc
  .yarnrc .yarnrc.yml .yarn/releases/ .yarn/plugins/
https://yarnpkg.com/features/pnp
  .pnp.{cjs,js,loader.mjs}
https://pnpm.io/pnpmfile
  .pnpmfile.{cjs,mjs}
https://bun.sh/docs/runtime/bunfig
  {,.}bunfig.toml
https://packaging.python.org/en/latest/specifications/pypirc/
  .pypirc
https://pip.pypa.io/en/stable/topics/configuration/
  pip.{conf,ini}
https://docs.conda.io/projects/conda/en/stable/user-guide/configuration/use-condarc.html
  {,.}condarc
https://doc.rust-lang.org/cargo/reference/config.html
  .cargo/config .cargo/config.toml
https://bundler.io/man/bundle-config.1.html
  .bundle/config .gemrc
https://maven.apache.org/configure.html
  .mvn/ .mavenrc
https://docs.gradle.org/current/userguide/gradle_wrapper.html
  gradle-wrapper.properties gradle-wrapper.jar
https://bazel.build/run/bazelrc
  {,.}bazelrc .bazeliskrc
https://learn.microsoft.com/en-us/nuget/reference/nuget-config-file
  nuget.config
https://learn.microsoft.com/en-us/dotnet/core/tools/local-tools-how-to-use
  dotnet-tools.json
https://git-scm.com/docs/git-config
  .gitconfig .gitmodules .lfsconfig
`;

/**
 * Files and folders that a tool runs or obeys without asking. To add one, name the page of its
 * maker that says so.
 */
export const ACTING_FILES: NameList = [
  ...[EDITORS, WORKSPACES, ASSISTANTS, HOOK_RUNNERS, BUILD_SERVERS, SHELLS, ACCOUNTS],
  ...[PACKAGE_MANAGERS],
].join("\n");
