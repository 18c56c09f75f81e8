/** Letters, digits and signs that no common shell takes for the beginning of another command. */
const ONE_COMMAND = /^[\p{L}\p{N} \t_./:=,@+~*?"'#[\]\\-]*$/u;

/** False where a shell could run more than one command: `&&`, `;`, pipes, redirections, substitutions, several lines. In doubt false. */
export function isOneCommand(text: string): boolean {
  return ONE_COMMAND.test(text);
}

/**
 * Whether a command line is one that a rule's `match` means: the very text, or with `*` at its end every text that begins like this;
 * ` *` takes in the text without arguments. Runs of blanks count as one.
 */
export function fitsCommand(match: string, command: string): boolean {
  const [wanted, text] = [withSingleBlanks(match), withSingleBlanks(command)];
  if (!wanted.endsWith("*")) return text === wanted;
  const start = wanted.slice(0, -1);
  return text.startsWith(start) || text === start.trimEnd();
}

function withSingleBlanks(text: string): string {
  return text.trim().replace(/[ \t]+/g, " ");
}
