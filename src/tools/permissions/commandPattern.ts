/** Characters that start no second command in any common shell. */
const ONE_COMMAND = /^[\p{L}\p{N} \t_./:=,@+~*?"'#[\]\\-]*$/u;

/** False where a shell might run more than one command: `&&`, `;`, pipes, redirections, substitutions, several lines. */
export function isOneCommand(text: string): boolean {
  return ONE_COMMAND.test(text);
}

/**
 * Whether a command line fits a rule's `match`: the same text, or with a final `*` any text that starts with it, where ` *` also fits
 * the command without arguments. Runs of spaces count as one.
 */
export function matchesCommand(match: string, command: string): boolean {
  const [wanted, text] = [withSingleBlanks(match), withSingleBlanks(command)];
  if (!wanted.endsWith("*")) return text === wanted;
  const start = wanted.slice(0, -1);
  return text.startsWith(start) || text === start.trimEnd();
}

function withSingleBlanks(text: string): string {
  return text.trim().replace(/[ \t]+/g, " ");
}
