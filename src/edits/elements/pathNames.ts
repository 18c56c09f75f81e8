/** A path without its numbers. */
export function unnumbered(path: string): string {
  return path.includes("#") ? path.replace(/#\d+(?=-|$)/g, "") : path;
}

/** The last name of a path. */
export function lastName(path: string): string {
  return path.slice(path.lastIndexOf("-") + 1);
}
