/** The most bytes of a log, and of a small file. What is larger is set aside unread. */
export const MAX_LOG_BYTES = 256 * 1024 * 1024;
export const MAX_SMALL_BYTES = 64 * 1024 * 1024;
/** The most lines of a log. */
const MAX_LINES = 1_000_000;

/** What the name of a file that was set aside has behind its own. */
export const SET_ASIDE = ".damaged-";

/** An append-only list of lines that survives the window. */
export interface EventLog {
  /**
   * All lines in order, without line breaks. A line that a crash cut off is returned as far as it
   * was written.
   */
  read(): Promise<readonly string[]>;
  /** Appends lines in order. They must not contain line breaks. */
  append(lines: readonly string[]): Promise<void>;
  /** Location for display. Absent if there is none. */
  readonly place?: string;
  /**
   * Backs up the damaged log, starts a new one with `lines`, and returns the backup's location.
   * Absent if unsupported.
   */
  setAside?(lines: readonly string[]): Promise<string>;
}

/**
 * A storage error. `place` is the location of the backup of a damaged or unfit file, or of the file
 * itself.
 */
export interface StorageFault {
  readonly code: "damaged" | "unreadable" | "unwritable" | UnfitReason;
  readonly what: "chat" | "changes" | "proposal";
  readonly place: string;
  /** The system's error message. */
  readonly detail: string;
}

/** A small file next to the logs: the claim of a log's writer, or the index of all logs. */
export interface SmallFile {
  /** Returns the text, or null if the file does not exist. */
  read(): Promise<string | null>;
  /**
   * Creates the file, or returns false if it exists. If two callers race, both may get true. Then
   * the later text wins.
   */
  create(text: string): Promise<boolean>;
  /** Replaces the content. */
  write(text: string): Promise<void>;
  /** Removes the file if it exists. */
  remove(): Promise<void>;
  /** Renames the file within its folder and returns the new location. Absent if unsupported. */
  setAside?(): Promise<string>;
}

/**
 * Small files in one folder. Each write is atomic, and survives a power loss if the system
 * guarantees that.
 */
export interface SmallFiles {
  /** Location for display. */
  readonly place: string;
  /** The file names. Empty if the folder does not exist. */
  list(): Promise<readonly string[]>;
  /** Another text after every write; "" where there is no such file. */
  version(name: string): Promise<string>;
  open(name: string): SmallFile;
}

/** A log as listed by the storage, unread. */
export interface LogEntry {
  readonly name: string;
  /** The time of the last append, in milliseconds since 1970. 0 if unknown. */
  readonly changedAt: number;
  /** Changes with every append. */
  readonly version: string;
}

/** The log storage of a workspace. */
export interface EventLogStorage {
  /** The logs, most recently appended last. */
  list(): Promise<readonly LogEntry[]>;
  /** Opens a log; the first append creates it. Names consist of letters, digits and `-`. */
  open(name: string): EventLog;
  /** The claim file of a log. Neither needs to exist. */
  claim(name: string): SmallFile;
  /** Removes a log permanently if it exists. */
  remove(name: string): Promise<void>;
  /** Cached facts about the logs. Losing it is harmless. */
  readonly index: SmallFile;
}

/** The lines of a log's text, without empty ones. Throws `unfitFile` for too many. */
export function logLines(text: string, place: string): readonly string[] {
  const lines: string[] = [];
  for (let from = 0; from < text.length; ) {
    const found = text.indexOf("\n", from);
    const to = found < 0 ? text.length : found;
    if (to > from && lines.push(text.slice(from, to)) > MAX_LINES)
      throw unfitFile("too-large", place);
    from = to + 1;
  }
  return lines;
}

/** Validates the name of a log. Throws for an invalid one. */
export function logName(name: string): string {
  if (!/^[A-Za-z0-9-]+$/.test(name))
    throw new Error(
      `A log's name consists of letters, digits and "-", not ${JSON.stringify(name)}.`,
    );
  return name;
}

/**
 * Why an entry of Graft's storage is not read: it is no plain file (a folder, link, pipe or
 * device), it is too large, another user owns it, or the system does not let Graft read it.
 */
export type UnfitReason = "not-a-file" | "too-large" | "not-own" | "no-access";

/** The error of a read that found an entry Graft cannot have written. */
export function unfitFile(
  unfit: UnfitReason,
  place: string,
): Error & { readonly unfit: UnfitReason } {
  return Object.assign(new Error(`${place} is not read: ${unfit}`), { unfit });
}

/** The reason in an error of {@link unfitFile}; null for any other error. */
export function unfitReason(error: unknown): UnfitReason | null {
  if (!(error instanceof Error) || !("unfit" in error)) return null;
  const { unfit } = error;
  return unfit === "not-a-file" ||
    unfit === "too-large" ||
    unfit === "not-own" ||
    unfit === "no-access"
    ? unfit
    : null;
}
