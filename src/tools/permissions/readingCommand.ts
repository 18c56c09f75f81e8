/** The folders of the system's own programs: https://refspecs.linuxfoundation.org/fhs.shtml and NixOS's. */
export const SYSTEM_PATH = "/usr/bin:/bin:/run/current-system/sw/bin";

const NONE = /^$/;
/** A word that is the value of an option before it, which the programs take as a number. */
const COUNT = /^(?:head|tail) -[nc] [+-]?\d+$|^du -d \d+$|^tree -L \d+$/;

/**
 * Programs that only read, with the options that keep them so: those of POSIX and GNU without any
 * that write, start programs, wait for more, or take the names of what to read from a file.
 * https://pubs.opengroup.org/onlinepubs/9799919799/idx/utilities.html
 */
const READS: Readonly<Record<string, RegExp>> = {
  cat: /^-[AbEenstTuv]+$/,
  cksum: NONE,
  date: NONE,
  du: /^-(?:[abchHkmsSx]+|d\d*)$/,
  echo: /^/,
  file: /^-[bhikL]+$/,
  head: /^-(?:[qv]+|[nc][+-]?\d*|\d+)$/,
  // Not -L and -H: what links lead to may be outside of the workspace.
  ls: /^-[a-zA-GI-KM-Z1]+$/,
  md5sum: NONE,
  pwd: /^-[LP]$/,
  sha256sum: NONE,
  stat: /^-[Lft]+$/,
  tail: /^-(?:[qv]+|[nc][+-]?\d*|\d+)$/,
  tree: /^-(?:[adfhips]+|L\d*)$/,
  uname: /^-[a-z]+$/,
  wc: /^-[clLmw]+$/,
  whoami: NONE,
};

/** A word that every shell leaves as it is. */
const PLAIN = /^[\w.,:@%+/-]+$/;
/**
 * Between commands that run after or beside each other.
 * https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html#tag_19_09
 */
const BETWEEN = /&&|\|\|?|[;\n]/;
/** Leaves errors out, or puts them among the output. */
const ERRORS = /^2>(?:\/dev\/null|&1)$/;

/** A command line without the blanks around it that are blanks to a shell, too. */
const trimmed = (text: string): string => text.replace(/^[ \t\n]+|[ \t\n]+$/g, "");

/**
 * The paths that a command line for a POSIX shell reads, as it says them; null where it may do
 * anything else than read. Holds only where its program is one of the system, as with
 * {@link SYSTEM_PATH}.
 */
export function pathsRead(text: string): readonly string[] | null {
  const parts = trimmed(text).split(BETWEEN).map(pathsReadBy);
  return parts.every((part) => part !== null) ? parts.flat() : null;
}

/** The same for one command of a line. */
function pathsReadBy(command: string): readonly string[] | null {
  const [program = "", ...all] = trimmed(command).split(/ +/);
  const words = all.filter((word) => !ERRORS.test(word));
  const options = Object.hasOwn(READS, program) ? READS[program] : undefined;
  if (!options || !words.every((word) => PLAIN.test(word))) return null;
  const paths = words.filter((word, at) => {
    return !COUNT.test(`${program} ${words[at - 1]} ${word}`) && !options.test(word);
  });
  const takesNone = ["pwd", "date", "uname", "whoami"].includes(program) && paths.length > 0;
  // GNU's tail still knows options with a plus.
  return takesNone || paths.some((word) => /^[-+]/.test(word)) ? null : paths;
}

const DEVICE = /^\/+(?:\.\/+)*dev\/+(?!null$)/;

/**
 * A device that a command line, which only reads, would read without an end, as it is spelled there;
 * null for none.
 */
export function endlessDevice(text: string): string | null {
  if (pathsRead(text) === null) return null;
  for (const command of trimmed(text).split(BETWEEN).map(trimmed)) {
    const program = command.split(" ")[0] ?? "";
    const looks =
      ["ls", "stat", "file", "du", "tree"].includes(program) || /^head -c/.test(command);
    const device = looks ? null : pathsReadBy(command)?.find((path) => DEVICE.test(path));
    if (device) return device;
  }
  return null;
}
