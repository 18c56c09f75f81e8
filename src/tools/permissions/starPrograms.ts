/** Programs whose own arguments are or name programs: no words after them are plain. */
const RUNS_OTHERS = new Set(
  [
    "sed gsed awk gawk mawk nawk find gfind fd fdfind xargs gxargs env printenv perl raku ruby irb php lua luajit tclsh wish expect",
    "sh bash zsh dash ash ksh mksh fish csh tcsh elvish nu pwsh powershell cmd cscript wscript mshta rundll32 eval exec source . command builtin",
    "busybox toybox nice ionice nohup timeout gtimeout time stdbuf setsid chroot unshare nsenter sudo doas su runuser ssh sshpass parallel watch entr",
    "script strace ltrace gdb lldb valgrind perf vi vim nvim view ex ed emacs nano less more most man tar gtar bsdtar zip rsync scp sftp ftp",
    "socat nc ncat netcat curl wget docker podman nerdctl kubectl helm npx pnpx bunx uvx pipx corepack volta nvm fnm asdf mise direnv",
    "open xdg-open start explorer osascript at batch crontab systemctl systemd-run launchctl m4 dc bc jshell scala groovy kotlin ghci erl iex",
    "sqlite3 psql mysql mongosh redis-cli gnuplot octave r rscript julia node nodejs deno ts-node tsx runhaskell java jrunscript",
    "nix nix-shell guix flatpak snap apk apt apt-get brew choco winget scoop gem cpan luarocks opam conda mamba terraform ansible make-kpkg",
  ]
    .join(" ")
    .split(" "),
);

/**
 * Programs with subcommands that run others: a permission with further words has to name a
 * subcommand, and none of these.
 */
const RUNNING_SUBCOMMANDS: Readonly<Record<string, RegExp>> = {
  npm: /^(?:x|exec|init|create|explore|edit|i|in|install|add|ci|install-test|it|cit|config|set|pkg|innit|rebuild|update|up|link|ln)$/,
  pnpm: /^(?:x|exec|dlx|create|init|i|install|add|config|setup|env|rebuild|update|up|link|ln)$/,
  yarn: /^(?:x|exec|dlx|create|init|install|add|config|set|node|plugin|up|upgrade|link)$/,
  bun: /^(?:x|exec|create|init|i|install|add|run|repl|update|link|.*[./].*)$/,
  git: /^(?:bisect|submodule|difftool|mergetool|filter-branch|rebase|config|clone|fetch|pull|push|remote|ls-remote|archive|grep|help|gui|citool|send-email|instaweb|daemon|worktree|am|apply|maintenance|hook|for-each-repo|upload-pack|receive-pack)$/,
  cargo: /^(?:run|r|install|script|new|init|miri|watch|make)$/,
  go: /^(?:run|generate|install|get|tool|env|test-exec)$/,
  dotnet: /^(?:run|exec|tool|script|watch|new|fsi|.*[./].*)$/,
  uv: /^(?:run|tool|x|pip|add|sync|init)$/,
  poetry: /^(?:run|shell|config|add|install|self|init)$/,
  pipenv: /^(?:run|shell|install|update)$/,
  hatch: /^(?:run|shell|env|test-exec)$/,
  pdm: /^(?:run|config|add|install|plugin|self)$/,
  rye: /^(?:run|add|sync|tools?|install)$/,
  bundle: /^(?:exec|config|install|add|console|open|plugin)$/,
  mix: /^(?:run|do|cmd|eval|archive|escript|local)$/,
  composer: /^(?:exec|run|run-script|config|require|install|global)$/,
  flutter: /^(?:run|drive|config|pub)$/,
  swift: /^(?:run|repl|package|.*[./].*)$/,
  gradle: /^$/,
  mvn: /^(?:exec|.*:.*)$/,
};

/** Python runs what follows, apart from these modules. */
const PYTHON = /^python[\d.]*$|^pypy[\d.]*$|^py$/;
const PYTHON_MODULES =
  /^-m (?:pytest|unittest|mypy|ruff check|flake8|pylint|black --check|isort --check|pyright)(?= |$)/;

/**
 * Whether a permission that begins with the words `start` may have further ones: false where these
 * could name a program to run.
 */
export function takesMoreWords(start: string): boolean {
  const words = start.split(" ").filter((word) => word !== "");
  const at = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
  const program = programName(words[at] ?? "");
  const rest = at < 0 ? [] : words.slice(at + 1);
  if (
    program === "" ||
    RUNS_OTHERS.has(program) ||
    RUNS_OTHERS.has(program.replace(/[\d.-]+$/, ""))
  )
    return false;
  if (PYTHON.test(program)) return PYTHON_MODULES.test(rest.join(" "));
  const running = Object.hasOwn(RUNNING_SUBCOMMANDS, program)
    ? RUNNING_SUBCOMMANDS[program]
    : undefined;
  if (!running) return true;
  const subcommand = rest[0];
  return (
    subcommand !== undefined &&
    /^[\w:-]*$/.test(subcommand) &&
    !subcommand.startsWith("-") &&
    !running.test(subcommand)
  );
}

/**
 * The name of a program as a disk that ignores case finds it: `RM`, `"rm"`, `/bin/rm` and `rm.exe`
 * are `rm`.
 */
export function programName(word: string): string {
  const plain = word.replace(/["'\\^]/g, (character, index: number) =>
    character === "\\" && /[\w]/.test(word[index - 1] ?? "") ? "/" : "",
  );
  const base = plain.slice(plain.lastIndexOf("/") + 1);
  // Upper case first: then letters such as the long s are folded, too.
  return base
    .toUpperCase()
    .toLowerCase()
    .replace(/\.(?:exe|cmd|bat|com|ps1)$/, "");
}
