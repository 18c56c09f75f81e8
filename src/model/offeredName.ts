/**
 * The name of the offered tool that a model means: `functions.read_file`, ` Read_File`, `read-file`
 * and `read_fileread_file` are `read_file`. The name as it is where none or several fit.
 */
export function offeredName(name: string, offered: ReadonlySet<string>): string {
  if (offered.has(name)) return name;
  const words = [name, ...name.split(/[^\w-]+/)].map(plainName);
  const meant = [...offered].filter(
    (each) => words.includes(plainName(each)) || isRepeated(name, each),
  );
  return meant.length === 1 && meant[0] !== undefined ? meant[0] : name.trim();
}

/** Some servers join the name that comes with each piece of a call. */
function isRepeated(name: string, each: string): boolean {
  return each !== "" && each.repeat(Math.floor(name.length / each.length)) === name;
}

function plainName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[-\s]+/g, "_");
}
