/** The most paths that are found in one text, and the most places where one may begin. */
const MOST = 100;
const MOST_STARTS = 30;
/** What may be right before a path. */
const START = /[\s/:>,;|"'`]+/g;
/** An extension, before what is never right behind it in a name. */
const EXTENSION = /\.[a-z]\w*(?=[\s@:#?,;()[\]<>|"'`])/gi;
/** What no folder before a path is called. */
const MARKS = /[:<>"`|?*\p{Cc}\u2026]|(?:^|\/)\.{3,}(?:\/|$)/u;
/** Words or a list before a path, also one of a diff. */
const WORDS = /[\s,;'](?:[ab]\/)?$/;
/** What names of new files must not have: no tool and not every system takes it. NUL has a sentence of its own. */
const INVALID =
  /^[a-z][\w+.-]*:(?=\/|$)|[<>"|?*]|(?!\0)\p{Cc}|(?<=^|\/)(?:\.{3,}|\u2026)(?=\/|$)|\{[^{}]*,[^{}]*\}/iu;

/**
 * The paths that stand in `written`, a path that does not exist, with something around them that is
 * no folder: a label, a tag, a drive, an ellipsis, or more text after an extension. Where its folder
 * does not exist, words right before a path are such, too. A path below folders of another name is
 * none.
 */
export function pathsWithin(written: string, isInFolder: boolean): readonly string[] {
  const isMarked = (before: string, path: string) =>
    MARKS.test(before) || (!isInFolder && WORDS.test(before) && path.includes("/"));
  const ends = [...written.matchAll(START)].slice(-MOST_STARTS).flatMap((start) => {
    const at = start.index + start[0].length;
    const path = written.slice(at);
    return isMarked(written.slice(0, at), path) ? [path] : [];
  });
  const paths = [written, ...ends].flatMap((path) => [
    path,
    ...Array.from(path.matchAll(EXTENSION), ({ index, 0: { length } }) =>
      path.slice(0, index + length),
    ),
  ]);
  return paths.slice(0, MOST);
}

/** What no new file can have in its path, such as a line break or a drive; null for none. */
export function invalidPart(path: string): string | null {
  return INVALID.exec(path)?.[0] ?? null;
}
