/** Programs and packages in a home folder, which are everybody's: no settings and no keys. */
export interface ToolChain {
  /** The variable that names the folder, where it is set. */
  readonly variable?: string;
  /** Relative to the home folder, unless it is absolute. */
  readonly folder: string;
  /** What of it is shown, relative to it; all where this is absent. */
  readonly parts?: readonly string[];
}

/** What is shown of a folder above the one with programs, after the Filesystem Hierarchy Standard. */
export const BESIDE_PROGRAMS = ["lib", "lib64", "libexec", "include", "pyvenv.cfg"] as const;

const CONDA = [
  ...["bin", "condabin", "conda-meta", "envs", "etc", "include", "lib", "libexec", "pkgs"],
  ...["share", "ssl"],
] as const;

const whole = (...folders: readonly string[]): readonly ToolChain[] =>
  folders.map((folder) => ({ folder }));

/** Where the makers of tools say that these keep programs and packages on Linux. */
export const TOOL_CHAINS: readonly ToolChain[] = [
  // https://doc.rust-lang.org/cargo/guide/cargo-home.html, https://rust-lang.github.io/rustup
  { variable: "CARGO_HOME", folder: ".cargo", parts: ["bin", "registry", "git", "env"] },
  { variable: "RUSTUP_HOME", folder: ".rustup" },
  // https://github.com/nvm-sh/nvm, https://github.com/Schniz/fnm, https://docs.volta.sh,
  // https://github.com/tj/n
  { variable: "NVM_DIR", folder: ".nvm" },
  { variable: "FNM_DIR", folder: ".local/share/fnm" },
  { variable: "VOLTA_HOME", folder: ".volta" },
  { variable: "N_PREFIX", folder: "n", parts: ["bin", "lib", "include", "n"] },
  // https://docs.npmjs.com/cli/configuring-npm/folders, https://pnpm.io/settings,
  // https://yarnpkg.com/configuration/yarnrc, https://bun.sh/docs, https://docs.deno.com
  { variable: "npm_config_cache", folder: ".npm", parts: ["_cacache", "_npx", "_prebuilds"] },
  { folder: ".npm-global", parts: ["bin", "lib"] },
  { variable: "PNPM_HOME", folder: ".local/share/pnpm" },
  { folder: ".yarn", parts: ["bin", "berry/cache"] },
  { folder: ".config/yarn/global", parts: ["node_modules"] },
  { variable: "BUN_INSTALL", folder: ".bun", parts: ["bin", "install"] },
  { variable: "DENO_INSTALL", folder: ".deno", parts: ["bin"] },
  // https://docs.python.org/3/library/site.html, https://github.com/pyenv/pyenv,
  // https://pipx.pypa.io, https://docs.astral.sh/uv/reference/storage, https://python-poetry.org,
  // https://virtualenvwrapper.readthedocs.io, https://pipenv.pypa.io, https://docs.conda.io
  { variable: "PYTHONUSERBASE", folder: ".local", parts: ["bin", "lib", "lib64", "include"] },
  { variable: "PYENV_ROOT", folder: ".pyenv" },
  { variable: "PIPX_HOME", folder: ".local/share/pipx", parts: ["venvs", "shared"] },
  { folder: ".local/pipx", parts: ["venvs", "shared"] },
  { folder: ".local/share/uv", parts: ["python", "tools"] },
  { folder: ".local/share/pypoetry", parts: ["venv", "python"] },
  { variable: "WORKON_HOME", folder: ".virtualenvs" },
  ...whole(".local/share/virtualenvs", ".local/share/hatch/env", ".local/share/pdm/venvs"),
  ...["miniconda3", "anaconda3", "miniforge3", "mambaforge", "micromamba"].map((folder) => ({
    folder,
    parts: CONDA,
  })),
  { folder: ".conda", parts: ["envs", "pkgs"] },
  // https://go.dev/wiki/GOPATH, https://go.dev/doc/manage-install
  { variable: "GOPATH", folder: "go", parts: ["bin", "pkg"] },
  ...whole("sdk"),
  // https://sdkman.io, https://maven.apache.org/guides/mini/guide-configuring-maven.html,
  // https://docs.gradle.org/current/userguide/directory_layout.html, https://www.scala-sbt.org
  { variable: "SDKMAN_DIR", folder: ".sdkman", parts: ["candidates"] },
  { folder: ".m2", parts: ["repository", "wrapper"] },
  {
    variable: "GRADLE_USER_HOME",
    folder: ".gradle",
    parts: ["caches", "wrapper", "jdks", "native"],
  },
  { folder: ".ivy2", parts: ["cache", "local"] },
  { folder: ".sbt", parts: ["boot", "launchers"] },
  ...whole(".jdks", ".konan", ".local/share/coursier/bin"),
  // https://learn.microsoft.com/dotnet/core/tools, https://learn.microsoft.com/nuget: the folder's
  // other parts have certificates with their keys.
  {
    folder: ".dotnet",
    parts: ["dotnet", "host", "packs", "sdk", "sdk-manifests", "shared", "templates", "tools"],
  },
  { variable: "NUGET_PACKAGES", folder: ".nuget/packages" },
  // https://github.com/rbenv/rbenv, https://rvm.io, https://guides.rubygems.org
  ...whole(".rbenv", ".rvm", ".local/share/gem/ruby"),
  { folder: ".gem", parts: ["ruby"] },
  { folder: ".bundle", parts: ["cache"] },
  // https://asdf-vm.com, https://mise.jdx.dev/directories.html
  { variable: "ASDF_DATA_DIR", folder: ".asdf" },
  { variable: "MISE_DATA_DIR", folder: ".local/share/mise" },
  // https://getcomposer.org/doc/03-cli.md
  { variable: "COMPOSER_HOME", folder: ".composer", parts: ["vendor", "cache"] },
  { folder: ".config/composer", parts: ["vendor"] },
  // https://www.haskell.org/ghcup, https://cabal.readthedocs.io, https://docs.haskellstack.org
  ...whole(".ghcup"),
  { folder: ".cabal", parts: ["bin", "lib", "packages", "store"] },
  { folder: ".local/state/cabal", parts: ["store"] },
  {
    variable: "STACK_ROOT",
    folder: ".stack",
    parts: ["programs", "snapshots", "pantry", "indices"],
  },
  // https://opam.ocaml.org, https://hexdocs.pm/mix, https://lean-lang.org, https://docs.julialang.org
  { variable: "OPAMROOT", folder: ".opam" },
  { variable: "MIX_HOME", folder: ".mix", parts: ["archives", "elixir", "escripts"] },
  { variable: "HEX_HOME", folder: ".hex", parts: ["packages"] },
  ...whole(".elan", ".juliaup"),
  {
    folder: ".julia",
    parts: ["artifacts", "compiled", "juliaup", "packages", "registries", "scratchspaces"],
  },
  // https://docs.flutter.dev, https://dart.dev/tools/pub/environment-variables,
  // https://developer.android.com/tools/variables
  { variable: "FLUTTER_ROOT", folder: "flutter" },
  {
    variable: "PUB_CACHE",
    folder: ".pub-cache",
    parts: ["bin", "git", "global_packages", "hosted", "hosted-hashes"],
  },
  { variable: "ANDROID_HOME", folder: "Android/Sdk" },
  // https://nim-lang.github.io/nimble, https://swiftlang.github.io/swiftly, https://docs.conan.io,
  // https://docs.platformio.org, https://docs.brew.sh/Homebrew-on-Linux
  { folder: ".nimble", parts: ["bin", "pkgs", "pkgs2"] },
  ...whole(".choosenim", ".local/share/swiftly", ".conan2/p", ".emsdk"),
  { folder: ".platformio", parts: ["packages", "penv", "platforms"] },
  ...whole("/home/linuxbrew/.linuxbrew", ".linuxbrew"),
  // https://nixos.org/manual/nix/stable/command-ref/files/profiles
  ...whole(".nix-profile", ".local/state/nix/profiles"),
  ...whole("/run/current-system", "/run/wrappers", "/run/opengl-driver"),
  ...["JAVA_HOME", "GOROOT", "DOTNET_ROOT"].map((variable) => ({ variable, folder: "" })),
  { variable: "VIRTUAL_ENV", folder: "", parts: ["bin", ...BESIDE_PROGRAMS] },
  { variable: "CONDA_PREFIX", folder: "", parts: CONDA },
  { variable: "PLAYWRIGHT_BROWSERS_PATH", folder: "" },
  // What tools keep in the folder of https://specifications.freedesktop.org/basedir-spec
  {
    variable: "XDG_CACHE_HOME",
    folder: ".cache",
    parts: [
      ...["Cypress", "bazel", "bazelisk", "black", "ccache", "composer", "conan", "coursier"],
      ...["deno", "electron", "electron-builder", "fontconfig", "go-build", "golangci-lint"],
      ...["huggingface/hub", "mise", "ms-playwright", "node", "node-gyp", "pip", "pipenv", "pnpm"],
      ...["pre-commit", "prisma", "puppeteer", "pypoetry", "rebar3", "ruff", "sccache", "selenium"],
      ...["tree-sitter", "turbo", "typescript", "uv", "vcpkg", "yarn", "zig"],
    ],
  },
];
